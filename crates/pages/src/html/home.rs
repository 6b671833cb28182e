//! The home page: forms to start a game, lists of tables, and a short description of the game.

mod forms;
pub(crate) mod lists;

use maud::{Markup, html};
use sultan_domain::{Jewel, PlayerColour, PlayingTable};
use sultan_table::OpenTable;

use super::art::{draw, draw_jewel, emblem, ornament};
use super::layout::{Page, page};
use crate::display::DisplaySettings;
use crate::post::RejectedForm;
use crate::remembered::RememberedChoices;
use lists::OwnGame;

/// The data of the home page.
pub(crate) struct Home {
    pub(crate) remembered: RememberedChoices,
    /// The games in which this browser has a seat.
    pub(crate) games: Vec<OwnGame>,
    /// The public tables without a seat of this browser.
    pub(crate) tables: Vec<OpenTable>,
    /// The game that this browser's player has just left, if any.
    pub(crate) left: Option<Box<PlayingTable>>,
    /// The form of the page that was rejected, if any.
    pub(crate) rejected: Option<RejectedForm>,
}

/// The whole page.
pub(crate) fn home(display: &DisplaySettings, home: &Home) -> Markup {
    let text = display.text;
    let (waiting, playing): (Vec<_>, Vec<_>) = home.tables.iter().partition(|table| !table.playing);
    let body = html! {
        main #main {
            (banner(display))
            (ornament("girih"))
            div.page.home {
                div.stack {
                    (lists::left_game(text, home.left.as_deref()))
                    (lists::own_games(text, "games", home.games.iter().filter(|game| lists::is_running(game))))
                    (forms::against_bots(text, home))
                    (lists::own_games(text, "finished-games", home.games.iter().filter(|game| !lists::is_running(game))))
                }
                div.stack {
                    (forms::friends(text, home))
                    (forms::one_device(text, home))
                    (forms::join(text, home))
                    (lists::waiting(text, &waiting))
                    (lists::in_play(text, &playing))
                }
                (about(display))
            }
        }
        (footer(display))
    };
    let title = format!("Sultan · {}", text.say("home-title"));
    page(display, &Page { title, ..Page::new("home-page", "", text.say("home-about"), body) })
}

/// The name of the game and its motto, with a picture.
fn banner(display: &DisplaySettings) -> Markup {
    html! {
        section.hero {
            div.sky aria-hidden="true" {
                @for _ in 0..6 { (draw("star", "star")) }
                (draw("emblem-violet", "moon"))
            }
            (draw("dome", "dome"))
            h1 { "Sultan" }
            p { (display.text.say("home-motto")) }
            div.gems aria-hidden="true" { @for jewel in Jewel::ALL { (draw_jewel(jewel)) } }
        }
    }
}

/// A description of the game in three steps.
fn about(display: &DisplaySettings) -> Markup {
    let text = display.text;
    html! {
        section.panel.span {
            div.rule { (draw("star", "star")) }
            p.what { (text.say("home-what")) }
            ul.steps {
                li { (draw("pouch", "")) h3 { (text.say("home-draw")) } p { (text.say("home-draw-more")) } }
                li {
                    span.back data-colour="red" { (draw("card-back", "ornament")) (emblem(PlayerColour::Red)) }
                    h3 { (text.say("home-bid")) } p { (text.say("home-bid-more")) }
                }
                li { (draw("cushion", "")) h3 { (text.say("home-win")) } p { (text.say("home-win-more")) } }
            }
            p.links {
                a.btn href="/learn" { (draw("icon-person", "icon")) (text.say("learn-title")) }
                a.btn href="/rules" { (draw("icon-rules", "icon")) (text.say("home-rules")) }
            }
        }
    }
}

/// Links to other pages, and a note that the site is unofficial.
fn footer(display: &DisplaySettings) -> Markup {
    let text = display.text;
    html! {
        footer.foot {
            nav aria-label=(text.say("home-links")) {
                a href="/rules" { (text.say("home-rules")) }
                a href="/learn" { (text.say("learn-title")) }
                a href="/replay" { (text.say("record-title")) }
                a href="/rules#fair" { (text.say("home-fair")) }
                a href="/api" { (text.say("home-api")) }
            }
            p.soft { (text.say("home-unofficial")) }
        }
    }
}
