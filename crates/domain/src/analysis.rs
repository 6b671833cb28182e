//! The results of an analysis as plain numbers, for terminals, pages and files.
//!
//! They are computed in `sultan-analysis`, put into words in `sultan-text`, and explained in `docs/analysis.md`. An
//! [`Analysis`] contains hidden information, so it is made from a [`crate::Record`] only. A [`Hint`] and the
//! [`MayHold`] of other seats are made from one seat's knowledge.

mod reason;

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::{Action, Drawn, MoneyCard, Offer, Outcome, Parameters, Players, Round, Seat, Stage, Variant};

pub use reason::Reason;

/// The name of the format.
const FORMAT: &str = "sultan-analysis";
/// The version that this program writes, and the only one it reads.
const VERSION: u32 = 1;

/// The analysis of a finished game: every decision, the winning chances over the game, and the parts of each player's
/// result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// Always `sultan-analysis`.
    #[serde(deserialize_with = "format")]
    pub format: String,
    /// The version of the format; unknown versions are rejected.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// The random seed of the analysis.
    pub seed: u64,
    /// The number of players.
    pub players: Players,
    /// Parameters that differ from the published game.
    #[serde(default, rename = "parameters", skip_serializing_if = "Variant::is_published")]
    pub variant: Variant,
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

fn format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let format = String::deserialize(deserializer)?;
    let error = || de::Error::custom(format_args!("not an analysis: its format is not “{FORMAT}”"));
    if format == FORMAT { Ok(format) } else { Err(error()) }
}

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let version = u32::deserialize(deserializer)?;
    let error = || {
        let text = format_args!("an analysis of version {version}; this program reads version {VERSION}");
        de::Error::custom(text)
    };
    if version == VERSION { Ok(version) } else { Err(error()) }
}

impl Analysis {
    /// An empty analysis of this game.
    #[must_use]
    pub fn of(players: Players, names: Vec<String>, seed: u64) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            seed,
            players,
            variant: Variant::default(),
            names,
            complete: false,
            outcome: None,
            seats: Vec::new(),
            decisions: Vec::new(),
            moments: Vec::new(),
        }
    }

    /// A seat's worst decisions, worst first: at most three, each with a loss.
    pub fn worst_decisions(&self, seat: Seat) -> impl Iterator<Item = &Decision> {
        let summary = self.seats.iter().find(move |summary| summary.seat == seat);
        summary.into_iter().flat_map(|summary| &summary.worst).filter_map(|&index| self.decisions.get(index))
    }

    /// The ends of all finished rounds, each as a pair: the moments before and after the round's last action. The first
    /// has the round's stage and number.
    pub fn round_ends(&self) -> impl Iterator<Item = (&ChanceMoment, &ChanceMoment)> {
        let per_round = 1 + u16::from(Parameters::of(self.players).bids());
        // The step after a round belongs to the next round; the step before it names the finished one.
        let pairs = self.moments.iter().zip(self.moments.iter().skip(1));
        pairs.filter(move |(_, after)| {
            matches!(after.step, ChanceStep::Action { .. }) && after.at.is_multiple_of(per_round)
        })
    }
}

/// An estimate with its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Its standard error; 0 if exact.
    pub error: f64,
}

/// One decision, judged by the knowledge of its seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The number of actions before it.
    pub at: u16,
    /// The stage.
    pub stage: Stage,
    /// The round within the stage.
    pub round: Round,
    /// The seat that decided.
    pub seat: Seat,
    /// The chosen action.
    pub action: Action,
    /// The jewels drawn for the round.
    pub drawn: Drawn,
    /// The jewels on the cushions; empty before the offer.
    pub offer: Option<Offer>,
    /// The options; offers in the order `W`, `R`, `Y`, `G`, `B`.
    pub options: Vec<OptionValue>,
    /// Which of the options was taken, counted from 0.
    pub taken: usize,
    /// Which of the options has the highest chance to win, counted from 0.
    pub best: usize,
    /// Playouts per option; 0 if all continuations were enumerated.
    pub worlds: u32,
    /// Winning chance of the strong bot's mix minus that of the chosen action. May be negative.
    pub gap: Estimate,
    /// The loss: the gap, or 0 if the strong bot also plays this or the gap may be noise.
    pub loss: f64,
    /// The reason for a better option, if there was a loss.
    pub reason: Option<Reason>,
}

/// One option of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionValue {
    /// The action.
    pub action: Action,
    /// Probability that the strong bot plays it.
    pub share: f64,
    /// The chance to win the game with it, a shared first place as its share.
    pub win: Estimate,
    /// For a bid, the chance that it takes its jewel.
    pub take: Option<f64>,
}

/// The event of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum ChanceStep {
    /// The start of the game.
    Start,
    /// Each player took a new hand from the deck.
    Deal,
    /// Jewels were drawn.
    Draw,
    /// A seat acted.
    Action {
        /// The seat.
        seat: Seat,
        /// Its action.
        action: Action,
    },
}

/// Winning chances after a step, with all cards open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChanceMoment {
    /// The number of actions so far.
    pub at: u16,
    /// The stage.
    pub stage: Stage,
    /// The round within the stage.
    pub round: Round,
    /// The event just before it.
    #[serde(flatten)]
    pub step: ChanceStep,
    /// One chance per seat; together they are 1.
    pub chances: Vec<Estimate>,
}

