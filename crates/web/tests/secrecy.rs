//! What somebody cannot know changes no byte that any of their connections receives.
//!
//! Two games are played that differ only in what an observer may not know. The observer watches, looks, asks for everything there
//! is and is refused; all that comes over the sockets is compared. Only the promise (it must differ) and dates are pinned.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "served/line.rs"]
mod line;
#[path = "served/server.rs"]
mod server;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::response::IntoResponse;
use axum_extra::extract::cookie::{Cookie, Key, SignedCookieJar};
use line::{Line, request};
use serde_json::{Value, json};
use server::{Served, unlimited};
use sultan_table::domain::{Action, ClientSeed, Numbers, Observer, Players, Screens, Seat, ServerSeed};
use sultan_table::{Caller, Settings};
use sultan_testkit::{Chance, FakeTime, Quick, action_space, alike, other_card};

/// What a page's form is sent as.
const FORM: &str = "application/x-www-form-urlencoded";

/// A table on a server of its own, with somebody who looks at it in every way there is.
struct World {
    served: Served,
    observer: Observer,
    table: String,
    commitment: String,
    /// The tokens of all seats.
    tokens: Vec<String>,
    at: u64,
    /// The observer's connections: one that asks, and streams.
    asks: Line,
    streams: Vec<Line>,
    /// The sockets of the observer's pages.
    pages: Vec<Line>,
    /// What other people ask.
    others: Line,
}

/// What a table differs in.
#[derive(Clone, Copy)]
struct Plan {
    players: Players,
    screens: Screens,
    observer: Observer,
}

impl Plan {
    /// Whose seats' seeds these are.
    fn seeds(self) -> Vec<ClientSeed> {
        (0..self.players.count()).map(|seat| ClientSeed::new(format!("seed of {seat}")).unwrap()).collect()
    }
}

/// The cookie of the observer's browser.
fn cookie() -> String {
    let cookie = Cookie::new("sultan", "05".repeat(32));
    let response = (SignedCookieJar::new(Key::from(&[7; 64])).add(cookie), ()).into_response();
    let set = response.headers()["set-cookie"].to_str().unwrap();
    format!("cookie: {}\r\n", set.split(';').next().unwrap())
}

fn bearer(token: &str) -> String {
    format!("authorization: Bearer {token}\r\n")
}

impl World {
    /// A table in play, where everything that is not given here is always the same.
    async fn new(plan: Plan, server_seed: ServerSeed) -> Self {
        let settings = FakeTime::default().settings(1);
        let (others, first) = (Arc::clone(&settings.fresh), AtomicBool::new(true));
        // The promise is the first secret of all.
        let fresh = move || if first.swap(false, Ordering::Relaxed) { server_seed.0 } else { others() };
        let served = Served::start(Settings { fresh: Arc::new(fresh), ..settings }, unlimited()).await;
        let [asks, others] = [Line::open(served.address).await, Line::open(served.address).await];
        let (table, commitment) = (String::new(), String::new());
        let observer = plan.observer;
        let mut world = Self {
            served,
            observer,
            table,
            commitment,
            tokens: vec![],
            at: 0,
            asks,
            streams: vec![],
            pages: vec![],
            others,
        };
        world.sit_down(plan).await;
        world
    }

    /// Everybody takes a seat; the observer watches from as early on as possible.
    async fn sit_down(&mut self, plan: Plan) {
        let promise = self.line(0).ask(&request("POST", "/api/v1/commitments", "", "")).await;
        promise["commitment"].as_str().unwrap().clone_into(&mut self.commitment);
        for (seat, seed) in plan.seeds().into_iter().enumerate() {
            let name = format!("N{seat}");
            let asked = if seat == 0 {
                let body = json!({
                    "players": plan.players.count(), "screens": plan.screens, "first_seat": 0, "public": true,
                    "commitment": promise["commitment"], "name": name, "client_seed": seed,
                });
                request("POST", "/api/v1/tables", "", &body.to_string())
            } else {
                let body = json!({"name": name, "client_seed": seed});
                request("POST", &self.path("/seats"), "", &body.to_string())
            };
            let seated = self.line(seat).ask(&asked).await;
            if seat == 0 {
                seated["table"].as_str().unwrap().clone_into(&mut self.table);
            }
            self.tokens.push(seated["token"].as_str().unwrap().to_owned());
            if seat == self.own().unwrap_or(0) {
                self.watch().await;
            }
            self.hear_news().await;
        }
    }

    fn own(&self) -> Option<usize> {
        self.observer.seat().map(Seat::index)
    }

    /// The connection that a seat asks on.
    fn line(&mut self, seat: usize) -> &mut Line {
        if self.own() == Some(seat) { &mut self.asks } else { &mut self.others }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/v1/tables/{}{rest}", self.table)
    }

