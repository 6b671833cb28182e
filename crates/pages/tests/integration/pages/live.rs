//! `/t/{id}/live`, over real sockets.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use serde_json::Value;
use sultan_server::{Config, ConnectionLimits, Rate, RateLimits};
use sultan_table::domain::{Players, Seat, TableId};
use sultan_table::{Caller, NewTable, Reaction, SeatToken, Visitor};
use sultan_testkit::site::visitor_cookie;
use sultan_testkit::socket::{self, Message, close_frame};
use sultan_testkit::test_server::{TestServer, unlimited_config};
use sultan_testkit::{FakeTime, Player, Quick, TestService};

use super::socket::{Frame, Socket};

const OWN: &str = "origin: http://sultan.example\r\n";

fn head(token: &SeatToken) -> String {
    format!("{OWN}authorization: Bearer {}\r\n", token.reveal())
}

/// A table of people in play, on its own server.
async fn table(config: Config, players: u8) -> (TestServer, TestService, TableId, Vec<Player>) {
    let time = FakeTime::default();
    let served = TestServer::start(time.settings(1), config, sultan_pages::app).await;
    let node = TestService::run(served.service.clone(), &time);
    let (table, players) = node.open_table(NewTable::plain(Players::new(players).unwrap())).await;
    (served, node, table, players)
}

/// A page that applies live messages.
struct Page {
    socket: Socket,
    version: u64,
    round: String,
    sections: BTreeMap<String, String>,
}

impl Page {
    async fn open(served: &TestServer, path: &str, token: Option<&SeatToken>) -> Self {
        let head = token.map_or(OWN.to_owned(), head);
        let socket = Socket::call(served.address, path, &head).await.unwrap();
        let mut page = Self { socket, version: 0, round: String::new(), sections: BTreeMap::new() };
        let first = page.follow().await;
        assert_eq!(first["sections"].as_array().unwrap().len(), 8, "all at first");
        page.socket.longest = 0;
        page
    }

    /// The newest section that contains the element with this id.
    fn html(&self, id: &str) -> &str {
        let inside = || self.sections.values().find(|html| html.contains(&format!(" id=\"{id}\"")));
        self.sections.get(id).or_else(inside).map_or("", String::as_str)
    }

    async fn follow(&mut self) -> Value {
        let message = self.socket.message().await;
        let version = message["version"].as_u64().unwrap();
        assert!(version > self.version);
        self.version = version;
        message["round"].as_str().unwrap().clone_into(&mut self.round);
        for section in message["sections"].as_array().unwrap() {
            let (id, html) = (section["id"].as_str().unwrap(), section["html"].as_str().unwrap());
            let old = self.sections.insert(id.to_owned(), html.to_owned());
            assert_ne!(old.as_deref(), Some(html), "only what changed");
            // A section replaces the parts inside of it.
            self.sections.retain(|part, _| part == id || !html.contains(&format!(" id=\"{part}\"")));
        }
        message
    }
}

#[tokio::test]
async fn live_page_receives_a_whole_game_in_sections() {
    for (count, deflate, most) in [(2, "", 20_000), (2, "&deflate=1", 6_200), (5, "&deflate=1", 6_200)] {
        let (served, node, table, players) = table(unlimited_config(), count).await;
        let mut chance = Quick::new(5);
        let mut pages = Vec::new();
        for player in players.iter().map(Some).chain([None]) {
            pages.push(
                Page::open(
                    &served,
                    &format!("/t/{table}/live?page=table{deflate}"),
                    player.map(|player| &player.token),
                )
                .await,
            );
        }
        while node.play_random_actions(table, &players, &mut chance, 1).await == 1 {
            for (place, page) in pages.iter_mut().enumerate() {
                let round = page.round.clone();
                let message = page.follow().await;
                assert!(!message["say"].as_array().unwrap().is_empty(), "{message}");
                let reveal = message["sections"].as_array().unwrap().iter().any(|one| one["id"] == "last-round");
                assert_eq!(reveal, page.round != round, "a reveal comes with its cards");
                let turn = message["turn"].as_bool().unwrap();
                if message["phase"] == "over" {
                    assert_eq!((turn, &message["reload"]), (false, &true.into()), "the end is a page of its own");
                    continue;
                }
                assert_eq!(turn, page.html("own-step").contains("id=\"confirm\""));
                assert!(!turn || place < players.len());
            }
        }
        for page in &pages {
            assert!(page.socket.longest < most, "{} bytes with {count} players", page.socket.longest);
        }
        for mut page in pages {
            let stop = page.socket.frame();
            if let Ok(frame) = tokio::time::timeout(Duration::from_millis(20), stop).await {
                panic!("{frame:?}");
            }
        }
        drop(node);
        served.stop().await;
    }
}

