//! A fixture: a SQLite and a Postgres database that one version of the program wrote, and their expected contents.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sultan_store::Location;
use sultan_table::domain::{Seat, TableId};
use sultan_table::{Caller, SeatToken};
use sultan_testkit::{Backend, FakeTime, Player, Postgres, TestService};

/// A folder with a SQLite file, an SQL dump of a Postgres database, and the expected contents of both.
pub(crate) struct Fixture(PathBuf);

/// A game in a database, and its players.
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) table: TableId,
    pub(crate) players: Vec<Player>,
}

/// The contents of a database, as the program version that wrote it saw them.
#[derive(Serialize, Deserialize)]
pub(crate) struct Contents {
    /// The time when the database was saved, in milliseconds since 1970.
    pub(crate) now_ms: i64,
    games: BTreeMap<String, SavedGame>,
}

/// A game, the tokens of its players, and the views of all observers.
#[derive(Serialize, Deserialize)]
struct SavedGame {
    table: TableId,
    /// The seat and the token of each player.
    players: Vec<(u8, String)>,
    /// The version and the JSON of each view: first the view of spectators, then the views of the players.
    views: Vec<(u32, Box<RawValue>)>,
    /// The record, if the game is finished.
    record: Option<Box<RawValue>>,
}

impl Game {
    /// All observers: first a spectator, then the players.
    pub(crate) fn observers(&self) -> impl Iterator<Item = Caller> {
        [Caller::Spectator].into_iter().chain(self.players.iter().map(Player::caller))
    }
}

impl Contents {
    /// Reads the contents of a database with the current program.
    pub(crate) async fn of(backend: &Backend, time: &FakeTime, games: Vec<(&str, Game)>) -> Self {
        let node = TestService::start(backend, time, 50).await;
        let mut saved = BTreeMap::new();
        for (name, game) in games {
            saved.insert(name.to_owned(), SavedGame::of(&node, &game).await);
        }
        node.shut_down().await;
        Self { now_ms: time.now_ms(), games: saved }
    }

    pub(crate) fn game(&self, name: &str) -> Game {
        let SavedGame { table, players, .. } = &self.games[name];
        let player = |(seat, token): &(u8, String)| Player {
            seat: Seat::new(*seat).expect("a seat"),
            token: token.parse::<SeatToken>().expect("a token"),
        };
        Game { table: *table, players: players.iter().map(player).collect() }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.games.keys().map(String::as_str)
    }

    /// The views of all observers, in the order of [`Game::observers`].
    pub(crate) fn views(&self, name: &str) -> impl Iterator<Item = (u32, &str)> {
        self.games[name].views.iter().map(|(version, json)| (*version, json.get()))
    }

    pub(crate) fn record(&self, name: &str) -> Option<&str> {
        self.games[name].record.as_ref().map(|record| record.get())
    }

    /// A clock set to the time when the database was saved.
    pub(crate) fn time(&self) -> FakeTime {
        let time = FakeTime::default();
        time.advance(self.now_ms - time.now_ms());
        time
    }
}

impl SavedGame {
    async fn of(node: &TestService, game: &Game) -> Self {
        let raw_json = |json: &str| RawValue::from_string(json.to_owned()).expect("valid JSON");
        let mut views = Vec::new();
        for caller in game.observers() {
            let json_view = node.json_view(game.table, &caller).await;
            views.push((json_view.version, raw_json(&json_view.json)));
        }
        let record = node.service.record(game.table).await.ok();
        Self {
            table: game.table,
            players: game.players.iter().map(|player| (player.seat.number(), player.token.reveal())).collect(),
            views,
            record: record
                .map(|record| raw_json(&serde_json::to_string(&record).expect("a record can be written as JSON"))),
        }
    }
}

impl Fixture {
    /// The committed fixture of a version.
    pub(crate) fn of_version(version: &str) -> Self {
        Self(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/upgrade").join(version))
    }

    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    fn sqlite_file(&self) -> PathBuf {
        self.0.join("sqlite.db")
    }

    fn postgres_dump(&self) -> PathBuf {
        self.0.join("postgres.sql")
    }

    pub(crate) fn contents(&self) -> Contents {
        let json = fs::read(self.0.join("contents.json")).expect("the fixture has a file contents.json");
        serde_json::from_slice(&json).expect("contents.json is valid")
    }

    pub(crate) fn save_contents(&self, contents: &Contents) {
        let mut json = serde_json::to_string(contents).expect("the contents can be written as JSON");
        json.push('\n');
        fs::write(self.0.join("contents.json"), json).expect("the folder is writable");
    }

    /// Copies the fixture's database of the right kind into an empty database.
    pub(crate) async fn load(&self, backend: &Backend) {
        match backend.location() {
            Location::Sqlite(path) => {
                fs::copy(self.sqlite_file(), path).expect("the SQLite file can be copied");
            }
            Location::Postgres(_) => {
                backend.execute(&fs::read_to_string(self.postgres_dump()).expect("the dump exists")).await;
            }
        }
    }

    /// Copies a database into the fixture. The program that uses the database should still run: at its end it would
    /// move staged changes to their final place, but a fixture should contain staged changes too.
    pub(crate) async fn save(&self, backend: &Backend, server: Option<&Postgres>) {
        match (backend.location(), server) {
            (Location::Sqlite(path), _) => {
                backend.execute("PRAGMA wal_checkpoint(TRUNCATE)").await;
                fs::copy(path, self.sqlite_file()).expect("the SQLite file can be copied");
            }
            (Location::Postgres(options), Some(server)) => {
                let mut dump = server.program("pg_dump");
                dump.args(["--inserts", "--no-owner", "--no-acl", "--dbname"]);
                dump.arg(server.database_url(options.get_database().expect("the database has a name")));
                let output = dump.stdout(std::process::Stdio::piped()).output().expect("pg_dump is installed");
                assert!(output.status.success(), "pg_dump failed: {}", String::from_utf8_lossy(&output.stderr));
                let text = String::from_utf8(output.stdout).expect("the dump is UTF-8");
                // Leave out session settings and psql commands, which differ between versions of Postgres.
                let is_kept = |line: &&str| {
                    !line.starts_with("SET ") && !line.starts_with('\\') && !line.starts_with("--") && !line.is_empty()
                };
                let mut kept = text.lines().filter(is_kept).collect::<Vec<_>>().join("\n");
                kept.push('\n');
                fs::write(self.postgres_dump(), kept).expect("the folder is writable");
            }
            (Location::Postgres(_), None) => unreachable!("a Postgres database comes with its server"),
        }
    }
}
