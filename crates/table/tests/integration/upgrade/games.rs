//! Plays the games of a fixture: one table for each way in which a game can be stored.

use std::time::Duration;

use sultan_rules::FastRng;
use sultan_table::domain::{ClientSeed, Players, Screens, SeatPlan};
use sultan_table::{AnalysisState, BranchRequest, NewPlayer, NewTable, SeatChange, Service, Settings, Visitor};
use sultan_testkit::{Backend, FakeTime, Player, TestService, in_time};

use super::fixture::Game;

use crate::with_options;

/// The number of playouts of an analysis: few, so that it is fast.
pub(crate) const PLAYOUTS: u32 = 20;

/// The beat of an even pace, in milliseconds.
pub(crate) const BEAT_MS: i64 = 5000;

/// The browser of one of the players.
pub(crate) fn visitor() -> Visitor {
    Visitor::from_bytes([7; 32])
}

/// A service whose analyses use few playouts.
pub(crate) async fn open(backend: &Backend, time: &FakeTime, seed: u8) -> TestService {
    let settings = Settings { playouts: PLAYOUTS, ..time.settings(seed) };
    TestService::run(Service::new(backend.open().await, settings), time)
}

fn players(count: u8) -> Players {
    Players::new(count).expect("two to five")
}

/// A table with people in the first seats and these bots in the other seats.
fn new_table(people: usize, bots: &[&str]) -> NewTable {
    let seats = vec![SeatPlan::Human; people].into_iter();
    let seats: Vec<SeatPlan> = seats.chain(bots.iter().map(|&bot| SeatPlan::Bot(bot.to_owned()))).collect();
    let count = u8::try_from(seats.len()).expect("at most five");
    let client_seed = ClientSeed::try_from("tea leaves".to_owned()).expect("a short seed");
    let host = NewPlayer { name: "Süleyman".to_owned(), client_seed, ..NewPlayer::default() };
    with_options(NewTable { seats, host, ..NewTable::plain(players(count)) }, |options| {
        options.stand_in = "page".into();
    })
}

/// Plays games on a node, and collects those that belong to the fixture.
struct GameWriter {
    node: TestService,
    rng: FastRng,
    games: Vec<(&'static str, Game)>,
}

impl GameWriter {
    async fn open(&self, new: NewTable) -> Game {
        let (table, players) = self.node.open_table(new).await;
        Game { table, players }
    }

    async fn play(&mut self, game: &Game, actions: usize) {
        self.node.play_random_actions(game.table, &game.players, &mut self.rng, actions).await;
    }

    async fn finish(&mut self, game: &Game) {
        self.node.play_out(game.table, &game.players, &mut self.rng).await;
    }

    /// Plays one action at a table with an even pace. Returns before the next beat, while the action is hidden.
    async fn act_delayed(&mut self, game: &Game) {
        let player = in_time(async {
            loop {
                match self.node.player_to_act(game.table, &game.players).await {
                    Some(player) => break player,
                    None => tokio::time::sleep(Duration::from_millis(2)).await,
                }
            }
        })
        .await;
        self.node.play_random_action(game.table, &player, &mut self.rng).await.expect("a listed action is legal");
    }

