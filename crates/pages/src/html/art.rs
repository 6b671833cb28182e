//! Drawings, by name: they are in the page once, and shown wherever they are needed.

use maud::{Markup, html};
use sultan_domain::{Jewel, PlayerColour};

/// A drawing of the sprite. It says nothing to those who do not see it: words stand beside it.
pub(crate) fn draw(name: &str, class: &str) -> Markup {
    html! { svg class=(class) aria-hidden="true" { use href=(format!("#{name}")) {} } }
}

/// The ornament of the whole house: behind a page (`girih`), or woven into a carpet (`weave`).
pub(crate) fn ornament(class: &str) -> Markup {
    html! { svg class=(class) aria-hidden="true" { rect width="100%" height="100%" fill="url(#g-girih)" {} } }
}

/// A jewel.
pub(crate) fn jewel(jewel: Jewel) -> Markup {
    draw(&format!("jewel-{}", jewel.letter().to_ascii_lowercase()), "jewel")
}

/// The name of a player's colour in the style sheet.
pub(crate) const fn colour(colour: PlayerColour) -> &'static str {
    match colour {
        PlayerColour::Violet => "violet",
        PlayerColour::Gold => "gold",
        PlayerColour::Green => "green",
        PlayerColour::Red => "red",
        PlayerColour::Blue => "blue",
    }
}

/// A player's emblem.
pub(crate) fn emblem(of: PlayerColour) -> Markup {
    draw(&format!("emblem-{}", colour(of)), "emblem")
}
