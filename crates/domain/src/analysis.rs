//! The results of an analysis as numbers and codes. `docs/analysis.md` explains them.
//!
//! `sultan-analysis` computes them, and `sultan-text` writes sentences about them. An [`Analysis`] shows the
//! effect of hidden cards, so it is made only from a [`crate::Record`], which exists only after the game. A [`Hint`]
//! and a [`MayHold`] are made during a game, from the information of one seat.
//!
//! The strong bot, with which decisions are compared, is the bot `sultan`.

mod reason;

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::{Action, Drawn, MoneyCard, Offer, Outcome, Parameters, Players, Round, Seat, Stage, Variant};

pub use reason::Reason;

/// The name of the format.
const FORMAT: &str = "sultan-analysis";
/// The version that this program writes, and the only one it reads.
const VERSION: u32 = 1;

/// The analysis of a game: every decision, the winning chances during the game, and the parts of each player's result.
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
    /// The parameters that differ from the published game.
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
    if format != FORMAT {
        return Err(de::Error::custom(format_args!("not an analysis: its format is not “{FORMAT}”")));
    }
    Ok(format)
}

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let version = u32::deserialize(deserializer)?;
    if version != VERSION {
        let error = format_args!("an analysis of version {version}; this program reads version {VERSION}");
        return Err(de::Error::custom(error));
    }
    Ok(version)
}

impl Analysis {
    /// An analysis of an unfinished published game, without decisions and moments. The caller fills in the rest.
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

    /// A seat's decisions with the greatest losses, at most three, the worst first.
    pub fn worst_decisions(&self, seat: Seat) -> impl Iterator<Item = &Decision> {
        let summary = self.seats.iter().find(move |summary| summary.seat == seat);
        summary.into_iter().flat_map(|summary| &summary.worst).filter_map(|&index| self.decisions.get(index))
    }

    /// The end of each finished round, as the moments before and after the round's last action. The moment after the
    /// action already has the stage and round of the next round.
    pub fn round_ends(&self) -> impl Iterator<Item = (&ChanceMoment, &ChanceMoment)> {
        // One offer and all bids. Variants have as many bids per round as the published game.
        let actions_per_round = 1 + u16::from(Parameters::of(self.players).bids_per_round());
        let before_and_after = self.moments.iter().zip(self.moments.iter().skip(1));
        before_and_after.filter(move |(_, after)| {
            matches!(after.step, ChanceStep::Action { .. }) && after.at.is_multiple_of(actions_per_round)
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

/// One decision, judged only by the information that its seat had.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The number of actions in the game before this decision.
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
    /// The jewels on the cushions; `None` if the decision is an offer.
    pub offer: Option<Offer>,
    /// The legal actions; offers only with their jewels in the order `W`, `R`, `Y`, `G`, `B`.
    pub options: Vec<OptionValue>,
    /// The index in `options` of the chosen action.
    pub taken: usize,
    /// The index in `options` of the action with the highest winning chance.
    pub best: usize,
    /// The number of sampled games (worlds) for each option; 0 if all possible games were computed.
    pub worlds: u32,
    /// The average winning chance of the options, weighted by the probabilities with which the strong bot plays them,
    /// minus the winning chance of the chosen action. May be negative.
    pub gap: Estimate,
    /// The loss: the gap; 0 if the strong bot sometimes plays this action too, or if the gap may be a sampling
    /// error.
    pub loss: f64,
    /// The reason for the loss, if any.
    pub reason: Option<Reason>,
}

/// One option of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionValue {
    /// The action.
    pub action: Action,
    /// The probability that the strong bot plays it.
    pub share: f64,
    /// The winning chance of the seat after this action. A win shared by n seats counts as 1/n.
    pub win: Estimate,
    /// For a bid, the chance that it takes its jewel.
    pub take: Option<f64>,
}

/// An event of the game after which the winning chances are estimated.
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

/// The winning chances after a step, with all hands and decks visible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChanceMoment {
    /// The number of actions so far.
    pub at: u16,
    /// The stage.
    pub stage: Stage,
    /// The round within the stage.
    pub round: Round,
    /// The event after which the chances are estimated.
    #[serde(flatten)]
    pub step: ChanceStep,
    /// The winning chance of each seat. The chances add up to 1.
    pub chances: Vec<Estimate>,
}

/// The parts of a player's result: `deal + others + own` equals `result` minus an even share (1/n with n players).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatAnalysis {
    /// The seat.
    pub seat: Seat,
    /// The player's share of the win. If the game was not played to its end, the last winning chance.
    pub result: f64,
    /// The part that is due to the decks and the draws.
    pub deal: Estimate,
    /// The part that is due to the decisions of the other players.
    pub others: Estimate,
    /// The part that is due to the player's own decisions, compared with the decisions of the strong bot.
    pub own: Estimate,
    /// The number of decisions with more than one option.
    pub decisions: u32,
    /// The average loss per decision.
    pub mean_loss: Estimate,
    /// The quality of the decisions from 0 to 100, computed from the average loss.
    pub accuracy: f64,
    /// The indices in [`Analysis::decisions`] of the decisions with the greatest losses, the worst first.
    pub worst: Vec<usize>,
}

