//! What somebody cannot know changes no byte that any of their connections receives.
//!
//! Two games are played that differ only in what an observer may not know. The observer watches, looks, asks for everything there
//! is and is refused; all that comes over the sockets is compared. Only the promise (it must differ) and dates are pinned.

mod plan;
mod world;

use std::collections::BTreeSet;

use sultan_table::domain::{BonusTable, Observer, Parameters, Players, Screens, Seat, ServerSeed, Variant};
use sultan_testkit::recorded::statuses;
use sultan_testkit::{Chance, Quick, alike, other_card};

use self::plan::Plan;
use self::world::World;

/// Holds that both received the same, and shows where not.
fn same(here: &[String], there: &[String], when: &str) {
    assert_eq!(here.len(), there.len());
    if here == there {
        return;
    }
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
    /// How often all that had come was compared.
    moments: u32,
    /// How requests were answered.
    statuses: BTreeSet<String>,
}

/// Plays whole rounds alike in both worlds, then one with other cards; where the pace is even, all those who are not the observer act
/// at once here, and late there. Ends before the round does, which would turn its cards up, and where the two games are not
/// played alike for all to see, which bots are free to do who hold other cards.
async fn compare(compared: &mut Compared, plan: Plan, seeds: [ServerSeed; 2], rounds: u64, seed: u64) {
    let mut here = World::new(plan, seeds[0]).await;
    let mut there = World::new(plan, seeds[1]).await;
    assert_eq!(here.commitment == there.commitment, seeds[0].0 == seeds[1].0);
    assert_eq!((&here.table, &here.tokens), (&there.table, &there.tokens), "these are pinned");
    let (mut chance, mut looks) = (Quick::new(seed), [Quick::new(seed), Quick::new(seed)]);
    let [one, two] = &mut looks;
    // An offer, then the bids.
    let in_round = 1 + u64::from(Parameters::of(plan.players).bids());
    let mut learnt = [here.learnt(one).await, there.learnt(two).await];
    while here.play().await == there.play().await {
        let when = format!("{:?} of {}, at {}, seed {seed}", plan.observer, plan.players.count(), here.at);
        same(&learnt[0], &learnt[1], &when);
        compared.moments += 1;
        compared.statuses.extend(learnt[0].iter().flat_map(|text| statuses(text)).map(str::to_owned));
        let (seat, legal) = here.turn().await;
        let left = (rounds + 1) * in_round - here.at - 1;
        let after = (1..=usize::try_from(left).unwrap()).map(|next| (seat + next) % usize::from(plan.players.count()));
        if left < in_round - 1 && after.into_iter().all(|seat| plan.is_bot(seat)) {
            break;
        }
        let action = legal[chance.below(u32::try_from(legal.len()).unwrap()) as usize];
        let hidden = here.at >= rounds * in_round && here.own() != Some(seat);
        let legal = there.turn().await.1;
        let other = if hidden { other_card(action, &legal, &mut chance) } else { action };
        learnt = [here.step((seat, action), false, one).await, there.step((seat, other), true, two).await];
        compared.cards += u32::from(action != other);
    }
    if here.play().await == there.play().await {
        same(&here.end().await, &there.end().await, "at the end");
    }
}

