//! Opens a table on a random node and plays a game with players, spectators and bots.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use serde_json::json;
use sultan_domain::{Chance, Kind as Sitter, Person as Shown, PlayerColour, Screens};
use sultan_rules::Quick;
use tokio::task::JoinSet;

use super::ask::{Place, World, rest};
use super::history::{History, Opened};
use super::person::Person;
use sultan_testkit::http::{Answer, field};

/// A seat and its token.
type Seated = (u8, String);

/// The result of one table.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) history: History,
    /// The record, if the table has one.
    pub(super) record: Option<String>,
}

/// Plays a game at a new table; `None` if the table could not be opened or not all players could sit down.
pub(super) async fn play(world: &Arc<World>, chance: &mut Quick) -> Option<Played> {
    // Without the response to opening or sitting down there is no token: abandon this table.
    let Ok((opened, seats)) = open(world, chance).await else {
        rest(chance).await;
        return None;
    };
    let (absences, ended) = (opened.absences, opened.ended);
    let place = Arc::new(Place::new(Arc::clone(world), History { table: opened, ..History::default() }));
    let mut people = JoinSet::new();
    for (number, seat) in seats.into_iter().enumerate() {
        let person = Person::new(&place, Some(seat), own(chance));
        // The first player stays, so that the game continues.
        people.spawn(if absences && number > 0 { person.restless() } else { person }.play());
    }
    for _ in 0..chance.below(3) {
        people.spawn(Person::new(&place, None, own(chance)).play());
    }
    while let Some(person) = people.join_next().await {
        // A panic is a fault of the server or of the test.
        person.expect("the task does not panic");
    }
    let record = record(&place, chance, ended).await;
    let history = std::mem::take(&mut *place.history());
    Some(Played { history, record })
}

/// A new generator seeded from `chance`.
fn own(chance: &mut Quick) -> Quick {
    Quick::new(u64::from(chance.below(u32::MAX)))
}

/// The record of a finished game, from any node. A node that does not yet know the end responds with 403: retry then.
async fn record(place: &Place, chance: &mut Quick, ended: bool) -> Option<String> {
    let path = place.path("/record");
    while !place.world.is_over() {
        let answer = place.world.insist(chance, ("GET", &path), None, "").await?;
        match answer.status {
            200 => return Some(answer.body),
            403 => rest(chance).await,
            // A table without a game has no record.
            _ => return None,
        }
        if ended {
            rest(chance).await;
        }
    }
    None
}

/// Opens a table for a random number of players and bots. Returns the seats and tokens of the players, the host first.
async fn open(world: &World, chance: &mut Quick) -> Result<(Opened, Vec<Seated>)> {
    let players = 2 + chance.below(4);
    let people = 1 + chance.below(players);
    let (seconds, even_pace) = match chance.below(8) {
        0 => (Some(1 + chance.below(2)), true),
        1 => (None, true),
        2 | 3 => (Some(2 + chance.below(3)), false),
        _ => (None, false),
    };
    let screens = if chance.below(3) == 0 { Screens::Open } else { Screens::Closed };
    let seat = |number| if number < people { r#"{"human":true}"# } else { r#"{"bot":"merchant"}"# };
    let seats: Vec<&str> = (0..players).map(seat).collect();
    let limit = seconds.map_or("null".to_owned(), |seconds| seconds.to_string());
    let body = format!(
        r#"{{"players":{players},"seats":[{}],"screens":{},"seconds_per_action":{limit},"even_pace":{even_pace},{}}}"#,
        seats.join(","),
        json!(screens),
        sitting(0)
    );
    let answer = world.ask(world.any(chance), ("POST", "/api/v1/tables"), None, &body).await?;
    let (id, commitment) = (told(&answer, "table")?, told(&answer, "commitment")?);
    let mut tokens = vec![seated(&answer)?];
    for number in 1..people {
        let path = format!("/api/v1/tables/{id}/seats");
        let answer = world.ask(world.any(chance), ("POST", &path), None, &format!("{{{}}}", sitting(number))).await?;
        tokens.push(seated(&answer)?);
    }
    let opened = Opened {
        id,
        people: shown(players, &tokens)?,
        commitment,
        host: tokens[0].0,
        screens,
        seconds,
        even_pace,
        absences: !even_pace && people > 1 && chance.below(4) == 0,
        // With an even pace, a whole game would take longer than the run.
        ended: even_pace || world.short,
    };
    Ok((opened, tokens))
}

/// The JSON fields for sitting down.
fn sitting(number: u32) -> String {
    let colour = json!(colour(number));
    format!(r#""name":"Person {number}","colour":{colour},"client_seed":"seed {number}""#)
}

fn colour(number: u32) -> PlayerColour {
    // Not the order in which the server assigns colours.
    PlayerColour::ALL[4 - number as usize]
}

fn told(answer: &Answer, name: &str) -> Result<String> {
    ensure!(answer.status == 201, "{}: {}", answer.status, answer.body);
    field(&answer.body, name).map(ToOwned::to_owned).with_context(|| format!("no {name}"))
}

fn seated(answer: &Answer) -> Result<Seated> {
    Ok((told(answer, "seat")?.parse()?, told(answer, "token")?))
}

/// The expected occupants of all seats: players with their chosen colours, bots with the remaining ones.
fn shown(players: u32, people: &[Seated]) -> Result<Vec<Shown>> {
    let taken: Vec<PlayerColour> = (0..).take(people.len()).map(colour).collect();
    let mut free = PlayerColour::ALL.into_iter().filter(|colour| !taken.contains(colour));
    let mut all = Vec::new();
    for seat in 0..players {
        let person = people.iter().zip(0..).find(|((own, _), _)| u32::from(*own) == seat);
        all.push(match person {
            Some((_, number)) => {
                Shown { name: format!("Person {number}"), colour: colour(number), kind: Sitter::Human }
            }
            None => Shown {
                name: "merchant".to_owned(),
                colour: free.next().context("a colour is left")?,
                kind: Sitter::Bot("merchant".to_owned()),
            },
        });
    }
    Ok(all)
}
