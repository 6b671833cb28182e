//! Symbols for jewels and players. Each has its own shape, so that colour is never the only difference.

use sultan_domain::{Collection, Jewel, PlayerColour};

/// The shape and the letter of a jewel.
pub(crate) const fn jewel(jewel: Jewel) -> &'static str {
    match jewel {
        Jewel::White => "○W",
        Jewel::Red => "◆R",
        Jewel::Yellow => "▲Y",
        Jewel::Green => "■G",
        Jewel::Blue => "★B",
    }
}

/// A player's emblem: moon, sun, clover, heart and spade.
pub(crate) const fn emblem(colour: PlayerColour) -> char {
    match colour {
        PlayerColour::Violet => '☾',
        PlayerColour::Gold => '☼',
        PlayerColour::Green => '♣',
        PlayerColour::Red => '♥',
        PlayerColour::Blue => '♠',
    }
}

/// A collection as letters and counts, without colours that it lacks: `W3 B1`. A dash if it is empty.
pub(crate) fn collection(jewels: Collection) -> String {
    let collected = Jewel::ALL.into_iter().filter(|&jewel| jewels.count(jewel) > 0);
    let counts: Vec<String> = collected.map(|jewel| format!("{}{}", jewel.letter(), jewels.count(jewel))).collect();
    if counts.is_empty() { "–".to_owned() } else { counts.join(" ") }
}
