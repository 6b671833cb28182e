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
fn assert_same_bytes(first: &[String], second: &[String], when: &str) {
    assert_eq!(first.len(), second.len());
    if first == second {
        return;
    }
    for (number, (first, second)) in first.iter().zip(second).enumerate() {
        let Some(at) = first.bytes().zip(second.bytes()).position(|(first, second)| first != second) else {
            assert_eq!(first.len(), second.len(), "{when}: connection {number} received more");
            continue;
        };
        let near = |text: &str| text.as_bytes()[at.saturating_sub(200)..].iter().take(300).copied().collect::<Vec<_>>();
        let [first, second] = [first, second].map(|text| String::from_utf8_lossy(&near(text)).into_owned());
        panic!("{when}: connection {number} received\n{first}\nand\n{second}");
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
/// As long as nothing hidden differs, the observer only watches: requests take most of the time of a comparison.
///
/// Ends before the reveal of the last round, or when the public course of the games differs: bots with other cards may
/// act differently.
async fn compare(compared: &mut Compared, plan: Plan, seeds: [ServerSeed; 2], rounds: u64, seed: u64) {
    let mut first = World::new(plan, seeds[0]).await;
    let mut second = World::new(plan, seeds[1]).await;
    assert_eq!(first.commitment == second.commitment, seeds[0].0 == seeds[1].0);
    assert_eq!((&first.table, &first.tokens), (&second.table, &second.tokens), "these are pinned");
    let (mut chance, mut probes) = (Quick::new(seed), [Quick::new(seed), Quick::new(seed)]);
    let [first_probes, second_probes] = &mut probes;
    // An offer, then the bids.
    let actions_per_round = 1 + u64::from(Parameters::of(plan.players).bids());
    let last_round = rounds * actions_per_round;
    let always_differs = plan.even_pace || seeds[0].0 != seeds[1].0;
    let mut received = [first.probe(first_probes).await, second.probe(second_probes).await];
    while first.public_course().await == second.public_course().await {
        let when = format!("{:?} of {}, at {}, seed {seed}", plan.observer, plan.players.count(), first.at);
        assert_same_bytes(&received[0], &received[1], &when);
        compared.moments += 1;
        compared.statuses.extend(received[0].iter().flat_map(|text| statuses(text)).map(str::to_owned));
        let (seat, legal) = first.turn().await;
        let left = last_round + actions_per_round - first.at - 1;
        let after = (1..=usize::try_from(left).unwrap()).map(|next| (seat + next) % usize::from(plan.players.count()));
        if left < actions_per_round - 1 && after.into_iter().all(|seat| plan.is_bot(seat)) {
            break;
        }
        let action = legal[chance.below(u32::try_from(legal.len()).unwrap()) as usize];
        let hidden = first.at >= last_round && first.own() != Some(seat);
        let legal = second.turn().await.1;
        let other = if hidden { with_other_card(action, &legal, &mut chance) } else { action };
        received = if always_differs || first.at + 1 >= last_round {
            [
                first.step((seat, action), false, first_probes).await,
                second.step((seat, other), true, second_probes).await,
            ]
        } else {
            [first.watch_step((seat, action)).await, second.watch_step((seat, other)).await]
        };
        compared.cards += u32::from(action != other);
    }
    if first.public_course().await == second.public_course().await {
        assert_same_bytes(&first.end().await, &second.end().await, "at the end");
    }
}

/// Compares the games of all observers that differ only in face-down cards, after some equal rounds. At least
/// `min_cards` cards must differ.
async fn compare_face_down_cards(players: u8, min_cards: u32) {
    let (players, mut compared) = (Players::new(players).unwrap(), Compared::default());
    for (observer, seed) in Observer::all(players).zip(1_u8..) {
        let screens = if seed % 2 == 0 { Screens::Open } else { Screens::Closed };
        let server_seed = ServerSeed([seed + 10 * players.count(); 32]);
        let plan = Plan { acts_by_socket: seed % 2 == 0, ..Plan::new(players, screens, observer) };
        compare(&mut compared, plan, [server_seed; 2], u64::from(seed * 2 % 5), seed.into()).await;
    }
    assert!(compared.cards >= min_cards, "only {} cards differed", compared.cards);
    let all = ["101", "200", "201", "303", "400", "401", "403", "404", "409", "422"];
    assert_eq!(compared.statuses.into_iter().collect::<Vec<_>>(), all, "requests are rejected for all reasons");
}

#[tokio::test]
async fn face_down_cards_of_two_players_change_no_byte() {
    compare_face_down_cards(2, 4).await;
}

#[tokio::test]
async fn face_down_cards_of_three_players_change_no_byte() {
    compare_face_down_cards(3, 4).await;
}

#[tokio::test]
async fn face_down_cards_of_four_players_change_no_byte() {
    compare_face_down_cards(4, 6).await;
}

#[tokio::test]
async fn face_down_cards_of_five_players_change_no_byte() {
    compare_face_down_cards(5, 8).await;
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

/// Compares games with an even pace that differ in the time of an action within a beat, and in its card.
async fn compare_thinking_times(players: u8) {
    let (players, mut compared) = (Players::new(players).unwrap(), Compared::default());
    for (observer, seed) in [Observer::Public, Observer::Seat(Seat::default())].into_iter().zip(1_u8..) {
        let acts_by_socket = players.count() % 2 == 0;
        let plan = Plan { even_pace: true, acts_by_socket, ..Plan::new(players, Screens::Closed, observer) };
        compare(&mut compared, plan, [ServerSeed([seed; 32]); 2], u64::from(seed % 2), seed.into()).await;
    }
    assert!(compared.cards > 1, "only {} cards differed", compared.cards);
}

#[tokio::test]
async fn thinking_time_of_two_players_changes_no_byte_with_even_pace() {
    compare_thinking_times(2).await;
}

#[tokio::test]
async fn thinking_time_of_three_players_changes_no_byte_with_even_pace() {
    compare_thinking_times(3).await;
}

#[tokio::test]
async fn thinking_time_of_four_players_changes_no_byte_with_even_pace() {
    compare_thinking_times(4).await;
}

#[tokio::test]
async fn thinking_time_of_five_players_changes_no_byte_with_even_pace() {
    compare_thinking_times(5).await;
}
