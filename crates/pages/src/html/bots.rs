//! The choice of a bot level, with portraits and descriptions.

use maud::{Markup, Render, html};
use sultan_table::Level;
use sultan_text::Text;

use super::art::draw;

/// The portrait of a bot level.
pub(crate) fn portrait(bot: &str) -> Markup {
    draw(&format!("level-{bot}"), "portrait").render()
}

/// The choice of one bot level by its portrait. The style sheet shows only the description of the chosen level. `id` is
/// the prefix of the descriptions' ids.
pub(crate) fn levels(text: Text, legend: &str, id: &str, chosen: &str) -> Markup {
    html! {
        fieldset.rivals {
            legend.legend { (legend) }
            div.pick.levels {
                @for bot in Level::on_pages() {
                    label {
                        input type="radio" name="level" value=(bot) checked[bot == chosen]
                            aria-describedby=(format!("{id}-{bot}"));
                        (portrait(bot)) span { (text.bot(bot)) }
                    }
                }
            }
            div.characters {
                @for bot in Level::on_pages() { p.soft id=(format!("{id}-{bot}")) { (text.bot_character(bot)) } }
            }
        }
    }
}

/// The bot levels as the options of a `select` element.
pub(crate) fn options(text: Text, chosen: &str) -> Markup {
    html! {
        @for bot in Level::on_pages() { option value=(bot) selected[bot == chosen] { (text.bot(bot)) } }
    }
}

#[cfg(test)]
mod tests {
    use sultan_text::Lang;

    use super::*;

    #[test]
    fn every_offered_level_has_a_name_and_a_character_in_every_language() {
        for (lang, level) in Lang::ALL.into_iter().flat_map(|lang| Level::in_terminal().map(move |level| (lang, level)))
        {
            let text = Text::of(lang);
            // For a level that is missing in the catalogue, `text.bot` returns the level itself.
            assert!(text.bot(level) != level && !text.bot_character(level).is_empty(), "{level} in {lang:?}");
        }
    }

    #[test]
    fn every_level_is_offered_once_and_the_chosen_one_is_marked() {
        for chosen in Level::on_pages() {
            let text = Text::of(Lang::En);
            for (html, attribute) in [(options(text, chosen), "selected"), (levels(text, "", "x", chosen), "checked")] {
                let html = html.into_string();
                let values: Vec<&str> =
                    html.split("value=\"").skip(1).map(|value| value.split('"').next().unwrap()).collect();
                assert!(Level::on_pages().eq(values));
                assert_eq!(html.matches(&format!(" {attribute}")).count(), 1);
                assert!(html.contains(&format!("value=\"{chosen}\" {attribute}")), "{html}");
            }
        }
    }
}
