//! `/t/{id}/live`: live updates of pages over real WebSocket connections.

mod shared_browser;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use serde_json::Value;
use sultan_server::{Config, ConnectionLimits, Rate, RateLimits};
use sultan_table::domain::{Players, Seat, TableId};
use sultan_table::{Caller, NewTable, Reaction, SeatChange, SeatToken, Visitor};
use sultan_testkit::site::visitor_cookie;
use sultan_testkit::socket::{self, Message, close_frame};
use sultan_testkit::test_server::{TestServer, unlimited_config};
use sultan_testkit::{FakeTime, FastRng, Player, TestService};

use super::socket::{Frame, Socket};

/// The header that a browser sends with a WebSocket of our own pages.
const OWN_ORIGIN: &str = "origin: http://sultan.example\r\n";

/// The headers of a WebSocket of our own pages with a seat's token.
fn headers_with(token: &SeatToken) -> String {
    format!("{OWN_ORIGIN}authorization: Bearer {}\r\n", token.reveal())
}

/// Starts a server, and the service behind it as a test calls it.
async fn start_server(config: Config) -> (TestServer, TestService) {
    let time = FakeTime::default();
    let server = TestServer::start(time.settings(1), config, sultan_pages::app).await;
    let node = TestService::run(server.service.clone(), &time);
    (server, node)
}

/// Starts a server with a game of people.
async fn start_game(config: Config, player_count: u8) -> (TestServer, TestService, TableId, Vec<Player>) {
    let (server, node) = start_server(config).await;
    let (table, players) = node.open_table(NewTable::plain(Players::new(player_count).unwrap())).await;
    (server, node, table, players)
}

/// The version of a table for spectators.
async fn version_of(server: &TestServer, table: TableId) -> u32 {
    server.service.observe(table, &Caller::Spectator).await.unwrap().version()
}

/// Waits for up to 30 seconds.
async fn within_30_seconds<T>(future: impl Future<Output = T>, expected_event: &str) -> T {
    tokio::time::timeout(Duration::from_secs(30), future).await.expect(expected_event)
}

/// The ids of the sections in a message.
fn section_ids(message: &Value) -> Vec<&str> {
    let sections = message["sections"].as_array().map(Vec::as_slice).unwrap_or_default();
    sections.iter().map(|section| section["id"].as_str().unwrap()).collect()
}

/// A page that applies the messages it receives.
struct Page {
    socket: Socket,
    /// The version of the table that the page shows.
    version: u64,
    /// The identifier of the last finished round.
    round: String,
    /// The HTML of the newest sections by id.
    sections: BTreeMap<String, String>,
}

impl Page {
    /// Connects, and receives the first message, which has all sections.
    async fn open(server: &TestServer, path: &str, token: Option<&SeatToken>) -> Self {
        let headers = token.map_or(OWN_ORIGIN.to_owned(), headers_with);
        let socket = Socket::connect(server.address, path, &headers).await.unwrap();
        let mut page = Self { socket, version: 0, round: String::new(), sections: BTreeMap::new() };
        let first_message = page.apply_next_message().await;
        assert_eq!(section_ids(&first_message).len(), 9);
        // Only later messages have to be short.
        page.socket.message_sizes.clear();
        page
    }

    /// The newest section that contains the element with this id.
    fn section_with(&self, id: &str) -> &str {
        let enclosing_section = || self.sections.values().find(|html| html.contains(&format!(" id=\"{id}\"")));
        self.sections.get(id).or_else(enclosing_section).map_or("", String::as_str)
    }

