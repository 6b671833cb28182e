//! Live updates of a browser that several players share.

use super::*;

/// The headers of a WebSocket in a browser that has opened the links of these seats.
async fn headers_of_shared_browser(server: &TestServer, table: TableId, players: &[Player]) -> String {
    let visitor = Visitor::from_bytes([5; 32]);
    for player in players {
        server.service.link(table, player.token, &visitor).await.unwrap();
    }
    format!("{OWN_ORIGIN}cookie: {}\r\n", visitor_cookie(&visitor))
}

/// Asserts that a message has only these sections and lets the page reload.
#[track_caller]
fn assert_reload(message: &Value, ids: &[&str]) {
    assert_eq!((section_ids(message), message["reload"] == true), (ids.to_vec(), true), "{message}");
}

#[tokio::test]
async fn shared_browser_receives_no_hidden_information() {
    let (server, node) = start_server(unlimited_config()).await;
    let mut new = NewTable::plain(Players::new(3).unwrap());
    new.options.first_seat = Seat::new(0);
    let (table, players) = node.open_table(new).await;
    // The browser has the seats 0 and 1.
    let headers = headers_of_shared_browser(&server, table, &players[..2]).await;
    let version = version_of(&server, table).await;
    let path = |query: &str| format!("/t/{table}/live?format=2&version={version}&{query}");
    let mut curtain = Socket::connect(server.address, &path("page=curtain"), &headers).await.unwrap();
    let mut first_seat = Socket::connect(server.address, &path("seat=0&page=table"), &headers).await.unwrap();
    let mut rng = FastRng::new(2);
    // The offer of seat 0, which then bids first. The curtain stays as it is.
    node.play_random_actions(table, &players, &mut rng, 1).await;
    assert!(section_ids(&first_seat.next_message().await).contains(&"own-hand"));
    // The bid of seat 0 hands the device to seat 1. After the bid of seat 1, no seat of this browser is to act.
    for _ in 0..2 {
        node.play_random_actions(table, &players, &mut rng, 1).await;
        assert_reload(&curtain.next_message().await, &[]);
        assert_reload(&first_seat.next_message().await, &[]);
    }
    // Seat 2 at another device bids last: all pages show the cards of the round, and reload to a curtain.
    node.play_random_actions(table, &players, &mut rng, 1).await;
    assert_reload(&curtain.next_message().await, &["last-round"]);
    assert_reload(&first_seat.next_message().await, &["last-round"]);
    drop(node);
    server.stop().await;
}

/// After the last bid of a round everybody looks at the device. If the next offer is made elsewhere, no curtain follows,
/// but the page must not show the last bidder's hand again.
#[tokio::test]
async fn shared_browser_hides_the_hand_after_a_round() {
    let (server, node) = start_server(unlimited_config()).await;
    let mut new = NewTable::plain(Players::new(3).unwrap());
    new.options.first_seat = Seat::new(1);
    let (table, players) = node.open_table(new).await;
    // The browser has the seats 0 and 1. Seat 0 bids last, and seat 2 makes the next offer.
    let headers = headers_of_shared_browser(&server, table, &players[..2]).await;
    let mut rng = FastRng::new(2);
    node.play_random_actions(table, &players, &mut rng, 3).await;
    let version = version_of(&server, table).await;
    let path = |query: &str| format!("/t/{table}/live?format=2&version={version}&page=table&{query}");
    let mut last_bidder = Socket::connect(server.address, &path("seat=0"), &headers).await.unwrap();
    node.play_random_actions(table, &players, &mut rng, 1).await;
    assert_reload(&last_bidder.next_message().await, &["last-round"]);
    node.play_random_actions(table, &players, &mut rng, 1).await;
    assert_reload(&last_bidder.next_message().await, &[]);
    // The page that loads again, at the same address, gets only what spectators see.
    let mut page = Socket::connect(server.address, &path("seat=0"), &headers).await.unwrap();
    page.next_message().await;
    node.play_random_actions(table, &players, &mut rng, 1).await;
    let message = page.next_message().await;
    assert!(!section_ids(&message).iter().any(|id| id.starts_with("own")), "{message}");
    drop(node);
    server.stop().await;
}
