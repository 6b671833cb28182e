//! The rules page: short texts, pictures, and every number from the code.
//!
//! The page has a section for each topic, to which links can refer by its anchor. `play` has the sections about the
//! course of the game, `scoring` about its end, `background` about hidden information, unclear rules, this site and
//! fair chance. `pictures` and `tables` are parts of these sections.

mod background;
mod pictures;
mod play;
mod scoring;
mod tables;

use maud::{Markup, html};
use sultan_domain::{Jewel, Parameters, Players};
use sultan_text::Text;

use super::art::{draw, draw_jewel};
use super::layout::{Page, page};
use crate::display::DisplaySettings;

/// The whole page.
pub(crate) fn rules(display: &DisplaySettings) -> Markup {
    let text = display.text;
    let parts = parts(text);
    let body = html! {
        main #main .page.rules {
            header.rules-head {
                h1 { (text.say("rules-title")) }
                p.lead { (text.say("rules-lead")) }
                div.gems aria-hidden="true" { @for jewel in Jewel::ALL { (draw_jewel(jewel)) } }
                p { a.btn href="/learn" { (text.say("rules-learn")) } }
            }
            section.panel.part aria-labelledby="short" {
                h2 #short { (draw("star", "mark")) (text.say("rules-short")) }
                (play::summary(text))
            }
            nav.panel.contents aria-labelledby="contents" {
                h2 #contents { (text.say("rules-contents")) }
                ol { @for (anchor, title, _) in &parts { li { a href=(format!("#{anchor}")) { (text.say(title)) } } } }
            }
            @for (anchor, title, content) in &parts {
                section.panel.part id=(anchor) {
                    h2 { (draw("star", "mark")) (text.say(title)) }
                    (content)
                }
            }
            p.onward { a.btn.key href="/learn" { (text.say("rules-learn")) } }
        }
    };
    page(display, &Page::new("rules-page", &text.say("rules-title"), text.say("rules-about"), body))
}

/// The sections of the page: the anchor, the key of the title, and the content of each.
fn parts(text: Text) -> [(&'static str, &'static str, Markup); 11] {
    [
        ("aim", "rules-aim", play::aim(text)),
        ("material", "rules-material", play::material(text)),
        ("setup", "rules-setup", play::setup(text)),
        ("round", "rules-round", play::round(text)),
        ("two", "rules-two", play::two_players(text)),
        ("end", "rules-end", scoring::end(text)),
        ("example", "rules-example", scoring::example(text)),
        ("knowledge", "rules-know", background::knowledge(text)),
        ("faq", "rules-faq", background::faq(text)),
        ("here", "rules-here", background::site_options(text)),
        ("fair", "rules-fair", background::fair_chance(text)),
    ]
}

/// The parameters (numbers of cards, cushions, rounds and so on) of a game with this number of players.
fn parameters_for(players: u8) -> Parameters {
    Parameters::of(Players::new(players).expect("called with 2 to 5 only"))
}

/// The smallest number of players without special rules. Games of two players have special rules.
const FEWEST_USUAL_PLAYERS: u8 = 3;
/// The number of players for which a game has fewer cushions than usual.
const FEWER_CUSHIONS_PLAYERS: u8 = 3;
/// The number of players in texts and examples that name no number of players.
const DEFAULT_PLAYERS: u8 = Players::MAX;
