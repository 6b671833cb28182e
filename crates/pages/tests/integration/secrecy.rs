//! Hidden information changes no byte that any connection of an observer receives.
//!
//! Two games are played that differ only in information hidden from the observer. The observer watches, reads every
//! resource and sends requests that are rejected; all bytes from the sockets are compared. Only the commitment (it must
//! differ) and dates are replaced by constants.

mod plan;
mod world;

use std::collections::BTreeSet;

use sultan_table::domain::{BonusTable, Observer, Parameters, Players, Screens, Seat, ServerSeed, Variant};
use sultan_testkit::recorded::statuses;
use sultan_testkit::{Chance, Quick, indistinguishable_seeds, with_other_card};

use self::plan::Plan;
use self::world::World;

/// Asserts that both observers received the same bytes, and shows the first difference.
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

/// Statistics of a comparison.
#[derive(Default)]
struct Compared {
    /// The number of cards that differed.
    cards: u32,
    /// The number of comparisons.
    moments: u32,
    /// The status codes of the responses.
    statuses: BTreeSet<String>,
}

/// Plays `rounds` rounds with the same actions in both worlds, then one with other cards. With an even pace, all seats
/// but the observer's act at once in the first world and late in the second.
///
/// Ends before the reveal of the last round, or when the public course of the games differs: bots with other cards may
/// act differently.
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
        let other = if hidden { with_other_card(action, &legal, &mut chance) } else { action };
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
        let seeds = indistinguishable_seeds(players, &plan.seeds(), observer);
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
    // A later round of the short game, and of a variant with other hands and bonuses.
    let other = Variant { cards: Some(8), rounds: Some(3), bonus: BonusTable::new(&[[2, 7]]), ..Variant::ESPRESSO };
    for (observer, (variant, rounds)) in observers.into_iter().zip([(Variant::ESPRESSO, 2), (other, 1)]) {
        let plan = Plan { variant, ..Plan::new(three, Screens::Closed, observer) };
        compare(&mut compared, plan, [ServerSeed([5; 32]); 2], rounds, 1).await;
    }
    // Other hands and decks.
    for observer in observers {
        let plan = Plan { variant: Variant::ESPRESSO, ..Plan::new(three, Screens::Closed, observer) };
        compare(&mut compared, plan, indistinguishable_seeds(three, &plan.seeds(), observer), 0, 1).await;
    }
    assert!(compared.cards > 0);
}

/// The coach uses only the view of its player: neither its hints nor its list of possible cards changes.
#[tokio::test]
async fn coach_reveals_no_hidden_information() {
    let three = Players::new(3).unwrap();
    let mut compared = Compared::default();
    for observer in [Observer::Seat(Seat::default()), Observer::Public] {
        let plan = Plan { coach: true, ..Plan::new(three, Screens::Open, observer) };
        compare(&mut compared, plan, indistinguishable_seeds(three, &plan.seeds(), observer), 0, 1).await;
    }
    assert!(compared.cards > 0);
}

/// The same deal and the same randomness of the bots. Only the face-down cards of people differ. Bots must not use them
/// either: their actions are part of the comparison.
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

/// Other hands, also of bots, which may then act differently. The comparison ends at the first such difference. The
/// number of games is large enough that some continue for long.
#[tokio::test]
async fn hands_of_bots_change_no_byte_until_revealed() {
    let three = Players::new(3).unwrap();
    let mut compared = Compared::default();
    for number in 1..=12 {
        let observer = [Observer::Public, Observer::Seat(Seat::default())][usize::from(number % 2)];
        let plan = Plan { bot: Some("page"), number, ..Plan::new(three, Screens::Closed, observer) };
        let seeds = indistinguishable_seeds(three, &plan.seeds(), observer);
        compare(&mut compared, plan, seeds, 0, number.into()).await;
    }
    // At the first two comparisons of a game only people have acted; the further ones are after a bot's bid.
    assert!(compared.moments > 2 * 12 + 3, "compared at only {} moments", compared.moments);
}

/// The time of an action within a beat, and its card, with an even pace.
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
