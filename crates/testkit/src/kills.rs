//! A server that is killed again and again while people play at it: nothing it acknowledged may be lost or done twice.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use sultan_domain::{Chance, Record};
use sultan_rules::{Quick, verify};
use tokio::time::{sleep, timeout};

use crate::http::{Answer, Connection, Events, any_legal, field};
use crate::server::Server;

/// What came of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Survived {
    /// How often the server was killed.
    pub kills: u32,
    /// Games that came to their end.
    pub games: usize,
    /// Actions that were acknowledged, all of which are in their game's record.
    pub actions: usize,
}

/// An action that was acknowledged.
#[derive(Clone, Debug)]
pub(crate) struct Acknowledged {
    pub(crate) at: usize,
    pub(crate) action: String,
}

/// What the tasks share.
struct Shared {
    address: SocketAddr,
    over: AtomicBool,
    survived: Mutex<Survived>,
}

/// How long a game may stand still before that is a fault.
const STUCK: Duration = Duration::from_mins(1);

/// Plays at so many tables while the server is killed so many times at random moments.
///
/// # Errors
/// When something acknowledged is missing, a game does not go on, or a record does not hold.
pub async fn survive(binary: &Path, db: &str, tables: u64, kills: u32) -> Result<Survived> {
    let mut server = Server::start(binary, db, &[]).await?;
    let (address, over) = (server.address, AtomicBool::new(false));
    let shared = Arc::new(Shared { address, over, survived: Mutex::default() });
    let players: Vec<_> =
        (0..tables).map(|number| tokio::spawn(play(Arc::clone(&shared), Quick::new(number)))).collect();
    let mut chance = Quick::new(u64::from(kills));
    for _ in 0..kills {
        sleep(Duration::from_millis(20 + u64::from(chance.below(300)))).await;
        server.kill().await?;
        server.restart().await?;
    }
    shared.over.store(true, Ordering::Relaxed);
    for player in players {
        player.await??;
    }
    let mut survived = *shared.survived.lock().unwrap_or_else(PoisonError::into_inner);
    survived.kills = kills;
    Ok(survived)
}

/// Plays games at one table after the other, and checks each.
async fn play(shared: Arc<Shared>, mut chance: Quick) -> Result<()> {
    while !shared.over.load(Ordering::Relaxed) {
        // Who loses the answer to opening or sitting down has no token: that table is nobody's.
        let Ok((table, tokens)) = open(shared.address, &mut chance).await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        let mut seats = Vec::new();
        for (seat, token) in tokens {
            let chance = Quick::new(u64::from(chance.below(u32::MAX)));
            seats.push(tokio::spawn(play_seat(shared.address, table.clone(), seat, token, chance)));
        }
        let mut acknowledged = Vec::new();
        for seat in seats {
            acknowledged.extend(seat.await?.with_context(|| format!("table {table}"))?);
        }
        check(shared.address, &table, &acknowledged).await.with_context(|| format!("table {table}"))?;
        let mut survived = shared.survived.lock().unwrap_or_else(PoisonError::into_inner);
        survived.games += 1;
        survived.actions += acknowledged.len();
    }
    Ok(())
}

/// Opens a table for some people and some bots. Gives the people's seats and tokens.
pub(crate) async fn open(address: SocketAddr, chance: &mut Quick) -> Result<(String, Vec<(String, String)>)> {
    let mut connection = Connection::open(address).await?;
    let players = 2 + chance.below(4);
    let people = 1 + chance.below(players);
    let seat = |number| if number < people { r#"{"human":true}"# } else { r#"{"bot":"merchant"}"# };
    let seats: Vec<&str> = (0..players).map(seat).collect();
    let body = format!(r#"{{"players":{players},"seats":[{}]}}"#, seats.join(","));
    let opened = connection.ask("POST", "/api/v1/tables", None, &body).await?;
    let told = |answer: &Answer, name: &str| field(&answer.body, name).map(ToOwned::to_owned).context("no table");
    let table = told(&opened, "table")?;
    let mut tokens = vec![(told(&opened, "seat")?, told(&opened, "token")?)];
    for _ in 1..people {
        let seated = connection.ask("POST", &format!("/api/v1/tables/{table}/seats"), None, "{}").await?;
        tokens.push((told(&seated, "seat")?, told(&seated, "token")?));
    }
    Ok((table, tokens))
}

/// Plays one seat to the end of the game, however often the server goes away. Gives what was acknowledged.
async fn play_seat(
    address: SocketAddr,
    table: String,
    seat: String,
    token: String,
    mut chance: Quick,
) -> Result<Vec<Acknowledged>> {
    let mut acknowledged = Vec::new();
    let path = format!("/api/v1/tables/{table}/actions");
    loop {
        let mut events = timeout(STUCK, watched(address, &table, &token)).await.context("no stream opens")?;
        while let Ok(event) = timeout(STUCK, events.next()).await.context("the game stands still")? {
            let view = event.data;
            if field(&view, "phase") == Some("over") {
                return Ok(acknowledged);
            }
            if field(&view, "to_act") == Some(&seat) {
                let action = any_legal(&view, &mut chance)?;
                let at = field(&view, "at").context("a view has an `at`")?.parse()?;
                let body = format!(r#"{{"action":"{action}","at":{at}}}"#);
                insist(address, &path, &token, &body).await?;
                acknowledged.push(Acknowledged { at, action });
            }
        }
    }
}

/// A stream of what a seat sees, as soon as the server is there.
async fn watched(address: SocketAddr, table: &str, token: &str) -> Events {
    loop {
        match Events::open(address, table, Some(token), None).await {
            Ok(events) => return events,
            Err(_) => sleep(Duration::from_millis(10)).await,
        }
    }
}

/// Sends an action until it is acknowledged.
async fn insist(address: SocketAddr, path: &str, token: &str, body: &str) -> Result<()> {
    let answer = answered(address, "POST", path, Some(token), body).await?;
    ensure!(answer.status == 200, "{body}: {} {}", answer.status, answer.body);
    Ok(())
}

/// Asks until the server says yes or no.
async fn answered(address: SocketAddr, method: &str, path: &str, token: Option<&str>, body: &str) -> Result<Answer> {
    let asked = async {
        loop {
            let asked = async { Connection::open(address).await?.ask(method, path, token, body).await };
            match asked.await {
                Ok(answer) if answer.status != 503 => return answer,
                Ok(_) | Err(_) => sleep(Duration::from_millis(10)).await,
            }
        }
    };
    timeout(STUCK, asked).await.with_context(|| format!("no answer to {method} {path}"))
}

/// Every acknowledged action is in the record, in its place, and the record holds.
pub(crate) async fn check(address: SocketAddr, table: &str, acknowledged: &[Acknowledged]) -> Result<()> {
    let path = format!("/api/v1/tables/{table}/record");
    let answer = answered(address, "GET", &path, None, "").await?;
    ensure!(answer.status == 200, "no record: {} {}", answer.status, answer.body);
    let record = Record::from_json(&answer.body)?;
    for Acknowledged { at, action } in acknowledged {
        let stored = record.actions.get(*at).map(ToString::to_string);
        ensure!(stored.as_ref() == Some(action), "{action} at {at} was acknowledged, but {stored:?} is stored");
    }
    let verdict = verify(&record);
    ensure!(verdict.faults.is_empty(), "the record does not hold: {:?}", verdict.faults);
    ensure!(verdict.replay.is_some_and(|replay| replay.game.outcome().is_some()), "the record has no end");
    Ok(())
}