/// A coach's hint to a seat, made only from the information that the seat has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    /// All legal actions.
    pub options: Vec<OptionValue>,
    /// The index in `options` of the recommended action: the most frequent choice of the strong bot.
    pub best: usize,
    /// The index in `options` of an alternative: the second most frequent choice of the strong bot, or else the option
    /// with the highest winning chance.
    pub instead: Option<usize>,
    /// Why the recommended action is better than the alternative.
    pub reason: Option<Reason>,
}

/// The cards that another seat may have in hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MayHold {
    /// The seat.
    pub seat: Seat,
    /// The values that the seat has not played yet, in rising order.
    pub cards: Vec<HeldCard>,
}

/// A value that a seat has not played yet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldCard {
    /// The card.
    pub card: MoneyCard,
    /// The number of unplayed cards of this value.
    pub left: u8,
    /// The probability that the seat has at least one of these cards in hand, not in its deck or face down on a
    /// cushion.
    pub chance: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(number: u8) -> Seat {
        Seat::new(number).unwrap()
    }

    /// An analysis with the moments of the first `action_count` actions of a game with three players. (With three
    /// players a round has 4 actions, a stage 20, and a game 60.)
    fn analysis_after(action_count: u16) -> Analysis {
        let players = Players::new(3).unwrap();
        let mut analysis = Analysis::of(players, vec![String::new(); 3], 7);
        let moment = |at: u16, step| {
            let (stage, round) = Parameters::of(players).stage_and_round(u8::try_from(at / 4).unwrap());
            ChanceMoment { at, stage, round, step, chances: Vec::new() }
        };
        // All actions may be the same: `round_ends` looks only at their number.
        let action = ChanceStep::Action { seat: seat(0), action: "1@1".parse().unwrap() };
        analysis.moments = vec![moment(0, ChanceStep::Start), moment(0, ChanceStep::Deal), moment(0, ChanceStep::Draw)];
        for at in 1..=action_count {
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
        // For each finished round its stage and number, and the numbers of actions before and after its last action.
        let ends_after = |action_count: u16| {
            let analysis = analysis_after(action_count);
            let ends = analysis.round_ends();
            ends.map(|(before, after)| (before.stage.0, before.round.0, before.at, after.at)).collect::<Vec<_>>()
        };
        for action_count in 0..4 {
            assert_eq!(ends_after(action_count), [], "{action_count}");
        }
        for action_count in 8..12 {
            assert_eq!(ends_after(action_count), [(1, 1, 3, 4), (1, 2, 7, 8)], "{action_count}");
        }
        assert_eq!(
            ends_after(20).last(),
            Some(&(1, 5, 19, 20)),
            "the moment after the action, not after the next deal"
        );
        // The last action of the game ends the fifteenth round.
        assert_eq!((ends_after(59).len(), ends_after(60).len()), (14, 15));
    }

    #[test]
    fn worst_decisions_are_found_by_index_and_unknown_indices_are_skipped() {
        let mut analysis = analysis_after(0);
        // Only `at` matters, by which the test recognizes a decision.
        let decision_after = |at: u16| Decision {
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
        analysis.decisions = (10..14).map(decision_after).collect();
        analysis.seats = vec![summary(0, vec![]), summary(1, vec![3, 0, 9])];
        let worst = |number: u8| analysis.worst_decisions(seat(number)).map(|decision| decision.at).collect::<Vec<_>>();
        assert_eq!(worst(1), [13, 10], "decisions 3 and 0; decision 9 does not exist");
        assert_eq!((worst(0), worst(2)), (vec![], vec![]), "seat 0 has no worst decisions, seat 2 has no summary");
    }

    #[test]
    fn analysis_of_another_format_or_version_is_rejected() {
        let json = serde_json::to_string(&analysis_after(5)).unwrap();
        assert!(json.starts_with(r#"{"format":"sultan-analysis","version":1,"seed":7,"#), "{json}");
        assert_eq!(serde_json::from_str::<Analysis>(&json).unwrap(), analysis_after(5));
        for (valid, invalid, expected) in [
            ("sultan-analysis", "sultan-record", "its format is not “sultan-analysis”"),
            (r#""version":1"#, r#""version":2"#, "an analysis of version 2; this program reads version 1"),
            (r#""format":"sultan-analysis","#, "", "missing field `format`"),
            (r#""version":1,"#, "", "missing field `version`"),
        ] {
            let error = serde_json::from_str::<Analysis>(&json.replacen(valid, invalid, 1)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
