//! Watches: every change is published once, in order.

use std::time::Duration;

use sultan_table::domain::{Observer, TableId};
use sultan_table::{Caller, NewTable, Rejection, SeatToken, Signal, Visitor};
use sultan_testkit::{in_time, is_up_to_date, parse_view};

use crate::{new_rng, player_named, players, rejection, seat, start_node, with_options};

#[tokio::test]
async fn watch_gets_one_view_per_change() {
    let (_backend, node) = start_node().await;
    let opened = node.service.open(NewTable::plain(players(2))).await.unwrap();
    let table = opened.table;
    let mut watch = node.watch(table, Caller::Spectator).await;
    let first = in_time(watch.next()).await.unwrap();
    assert_eq!(parse_view(&first)["phase"], "waiting");
    assert!(is_up_to_date(&mut watch).await);
    let bo = node.take_seat(table, "Bo").await;
    let seated = [sultan_testkit::Player { seat: opened.seat, token: opened.token }, bo];
    let mut bos_watch = node.watch(table, bo.caller()).await;
    let mut version = in_time(watch.next()).await.unwrap().version;
    assert_eq!(version, first.version + 1);
    assert_eq!(in_time(bos_watch.next()).await.unwrap().version, version);
    for _ in 0..20 {
        node.play_random_actions(table, &seated, &mut new_rng(), 1).await;
        version += 1;
        let received = in_time(watch.next()).await.unwrap();
        let current = node.json_view(table, &Caller::Spectator).await;
        assert_eq!((received.version, received.json), (version, current.json));
        let received = in_time(bos_watch.next()).await.unwrap();
        assert_eq!((received.version, received.json), (version, node.json_view(table, &bo.caller()).await.json));
        assert!(is_up_to_date(&mut watch).await && is_up_to_date(&mut bos_watch).await);
    }
}

#[tokio::test]
async fn debug_output_of_a_watch_shows_no_cards() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    node.play_random_actions(table, &seated, &mut new_rng(), 3).await;
    let mut watch = node.watch(table, seated[0].caller()).await;
    let first_view = in_time(watch.next()).await.unwrap();
    assert_eq!(parse_view(&first_view)["at"], 3);
    let version = first_view.version;
    let expected = format!(
        "Watch {{ seat: {:?}, last_version: Some({version}), .. }} JsonView {{ version: {version}, bytes: {} }}",
        Some(seat(0)),
        first_view.json.len()
    );
    assert_eq!(format!("{watch:?} {first_view:?}"), expected);
}

#[tokio::test]
async fn watch_skips_the_version_that_the_client_has() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(2)).await;
    let current = node.json_view(table, &Caller::Spectator).await.version;
    let watch_after = |client_version| node.service.watch(table, Caller::Spectator, client_version);
    let mut watch = watch_after(Some(current)).await.unwrap();
    assert!(is_up_to_date(&mut watch).await);
    // A client that has no version, an old version or an impossible version gets the current view.
    for client_version in [None, Some(current - 1), Some(current + 1), Some(9999)] {
        let mut watch = watch_after(client_version).await.unwrap();
        assert_eq!(in_time(watch.next()).await.unwrap().version, current, "watching after {client_version:?}");
    }
    node.play_random_actions(table, &seated, &mut new_rng(), 1).await;
    assert_eq!(in_time(watch.next()).await.unwrap().version, current + 1);
}

#[tokio::test]
async fn slow_watch_continues_with_the_newest_state() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(2)).await;
    let mut watch = node.watch(table, Caller::Spectator).await;
    let first = in_time(watch.next()).await.unwrap().version;
    // More changes than the buffer of a watch holds.
    node.play_random_actions(table, &seated, &mut new_rng(), 30).await;
    let mut versions = vec![in_time(watch.next()).await.unwrap().version];
    assert_eq!(versions, [first + 30], "the watch did not skip to the newest version");
    assert!(is_up_to_date(&mut watch).await, "an older version follows the newest");
    node.play_random_actions(table, &seated, &mut new_rng(), 2).await;
    for _ in 0..2 {
        versions.push(in_time(watch.next()).await.unwrap().version);
    }
    assert_eq!(versions, [first + 30, first + 31, first + 32]);
}

