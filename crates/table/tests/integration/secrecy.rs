//! Two tables that differ only in facts hidden from an observer: every byte, version and rejection that the observer
//! receives must be the same at both tables.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sultan_rules::{Chance, FastRng};
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

/// A table, and an observer that uses every way to observe the table: watching, requesting the view, and acting.
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
    /// A table on a node of its own. Tables with equal arguments are equal in everything.
    async fn new(new: NewTable, observer: Observer, server_seed: ServerSeed) -> Self {
        let (backend, time) = (Backend::sqlite(), FakeTime::default());
        let settings = time.settings(1);
        let (later_bytes, is_first_call) = (Arc::clone(&settings.random_bytes), AtomicBool::new(true));
        // The server's seed is the first secret that the service generates.
        let random_bytes =
            move || if is_first_call.swap(false, Ordering::Relaxed) { server_seed.0 } else { later_bytes() };
        let service = Service::new(backend.open().await, Settings { random_bytes: Arc::new(random_bytes), ..settings });
        let node = TestService::run(service, &time);
        let commitment = node.service.new_commitment().await.unwrap();
        let (table, seated) = node.open_table(NewTable { commitment: Some(commitment), ..new }).await;
        let observer = observer.seat().map_or(Caller::Spectator, |seat| seated[seat.index()].caller());
        let watch = node.watch(table, observer).await;
        Self { _backend: backend, node, table, seated, observer, watch, commitment: commitment.to_string() }
    }

    async fn player_to_act(&self) -> Player {
        self.node.player_to_act(self.table, &self.seated).await.unwrap()
    }

    async fn legal_actions(&self, player: &Player) -> Vec<Action> {
        let view = self.node.view(self.table, &player.caller()).await;
        view["legal"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().parse().unwrap()).collect()
    }

    /// Plays an action of the player to act.
    async fn act(&self, action: Action) {
        let player = self.player_to_act().await;
        let at = self.node.view(self.table, &player.caller()).await["at"].as_u64().unwrap();
        self.node.service.act(self.table, &player.caller(), action, u16::try_from(at).unwrap()).await.unwrap();
    }

    /// Everything the observer receives now: the published views, the requested view, and the rejections of random
    /// actions. Replaces the commitment, which depends on the server's seed, by a fixed word.
    async fn observations(&mut self, rng: &mut FastRng) -> Vec<String> {
        let mut all = Vec::new();
        let without_commitment = |json: &str| json.replace(&self.commitment, "commitment");
        while let Some(view_json) = next_ready(&mut self.watch).await {
            all.push(format!("published {} {}", view_json.version, without_commitment(&view_json.json)));
        }
        let view_json = self.node.json_view(self.table, &self.observer).await;
        let view = parse_view(&view_json);
        all.push(format!("requested {} {}", view_json.version, without_commitment(&view_json.json)));
        let at = u16::try_from(view["at"].as_u64().unwrap()).unwrap();
        let legal: BTreeSet<String> =
            view["legal"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect();
        let all_actions = action_space();
        for _ in 0..6 {
            let action = pick(&all_actions, rng);
            // If it is the observer's turn, `at + 1` is wrong. Otherwise any `at` is rejected: try three.
            let near_at = at.wrapping_add(u16::try_from(rng.below(3)).unwrap()).wrapping_sub(1);
            let rejected_at = if legal.is_empty() { near_at } else { at + 1 };
            all.push(self.answer(action, rejected_at).await);
            // An illegal action with the right `at`. (An offer that is not listed may be legal: its jewels may be in
            // any order.)
            if !legal.contains(&action.to_string()) && !matches!(action, Action::Offer(_)) {
                all.push(self.answer(action, at).await);
            }
        }
        all
    }

    /// The answer to an action of the observer: a rejection, or the version if the action repeats an earlier action.
    async fn answer(&self, action: Action, at: u16) -> String {
        match self.node.service.act(self.table, &self.observer, action, at).await {
            Ok(repeated) => format!("repeated {}", repeated.version()),
            Err(ServiceError::Rejected(rejection)) => format!("{rejection} {rejection:?} {}", rejection.code()),
            Err(error) => panic!("the store failed: {error}"),
        }
    }
}

