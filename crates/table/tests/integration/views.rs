//! The JSON bytes of every kind of view, compared with golden files that version 0.1.0 wrote.
//!
//! Views are a contract with other programs: fields may be added, but no other change is allowed. Write new files with
//! `SULTAN_WRITE_GOLDENS=1 cargo test -p sultan-table views` only for an added field, and review every line.
//!
//! Server seeds are fixed by commitments made beforehand, so the files do not depend on the order in which the service
//! draws random bytes. Table ids and the commitments of rematches do depend on it and are replaced by names.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sultan_table::domain::{Commitment, PlayerColour, Screens, SeatPlan, TableId, TableView};
use sultan_table::{BranchRequest, Caller, JsonView, NewPlayer, NewTable, SeatChange, Service, Settings, Visitor};
use sultan_testkit::{Backend, FakeTime, Player, TestService, in_time};

use crate::{new_rng, player_named, players, seat, with_options};

/// A service whose bots never act, and the views collected from it for one golden file.
struct ViewCollector {
    _backend: Backend,
    node: TestService,
    /// The bytes for the next request of random bytes. If `None`, the bytes come from the settings of the testkit.
    next_random_bytes: Arc<Mutex<Option<[u8; 32]>>>,
    /// The number of commitments so far.
    commitments: AtomicU8,
    /// The text for the golden file.
    text: String,
    /// Texts to replace in the golden file, each with its replacement.
    replacements: Vec<(String, String)>,
}

impl ViewCollector {
    async fn new() -> Self {
        let (backend, time) = (Backend::sqlite(), FakeTime::default());
        let settings = time.settings(1);
        let next_random_bytes = Arc::new(Mutex::new(None));
        let (given_bytes, other_bytes) = (Arc::clone(&next_random_bytes), Arc::clone(&settings.random_bytes));
        let random_bytes = move || given_bytes.lock().unwrap().take().unwrap_or_else(|| other_bytes());
        let settings =
            Settings { bot_pause: Duration::from_hours(1), random_bytes: Arc::new(random_bytes), ..settings };
        let node = TestService::run(Service::new(backend.open().await, settings), &time);
        let (commitments, text, replacements) = (AtomicU8::new(0), String::new(), Vec::new());
        Self { _backend: backend, node, next_random_bytes, commitments, text, replacements }
    }

    /// A commitment to a server seed that is the same in every run.
    async fn commitment(&self) -> Option<Commitment> {
        let number = self.commitments.fetch_add(1, Ordering::Relaxed);
        *self.next_random_bytes.lock().unwrap() = Some([number; 32]);
        Some(self.node.service.new_commitment().await.unwrap())
    }

    /// Opens a table with only the host seated.
    async fn open(&mut self, new: NewTable) -> (TableId, Player) {
        let commitment = if new.options.guided { None } else { self.commitment().await };
        let opened = self.node.service.open(NewTable { commitment, ..new }).await.unwrap();
        self.replace_id(opened.table);
        (opened.table, Player { seat: opened.seat, token: opened.token })
    }

    /// Opens a table and lets people take all its seats.
    async fn start(&mut self, new: NewTable) -> (TableId, Vec<Player>) {
        let people = new.players.count();
        let (table, host) = self.open(new).await;
        let mut seated = vec![host];
        for number in 1..people {
            seated.push(self.node.take_seat(table, &format!("Guest {number}")).await);
        }
        (table, seated)
    }

    /// Replaces the id of a table, which is random, by a name with a number.
    fn replace_id(&mut self, table: TableId) {
        self.replacements.push((table.to_string(), format!("table-{}", self.replacements.len() + 1)));
    }

    /// Adds the view of one caller.
    async fn add(&mut self, title: &str, table: TableId, caller: &Caller) {
        let JsonView { version, json } = self.node.json_view(table, caller).await;
        let read: TableView = serde_json::from_str(&json).unwrap();
        assert_eq!(read.to_json(), *json, "reading and writing the view again changes it");
        self.add_json(&format!("{title}, version {version}"), &json);
    }

    /// Adds the views of all seats and of a spectator.
    async fn add_all(&mut self, title: &str, table: TableId, seated: &[Player]) {
        for player in seated {
            self.add(&format!("{title}, seat {}", player.seat), table, &player.caller()).await;
        }
        self.add(&format!("{title}, spectator"), table, &Caller::Spectator).await;
    }

    fn add_json(&mut self, title: &str, json: &str) {
        let json = self.replacements.iter().fold(json.to_owned(), |json, (from, to)| json.replace(from, to));
        writeln!(self.text, "# {title}\n{json}").unwrap();
    }

