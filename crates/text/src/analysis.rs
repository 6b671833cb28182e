//! Analyses and hints in words. `chart` draws the winning chances.

mod chart;
mod tables;

use sultan_domain::{Action, Decision, Drawn, Hint, Jewel, MoneyCard, Offer, OptionValue, Reason, Seat};

use crate::{Lang, Text, Value};

pub use chart::{ChanceChart, ChartSize, chart_colour};

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

    /// An action in a few words, as in “12 for the white jewel”. `drawn` and `offer` are the jewels of the round.
    #[must_use]
    pub fn action(self, action: Action, drawn: Drawn, offer: Option<Offer>) -> String {
        match action {
            Action::Bid { card, cushion } => {
                let card = ("card", card.value().into());
                match offer.and_then(|offer| offer.jewel_on(cushion)) {
                    Some(jewel) => self.with("analysis-bid", &[card, ("jewel", self.jewel_as_object(jewel).into())]),
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
        sentences.extend(hint.reason.as_ref().map(|reason| self.reason(reason, names)));
        sentences
    }

    /// The key of the message for a reason.
    fn reason_key(self, reason: &Reason) -> &'static str {
        // Messages that compare two shares must not show the same percentage twice.
        let are_shown_equal = |share: f64, other: f64| self.percent(share, 0) == self.percent(other, 0);
        match *reason {
            Reason::WastedHighCard { take, better_take, .. } if are_shown_equal(take, better_take) => {
                "reason-wasted-as-often"
            }
            Reason::WastedHighCard { .. } => "reason-wasted-high-card",
            Reason::CardTooLow { .. } => "reason-card-too-low",
            Reason::CostlyDiscard { .. } => "reason-costly-discard",
            Reason::BetterCard { .. } => "reason-better-card",
            // For two jewels of the same colour the message speaks of another cushion.
            Reason::HopelessBid { jewel, better, .. } | Reason::BetterCushion { jewel, better, .. }
                if jewel == better =>
            {
                "reason-same-colour"
            }
            Reason::HopelessBid { take, .. } if take < NEGLIGIBLE_SHARE => "reason-hopeless-never",
            Reason::HopelessBid { .. } => "reason-hopeless-bid",
            // The better cushion may be won less often, but its jewel is worth more.
            Reason::BetterCushion { take, better_take, .. }
                if better_take < take || are_shown_equal(take, better_take) =>
            {
                "reason-better-cushion-worth"
            }
            Reason::BetterCushion { .. } => "reason-better-cushion",
            Reason::CheaperElsewhere { jewel, better, .. } if jewel == better => "reason-cheaper-same-colour",
            Reason::CheaperElsewhere { .. } => "reason-cheaper-elsewhere",
            Reason::MissedSet { .. } => "reason-missed-set",
            Reason::LeftToLeader { .. } => "reason-fed-the-leader",
            Reason::PutBackOwnSet { .. } => "reason-put-back-own-set",
            Reason::OfferedToLeader { .. } => "reason-offered-to-leader",
            Reason::BetterOffer { .. } => "reason-better-offer",
        }
    }

    /// A sentence with the reason for a better option.
    #[must_use]
    pub fn reason(self, reason: &Reason, names: &[String]) -> String {
        // Each closure makes one variable of the message, or a pair of them: the name of the variable and its value.
        let jewel_variable = |name, jewel| (name, Value::from(self.jewel_as_object(jewel)));
        let share_variable = |name, share| (name, Value::from(self.percent(share, 0)));
        let card_variable = |name, card: MoneyCard| (name, Value::from(card.value()));
        let leader_variable = |seat: Seat| {
            let player_name = names.get(seat.index()).map_or_else(|| seat.to_string(), Clone::clone);
            ("leader", Value::from(player_name))
        };
        let both_shares =
            |take, better_take| [share_variable("take", take), share_variable("better-take", better_take)];
        let both_jewels = |jewel, better| [jewel_variable("jewel", jewel), jewel_variable("better", better)];
        let both_cards = |better_name, card, better| [card_variable("card", card), card_variable(better_name, better)];
        let variables = match *reason {
            Reason::WastedHighCard { jewel, card, take, better, better_take }
            | Reason::CardTooLow { jewel, card, take, better, better_take } => {
                let cards = both_cards("better", card, better);
                [&cards[..], &both_shares(take, better_take), &[jewel_variable("jewel", jewel)]].concat()
            }
            Reason::CostlyDiscard { card, better, take } => {
                [&both_cards("better", card, better)[..], &[share_variable("take", take)]].concat()
            }
            Reason::BetterCard { card, better } => both_cards("better", card, better).to_vec(),
            Reason::HopelessBid { jewel, take, better, card, better_take }
            | Reason::BetterCushion { jewel, take, better, card, better_take } => {
                // Both reasons have only one card, that of the better bid.
                let cards = both_cards("better-card", card, card);
                [both_jewels(jewel, better), both_shares(take, better_take), cards].concat()
            }
            Reason::CheaperElsewhere { jewel, card, take, better, better_card, better_take } => {
                let cards = both_cards("better-card", card, better_card);
                [both_jewels(jewel, better), both_shares(take, better_take), cards].concat()
            }
            Reason::MissedSet { jewel, count, bonus, take } => {
                let numbers = [("count", count.into()), ("bonus", bonus.into())];
                [[jewel_variable("jewel", jewel), share_variable("take", take)], numbers].concat()
            }
            Reason::LeftToLeader { leader, jewel, take, better_take } => {
                [[leader_variable(leader), jewel_variable("jewel", jewel)], both_shares(take, better_take)].concat()
            }
            Reason::PutBackOwnSet { jewel, count, better } => {
                [&both_jewels(jewel, better)[..], &[("count", count.into())]].concat()
            }
            Reason::OfferedToLeader { leader, jewel, count } => {
                vec![leader_variable(leader), jewel_variable("jewel", jewel), ("count", count.into())]
            }
            Reason::BetterOffer { jewel, better } => both_jewels(jewel, better).to_vec(),
        };
        self.with(self.reason_key(reason), &variables)
    }
}

#[cfg(test)]
mod tests;
