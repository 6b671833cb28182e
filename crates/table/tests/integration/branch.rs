//! Branches: games that continue a finished game from one of its positions.

use sultan_table::domain::{Observer, PlayerColour, Players, Screens, Seat, TableId, TableView};
use sultan_table::{BranchRequest, Caller, NewPlayer, NewTable, Rejection, SeatChange};
use sultan_testkit::{Backend, FakeTime, Player, TestService};

use crate::{new_rng, player_named, players, rejection, seat, start_node, start_node_with_slow_bots, with_options};

/// A request to continue a game after `at` actions, against random bots.
fn branch_request(at: usize, seat: Seat, imagined: bool) -> BranchRequest {
    BranchRequest { at, seat, imagined, bot: "random".to_owned(), coach: false, host: player_named("Eva") }
}

async fn finished_game(node: &TestService, players: Players, screens: Screens) -> TableId {
    let (table, seated) =
        node.open_table(with_options(NewTable::plain(players), |options| options.screens = screens)).await;
    node.play_out(table, &seated, &mut new_rng()).await;
    table
}

/// Opens a branch, and returns its table and player.
async fn open_branch(node: &TestService, table: TableId, request: BranchRequest) -> (TableId, Player) {
    let opened = node.service.branch(table, request).await.unwrap();
    (opened.table, Player { seat: opened.seat, token: opened.token })
}

