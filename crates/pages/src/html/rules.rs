//! The rules page: short texts, pictures, and every number from the code.
//!
//! Each part is a section with an anchor: `play` is the game itself, `scoring` its end, `background` everything about
//! information, disputed rules, this site and chance. `pictures` and `tables` are parts of these sections.

mod background;
mod pictures;
mod play;
mod scoring;
mod tables;

use maud::{Markup, html};
use sultan_domain::{Jewel, Parameters, Players};
use sultan_text::Text;

use super::art::{draw, jewel};
use super::layout::{Page, page};
use crate::display::DisplaySettings;

/// The whole page.
pub(crate) fn rules(display: &DisplaySettings) -> Markup {
    let text = display.text;
    let parts = parts(text);
    let body = html! {
        main #main .page.rules {
            (head(text))
            nav.panel.contents aria-labelledby="contents" {
                h2 #contents { (text.say("rules-contents")) }
                ol { @for part in &parts { li { a href=(format!("#{}", part.anchor)) { (part.title) } } } }
            }
            @for part in &parts {
                section.panel.part id=(part.anchor) {
                    h2 { (draw("star", "mark")) (part.title) }
                    (part.body)
                }
            }
            p.onward { a.btn.key href="/learn" { (text.say("rules-learn")) } }
        }
    };
    page(display, &Page::new("rules-page", &text.say("rules-title"), text.say("rules-about"), body))
}

/// A section of the rules.
struct Part {
    anchor: &'static str,
    title: String,
    body: Markup,
}

fn parts(text: Text) -> [Part; 11] {
    let part = |anchor, title, body| Part { anchor, title, body };
    [
        part("aim", text.say("rules-aim"), play::aim(text)),
        part("material", text.say("rules-material"), play::material(text)),
        part("setup", text.say("rules-setup"), play::setup(text)),
        part("round", text.say("rules-round"), play::round(text)),
        part("two", text.say("rules-two"), play::two(text)),
        part("end", text.say("rules-end"), scoring::end(text)),
        part("example", text.say("rules-example"), scoring::example(text)),
        part("knowledge", text.say("rules-know"), background::knowledge(text)),
        part("faq", text.say("rules-faq"), background::faq(text)),
        part("here", text.say("rules-here"), background::here(text)),
        part("fair", text.say("rules-fair"), background::fair(text)),
    ]
}

fn head(text: Text) -> Markup {
    html! {
        header.rules-head {
            h1 { (text.say("rules-title")) }
            p.lead { (text.say("rules-lead")) }
            div.gems aria-hidden="true" { @for one in Jewel::ALL { (jewel(one)) } }
            p { a.btn href="/learn" { (text.say("rules-learn")) } }
        }
    }
}

/// The parameters for this number of players.
fn parameters_of(players: u8) -> Parameters {
    Parameters::of(Players::new(players).expect("called with 2 to 5 only"))
}

/// The smallest number of players without special rules: games of two have their own.
const FEWEST_USUAL_PLAYERS: u8 = 3;
/// The number of players with fewer cushions.
const FEWER_CUSHIONS_PLAYERS: u8 = 3;
/// The number of players in texts and examples that do not name another.
const DEFAULT_PLAYERS: u8 = Players::MOST;
