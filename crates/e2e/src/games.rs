//! Games on a real server that are interrupted and continued later, also on a copy of its database.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use sultan_rules::FastRng;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::kills::{SentAction, check_record, open_table};
use sultan_testkit::http::{Connection, field, random_legal};

/// A game with the tokens of its players and the actions that the server has acknowledged.
#[derive(Clone, Debug)]
pub struct Game {
    /// The ID of the table.
    pub table: String,
    /// The seats of the players and their tokens.
    pub tokens: Vec<(String, String)>,
    acknowledged: Vec<SentAction>,
}

/// Tasks that play one game after the other.
#[derive(Debug)]
pub struct GameTasks {
    shared: Arc<Shared>,
    tasks: Vec<JoinHandle<Result<()>>>,
}

#[derive(Debug)]
struct Shared {
    address: SocketAddr,
    games: Mutex<Vec<Game>>,
    /// The pause after each action in milliseconds.
    pause_ms: AtomicU64,
    stop: AtomicBool,
}

/// Interval of the checks whether a bot has acted, or enough actions are acknowledged.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Time limit without progress in a game.
const PROGRESS_TIMEOUT: Duration = Duration::from_mins(1);

impl GameTasks {
    /// Starts to play at this number of tables.
    #[must_use]
    pub fn start(address: SocketAddr, tables: u64) -> Self {
        let (games, stop) = (Mutex::default(), AtomicBool::new(false));
        let shared = Arc::new(Shared { address, games, pause_ms: AtomicU64::new(5), stop });
        let tasks = (0..tables).map(|number| tokio::spawn(play(Arc::clone(&shared), FastRng::new(number)))).collect();
        Self { shared, tasks }
    }

    /// Slows down play, so that games are still running when they are interrupted.
    pub fn slow_down(&self) {
        self.shared.pause_ms.store(100, Ordering::Relaxed);
    }

    /// Waits until this number of actions is acknowledged.
    ///
    /// # Errors
    /// If it takes too long.
    pub async fn wait_for_actions(&self, actions: usize) -> Result<()> {
        let enough_actions = async {
            while self.games().iter().map(Game::actions).sum::<usize>() < actions {
                sleep(POLL_INTERVAL).await;
            }
        };
        timeout(PROGRESS_TIMEOUT, enough_actions).await.context("too few actions were acknowledged")
    }

    /// All games with their acknowledged actions so far.
    #[must_use]
    pub fn games(&self) -> Vec<Game> {
        self.shared.games().clone()
    }

    /// Stops all tasks, with games still running, and returns the games.
    ///
    /// # Errors
    /// If a request of a task failed.
    pub async fn stop(self) -> Result<Vec<Game>> {
        self.shared.stop.store(true, Ordering::Relaxed);
        for task in self.tasks {
            task.await??;
        }
        Ok(self.shared.games().clone())
    }
}

impl Shared {
    fn games(&self) -> MutexGuard<'_, Vec<Game>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Game {
    /// The number of acknowledged actions.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.acknowledged.len()
    }

    /// Plays the rest of the game with the same tokens, and checks that the record is valid and has all acknowledged
    /// actions. Returns whether the game was still running.
    ///
    /// # Errors
    /// If an acknowledged action is missing, the game is stuck, or the record is invalid.
    pub async fn finish(&self, address: SocketAddr) -> Result<bool> {
        let mut connection = Connection::open(address).await?;
        let mut rng = FastRng::new(7);
        let mut was_running = false;
        let play_to_end = async {
            loop {
                match play_step(&mut connection, &self.table, &self.tokens, &mut rng).await? {
                    Step::Over => return anyhow::Ok(()),
                    Step::Acted(_) => {}
                    Step::BotToAct => sleep(POLL_INTERVAL).await,
                }
                was_running = true;
            }
        };
        timeout(PROGRESS_TIMEOUT, play_to_end).await.context("the game is stuck")??;
        check_record(address, &self.table, &self.acknowledged)
            .await
            .with_context(|| format!("table {}", self.table))?;
        Ok(was_running)
    }
}

/// Plays games at one table after the other until the tasks are stopped.
async fn play(shared: Arc<Shared>, mut rng: FastRng) -> Result<()> {
    let is_stopped = || shared.stop.load(Ordering::Relaxed);
    while !is_stopped() {
        let (table, tokens) = open_table(shared.address, &mut rng).await?;
        let mut connection = Connection::open(shared.address).await?;
        let number = {
            let mut games = shared.games();
            games.push(Game { table: table.clone(), tokens: tokens.clone(), acknowledged: Vec::new() });
            games.len() - 1
        };
        while !is_stopped() {
            match play_step(&mut connection, &table, &tokens, &mut rng).await? {
                Step::Over => break,
                Step::Acted(action) => shared.games()[number].acknowledged.push(action),
                Step::BotToAct => {}
            }
            sleep(Duration::from_millis(shared.pause_ms.load(Ordering::Relaxed))).await;
        }
    }
    Ok(())
}

/// The result of [`play_step`].
enum Step {
    /// A player acted, and the server acknowledged the action.
    Acted(SentAction),
    BotToAct,
    Over,
}

/// Requests the view of each player until one is to act, and plays a random action for that player.
async fn play_step(
    connection: &mut Connection,
    table: &str,
    tokens: &[(String, String)],
    rng: &mut FastRng,
) -> Result<Step> {
    let path = format!("/api/v1/tables/{table}");
    for (seat, token) in tokens {
        let answer = connection.ask("GET", &path, Some(token), "").await?;
        ensure!(answer.status == 200, "{path}: {} {}", answer.status, answer.body);
        let view = answer.body;
        if field(&view, "phase") == Some("over") {
            return Ok(Step::Over);
        }
        if field(&view, "to_act") == Some(seat) {
            let action = random_legal(&view, rng)?;
            let at = field(&view, "at").context("the view has no `at`")?.parse()?;
            let body = format!(r#"{{"action":"{action}","at":{at}}}"#);
            let answer = connection.ask("POST", &format!("{path}/actions"), Some(token), &body).await?;
            ensure!(answer.status == 200, "{body}: {} {}", answer.status, answer.body);
            return Ok(Step::Acted(SentAction { at, action }));
        }
    }
    Ok(Step::BotToAct)
}
