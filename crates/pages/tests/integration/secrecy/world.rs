//! One of two compared games: a table on its own server, with an observer that uses every kind of connection.

mod requests;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use sultan_table::domain::{Action, Seat, ServerSeed, TableId};
use sultan_table::{Caller, Settings, Visitor};
use sultan_testkit::recorded::{RecordedConnection, request};
use sultan_testkit::site::visitor_cookie;
use sultan_testkit::test_server::{TestServer, unlimited_config};
use sultan_testkit::{FakeTime, FastRng, in_time};

use super::plan::Plan;

/// One of two compared games: a table on its own server, with an observer that uses every kind of connection.
pub(crate) struct World {
    server: TestServer,
    time: FakeTime,
    plan: Plan,
    pub(crate) table: String,
    pub(crate) commitment: String,
    /// The tokens of all seats; empty for bots.
    pub(crate) tokens: Vec<String>,
    /// The number of actions so far.
    pub(crate) at: u64,
    /// The observer's connection for HTTP requests.
    requests: RecordedConnection,
    /// The observer's event streams.
    streams: Vec<Subscription>,
    /// The observer's WebSocket connections: in turn one of a live page and one of the API.
    sockets: Vec<Subscription>,
    /// The connection for the requests of other people.
    other_requests: RecordedConnection,
}

/// A connection on which the server sends every change of the table.
struct Subscription {
    connection: RecordedConnection,
    /// Whether the connection is authenticated as the observer's seat, not as a spectator.
    is_seated: bool,
}

/// The interval at which the even pace shows actions.
const BEAT_MS: i64 = 5000;
/// The time before the end of a beat at which a late action is sent.
const LATE_MS: i64 = 600;

/// The header with the cookie of the observer's browser.
fn cookie_header() -> String {
    format!("cookie: {}\r\n", visitor_cookie(&Visitor::from_bytes([5; 32])))
}

/// The header with a seat's token.
fn token_header(token: &str) -> String {
    format!("authorization: Bearer {token}\r\n")
}

impl World {
    /// A table in play. Everything but the arguments is constant.
    pub(crate) async fn new(plan: Plan, server_seed: ServerSeed) -> Self {
        let time = FakeTime::default();
        let settings = time.settings(1);
        let (other_bytes, is_first) = (Arc::clone(&settings.random_bytes), AtomicBool::new(true));
        // The server seed is the first secret that the server draws.
        let random_bytes = move || if is_first.swap(false, Ordering::Relaxed) { server_seed.0 } else { other_bytes() };
        let settings = Settings { random_bytes: Arc::new(random_bytes), ..settings };
        let server = TestServer::start(settings, unlimited_config(), sultan_pages::app).await;
        let mut world = Self {
            time,
            plan,
            table: String::new(),
            commitment: String::new(),
            tokens: vec![String::new(); plan.players.count().into()],
            at: 0,
            requests: RecordedConnection::open(server.address).await,
            streams: Vec::new(),
            sockets: Vec::new(),
            other_requests: RecordedConnection::open(server.address).await,
            server,
        };
        world.fill_seats().await;
        world
    }

