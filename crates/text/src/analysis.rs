//! What an analysis or a coach has found, in words; `chart` draws it.

mod chart;
mod told;

use sultan_domain::{Action, Decision, Drawn, Hint, Jewel, Jewels, MoneyCard, Offer, Reason, Seat};

use crate::{Lang, Text, Value};

pub use chart::{CHART_COLOURS, chance_chart};

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
                let jewel = drawn.jewels().without(offer.jewels()).and_then(Jewels::lowest).unwrap_or_default();
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

    /// What a decision lost, as in “3.2 % of the winning chance lost (± 0.4 %)”.
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

    /// Why something else was better, in a sentence.
    #[must_use]
    pub fn reason(self, reason: &Reason, names: &[String]) -> String {
        let name = |seat: Seat| names.get(seat.index()).map_or_else(|| seat.to_string(), Clone::clone);
        let share = |share: f64| self.percent(share, 0);
        let jewel = |jewel: Jewel| self.taken_jewel(jewel);
        let against = |of: Jewel, take: f64, better_take: f64| [jewel(of), share(take), share(better_take)];
        match *reason {
            Reason::WastedHighCard { jewel: of, card, take, better, better_take } => {
                self.compared("reason-wasted-high-card", [card, better], &against(of, take, better_take))
            }
            Reason::CardTooLow { jewel: of, card, take, better, better_take } => {
                self.compared("reason-card-too-low", [card, better], &against(of, take, better_take))
            }
            Reason::CostlyDiscard { card, better, take } => {
                self.compared("reason-costly-discard", [card, better], &[String::new(), share(take)])
            }
            Reason::BetterCard { card, better } => self.compared("reason-better-card", [card, better], &[]),
            Reason::HopelessBid { jewel: of, take, better, card, better_take } => {
                let words = [jewel(of), share(take), share(better_take), jewel(better)];
                let key = if of == better { "reason-same-colour" } else { "reason-hopeless-bid" };
                self.elsewhere(key, [card, card], &words)
            }
            Reason::BetterCushion { jewel: of, take, better, card, better_take } => {
                let words = [jewel(of), share(take), share(better_take), jewel(better)];
                let key = if of == better { "reason-same-colour" } else { "reason-better-cushion" };
                self.elsewhere(key, [card, card], &words)
            }
            Reason::CheaperElsewhere { jewel: of, card, take, better, better_card, better_take } => {
                let words = [jewel(of), share(take), share(better_take), jewel(better)];
                let key = if of == better { "reason-cheaper-same-colour" } else { "reason-cheaper-elsewhere" };
                self.elsewhere(key, [card, better_card], &words)
            }
            Reason::MissedSet { jewel: of, count, bonus, take } => self.with(
                "reason-missed-set",
                &[
                    ("jewel", (&jewel(of)).into()),
                    ("count", count.into()),
                    ("bonus", bonus.into()),
                    ("take", (&share(take)).into()),
                ],
            ),
            Reason::FedTheLeader { leader, jewel: of, take, better_take } => self.with(
                "reason-fed-the-leader",
                &[
                    ("leader", (&name(leader)).into()),
                    ("jewel", (&jewel(of)).into()),
                    ("take", (&share(take)).into()),
                    ("better-take", (&share(better_take)).into()),
                ],
            ),
            Reason::PutBackOwnSet { jewel: of, count, better } => self.with(
                "reason-put-back-own-set",
                &[("jewel", (&jewel(of)).into()), ("count", count.into()), ("better", (&jewel(better)).into())],
            ),
            Reason::OfferedToLeader { leader, jewel: of, count } => self.with(
                "reason-offered-to-leader",
                &[("leader", (&name(leader)).into()), ("jewel", (&jewel(of)).into()), ("count", count.into())],
            ),
            Reason::BetterOffer { jewel: of, better } => {
                self.with("reason-better-offer", &[("jewel", (&jewel(of)).into()), ("better", (&jewel(better)).into())])
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

    /// One cushion against another: the jewel, its chance, the better one's, and the better jewel.
    fn elsewhere(self, key: &str, cards: [MoneyCard; 2], words: &[String; 4]) -> String {
        let names = ["jewel", "take", "better-take", "better"];
        let mut values: Vec<(&str, Value<'_>)> = names.into_iter().zip(words.iter().map(Value::from)).collect();
        values.extend([("card", cards[0].value().into()), ("better-card", cards[1].value().into())]);
        self.with(key, &values)
    }
}

#[cfg(test)]
mod tests;
