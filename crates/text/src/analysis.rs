//! What an analysis or a coach has found, in words; `chart` draws it.

mod chart;
mod told;

use sultan_domain::{Action, Decision, Drawn, Hint, Jewel, MoneyCard, Offer, Reason, Seat};

use crate::{Lang, Text, Value};

pub use chart::{chance_chart, chart_colour, narrow_chance_chart};

/// What gives up less is next to nothing.
const NEXT_TO_NOTHING: f64 = 0.005;
/// What the strong bot plays more rarely, it hardly ever plays.
const HARDLY_EVER: f64 = 0.05;

impl Text {
    /// A share as a percentage with so many digits after the point, as in “62 %”.
    #[must_use]
    pub fn percent(self, share: f64, digits: usize) -> String {
        let number = format!("{:.digits$}", 100.0 * share);
        // No minus before nothing.
        let is_nothing = number.chars().all(|sign| matches!(sign, '-' | '0' | '.'));
        self.percent_of(if is_nothing { number.trim_start_matches('-') } else { &number })
    }

    /// The same with its sign, for what is added or taken away.
    #[must_use]
    pub fn signed_percent(self, share: f64, digits: usize) -> String {
        let number = format!("{:+.digits$}", 100.0 * share);
        let is_nothing = number.chars().all(|sign| matches!(sign, '-' | '+' | '0' | '.'));
        self.percent_of(if is_nothing { &number[1..] } else { &number })
    }

    fn percent_of(self, number: &str) -> String {
        let number = number.replace('-', "−");
        let number = if self.lang() == Lang::En { number } else { number.replace('.', ",") };
        self.with("analysis-percent", &[("number", (&number).into())])
    }

    /// A jewel as what is taken, as in “takes the white jewel”.
    #[must_use]
    pub fn taken_jewel(self, jewel: Jewel) -> String {
        self.say(match jewel {
            Jewel::White => "taken-white",
            Jewel::Red => "taken-red",
            Jewel::Yellow => "taken-yellow",
            Jewel::Green => "taken-green",
            Jewel::Blue => "taken-blue",
        })
    }

    /// An action in a few words, as in “12 for the white jewel”, given the jewels drawn and those on the cushions.
    #[must_use]
    pub fn action(self, action: Action, drawn: Drawn, offer: Option<Offer>) -> String {
        match action {
            Action::Bid { card, cushion } => {
                let card = ("card", card.value().into());
                if let Some(jewel) = offer.and_then(|offer| offer.on(cushion)) {
                    return self.with("analysis-bid", &[card, ("jewel", (&self.taken_jewel(jewel)).into())]);
                }
                self.with("analysis-bid-unknown", &[card, ("cushion", cushion.number().into())])
            }
            Action::Offer(offer) => {
                let jewel = drawn.put_back(offer.jewels()).unwrap_or_default();
                self.with("analysis-offer", &[("jewel", (&self.taken_jewel(jewel)).into())])
            }
        }
    }

    /// What was done in a decision, as in “12 for the white jewel”.
    #[must_use]
    pub fn done(self, decision: &Decision) -> String {
        self.action(decision.action, decision.drawn, decision.offer)
    }

    /// The best option of a decision, in the same words.
    #[must_use]
    pub fn best(self, decision: &Decision) -> String {
        let best = decision.options.get(decision.best).map_or(decision.action, |option| option.action);
        self.action(best, decision.drawn, decision.offer)
    }

    /// What a decision lost, as in “3.2 % winning chance lost (± 0.4 %)”.
    #[must_use]
    pub fn lost(self, decision: &Decision) -> String {
        let (loss, error) = (self.percent(decision.loss, 1), self.percent(decision.gap.error, 1));
        self.with("analysis-lost", &[("loss", (&loss).into()), ("error", (&error).into())])
    }