    /// Receives a message and applies it. Returns the message.
    async fn apply_next_message(&mut self) -> Value {
        let message = self.socket.next_message().await;
        let version = message["version"].as_u64().unwrap();
        assert!(version > self.version);
        self.version = version;
        message["round"].as_str().unwrap().clone_into(&mut self.round);
        for section in message["sections"].as_array().unwrap() {
            let (id, html) = (section["id"].as_str().unwrap(), section["html"].as_str().unwrap());
            let previous = self.sections.insert(id.to_owned(), html.to_owned());
            assert_ne!(previous.as_deref(), Some(html), "the section {id} was sent without a change");
            // Forget the sections inside of the new section, which it replaces.
            self.sections.retain(|other_id, _| other_id == id || !html.contains(&format!(" id=\"{other_id}\"")));
        }
        message
    }
}

#[tokio::test]
async fn live_page_receives_a_whole_game_in_sections() {
    // The cost of a message depends mostly on its size: less than `max_bytes`, and less than `mean_bytes` on average.
    for (player_count, max_bytes, mean_bytes) in [(2, 8_200, 3_000), (4, 8_200, 2_650), (5, 8_200, 2_500)] {
        let (server, node, table, players) = start_game(unlimited_config(), player_count).await;
        let path = format!("/t/{table}/live?format=2&page=table");
        // A page of each player, and last the page of a spectator, who comes first: players get a message about that.
        let spectator = Page::open(&server, &path, None).await;
        let mut pages = Vec::new();
        for player in &players {
            pages.push(Page::open(&server, &path, Some(&player.token)).await);
        }
        pages.push(spectator);
        let mut rng = FastRng::new(5);
        while node.play_random_actions(table, &players, &mut rng, 1).await == 1 {
            for (index, page) in pages.iter_mut().enumerate() {
                let previous_round = page.round.clone();
                let message = page.apply_next_message().await;
                assert!(!message["say"].as_array().unwrap().is_empty(), "{message}");
                let has_cards = section_ids(&message).contains(&"last-round");
                assert_eq!(
                    has_cards,
                    page.round != previous_round,
                    "the cards of a round come with its end: {message}"
                );
                let is_turn = message["turn"].as_bool().unwrap();
                if message["phase"] == "over" {
                    // The page reloads, because a finished game has another page.
                    assert_eq!((is_turn, &message["reload"]), (false, &true.into()));
                    continue;
                }
                assert_eq!(is_turn, page.section_with("own-step").contains("id=\"confirm\""));
                assert!(!is_turn || index < players.len(), "it is a spectator's turn");
            }
        }
        let sizes: Vec<usize> = pages.iter().flat_map(|page| page.socket.message_sizes.clone()).collect();
        let (longest, mean) = (*sizes.iter().max().unwrap(), sizes.iter().sum::<usize>() / sizes.len());
        assert!(longest < max_bytes, "a message of {longest} bytes with {player_count} players");
        assert!(mean < mean_bytes, "messages of {mean} bytes with {player_count} players");
        for mut page in pages {
            let next_frame = page.socket.next_frame();
            if let Ok(frame) = tokio::time::timeout(Duration::from_millis(20), next_frame).await {
                panic!("a message after the end of the game: {frame:?}");
            }
        }
        drop(node);
        server.stop().await;
    }
}

#[tokio::test]
async fn up_to_date_page_receives_only_changes() {
    let (server, node, table, players) = start_game(unlimited_config(), 3).await;
    let version = version_of(&server, table).await;
    let path = format!("/t/{table}/live?format=2&page=table&version={version}");
    let mut socket = Socket::connect(server.address, &path, &headers_with(&players[0].token)).await.unwrap();
    node.play_random_actions(table, &players, &mut FastRng::new(1), 1).await;
    let message = socket.next_message().await;
    assert_eq!(message["version"], version + 1);
    let ids = section_ids(&message);
    assert!(ids.contains(&"board") && !ids.contains(&"clock") && !ids.contains(&"screen-back"), "{ids:?}");
    // Reactions are sent to other pages.
    server.service.react(table, &players[1].caller(), Reaction::Applause).await.unwrap();
    let reaction = socket.next_message().await;
    assert_eq!((&reaction["reaction"], &reaction["seat"]), (&"applause".into(), &1.into()));
    assert_eq!(reaction["say"], "Player 2: “Bravo!”");
    // A server that stops closes the socket.
    drop(node);
    server.stop().await;
    assert_eq!(socket.next_frame().await, Frame::Close);
}

