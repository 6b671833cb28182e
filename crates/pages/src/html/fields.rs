//! Parts of forms: a strip of choices, a line of text, what was refused.

use maud::{Markup, html};
use sultan_domain::{PlayerColour, Screens, TableId, Variant};
use sultan_text::Text;

use super::art::{colour, emblem};
use crate::post::RejectedForm;

/// What stands in a form's fields: what was typed, if it was this form that was refused; else what is usual.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a>(Option<&'a RejectedForm>);

impl<'a> Values<'a> {
    pub(crate) fn of(form: &str, typed: Option<&'a RejectedForm>) -> Self {
        Self(typed.filter(|typed| typed.form == form))
    }

    pub(crate) fn get(self, name: &str, usual: &'a str) -> &'a str {
        match self.0.map(|typed| typed.fields.get(name)) {
            Some(value) if !value.is_empty() => value,
            Some(_) | None => usual,
        }
    }

    /// What was typed, even where that is nothing.
    pub(crate) fn exactly(self, name: &str, usual: &'a str) -> &'a str {
        self.0.map_or(usual, |typed| typed.fields.get(name))
    }

    /// Whether this form was sent and refused.
    pub(crate) fn is_refused(self) -> bool {
        self.0.is_some()
    }

    /// Why it was refused: what the page shows first, also where it is long.
    pub(crate) fn refusal(self) -> Markup {
        html! { @if let Some(typed) = self.0 { p.refusal role="alert" tabindex="-1" autofocus { (typed.sentence) } } }
    }
}

/// A strip of choices, of which one holds.
pub(crate) fn strip(legend: &str, name: &str, choices: &[(&str, String)], chosen: &str) -> Markup {
    html! {
        fieldset {
            legend.legend { (legend) }
            div.seg {
                @for (value, label) in choices {
                    label { input type="radio" name=(name) value=(value) checked[*value == chosen]; span { (label) } }
                }
            }
        }
    }
}

/// How many of something, as a strip.
pub(crate) fn numbers(legend: &str, name: &str, numbers: &[&'static str], chosen: &str) -> Markup {
    let choices: Vec<_> = numbers.iter().map(|&number| (number, number.to_owned())).collect();
    strip(legend, name, &choices, chosen)
}

/// The own name.
pub(crate) fn name(text: Text, value: &str) -> Markup {
    html! {
        label.field { span { (text.say("home-your-name")) }
            input.input type="text" name="name" value=(value) maxlength="40" autocomplete="nickname";
        }
    }
}

/// What a player adds to chance; the script thinks of something where nothing is typed.
pub(crate) fn lucky_word(text: Text, value: &str) -> Markup {
    html! {
        label.field { span { (text.say("home-lucky-word")) }
            input.input type="text" name="client_seed" value=(value) maxlength="60" autocomplete="off";
            small.soft { (text.say("home-lucky-word-hint")) }
        }
    }
}

/// Whether won jewels are hidden.
pub(crate) fn screens(text: Text, chosen: &str) -> Markup {
    let choices = [("closed", text.say("home-screens-closed")), ("open", text.say("home-screens-open"))];
    html! {
        (strip(&text.say("home-screens"), "screens", &choices, chosen))
        p.soft.small { (text.say("home-screens-hint")) }
    }
}

/// Which game is played, the published one or a shorter one.
pub(crate) fn game(text: Text, chosen: &str) -> Markup {
    let choices = Variant::OFFERED.map(|(name, _)| (name, text.game(name)));
    html! {
        (strip(&text.say("home-game"), "game", &choices, chosen))
        p.soft.small { (text.say("home-game-hint")) }
    }
}

/// What the form says about the screens.
pub(crate) fn screens_said(value: &str) -> Screens {
    if value == "open" { Screens::Open } else { Screens::Closed }
}

/// How long a player may think, in the words of the strip.
pub(crate) fn seconds(text: Text, seconds: u32) -> String {
    match seconds {
        60.. if seconds.is_multiple_of(60) => text.with("home-time-minutes", &[("minutes", (seconds / 60).into())]),
        _ => text.with("home-time-seconds", &[("seconds", seconds.into())]),
    }
}

/// Choosing a colour by its emblem; `taken` are other people's.
pub(crate) fn colours(text: Text, taken: &[PlayerColour], chosen: Option<PlayerColour>) -> Markup {
    html! {
        fieldset {
            legend.legend { (text.say("lobby-your-colour")) }
            div.pick.colours {
                @for one in PlayerColour::ALL {
                    label data-colour=(colour(one)) {
                        input type="radio" name="colour" value=(colour(one)) checked[chosen == Some(one)]
                            disabled[taken.contains(&one)];
                        span.badge { (emblem(one)) } span { (text.colour(one)) }
                        @if taken.contains(&one) { span.visually-hidden { (text.say("lobby-colour-taken")) } }
                    }
                }
            }
        }
    }
}

/// The colour that a form names.
pub(crate) fn colour_said(name: &str) -> Option<PlayerColour> {
    PlayerColour::ALL.into_iter().find(|one| colour(*one) == name)
}

/// A table's name as it is read out: three groups of four signs.
pub(crate) fn code(table: TableId) -> String {
    let signs = table.to_string().to_uppercase();
    let groups: Vec<_> = signs.as_bytes().chunks(4).map(String::from_utf8_lossy).collect();
    groups.join(" ")
}

/// Whether players may ask a coach.
pub(crate) fn coach(text: Text, said: &str) -> Markup {
    html! {
        label.tick {
            input type="checkbox" name="coach" value="yes" checked[said == "yes"];
            span { (text.say("coach-title")) small.soft { (text.say("coach-hint")) } }
        }
    }
}
