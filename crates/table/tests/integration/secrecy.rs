//! Facts hidden from an observer change no byte, version or rejection that the observer receives.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sultan_rules::{Chance, Quick};
use sultan_table::domain::{
    Action, BonusTable, ClientSeed, Observer, Parameters, Players, Screens, Seat, ServerSeed, TableId, Variant,
};
use sultan_table::{Caller, NewTable, Service, ServiceError, Settings, Watch};
use sultan_testkit::{
    Backend, FakeTime, Player, TestService, action_space, in_time, indistinguishable_seeds, next_ready, parse_view,
    with_other_card,
};

use crate::with_options;

const BEAT_MS: i64 = 5000;

/// A table, and an observer that uses every way to observe it.
struct ObservedTable {
    _backend: Backend,
    node: TestService,
    table: TableId,
    seated: Vec<Player>,
    observer: Caller,
    watch: Watch,
    commitment: String,
}

impl ObservedTable {
    /// A table in which everything except the arguments is always the same.
    async fn new(new: NewTable, observer: Observer, server_seed: ServerSeed) -> Self {
        let (backend, time) = (Backend::sqlite(), FakeTime::default());
        let settings = time.settings(1);
        let (others, first) = (Arc::clone(&settings.random_bytes), AtomicBool::new(true));
        // The server's seed is the first secret that the service generates.
        let random_bytes = move || if first.swap(false, Ordering::Relaxed) { server_seed.0 } else { others() };
        let service = Service::new(backend.open().await, Settings { random_bytes: Arc::new(random_bytes), ..settings });
        let node = TestService::run(service, &time);
        let commitment = node.service.new_commitment().await.unwrap();
        let (table, seated) = node.open_table(NewTable { commitment: Some(commitment), ..new }).await;
        let observer = observer.seat().map_or(Caller::Spectator, |seat| seated[seat.index()].caller());
        let watch = node.watch(table, observer).await;
        Self { _backend: backend, node, table, seated, observer, watch, commitment: commitment.to_string() }
    }

    async fn to_act(&self) -> Player {
        self.node.player_to_act(self.table, &self.seated).await.unwrap()
    }

    async fn legal(&self, player: &Player) -> Vec<Action> {
        let view = self.node.view(self.table, &player.caller()).await;
        view["legal"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().parse().unwrap()).collect()
    }

    async fn act(&self, action: Action) {
        let player = self.to_act().await;
        let at = self.node.view(self.table, &player.caller()).await["at"].as_u64().unwrap();
        self.node.service.act(self.table, &player.caller(), action, u16::try_from(at).unwrap()).await.unwrap();
    }

