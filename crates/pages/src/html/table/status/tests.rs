//! Tests of the status line: time that ran out, and absent players.

use sultan_domain::{Attendance, PlayingTable, TableId, TableView};
use sultan_table::{Caller, NewTable};
use sultan_testkit::{Backend, FakeTime, Player, TestService};
use sultan_text::{Lang, Text};

use super::*;

/// The table, as a caller sees it.
async fn playing_table(node: &TestService, table: TableId, caller: &Caller) -> PlayingTable {
    match node.service.observe(table, caller).await.unwrap().view() {
        TableView::Playing(playing) => *playing,
        TableView::Waiting(_) => panic!("the game has not started"),
    }
}

fn status_line(playing: &PlayingTable) -> String {
    status(PageContext { text: Text::of(Lang::En), playing, query: "" }).into_string()
}

/// A game of three people whose first player is in seat 1. The host is in seat 0.
async fn three_players(node: &TestService, seconds: Option<u32>) -> (TableId, Vec<Player>) {
    let mut new = NewTable::plain(sultan_domain::Players::new(3).unwrap());
    (new.options.seconds_per_action, new.options.first_seat) = (seconds, Seat::new(1));
    node.open_table(new).await
}

#[tokio::test]
async fn status_tells_whose_time_ran_out() {
    let backend = Backend::sqlite();
    let node = TestService::start(&backend, &FakeTime::default(), 1).await;
    let (table, players) = three_players(&node, Some(30)).await;
    let callers = || players.iter().map(Player::caller).chain([Caller::Spectator]);
    node.time.advance(30_000);
    while playing_table(&node, table, &Caller::Spectator).await.view.action_count == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    for caller in callers() {
        let playing = playing_table(&node, table, &caller).await;
        let name = if playing.view.observer.seat() == Seat::new(1) { "you" } else { "Player 2" };
        let sentence = format!("<small>Time is up: the Jeweller played for {name}.</small>");
        assert!(status_line(&playing).contains(&sentence), "{}", status_line(&playing));
    }
    // The clock plays for nobody else, so others forget it. The player may have looked away, and is still told.
    node.play_random_actions(table, &players[1..2], &mut sultan_testkit::FastRng::new(1), 1).await;
    let has_acted = playing_table(&node, table, &players[1].caller()).await;
    assert!(!status_line(&has_acted).contains("Time is up"), "the player has acted since");
}

#[tokio::test]
async fn host_may_let_a_bot_play_for_an_absent_player_after_a_countdown() {
    let backend = Backend::sqlite();
    let node = TestService::start(&backend, &FakeTime::default(), 1).await;
    let (table, players) = three_players(&node, None).await;
    for (player, code, is_away, has_remedy) in [
        (0, "", false, false),
        (0, "1", true, true),
        (2, "1", true, false),
        // The table does not wait for this player.
        (0, "2", false, false),
    ] {
        let mut playing = playing_table(&node, table, &players[player].caller()).await;
        playing.attendance = Attendance::of_code(code);
        let line = status_line(&playing);
        let texts = [line.contains("Player 2 is away."), line.contains("Player 2 opens the round.")];
        assert_eq!((texts, line.contains("A bot may take over in")), ([is_away, !is_away], has_remedy), "{line}");
        assert_eq!(line.contains("Let a bot play for Player 2"), has_remedy, "{line}");
    }
}