#[tokio::test]
async fn page_with_an_older_script_reloads() {
    let (server, node, table, players) = start_game(unlimited_config(), 3).await;
    let version = version_of(&server, table).await;
    // A script of 0.1 names no format.
    for format in ["", "&format=1", "&format=3"] {
        let path = format!("/t/{table}/live?page=table&version={version}{format}");
        let mut socket = Socket::connect(server.address, &path, &headers_with(&players[0].token)).await.unwrap();
        // The script ignores messages that have no newer version.
        let reload = serde_json::json!({ "version": version + 1, "reload": true, "sections": [] });
        assert_eq!(socket.next_message().await, reload);
    }
    // A page that shows another version, and a page that could not reload after the first message.
    let path = format!("/t/{table}/live?page=table&version=1");
    let mut outdated = Socket::connect(server.address, &path, &headers_with(&players[0].token)).await.unwrap();
    let mut messages = vec![outdated.next_message().await, outdated.next_message().await];
    node.play_random_actions(table, &players, &mut FastRng::new(1), 1).await;
    messages.push(outdated.next_message().await);
    let versions: Vec<u64> = messages.iter().map(|message| message["version"].as_u64().unwrap()).collect();
    assert_eq!(versions[1..], [u64::from(version), u64::from(version) + 1]);
    assert!(messages.iter().all(|message| message["reload"] == true), "{messages:?}");
    drop(node);
    server.stop().await;
}

#[tokio::test]
async fn absent_players_are_marked_on_pages() {
    let (server, node, table, players) = start_game(unlimited_config(), 3).await;
    let version = version_of(&server, table).await;
    // Connects the page of a player, which shows the seats with these digits as absent.
    let connect = async |shown_absent: &str, player: &Player| {
        let path = format!("/t/{table}/live?format=2&page=table&version={version}&gone={shown_absent}");
        Socket::connect(server.address, &path, &headers_with(&player.token)).await.unwrap()
    };
    // The number of marks for absence at the seat, the absent seats, and the sentences of a presence message.
    let presence = |message: &Value| {
        assert_eq!((&message["version"], &message["passing"]), (&version.into(), &true.into()), "{message}");
        // If it is the player's turn, the status line changes, too.
        let sections = message["sections"].as_array().unwrap();
        assert!(sections.iter().all(|section| section["id"] == "seat-1" || section["id"] == "status"), "{message}");
        let section = sections.iter().find(|section| section["id"] == "seat-1").expect("the seat has changed");
        (section["html"].as_str().unwrap().matches(">away<").count(), message["gone"].clone(), message["say"].clone())
    };
    let mut ana = connect("", &players[0]).await;
    drop(connect("", &players[1]).await);
    let absence = async {
        while server.service.attendance(table).unwrap().code().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
            node.time.advance(1000);
        }
    };
    within_30_seconds(absence, "a player without a socket counts as absent").await;
    assert_eq!(presence(&ana.next_message().await), (1, "1".into(), serde_json::json!(["Player 2 is away."])));
    // A page that already shows the absent seat gets no message; another page gets a message at once.
    let mut up_to_date_page = connect("1", &players[2]).await;
    let mut outdated_page = connect("", &players[2]).await;
    assert_eq!(presence(&outdated_page.next_message().await).0, 1);
    let _socket_of_bo = connect("", &players[1]).await;
    for socket in [&mut ana, &mut up_to_date_page, &mut outdated_page] {
        assert_eq!(presence(&socket.next_message().await), (0, "".into(), serde_json::json!(["Player 2 is back."])));
    }
    drop(node);
    server.stop().await;
}