    /// Compares the collected views with a golden file.
    fn check(self, file: &str) {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/views").join(file);
        if std::env::var_os("SULTAN_WRITE_GOLDENS").is_some() {
            std::fs::write(&path, &self.text).unwrap();
        }
        let golden = std::fs::read_to_string(&path).unwrap();
        let mut lines = golden.lines().zip(self.text.lines()).zip(1..);
        if let Some(((expected, actual), number)) = lines.find(|((expected, actual), _)| expected != actual) {
            panic!("{}:{number} differs\n  expected {expected}\n  actual   {actual}", path.display());
        }
        assert_eq!(golden.len(), self.text.len(), "{} has another length", path.display());
    }
}

/// A table for people only. The host's name has characters that JSON must escape or encode.
fn human_table(count: u8, screens: Screens) -> NewTable {
    with_options(NewTable { host: player_named("Ána \"A\" 字"), ..NewTable::plain(players(count)) }, |options| {
        options.screens = screens;
    })
}

#[tokio::test]
async fn waiting_tables_are_written_as_by_version_0_1_0() {
    let mut collector = ViewCollector::new().await;
    let (table, host) = collector.open(human_table(2, Screens::Closed)).await;
    collector.add("nothing chosen, host", table, &host.caller()).await;
    collector.add("nothing chosen, spectator", table, &Caller::Spectator).await;
    let human = || SeatPlan::Human;
    let all_options = with_options(
        NewTable {
            seats: vec![human(), SeatPlan::Bot("page".to_owned()), human(), human()],
            host: NewPlayer { colour: Some(PlayerColour::Gold), ..player_named("Ana") },
            ..human_table(4, Screens::Open)
        },
        |options| {
            options.first_seat = Some(seat(2));
            options.seconds_per_action = Some(90);
            options.public = true;
            options.even_pace = true;
            options.stand_in = "merchant".into();
            options.coach = true;
        },
    );
    let (table, host) = collector.open(all_options).await;
    collector.add("everything chosen, host", table, &host.caller()).await;
    let guest = collector.node.take_seat(table, "Bo").await;
    collector.add_all("a guest sat down", table, &[host, guest]).await;
    collector.node.service.leave(table, &host.caller()).await.unwrap();
    collector.add_all("the host left", table, &[guest]).await;
    let listed = serde_json::to_string(&collector.node.service.public_tables().await.unwrap()).unwrap();
    collector.add_json("public tables", &listed);
    collector.node.service.leave(table, &guest.caller()).await.unwrap();
    collector.add("everybody left, spectator", table, &Caller::Spectator).await;
    collector.check("waiting.txt");
}

/// The numbers of actions after which views are added: both phases of the first round, the second round, later rounds,
/// and the end.
const MOMENTS: [usize; 6] = [0, 1, 3, 7, 40, usize::MAX];

/// Adds views of a game with closed screens, from all seats, and of a game with open screens, from one seat.
async fn add_games(collector: &mut ViewCollector, count: u8) {
    for screens in [Screens::Closed, Screens::Open] {
        let (table, seated) = collector.start(human_table(count, screens)).await;
        let (mut rng, mut played) = (new_rng(), 0);
        for moment in MOMENTS {
            collector.node.play_random_actions(table, &seated, &mut rng, moment - played).await;
            played = moment;
            let title = if moment == usize::MAX { "over".to_owned() } else { format!("after {moment} actions") };
            let observers = if screens == Screens::Closed { &seated[..] } else { &seated[..1] };
            collector.add_all(&format!("{screens:?} screens, {title}"), table, observers).await;
        }
    }
}

#[tokio::test]
async fn games_of_two_are_written_as_by_version_0_1_0() {
    let mut collector = ViewCollector::new().await;
    add_games(&mut collector, 2).await;
    collector.check("players-2.txt");
}

#[tokio::test]
async fn games_of_three_are_written_as_by_version_0_1_0() {
    let mut collector = ViewCollector::new().await;
    add_games(&mut collector, 3).await;
    collector.check("players-3.txt");
}

#[tokio::test]
async fn games_of_four_are_written_as_by_version_0_1_0() {
    let mut collector = ViewCollector::new().await;
    add_games(&mut collector, 4).await;
    collector.check("players-4.txt");
}

#[tokio::test]
async fn games_of_five_are_written_as_by_version_0_1_0() {
    let mut collector = ViewCollector::new().await;
    add_games(&mut collector, 5).await;
    collector.check("players-5.txt");
}

