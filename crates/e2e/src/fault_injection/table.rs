//! Opens a table on a random node and plays a game with players, spectators and bots.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use serde_json::json;
use sultan_domain::{Chance, Kind, Person, PlayerColour, Screens};
use sultan_rules::FastRng;
use tokio::task::JoinSet;

use super::history::{History, OpenedTable};
use super::participant::Participant;
use super::run_state::{RunState, TableRun, retry_delay};
use sultan_testkit::http::{Answer, field};

/// A seat and its token.
type SeatWithToken = (u8, String);

/// The result of one table.
#[derive(Debug)]
pub(super) struct PlayedTable {
    pub(super) history: History,
    /// The record, if the table has one.
    pub(super) record: Option<String>,
}

/// Plays a game at a new table; `None` if the table could not be opened or not all players could sit down.
pub(super) async fn play(state: &Arc<RunState>, rng: &mut FastRng) -> Option<PlayedTable> {
    // Without the response to opening or sitting down there is no token: abandon this table.
    let Ok((opened, seats)) = open(state, rng).await else {
        retry_delay(rng).await;
        return None;
    };
    let (has_absences, is_left_early) = (opened.has_absences, opened.is_left_early);
    let table = Arc::new(TableRun::new(Arc::clone(state), History { table: opened, ..History::default() }));
    let mut participants = JoinSet::new();
    for (number, seat) in seats.into_iter().enumerate() {
        let participant = Participant::new(&table, Some(seat), split_rng(rng));
        // The first player stays, so that the game continues.
        participants.spawn(if has_absences && number > 0 { participant.with_breaks() } else { participant }.play());
    }
    for _ in 0..rng.below(3) {
        participants.spawn(Participant::new(&table, None, split_rng(rng)).play());
    }
    while let Some(participant) = participants.join_next().await {
        // A panic is a fault of the server or of the test.
        participant.expect("the task does not panic");
    }
    let record = fetch_record(&table, rng, is_left_early).await;
    let history = std::mem::take(&mut *table.history());
    Some(PlayedTable { history, record })
}

/// A new random generator, with a seed from this generator.
fn split_rng(rng: &mut FastRng) -> FastRng {
    FastRng::new(u64::from(rng.below(u32::MAX)))
}

/// The record of a finished game, from any node. Retries after 403: that node has not yet
/// received the end of the game.
async fn fetch_record(table: &TableRun, rng: &mut FastRng, is_left_early: bool) -> Option<String> {
    let path = table.path("/record");
    while !table.state.is_over() {
        let answer = table.state.request_until_answered(rng, ("GET", &path), None, "").await?;
        match answer.status {
            200 => return Some(answer.body),
            403 => retry_delay(rng).await,
            // A table without a game has no record.
            _ => return None,
        }
        if is_left_early {
            retry_delay(rng).await;
        }
    }
    None
}

/// Opens a table for a random number of players and bots. Returns the seats and tokens of the players, the host first.
async fn open(state: &RunState, rng: &mut FastRng) -> Result<(OpenedTable, Vec<SeatWithToken>)> {
    let players = 2 + rng.below(4);
    let humans = 1 + rng.below(players);
    // A quarter of the tables has an even pace, three eighths have a time limit.
    let (seconds, even_pace) = match rng.below(8) {
        0 => (Some(1 + rng.below(2)), true),
        1 => (None, true),
        2 | 3 => (Some(2 + rng.below(3)), false),
        _ => (None, false),
    };
    let screens = if rng.below(3) == 0 { Screens::Open } else { Screens::Closed };
    let seat_plan = |number| if number < humans { r#"{"human":true}"# } else { r#"{"bot":"merchant"}"# };
    let seats: Vec<&str> = (0..players).map(seat_plan).collect();
    let seconds_json = seconds.map_or("null".to_owned(), |seconds| seconds.to_string());
    let body = format!(
        r#"{{"players":{players},"seats":[{}],"screens":{},"seconds_per_action":{seconds_json},"even_pace":{even_pace},{}}}"#,
        seats.join(","),
        json!(screens),
        sitting_fields(0)
    );
    let answer = state.request(state.random_node(rng), ("POST", "/api/v1/tables"), None, &body).await?;
    let (id, commitment) = (created_field(&answer, "table")?, created_field(&answer, "commitment")?);
    let mut tokens = vec![seat_and_token(&answer)?];
    for number in 1..humans {
        let path = format!("/api/v1/tables/{id}/seats");
        let answer = state
            .request(state.random_node(rng), ("POST", &path), None, &format!("{{{}}}", sitting_fields(number)))
            .await?;
        tokens.push(seat_and_token(&answer)?);
    }
    let opened = OpenedTable {
        id,
        people: occupants(players, &tokens)?,
        commitment,
        host: tokens[0].0,
        screens,
        seconds,
        has_even_pace: even_pace,
        has_absences: !even_pace && humans > 1 && rng.below(4) == 0,
        // With an even pace, a whole game would take longer than the run.
        is_left_early: even_pace || state.leaves_early,
    };
    Ok((opened, tokens))
}

/// The JSON fields of the player with this number, for opening a table or sitting down.
fn sitting_fields(number: u32) -> String {
    let colour = json!(colour(number));
    format!(r#""name":"Person {number}","colour":{colour},"client_seed":"seed {number}""#)
}

/// The colour that the player with this number chooses. The order is the reverse of that in which the server assigns
/// colours, so that a lost choice is noticed.
fn colour(number: u32) -> PlayerColour {
    PlayerColour::ALL[4 - number as usize]
}

/// A field of a response with status 201.
fn created_field(answer: &Answer, name: &str) -> Result<String> {
    ensure!(answer.status == 201, "{}: {}", answer.status, answer.body);
    field(&answer.body, name).map(ToOwned::to_owned).with_context(|| format!("no {name} in {}", answer.body))
}

fn seat_and_token(answer: &Answer) -> Result<SeatWithToken> {
    Ok((created_field(answer, "seat")?.parse()?, created_field(answer, "token")?))
}

/// The expected occupants of all seats: players with their chosen colours, bots with the remaining ones.
fn occupants(players: u32, humans: &[SeatWithToken]) -> Result<Vec<Person>> {
    let taken: Vec<PlayerColour> = (0..).take(humans.len()).map(colour).collect();
    let mut free = PlayerColour::ALL.into_iter().filter(|colour| !taken.contains(colour));
    let mut people = Vec::new();
    for seat in 0..players {
        let human = humans.iter().zip(0..).find(|((human_seat, _), _)| u32::from(*human_seat) == seat);
        people.push(match human {
            Some((_, number)) => Person { name: format!("Person {number}"), colour: colour(number), kind: Kind::Human },
            None => Person {
                name: "merchant".to_owned(),
                colour: free.next().context("no colour is left")?,
                kind: Kind::Bot("merchant".to_owned()),
            },
        });
    }
    Ok(people)
}