    /// Watches with whatever the observer has.
    async fn watch(&mut self) {
        let mut headers = vec![String::new()];
        if let Some(own) = self.own() {
            let link = format!("/t/{}/in/{}", self.table, self.tokens[own]);
            self.asks.ask(&request("GET", &link, &cookie(), "")).await;
            headers = vec![bearer(&self.tokens[own]), cookie(), String::new()];
        }
        for header in headers {
            let mut stream = Line::open(self.served.address).await;
            stream.say(&request("GET", &self.path("/events"), &header, "")).await;
            self.streams.push(stream);
            let mut page = Line::open(self.served.address).await;
            let upgrade = "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                           sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\norigin: http://sultan.example\r\n";
            page.say(&request("GET", &format!("/t/{}/live", self.table), &format!("{upgrade}{header}"), "")).await;
            self.pages.push(page);
        }
    }

    /// Waits until every stream has told the newest.
    async fn hear_news(&mut self) {
        let table = self.table.parse().unwrap();
        let version = self.served.service.look(table, &Caller::Nobody).await.unwrap().version;
        for stream in &mut self.streams {
            stream.event(version).await;
        }
        for page in &mut self.pages {
            page.live(version).await;
        }
    }

    async fn view(&mut self, seat: usize) -> Value {
        let asked = request("GET", &self.path(""), &bearer(&self.tokens[seat]), "");
        self.others.ask(&asked).await
    }

    /// Whose turn it is, and what may be done.
    async fn turn(&mut self) -> (usize, Vec<Action>) {
        let to_act = usize::try_from(self.view(0).await["to_act"].as_u64().unwrap()).unwrap();
        let view = self.view(to_act).await;
        let legal = view["legal"].as_array().unwrap().iter();
        (to_act, legal.map(|text| text.as_str().unwrap().parse().unwrap()).collect())
    }

    async fn act(&mut self, seat: usize, action: Action) {
        let asked = self.action(&bearer(&self.tokens[seat]), &action.to_string(), self.at);
        let view = self.line(seat).ask(&asked).await;
        self.at += 1;
        assert_eq!(view["at"], self.at, "{view}");
        self.hear_news().await;
    }

    fn action(&self, who: &str, action: &str, at: u64) -> String {
        request("POST", &self.path("/actions"), who, &json!({"action": action, "at": at}).to_string())
    }

    /// All that came to the observer since the last time, with what may differ made the same.
    async fn learnt(&mut self, chance: &mut Quick) -> Vec<String> {
        let who = self.own().map_or(String::new(), |own| bearer(&self.tokens[own]));
        let view = self.asks.ask(&request("GET", &self.path(""), &who, "")).await;
        for asked in self.refused(&who, &view, chance).into_iter().chain(self.questions(&who)) {
            self.asks.ask(&asked).await;
        }
        self.hear_news().await;
        self.heard()
    }

    fn heard(&mut self) -> Vec<String> {
        let all = std::iter::once(&mut self.asks).chain(&mut self.streams).chain(&mut self.pages);
        all.map(|line| line.heard(&self.commitment)).collect()
    }

    /// Actions of all kinds that are not done, or are done already.
    fn refused(&self, who: &str, view: &Value, chance: &mut Quick) -> Vec<String> {
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
        let space = action_space();
        let mut all = Vec::new();
        for _ in 0..4 {
            let action = space[chance.below(u32::try_from(space.len()).unwrap()) as usize].to_string();
            let near = (self.at + u64::from(chance.below(3))).saturating_sub(1);
            let elsewhere = if legal.is_empty() { near } else { self.at + 1 };
            all.push(self.action(who, &action, elsewhere));
            if !legal.contains(&sorted(&action)) {
                all.push(self.action(who, &action, self.at));
            }
            let wrong = [String::new(), bearer(&"0".repeat(64)), bearer("x")];
            all.push(self.action(&wrong[chance.below(3) as usize], &action, self.at));
        }
        all.push(self.action(who, "nonsense", self.at));
        all.push(request("POST", &self.path("/actions"), who, "{\"action\":\"1@1\",\"at\":0,\"x\":1}"));
        all.push(request("POST", &self.path("/actions"), who, "{"));
        all
    }

    /// Everything else that can be asked, and changes nothing.
    fn questions(&self, who: &str) -> Vec<String> {
        let get = |path: &str, who: &str| request("GET", path, who, "");
        let page = format!("/t/{}", self.table);
        let mut all = vec![
            get(&self.path("/record"), who),
            get("/api/v1/tables", who),
            get("/api/v1/my/games", &cookie()),
            get("/api/v1/my/games", who),
            get("/api/v1/tables/000000000000", who),
            get(&self.path(""), ""),
            get(&self.path("/events"), &bearer(&"0".repeat(64))),
            get("/readyz", ""),
            get(&page, who),
            get(&page, &format!("accept-language: hu\r\n{who}")),
            get(&page, ""),
            get(&format!("{page}?seat=1"), &cookie()),
            request("POST", &format!("{page}/act"), who, "at=65000&card=1&cushion=1").replace("application/json", FORM),
            request("POST", &format!("{page}/return"), who, "seat=1").replace("application/json", FORM),
            request("POST", &self.path("/rematch"), who, ""),
            request("POST", &self.path("/seats"), who, ""),
        ];
        if let Some(own) = self.own() {
            all.push(get(&self.path(""), &cookie()));
            all.push(get(&format!("/t/{}/in/{}", self.table, self.tokens[own]), &cookie()));
        }
        for seat in (0..self.tokens.len()).filter(|&seat| Some(seat) != self.own()) {
            let path = self.path(&format!("/seats/{seat}"));
            all.push(request("PUT", &path, who, "{\"name\":\"X\"}"));
            all.push(request("DELETE", &path, who, ""));
            all.push(request("POST", &format!("{path}/bot"), who, "{\"bot\":\"page\"}"));
            all.push(request("POST", &format!("{path}/return"), who, ""));
        }
        all
    }

