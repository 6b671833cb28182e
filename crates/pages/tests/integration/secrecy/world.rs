//! A table in play on its own server, with an observer that uses every kind of connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use sultan_table::domain::{Action, Seat, ServerSeed, TableId};
use sultan_table::{Caller, Settings, Visitor};
use sultan_testkit::recorded::{RecordedConnection, request};
use sultan_testkit::site::visitor_cookie;
use sultan_testkit::test_server::{TestServer, unlimited_config};
use sultan_testkit::{Chance, FakeTime, Quick, action_space, in_time};

use super::plan::Plan;

/// The content type of forms.
const FORM: &str = "application/x-www-form-urlencoded";

/// A table on its own server, with an observer that uses every kind of connection.
pub(crate) struct World {
    served: TestServer,
    time: FakeTime,
    plan: Plan,
    pub(crate) table: String,
    pub(crate) commitment: String,
    /// The tokens of all seats; empty for bots.
    pub(crate) tokens: Vec<String>,
    /// The number of actions so far.
    pub(crate) at: u64,
    /// The observer's connections: one for requests, and event streams, each with whether it is authenticated as the
    /// seat.
    requests: RecordedConnection,
    streams: Vec<(RecordedConnection, bool)>,
    /// The sockets of the observer, likewise.
    pages: Vec<(RecordedConnection, bool)>,
    /// The connection for the requests of other people.
    others: RecordedConnection,
}

/// The beat of an even pace.
const BEAT_MS: i64 = 5000;
/// The time before the beat at which a late action is sent.
const LATE_MS: i64 = 600;

/// The cookie of the observer's browser.
fn cookie() -> String {
    format!("cookie: {}\r\n", visitor_cookie(&Visitor::from_bytes([5; 32])))
}

fn bearer(token: &str) -> String {
    format!("authorization: Bearer {token}\r\n")
}

impl World {
    /// A table in play. Everything but the arguments is constant.
    pub(crate) async fn new(plan: Plan, server_seed: ServerSeed) -> Self {
        let time = FakeTime::default();
        let settings = time.settings(1);
        let (others, first) = (Arc::clone(&settings.random_bytes), AtomicBool::new(true));
        // The server seed is the first secret that the server draws.
        let random_bytes = move || if first.swap(false, Ordering::Relaxed) { server_seed.0 } else { others() };
        let settings = Settings { random_bytes: Arc::new(random_bytes), ..settings };
        let served = TestServer::start(settings, unlimited_config(), sultan_pages::app).await;
        let [requests, others] =
            [RecordedConnection::open(served.address).await, RecordedConnection::open(served.address).await];
        let (table, commitment) = (String::new(), String::new());
        let (tokens, streams, pages) = (vec![String::new(); plan.players.count().into()], vec![], vec![]);
        let mut world = Self { served, time, plan, table, commitment, tokens, at: 0, requests, streams, pages, others };
        world.sit_down().await;
        world
    }

    /// Fills all seats. The observer starts to watch as early as possible.
    async fn sit_down(&mut self) {
        let plan = self.plan;
        let seat_plan =
            |seat| plan.bot.filter(|_| plan.is_bot(seat)).map_or(json!({"human": true}), |bot| json!({"bot": bot}));
        let seats: Vec<_> = plan.seats().map(seat_plan).collect();
        let committed = self.connection_of(0).ask(&request("POST", "/api/v1/commitments", "", "")).await;
        committed["commitment"].as_str().unwrap().clone_into(&mut self.commitment);
        let seeds = plan.seeds().into_iter().enumerate();
        for (seat, seed) in seeds.filter(|(seat, _)| !plan.is_bot(*seat)) {
            let name = format!("N{seat}");
            let asked = if seat == 0 {
                let body = json!({
                    "players": plan.players.count(), "screens": plan.screens, "first_seat": 0, "public": true,
                    "seats": seats, "even_pace": plan.even_pace, "coach": plan.coach,
                    "parameters": plan.variant,
                    "commitment": committed["commitment"], "name": name, "client_seed": seed,
                });
                request("POST", "/api/v1/tables", "", &body.to_string())
            } else {
                let body = json!({"name": name, "client_seed": seed});
                request("POST", &self.path("/seats"), "", &body.to_string())
            };
            let seated = self.connection_of(seat).ask(&asked).await;
            if seat == 0 {
                seated["table"].as_str().unwrap().clone_into(&mut self.table);
            }
            assert_eq!(seated["seat"], seat);
            seated["token"].as_str().unwrap().clone_into(&mut self.tokens[seat]);
            if seat == self.own().unwrap_or(0) {
                self.watch().await;
            }
            self.catch_up().await;
        }
    }

