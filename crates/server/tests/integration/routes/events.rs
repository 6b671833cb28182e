//! `/api/v1/tables/{id}/events`.

use std::time::Duration;

use axum::body::Body;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sultan_server::Config;
use tokio::time::timeout;

use crate::site::{self, SeatedPlayer, Site};

/// The body of an event stream, as a client reads it.
struct Stream(Body);

/// An event: the version and the view of a table.
#[derive(Debug)]
struct Event {
    id: u64,
    data: Value,
}

impl Stream {
    async fn open(site: &Site, player: &SeatedPlayer, last_event_id: Option<&str>) -> Self {
        let mut request = site.get(&format!("/api/v1/tables/{}/events", player.table)).token(&player.token);
        if let Some(id) = last_event_id {
            request = request.header("last-event-id", id);
        }
        let response = request.begin().await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        Self(response.into_body())
    }

    /// The next chunk; `None` at the end.
    async fn next_chunk(&mut self) -> Option<String> {
        let frame = timeout(Duration::from_secs(10), self.0.frame()).await.expect("a message arrives in time")?;
        Some(String::from_utf8(frame.unwrap().into_data().unwrap().to_vec()).unwrap())
    }

    async fn next_event(&mut self) -> Event {
        let chunk = self.next_chunk().await.expect("the stream continues");
        assert!(chunk.ends_with("\n\n"), "the chunk is not a whole event: {chunk}");
        let field = |name: &str| chunk.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        let data = serde_json::from_str(&field("data: ").unwrap()).unwrap();
        Event { id: field("id: ").unwrap().parse().unwrap(), data }
    }

    /// Returns whether no byte is received for 100 ms.
    async fn is_silent(&mut self) -> bool {
        timeout(Duration::from_millis(100), self.0.frame()).await.is_err()
    }
}

#[tokio::test]
async fn event_stream_sends_the_newest_view_then_every_change() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2, "first_seat": 0})).await;
    let mut stream = Stream::open(&site, &ana, None).await;
    let waiting = stream.next_event().await;
    assert_eq!(waiting.data, site.view(&ana).await);
    assert!(stream.is_silent().await);
    let bo = site.sit(&ana.table, json!({"name": "Bo"})).await;
    let started = stream.next_event().await;
    assert!(started.id > waiting.id);
    assert_eq!(started.data, site.view(&ana).await);
    let mut stream_of_bo = Stream::open(&site, &bo, None).await;
    assert_eq!(stream_of_bo.next_event().await.data["seat"], 1);
    let offer = started.data["legal"][0].as_str().unwrap();
    let acted = site.act(&ana, offer, 0).await.json();
    let event = stream.next_event().await;
    assert_eq!((event.id, &event.data), (started.id + 1, &acted));
    assert_eq!(stream_of_bo.next_event().await.data, site.view(&bo).await);
    assert!(stream.is_silent().await && stream_of_bo.is_silent().await);
}

#[tokio::test]
async fn event_stream_does_not_repeat_the_version_that_the_client_has() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let first_chunk = Stream::open(&site, &ana, None).await.next_chunk().await.unwrap();
    assert!(first_chunk.starts_with("retry: "), "the delay for reconnecting is missing: {first_chunk}");
    let id = Stream::open(&site, &ana, None).await.next_event().await.id;
    let mut resumed = Stream::open(&site, &ana, Some(&id.to_string())).await;
    assert!(resumed.is_silent().await);
    // With the id of any other version, the client gets the newest view.
    for other_id in ["0", "999999", "nonsense", ""] {
        assert_eq!(Stream::open(&site, &ana, Some(other_id)).await.next_event().await.id, id, "{other_id}");
    }
    let legal = site.view(&ana).await["legal"][0].clone();
    site.act(&ana, legal.as_str().unwrap(), 0).await;
    assert_eq!(resumed.next_event().await.id, id + 1);
}

#[tokio::test]
async fn event_stream_of_a_spectator_has_no_seat_and_no_cards() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let response = site.get(&format!("/api/v1/tables/{}/events", ana.table)).begin().await;
    let data = Stream(response.into_body()).next_event().await.data;
    assert_eq!((&data["seat"], &data["hand"]), (&Value::Null, &json!([])));
}

#[tokio::test]
async fn idle_event_stream_gets_comments_as_keep_alive() {
    let config = Config { rate_limits: None, keep_alive_interval: Duration::from_millis(50), ..Config::default() };
    let site = site::with_config(config).await;
    let [ana, _] = site.two_player_table().await;
    let mut stream = Stream::open(&site, &ana, None).await;
    stream.next_event().await;
    // A colon begins a comment. It is empty.
    assert_eq!(stream.next_chunk().await.unwrap(), ":\n\n");
    assert_eq!(stream.next_chunk().await.unwrap(), ":\n\n");
}

#[tokio::test]
async fn event_stream_ends_when_the_server_stops_or_the_seat_is_lost() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 3})).await;
    let bo = site.sit(&ana.table, json!({})).await;
    let mut stream = Stream::open(&site, &ana, None).await;
    let mut stream_of_removed = Stream::open(&site, &bo, None).await;
    stream.next_event().await;
    stream_of_removed.next_event().await;
    let removed =
        site.request("DELETE", &format!("/api/v1/tables/{}/seats/1", ana.table)).token(&ana.token).send().await;
    assert_eq!(removed.status, 204);
    assert!(stream_of_removed.next_chunk().await.is_none());
    stream.next_event().await;
    site.service.end_watches();
    assert!(stream.next_chunk().await.is_none());
    // A client that connects while the server stops gets the newest view, and then its stream ends, too.
    let mut late = Stream::open(&site, &ana, None).await;
    late.next_event().await;
    assert!(late.next_chunk().await.is_none());
}

#[tokio::test]
async fn event_stream_of_an_unknown_table_or_with_a_wrong_token_is_rejected() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let path = format!("/api/v1/tables/{}/events", ana.table);
    site.get("/api/v1/tables/000000000000/events").send().await.assert_problem(404, "table/not-found");
    site.get(&path).token("x").send().await.assert_problem(401, "token/ill-formed");
    site.get(&path).token(&"0".repeat(64)).send().await.assert_problem(403, "token/wrong");
}