#[tokio::test]
async fn up_to_date_page_receives_only_changes() {
    let (served, node, table, players) = table(unlimited_config(), 3).await;
    let caller = players[0].caller();
    let version = served.service.observe(table, &caller).await.unwrap().version();
    let path = format!("/t/{table}/live?page=table&version={version}");
    let mut socket = Socket::call(served.address, &path, &head(&players[0].token)).await.unwrap();
    node.play_random_actions(table, &players, &mut Quick::new(1), 1).await;
    let message = socket.message().await;
    assert_eq!(message["version"], version + 1);
    let ids: Vec<&str> =
        message["sections"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert!(ids.contains(&"board") && !ids.contains(&"clock") && !ids.contains(&"screen-back"), "{ids:?}");
    // Reactions are sent to other pages.
    served.service.react(table, &players[1].caller(), Reaction::Applause).await.unwrap();
    let sign = socket.message().await;
    assert_eq!((&sign["reaction"], &sign["seat"]), (&"applause".into(), &1.into()));
    assert_eq!(sign["say"], "Player 2: “Bravo!”");
    // The server stops.
    drop(node);
    served.stop().await;
    assert_eq!(socket.frame().await, Frame::Close);
}

#[tokio::test]
async fn absent_players_are_marked_on_pages() {
    let (served, node, table, players) = table(unlimited_config(), 3).await;
    let version = served.service.observe(table, &Caller::Spectator).await.unwrap().version();
    let call = async |gone: &str, player: &Player| {
        let path = format!("/t/{table}/live?page=table&version={version}&gone={gone}");
        Socket::call(served.address, &path, &head(&player.token)).await.unwrap()
    };
    let seats = |message: &Value| {
        assert_eq!((&message["version"], &message["passing"]), (&version.into(), &true.into()), "{message}");
        let [seats] = &message["sections"].as_array().unwrap()[..] else { panic!("{message}") };
        assert_eq!(seats["id"], "seat-1");
        (seats["html"].as_str().unwrap().matches(">away<").count(), message["gone"].clone(), message["say"].clone())
    };
    let mut ana = call("", &players[0]).await;
    drop(call("", &players[1]).await);
    let gone = async {
        while served.service.absent_seats(table).unwrap().digits().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
            node.time.advance(1000);
        }
    };
    tokio::time::timeout(Duration::from_secs(30), gone).await.expect("the socket is closed");
    assert_eq!(seats(&ana.message().await), (1, "1".into(), serde_json::json!(["Player 2 is away."])));
    // A page that already shows the absent seat gets no message; a page that does not gets one at once.
    let mut knows = call("1", &players[2]).await;
    let mut learns = call("", &players[2]).await;
    assert_eq!(seats(&learns.message().await).0, 1);
    let _back = call("", &players[1]).await;
    for socket in [&mut ana, &mut knows, &mut learns] {
        assert_eq!(seats(&socket.message().await), (0, "".into(), serde_json::json!(["Player 2 is back."])));
    }
    drop(node);
    served.stop().await;
}

#[tokio::test]
async fn absent_players_are_marked_in_the_lobby() {
    let time = FakeTime::default();
    let served = TestServer::start(time.settings(1), unlimited_config(), sultan_pages::app).await;
    let node = TestService::run(served.service.clone(), &time);
    let opened = served.service.open(NewTable::plain(Players::new(3).unwrap())).await.unwrap();
    let bo = node.take_seat(opened.table, "Bo").await;
    let version = served.service.observe(opened.table, &Caller::Spectator).await.unwrap().version();
    let path = format!("/t/{}/live?version={version}", opened.table);
    let mut host = Socket::call(served.address, &path, &head(&opened.token)).await.unwrap();
    drop(Socket::call(served.address, &path, &head(&bo.token)).await.unwrap());
    let gone = async {
        loop {
            time.advance(1000);
            if let Ok(message) = tokio::time::timeout(Duration::from_millis(20), host.message()).await {
                break message;
            }
        }
    };
    let message = tokio::time::timeout(Duration::from_secs(30), gone).await.expect("the page is updated");
    assert_eq!((&message["passing"], &message["gone"]), (&true.into(), &"1".into()));
    let [places] = &message["sections"].as_array().unwrap()[..] else { panic!("{message}") };
    let html = places["html"].as_str().unwrap();
    assert!(places["id"] == "places" && html.matches("· away").count() == 1, "{message}");
    drop(node);
    served.stop().await;
}

#[tokio::test]
async fn flooding_page_is_disconnected_and_close_is_answered() {
    let few = Rate { burst: NonZeroU32::new(9).unwrap(), interval: Duration::from_mins(1) };
    let rates = RateLimits { per_address: few, per_token: few, opening_tables: few };
    let (served, _node, table, _) = table(Config { rate_limits: Some(rates), ..unlimited_config() }, 2).await;
    let path = format!("/t/{table}/live");
    let mut leaving = socket::Socket::open(served.address, &path, OWN).await.unwrap().unwrap();
    leaving.next_text().await.unwrap();
    leaving.send(close_frame(1001)).await.unwrap();
    assert_eq!(leaving.next_message().await.unwrap(), Some(close_frame(1001)));
    let mut loud = socket::Socket::open(served.address, &path, OWN).await.unwrap().unwrap();
    loud.next_text().await.unwrap();
    for _ in 0..9 {
        let _ = loud.send_text("hello").await;
    }
    assert!(matches!(loud.next_message().await.unwrap(), Some(Message::Close(_)) | None));
    served.stop().await;
}

