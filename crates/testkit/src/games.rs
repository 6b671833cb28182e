//! Games at a real server that are left in the middle and taken up again, there or where everything was moved to.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use sultan_domain::Chance;
use sultan_rules::Quick;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::http::{Connection, field};
use crate::kills::{Acknowledged, check, open};

/// A game, the tokens of those who play it, and what they were told is done.
#[derive(Clone, Debug)]
pub struct Game {
    /// The table.
    pub table: String,
    /// Seats and their tokens.
    pub tokens: Vec<(String, String)>,
    acknowledged: Vec<Acknowledged>,
}

/// People who play one game after the other at some tables.
#[derive(Debug)]
pub struct Playing {
    games: Arc<Mutex<Vec<Game>>>,
    stop: Arc<AtomicBool>,
    people: Vec<JoinHandle<Result<()>>>,
}

/// Between two actions, so that games last.
const PAUSE: Duration = Duration::from_millis(5);
/// So long a game may stand still.
const STUCK: Duration = Duration::from_mins(1);

impl Playing {
    /// Begins at so many tables.
    #[must_use]
    pub fn start(address: SocketAddr, tables: u64) -> Self {
        let (games, stop) = (Arc::default(), Arc::default());
        let play = |number| tokio::spawn(play(address, Quick::new(number), Arc::clone(&games), Arc::clone(&stop)));
        let people = (0..tables).map(play).collect();
        Self { games, stop, people }
    }

    /// Waits until so many actions were acknowledged.
    ///
    /// # Errors
    /// When that never comes.
    pub async fn until(&self, actions: usize) -> Result<()> {
        let enough = async {
            while self.told().iter().map(Game::actions).sum::<usize>() < actions {
                sleep(PAUSE).await;
            }
        };
        timeout(STUCK, enough).await.context("too little is played")
    }

    /// All games and what was acknowledged until now.
    #[must_use]
    pub fn told(&self) -> Vec<Game> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Everybody stops where they are.
    ///
    /// # Errors
    /// When somebody could not play.
    pub async fn stop(self) -> Result<Vec<Game>> {
        self.stop.store(true, Ordering::Relaxed);
        for person in self.people {
            person.await??;
        }
        Ok(self.games.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

impl Game {
    /// How many actions were acknowledged.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.acknowledged.len()
    }

    /// Plays on to the end with the same tokens, and checks that all that was acknowledged is in the record, and that it holds. Says
    /// whether there was anything left to play.
    ///
    /// # Errors
    /// When something is missing.
    pub async fn finish(&self, address: SocketAddr) -> Result<bool> {
        let mut connection = Connection::open(address).await?;
        let mut chance = Quick::new(7);
        let mut played = false;
        let rest = async {
            while let Some(acted) = step(&mut connection, &self.table, &self.tokens, &mut chance).await? {
                played = true;
                if acted.is_none() {
                    sleep(PAUSE).await;
                }
            }
            anyhow::Ok(())
        };
        timeout(STUCK, rest).await.context("the game stands still")??;
        check(address, &self.table, &self.acknowledged).await.with_context(|| format!("table {}", self.table))?;
        Ok(played)
    }
}

async fn play(
    address: SocketAddr,
    mut chance: Quick,
    games: Arc<Mutex<Vec<Game>>>,
    stop: Arc<AtomicBool>,
) -> Result<()> {
    while !stop.load(Ordering::Relaxed) {
        let (table, tokens) = open(address, &mut chance).await?;
        let mut connection = Connection::open(address).await?;
        let number = {
            let mut games = games.lock().unwrap_or_else(PoisonError::into_inner);
            games.push(Game { table: table.clone(), tokens: tokens.clone(), acknowledged: Vec::new() });
            games.len() - 1
        };
        while !stop.load(Ordering::Relaxed)
            && let Some(acted) = step(&mut connection, &table, &tokens, &mut chance).await?
        {
            if let Some(acted) = acted {
                games.lock().unwrap_or_else(PoisonError::into_inner)[number].acknowledged.push(acted);
            }
            sleep(PAUSE).await;
        }
    }
    Ok(())
}

/// Lets whoever is to act do something. Nothing once the game is over; nobody where a bot is to act.
async fn step(
    connection: &mut Connection,
    table: &str,
    tokens: &[(String, String)],
    chance: &mut Quick,
) -> Result<Option<Option<Acknowledged>>> {
    let path = format!("/api/v1/tables/{table}");
    for (seat, token) in tokens {
        let answer = connection.ask("GET", &path, Some(token), "").await?;
        ensure!(answer.status == 200, "{path}: {} {}", answer.status, answer.body);
        let view = answer.body;
        if field(&view, "phase") == Some("over") {
            return Ok(None);
        }
        if field(&view, "to_act") == Some(seat) {
            let legal = view.split_once("\"legal\":[").map_or("", |(_, rest)| rest.split(']').next().unwrap_or(""));
            let actions: Vec<&str> = legal.split(',').map(|action| action.trim_matches('"')).collect();
            let action = actions[chance.below(u32::try_from(actions.len())?) as usize].to_owned();
            let at = field(&view, "at").context("a view has an `at`")?.parse()?;
            let body = format!(r#"{{"action":"{action}","at":{at}}}"#);
            let answer = connection.ask("POST", &format!("{path}/actions"), Some(token), &body).await?;
            ensure!(answer.status == 200, "{body}: {} {}", answer.status, answer.body);
            return Ok(Some(Some(Acknowledged { at, action })));
        }
    }
    Ok(Some(None))
}