    pub(crate) fn own(&self) -> Option<usize> {
        self.plan.observer.seat().map(Seat::index)
    }

    /// The connection for the requests of a seat.
    fn connection_of(&mut self, seat: usize) -> &mut RecordedConnection {
        if self.own() == Some(seat) { &mut self.requests } else { &mut self.others }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/v1/tables/{}{rest}", self.table)
    }

    /// Opens all streams and sockets that the observer can have.
    async fn watch(&mut self) {
        let mut headers = vec![String::new()];
        if let Some(own) = self.own() {
            let link = format!("/t/{}/in/{}", self.table, self.tokens[own]);
            self.requests.ask(&request("GET", &link, &cookie(), "")).await;
            headers = vec![bearer(&self.tokens[own]), cookie(), String::new()];
        }
        for header in headers {
            let mut stream = RecordedConnection::open(self.served.address).await;
            stream.send(&request("GET", &self.path("/events"), &header, "")).await;
            self.streams.push((stream, !header.is_empty()));
            let mut page = RecordedConnection::open(self.served.address).await;
            let upgrade = "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                           sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\norigin: http://sultan.example\r\n";
            page.send(&request("GET", &format!("/t/{}/live", self.table), &format!("{upgrade}{header}"), "")).await;
            self.pages.push((page, !header.is_empty()));
            let mut socket = RecordedConnection::open(self.served.address).await;
            socket.send(&request("GET", &self.path("/socket"), &format!("{upgrade}{header}"), "")).await;
            self.pages.push((socket, !header.is_empty()));
        }
    }

    /// Waits until bots have acted and every stream has sent the newest version.
    async fn catch_up(&mut self) {
        let (service, table) = (self.served.service.clone(), self.table.parse::<TableId>().unwrap());
        let mut watch = service.watch(table, Caller::Spectator, None).await.unwrap();
        loop {
            let snapshot = in_time(watch.next()).await.unwrap();
            let view: Value = serde_json::from_str(&snapshot.json).unwrap();
            self.at = view["at"].as_u64().unwrap_or(0);
            if !view["to_act"].as_u64().is_some_and(|seat| self.plan.is_bot(usize::try_from(seat).unwrap())) {
                break;
            }
        }
        // With an even pace, a seat sees its own actions earlier than others do.
        let token = self.own().and_then(|own| self.tokens[own].parse().ok());
        let own = token.map_or(Caller::Spectator, Caller::Token);
        let known = service.observe(table, &Caller::Spectator).await.unwrap().version();
        let seen = service.observe(table, &own).await.map_or(known, |seen| seen.version());
        for (stream, seated) in &mut self.streams {
            stream.wait_for_event(if *seated { seen } else { known }).await;
        }
        for (page, seated) in &mut self.pages {
            page.wait_for_live_message(if *seated { seen } else { known }).await;
        }
    }

    /// The observer's own WebSocket of the API, which accepts actions.
    fn socket(&mut self) -> &mut RecordedConnection {
        // The first pair of sockets is the live page's and the API's.
        &mut self.pages[1].0
    }

    async fn view(&mut self, seat: usize) -> Value {
        let asked = request("GET", &self.path(""), &bearer(&self.tokens[seat]), "");
        self.others.ask(&asked).await
    }

    /// The public course of the round: the jewels, the seats and order of the bids on each cushion, the seat to act.
    pub(crate) async fn public_course(&mut self) -> Value {
        let view = self.others.ask(&request("GET", &self.path(""), "", "")).await;
        let bids = |cushion: &Value| {
            let bids = cushion["bids"].as_array().unwrap().iter();
            json!([cushion["jewel"], bids.map(|bid| json!([bid["seat"], bid["order"]])).collect::<Vec<_>>()])
        };
        let cushions: Vec<_> = view["cushions"].as_array().unwrap().iter().map(bids).collect();
        json!([view["at"], view["to_act"], view["drawn"], cushions])
    }