#[tokio::test]
async fn only_own_pages_may_connect() {
    let (served, _node, table, players) = table(unlimited_config(), 2).await;
    let path = format!("/t/{table}/live");
    for (head, status) in [
        (String::new(), 403),
        ("origin: http://evil.example\r\n".to_owned(), 403),
        (format!("{OWN}authorization: Bearer {}\r\n", "0".repeat(64)), 403),
        (format!("{OWN}authorization: Bearer x\r\n"), 401),
    ] {
        assert_eq!(Socket::call(served.address, &path, &head).await.err(), Some(status), "{head}");
    }
    assert_eq!(Socket::call(served.address, "/t/000000000000/live", OWN).await.err(), Some(404));
    assert!(Socket::call(served.address, &path, &head(&players[0].token)).await.is_ok());
    served.stop().await;
}

#[tokio::test]
async fn pages_count_as_connections_as_long_as_they_are_open() {
    let connection_limits = ConnectionLimits { max_per_address: Some(3), ..unlimited_config().connection_limits };
    let (served, _node, table, _) = table(Config { connection_limits, ..unlimited_config() }, 2).await;
    let path = format!("/t/{table}/live");
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(Socket::call(served.address, &path, OWN).await.unwrap());
    }
    assert_eq!(Socket::call(served.address, &path, OWN).await.err(), Some(503));
    drop(open);
    let again = async {
        while Socket::call(served.address, &path, OWN).await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), again).await.expect("a slot is free again");
    served.stop().await;
}

#[tokio::test]
async fn waiting_table_sends_its_pages_to_the_game_when_it_starts() {
    let served = TestServer::start(FakeTime::default().settings(1), unlimited_config(), sultan_pages::app).await;
    let node = TestService::run(served.service.clone(), &FakeTime::default());
    let opened = served.service.open(NewTable::plain(Players::new(3).unwrap())).await.unwrap();
    let version = served.service.observe(opened.table, &Caller::Spectator).await.unwrap().version();
    let path = format!("/t/{}/live?version={version}", opened.table);
    let mut socket = Socket::call(served.address, &path, OWN).await.unwrap();
    node.take_seat(opened.table, "Bo").await;
    let message = socket.message().await;
    assert_eq!((&message["phase"], &message["reload"]), (&"waiting".into(), &Value::Null));
    assert!(message["sections"].as_array().unwrap().iter().any(|one| one["id"] == "places"));
    node.take_seat(opened.table, "Cy").await;
    assert_eq!(socket.message().await["reload"], true);
    drop(node);
    served.stop().await;
}

/// The cookie of a browser that has opened the links of these seats.
async fn cookie(served: &TestServer, table: TableId, players: &[Player]) -> String {
    let visitor = Visitor::from_bytes([5; 32]);
    for player in players {
        served.service.link(table, player.token, &visitor).await.unwrap();
    }
    format!("{OWN}cookie: {}\r\n", visitor_cookie(&visitor))
}

/// The ids of the sections in a message, and whether the page must reload.
fn sections_and_reload(message: &Value) -> (Vec<&str>, bool) {
    let sections = message["sections"].as_array().map(Vec::as_slice).unwrap_or_default();
    (sections.iter().map(|one| one["id"].as_str().unwrap()).collect(), message["reload"] == true)
}

#[tokio::test]
async fn shared_browser_receives_no_hidden_information() {
    let time = FakeTime::default();
    let served = TestServer::start(time.settings(1), unlimited_config(), sultan_pages::app).await;
    let node = TestService::run(served.service.clone(), &time);
    let mut new = NewTable::plain(Players::new(3).unwrap());
    new.options.first_seat = Seat::new(0);
    let (table, players) = node.open_table(new).await;
    let head = cookie(&served, table, &players[..2]).await;
    let version = served.service.observe(table, &Caller::Spectator).await.unwrap().version();
    let path = |rest: &str| format!("/t/{table}/live?version={version}&{rest}");
    let mut public = Socket::call(served.address, &path("page=curtain"), &head).await.unwrap();
    let mut first = Socket::call(served.address, &path("seat=0&page=table{deflate}"), &head).await.unwrap();
    let mut chance = Quick::new(2);
    // The first player's offer: the curtain stays as it is.
    node.play_random_actions(table, &players, &mut chance, 1).await;
    assert!(sections_and_reload(&first.message().await).0.contains(&"own-hand"));
    // The first player's bid hands the device to the second. After the second's bid, no seat of this browser is to act.
    for _ in 0..2 {
        node.play_random_actions(table, &players, &mut chance, 1).await;
        assert_eq!(sections_and_reload(&public.message().await), (vec![], true));
        assert_eq!(sections_and_reload(&first.message().await), (vec![], true));
    }
    // A player at another device bids last: the cards are turned up for all, then the curtain closes.
    node.play_random_actions(table, &players, &mut chance, 1).await;
    assert_eq!(sections_and_reload(&public.message().await), (vec!["last-round"], true));
    assert_eq!(sections_and_reload(&first.message().await), (vec!["last-round"], true));
    drop(node);
    served.stop().await;
}