/// The parts of a player's result: `deal + others + own` equals `result` minus an even share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatAnalysis {
    /// The seat.
    pub seat: Seat,
    /// The share of the win; the winning chance if the record is incomplete.
    pub result: f64,
    /// Luck of the deal: decks and draws.
    pub deal: Estimate,
    /// Luck of other players' choices, most of which were hidden.
    pub others: Estimate,
    /// The player's decisions, compared with the strong bot's mix.
    pub own: Estimate,
    /// Number of decisions with a choice.
    pub decisions: u32,
    /// Average loss per decision.
    pub mean_loss: Estimate,
    /// From 0 to 100, computed from the average loss.
    pub accuracy: f64,
    /// The indices of the worst decisions among all decisions, the worst first.
    pub worst: Vec<usize>,
}

/// A coach's hint, from the knowledge of the seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    /// All legal actions.
    pub options: Vec<OptionValue>,
    /// Index of the recommended option: the strong bot's most frequent choice.
    pub best: usize,
    /// Index of the alternative: its second choice, or else the option that wins most often.
    pub instead: Option<usize>,
    /// The reason for the recommendation.
    pub reason: Option<Reason>,
}

/// The possible cards of another seat.
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
    /// Number of unplayed cards of this value.
    pub left: u8,
    /// The chance that at least one is in hand now, neither in the deck nor face down.
    pub chance: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(number: u8) -> Seat {
        Seat::new(number).unwrap()
    }

    /// The analysis of a game with three players, cut off after `actions` actions.
    fn analysis_after(actions: u16) -> Analysis {
        let players = Players::new(3).unwrap();
        let mut analysis = Analysis::of(players, vec![String::new(); 3], 7);
        let moment = |at: u16, step| {
            let (stage, round) = Parameters::of(players).stage_and_round(u8::try_from(at / 4).unwrap());
            ChanceMoment { at, stage, round, step, chances: Vec::new() }
        };
        let action = ChanceStep::Action { seat: seat(0), action: "1@1".parse().unwrap() };
        analysis.moments = vec![moment(0, ChanceStep::Start), moment(0, ChanceStep::Deal), moment(0, ChanceStep::Draw)];
        for at in 1..=actions {
            analysis.moments.push(moment(at, action));
            if at % 20 == 0 {
                analysis.moments.push(moment(at, ChanceStep::Deal));
            }
            if at % 4 == 0 && at < 60 {
                analysis.moments.push(moment(at, ChanceStep::Draw));
            }
        }
        analysis
    }

    #[test]
    fn round_ends_lists_finished_rounds_only() {
        let ends = |actions: u16| {
            let analysis = analysis_after(actions);
            analysis
                .round_ends()
                .map(|(before, after)| (before.stage.0, before.round.0, before.at, after.at))
                .collect::<Vec<_>>()
        };
        for unfinished in 0..4 {
            assert_eq!(ends(unfinished), [], "{unfinished}");
        }
        for unfinished in 8..12 {
            assert_eq!(ends(unfinished), [(1, 1, 3, 4), (1, 2, 7, 8)], "{unfinished}");
        }
        assert_eq!(ends(20).last(), Some(&(1, 5, 19, 20)), "before the next hands are taken");
        assert_eq!((ends(59).len(), ends(60).len()), (14, 15));
    }

    #[test]
    fn worst_decisions_are_found_by_index_and_missing_ones_are_skipped() {
        let mut analysis = analysis_after(0);
        let decision = |at: u16| Decision {
            at,
            stage: Stage(1),
            round: Round(1),
            seat: seat(1),
            action: "1@1".parse().unwrap(),
            drawn: Drawn::default(),
            offer: None,
            options: Vec::new(),
            taken: 0,
            best: 0,
            worlds: 0,
            gap: Estimate::default(),
            loss: 0.0,
            reason: None,
        };
        let zero = Estimate::default();
        let summary = |number: u8, worst: Vec<usize>| SeatAnalysis {
            seat: seat(number),
            result: 0.0,
            deal: zero,
            others: zero,
            own: zero,
            decisions: 4,
            mean_loss: zero,
            accuracy: 100.0,
            worst,
        };
        analysis.decisions = (10..14).map(decision).collect();
        analysis.seats = vec![summary(0, vec![]), summary(1, vec![3, 0, 9])];
        let worst = |number: u8| analysis.worst_decisions(seat(number)).map(|decision| decision.at).collect::<Vec<_>>();
        assert_eq!(worst(1), [13, 10], "in the stored order, without missing decisions");
        assert_eq!((worst(0), worst(2)), (vec![], vec![]));
    }

    #[test]
    fn analysis_of_another_format_or_version_is_rejected() {
        let json = serde_json::to_string(&analysis_after(5)).unwrap();
        assert!(json.starts_with(r#"{"format":"sultan-analysis","version":1,"seed":7,"#), "{json}");
        assert_eq!(serde_json::from_str::<Analysis>(&json).unwrap(), analysis_after(5));
        for (from, to, reason) in [
            ("sultan-analysis", "sultan-record", "its format is not “sultan-analysis”"),
            (r#""version":1"#, r#""version":2"#, "an analysis of version 2; this program reads version 1"),
            (r#""format":"sultan-analysis","#, "", "missing field `format`"),
            (r#""version":1,"#, "", "missing field `version`"),
        ] {
            let error = serde_json::from_str::<Analysis>(&json.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
