//! Parts of forms: rows of choices, text fields, the reason of a rejection.

use maud::{Markup, html};
use sultan_domain::{PlayerColour, TableId, Variant};
use sultan_text::Text;

use super::art::emblem;
use crate::post::RejectedForm;

/// The values of a form's fields: the submitted values if this form was rejected, else the defaults.
#[derive(Clone, Copy)]
pub(crate) struct FormValues<'a>(Option<&'a RejectedForm>);

impl<'a> FormValues<'a> {
    /// The values of the form with this name. `rejected` may be another form of the page.
    pub(crate) fn of(form: &str, rejected: Option<&'a RejectedForm>) -> Self {
        Self(rejected.filter(|rejected| rejected.form == form))
    }

    /// The submitted value, or the default if the value is missing or empty.
    pub(crate) fn get(self, name: &str, default: &'a str) -> &'a str {
        match self.0.map(|rejected| rejected.fields.get(name)) {
            Some(value) if !value.is_empty() => value,
            Some(_) | None => default,
        }
    }

    /// The submitted value, even if it is empty, or the default if this form was not submitted.
    pub(crate) fn submitted_or(self, name: &str, default: &'a str) -> &'a str {
        self.0.map_or(default, |rejected| rejected.fields.get(name))
    }

    /// Returns whether this form was submitted and rejected.
    pub(crate) fn is_rejected(self) -> bool {
        self.0.is_some()
    }

    /// The reason of the rejection. It takes the focus, so that a long page scrolls to it.
    pub(crate) fn rejection(self) -> Markup {
        html! { @if let Some(rejected) = self.0 { p.refusal role="alert" tabindex="-1" autofocus { (rejected.sentence) } } }
    }
}

/// A row of radio buttons. Each of the `choices` is a value and its label.
pub(crate) fn radio_row(legend: &str, name: &str, choices: &[(&str, String)], chosen: &str) -> Markup {
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

/// A row of radio buttons with numbers.
pub(crate) fn number_row(legend: &str, name: &str, numbers: &[&'static str], chosen: &str) -> Markup {
    let choices: Vec<_> = numbers.iter().map(|&number| (number, number.to_owned())).collect();
    radio_row(legend, name, &choices, chosen)
}

/// The field for the player's name.
pub(crate) fn name_field(text: Text, value: &str) -> Markup {
    html! {
        label.field { span { (text.say("home-your-name")) }
            input.input type="text" name="name" value=(value) maxlength="40" autocomplete="nickname";
        }
    }
}

/// The field for the player's client seed, which contributes to the shuffle. If it stays empty, the script generates
/// one.
pub(crate) fn lucky_word_field(text: Text, value: &str) -> Markup {
    html! {
        label.field { span { (text.say("home-lucky-word")) }
            input.input type="text" name="client_seed" value=(value) maxlength="60" autocomplete="off";
            small.soft { (text.say("home-lucky-word-hint")) }
        }
    }
}

/// The choice of open or closed screens. Closed screens hide the jewels that players have won.
pub(crate) fn screens_field(text: Text, chosen: &str) -> Markup {
    let choices = [("closed", text.say("home-screens-closed")), ("open", text.say("home-screens-open"))];
    html! {
        (radio_row(&text.say("home-screens"), "screens", &choices, chosen))
        p.soft.small { (text.say("home-screens-hint")) }
    }
}

/// The choice of the variant: the published game or a shorter one.
pub(crate) fn game_field(text: Text, chosen: &str) -> Markup {
    let choices = Variant::OFFERED.map(|(name, _)| (name, text.game(name)));
    html! {
        (radio_row(&text.say("home-game"), "game", &choices, chosen))
        @for (_, variant) in Variant::OFFERED {
            @if let Some(about) = text.about_variant(&variant) { p.soft.small { (about) } }
        }
    }
}

/// The choice of a colour by its emblem. The colours in `taken` belong to other people and cannot be chosen.
pub(crate) fn colour_field(text: Text, taken: &[PlayerColour], chosen: Option<PlayerColour>) -> Markup {
    html! {
        fieldset {
            legend.legend { (text.say("lobby-your-colour")) }
            div.pick.colours {
                @for colour in PlayerColour::ALL {
                    label data-colour=(colour.name()) {
                        input type="radio" name="colour" value=(colour.name()) checked[chosen == Some(colour)]
                            disabled[taken.contains(&colour)];
                        span.badge { (emblem(colour)) } span { (text.colour(colour)) }
                        @if taken.contains(&colour) { span.visually-hidden { (text.say("lobby-colour-taken")) } }
                    }
                }
            }
        }
    }
}

/// The colour with this name in forms; `None` if there is no such colour.
pub(crate) fn parse_colour(name: &str) -> Option<PlayerColour> {
    PlayerColour::ALL.into_iter().find(|colour| colour.name() == name)
}

/// A table's id for reading aloud: three groups of four characters.
pub(crate) fn table_code(table: TableId) -> String {
    let characters = table.to_string().to_uppercase();
    let groups: Vec<_> = characters.as_bytes().chunks(4).map(String::from_utf8_lossy).collect();
    groups.join(" ")
}

/// The choice whether the table has a coach that gives advice to players.
pub(crate) fn coach_field(text: Text, chosen: &str) -> Markup {
    html! {
        label.tick {
            input type="checkbox" name="coach" value="yes" checked[chosen == "yes"];
            span { (text.say("coach-title")) small.soft { (text.say("coach-hint")) } }
        }
    }
}
