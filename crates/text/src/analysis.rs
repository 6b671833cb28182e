//! Analyses and hints in words. `chart` draws the winning chances.

mod chart;
mod tables;

use sultan_domain::{Action, Decision, Drawn, Hint, Jewel, MoneyCard, Offer, OptionValue, Reason, Seat};

use crate::{Lang, Text, Value};

pub use chart::{ChanceChart, ChartSize, chart_colour};

/// A smaller loss or chance is described as negligible.
const NEGLIGIBLE_SHARE: f64 = 0.005;
/// An option that the strong bot chooses more rarely is described as hardly ever played.
const RARE_SHARE: f64 = 0.05;

impl Text {
    /// A share as a percentage with `digits` decimal places, as in “62 %”.
    #[must_use]
    pub fn percent(self, share: f64, digits: usize) -> String {
        let number = format!("{:.digits$}", 100.0 * share);
        // No minus sign before zero.
        let is_zero = number.chars().all(|sign| matches!(sign, '-' | '0' | '.'));
        self.percent_of(if is_zero { number.trim_start_matches('-') } else { &number })
    }

    /// Like [`Text::percent`] with a plus or minus sign, for differences.
    #[must_use]
    pub fn signed_percent(self, share: f64, digits: usize) -> String {
        let number = format!("{:+.digits$}", 100.0 * share);
        let is_zero = number.chars().all(|sign| matches!(sign, '-' | '+' | '0' | '.'));
        self.percent_of(if is_zero { &number[1..] } else { &number })
    }

    fn percent_of(self, number: &str) -> String {
        let number = number.replace('-', "−");
        let number = if self.lang() == Lang::En { number } else { number.replace('.', ",") };
        self.with("analysis-percent", &[("number", number.into())])
    }

    /// A jewel as the object of “takes”, as in “takes the white jewel”.
    #[must_use]
    pub fn taken_jewel(self, jewel: Jewel) -> String {
        self.say(&format!("taken-{}", jewel.name()))
    }

    /// An action in a few words, as in “12 for the white jewel”. `drawn` and `offer` are the jewels of the round.
    #[must_use]
    pub fn action(self, action: Action, drawn: Drawn, offer: Option<Offer>) -> String {
        match action {
            Action::Bid { card, cushion } => {
                let card = ("card", card.value().into());
                match offer.and_then(|offer| offer.jewel_on(cushion)) {
                    Some(jewel) => self.with("analysis-bid", &[card, ("jewel", self.taken_jewel(jewel).into())]),
                    None => self.with("analysis-bid-unknown", &[card, ("cushion", cushion.number().into())]),
                }
            }
            Action::Offer(offer) => {
                let jewel = drawn.put_back(offer.jewels()).unwrap_or_default();
                self.with("analysis-offer", &[("jewel", self.taken_jewel(jewel).into())])
            }
        }
    }

    /// The action of a decision, as in “12 for the white jewel”.
    #[must_use]
    pub fn chosen_action(self, decision: &Decision) -> String {
        self.action(decision.action, decision.drawn, decision.offer)
    }

    /// The best option of a decision, as in “12 for the white jewel”.
    #[must_use]
    pub fn best_action(self, decision: &Decision) -> String {
        let best = decision.options.get(decision.best).map_or(decision.action, |option| option.action);
        self.action(best, decision.drawn, decision.offer)
    }

    /// The loss of a decision, as in “3.2 % winning chance lost (± 0.4 %)”.
    #[must_use]
    pub fn loss(self, decision: &Decision) -> String {
        let (loss, error) = (self.percent(decision.loss, 1), self.percent(decision.gap.error, 1));
        self.with("analysis-lost", &[("loss", loss.into()), ("error", error.into())])
    }

