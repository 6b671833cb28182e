//! Answers one line: parses a view and its history, and lets the bot choose an action.

use serde::{Deserialize, Deserializer, Serialize, de::IgnoredAny};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use sultan_bots::{Bot, WeighedAction, pick};
use sultan_domain::{Action, Legal, Recall, RoundRecord, Seat, View, ViewPhase};
use sultan_rules::{Contradiction, Quick, imagine};
use thiserror::Error;

use crate::format;

/// A bot and the seed of its random choices.
pub(super) struct Engine {
    pub(super) bot: Box<dyn Bot>,
    /// The random seed.
    pub(super) seed: u64,
}

/// A parsed line. Its fields are parsed later, so that the `id` is known even if another field is invalid.
#[derive(Deserialize)]
struct Question<'a> {
    #[serde(borrow, default, deserialize_with = "raw_value")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    view: Option<&'a RawValue>,
    #[serde(borrow)]
    history: Option<&'a RawValue>,
}

/// Distinguishes `null` from a missing field.
fn raw_value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    action: Action,
    values: Vec<WeighedAction>,
}

#[derive(Serialize)]
struct Refusal<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    error: &'a str,
}

/// The reason why a line cannot be answered with an action.
#[derive(Debug, Error)]
enum Refused {
    #[error("the line is empty")]
    Empty,
    #[error("not UTF-8 from byte {} on", .0 + 1)]
    NotText(usize),
    #[error("not JSON: {0}")]
    NotJson(serde_json::Error),
    #[error("a question is a JSON object with a `view`")]
    NoQuestion,
    #[error("the question cannot be read: {0}")]
    Question(serde_json::Error),
    #[error("`view` cannot be read: {0}")]
    View(serde_json::Error),
    #[error("`history` cannot be read: {0}")]
    History(serde_json::Error),
    #[error("`history` contains round {round} of stage {stage} twice")]
    Twice { stage: u8, round: u8 },
    #[error("`history` has more rounds than a game")]
    TooManyRounds,
    #[error("the view is a spectator's, which has no turn")]
    Spectator,
    #[error("the game is over")]
    Over,
    #[error("the jewels of the round are not drawn yet")]
    NotDrawn,
    #[error("it is not the viewer's turn, but that of seat {0}")]
    NotItsTurn(Seat),
    #[error("no game can look like this: {0}")]
    Contradiction(#[from] Contradiction),
    #[error("the bot {0} found no action")]
    NoAnswer(&'static str),
}

/// The answer to a line that cannot be answered with an action.
pub(super) fn refusal(id: Option<&RawValue>, error: &str) -> String {
    to_line(&Refusal { id, error: &format::one_line(error) })
}

fn to_line(answer: &impl Serialize) -> String {
    let text = serde_json::to_string(answer).expect("every answer can be serialized");
    // An `id` is echoed unchanged, including whitespace. But some readers take a carriage return, which is only
    // whitespace in JSON, for a line break.
    if text.contains('\r') { text.replace('\r', " ") } else { text }
}

impl Engine {
    /// Answers one line, given without its line break.
    pub(super) fn answer(&self, line: &[u8], stop: &dyn Fn() -> bool) -> String {
        let question = match question(line) {
            Ok(question) => question,
            Err(error) => return refusal(None, &error.to_string()),
        };
        match self.act(&question, stop) {
            Ok((action, values)) => to_line(&Answer { id: question.id, action, values }),
            Err(error) => refusal(question.id, &error.to_string()),
        }
    }

    fn act(&self, question: &Question, stop: &dyn Fn() -> bool) -> Result<(Action, Vec<WeighedAction>), Refused> {
        let text = question.view.filter(|view| is_object(view.get())).ok_or(Refused::NoQuestion)?;
        let view: View = serde_json::from_str(text.get()).map_err(Refused::View)?;
        let recall = parse_recall(&view, question.history)?;
        check_turn(&view)?;
        let mut rng = self.rng(&view, &recall);
        // Reject contradictory positions here, for all bots alike: a bot could not handle them.
        imagine(&view, &recall, &mut rng.clone())?;
        let weighed = self.bot.weigh(&view, &recall, &mut rng, stop);
        let no_answer = || Refused::NoAnswer(self.bot.name());
        let weighed = rounded(&weighed, view.legal()).ok_or_else(no_answer)?;
        let action = pick(&weighed, &mut rng).ok_or_else(no_answer)?;
        Ok((action, weighed))
    }

    /// The random generator for one answer. It depends on the seed, the view and the history, but neither on earlier
    /// questions nor on the names of the players.
    fn rng(&self, view: &View, recall: &Recall) -> Quick {
        let rounds = serde_json::to_string(recall.rounds()).expect("rounds can be written");
        let mut hash = Sha256::new();
        hash.update(b"sultan-engine/1/");
        hash.update(self.seed.to_le_bytes());
        hash.update(format!("[{},{rounds}]", view.to_json(&[], None)));
        let bytes: [u8; 32] = hash.finalize().into();
        Quick::new(u64::from_le_bytes(bytes[..8].try_into().expect("32 bytes have 8 first ones")))
    }
}

fn question(line: &[u8]) -> Result<Question<'_>, Refused> {
    let text = std::str::from_utf8(line).map_err(|error| Refused::NotText(error.valid_up_to()))?;
    // Some programs write a byte order mark before the first line.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Refused::Empty);
    }
    let json: &RawValue = serde_json::from_str(text).map_err(Refused::NotJson)?;
    if !is_object(json.get()) {
        return Err(Refused::NoQuestion);
    }
    serde_json::from_str(json.get()).map_err(Refused::Question)
}

