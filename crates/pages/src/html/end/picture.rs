//! The picture of a result, to share: an SVG with the winner, and the jewels and points of all players.
//!
//! It stands alone, so it has no style sheet and its own copy of the drawings.

use maud::{Markup, PreEscaped, html};
use sultan_domain::{Jewel, Outcome, Place, PlayerColour};
use sultan_text::short_names;

use crate::html::art::{drawing_name, sprite_parts};
use crate::html::table::PageContext;

/// The size of the picture in pixels, which is the usual size of link previews.
const SIZE: [u32; 2] = [1200, 630];
/// The height of the area with the rows of the players, which is centred.
const ROWS_HEIGHT: u32 = 540;
/// The longest name that fits, in characters.
const MAX_NAME: usize = 14;

/// The picture; `None` if the game has no result, because all players have left.
pub(crate) fn result_picture(context: PageContext<'_>) -> Option<Markup> {
    let places = context.view().outcome.as_ref().map(Outcome::by_rank)?;
    let row_height = (ROWS_HEIGHT / u32::try_from(places.len()).ok()?).min(120);
    let first_row = (SIZE[1] - row_height * u32::try_from(places.len()).ok()?) / 2;
    let emblems = places.iter().map(|place| format!("emblem-{}", context.person(place.seat).colour.name()));
    let jewels = Jewel::ALL.map(|jewel| drawing_name(jewel).concat());
    let symbols: Vec<String> = emblems.chain(jewels).chain(["crown".to_owned()]).collect();
    Some(html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(SIZE[0]) height=(SIZE[1]) viewBox=(format!("0 0 {} {}", SIZE[0], SIZE[1]))
            font-family="Palatino, 'Palatino Linotype', 'DejaVu Serif', Georgia, serif" {
            title { (context.title()) }
            (PreEscaped(sprite_parts(&symbols)))
            radialGradient #g-carpet cx=".3" cy=".4" r=".9" { stop stop-color="#24399a" {} stop offset="1" stop-color="#0e1850" {} }
            rect width="100%" height="100%" fill="url(#g-carpet)" {}
            rect x="14" y="14" width="1172" height="602" rx="28" fill="none" stroke="#c9993c" stroke-width="4" {}
            (winners(context, &places))
            @for (place, number) in places.iter().zip(0..) {
                g transform=(format!("translate(450 {})", first_row + number * row_height)) { (row(context, place, row_height)) }
            }
        }
    })
}

/// A drawing of the sprite.
fn drawing(name: &str, [x, y]: [u32; 2], size: u32) -> Markup {
    // The macro cannot write this element, because its name is a keyword.
    PreEscaped(format!("<use href=\"#{name}\" x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\"/>"))
}

/// The name of a player, shortened if it is too long.
fn short_name(context: PageContext<'_>, place: &Place) -> String {
    short_names(&context.text.players(context.playing), MAX_NAME).swap_remove(place.seat.index())
}

/// The left half: the crown, and the names and points of the winners.
fn winners(context: PageContext<'_>, places: &[Place]) -> Markup {
    let winners: Vec<&Place> = places.iter().filter(|place| place.rank == 1).collect();
    let first_place = places.first().copied().unwrap_or_default();
    let values = [("points", first_place.points.into()), ("jewels", first_place.count.into())];
    let (title, size) = if winners.len() == 1 { ("end-treasurer", 46) } else { ("end-treasurers", 36) };
    let last_name = 360 + size * u32::try_from(winners.len()).unwrap_or_default();
    html! {
        g text-anchor="middle" fill="#fdf3da" {
            (drawing("crown", [130, 60], 200))
            text x="230" y="315" font-size="24" fill="#ffe08a" { (context.say(title)) }
            @for (place, number) in winners.iter().zip(1..) {
                text x="230" y=(350 + size * number) font-size=(size) font-weight="600" { (short_name(context, place)) }
            }
            text x="230" y=(last_name + 30) font-size="22" fill="#cfd6f5" { (context.with("end-points-with", &values)) }
            text x="230" y="590" font-size="26" fill="#e9c46a" { "Sultan" }
        }
    }
}

/// The row of a player: rank, name, the number of jewels of each colour, points.
fn row(context: PageContext<'_>, place: &Place, height: u32) -> Markup {
    let colour = context.person(place.seat).colour;
    let middle = height / 2;
    let frame = if place.rank == 1 { "#f3d382" } else { "#7382c4" };
    html! {
        rect y="5" width="710" height=(height - 10) rx="16" fill="#fff" fill-opacity=".07" stroke=(frame) stroke-width="2" {}
        text x="18" y=(middle + 11) font-size="30" fill="#f3d382" { (place.rank) "." }
        circle cx="88" cy=(middle) r="26" fill=(fill(colour)) stroke="#f6dfa4" {}
        g color="#fff8e4" { (drawing(&format!("emblem-{}", colour.name()), [72, middle - 16], 32)) }
        // The inner SVG cuts off a name of wide characters.
        svg x="126" width="230" height=(height) {
            text y=(middle + 10) font-size="28" fill="#fdf3da" { (short_name(context, place)) }
        }
        @for (jewel, x) in Jewel::ALL.into_iter().zip((362..).step_by(54)) {
            @let count = place.jewels.count(jewel);
            g opacity=[(count == 0).then_some(".35")] {
                (drawing(&drawing_name(jewel).concat(), [x, middle - 14], 28))
                text x=(x + 31) y=(middle + 8) font-size="22" fill="#cfd6f5" { (count) }
            }
        }
        text x="694" y=(middle + 13) font-size="38" font-weight="600" text-anchor="end" fill="#f3d382" { (place.points) }
    }
}

/// The colour of a player's cards, as in the style sheet.
const fn fill(colour: PlayerColour) -> &'static str {
    match colour {
        PlayerColour::Violet => "#7447c9",
        PlayerColour::Gold => "#b37d0e",
        PlayerColour::Green => "#1f8f50",
        PlayerColour::Red => "#c62a40",
        PlayerColour::Blue => "#2a72d4",
    }
}
