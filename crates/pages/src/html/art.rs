//! SVG drawings by name. The page has each symbol once and refers to it.

use maud::{Markup, html};
use sultan_domain::{Jewel, PlayerColour};

/// A drawing of the sprite. It is hidden from screen readers: the text beside it has the same meaning.
pub(crate) fn draw(name: &str, class: &str) -> Markup {
    html! { svg class=(class) aria-hidden="true" { use href=(format!("#{name}")) {} } }
}

/// The pattern of the site: behind a page (`girih`), or on a carpet (`weave`).
pub(crate) fn ornament(class: &str) -> Markup {
    html! { svg class=(class) aria-hidden="true" { rect width="100%" height="100%" fill="url(#g-girih)" {} } }
}

/// The drawing of a jewel.
pub(crate) fn jewel(jewel: Jewel) -> Markup {
    draw(&format!("jewel-{}", jewel.letter().to_ascii_lowercase()), "jewel")
}

/// The name of a player's colour in the style sheet.
pub(crate) const fn colour(colour: PlayerColour) -> &'static str {
    colour.name()
}

/// The emblem of a player's colour.
pub(crate) fn emblem(of: PlayerColour) -> Markup {
    draw(&format!("emblem-{}", of.name()), "emblem")
}
