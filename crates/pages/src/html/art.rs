//! SVG drawings by name. Each page contains all drawings once, as the symbols of a sprite; a drawing refers to its
//! symbol.

use maud::{Markup, Render, html};
use sultan_domain::{Jewel, PlayerColour};

use crate::assets::SPRITE;

/// A drawing of the sprite. It is hidden from screen readers, because the text beside it has the same meaning.
///
/// The page of a table has more than a hundred drawings, so they are rendered without intermediate strings.
pub(crate) struct Drawing<'a> {
    /// The name of the symbol, in two parts that are joined when it is rendered.
    name: [&'a str; 2],
    class: &'a str,
}

impl Render for Drawing<'_> {
    fn render_to(&self, html: &mut String) {
        html.push_str("<svg class=\"");
        self.class.render_to(html);
        html.push_str("\" aria-hidden=\"true\"><use href=\"#");
        self.name.iter().for_each(|part| part.render_to(html));
        html.push_str("\"/></svg>");
    }
}

/// The drawing with this name.
pub(crate) const fn draw<'a>(name: &'a str, class: &'a str) -> Drawing<'a> {
    Drawing { name: [name, ""], class }
}

/// The ornamental pattern of the site, with the class `girih` behind a page or `weave` on a carpet.
pub(crate) fn ornament(class: &str) -> Markup {
    html! { svg class=(class) aria-hidden="true" { rect width="100%" height="100%" fill="url(#g-girih)" {} } }
}

/// The name of a jewel's drawing, in two parts.
pub(crate) const fn drawing_name(jewel: Jewel) -> [&'static str; 2] {
    let letter = match jewel {
        Jewel::White => "w",
        Jewel::Red => "r",
        Jewel::Yellow => "y",
        Jewel::Green => "g",
        Jewel::Blue => "b",
    };
    ["jewel-", letter]
}

/// The drawing of a jewel.
pub(crate) const fn draw_jewel(jewel: Jewel) -> Drawing<'static> {
    Drawing { name: drawing_name(jewel), class: "jewel" }
}

/// The parts of the sprite that a picture outside of a page needs: the gradients, and the symbols with these names.
pub(crate) fn sprite_parts(names: &[String]) -> String {
    const GRADIENTS_END: &str = "</defs>";
    const SYMBOL_END: &str = "</symbol>";
    let between = |start: &str, end: &str| {
        let from = SPRITE.find(start).map(|index| &SPRITE[index..]).unwrap_or_default();
        from.find(end).map(|index| &from[..index + end.len()]).unwrap_or_default()
    };
    let symbols = names.iter().map(|name| between(&format!("<symbol id=\"{name}\""), SYMBOL_END));
    std::iter::once(between("<defs>", GRADIENTS_END)).chain(symbols).collect()
}

/// The emblem of a player's colour.
pub(crate) const fn emblem(colour: PlayerColour) -> Drawing<'static> {
    Drawing { name: ["emblem-", colour.name()], class: "emblem" }
}