/// A random action of these.
fn pick(actions: &[Action], rng: &mut FastRng) -> Action {
    actions[rng.below(u32::try_from(actions.len()).unwrap()) as usize]
}

/// Plays the same rounds at both tables, then a round in which the other players bid different cards, and compares what
/// the observer receives after each action. Returns the number of different cards.
async fn compare(
    mut table: ObservedTable,
    mut other_table: ObservedTable,
    observer: Observer,
    rounds: u32,
    seed: u64,
) -> u32 {
    let (mut rng, mut observation_rngs) = (FastRng::new(seed), [FastRng::new(seed), FastRng::new(seed)]);
    let (mut round, mut different_cards) = (0, 0);
    let players = Players::new(u8::try_from(table.seated.len()).unwrap()).unwrap();
    // An offer, then the bids.
    let actions_per_round = 1 + Parameters::of(players).bids_per_round();
    let mut actions_in_round = 0;
    loop {
        let player = table.player_to_act().await;
        let action = pick(&table.legal_actions(&player).await, &mut rng);
        let is_hidden = round == rounds && observer != Observer::Seat(player.seat);
        let legal = other_table.legal_actions(&player).await;
        let other_action = if is_hidden { with_other_card(action, &legal, &mut rng) } else { action };
        actions_in_round += 1;
        if actions_in_round == actions_per_round && round == rounds {
            // The last bid of the round would turn all cards face up.
            return different_cards;
        }
        table.act(action).await;
        other_table.act(other_action).await;
        different_cards += u32::from(action != other_action);
        let [rng_of_table, rng_of_other_table] = &mut observation_rngs;
        assert_eq!(
            table.observations(rng_of_table).await,
            other_table.observations(rng_of_other_table).await,
            "{observer:?} can distinguish the tables in round {round} after {actions_in_round} actions"
        );
        if actions_in_round == actions_per_round {
            (round, actions_in_round) = (round + 1, 0);
        }
    }
}

/// A table for people only, in which seat 0 is first.
fn human_table(players: Players, screens: Screens) -> NewTable {
    with_options(NewTable::plain(players), |options| {
        options.screens = screens;
        options.first_seat = Some(Seat::default());
    })
}

#[tokio::test]
async fn face_down_cards_are_hidden() {
    let mut different_cards = 0;
    for players in Players::ALL {
        for (observer, seed) in Observer::all(players).zip(1..) {
            let screens = if seed % 2 == 0 { Screens::Open } else { Screens::Closed };
            // The cards differ after 0 to 4 equal rounds.
            let rounds = u32::try_from(seed).unwrap() * 2 % 5;
            let server_seed = ServerSeed([u8::try_from(seed).unwrap(); 32]);
            let table = ObservedTable::new(human_table(players, screens), observer, server_seed).await;
            let other_table = ObservedTable::new(human_table(players, screens), observer, server_seed).await;
            different_cards += compare(table, other_table, observer, rounds, seed).await;
        }
    }
    assert!(different_cards > 20, "only {different_cards} cards differed");
}

/// Two seeds that deal different cards, but give the observer the same view at the start.
fn seeds_with_equal_views(players: Players, observer: Observer) -> [ServerSeed; 2] {
    // The client seeds that `TestService::open_table` gives the players: none to the host, this seed to all others.
    let mut client_seeds = vec![ClientSeed::try_from("seed of ".to_owned()).unwrap(); players.count().into()];
    client_seeds[0] = ClientSeed::default();
    indistinguishable_seeds(players, &client_seeds, observer)
}

#[tokio::test]
async fn other_hands_and_decks_are_hidden() {
    let three = Players::new(3).unwrap();
    let spectators = Players::ALL.map(|players| (players, Observer::Public));
    for (players, observer) in Observer::all(three).map(|observer| (three, observer)).chain(spectators) {
        let [seed, other_seed] = seeds_with_equal_views(players, observer);
        let table = ObservedTable::new(human_table(players, Screens::Closed), observer, seed).await;
        let other_table = ObservedTable::new(human_table(players, Screens::Closed), observer, other_seed).await;
        assert_ne!(table.commitment, other_table.commitment);
        compare(table, other_table, observer, 0, 1).await;
    }
}

