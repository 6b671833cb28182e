//! What an analysis of a finished game says: plain numbers, for terminals, pages and files alike.
//!
//! They are found in `sultan-bots`, told in words in `sultan-text`, and explained in `docs/analysis.md`. An [`Analysis`] holds what was
//! hidden, so it is made from a [`crate::Record`] only. A [`Hint`] and what others [`MayHold`] are made from one seat's knowledge.

mod reason;

use serde::{Deserialize, Serialize};

use crate::{Action, Drawn, MoneyCard, Offer, Outcome, Players, Round, Seat, Stage};

pub use reason::Reason;

/// The name of the format.
const FORMAT: &str = "sultan-analysis";
/// The version that this program writes.
const VERSION: u32 = 1;

/// What a game looks like afterwards: every decision, the winning chances over the game, and what made each player's result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// Always `sultan-analysis`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// What all chance in the analysis came from.
    pub seed: u64,
    /// How many play.
    pub players: Players,
    /// One name per seat.
    pub names: Vec<String>,
    /// Whether the game was played to its end.
    pub complete: bool,
    /// The result, once complete.
    #[serde(rename = "final")]
    pub outcome: Option<Outcome>,
    /// One summary per seat.
    pub seats: Vec<SeatAnalysis>,
    /// Every decision, in order.
    pub decisions: Vec<Decision>,
    /// The winning chances after every step.
    pub moments: Vec<ChanceMoment>,
}

impl Analysis {
    /// An analysis of this game, with nothing in it yet.
    #[must_use]
    pub fn of(players: Players, names: Vec<String>, seed: u64) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            seed,
            players,
            names,
            complete: false,
            outcome: None,
            seats: Vec::new(),
            decisions: Vec::new(),
            moments: Vec::new(),
        }
    }

    /// A seat's worst decisions, the worst first: those that gave something away, at most three.
    pub fn worst(&self, seat: Seat) -> impl Iterator<Item = &Decision> {
        let summary = self.seats.iter().find(move |summary| summary.seat == seat);
        summary.into_iter().flat_map(|summary| &summary.worst).filter_map(|&number| self.decisions.get(number))
    }

    /// The ends of all rounds: for each a moment of it, which tells its stage and round, and the moment after its last action.
    pub fn round_ends(&self) -> impl Iterator<Item = (&ChanceMoment, &ChanceMoment)> {
        let is_action = |place: usize| {
            self.moments.get(place).is_some_and(|moment| matches!(moment.step, ChanceStep::Action { .. }))
        };
        // The moment after a round belongs to the round to come; the one before it tells which has ended.
        let ends = (0..self.moments.len()).filter(move |&place| is_action(place) && !is_action(place + 1));
        ends.map(|place| (&self.moments[place.saturating_sub(1)], &self.moments[place]))
    }
}

/// An estimate with its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Its standard error; 0 where it is exact.
    pub error: f64,
}

/// One decision of a seat, judged by what that seat knew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// How many actions there had been.
    pub at: u16,
    /// The stage.
    pub stage: Stage,
    /// The round within the stage.
    pub round: Round,
    /// Whose decision it was.
    pub seat: Seat,
    /// What was done.
    pub action: Action,
    /// The jewels drawn for the round.
    pub drawn: Drawn,
    /// The jewels on the cushions; none while the offer is being decided.
    pub offer: Option<Offer>,
    /// What could have been done; an offer in the order `W`, `R`, `Y`, `G`, `B`.
    pub options: Vec<OptionValue>,
    /// Which of the options was taken, counted from 0.
    pub taken: usize,
    /// Which of the options has the highest chance to win, counted from 0.
    pub best: usize,
    /// How many tables were imagined for each option; 0 where everything that may come was counted out.
    pub worlds: u32,
    /// The chance to win with the strong bot's mix, less that with what was done. May be negative.
    pub gap: Estimate,
    /// What was given away: the gap, or nothing where the strong bot plays so too or where the gap may be noise.
    pub loss: f64,
    /// Why something else was better, where something was given away.
    pub reason: Option<Reason>,
}

/// One option of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionValue {
    /// The action.
    pub action: Action,
    /// How often the strong bot would play it, from 0 to 1.
    pub share: f64,
    /// The chance to win the game with it, a shared first place as its share.
    pub win: Estimate,
    /// For a bid, the chance that it takes its jewel.
    pub take: Option<f64>,
}

/// What happened at a step of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum ChanceStep {
    /// Nothing yet.
    Start,
    /// Hands were taken.
    Deal,
    /// Jewels were drawn.
    Draw,
    /// A seat acted.
    Action {
        /// Who.
        seat: Seat,
        /// What it did.
        action: Action,
    },
}

/// Everybody's chance to win after a step, with all hands and all face-down cards known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChanceMoment {
    /// How many actions there have been.
    pub at: u16,
    /// The stage.
    pub stage: Stage,
    /// The round within the stage.
    pub round: Round,
    /// What led here.
    #[serde(flatten)]
    pub step: ChanceStep,
    /// One chance per seat; together they are 1.
    pub chances: Vec<Estimate>,
}

/// What made a player's result: `deal + others + own` is `result` less an even share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatAnalysis {
    /// The seat.
    pub seat: Seat,
    /// The share of the win; the chance to win where the record ends before the game does.
    pub result: f64,
    /// Luck of the deal: decks and draws.
    pub deal: Estimate,
    /// Luck of the others' choices, most of which were hidden.
    pub others: Estimate,
    /// The own decisions, against the strong bot's mix.
    pub own: Estimate,
    /// How many decisions there were with a choice.
    pub decisions: u32,
    /// What each of them gave away on average.
    pub mean_loss: Estimate,
    /// From 0 to 100, by what decisions gave away on average.
    pub accuracy: f64,
    /// The worst decisions, the worst first, counted from 0 among all.
    pub worst: Vec<usize>,
}

/// What a coach says, from the seat's own knowledge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    /// All that can be done.
    pub options: Vec<OptionValue>,
    /// Which of them to do, counted from 0: the one that the strong bot plays most often.
    pub best: usize,
    /// What to compare it with: what it plays instead most often, else what wins most often otherwise.
    pub instead: Option<usize>,
    /// Why the one is better than the other.
    pub reason: Option<Reason>,
}

/// What another seat may hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MayHold {
    /// The seat.
    pub seat: Seat,
    /// The cards it has not played yet, in rising order.
    pub cards: Vec<HeldCard>,
}

/// A card that has not been played yet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldCard {
    /// The card.
    pub card: MoneyCard,
    /// How many of it have not been played.
    pub left: u8,
    /// The chance that at least one is in hand now, neither in the deck nor face down.
    pub chance: f64,
}