#[tokio::test]
async fn newest_snapshot_skips_the_changes_in_between() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(2)).await;
    for observer in [Caller::Spectator, seated[0].caller()] {
        let mut watch = node.watch(table, observer).await;
        let first = in_time(watch.newest_snapshot()).await.unwrap().version();
        // Fewer changes than the buffer of a watch holds.
        node.play_random_actions(table, &seated, &mut new_rng(), 5).await;
        let newest = in_time(watch.newest_snapshot()).await.unwrap();
        assert_eq!(newest.version(), first + 5);
        assert!(is_up_to_date(&mut watch).await, "an older version follows the newest");
        node.play_random_actions(table, &seated, &mut new_rng(), 1).await;
        assert_eq!(in_time(watch.newest_snapshot()).await.unwrap().version(), first + 6);
    }
}

#[tokio::test]
async fn newest_snapshot_is_not_sent_to_a_player_who_has_lost_the_seat() {
    let (_backend, node) = start_node().await;
    let opened = node.service.open(NewTable::plain(players(4))).await.unwrap();
    let bo = node.take_seat(opened.table, "Bo").await;
    let mut watch = node.watch(opened.table, bo.caller()).await;
    in_time(watch.newest_snapshot()).await.unwrap();
    // Bo could receive the first of these changes, but not the newest state.
    node.take_seat(opened.table, "Cy").await;
    node.service.free_seat(opened.table, &Caller::Token(opened.token), seat(1)).await.unwrap();
    assert!(in_time(watch.newest_snapshot()).await.is_none());
}

#[tokio::test]
async fn watch_ends_when_the_seat_is_lost() {
    let (_backend, node) = start_node().await;
    let opened = node.service.open(NewTable::plain(players(3))).await.unwrap();
    let (table, host) = (opened.table, Caller::Token(opened.token));
    let bo = node.take_seat(table, "Bo").await;
    let (mut bos_watch, mut spectators_watch) =
        (node.watch(table, bo.caller()).await, node.watch(table, Caller::Spectator).await);
    in_time(bos_watch.next()).await.unwrap();
    in_time(spectators_watch.next()).await.unwrap();
    node.service.free_seat(table, &host, seat(1)).await.unwrap();
    assert!(in_time(bos_watch.next()).await.is_none());
    assert!(in_time(spectators_watch.next()).await.is_some());
    // The former player does not see the views of the next player in this seat.
    node.take_seat(table, "Cy").await;
    assert!(in_time(bos_watch.next()).await.is_none());
    assert_eq!(rejection(node.service.watch(table, bo.caller(), None).await), Rejection::WrongToken);
}

#[tokio::test]
async fn watching_an_unknown_table_or_with_a_wrong_token_is_rejected() {
    let (_backend, node) = start_node().await;
    let unknown = TableId::new(1);
    assert_eq!(rejection(node.service.watch(unknown, Caller::Spectator, None).await), Rejection::NoSuchTable);
    assert_eq!(rejection(node.service.observe(unknown, &Caller::Spectator).await), Rejection::NoSuchTable);
    let (table, _) = node.open_human_table(players(2)).await;
    let stranger = Caller::Token(SeatToken::random());
    assert_eq!(rejection(node.service.watch(table, stranger, None).await), Rejection::WrongToken);
    assert_eq!(rejection(node.service.observe(table, &stranger).await), Rejection::WrongToken);
}

#[tokio::test]
async fn watches_end_with_the_service() {
    let (_backend, node) = start_node().await;
    let (table, _) = node.open_human_table(players(2)).await;
    let mut watch = node.watch(table, Caller::Spectator).await;
    in_time(watch.next()).await.unwrap();
    node.service.close().await;
    assert!(in_time(watch.next()).await.is_none());
}