fn is_object(text: &str) -> bool {
    text.starts_with('{')
}

/// The finished rounds of the history, sorted in order of play; the view's last round is included.
fn parse_recall(view: &View, history: Option<&RawValue>) -> Result<Recall, Refused> {
    let clock = |round: &RoundRecord| (round.stage, round.round);
    let mut rounds = history.map_or(Ok(Vec::new()), |history| finished(history).map_err(Refused::History))?;
    rounds.sort_by_key(clock);
    if let Some(two) = rounds.windows(2).find(|two| clock(&two[0]) == clock(&two[1])) {
        return Err(Refused::Twice { stage: two[0].stage.0, round: two[0].round.0 });
    }
    if let Some(last) = view.last_round
        && let Err(place) = rounds.binary_search_by_key(&clock(&last), clock)
    {
        rounds.insert(place, last);
    }
    let most = usize::from(view.parameters.rounds());
    Recall::of(rounds).filter(|recall| recall.rounds().len() <= most).ok_or(Refused::TooManyRounds)
}

/// Parses the finished rounds. Unfinished rounds are skipped unparsed, because a seat cannot know all their fields.
fn finished(history: &RawValue) -> serde_json::Result<Vec<RoundRecord>> {
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

fn check_turn(view: &View) -> Result<(), Refused> {
    let seat = view.observer.seat().ok_or(Refused::Spectator)?;
    match view.to_act {
        None if view.phase == ViewPhase::Over => Err(Refused::Over),
        None => Err(Refused::NotDrawn),
        Some(to_act) if to_act != seat => Err(Refused::NotItsTurn(to_act)),
        Some(_) => Ok(()),
    }
}

/// The weights of the bot in the order of the legal actions, rounded to six decimals. The shares still add up to 1:
/// each is the difference of two consecutive rounded sums. `None` if the bot did not weigh exactly the legal actions.
fn rounded(weighed: &[WeighedAction], legal: Legal) -> Option<Vec<WeighedAction>> {
    const DIGITS: f64 = 1e6;
    let sum: f64 = weighed.iter().map(|one| one.share).sum();
    let right = |one: &WeighedAction| one.share.is_finite() && one.share >= 0.0 && one.win.is_finite();
    if weighed.len() != legal.len() as usize || !weighed.iter().all(right) || !sum.is_normal() {
        return None;
    }
    let (mut exact, mut rounded) = (0.0, 0.0);
    let mut values = Vec::with_capacity(weighed.len());
    for action in legal.iter() {
        let one = weighed.iter().find(|one| one.action == action)?;
        exact += one.share / sum;
        let next = (exact * DIGITS).round();
        let win = (one.win.clamp(0.0, 1.0) * DIGITS).round() / DIGITS;
        values.push(WeighedAction { action, share: (next - rounded) / DIGITS, win });
        rounded = next;
    }
    Some(values)
}
