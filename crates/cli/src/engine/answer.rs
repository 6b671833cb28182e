//! Answers one line: parses the question, a view with the finished rounds of its game (the history), and lets the bot
//! choose an action.

use serde::{Deserialize, Deserializer, Serialize, de::IgnoredAny};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use sultan_bots::{Bot, WeighedAction, pick};
use sultan_domain::{Action, Legal, Recall, RoundRecord, Seat, View, ViewPhase};
use sultan_rules::{Contradiction, FastRng, imagine};
use thiserror::Error;

use crate::format;

/// Answers questions with the actions of a bot.
pub(super) struct Engine {
    pub(super) bot: Box<dyn Bot>,
    /// The seed of the bot's random choices.
    pub(super) seed: u64,
}

/// A parsed line. Its fields are parsed later, so that the `id` is known even if another field is invalid.
#[derive(Deserialize)]
struct Question<'a> {
    /// Any JSON value, repeated in the answer.
    #[serde(borrow, default, deserialize_with = "some_raw_value")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    view: Option<&'a RawValue>,
    #[serde(borrow)]
    history: Option<&'a RawValue>,
}

/// Parses a field that is present, even if it is `null`. (By default serde turns `null` into `None`, as if the field
/// were missing.)
fn some_raw_value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// The chosen action, and the bot's evaluation of all legal actions.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    action: Action,
    values: Vec<WeighedAction>,
}

/// An answer without an action.
#[derive(Serialize)]
struct Refusal<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    error: &'a str,
}

/// The reason why a line cannot be answered with an action.
#[derive(Debug, Error)]
enum BadQuestion {
    #[error("the line is empty")]
    Empty,
    /// The number of valid bytes at the start of the line.
    #[error("not UTF-8 from byte {} on", .0 + 1)]
    NotUtf8(usize),
    #[error("not JSON: {0}")]
    NotJson(serde_json::Error),
    #[error("a question is a JSON object with a `view`")]
    NoObject,
    #[error("the question cannot be read: {0}")]
    Fields(serde_json::Error),
    #[error("`view` cannot be read: {0}")]
    View(serde_json::Error),
    #[error("`history` cannot be read: {0}")]
    History(serde_json::Error),
    #[error("`history` contains round {round} of stage {stage} twice")]
    RepeatedRound { stage: u8, round: u8 },
    #[error("`history` has more rounds than a game")]
    TooManyRounds,
    #[error("the view is a spectator's, which has no turn")]
    Spectator,
    #[error("the game is over")]
    GameOver,
    #[error("the jewels of the round are not drawn yet")]
    NotDrawn,
    #[error("it is not the viewer's turn, but that of seat {0}")]
    NotViewersTurn(Seat),
    #[error("no game can look like this: {0}")]
    Contradiction(#[from] Contradiction),
    /// The name of the bot.
    #[error("the bot {0} found no action")]
    NoAnswer(&'static str),
}

/// An answer without an action, as one line of JSON.
pub(super) fn refusal(id: Option<&RawValue>, error: &str) -> String {
    to_line(&Refusal { id, error: &format::one_line(error) })
}

/// Writes an answer as one line of JSON.
fn to_line(answer: &impl Serialize) -> String {
    let text = serde_json::to_string(answer).expect("every answer can be serialized");
    // The `id` is copied with its whitespace, which may contain carriage returns. Some readers take them for line
    // breaks.
    text.replace('\r', " ")
}

impl Engine {
    /// Answers one line, given without its line break.
    pub(super) fn answer(&self, line: &[u8], stop: &dyn Fn() -> bool) -> String {
        let question = match parse_question(line) {
            Ok(question) => question,
            Err(error) => return refusal(None, &error.to_string()),
        };
        match self.choose_action(&question, stop) {
            Ok(answer) => to_line(&answer),
            Err(error) => refusal(question.id, &error.to_string()),
        }
    }

    /// Lets the bot choose an action.
    fn choose_action<'a>(&self, question: &Question<'a>, stop: &dyn Fn() -> bool) -> Result<Answer<'a>, BadQuestion> {
        let text = question.view.filter(|view| is_object(view.get())).ok_or(BadQuestion::NoObject)?;
        let view: View = serde_json::from_str(text.get()).map_err(BadQuestion::View)?;
        let recall = parse_recall(&view, question.history)?;
        check_turn(&view)?;
        let mut rng = self.rng(&view, &recall);
        // Bots cannot handle contradictory positions, so reject views that no possible game has. The check
        // uses a copy of the generator, so that it does not change the random choices of the bot.
        imagine(&view, &recall, &mut rng.clone())?;
        let weighed = self.bot.weigh(&view, &recall, &mut rng, stop);
        let no_answer = || BadQuestion::NoAnswer(self.bot.name());
        let values = rounded(&weighed, view.legal()).ok_or_else(no_answer)?;
        let action = pick(&values, &mut rng).ok_or_else(no_answer)?;
        Ok(Answer { id: question.id, action, values })
    }