    /// The seat to act, and its legal actions.
    pub(crate) async fn turn(&mut self) -> (usize, Vec<Action>) {
        let to_act = usize::try_from(self.view(0).await["to_act"].as_u64().unwrap()).unwrap();
        let view = self.view(to_act).await;
        let legal = view["legal"].as_array().unwrap().iter();
        (to_act, legal.map(|text| text.as_str().unwrap().parse().unwrap()).collect())
    }

    async fn act(&mut self, seat: usize, action: Action) {
        if self.own() == Some(seat) && self.plan.acts_by_socket {
            let own = Caller::Token(self.tokens[seat].parse().unwrap());
            let before = self.served.service.observe(self.table.parse().unwrap(), &own).await.unwrap().version();
            let message = json!({"action": action, "at": self.at}).to_string();
            let socket = self.socket();
            socket.send_frame(&message).await;
            socket.wait_for_live_message(before + 1).await;
        } else {
            let asked = self.action(&bearer(&self.tokens[seat]), &action.to_string(), self.at);
            let view = self.connection_of(seat).ask(&asked).await;
            assert_eq!(view["at"], self.at + 1, "{view}");
        }
        self.catch_up().await;
    }

    /// Plays an action, at once or late. Returns all bytes that the observer received until every stream has the new
    /// version.
    pub(crate) async fn step(
        &mut self,
        (seat, action): (usize, Action),
        late: bool,
        chance: &mut Quick,
    ) -> Vec<String> {
        if !self.plan.even_pace {
            self.act(seat, action).await;
            return self.probe(chance).await;
        }
        // An observer knows the time of their own actions.
        let late = late && self.own() != Some(seat);
        let mut all = Vec::new();
        for (now, wait) in [(!late, BEAT_MS - LATE_MS), (late, 0)] {
            if now {
                self.act(seat, action).await;
            }
            all.extend(self.probe(chance).await);
            self.time.advance(wait);
        }
        let mut shown = self.served.service.watch(self.table.parse().unwrap(), Caller::Spectator, None).await.unwrap();
        in_time(shown.next()).await.unwrap();
        self.time.advance(LATE_MS);
        in_time(shown.next()).await.unwrap();
        all.extend(self.probe(chance).await);
        all
    }

    /// Plays an action at once. Returns the bytes that the observer received without requests of its own.
    pub(crate) async fn watch_step(&mut self, (seat, action): (usize, Action)) -> Vec<String> {
        self.act(seat, action).await;
        self.take_received()
    }

    fn action(&self, credentials: &str, action: &str, at: u64) -> String {
        request("POST", &self.path("/actions"), credentials, &json!({"action": action, "at": at}).to_string())
    }

    /// All bytes that the observer received since the last call, with the permitted differences replaced by constants.
    pub(crate) async fn probe(&mut self, chance: &mut Quick) -> Vec<String> {
        let credentials = self.own().map_or(String::new(), |own| bearer(&self.tokens[own]));
        let view = self.requests.ask(&request("GET", &self.path(""), &credentials, "")).await;
        let rejected = self.rejected_actions(&credentials, &view, chance);
        for asked in rejected.iter().chain(&self.other_requests(&credentials)) {
            self.requests.ask(asked).await;
        }
        self.catch_up().await;
        // The same bodies on the observer's own WebSocket. Requests with other tokens are left out, because the socket
        // could accept their actions as the observer's.
        let own = rejected.iter().filter(|asked| asked.contains(&credentials));
        for (_, body) in own.filter_map(|asked| asked.split_once("\r\n\r\n")) {
            self.socket().exchange(body).await;
        }
        self.catch_up().await;
        self.take_received()
    }

    fn take_received(&mut self) -> Vec<String> {
        let streams = self.streams.iter_mut().chain(&mut self.pages).map(|(line, _)| line);
        std::iter::once(&mut self.requests).chain(streams).map(|line| line.take(&self.commitment)).collect()
    }