#[tokio::test]
async fn variants_hide_cards_and_decks() {
    let bonus = BonusTable::new(&[[2, 3], [4, 9]]);
    let with_other_hands = Variant { cards: Some(9), rounds: Some(4), stages: Some(2), bonus, ..Variant::default() };
    let mut different_cards = 0;
    for (players, variant) in [(Players::THREE, Variant::ESPRESSO), (Players::FOUR, with_other_hands)] {
        for (observer, seed) in Observer::all(players).zip(1_u8..) {
            let screens = if seed % 2 == 0 { Screens::Open } else { Screens::Closed };
            let new = || NewTable { variant, ..human_table(players, screens) };
            // The cards differ after 3, 1 or 4 equal rounds: sometimes in the last round of the espresso game, or in
            // the first round of the second stage.
            let rounds = [3, 1, 4][usize::from(seed % 3)];
            let [table, other_table] = [(); 2].map(|()| ObservedTable::new(new(), observer, ServerSeed([seed; 32])));
            different_cards += compare(table.await, other_table.await, observer, rounds, seed.into()).await;
        }
    }
    assert!(different_cards > 5, "only {different_cards} cards differed");
    // Two seeds with the same view in the published game also have the same view in the espresso game.
    let observer = Observer::Seat(Seat::default());
    let new = || NewTable { variant: Variant::ESPRESSO, ..human_table(Players::THREE, Screens::Closed) };
    let [table, other_table] =
        seeds_with_equal_views(Players::THREE, observer).map(|seed| ObservedTable::new(new(), observer, seed));
    compare(table.await, other_table.await, observer, 0, 1).await;
}

#[tokio::test]
async fn even_pace_hides_thinking_time() {
    for (players, seconds) in Players::ALL.into_iter().zip([None, Some(5), None, Some(10)]) {
        let observer = Observer::Seat(Seat::default());
        let beat_ms = seconds.map_or(BEAT_MS, |seconds| i64::from(seconds) * 1000);
        let new = || {
            with_options(human_table(players, Screens::Closed), |options| {
                options.even_pace = true;
                options.seconds_per_action = seconds;
            })
        };
        let seed = ServerSeed([9; 32]);
        let mut tables =
            [ObservedTable::new(new(), observer, seed).await, ObservedTable::new(new(), observer, seed).await];
        let (mut rng, mut observation_rngs) = (FastRng::new(1), [FastRng::new(1), FastRng::new(1)]);
        for _ in 0..30 {
            let player = tables[0].player_to_act().await;
            let action = pick(&tables[0].legal_actions(&player).await, &mut rng);
            let is_hidden = observer != Observer::Seat(player.seat);
            let mut observations = Vec::new();
            // At the first table the player acts right after a beat, at the second table 600 ms before the next beat.
            let acts_early = [true, false];
            for ((table, observation_rng), acts_early) in tables.iter_mut().zip(&mut observation_rngs).zip(acts_early) {
                let mut all = Vec::new();
                for (acts_now, wait_ms) in [(acts_early, beat_ms - 600), (!acts_early, 0)] {
                    if acts_now {
                        table.act(action).await;
                    }
                    if is_hidden {
                        all.extend(table.observations(observation_rng).await);
                    }
                    table.node.time.advance(wait_ms);
                }
                // Wait until the next beat has revealed the action.
                let mut watch = table.node.watch(table.table, Caller::Spectator).await;
                next_ready(&mut watch).await.unwrap();
                table.node.time.advance(600);
                in_time(watch.next()).await.unwrap();
                all.extend(table.observations(observation_rng).await);
                observations.push(all);
            }
            assert_eq!(observations[0], observations[1], "the observer can see when {action} was played");
        }
    }
}