    /// The server stops: what comes last.
    async fn end(self) -> Vec<String> {
        self.served.stop().await;
        let mut heard = Vec::new();
        for mut line in std::iter::once(self.asks).chain(self.streams).chain(self.pages) {
            line.end().await;
            heard.push(line.heard(&self.commitment));
        }
        heard
    }
}

/// Holds that both received the same, and shows where not.
fn same(here: &[String], there: &[String], when: &str) {
    assert_eq!(here.len(), there.len());
    for (number, (here, there)) in here.iter().zip(there).enumerate() {
        let Some(at) = here.bytes().zip(there.bytes()).position(|(one, two)| one != two) else {
            assert_eq!(here.len(), there.len(), "{when}: connection {number} received more");
            continue;
        };
        let near = |text: &str| text.as_bytes()[at.saturating_sub(200)..].iter().take(300).copied().collect::<Vec<_>>();
        let [here, there] = [here, there].map(|text| String::from_utf8_lossy(&near(text)).into_owned());
        panic!("{when}: connection {number} received\n{here}\nand\n{there}");
    }
}

/// What was compared.
#[derive(Default)]
struct Compared {
    /// How many cards differed.
    cards: u32,
    /// How requests were answered.
    statuses: BTreeSet<String>,
}

/// Plays whole rounds alike in both worlds, then one with other cards.
async fn compare(compared: &mut Compared, plan: Plan, seeds: [ServerSeed; 2], rounds: u32, seed: u64) {
    let mut here = World::new(plan, seeds[0]).await;
    let mut there = World::new(plan, seeds[1]).await;
    assert_eq!(here.commitment == there.commitment, seeds[0].0 == seeds[1].0);
    assert_eq!((&here.table, &here.tokens), (&there.table, &there.tokens), "these are pinned");
    let (mut chance, mut looks) = (Quick::new(seed), [Quick::new(seed), Quick::new(seed)]);
    // An offer, then the bids; the last card of the last round would turn all up.
    let in_round = 1 + u32::from(Numbers::of(plan.players).bids());
    let last = rounds * in_round + in_round - 1;
    for step in 0..=last {
        let when = format!("{:?} of {}, step {step}, seed {seed}", plan.observer, plan.players.count());
        let [one, two] = &mut looks;
        let learnt = here.learnt(one).await;
        same(&learnt, &there.learnt(two).await, &when);
        let answers = learnt.iter().flat_map(|text| text.split("HTTP/1.1 ").skip(1));
        compared.statuses.extend(answers.map(|answer| answer[..3].to_owned()));
        if step == last {
            break;
        }
        let (seat, legal) = here.turn().await;
        let action = legal[chance.below(u32::try_from(legal.len()).unwrap()) as usize];
        let hidden = step >= rounds * in_round && here.own() != Some(seat);
        let legal = there.turn().await.1;
        let other = if hidden { other_card(action, &legal, &mut chance) } else { action };
        here.act(seat, action).await;
        there.act(seat, other).await;
        compared.cards += u32::from(action != other);
    }
    same(&here.end().await, &there.end().await, "at the end");
}

#[tokio::test]
async fn cards_that_lie_face_down_change_no_byte() {
    let mut compared = Compared::default();
    for players in Players::ALL {
        for (observer, seed) in Observer::all(players).zip(1_u8..) {
            let screens = if seed % 2 == 0 { Screens::Open } else { Screens::Closed };
            let plan = Plan { players, screens, observer };
            let server_seed = ServerSeed([seed + 10 * players.count(); 32]);
            compare(&mut compared, plan, [server_seed; 2], u32::from(seed * 2 % 5), seed.into()).await;
        }
    }
    assert!(compared.cards > 20, "only {} cards differed", compared.cards);
    let all = ["101", "200", "201", "303", "400", "401", "403", "404", "409", "422"];
    assert_eq!(compared.statuses.into_iter().collect::<Vec<_>>(), all, "everybody was refused in every way");
}

#[tokio::test]
async fn other_hands_and_decks_change_no_byte() {
    let three = Players::new(3).unwrap();
    let spectators = Players::ALL.map(|players| (players, Observer::Public));
    for (players, observer) in Observer::all(three).map(|observer| (three, observer)).chain(spectators) {
        let plan = Plan { players, screens: Screens::Closed, observer };
        let seeds = alike(players, &plan.seeds(), observer);
        assert_ne!(seeds[0].0, seeds[1].0);
        let mut compared = Compared::default();
        compare(&mut compared, plan, seeds, 0, 1).await;
        assert!(compared.cards > 0);
    }
}