#[tokio::test]
async fn browser_sees_the_views_of_its_seats() {
    let (_backend, node) = start_node().await;
    let (ana, bo) = (Visitor::from_bytes([7; 32]), Visitor::from_bytes([8; 32]));
    let host = sultan_table::NewPlayer { visitor: Some(ana), ..player_named("Ana") };
    let opened = node.service.open(NewTable { host, ..NewTable::plain(players(2)) }).await.unwrap();
    let table = opened.table;
    let seated = node.take_seat(table, "Bo").await;
    let browser = |visitor, seat| Caller::Visitor { visitor, seat };
    assert_eq!(node.view(table, &browser(ana, None)).await["seat"], 0);
    assert_eq!(node.view(table, &browser(bo, None)).await["seat"], serde_json::Value::Null);
    assert_eq!(rejection(node.service.observe(table, &browser(bo, Some(seat(1)))).await), Rejection::WrongToken);
    // Bo's browser opens the link of the seat twice. Only the first time changes the table.
    let before = node.json_view(table, &Caller::Spectator).await.version;
    assert_eq!(node.service.link(table, seated.token, &bo).await.unwrap(), seat(1));
    assert_eq!(node.service.link(table, seated.token, &bo).await.unwrap(), seat(1));
    assert_eq!(node.json_view(table, &Caller::Spectator).await.version, before + 1);
    assert_eq!(node.view(table, &browser(bo, None)).await["seat"], 1);
    // A browser linked to two seats uses the first by default.
    node.service.link(table, seated.token, &ana).await.unwrap();
    assert_eq!(node.view(table, &browser(ana, None)).await["seat"], 0);
    assert_eq!(node.view(table, &browser(ana, Some(seat(1)))).await["seat"], 1);
    let seats = async |visitor| node.service.seats_of(table, &visitor).await.unwrap();
    assert_eq!((seats(ana).await, seats(bo).await), (vec![seat(0), seat(1)], vec![seat(1)]));
    assert_eq!(seats(Visitor::from_bytes([9; 32])).await, []);
    assert_eq!(rejection(node.service.link(table, SeatToken::random(), &bo).await), Rejection::WrongToken);
}

#[tokio::test]
async fn player_without_a_connection_becomes_absent() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    let mut signals = node.service.signals(table);
    let absent_seats = || node.service.attendance(table).unwrap().code();
    let connect = || node.service.mark_present(table, &[seated[1].seat]);
    let absent_seats_after_ms = async |ms| {
        node.time.advance(ms);
        tokio::time::sleep(Duration::from_millis(5)).await;
        absent_seats()
    };
    // A player becomes absent ten seconds after the last connection was closed.
    assert_eq!(absent_seats_after_ms(3_600_000).await, "", "a player who has never connected is absent");
    let (phone, laptop) = (connect(), connect());
    drop(phone);
    assert_eq!(absent_seats_after_ms(60_000).await, "", "a player with an open connection is absent");
    drop(laptop);
    assert_eq!(absent_seats_after_ms(9_000).await, "", "a player is absent before the time to reconnect is over");
    drop(connect());
    assert_eq!(absent_seats_after_ms(9_999).await, "", "the connection in between was ignored");
    let before = node.json_view(table, &Caller::Spectator).await;
    assert!(signals.is_empty());
    node.time.advance(1);
    assert_eq!(in_time(signals.recv()).await.unwrap(), Signal::Presence);
    assert_eq!(absent_seats(), "1");
    // Snapshots show the absence, but the table's version and JSON stay the same.
    let snapshot = node.service.observe(table, &seated[0].caller()).await.unwrap();
    let (version, view) = (snapshot.version(), snapshot.view());
    assert_eq!((version, view.attendance().code()), (before.version, absent_seats()));
    assert_eq!(node.json_view(table, &Caller::Spectator).await.json, before.json);
    let mut watch = node.service.watch(table, Caller::Spectator, None).await.unwrap();
    assert_eq!(in_time(watch.next_snapshot()).await.unwrap().view().attendance().code(), "1");
    let connection = connect();
    assert_eq!(in_time(signals.recv()).await.unwrap(), Signal::Presence);
    assert_eq!(absent_seats(), "");
    assert!(signals.is_empty());
    // A player who acts is present, even without a connection.
    drop(connection);
    node.time.advance(10_000);
    assert_eq!(in_time(signals.recv()).await.unwrap(), Signal::Presence);
    while absent_seats() == "1" {
        assert_eq!(node.play_random_actions(table, &seated, &mut new_rng(), 1).await, 1);
    }
    assert_eq!(in_time(signals.recv()).await.unwrap(), Signal::Presence);
}