#[tokio::test]
async fn views_with_clocks_stand_ins_and_abandonment_match_0_1_0() {
    let mut collector = ViewCollector::new().await;
    let timed = with_options(human_table(3, Screens::Closed), |options| {
        options.seconds_per_action = Some(30);
        options.coach = true;
    });
    let (table, seated) = collector.start(timed).await;
    collector.add_all("a time limit and a coach", table, &seated).await;
    collector.node.time.advance(1234);
    collector.node.play_random_actions(table, &seated, &mut new_rng(), 2).await;
    collector.add_all("time passed", table, &seated).await;
    collector.node.service.leave(table, &seated[0].caller()).await.unwrap();
    collector.add_all("the host left", table, &seated).await;
    collector.node.service.leave(table, &seated[1].caller()).await.unwrap();
    collector.node.service.leave(table, &seated[2].caller()).await.unwrap();
    collector.add_all("everybody left while bids were placed", table, &seated).await;
    let (table, seated) = collector.start(human_table(2, Screens::Open)).await;
    for player in &seated {
        collector.node.service.leave(table, &player.caller()).await.unwrap();
    }
    collector.add_all("everybody left before the first offer", table, &seated).await;
    let bots = vec![SeatPlan::Human, SeatPlan::Bot("jeweller".to_owned()), SeatPlan::Bot("page".to_owned())];
    let public =
        with_options(NewTable { seats: bots, ..human_table(3, Screens::Closed) }, |options| options.public = true);
    let (table, host) = collector.open(public).await;
    collector.add_all("bots", table, &[host]).await;
    let listed = serde_json::to_string(&collector.node.service.public_tables().await.unwrap()).unwrap();
    collector.add_json("public tables", &listed);
    let (table, host) = collector.open(NewTable::guided(player_named("Ana"))).await;
    collector.add_all("a guided game", table, &[host]).await;
    collector.check("tables.txt");
}

#[tokio::test]
async fn rematches_and_branches_are_written_as_by_version_0_1_0() {
    let mut collector = ViewCollector::new().await;
    let visitor = Visitor::from_bytes([7; 32]);
    let host = NewPlayer { visitor: Some(visitor), ..player_named("Ana") };
    let (table, seated) = collector.start(NewTable { host, ..human_table(3, Screens::Closed) }).await;
    collector.node.play_out(table, &seated, &mut new_rng()).await;
    let commitment = collector.commitment().await;
    let service = collector.node.service.clone();
    let rematch = service.rematch(table, &seated[0].caller(), SeatChange::default(), commitment).await.unwrap();
    collector.replace_id(rematch);
    collector.add_all("a rematch was asked for", table, &seated).await;
    collector.add_all("the rematch", rematch, &seated).await;
    let games = serde_json::to_string(&service.games_of(&visitor).await.unwrap()).unwrap();
    collector.add_json("a browser's games", &games);
    for (at, imagined) in [(0, false), (9, false), (18, true)] {
        let request = BranchRequest {
            at,
            seat: seat(1),
            imagined,
            bot: "page".to_owned(),
            coach: imagined,
            host: player_named("Eva"),
        };
        let branch = service.branch(table, request).await.unwrap();
        collector.replace_id(branch.table);
        if imagined {
            collector.replacements.push((branch.commitment.to_string(), "commitment".to_owned()));
        }
        let title = format!("played on from {at}{}", if imagined { ", imagined" } else { "" });
        collector.add_all(&title, branch.table, &[Player { seat: branch.seat, token: branch.token }]).await;
    }
    collector.check("afterwards.txt");
}

#[tokio::test]
async fn even_pace_is_written_as_by_version_0_1_0() {
    let mut collector = ViewCollector::new().await;
    for seconds_per_action in [None, Some(20)] {
        let even = with_options(human_table(3, Screens::Closed), |options| {
            options.even_pace = true;
            options.seconds_per_action = seconds_per_action;
        });
        let (table, seated) = collector.start(even).await;
        let beat_ms = i64::from(seconds_per_action.unwrap_or(5)) * 1000;
        let mut rng = new_rng();
        for turn in 0..5 {
            collector.node.time.advance(10 * turn);
            let actor = collector.node.player_to_act(table, &seated).await.unwrap();
            let mut watch = collector.node.watch(table, Caller::Spectator).await;
            in_time(watch.next()).await.unwrap();
            collector.node.play_random_action(table, &actor, &mut rng).await.unwrap();
            collector.add_all(&format!("action {turn} is delayed"), table, &seated).await;
            collector.node.time.advance(beat_ms);
            in_time(watch.next()).await.unwrap();
        }
        collector.add_all("everything is shown", table, &seated).await;
    }
    collector.check("even-pace.txt");
}
