//! The time limit per action: the form field, and the limit in words.

use maud::{Markup, html};
use sultan_text::Text;

use super::fields::{FormValues, radio_row};

/// The value of the choice without a limit.
pub(crate) const NO_LIMIT: &str = "0";
/// The value of the choice whose limit is in two more fields: a number and its unit.
pub(crate) const OWN_LIMIT: &str = "own";
/// The limits that the form offers, in seconds: from half a minute to a day.
const OFFERED: [(&str, u32); 6] =
    [("30", 30), ("60", 60), ("120", 120), ("300", 300), ("3600", 3600), ("86400", 86400)];
/// The units of an own limit, with their length in seconds and the key of their name.
pub(crate) const UNITS: [(&str, u32, &str); 4] = [
    ("seconds", 1, "home-time-in-seconds"),
    ("minutes", 60, "home-time-in-minutes"),
    ("hours", 3600, "home-time-in-hours"),
    ("days", 86400, "home-time-in-days"),
];

/// The choice of a time limit. The style sheet hides the number and its unit unless the own limit is chosen.
pub(crate) fn time_limit_field(text: Text, values: FormValues) -> Markup {
    let mut choices = vec![(NO_LIMIT, text.say("home-time-none"))];
    choices.extend(OFFERED.map(|(value, seconds)| (value, time_limit(text, seconds))));
    choices.push((OWN_LIMIT, text.say("home-time-own")));
    let unit = values.get("time_unit", "minutes");
    html! {
        div.choose-time {
            (radio_row(&text.say("home-time"), "seconds", &choices, values.get("seconds", NO_LIMIT)))
            div.own-time {
                // Not type=number: the browser would reject a wrong number also while the field is hidden.
                input.input type="text" name="time" value=(values.get("time", "")) inputmode="numeric" maxlength="6"
                    autocomplete="off" aria-label=(text.say("home-time"));
                select.input name="time_unit" aria-label=(text.say("home-time-unit")) {
                    @for (value, _, name) in UNITS { option value=(value) selected[value == unit] { (text.say(name)) } }
                }
                small.soft { (text.say("home-time-hint")) }
            }
        }
    }
}

/// A time limit in words, in the largest unit that has no remainder.
pub(crate) fn time_limit(text: Text, seconds: u32) -> String {
    let in_unit = |length: u32| Some(seconds / length).filter(|&number| number > 0 && seconds.is_multiple_of(length));
    if let Some(days) = in_unit(86400) {
        text.with("home-time-days", &[("days", days.into())])
    } else if let Some(hours) = in_unit(3600) {
        text.with("home-time-hours", &[("hours", hours.into())])
    } else if let Some(minutes) = in_unit(60) {
        text.with("home-time-minutes", &[("minutes", minutes.into())])
    } else {
        text.with("home-time-seconds", &[("seconds", seconds.into())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limit_is_in_the_largest_unit_without_a_remainder() {
        for (seconds, words) in [
            (1, "1 s"),
            (60, "1 min"),
            (90, "90 s"),
            (300, "5 min"),
            (3600, "1 h"),
            (5400, "90 min"),
            (86400, "1 day"),
            (604_800, "7 days"),
        ] {
            assert_eq!(time_limit(Text::default(), seconds), words);
        }
    }
}