/// Spectators are shown as one: whether there are any, not who or how many.
#[tokio::test]
async fn table_is_watched_while_a_spectator_is_connected() {
    let (_backend, node) = start_node().await;
    for even_pace in [false, true] {
        let new = with_options(NewTable::plain(players(2)), |options| options.even_pace = even_pace);
        let (table, seated) = node.open_table(new).await;
        let mut signals = node.service.signals(table);
        let code = || node.service.attendance(table).unwrap().code();
        let before = node.json_view(table, &Caller::Spectator).await;
        let _player = node.service.mark_present(table, &[seated[0].seat]);
        assert_eq!(code(), "", "a player counts as a spectator");
        let first = node.service.mark_present(table, &[]);
        assert_eq!((in_time(signals.recv()).await.unwrap(), code()), (Signal::Presence, "w".to_owned()));
        let second = node.service.mark_present(table, &[]);
        drop(first);
        node.time.advance(60_000);
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert_eq!((signals.is_empty(), code()), (true, "w".to_owned()));
        drop(second);
        node.time.advance(9_999);
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert_eq!((signals.is_empty(), code()), (true, "w".to_owned()), "a spectator has time to reconnect");
        node.time.advance(1);
        assert_eq!((in_time(signals.recv()).await.unwrap(), code()), (Signal::Presence, String::new()));
        let after = node.json_view(table, &Caller::Spectator).await;
        assert_eq!((before.version, before.json), (after.version, after.json));
    }
}

/// With an even pace, the return of a player would reveal that this player is about to act.
#[tokio::test]
async fn even_pace_hides_absence() {
    let (_backend, node) = start_node().await;
    let (table, seated) =
        node.open_table(with_options(NewTable::plain(players(2)), |options| options.even_pace = true)).await;
    drop(node.service.mark_present(table, &[seated[1].seat]));
    let mut signals = node.service.signals(table);
    node.time.advance(10_000);
    assert_eq!(in_time(signals.recv()).await.unwrap(), Signal::Presence);
    assert_eq!(node.service.attendance(table).unwrap().code(), "");
    let view = node.service.observe(table, &seated[0].caller()).await.unwrap().view();
    assert_eq!(view.attendance().code(), "");
    let mut watch = node.watch(table, seated[0].caller()).await;
    assert_eq!(in_time(watch.next_snapshot()).await.unwrap().view().attendance().code(), "");
}

#[tokio::test]
async fn new_player_of_a_seat_is_not_absent() {
    let (_backend, node) = start_node().await;
    let opened = node.service.open(NewTable::plain(players(3))).await.unwrap();
    let (table, host) = (opened.table, Caller::Token(opened.token));
    let absent_seats = || node.service.attendance(table).unwrap().code();
    let mut signals = node.service.signals(table);
    let bo = node.take_seat(table, "Bo").await;
    drop(node.service.mark_present(table, &[bo.seat]));
    node.time.advance(10_000);
    in_time(signals.recv()).await.unwrap();
    assert_eq!(absent_seats(), "1");
    node.service.free_seat(table, &host, bo.seat).await.unwrap();
    in_time(signals.recv()).await.unwrap();
    assert_eq!(absent_seats(), "");
    // Cy's connection was closed ten seconds ago, but Di has the seat now.
    let cy = node.take_seat(table, "Cy").await;
    drop(node.service.mark_present(table, &[cy.seat]));
    node.time.advance(5_000);
    node.service.free_seat(table, &host, cy.seat).await.unwrap();
    node.take_seat(table, "Di").await;
    node.time.advance(5_000);
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(absent_seats(), "");
    assert!(signals.is_empty());
}

#[tokio::test]
async fn players_on_one_device_become_absent_together() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    let mut signals = node.service.signals(table);
    let connection = node.service.mark_present(table, &[seated[0].seat, seated[2].seat]);
    assert_eq!(
        format!("{connection:?}"),
        format!("PresenceGuard {{ table: {table:?}, observers: {:?}, .. }}", [seat(0), seat(2)].map(Observer::Seat))
    );
    drop(connection);
    node.time.advance(10_000);
    for _ in 0..2 {
        in_time(signals.recv()).await.unwrap();
    }
    assert_eq!(node.service.attendance(table).unwrap().code(), "02");
}
