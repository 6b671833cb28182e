//! The sections that are not about the course of the game: hidden information, differences between published rules,
//! options of this site, and fair chance.

use maud::{Markup, html};
use sultan_domain::{Jewel, Players};
use sultan_table::Level;
use sultan_text::Text;

use super::{DEFAULT_PLAYERS, parameters_for};
use crate::html::art::draw;
use crate::html::bots::portrait;
use crate::html::layout::items;

/// The visibility table (RULES 7): when each piece of information becomes visible to its player, and to all other
/// players with closed and with open screens.
pub(super) fn knowledge(text: Text) -> Markup {
    let (always, hidden, reveal) = ("rules-know-always", "rules-know-not-shown", "rules-know-reveal");
    // The key of the information, and the keys of the times in the order of the columns.
    let rows = [
        ("rules-know-hand", [always, reveal, reveal]),
        ("rules-know-counts", [always; 3]),
        ("rules-know-placed", ["rules-know-at-once"; 3]),
        ("rules-know-drawn", ["rules-know-next-draw"; 3]),
        ("rules-know-last", ["rules-know-next-round"; 3]),
        ("rules-know-collection", [always, hidden, always]),
        ("rules-know-played", [always, hidden, always]),
        ("rules-know-secret", ["rules-know-never"; 3]),
    ];
    let headings = ["rules-know-fact", "table-you", "rules-know-closed", "rules-know-open"].map(|key| text.say(key));
    html! {
        p { (text.say("rules-know-intro")) }
        table.numbers.known #known {
            thead { tr { @for heading in &headings { th scope="col" { (heading) } } } }
            tbody {
                @for (information, times) in &rows {
                    tr {
                        th scope="row" { (text.say(information)) }
                        @for (time, heading) in times.iter().zip(&headings[1..]) { td data-head=(heading) { (text.say(time)) } }
                    }
                }
            }
        }
        p { (text.say("rules-know-memory")) }
        p { (text.say("rules-know-over")) }
    }
}

/// Questions about rules that editions of the game describe differently.
pub(super) fn faq(text: Text) -> Markup {
    let (usual, two) = (parameters_for(DEFAULT_PLAYERS), parameters_for(Players::MIN));
    let [white, red, yellow, green, blue] = Jewel::ALL.map(|jewel| usual.pouch.count(jewel).into());
    let jewels = [("white", white), ("red", red), ("yellow", yellow), ("green", green), ("blue", blue)];
    let pass = [("count", usual.bids_per_player.into()), ("two", two.bids_per_player.into())];
    // The most jewels that can be won before the last round: one for each cushion in each round.
    let most_won = u32::from(usual.rounds() - 1) * u32::from(usual.cushions);
    let pouch = [("left", (usual.pouch.len() - most_won).into()), ("drawn", usual.draw_size().into())];
    let without_values = [
        ("rules-faq-cushions", "rules-faq-cushions-answer"),
        ("rules-faq-ties", "rules-faq-ties-answer"),
        ("rules-faq-left", "rules-faq-left-answer"),
        ("rules-faq-places", "rules-faq-places-answer"),
    ];
    html! {
        p { (text.say("rules-faq-intro")) }
        dl.questions {
            dt { (text.say("rules-faq-start")) } dd { (text.say("rules-faq-start-answer")) }
            dt { (text.say("rules-faq-pass")) } dd { (text.with("rules-faq-pass-answer", &pass)) }
            dt { (text.say("rules-faq-jewels")) } dd { (text.with("rules-faq-jewels-answer", &jewels)) }
            @for (question, answer) in without_values {
                dt { (text.say(question)) } dd { (text.say(answer)) }
            }
            dt { (text.say("rules-faq-pouch")) } dd { (text.with("rules-faq-pouch-answer", &pouch)) }
            dt { (text.say("rules-faq-cards")) } dd { (text.say("rules-faq-cards-answer")) }
        }
    }
}

/// The options of tables on this site, and the bot levels.
pub(super) fn site_options(text: Text) -> Markup {
    html! {
        dl.questions {
            dt { (text.say("rules-here-choose")) } dd { (text.say("rules-here-choose-text")) }
            dt { (text.say("rules-here-keys")) } dd { (text.say("rules-here-keys-text")) }
            dt { (text.say("home-screens")) } dd { (text.say("rules-here-screens-text")) }
            dt { (text.say("home-even-pace")) } dd { (text.say("rules-here-pace-text")) }
            dt { (text.say("rules-here-away")) } dd { (text.say("rules-here-away-text")) }
            dt { (text.say("rules-here-bots")) } dd { (text.say("rules-here-bots-text")) }
        }
        ul.bots {
            @for level in Level::on_pages() {
                li { (portrait(level)) p { b { (text.bot(level)) } " " (text.bot_character(level)) } }
            }
        }
    }
}

/// The way in which the server shuffles so that players can verify the deal, and the limits of this proof.
pub(super) fn fair_chance(text: Text) -> Markup {
    html! {
        ol.plain { (items(text, &["rules-fair-promise", "rules-fair-seeds", "rules-fair-check"])) }
        div.proof {
            div { h3 { (draw("icon-check", "icon")) (text.say("verify-proves-title")) } p { (text.say("rules-fair-proved-text")) } }
            div { h3 { (draw("icon-eye", "icon")) (text.say("rules-fair-open")) } p { (text.say("rules-fair-open-text")) } }
        }
        p.soft { (text.say("rules-fair-guided")) }
    }
}