#[tokio::test]
async fn branch_keeps_the_view_of_each_seat() {
    let (_backend, node) = start_node_with_slow_bots().await;
    for count in Players::ALL {
        for screens in [Screens::Closed, Screens::Open] {
            let table = finished_game(&node, count, screens).await;
            let game = node.service.replay(table).await.unwrap();
            for at in (0..game.last()).step_by(7) {
                for seat in count.seats() {
                    for imagined in [false, true] {
                        let (branch, player) = open_branch(&node, table, branch_request(at, seat, imagined)).await;
                        assert_eq!(player.seat, seat);
                        let TableView::Playing(playing) =
                            node.service.observe(branch, &player.caller()).await.unwrap().view()
                        else {
                            panic!("the branch did not start at once")
                        };
                        assert_eq!(playing.view, game.view_at(at, Observer::Seat(seat)).view);
                        let origin = playing.info.branch.unwrap();
                        assert_eq!((origin.table, origin.at, origin.imagined), (table, at, imagined));
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn branch_host_has_a_name_and_a_colour() {
    let (_backend, node) = start_node_with_slow_bots().await;
    let table = finished_game(&node, players(3), Screens::Closed).await;
    let original_colour = node.view(table, &Caller::Spectator).await["seats"][1]["colour"].clone();
    assert_eq!(original_colour, serde_json::to_value(PlayerColour::ALL[1]).unwrap());
    for (colour, coach) in [(None, false), (Some(PlayerColour::ALL[4]), true)] {
        let host = NewPlayer { colour, ..player_named("Eva") };
        let request = BranchRequest { coach, host, ..branch_request(3, seat(1), true) };
        let (branch, _) = open_branch(&node, table, request).await;
        let view = node.view(branch, &Caller::Spectator).await;
        let expected_colour = colour.map_or(original_colour.clone(), |colour| serde_json::to_value(colour).unwrap());
        assert_eq!((&view["seats"][1]["name"], &view["seats"][1]["colour"]), (&"Eva".into(), &expected_colour));
        assert_eq!(view["coach"].as_bool().unwrap_or(false), coach);
    }
}

#[tokio::test]
async fn branch_at_start_has_the_hands_and_decks_of_the_original() {
    let (_backend, node) = start_node_with_slow_bots().await;
    let table = finished_game(&node, players(4), Screens::Closed).await;
    let record = node.service.record(table).await.unwrap();
    let (branch, player) = open_branch(&node, table, branch_request(20, seat(1), false)).await;
    // A replay exists only of a finished or abandoned game.
    node.service.leave(branch, &player.caller()).await.unwrap();
    let branch_replay = node.service.replay(branch).await.unwrap();
    assert_eq!(branch_replay.last(), 20);
    let (branch_start, original) = (branch_replay.open(20), node.service.replay(table).await.unwrap().open(20));
    assert_eq!((branch_start.hands, branch_start.decks), (original.hands, original.decks));
    assert_eq!(record.actions.len(), node.service.replay(table).await.unwrap().last());
}

#[tokio::test]
async fn branch_reproduces_the_later_draws() {
    let (_backend, node) = start_node_with_slow_bots().await;
    let table = finished_game(&node, players(3), Screens::Closed).await;
    let record = node.service.record(table).await.unwrap();
    let game = node.service.replay(table).await.unwrap();
    let view = |at: usize| game.view_at(at, Observer::Public).view;
    // Branch before the last action of a round: after it, the jewels of the next round are drawn.
    let ends_round = |at: &usize| view(*at).round != view(at + 1).round && view(at + 1).to_act.is_some();
    let round_ends: Vec<_> = (0..game.last() - 1).filter(ends_round).collect();
    assert!(round_ends.len() > 2, "the game has too few rounds: {round_ends:?}");
    for at in round_ends {
        let seat = view(at).to_act.unwrap();
        let mut original = table;
        // First a branch of the game, then a branch of this branch.
        for _ in 0..2 {
            let (branch, player) = open_branch(&node, original, branch_request(at, seat, false)).await;
            node.service.act(branch, &player.caller(), record.actions[at], u16::try_from(at).unwrap()).await.unwrap();
            // A replay exists only of a finished or abandoned game.
            node.service.leave(branch, &player.caller()).await.unwrap();
            let branch_view = node.service.replay(branch).await.unwrap().view_at(at + 1, Observer::Public).view;
            let expected = (view(at + 1).round, view(at + 1).drawn);
            assert_eq!((branch_view.round, branch_view.drawn), expected, "another draw after action {at}");
            original = branch;
        }
    }
}

#[tokio::test]
async fn branch_survives_a_restart_and_finishes() {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let mut node = TestService::start(&backend, &time, 1).await;
    let table = finished_game(&node, players(3), Screens::Open).await;
    for (imagined, node_seed) in [(false, 2), (true, 3)] {
        let (branch, player) = open_branch(&node, table, branch_request(9, seat(2), imagined)).await;
        let seated = [player];
        node.play_random_actions(branch, &seated, &mut new_rng(), 3).await;
        node.wait_for_turn(branch, &seated).await.unwrap();
        let view = node.view(branch, &player.caller()).await;
        assert_eq!(view["branch"]["at"], 9);
        node.shut_down().await;
        node = TestService::start(&backend, &time, node_seed).await;
        assert_eq!(node.view(branch, &player.caller()).await, view);
        node.play_out(branch, &seated, &mut new_rng()).await;
        assert_eq!(node.view(branch, &Caller::Spectator).await["phase"], "over");
        // A branch has a replay, but no record, since its deal cannot be verified.
        let replay = node.service.replay(branch).await.unwrap();
        assert!(replay.is_complete());
        assert_eq!(rejection(node.service.record(branch).await), Rejection::Branch);
        assert_eq!(rejection(node.service.analysis(branch).await), Rejection::Branch);
        // A branch can be opened from a branch.
        let (second_branch, player) =
            open_branch(&node, branch, branch_request(replay.last() - 1, seat(0), true)).await;
        node.play_out(second_branch, &[player], &mut new_rng()).await;
        assert_eq!(node.view(second_branch, &Caller::Spectator).await["phase"], "over");
    }
}

#[tokio::test]
async fn impossible_branches_are_rejected() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    node.play_random_actions(table, &seated, &mut new_rng(), 5).await;
    let rejection_of = async |request| rejection(node.service.branch(table, request).await);
    assert_eq!(rejection_of(branch_request(1, seat(0), true)).await, Rejection::NotOver);
    node.play_out(table, &seated, &mut new_rng()).await;
    let last = node.service.replay(table).await.unwrap().last();
    assert_eq!(rejection_of(branch_request(last, seat(0), true)).await, Rejection::Over);
    assert_eq!(rejection_of(branch_request(1, seat(3), true)).await, Rejection::NoSuchSeat);
    let unknown_bot = BranchRequest { bot: "nobody".to_owned(), ..branch_request(1, seat(0), true) };
    assert_eq!(rejection_of(unknown_bot).await.code(), "bot/not-found");
}

#[tokio::test]
async fn rematch_of_a_branch_is_a_normal_game() {
    let (_backend, node) = start_node().await;
    let table = finished_game(&node, players(3), Screens::Closed).await;
    let last = node.service.replay(table).await.unwrap().last();
    let (branch, player) = open_branch(&node, table, branch_request(last - 1, seat(0), false)).await;
    node.play_out(branch, &[player], &mut new_rng()).await;
    let rematch = node.service.rematch(branch, &player.caller(), SeatChange::default(), None).await.unwrap();
    let view = node.view(rematch, &Caller::Spectator).await;
    assert_eq!((view.get("branch"), &view["at"]), (None, &0.into()));
}

#[tokio::test]
async fn actions_before_the_branch_cannot_be_repeated() {
    let (_backend, node) = start_node_with_slow_bots().await;
    let table = finished_game(&node, players(2), Screens::Closed).await;
    let record = node.service.record(table).await.unwrap();
    let (branch, player) = open_branch(&node, table, branch_request(8, seat(0), false)).await;
    for at in 0..8_u16 {
        // The result is not needed: an action of this seat counts as repeated, an action of another seat is rejected.
        let _ = node.service.act(branch, &player.caller(), record.actions[usize::from(at)], at).await;
    }
    assert_eq!(node.view(branch, &player.caller()).await["at"], 8);
}