#[tokio::test]
async fn players_see_that_somebody_watches() {
    let (server, node, table, players) = start_game(unlimited_config(), 3).await;
    let path = format!("/t/{table}/live?format=2&page=table&version={}", version_of(&server, table).await);
    let mut ana = Socket::connect(server.address, &path, &headers_with(&players[0].token)).await.unwrap();
    let mut spectator = Socket::connect(server.address, &path, OWN_ORIGIN).await.unwrap();
    let message = ana.next_message().await;
    assert_eq!((&message["gone"], &message["say"]), (&"w".into(), &serde_json::json!(["Somebody is watching."])));
    let [section] = &message["sections"].as_array().unwrap()[..] else { panic!("not one section: {message}") };
    assert!(
        section["id"] == "clock" && section["html"].as_str().unwrap().contains("Somebody is watching."),
        "{message}"
    );
    // Spectators themselves get no message about spectators: the first message is about the action.
    node.play_random_actions(table, &players, &mut FastRng::new(1), 1).await;
    assert_eq!((&spectator.next_message().await["at"], &ana.next_message().await["at"]), (&1.into(), &1.into()));
    // A page that shows the sign already gets no message when it reconnects.
    let path = format!("/t/{table}/live?format=2&page=table&version={}&gone=w", version_of(&server, table).await);
    let mut bo = Socket::connect(server.address, &path, &headers_with(&players[1].token)).await.unwrap();
    node.play_random_actions(table, &players, &mut FastRng::new(1), 1).await;
    assert_eq!(bo.next_message().await["at"], 2);
    drop(node);
    server.stop().await;
}

#[tokio::test]
async fn absent_players_are_marked_in_the_lobby() {
    let (server, node) = start_server(unlimited_config()).await;
    let opened = server.service.open(NewTable::plain(Players::new(3).unwrap())).await.unwrap();
    let bo = node.take_seat(opened.table, "Bo").await;
    let path = format!("/t/{}/live?format=2&version={}", opened.table, version_of(&server, opened.table).await);
    let mut host = Socket::connect(server.address, &path, &headers_with(&opened.token)).await.unwrap();
    drop(Socket::connect(server.address, &path, &headers_with(&bo.token)).await.unwrap());
    let next_message = async {
        loop {
            node.time.advance(1000);
            if let Ok(message) = tokio::time::timeout(Duration::from_millis(20), host.next_message()).await {
                break message;
            }
        }
    };
    let message = within_30_seconds(next_message, "the host's page gets a message").await;
    assert_eq!((&message["passing"], &message["gone"]), (&true.into(), &"1".into()));
    let [section] = &message["sections"].as_array().unwrap()[..] else { panic!("not one section: {message}") };
    let html = section["html"].as_str().unwrap();
    assert!(section["id"] == "places" && html.matches("· away").count() == 1, "{message}");
    drop(node);
    server.stop().await;
}

#[tokio::test]
async fn flooding_client_is_disconnected_and_close_is_answered() {
    let rate = Rate { burst: NonZeroU32::new(9).unwrap(), interval: Duration::from_mins(1) };
    let rates = RateLimits { per_address: rate, per_token: rate, opening_tables: rate };
    let (server, _node, table, _) = start_game(Config { rate_limits: Some(rates), ..unlimited_config() }, 2).await;
    let path = format!("/t/{table}/live?format=2");
    let mut closing_client = socket::Socket::open(server.address, &path, OWN_ORIGIN).await.unwrap().unwrap();
    closing_client.next_text().await.unwrap();
    // A browser sends the code 1001 ("going away") when the user leaves the page.
    closing_client.send(close_frame(1001)).await.unwrap();
    assert_eq!(closing_client.next_message().await.unwrap(), Some(close_frame(1001)));
    let mut flooding_client = socket::Socket::open(server.address, &path, OWN_ORIGIN).await.unwrap().unwrap();
    flooding_client.next_text().await.unwrap();
    // The two connections have used a part of the burst of 9, so 9 more messages exceed it.
    for _ in 0..9 {
        // Sending fails once the server has closed the connection.
        let _ = flooding_client.send_text("hello").await;
    }
    assert!(matches!(flooding_client.next_message().await.unwrap(), Some(Message::Close(_)) | None));
    server.stop().await;
}

