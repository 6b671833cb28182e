//! Counts everything that was shown, weighs every card against every cushion, and grudges the leader each jewel.

use sultan_domain::{Action, Cushion, MoneyCard, Recall, View};
use sultan_rules::Quick;

use super::rivals::{Habits, Rivals};
use super::worth::Worths;
use super::{Race, even, mix};
use crate::known::Known;
use crate::{Bot, Weighed};

/// The tuned hand-written level: counts everything that was shown, collects sets, and grudges the leader each jewel.
#[derive(Clone, Copy, Debug)]
pub struct Jeweller {
    /// For two players, three, and so on.
    tunings: [Tuning; 4],
}

/// The constants of the jeweller's play.
#[derive(Clone, Copy, Debug)]
struct Tuning {
    habits: Habits,
    /// How much more of a colour a seat wins for each jewel of it that it has.
    keen: f64,
    /// How much of what others lose counts as won.
    grudge: f64,
    /// What the highest card is worth in later rounds, in jewels of average worth.
    price: f64,
    /// How fast that falls with the card's rank: the power of the rank.
    fall: f64,
    /// How much more a card is worth for each round of the stage to come.
    patience: f64,
    /// So many points less make an action e times as rare.
    temperature: f64,
}

const TUNING: Tuning = Tuning {
    habits: Habits { greed: 1.0, shyness: 0.3, boldness: 1.0, zeal: 1.0, spite: 0.3 },
    keen: 0.5,
    grudge: 0.7,
    price: 1.0,
    fall: 2.0,
    patience: 0.1,
    temperature: 0.2,
};

impl Default for Jeweller {
    fn default() -> Self {
        Self { tunings: [TUNING; 4] }
    }
}

impl Bot for Jeweller {
    fn name(&self) -> &'static str {
        "jeweller"
    }

    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        let Some(known) = Known::new(view, recall, chance) else { return even(view, recall, chance) };
        let tuning = &self.tunings[usize::from(view.numbers.players.count() - 2)];
        let worths = Worths::new(&known.public, tuning.keen);
        let race = Race::new(&known.public, &worths, known.seat);
        let scored: Vec<(Action, f64)> = if known.public.offer.is_empty() {
            view.legal().iter().map(|action| (action, offered(&known, action, tuning))).collect()
        } else {
            Thought::new(&known, &worths, &race, tuning).bids(view)
        };
        mix(&scored, tuning.temperature, &race)
    }
}

/// What an offer brings: the best own bid, less what the others may take.
fn offered(known: &Known, action: Action, tuning: &Tuning) -> f64 {
    let Action::Offer(offer) = action else { return 0.0 };
    let mut known = *known;
    known.public.make_offer(offer);
    let worths = Worths::new(&known.public, tuning.keen);
    let race = Race::new(&known.public, &worths, known.seat);
    let thought = Thought::new(&known, &worths, &race, tuning);
    let cushions = || Cushion::first(known.public.numbers.cushions);
    let best = cushions()
        .flat_map(|cushion| known.hand.values().map(move |card| (card, cushion)))
        .map(|(card, cushion)| thought.bid(card, cushion))
        .fold(f64::NEG_INFINITY, f64::max);
    best - cushions().map(|cushion| thought.taken[cushion.index()]).sum::<f64>()
}

/// One round in the jeweller's eyes.
struct Thought<'a> {
    known: &'a Known,
    tuning: &'a Tuning,
    rivals: Rivals<'a>,
    /// The chances to win each cushion with each card.
    wins: [[f64; 16]; 3],
    /// What it would hurt if the others took each cushion's jewel.
    taken: [f64; 3],
}

impl<'a> Thought<'a> {
    fn new(known: &'a Known, worths: &Worths, race: &Race, tuning: &'a Tuning) -> Self {
        let rivals = Rivals::new(known, worths, &tuning.habits);
        let (mut wins, mut taken) = ([[0.0; 16]; 3], [0.0; 3]);
        for cushion in known.public.open_cushions(known.seat).iter() {
            wins[cushion.index()] = rivals.wins(cushion);
            let takers = rivals.takers(cushion);
            let hurt = known.public.numbers.players.seats();
            let hurt = hurt.map(|seat| takers[seat.index()] * race.harm(seat) * rivals.worth(seat, cushion));
            taken[cushion.index()] = tuning.grudge * hurt.sum::<f64>();
        }
        Self { known, tuning, rivals, wins, taken }
    }

    fn bids(&self, view: &View) -> Vec<(Action, f64)> {
        let scored = |action| match action {
            Action::Bid { card, cushion } => (action, self.bid(card, cushion)),
            Action::Offer(_) => (action, 0.0),
        };
        view.legal().iter().map(scored).collect()
    }

    /// What a bid brings, in points.
    fn bid(&self, card: MoneyCard, cushion: Cushion) -> f64 {
        let win = self.wins[cushion.index()][usize::from(card.value())];
        let worth = self.rivals.worth(self.known.seat, cushion);
        win * (worth + self.taken[cushion.index()]) - self.price(card)
    }

    /// What a card is worth in the later rounds of the stage. All cards of a hand are played within it, so that this only
    /// matters as far as one is dearer than another.
    fn price(&self, card: MoneyCard) -> f64 {
        let numbers = &self.known.public.numbers;
        let rounds = numbers.rounds_per_stage - 1 - self.known.public.round_index % numbers.rounds_per_stage;
        let scale = self.tuning.price * (1.0 + self.tuning.patience * f64::from(rounds));
        scale * self.rivals.mean(self.known.seat) * self.rivals.rank(card.value()).powf(self.tuning.fall)
    }
}
