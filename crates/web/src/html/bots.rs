//! The bots that people choose among, with their portraits and characters.

use maud::{Markup, html};
use sultan_text::Text;

use super::art::draw;

/// The bots people are offered, the gentlest first.
pub(crate) const LEVELS: [&str; 5] = ["page", "merchant", "jeweller", "vizier", "sultan"];

/// A bot's portrait.
pub(crate) fn portrait(bot: &str) -> Markup {
    draw(&format!("level-{bot}"), "portrait")
}

/// Choosing one bot by its portrait; the chosen one's character stands below.
pub(crate) fn levels(text: Text, legend: &str, id: &str, chosen: &str) -> Markup {
    html! {
        fieldset.rivals {
            legend.legend { (legend) }
            div.pick.levels {
                @for bot in LEVELS {
                    label {
                        input type="radio" name="level" value=(bot) checked[bot == chosen]
                            aria-describedby=(format!("{id}-{bot}"));
                        (portrait(bot)) span { (text.bot(bot)) }
                    }
                }
            }
            div.characters {
                @for bot in LEVELS { p.soft id=(format!("{id}-{bot}")) { (text.bot_character(bot)) } }
            }
        }
    }
}

/// The bots, as the options of a list.
pub(crate) fn options(text: Text, chosen: &str) -> Markup {
    html! {
        @for bot in LEVELS { option value=(bot) selected[bot == chosen] { (text.bot(bot)) } }
    }
}