    /// A coach's hint, in one to three sentences.
    #[must_use]
    pub fn hint(self, hint: &Hint, drawn: Drawn, offer: Option<Offer>, names: &[String]) -> Vec<String> {
        let Some(best) = hint.options.get(hint.best) else { return Vec::new() };
        let action = self.action(best.action, drawn, offer);
        let (win, error) = (self.percent(best.win.value, 0), self.percent(best.win.error, 1));
        let share = self.percent(best.share, 0);
        let mut said = vec![self.with(
            "hint-best",
            &[
                ("action", (&action).into()),
                ("win", (&win).into()),
                ("error", (&error).into()),
                ("share", (&share).into()),
            ],
        )];
        said.push(match hint.instead.and_then(|place| hint.options.get(place)) {
            None => self.say("hint-alone"),
            Some(instead) => {
                let action = self.action(instead.action, drawn, offer);
                let share = self.percent(instead.share, 0);
                let loss = best.win.value - instead.win.value;
                let key = match (instead.share < HARDLY_EVER, loss < NEXT_TO_NOTHING) {
                    (false, false) => "hint-instead",
                    (false, true) => "hint-instead-even",
                    (true, false) => "hint-next",
                    (true, true) => "hint-next-even",
                };
                let loss = self.percent(loss, 1);
                let values: [(&str, Value<'_>); 3] =
                    [("action", (&action).into()), ("share", (&share).into()), ("loss", (&loss).into())];
                self.with(key, &values)
            }
        });
        // It speaks of what was compared last.
        said.extend(hint.reason.as_ref().map(|reason| self.reason(reason, names)));
        said
    }

    /// Which message says a reason.
    fn reason_key(self, reason: &Reason) -> &'static str {
        let look_alike = |one: f64, other: f64| self.percent(one, 0) == self.percent(other, 0);
        match *reason {
            Reason::WastedHighCard { take, better_take, .. } if look_alike(take, better_take) => {
                "reason-wasted-as-often"
            }
            Reason::WastedHighCard { .. } => "reason-wasted-high-card",
            Reason::CardTooLow { .. } => "reason-card-too-low",
            Reason::CostlyDiscard { .. } => "reason-costly-discard",
            Reason::BetterCard { .. } => "reason-better-card",
            // Two jewels of a colour are told apart by their cushions.
            Reason::HopelessBid { jewel, better, .. } | Reason::BetterCushion { jewel, better, .. }
                if jewel == better =>
            {
                "reason-same-colour"
            }
            Reason::HopelessBid { take, .. } if take < NEXT_TO_NOTHING => "reason-hopeless-never",
            Reason::HopelessBid { .. } => "reason-hopeless-bid",
            // It is not always better because it is won more often.
            Reason::BetterCushion { take, better_take, .. } if better_take < take || look_alike(take, better_take) => {
                "reason-better-jewel"
            }
            Reason::BetterCushion { .. } => "reason-better-cushion",
            Reason::CheaperElsewhere { jewel, better, .. } if jewel == better => "reason-cheaper-same-colour",
            Reason::CheaperElsewhere { .. } => "reason-cheaper-elsewhere",
            Reason::MissedSet { .. } => "reason-missed-set",
            Reason::FedTheLeader { .. } => "reason-fed-the-leader",
            Reason::PutBackOwnSet { .. } => "reason-put-back-own-set",
            Reason::OfferedToLeader { .. } => "reason-offered-to-leader",
            Reason::BetterOffer { .. } => "reason-better-offer",
        }
    }

    /// Why something else was better, in a sentence.
    #[must_use]
    pub fn reason(self, reason: &Reason, names: &[String]) -> String {
        let name = |seat: Seat| names.get(seat.index()).map_or_else(|| seat.to_string(), Clone::clone);
        let share = |share: f64| self.percent(share, 0);
        let jewel = |jewel: Jewel| self.taken_jewel(jewel);
        let key = self.reason_key(reason);
        match *reason {
            Reason::WastedHighCard { jewel: of, card, take, better, better_take }
            | Reason::CardTooLow { jewel: of, card, take, better, better_take } => {
                self.compared(key, [card, better], &[jewel(of), share(take), share(better_take)])
            }
            Reason::CostlyDiscard { card, better, take } => {
                self.compared(key, [card, better], &[String::new(), share(take)])
            }
            Reason::BetterCard { card, better } => self.compared(key, [card, better], &[]),
            Reason::HopelessBid { jewel, take, better, card, better_take }
            | Reason::BetterCushion { jewel, take, better, card, better_take } => {
                self.elsewhere(key, [card, card], [jewel, better], [take, better_take])
            }
            Reason::CheaperElsewhere { jewel, card, take, better, better_card, better_take } => {
                self.elsewhere(key, [card, better_card], [jewel, better], [take, better_take])
            }
            Reason::MissedSet { jewel: of, count, bonus, take } => {
                let (jewel, take) = (jewel(of), share(take));
                let bonus = ("bonus", bonus.into());
                self.with(key, &[("jewel", (&jewel).into()), ("count", count.into()), bonus, ("take", (&take).into())])
            }
            Reason::FedTheLeader { leader, jewel: of, take, better_take } => {
                let (leader, jewel, take, better_take) = (name(leader), jewel(of), share(take), share(better_take));
                let takes = [("take", (&take).into()), ("better-take", (&better_take).into())];
                self.with(key, &[("leader", (&leader).into()), ("jewel", (&jewel).into()), takes[0], takes[1]])
            }
            Reason::PutBackOwnSet { jewel: of, count, better } => {
                let (of, better) = (jewel(of), jewel(better));
                self.with(key, &[("jewel", (&of).into()), ("count", count.into()), ("better", (&better).into())])
            }
            Reason::OfferedToLeader { leader, jewel: of, count } => {
                let (leader, jewel) = (name(leader), jewel(of));
                self.with(key, &[("leader", (&leader).into()), ("jewel", (&jewel).into()), ("count", count.into())])
            }
            Reason::BetterOffer { jewel: of, better } => {
                self.with(key, &[("jewel", (&jewel(of)).into()), ("better", (&jewel(better)).into())])
            }
        }
    }

    /// One card against another, with the jewel, its chance and the better one's as far as they matter.
    fn compared(self, key: &str, cards: [MoneyCard; 2], words: &[String]) -> String {
        let names = ["jewel", "take", "better-take"];
        let mut values: Vec<(&str, Value<'_>)> = names.into_iter().zip(words.iter().map(Value::from)).collect();
        values.extend([("card", cards[0].value().into()), ("better", cards[1].value().into())]);
        self.with(key, &values)
    }

    /// One cushion against another, and what it has to do with the cards.
    fn elsewhere(self, key: &str, cards: [MoneyCard; 2], jewels: [Jewel; 2], takes: [f64; 2]) -> String {
        let ([jewel, better], [take, better_take]) =
            (jewels.map(|jewel| self.taken_jewel(jewel)), takes.map(|take| self.percent(take, 0)));
        let values = [
            ("jewel", (&jewel).into()),
            ("better", (&better).into()),
            ("take", (&take).into()),
            ("better-take", (&better_take).into()),
            ("card", cards[0].value().into()),
            ("better-card", cards[1].value().into()),
        ];
        self.with(key, &values)
    }
}

#[cfg(test)]
mod tests;