    /// A coach's hint, in one to three sentences.
    #[must_use]
    pub fn hint(self, hint: &Hint, drawn: Drawn, offer: Option<Offer>, names: &[String]) -> Vec<String> {
        let Some(best) = hint.options.get(hint.best) else { return Vec::new() };
        let played = |option: &OptionValue| {
            let share = self.percent(option.share, 0);
            [("action", self.action(option.action, drawn, offer).into()), ("share", share.into())]
        };
        let (win, error) = (self.percent(best.win.value, 0), self.percent(best.win.error, 1));
        let chance = [("win", win.into()), ("error", error.into())];
        let mut sentences = vec![self.with("hint-best", &[played(best), chance].concat())];
        sentences.push(match hint.instead.and_then(|index| hint.options.get(index)) {
            None => self.say("hint-alone"),
            Some(instead) => {
                let loss = best.win.value - instead.win.value;
                let key = match (instead.share < RARE_SHARE, loss < NEGLIGIBLE_SHARE) {
                    (false, false) => "hint-instead",
                    (false, true) => "hint-instead-even",
                    (true, false) => "hint-next",
                    (true, true) => "hint-next-even",
                };
                let loss = [("loss", self.percent(loss, 1).into())];
                self.with(key, &[&played(instead)[..], &loss].concat())
            }
        });
        // The reason follows the comparison that it explains.
        sentences.extend(hint.reason.as_ref().map(|reason| self.reason(reason, names)));
        sentences
    }

    /// The key of the message for a reason.
    fn reason_key(self, reason: &Reason) -> &'static str {
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
            // A better cushion need not have a higher chance to win.
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
        let the_jewel = |variable, jewel| (variable, Value::from(self.taken_jewel(jewel)));
        let the_share = |variable, share| (variable, Value::from(self.percent(share, 0)));
        let the_card = |variable, card: MoneyCard| (variable, Value::from(card.value()));
        let the_leader = |seat: Seat| {
            let name = names.get(seat.index()).map_or_else(|| seat.to_string(), Clone::clone);
            ("leader", Value::from(name))
        };
        let takes = |take, better_take| [the_share("take", take), the_share("better-take", better_take)];
        let jewels = |jewel, better| [the_jewel("jewel", jewel), the_jewel("better", better)];
        let cards = |card, better| [the_card("card", card), the_card("better", better)];
        let values = match *reason {
            Reason::WastedHighCard { jewel, card, take, better, better_take }
            | Reason::CardTooLow { jewel, card, take, better, better_take } => {
                [&cards(card, better)[..], &takes(take, better_take), &[the_jewel("jewel", jewel)]].concat()
            }
            Reason::CostlyDiscard { card, better, take } => {
                [&cards(card, better)[..], &[the_share("take", take)]].concat()
            }
            Reason::BetterCard { card, better } => cards(card, better).to_vec(),
            Reason::HopelessBid { jewel, take, better, card, better_take }
            | Reason::BetterCushion { jewel, take, better, card, better_take } => [
                jewels(jewel, better),
                takes(take, better_take),
                [the_card("card", card), the_card("better-card", card)],
            ]
            .concat(),
            Reason::CheaperElsewhere { jewel, card, take, better, better_card, better_take } => {
                let cards = [the_card("card", card), the_card("better-card", better_card)];
                [jewels(jewel, better), takes(take, better_take), cards].concat()
            }
            Reason::MissedSet { jewel, count, bonus, take } => vec![
                the_jewel("jewel", jewel),
                ("count", count.into()),
                ("bonus", bonus.into()),
                the_share("take", take),
            ],
            Reason::LeftToLeader { leader, jewel, take, better_take } => {
                [[the_leader(leader), the_jewel("jewel", jewel)], takes(take, better_take)].concat()
            }
            Reason::PutBackOwnSet { jewel, count, better } => {
                [&jewels(jewel, better)[..], &[("count", count.into())]].concat()
            }
            Reason::OfferedToLeader { leader, jewel, count } => {
                vec![the_leader(leader), the_jewel("jewel", jewel), ("count", count.into())]
            }
            Reason::BetterOffer { jewel, better } => jewels(jewel, better).to_vec(),
        };
        self.with(self.reason_key(reason), &values)
    }
}

#[cfg(test)]
mod tests;