    /// Actions of all kinds that are rejected or repeated.
    fn rejected_actions(&self, credentials: &str, view: &Value, chance: &mut Quick) -> Vec<String> {
        // An offer is legal in any order.
        let sorted = |text: &str| {
            let mut signs: Vec<char> = text.chars().collect();
            if !text.contains('@') {
                signs.sort_unstable();
            }
            signs
        };
        let legal: Vec<_> =
            view["legal"].as_array().unwrap().iter().map(|text| sorted(text.as_str().unwrap())).collect();
        let (space, at) = (action_space(), view["at"].as_u64().unwrap());
        let mut all = Vec::new();
        for _ in 0..4 {
            let action = space[chance.below(u32::try_from(space.len()).unwrap()) as usize].to_string();
            let near = (at + u64::from(chance.below(3))).saturating_sub(1);
            let elsewhere = if legal.is_empty() { near } else { at + 1 };
            all.push(self.action(credentials, &action, elsewhere));
            if !legal.contains(&sorted(&action)) {
                all.push(self.action(credentials, &action, at));
            }
            let wrong = [String::new(), bearer(&"0".repeat(64)), bearer("x")];
            all.push(self.action(&wrong[chance.below(3) as usize], &action, at));
        }
        all.push(self.action(credentials, "nonsense", at));
        all.push(request("POST", &self.path("/actions"), credentials, "{\"action\":\"1@1\",\"at\":0,\"x\":1}"));
        all.push(request("POST", &self.path("/actions"), credentials, "{"));
        all
    }

    /// All other requests that change no state.
    fn other_requests(&self, credentials: &str) -> Vec<String> {
        let get = |path: &str, credentials: &str| request("GET", path, credentials, "");
        let page = format!("/t/{}", self.table);
        let form = |route: &str, fields: &str| {
            request("POST", &format!("{page}/{route}"), credentials, fields).replace("application/json", FORM)
        };
        let mut all = vec![
            get(&self.path("/record"), credentials),
            get("/api/v1/tables", credentials),
            get("/api/v1/my/games", &cookie()),
            get("/api/v1/my/games", credentials),
            get("/api/v1/tables/000000000000", credentials),
            get(&self.path(""), ""),
            get(&self.path("/events"), &bearer(&"0".repeat(64))),
            get("/readyz", ""),
            get(&page, credentials),
            get(&page, &format!("accept-language: hu\r\n{credentials}")),
            get(&page, ""),
            get(&format!("{page}?seat=1"), &cookie()),
            get(&format!("{page}/live?seat=1"), &format!("origin: http://sultan.example\r\n{}", cookie())),
            get(&format!("{page}/replay?at=1&eyes=1"), credentials),
            get(&format!("{page}/verify"), credentials),
            get(&format!("{page}/analysis"), credentials),
            get("/", credentials),
            get("/", &cookie()),
            form("act", "at=65000&card=1&cushion=1"),
            form("return", "seat=1"),
            form("hint", "x="),
            form("holds", "x="),
            form("branch", "at=1&seat=1&level=page"),
            request("POST", &self.path("/rematch"), credentials, ""),
            request("POST", &self.path("/seats"), credentials, ""),
        ];
        if let Some(own) = self.own() {
            all.push(get(&self.path(""), &cookie()));
            all.push(get(&format!("/t/{}/in/{}", self.table, self.tokens[own]), &cookie()));
        }
        for seat in (0..self.tokens.len()).filter(|&seat| Some(seat) != self.own()) {
            let path = self.path(&format!("/seats/{seat}"));
            all.push(request("PUT", &path, credentials, "{\"name\":\"X\"}"));
            all.push(request("DELETE", &path, credentials, ""));
            all.push(request("POST", &format!("{path}/bot"), credentials, "{\"bot\":\"page\"}"));
            all.push(request("POST", &format!("{path}/return"), credentials, ""));
        }
        all
    }

    /// Stops the server and returns the last bytes.
    pub(crate) async fn end(self) -> Vec<String> {
        self.served.stop().await;
        let mut received = Vec::new();
        for mut line in
            std::iter::once(self.requests).chain(self.streams.into_iter().chain(self.pages).map(|(line, _)| line))
        {
            line.read_to_end().await;
            received.push(line.take(&self.commitment));
        }
        received
    }
}