    async fn analyse(&self, game: &Game) {
        in_time(async {
            let state = async || self.node.service.analysis(game.table).await.expect("the game is over");
            while let AnalysisState::Underway(_) = state().await {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    }

    /// Adds a game to the fixture. `continuation.rs` finds it by this name.
    fn add(&mut self, name: &'static str, game: Game) {
        self.games.push((name, game));
    }
}

/// Plays and stores all games. When it returns, the service is still running, and no bot is to act at any table.
pub(crate) async fn write(backend: &Backend) -> (TestService, Vec<(&'static str, Game)>) {
    let time = FakeTime::default();
    let mut writer = GameWriter { node: open(backend, &time, 1).await, rng: FastRng::new(1), games: Vec::new() };
    let with_mcts = writer.open(new_table(1, &["mcts"])).await;
    // Few actions, because this bot thinks for a long time.
    writer.play(&with_mcts, 9).await;
    let stand_in = writer.open(new_table(3, &["random"])).await;
    writer.play(&stand_in, 4).await;
    let even_pace = writer
        .open(with_options(new_table(3, &[]), |options| {
            options.even_pace = true;
            options.public = true;
        }))
        .await;
    for _ in 0..4 {
        writer.act_delayed(&even_pace).await;
        time.advance(BEAT_MS);
    }
    finished_games(&mut writer).await;
    running_games(&mut writer, &stand_in).await;
    writer.add("with_mcts", with_mcts);
    writer.add("stand_in", stand_in);
    // The last action is stored, but only its player can see it.
    writer.act_delayed(&even_pace).await;
    writer.add("even_pace", even_pace);
    (writer.node, writer.games)
}

/// Plays the games that are over, and the branch and the rematch of such games. The clock advances by only 1 ms:
/// otherwise the service would merge (compact) the histories of games itself.
async fn finished_games(writer: &mut GameWriter) {
    let analysed = writer.open(new_table(2, &[])).await;
    writer.finish(&analysed).await;
    writer.analyse(&analysed).await;
    let with_bots =
        writer.open(with_options(new_table(1, &["page", "jeweller"]), |options| options.screens = Screens::Open)).await;
    writer.finish(&with_bots).await;
    let abandoned = writer.open(new_table(2, &[])).await;
    writer.play(&abandoned, 5).await;
    for player in &abandoned.players {
        writer.node.service.leave(abandoned.table, &player.caller()).await.expect("the player has a seat");
    }
    writer.node.time.advance(1);
    let merged = writer.node.service.compact_before(writer.node.time.now_ms()).await.expect("games can be merged");
    assert_eq!(merged, 3);
    let host = NewPlayer { name: "Eva".to_owned(), ..NewPlayer::default() };
    let seat = analysed.players[1].seat;
    let branch = BranchRequest { at: 12, seat, imagined: true, bot: "page".to_owned(), coach: true, host };
    let opened = writer.node.service.branch(analysed.table, branch).await.expect("the game is over");
    let branch = Game { table: opened.table, players: vec![Player { seat: opened.seat, token: opened.token }] };
    writer.play(&branch, 2).await;
    writer.add("branch", branch);
    let unmerged = writer.open(new_table(4, &[])).await;
    writer.finish(&unmerged).await;
    writer.add("analysed", analysed);
    writer.add("with_bots", with_bots);
    writer.add("abandoned", abandoned);
    let rematch = rematch(writer, &unmerged).await;
    writer.add("unmerged", unmerged);
    writer.add("rematch", rematch);
}

/// Plays the games that are not over.
async fn running_games(writer: &mut GameWriter, stand_in: &Game) {
    let opened = writer
        .node
        .service
        .open(with_options(new_table(3, &[]), |options| options.public = true))
        .await
        .expect("the options are valid");
    let player = Player { seat: opened.seat, token: opened.token };
    writer.add("waiting", Game { table: opened.table, players: vec![player] });
    let guided = NewTable::guided(NewPlayer { visitor: Some(visitor()), ..NewPlayer::default() });
    let guided = writer.open(guided).await;
    writer.play(&guided, 3).await;
    let linked = writer.node.service.link(guided.table, guided.players[0].token, &visitor()).await;
    linked.expect("the token belongs to a seat");
    writer.add("guided", guided);
    // The seat to act does not leave, so no bot action is pending.
    let to_act = writer.node.wait_for_turn(stand_in.table, &stand_in.players).await.expect("the game is in play");
    let leaving = stand_in.players.iter().find(|player| player.seat != to_act.seat).expect("three people play");
    writer.node.service.leave(stand_in.table, &leaving.caller()).await.expect("the player has a seat");
    let staying = stand_in.players.iter().filter(|player| player.seat != leaving.seat).copied().collect();
    let staying = Game { table: stand_in.table, players: staying };
    writer.play(&staying, 3).await;
    writer.node.wait_for_turn(staying.table, &staying.players).await.expect("the game is in play");
}

/// Opens a rematch. Only one of the players has agreed so far.
async fn rematch(writer: &GameWriter, finished: &Game) -> Game {
    let rematch =
        writer.node.service.rematch(finished.table, &finished.players[0].caller(), SeatChange::default(), None).await;
    Game { table: rematch.expect("the game is over"), players: finished.players.clone() }
}