#[tokio::test]
async fn only_own_pages_may_connect() {
    let (server, _node, table, players) = start_game(unlimited_config(), 2).await;
    let path = format!("/t/{table}/live?format=2");
    for (headers, status) in [
        (String::new(), 403),
        ("origin: http://evil.example\r\n".to_owned(), 403),
        (format!("{OWN_ORIGIN}authorization: Bearer {}\r\n", "0".repeat(64)), 403),
        (format!("{OWN_ORIGIN}authorization: Bearer x\r\n"), 401),
    ] {
        assert_eq!(Socket::connect(server.address, &path, &headers).await.err(), Some(status), "{headers}");
    }
    assert_eq!(Socket::connect(server.address, "/t/000000000000/live", OWN_ORIGIN).await.err(), Some(404));
    assert!(Socket::connect(server.address, &path, &headers_with(&players[0].token)).await.is_ok());
    server.stop().await;
}

#[tokio::test]
async fn open_live_pages_count_towards_the_limit_of_connections() {
    let connection_limits = ConnectionLimits { max_per_address: Some(3), ..unlimited_config().connection_limits };
    let (server, _node, table, _) = start_game(Config { connection_limits, ..unlimited_config() }, 2).await;
    let path = format!("/t/{table}/live?format=2");
    let mut open_sockets = Vec::new();
    for _ in 0..3 {
        open_sockets.push(Socket::connect(server.address, &path, OWN_ORIGIN).await.unwrap());
    }
    assert_eq!(Socket::connect(server.address, &path, OWN_ORIGIN).await.err(), Some(503));
    drop(open_sockets);
    let connected = async {
        while Socket::connect(server.address, &path, OWN_ORIGIN).await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    within_30_seconds(connected, "a new socket connects after others were closed").await;
    server.stop().await;
}

#[tokio::test]
async fn lobby_reloads_when_the_game_starts() {
    let (server, node) = start_server(unlimited_config()).await;
    let opened = server.service.open(NewTable::plain(Players::new(3).unwrap())).await.unwrap();
    let path = format!("/t/{}/live?format=2&version={}", opened.table, version_of(&server, opened.table).await);
    let mut socket = Socket::connect(server.address, &path, OWN_ORIGIN).await.unwrap();
    node.take_seat(opened.table, "Bo").await;
    let message = socket.next_message().await;
    assert_eq!((&message["phase"], &message["reload"]), (&"waiting".into(), &Value::Null));
    assert!(section_ids(&message).contains(&"places"));
    node.take_seat(opened.table, "Cy").await;
    assert_eq!(socket.next_message().await["reload"], true);
    drop(node);
    server.stop().await;
}

#[tokio::test]
async fn request_for_a_rematch_appears_on_end_pages() {
    let (server, node, table, players) = start_game(unlimited_config(), 2).await;
    node.play_out(table, &players, &mut FastRng::new(1)).await;
    let path = format!("/t/{table}/live?format=2&page=end&version={}", version_of(&server, table).await);
    let mut ana = Socket::connect(server.address, &path, &headers_with(&players[0].token)).await.unwrap();
    server.service.rematch(table, &players[1].caller(), SeatChange::default(), None).await.unwrap();
    let message = ana.next_message().await;
    assert_eq!(section_ids(&message), ["again", "triumph"], "{message}");
    let request = message["sections"][0]["html"].as_str().unwrap();
    assert!(request.contains("Player 2 wants to play again.") && request.contains("rematch?seat=0"), "{request}");
    drop(node);
    server.stop().await;
}