#[tokio::test]
async fn face_down_cards_change_no_byte() {
    let mut compared = Compared::default();
    for players in Players::ALL {
        for (observer, seed) in Observer::all(players).zip(1_u8..) {
            let screens = if seed % 2 == 0 { Screens::Open } else { Screens::Closed };
            let server_seed = ServerSeed([seed + 10 * players.count(); 32]);
            let plan = Plan { speaks: seed % 2 == 0, ..Plan::new(players, screens, observer) };
            compare(&mut compared, plan, [server_seed; 2], u64::from(seed * 2 % 5), seed.into()).await;
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
        let plan = Plan::new(players, Screens::Closed, observer);
        let seeds = alike(players, &plan.seeds(), observer);
        assert_ne!(seeds[0].0, seeds[1].0);
        let mut compared = Compared::default();
        compare(&mut compared, plan, seeds, 0, 1).await;
        assert!(compared.cards > 0);
    }
}

#[tokio::test]
async fn hidden_cards_of_a_variant_change_no_byte() {
    let three = Players::new(3).unwrap();
    let mut compared = Compared::default();
    let observers = [Observer::Seat(Seat::default()), Observer::Public];
    // A later round of the short game, and of one with other hands and bonuses.
    let other = Variant { cards: Some(8), rounds: Some(3), bonus: BonusTable::new(&[[2, 7]]), ..Variant::ESPRESSO };
    for (observer, (variant, rounds)) in observers.into_iter().zip([(Variant::ESPRESSO, 2), (other, 1)]) {
        let plan = Plan { variant, ..Plan::new(three, Screens::Closed, observer) };
        compare(&mut compared, plan, [ServerSeed([5; 32]); 2], rounds, 1).await;
    }
    // Other hands and decks.
    for observer in observers {
        let plan = Plan { variant: Variant::ESPRESSO, ..Plan::new(three, Screens::Closed, observer) };
        compare(&mut compared, plan, alike(three, &plan.seeds(), observer), 0, 1).await;
    }
    assert!(compared.cards > 0);
}

/// A coach knows no more than whom it helps: neither its hints nor what it says of the others' hands changes.
#[tokio::test]
async fn coach_reveals_no_hidden_information() {
    let three = Players::new(3).unwrap();
    let mut compared = Compared::default();
    for observer in [Observer::Seat(Seat::default()), Observer::Public] {
        let plan = Plan { coach: true, ..Plan::new(three, Screens::Open, observer) };
        compare(&mut compared, plan, alike(three, &plan.seeds(), observer), 0, 1).await;
    }
    assert!(compared.cards > 0);
}

/// The same deal, in which the bots hold the same cards and draw the same chance. Only what people put face down differs, and no bot
/// may know that either: what the bots do is a part of what must not change.
#[tokio::test]
async fn bots_do_not_depend_on_face_down_cards() {
    let mut compared = Compared::default();
    for (players, bot) in Players::ALL.into_iter().skip(1).zip(["page", "merchant", "jeweller"]) {
        for (observer, seed) in Observer::all(players).zip(1_u8..) {
            let plan = Plan { bot: Some(bot), ..Plan::new(players, Screens::Closed, observer) };
            if plan.observer.seat().is_some_and(|seat| plan.is_bot(seat.index())) {
                continue;
            }
            compare(&mut compared, plan, [ServerSeed([seed; 32]); 2], u64::from(seed % 3), seed.into()).await;
        }
    }
    assert!(compared.cards > 10, "only {} cards differed", compared.cards);
}

/// Other hands, bots' too, who then may do other things: from there on the games are not alike, and nothing is compared. Until then
/// all is, and there are so many games that some go on for long.
#[tokio::test]
async fn hands_of_bots_change_no_byte_until_revealed() {
    let three = Players::new(3).unwrap();
    let mut compared = Compared::default();
    for number in 1..=12 {
        let observer = [Observer::Public, Observer::Seat(Seat::default())][usize::from(number % 2)];
        let plan = Plan { bot: Some("page"), number, ..Plan::new(three, Screens::Closed, observer) };
        let seeds = alike(three, &plan.seeds(), observer);
        compare(&mut compared, plan, seeds, 0, number.into()).await;
    }
    // Nobody but people has acted at the first two moments; then come those where a bot has bid.
    assert!(compared.moments > 2 * 12 + 3, "compared at only {} moments", compared.moments);
}

/// When somebody acted within a beat, and with which card, where the pace is even.
#[tokio::test]
async fn thinking_time_changes_no_byte_with_even_pace() {
    let mut compared = Compared::default();
    for players in Players::ALL {
        for (observer, seed) in [Observer::Public, Observer::Seat(Seat::default())].into_iter().zip(1_u8..) {
            let speaks = players.count() % 2 == 0;
            let plan = Plan { even_pace: true, speaks, ..Plan::new(players, Screens::Closed, observer) };
            compare(&mut compared, plan, [ServerSeed([seed; 32]); 2], u64::from(seed % 2), seed.into()).await;
        }
    }
    assert!(compared.cards > 4, "only {} cards differed", compared.cards);
}