    /// Opens the table and fills all seats. The observer starts to watch as early as possible.
    async fn fill_seats(&mut self) {
        let plan = self.plan;
        let seat_plan =
            |seat| plan.bot.filter(|_| plan.is_bot(seat)).map_or(json!({"human": true}), |bot| json!({"bot": bot}));
        let seats: Vec<_> = plan.seats().map(seat_plan).collect();
        let committed = self.connection_of(0).ask(&request("POST", "/api/v1/commitments", "", "")).await;
        committed["commitment"].as_str().unwrap().clone_into(&mut self.commitment);
        let seeds = plan.seeds().into_iter().enumerate();
        for (seat, seed) in seeds.filter(|(seat, _)| !plan.is_bot(*seat)) {
            let name = format!("N{seat}");
            let request = if seat == 0 {
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
            let seated = self.connection_of(seat).ask(&request).await;
            if seat == 0 {
                seated["table"].as_str().unwrap().clone_into(&mut self.table);
            }
            assert_eq!(seated["seat"], seat);
            seated["token"].as_str().unwrap().clone_into(&mut self.tokens[seat]);
            // A spectator watches as soon as the table exists, a player as soon as the seat is taken.
            if seat == self.own_seat().unwrap_or(0) {
                self.watch().await;
            }
            self.catch_up().await;
        }
    }

    /// The index of the observer's seat; `None` for a spectator.
    pub(crate) fn own_seat(&self) -> Option<usize> {
        self.plan.observer.seat().map(Seat::index)
    }

    /// The connection for the requests of a seat.
    fn connection_of(&mut self, seat: usize) -> &mut RecordedConnection {
        if self.own_seat() == Some(seat) { &mut self.requests } else { &mut self.other_requests }
    }

    /// A path of the table in the API.
    fn path(&self, suffix: &str) -> String {
        format!("/api/v1/tables/{}{suffix}", self.table)
    }

    /// Opens all event streams and WebSocket connections that the observer can have: with the token, with the cookie,
    /// and as a spectator.
    async fn watch(&mut self) {
        const UPGRADE: &str = "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                               sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\norigin: http://sultan.example\r\n";
        let mut credentials = vec![String::new()];
        if let Some(own_seat) = self.own_seat() {
            let link = format!("/t/{}/in/{}", self.table, self.tokens[own_seat]);
            self.requests.ask(&request("GET", &link, &cookie_header(), "")).await;
            credentials = vec![token_header(&self.tokens[own_seat]), cookie_header(), String::new()];
        }
        for header in credentials {
            let upgrade = format!("{UPGRADE}{header}");
            let stream = self.subscribe(&self.path("/events"), &header, &header).await;
            self.streams.push(stream);
            for path in [format!("/t/{}/live?format=2", self.table), self.path("/socket")] {
                let socket = self.subscribe(&path, &upgrade, &header).await;
                self.sockets.push(socket);
            }
        }
    }

    /// Opens a connection and requests a path, with the credentials among the headers.
    async fn subscribe(&self, path: &str, headers: &str, credentials: &str) -> Subscription {
        let mut connection = RecordedConnection::open(self.server.address).await;
        connection.send(&request("GET", path, headers, "")).await;
        Subscription { connection, is_seated: !credentials.is_empty() }
    }

    /// Waits until bots have acted and the server has sent the newest version on all event streams and WebSocket
    /// connections.
    async fn catch_up(&mut self) {
        let (service, table) = (self.server.service.clone(), self.table.parse::<TableId>().unwrap());
        let mut watch = service.watch(table, Caller::Spectator, None).await.unwrap();
        loop {
            let snapshot = in_time(watch.next()).await.unwrap();
            let view: Value = serde_json::from_str(&snapshot.json).unwrap();
            self.at = view["at"].as_u64().unwrap_or(0);
            if !view["to_act"].as_u64().is_some_and(|seat| self.plan.is_bot(usize::try_from(seat).unwrap())) {
                break;
            }
        }
        // With an even pace, a seat sees its own actions earlier than other observers.
        let token = self.own_seat().and_then(|seat| self.tokens[seat].parse().ok());
        let caller = token.map_or(Caller::Spectator, Caller::Token);
        let public_version = service.observe(table, &Caller::Spectator).await.unwrap().version();
        let own_version = service.observe(table, &caller).await.map_or(public_version, |snapshot| snapshot.version());
        for Subscription { connection, is_seated } in &mut self.streams {
            connection.wait_for_event(if *is_seated { own_version } else { public_version }).await;
        }
        for Subscription { connection, is_seated } in &mut self.sockets {
            connection.wait_for_live_message(if *is_seated { own_version } else { public_version }).await;
        }
    }

    /// The observer's WebSocket of the API with the token, on which the server accepts actions.
    fn action_socket(&mut self) -> &mut RecordedConnection {
        // The first socket is that of the live page with the token.
        &mut self.sockets[1].connection
    }

    /// The view of a seat.
    async fn view(&mut self, seat: usize) -> Value {
        let request = request("GET", &self.path(""), &token_header(&self.tokens[seat]), "");
        self.other_requests.ask(&request).await
    }

    /// The public course of the round: the number of actions, the seat to act, the drawn jewels, and for each cushion
    /// the jewel with the seats and numbers of the bids.
    pub(crate) async fn public_course(&mut self) -> Value {
        let view = self.other_requests.ask(&request("GET", &self.path(""), "", "")).await;
        let jewel_and_bids = |cushion: &Value| {
            let bids = cushion["bids"].as_array().unwrap().iter();
            json!([cushion["jewel"], bids.map(|bid| json!([bid["seat"], bid["order"]])).collect::<Vec<_>>()])
        };
        let cushions: Vec<_> = view["cushions"].as_array().unwrap().iter().map(jewel_and_bids).collect();
        json!([view["at"], view["to_act"], view["drawn"], cushions])
    }

    /// The seat to act, and its legal actions.
    pub(crate) async fn turn(&mut self) -> (usize, Vec<Action>) {
        let to_act = usize::try_from(self.view(0).await["to_act"].as_u64().unwrap()).unwrap();
        let view = self.view(to_act).await;
        let legal = view["legal"].as_array().unwrap().iter();
        (to_act, legal.map(|text| text.as_str().unwrap().parse().unwrap()).collect())
    }

    /// Plays an action of a person, and waits until the observer has received it.
    async fn act(&mut self, seat: usize, action: Action) {
        if self.own_seat() == Some(seat) && self.plan.acts_by_socket {
            let caller = Caller::Token(self.tokens[seat].parse().unwrap());
            let before = self.server.service.observe(self.table.parse().unwrap(), &caller).await.unwrap().version();
            let message = json!({"action": action, "at": self.at}).to_string();
            let socket = self.action_socket();
            socket.send_frame(&message).await;
            socket.wait_for_live_message(before + 1).await;
        } else {
            let request = self.action_request(&token_header(&self.tokens[seat]), &action.to_string(), self.at);
            let view = self.connection_of(seat).ask(&request).await;
            assert_eq!(view["at"], self.at + 1, "{view}");
        }
        self.catch_up().await;
    }

    /// Plays an action and sends the observer's requests. With an even pace, the action is played at the start of a
    /// beat, or late within the beat if `is_late`. Returns all bytes that the observer received until the action is
    /// shown.
    pub(crate) async fn act_and_probe(
        &mut self,
        (seat, action): (usize, Action),
        is_late: bool,
        rng: &mut FastRng,
    ) -> Vec<String> {
        if !self.plan.even_pace {
            self.act(seat, action).await;
            return self.probe(rng).await;
        }
        // The time of the observer's own actions is not hidden, so these are never late.
        let is_late = is_late && self.own_seat() != Some(seat);
        let mut received = Vec::new();
        // Two moments: the start of the beat, and `LATE_MS` before its end.
        for (acts_now, wait_ms) in [(!is_late, BEAT_MS - LATE_MS), (is_late, 0)] {
            if acts_now {
                self.act(seat, action).await;
            }
            received.extend(self.probe(rng).await);
            self.time.advance(wait_ms);
        }
        let mut watch = self.server.service.watch(self.table.parse().unwrap(), Caller::Spectator, None).await.unwrap();
        in_time(watch.next()).await.unwrap();
        self.time.advance(LATE_MS);
        in_time(watch.next()).await.unwrap();
        received.extend(self.probe(rng).await);
        received
    }

    /// Plays an action at once. Returns the bytes that the observer received without sending requests.
    pub(crate) async fn act_and_watch(&mut self, seat: usize, action: Action) -> Vec<String> {
        self.act(seat, action).await;
        self.take_received()
    }

    /// The HTTP request for an action.
    fn action_request(&self, credentials: &str, action: &str, at: u64) -> String {
        request("POST", &self.path("/actions"), credentials, &json!({"action": action, "at": at}).to_string())
    }

    /// Sends all requests of the observer. Returns all bytes that the observer received since the last call, with the
    /// permitted differences replaced by constants.
    pub(crate) async fn probe(&mut self, rng: &mut FastRng) -> Vec<String> {
        let credentials = self.own_seat().map_or(String::new(), |seat| token_header(&self.tokens[seat]));
        let view = self.requests.ask(&request("GET", &self.path(""), &credentials, "")).await;
        let action_requests = self.rejected_action_requests(&credentials, &view, rng);
        for request in action_requests.iter().chain(&self.other_rejected_or_read_requests(&credentials)) {
            self.requests.ask(request).await;
        }
        self.catch_up().await;
        // Send the same bodies on the observer's WebSocket. Requests with other tokens are left out, because the socket
        // could accept their actions as the observer's.
        let own_requests = action_requests.iter().filter(|request| request.contains(&credentials));
        for (_, body) in own_requests.filter_map(|request| request.split_once("\r\n\r\n")) {
            self.action_socket().exchange(body).await;
        }
        self.catch_up().await;
        self.take_received()
    }

    /// The bytes that each of the observer's connections received since the last call.
    fn take_received(&mut self) -> Vec<String> {
        let subscriptions = self.streams.iter_mut().chain(&mut self.sockets);
        let connections = subscriptions.map(|subscription| &mut subscription.connection);
        let all = std::iter::once(&mut self.requests).chain(connections);
        all.map(|connection| connection.take(&self.commitment)).collect()
    }

    /// Stops the server and returns the last bytes of all connections.
    pub(crate) async fn stop(self) -> Vec<String> {
        self.server.stop().await;
        let subscriptions = self.streams.into_iter().chain(self.sockets);
        let connections = subscriptions.map(|subscription| subscription.connection);
        let mut received = Vec::new();
        for mut connection in std::iter::once(self.requests).chain(connections) {
            connection.read_to_end().await;
            received.push(connection.take(&self.commitment));
        }
        received
    }
}
