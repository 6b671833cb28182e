//! Analyses and hints in words. `chart` draws the winning chances.

mod chart;
mod reason;
mod tables;
mod verdict;

use sultan_domain::{Action, Cushion, Decision, Drawn, Hint, Jewel, Offer, OptionValue};

use crate::{Lang, Text, Value};

pub use chart::{ChanceChart, ChartSize, chart_colour};
use reason::Compared;

/// A loss or a probability below this is described as negligible.
const NEGLIGIBLE_SHARE: f64 = 0.005;
/// An option that the strong bot chooses less often than this is described as hardly ever played.
const RARE_SHARE: f64 = 0.05;

impl Text {
    /// A share as a percentage with `digits` decimal places, as in “62 %”.
    #[must_use]
    pub fn percent(self, share: f64, digits: usize) -> String {
        self.localized_percent(&format!("{:.digits$}", 100.0 * share))
    }

    /// Like [`Text::percent`] with a plus or minus sign, for differences.
    #[must_use]
    pub(crate) fn signed_percent(self, share: f64, digits: usize) -> String {
        self.localized_percent(&format!("{:+.digits$}", 100.0 * share))
    }

    /// Writes a number such as `-3.0` as a percentage: with the language's decimal mark and percent sign, and without a
    /// sign before zero.
    fn localized_percent(self, number: &str) -> String {
        let is_zero = !number.contains(|character| matches!(character, '1'..='9'));
        let number = if is_zero { number.trim_start_matches(['-', '+']) } else { number };
        let number = number.replace('-', "−");
        let number = if self.lang() == Lang::En { number } else { number.replace('.', ",") };
        self.with("analysis-percent", &[("number", number.into())])
    }

    /// A jewel as the object of a verb, as in “takes the white jewel”.
    #[must_use]
    pub fn jewel_as_object(self, jewel: Jewel) -> String {
        self.say(&format!("taken-{}", jewel.name()))
    }

    /// The jewel of a cushion as the object of a verb. If the offer has several jewels of its colour, the cushion is
    /// named too, as in “takes the white jewel on cushion 2”.
    fn jewel_on_cushion(self, jewel: Jewel, cushion: Cushion, offer: Offer) -> String {
        let name = self.jewel_as_object(jewel);
        if offer.jewels().count(jewel) < 2 {
            return name;
        }
        self.with("taken-on-cushion", &[("jewel", name.into()), ("cushion", cushion.number().into())])
    }

    /// An action in a few words, as in “12 for the white jewel”. `drawn` and `offer` are the jewels of the round.
    #[must_use]
    pub fn action(self, action: Action, drawn: Drawn, offer: Option<Offer>) -> String {
        match action {
            Action::Bid { card, cushion } => {
                let card = ("card", card.value().into());
                match offer.and_then(|offer| Some((offer, offer.jewel_on(cushion)?))) {
                    Some((offer, jewel)) => self
                        .with("analysis-bid", &[card, ("jewel", self.jewel_on_cushion(jewel, cushion, offer).into())]),
                    None => self.with("analysis-bid-unknown", &[card, ("cushion", cushion.number().into())]),
                }
            }
            // An offer is described by the drawn jewel that is put back into the pouch.
            Action::Offer(offer) => {
                let put_back = drawn.put_back(offer.jewels()).unwrap_or_default();
                self.with("analysis-offer", &[("jewel", self.jewel_as_object(put_back).into())])
            }
        }
    }

    /// The action that the player chose, as in “12 for the white jewel”.
    pub(crate) fn chosen_action(self, decision: &Decision) -> String {
        self.action(decision.action, decision.drawn, decision.offer)
    }

    /// The loss of a decision, as in “3.2 % winning chance lost (± 0.4 %)”.
    #[must_use]
    pub fn loss(self, decision: &Decision) -> String {
        let (loss, error) = (self.percent(decision.loss, 1), self.percent(decision.gap.error, 1));
        self.with("analysis-lost", &[("loss", loss.into()), ("error", error.into())])
    }

    /// The coach's advice before an action: the best action, the best alternative, and the reason for the best action
    /// if one is known.
    #[must_use]
    pub fn hint(self, hint: &Hint, drawn: Drawn, offer: Option<Offer>, names: &[String]) -> Vec<String> {
        let Some(best) = hint.options.get(hint.best) else { return Vec::new() };
        // Two variables of a message: an action, and the share in which the strong bot plays it.
        let action_and_share = |option: &OptionValue| {
            let share = self.percent(option.share, 0);
            [("action", self.action(option.action, drawn, offer).into()), ("share", share.into())]
        };
        let (win, error) = (self.percent(best.win.value, 0), self.percent(best.win.error, 1));
        let chance_to_win = [("win", win.into()), ("error", error.into())];
        let mut sentences = vec![self.with("hint-best", &[action_and_share(best), chance_to_win].concat())];
        sentences.push(match hint.instead.and_then(|index| hint.options.get(index)) {
            None => self.say("hint-alone"),
            Some(alternative) => {
                let loss = best.win.value - alternative.win.value;
                let (is_rare, is_loss_negligible) = (alternative.share < RARE_SHARE, loss < NEGLIGIBLE_SHARE);
                let key = match (is_rare, is_loss_negligible) {
                    (false, false) => "hint-instead",
                    (false, true) => "hint-instead-even",
                    (true, false) => "hint-next",
                    (true, true) => "hint-next-even",
                };
                #[expect(clippy::cast_possible_truncation, reason = "a loss is at most 100 percentage points")]
                let percentage_points = Value::Number((100.0 * loss).round() as i64);
                self.with(key, &[&action_and_share(alternative)[..], &[("loss", percentage_points)]].concat())
            }
        });
        // The reason follows the comparison, because it explains why the alternative is worse.
        let alternative = hint.instead.and_then(|index| hint.options.get(index));
        if let (Some(reason), Some(alternative)) = (&hint.reason, alternative) {
            let compared = Compared { offer, worse: alternative.action, better: best.action };
            sentences.push(self.reason(reason, compared, names));
        }
        sentences
    }
}

#[cfg(test)]
mod tests;
