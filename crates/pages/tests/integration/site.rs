//! A site for one test, and somebody who asks.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{HeaderMap, Request, Response};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sultan_pages::app;
use sultan_server::{AppState, Config};
use sultan_table::{Service, Settings};
use sultan_testkit::Backend;
use tokio::task::JoinHandle;
use tower::ServiceExt;

/// All routes over an empty database, with bots that act at once.
pub(crate) struct Site {
    pub(crate) app: Router,
    pub(crate) state: AppState,
    attending: JoinHandle<()>,
    _backend: Backend,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.attending.abort();
    }
}

/// A seat that somebody has.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    pub(crate) table: String,
    pub(crate) seat: u64,
    pub(crate) token: String,
}

impl Site {
    /// A site without limits.
    pub(crate) async fn new() -> Self {
        Self::with(Config { rates: None, ..Config::default() }).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        Self::on(Settings { bot_pause: Duration::ZERO, ..Settings::default() }, config).await
    }

    pub(crate) async fn on(settings: Settings, config: Config) -> Self {
        let backend = Backend::sqlite();
        let service = Service::new(backend.open().await, settings);
        let state = AppState::new(service.clone(), config).await.unwrap();
        let attending = tokio::spawn(async move { service.run().await });
        Self { app: app(state.clone()), state, attending, _backend: backend }
    }

    pub(crate) fn ask(&self, method: &str, path: &str) -> Ask<'_> {
        // Browsers and programs always say which host they mean.
        let request = Request::builder().method(method).uri(path).header("host", "sultan.example");
        Ask { site: self, request, body: Body::empty() }
    }

    pub(crate) fn get(&self, path: &str) -> Ask<'_> {
        self.ask("GET", path)
    }

    pub(crate) fn post(&self, path: &str) -> Ask<'_> {
        self.ask("POST", path)
    }

    /// Opens a table.
    pub(crate) async fn open(&self, table: Value) -> Own {
        let answer = self.post("/api/v1/tables").json(&table).send().await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        let opened = answer.json();
        let table = opened["table"].as_str().unwrap().to_owned();
        Own { table, seat: opened["seat"].as_u64().unwrap(), token: opened["token"].as_str().unwrap().to_owned() }
    }

    /// Takes a seat.
    pub(crate) async fn sit(&self, table: &str, sitting: Value) -> Own {
        let answer = self.post(&format!("/api/v1/tables/{table}/seats")).json(&sitting).send().await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        let seated = answer.json();
        let token = seated["token"].as_str().unwrap().to_owned();
        Own { table: table.to_owned(), seat: seated["seat"].as_u64().unwrap(), token }
    }

    /// A table of two people, in play. Seat 0 begins.
    pub(crate) async fn two(&self) -> [Own; 2] {
        let ana = self.open(json!({"players": 2, "name": "Ana", "first_seat": 0})).await;
        let bo = self.sit(&ana.table, json!({"name": "Bo"})).await;
        [ana, bo]
    }

    /// What somebody sees.
    pub(crate) async fn view(&self, own: &Own) -> Value {
        let answer = self.get(&format!("/api/v1/tables/{}", own.table)).token(&own.token).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }

    pub(crate) async fn act(&self, own: &Own, action: &str, at: u64) -> Answer {
        let path = format!("/api/v1/tables/{}/actions", own.table);
        self.post(&path).token(&own.token).json(&json!({"action": action, "at": at})).send().await
    }

    /// Plays until the game is over; bots act by themselves. Gives the last view.
    pub(crate) async fn play_out(&self, people: &[Own]) -> Value {
        let mut chance = 7_u64;
        for _ in 0..100_000 {
            let mut view = self.view(&people[0]).await;
            if view["phase"] == "over" {
                return view;
            }
            let Some(to_act) = people.iter().find(|own| view["to_act"] == own.seat) else {
                tokio::time::sleep(Duration::from_millis(1)).await;
                continue;
            };
            view = self.view(to_act).await;
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let legal = view["legal"].as_array().unwrap();
            let Some(action) = legal.get(usize::try_from(chance >> 33).unwrap() % legal.len().max(1)) else { continue };
            let acted = self.act(to_act, action.as_str().unwrap(), view["at"].as_u64().unwrap()).await;
            assert_eq!(acted.status, 200, "{}", acted.text);
        }
        panic!("the game does not end");
    }
}

/// The page itself, without what all pages have around them.
pub(crate) fn main(page: &str) -> &str {
    let start = page.find("<main").unwrap_or_else(|| panic!("no main part: {page}"));
    page[start..].split("</main>").next().unwrap()
}

/// What is said in each language.
#[derive(Default)]
pub(crate) struct Told(BTreeMap<String, &'static str>);

impl Told {
    /// No two languages say the same, as one would that has no words of its own.
    pub(crate) fn add(&mut self, lang: &'static str, text: &str) {
        if let Some(other) = self.0.insert(text.to_owned(), lang) {
            panic!("{lang} says what {other} says: {text}");
        }
    }
}

/// A request that is being made.
pub(crate) struct Ask<'a> {
    site: &'a Site,
    request: Builder,
    body: Body,
}

impl Ask<'_> {
    pub(crate) fn header(self, name: &str, value: &str) -> Self {
        Self { request: self.request.header(name, value), ..self }
    }

    pub(crate) fn token(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// As a browser sends it from one of our pages.
    pub(crate) fn cookie(self, cookie: &str) -> Self {
        self.header("cookie", cookie)
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }

    pub(crate) fn body(self, body: impl Into<Body>) -> Self {
        Self { body: body.into(), ..self }
    }

    /// The answer, whose body may still be coming.
    pub(crate) async fn begin(self) -> Response<Body> {
        let request = self.request.body(self.body).unwrap();
        self.site.app.clone().oneshot(request).await.unwrap()
    }

    pub(crate) async fn send(self) -> Answer {
        let response = self.begin().await;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        Answer { status, headers, text: String::from_utf8(bytes.to_vec()).unwrap() }
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// Holds that this is a problem, well told.
    #[track_caller]
    pub(crate) fn is_problem(&self, status: u16, code: &str) {
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
