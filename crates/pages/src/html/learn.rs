//! The page before a guided first game: a description, and a button that starts the game.

use maud::{Markup, html};
use sultan_domain::SeatPlan;
use sultan_table::{NewPlayer, NewTable};

use super::art::draw;
use super::bots::portrait;
use super::layout::{Page, page};
use crate::display::DisplaySettings;

/// The whole page.
pub(crate) fn learn(display: &DisplaySettings) -> Markup {
    let text = display.text;
    // The page shows the bots of the game that its button opens.
    let bot_level = |plan| if let SeatPlan::Bot(level) = plan { Some(level) } else { None };
    let bots: Vec<String> = NewTable::guided(NewPlayer::default()).seats.into_iter().filter_map(bot_level).collect();
    let body = html! {
        main #main .page.learn {
            section.panel {
                h1 { (text.say("learn-title")) }
                p.lead { (text.say("learn-lead")) }
                ol.will {
                    li { div.pic aria-hidden="true" { @for bot in &bots { (portrait(bot)) } } p { (text.with("learn-table", &[("count", bots.len().into())])) } }
                    li { div.pic aria-hidden="true" { (draw("icon-rules", "portrait")) } p { (text.say("learn-helper")) } }
                    li { div.pic aria-hidden="true" { (draw("crown", "portrait")) } p { (text.say("learn-end")) } }
                }
                form method="post" action="/learn" { button.btn.key.wide type="submit" { (text.say("learn-begin")) } }
                p.soft { (text.say("learn-fixed")) " " a href="/rules#fair" { (text.say("learn-fair")) } }
                p { a href="/rules" { (text.say("learn-rules")) } }
            }
        }
    };
    page(display, &Page::new("learn-page", &text.say("learn-title"), text.say("learn-lead"), body))
}