    /// Everything the observer receives now: published views, the requested view, and rejections.
    async fn observations(&mut self, chance: &mut Quick) -> Vec<String> {
        let mut all = Vec::new();
        let pinned = |json: &str| json.replace(&self.commitment, "commitment");
        while let Some(view_json) = next_ready(&mut self.watch).await {
            all.push(format!("published {} {}", view_json.version, pinned(&view_json.json)));
        }
        let view_json = self.node.json_view(self.table, &self.observer).await;
        let view = parse_view(&view_json);
        all.push(format!("requested {} {}", view_json.version, pinned(&view_json.json)));
        let at = u16::try_from(view["at"].as_u64().unwrap()).unwrap();
        let legal: BTreeSet<String> =
            view["legal"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect();
        let space = action_space();
        for _ in 0..6 {
            let action = space[chance.below(u32::try_from(space.len()).unwrap()) as usize];
            let wrong = at.wrapping_add(u16::try_from(chance.below(3)).unwrap()).wrapping_sub(1);
            let place = if legal.is_empty() { wrong } else { at + 1 };
            all.push(self.refusal(action, place).await);
            // An offer is legal in any order of its jewels.
            if !legal.contains(&action.to_string()) && !matches!(action, Action::Offer(_)) {
                all.push(self.refusal(action, at).await);
            }
        }
        all
    }

    async fn refusal(&self, action: Action, at: u16) -> String {
        match self.node.service.act(self.table, &self.observer, action, at).await {
            Ok(again) => format!("again {}", again.version()),
            Err(ServiceError::Rejected(refused)) => format!("{refused} {refused:?} {}", refused.code()),
            Err(error) => panic!("{error}"),
        }
    }
}

fn pick(legal: &[Action], chance: &mut Quick) -> Action {
    legal[chance.below(u32::try_from(legal.len()).unwrap()) as usize]
}

/// Plays the same rounds in both tables, then a round with different cards. Returns the number of different cards.
async fn compare(
    mut table: ObservedTable,
    mut other_table: ObservedTable,
    observer: Observer,
    rounds: u32,
    seed: u64,
) -> u32 {
    let (mut chance, mut chances) = (Quick::new(seed), [Quick::new(seed), Quick::new(seed)]);
    let (mut round, mut differed) = (0, 0);
    let players = Players::new(u8::try_from(table.seated.len()).unwrap()).unwrap();
    // An offer, then the bids.
    let in_round = 1 + Parameters::of(players).bids();
    let mut step = 0;
    loop {
        let player = table.to_act().await;
        let action = pick(&table.legal(&player).await, &mut chance);
        let hidden = round == rounds && observer != Observer::Seat(player.seat);
        let legal = other_table.legal(&player).await;
        let other = if hidden { with_other_card(action, &legal, &mut chance) } else { action };
        step += 1;
        if step == in_round && round == rounds {
            // The next card would turn all cards face up.
            return differed;
        }
        table.act(action).await;
        other_table.act(other).await;
        differed += u32::from(action != other);
        let [one, two] = &mut chances;
        assert_eq!(
            table.observations(one).await,
            other_table.observations(two).await,
            "{observer:?} in round {round}, step {step}"
        );
        if step == in_round {
            (round, step) = (round + 1, 0);
        }
    }
}

fn plain(players: Players, screens: Screens) -> NewTable {
    with_options(NewTable::plain(players), |options| {
        options.screens = screens;
        options.first_seat = Some(Seat::default());
    })
}

#[tokio::test]
async fn face_down_cards_are_hidden() {
    let mut differed = 0;
    for players in Players::ALL {
        for (observer, seed) in Observer::all(players).zip(1..) {
            let screens = if seed % 2 == 0 { Screens::Open } else { Screens::Closed };
            let rounds = u32::try_from(seed).unwrap() * 2 % 5;
            let server_seed = ServerSeed([u8::try_from(seed).unwrap(); 32]);
            let table = ObservedTable::new(plain(players, screens), observer, server_seed).await;
            let other_table = ObservedTable::new(plain(players, screens), observer, server_seed).await;
            differed += compare(table, other_table, observer, rounds, seed).await;
        }
    }
    assert!(differed > 20, "only {differed} cards differed");
}

/// Two seeds that deal different cards, but give the observer the same view.
fn seeds(players: Players, observer: Observer) -> [ServerSeed; 2] {
    // The seeds that the players of the testkit use.
    let mut seeds = vec![ClientSeed::try_from("seed of ".to_owned()).unwrap(); players.count().into()];
    seeds[0] = ClientSeed::default();
    indistinguishable_seeds(players, &seeds, observer)
}

#[tokio::test]
async fn other_hands_and_decks_are_hidden() {
    let three = Players::new(3).unwrap();
    let spectators = Players::ALL.map(|players| (players, Observer::Public));
    for (players, observer) in Observer::all(three).map(|observer| (three, observer)).chain(spectators) {
        let [one, two] = seeds(players, observer);
        let table = ObservedTable::new(plain(players, Screens::Closed), observer, one).await;
        let other_table = ObservedTable::new(plain(players, Screens::Closed), observer, two).await;
        assert_ne!(table.commitment, other_table.commitment);
        compare(table, other_table, observer, 0, 1).await;
    }
}

#[tokio::test]
async fn variants_hide_cards_and_decks() {
    let bonus = BonusTable::new(&[[2, 3], [4, 9]]);
    let other_hands = Variant { cards: Some(9), rounds: Some(4), stages: Some(2), bonus, ..Variant::default() };
    let mut differed = 0;
    for (players, variant) in [(Players::ALL[1], Variant::ESPRESSO), (Players::ALL[2], other_hands)] {
        for (observer, seed) in Observer::all(players).zip(1_u8..) {
            let screens = if seed % 2 == 0 { Screens::Open } else { Screens::Closed };
            let new = || NewTable { variant, ..plain(players, screens) };
            // These include the last round of the short game, and the first round of a second stage.
            let rounds = [3, 1, 4][usize::from(seed % 3)];
            let [table, other_table] = [(); 2].map(|()| ObservedTable::new(new(), observer, ServerSeed([seed; 32])));
            differed += compare(table.await, other_table.await, observer, rounds, seed.into()).await;
        }
    }
    assert!(differed > 5, "only {differed} cards differed");
    // Two seeds with the same view in the published game also have the same view in the short game.
    let observer = Observer::Seat(Seat::default());
    let new = || NewTable { variant: Variant::ESPRESSO, ..plain(Players::ALL[1], Screens::Closed) };
    let [table, other_table] = seeds(Players::ALL[1], observer).map(|seed| ObservedTable::new(new(), observer, seed));
    compare(table.await, other_table.await, observer, 0, 1).await;
}

#[tokio::test]
async fn even_pace_hides_thinking_time() {
    for (players, seconds) in Players::ALL.into_iter().zip([None, Some(5), None, Some(10)]) {
        let observer = Observer::Seat(Seat::default());
        let beat = seconds.map_or(BEAT_MS, |seconds| i64::from(seconds) * 1000);
        let new = || {
            with_options(plain(players, Screens::Closed), |options| {
                options.even_pace = true;
                options.seconds_per_action = seconds;
            })
        };
        let seed = ServerSeed([9; 32]);
        let mut tables =
            [ObservedTable::new(new(), observer, seed).await, ObservedTable::new(new(), observer, seed).await];
        let (mut chance, mut chances) = (Quick::new(1), [Quick::new(1), Quick::new(1)]);
        for _ in 0..30 {
            let player = tables[0].to_act().await;
            let action = pick(&tables[0].legal(&player).await, &mut chance);
            let hidden = observer != Observer::Seat(player.seat);
            let mut observations = Vec::new();
            // In one table the seat acts at once, in the other shortly before the beat.
            for ((table, observation_chance), at_once) in tables.iter_mut().zip(&mut chances).zip([true, false]) {
                let mut all = Vec::new();
                for (now, wait) in [(at_once, beat - 600), (!at_once, 0)] {
                    if now {
                        table.act(action).await;
                    }
                    if hidden {
                        all.extend(table.observations(observation_chance).await);
                    }
                    table.node.time.advance(wait);
                }
                let mut shown = table.node.watch(table.table, Caller::Spectator).await;
                next_ready(&mut shown).await.unwrap();
                table.node.time.advance(600);
                in_time(shown.next()).await.unwrap();
                all.extend(table.observations(observation_chance).await);
                observations.push(all);
            }
            assert_eq!(observations[0], observations[1], "{action}");
        }
    }
}
