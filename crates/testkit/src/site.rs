//! A site for one test: routes over a service, called without a network connection. The crate under test provides the
//! routes.
#![expect(clippy::unwrap_used, missing_docs, reason = "tests may panic, and names suffice")]

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{HeaderMap, Request, Response};
use axum::response::IntoResponse;
use axum_extra::extract::cookie::{Cookie, Key, SignedCookieJar};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sultan_store::Store;
use sultan_table::{Service, Settings, Visitor};
use tokio::task::JoinHandle;
use tower::ServiceExt;

use crate::backend::Backend;

/// The secret that signs cookies in tests.
const COOKIE_SECRET: [u8; 64] = [7; 64];

/// A SQLite database with `COOKIE_SECRET` as the signing secret.
pub async fn database() -> (Backend, Arc<dyn Store>) {
    let backend = Backend::sqlite();
    let store = backend.open().await;
    store.cookie_secret(COOKIE_SECRET).await.unwrap();
    (backend, store)
}

/// The `Cookie` header of a browser with this visitor ID.
#[must_use]
pub fn visitor_cookie(visitor: &Visitor) -> String {
    let cookie = Cookie::new("sultan", visitor.reveal());
    let response = SignedCookieJar::new(Key::from(&COOKIE_SECRET)).add(cookie).into_response();
    let set = response.headers()["set-cookie"].to_str().unwrap();
    set.split(';').next().unwrap().to_owned()
}

/// Routes over an empty database. Bots and clocks run.
pub struct Site {
    app: Router,
    pub service: Service,
    running: JoinHandle<()>,
    _backend: Backend,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.running.abort();
    }
}

/// A seat that the test has taken, with its token.
#[derive(Clone, Debug)]
pub struct SeatedPlayer {
    pub table: String,
    pub seat: u64,
    pub token: String,
}

impl Site {
    /// Starts a site with the routes that `app` makes for a service.
    pub async fn start(settings: Settings, app: impl AsyncFnOnce(Service) -> Router) -> Self {
        let (backend, store) = database().await;
        let service = Service::new(store, settings);
        let app = app(service.clone()).await;
        let runner = service.clone();
        let running = tokio::spawn(async move { runner.run().await });
        Self { app, service, running, _backend: backend }
    }

    #[must_use]
    pub fn request(&self, method: &str, path: &str) -> PreparedRequest<'_> {
        // Clients always send a `Host` header.
        let request = Request::builder().method(method).uri(path).header("host", "sultan.example");
        PreparedRequest { site: self, request, body: Body::empty() }
    }

    #[must_use]
    pub fn get(&self, path: &str) -> PreparedRequest<'_> {
        self.request("GET", path)
    }

    #[must_use]
    pub fn post(&self, path: &str) -> PreparedRequest<'_> {
        self.request("POST", path)
    }

    /// Opens a table.
    pub async fn open(&self, table: Value) -> SeatedPlayer {
        let answer = self.post("/api/v1/tables").json(&table).send().await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        let opened = answer.json();
        let table = opened["table"].as_str().unwrap().to_owned();
        SeatedPlayer {
            table,
            seat: opened["seat"].as_u64().unwrap(),
            token: opened["token"].as_str().unwrap().to_owned(),
        }
    }

    /// Takes a seat.
    pub async fn sit(&self, table: &str, sitting: Value) -> SeatedPlayer {
        let answer = self.post(&format!("/api/v1/tables/{table}/seats")).json(&sitting).send().await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        let seated = answer.json();
        let token = seated["token"].as_str().unwrap().to_owned();
        SeatedPlayer { table: table.to_owned(), seat: seated["seat"].as_u64().unwrap(), token }
    }

    /// A started table with two players, Ana and Bo. Ana has seat 0 and begins.
    pub async fn two_player_table(&self) -> [SeatedPlayer; 2] {
        let ana = self.open(json!({"players": 2, "name": "Ana", "first_seat": 0})).await;
        let bo = self.sit(&ana.table, json!({"name": "Bo"})).await;
        [ana, bo]
    }

    /// The view of a seat.
    pub async fn view(&self, player: &SeatedPlayer) -> Value {
        let answer = self.get(&format!("/api/v1/tables/{}", player.table)).token(&player.token).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }

    pub async fn act(&self, player: &SeatedPlayer, action: &str, at: u64) -> Answer {
        let path = format!("/api/v1/tables/{}/actions", player.table);
        self.post(&path).token(&player.token).json(&json!({"action": action, "at": at})).send().await
    }

    /// Plays random actions of `people`, while bots play theirs, until the game is over. Returns the last view.
    pub async fn play_out(&self, people: &[SeatedPlayer]) -> Value {
        let mut random = 7_u64;
        for _ in 0..100_000 {
            let mut view = self.view(&people[0]).await;
            if view["phase"] == "over" {
                return view;
            }
            // While a bot is to act, wait.
            let Some(to_act) = people.iter().find(|player| view["to_act"] == player.seat) else {
                tokio::time::sleep(Duration::from_millis(1)).await;
                continue;
            };
            view = self.view(to_act).await;
            // The next number of a linear congruential generator.
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let legal = view["legal"].as_array().unwrap();
            let index = usize::try_from(random >> 33).unwrap() % legal.len().max(1);
            // No action is legal if the turn ended between the two requests, for example by a clock.
            let Some(action) = legal.get(index) else { continue };
            let acted = self.act(to_act, action.as_str().unwrap(), view["at"].as_u64().unwrap()).await;
            assert_eq!(acted.status, 200, "{}", acted.text);
        }
        panic!("the game does not end");
    }
}

/// A request to the site, not sent yet.
pub struct PreparedRequest<'a> {
    site: &'a Site,
    request: Builder,
    body: Body,
}

impl PreparedRequest<'_> {
    #[must_use]
    pub fn header(self, name: &str, value: &str) -> Self {
        Self { request: self.request.header(name, value), ..self }
    }

    /// Replaces the `Host` header.
    #[must_use]
    pub fn host(mut self, host: &str) -> Self {
        let headers = self.request.headers_mut().unwrap();
        headers.insert("host", host.parse().unwrap());
        self
    }

    #[must_use]
    pub fn token(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// Sets the `Cookie` header.
    #[must_use]
    pub fn cookie(self, cookie: &str) -> Self {
        self.header("cookie", cookie)
    }

    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }

    #[must_use]
    pub fn body(self, body: impl Into<Body>) -> Self {
        Self { body: body.into(), ..self }
    }

    /// Sends the request, and returns the response before its body is complete, for streams.
    pub async fn begin(self) -> Response<Body> {
        let request = self.request.body(self.body).unwrap();
        self.site.app.clone().oneshot(request).await.unwrap()
    }

    pub async fn send(self) -> Answer {
        let response = self.begin().await;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        Answer { status, headers, text: String::from_utf8(bytes.to_vec()).unwrap() }
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// Asserts that this is a complete `application/problem+json` response with this status and code.
    #[track_caller]
    pub fn assert_problem(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{}", self.text);
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["code"], code, "{}", self.text);
        assert_eq!(problem["status"], status);
        assert_eq!(problem["type"], "about:blank");
        assert!(!problem["title"].as_str().unwrap().is_empty());
        assert!(!problem["detail"].as_str().unwrap().is_empty());
        assert_eq!(self.header("www-authenticate"), if status == 401 { "Bearer" } else { "" });
    }
}
