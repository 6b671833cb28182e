//! `/api/v1/tables/{id}/events`.

use std::time::Duration;

use axum::body::Body;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sultan_server::Config;
use tokio::time::timeout;

use crate::site::{self, Own, Site};

/// An event stream, as a client reads it.
struct Stream(Body);

/// One event.
#[derive(Debug)]
struct Event {
    id: u64,
    data: Value,
}

impl Stream {
    async fn open(site: &Site, own: &Own, last: Option<&str>) -> Self {
        let ask = site.get(&format!("/api/v1/tables/{}/events", own.table)).token(&own.token);
        let ask = match last {
            Some(last) => ask.header("last-event-id", last),
            None => ask,
        };
        let response = ask.begin().await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        Self(response.into_body())
    }

    /// The next chunk; `None` at the end.
    async fn piece(&mut self) -> Option<String> {
        let frame = timeout(Duration::from_secs(10), self.0.frame()).await.expect("a message arrives in time")?;
        Some(String::from_utf8(frame.unwrap().into_data().unwrap().to_vec()).unwrap())
    }

    async fn event(&mut self) -> Event {
        let piece = self.piece().await.expect("the stream continues");
        assert!(piece.ends_with("\n\n"), "one piece is one event");
        let field = |name: &str| piece.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        let data = serde_json::from_str(&field("data: ").unwrap()).unwrap();
        Event { id: field("id: ").unwrap().parse().unwrap(), data }
    }

    async fn is_silent(&mut self) -> bool {
        timeout(Duration::from_millis(100), self.0.frame()).await.is_err()
    }
}

#[tokio::test]
async fn event_stream_sends_the_newest_view_then_every_change() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2, "first_seat": 0})).await;
    let mut stream = Stream::open(&site, &ana, None).await;
    let waiting = stream.event().await;
    assert_eq!(waiting.data, site.view(&ana).await);
    assert!(stream.is_silent().await);
    let bo = site.sit(&ana.table, json!({"name": "Bo"})).await;
    let started = stream.event().await;
    assert!(started.id > waiting.id);
    assert_eq!(started.data, site.view(&ana).await);
    let mut other = Stream::open(&site, &bo, None).await;
    assert_eq!(other.event().await.data["seat"], 1);
    let offer = started.data["legal"][0].as_str().unwrap();
    let acted = site.act(&ana, offer, 0).await.json();
    let event = stream.event().await;
    assert_eq!((event.id, &event.data), (started.id + 1, &acted));
    assert_eq!(other.event().await.data, site.view(&bo).await);
    assert!(stream.is_silent().await && other.is_silent().await);
}

#[tokio::test]
async fn event_stream_skips_the_known_version() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let mut stream = Stream::open(&site, &ana, None).await;
    let first = stream.piece().await.unwrap();
    assert!(first.starts_with("retry: "), "the stream begins with the reconnection delay");
    let id = Stream::open(&site, &ana, None).await.event().await.id;
    let mut resumed = Stream::open(&site, &ana, Some(&id.to_string())).await;
    assert!(resumed.is_silent().await);
    for other in ["0", "999999", "nonsense", ""] {
        assert_eq!(Stream::open(&site, &ana, Some(other)).await.event().await.id, id, "{other}");
    }
    let legal = site.view(&ana).await["legal"][0].clone();
    site.act(&ana, legal.as_str().unwrap(), 0).await;
    assert_eq!(resumed.event().await.id, id + 1);
}

#[tokio::test]
async fn spectator_stream_contains_no_secret() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let response = site.get(&format!("/api/v1/tables/{}/events", ana.table)).begin().await;
    let data = Stream(response.into_body()).event().await.data;
    assert_eq!((&data["seat"], &data["hand"]), (&Value::Null, &json!([])));
}

#[tokio::test]
async fn idle_stream_gets_comments() {
    let config = Config { rates: None, keep_alive: Duration::from_millis(50), ..Config::default() };
    let site = site::with(config).await;
    let [ana, _] = site.two_player_table().await;
    let mut stream = Stream::open(&site, &ana, None).await;
    stream.event().await;
    assert_eq!(stream.piece().await.unwrap(), ":\n\n");
    assert_eq!(stream.piece().await.unwrap(), ":\n\n");
}

#[tokio::test]
async fn event_stream_ends_when_the_server_stops_or_the_seat_is_lost() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 3})).await;
    let bo = site.sit(&ana.table, json!({})).await;
    let mut stream = Stream::open(&site, &ana, None).await;
    let mut lost = Stream::open(&site, &bo, None).await;
    stream.event().await;
    lost.event().await;
    let removed = site.ask("DELETE", &format!("/api/v1/tables/{}/seats/1", ana.table)).token(&ana.token).send().await;
    assert_eq!(removed.status, 204);
    assert!(lost.piece().await.is_none());
    stream.event().await;
    site.service.end_watches();
    assert!(stream.piece().await.is_none());
    // A client that connects afterwards gets the newest view, then its stream ends, too.
    let mut late = Stream::open(&site, &ana, None).await;
    late.event().await;
    assert!(late.piece().await.is_none());
}

#[tokio::test]
async fn watching_needs_a_table_and_a_valid_token() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let path = format!("/api/v1/tables/{}/events", ana.table);
    site.get("/api/v1/tables/000000000000/events").send().await.assert_problem(404, "table/not-found");
    site.get(&path).token("x").send().await.assert_problem(401, "token/ill-formed");
    site.get(&path).token(&"0".repeat(64)).send().await.assert_problem(403, "token/wrong");
}