    /// The random generator for one answer. It depends on the seed, the view and the history, but neither on earlier
    /// questions nor on the names of the players.
    fn rng(&self, view: &View, recall: &Recall) -> FastRng {
        let rounds = serde_json::to_string(recall.rounds()).expect("rounds can be written");
        // The prefix tells this hash apart from the other hashes of the program.
        let prefix = Sha256::new_with_prefix(b"sultan-engine/1/").chain_update(self.seed.to_le_bytes());
        let bytes: [u8; 32] = prefix.chain_update(format!("[{},{rounds}]", view.to_json(&[], None))).finalize().into();
        FastRng::new(u64::from_le_bytes(bytes[..8].try_into().expect("8 of the 32 bytes")))
    }
}

fn parse_question(line: &[u8]) -> Result<Question<'_>, BadQuestion> {
    let text = std::str::from_utf8(line).map_err(|error| BadQuestion::NotUtf8(error.valid_up_to()))?;
    // Some programs write a byte order mark before the first line.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(BadQuestion::Empty);
    }
    let json: &RawValue = serde_json::from_str(text).map_err(BadQuestion::NotJson)?;
    if !is_object(json.get()) {
        return Err(BadQuestion::NoObject);
    }
    serde_json::from_str(json.get()).map_err(BadQuestion::Fields)
}

/// Returns whether this valid JSON is an object. It has no leading white space, because `RawValue` removes it.
fn is_object(json: &str) -> bool {
    json.starts_with('{')
}

/// The finished rounds of the history in order of play, and the view's last round if the history does not have it.
fn parse_recall(view: &View, history: Option<&RawValue>) -> Result<Recall, BadQuestion> {
    let stage_and_round = |round: &RoundRecord| (round.stage, round.round);
    let mut rounds = match history {
        Some(history) => parse_finished_rounds(history).map_err(BadQuestion::History)?,
        None => Vec::new(),
    };
    rounds.sort_by_key(stage_and_round);
    if let Some(two) = rounds.windows(2).find(|two| stage_and_round(&two[0]) == stage_and_round(&two[1])) {
        return Err(BadQuestion::RepeatedRound { stage: two[0].stage.0, round: two[0].round.0 });
    }
    if let Some(last_round) = view.last_round
        && let Err(index) = rounds.binary_search_by_key(&stage_and_round(&last_round), stage_and_round)
    {
        rounds.insert(index, last_round);
    }
    let max_rounds = usize::from(view.parameters.rounds());
    Recall::of(rounds).filter(|recall| recall.rounds().len() <= max_rounds).ok_or(BadQuestion::TooManyRounds)
}

/// Parses the finished rounds, which are those with winners. Unfinished rounds are skipped unparsed, because a seat
/// cannot know all their fields.
fn parse_finished_rounds(history: &RawValue) -> serde_json::Result<Vec<RoundRecord>> {
    #[derive(Deserialize)]
    struct Winners {
        winners: Option<IgnoredAny>,
    }
    let mut rounds = Vec::new();
    for text in serde_json::from_str::<Vec<&RawValue>>(history.get())? {
        let Winners { winners } = serde_json::from_str(text.get())?;
        if winners.is_some() {
            rounds.push(serde_json::from_str(text.get())?);
        }
    }
    Ok(rounds)
}

/// Checks that the viewer is the seat to act.
fn check_turn(view: &View) -> Result<(), BadQuestion> {
    let seat = view.observer.seat().ok_or(BadQuestion::Spectator)?;
    match view.to_act {
        None if view.phase == ViewPhase::Over => Err(BadQuestion::GameOver),
        None => Err(BadQuestion::NotDrawn),
        Some(to_act) if to_act != seat => Err(BadQuestion::NotViewersTurn(to_act)),
        Some(_) => Ok(()),
    }
}

/// The bot's evaluation in the order of the legal actions, rounded to six decimals. The shares still add up to 1: each
/// is the difference of two consecutive rounded sums. `None` if the bot did not weigh exactly the legal actions.
fn rounded(weighed: &[WeighedAction], legal: Legal) -> Option<Vec<WeighedAction>> {
    const UNITS: f64 = 1e6;
    let sum: f64 = weighed.iter().map(|option| option.share).sum();
    let is_valid = |option: &WeighedAction| option.share.is_finite() && option.share >= 0.0 && option.win.is_finite();
    // A sum that is not normal is 0 or infinite (or too small to divide by).
    if weighed.len() != legal.len() as usize || !weighed.iter().all(is_valid) || !sum.is_normal() {
        return None;
    }
    let (mut exact_sum, mut rounded_sum) = (0.0, 0.0);
    let mut values = Vec::with_capacity(weighed.len());
    for action in legal.iter() {
        let option = weighed.iter().find(|option| option.action == action)?;
        exact_sum += option.share / sum;
        let next_rounded_sum = (exact_sum * UNITS).round();
        let win = (option.win.clamp(0.0, 1.0) * UNITS).round() / UNITS;
        values.push(WeighedAction { action, share: (next_rounded_sum - rounded_sum) / UNITS, win });
        rounded_sum = next_rounded_sum;
    }
    Some(values)
}
