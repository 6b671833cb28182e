//! Hidden information changes no byte that any connection of an observer receives.
//!
//! Each test plays two games that differ only in information hidden from the observer. The observer watches, reads
//! every resource and sends requests that the server rejects. The test compares all bytes that the observer receives in
//! the two games. Only dates and the commitment, which must differ, are replaced by constants.
//!
//! A [`World`] is one of the two games on its own server. A [`Plan`] has the options that both have in common.

mod plan;
mod world;

use std::collections::BTreeSet;

use sultan_table::domain::{BonusTable, Observer, Parameters, Players, Screens, Seat, ServerSeed, Variant};
use sultan_testkit::recorded::statuses;
use sultan_testkit::{Chance, FastRng, indistinguishable_seeds, with_other_card};

use self::plan::Plan;
use self::world::World;

/// Asserts that both observers received the same bytes, and shows the first difference.
fn assert_same_bytes(first: &[String], second: &[String], description: &str) {
    assert_eq!(first.len(), second.len());
    if first == second {
        return;
    }
    for (number, (first, second)) in first.iter().zip(second).enumerate() {
        let Some(difference) = first.bytes().zip(second.bytes()).position(|(first, second)| first != second) else {
            assert_eq!(first.len(), second.len(), "{description}: connection {number} received more bytes in one game");
            continue;
        };
        let excerpt = |text: &String| {
            let bytes = &text.as_bytes()[difference.saturating_sub(200)..];
            String::from_utf8_lossy(&bytes[..bytes.len().min(300)]).into_owned()
        };
        panic!("{description}: connection {number} received\n{}\nand\n{}", excerpt(first), excerpt(second));
    }
}

/// Statistics of comparisons. With them a test asserts that it has compared enough.
#[derive(Default)]
struct Statistics {
    /// The number of actions with another card in the second game.
    different_cards: u32,
    /// The number of comparisons.
    comparisons: u32,
    /// The status codes of the responses.
    statuses: BTreeSet<String>,
}

/// Compares two games with these server seeds. Plays `equal_rounds` rounds with the same actions in both, then a round
/// in which other seats play other cards in the second game. With an even pace, which delays actions so that their time
/// reveals nothing, other seats act at once in the first game and late in the second.
///
/// As long as no hidden information differs, the observer sends no requests, because they take most of the time.
///
/// The comparison ends before the reveal of the last round, or when the public course of the games differs, because
/// bots with other cards may act differently.
async fn compare(statistics: &mut Statistics, plan: Plan, server_seeds: [ServerSeed; 2], equal_rounds: u64, seed: u64) {
    let mut first = World::new(plan, server_seeds[0]).await;
    let mut second = World::new(plan, server_seeds[1]).await;
    let has_equal_seeds = server_seeds[0].0 == server_seeds[1].0;
    assert_eq!(first.commitment == second.commitment, has_equal_seeds);
    assert_eq!((&first.table, &first.tokens), (&second.table, &second.tokens), "table ids and tokens are not constant");
    let mut rng = FastRng::new(seed);
    // Equal seeds: both observers send the same requests.
    let (mut first_requests, mut second_requests) = (FastRng::new(seed), FastRng::new(seed));
    // An offer, then the bids.
    let actions_per_round = 1 + u64::from(Parameters::of(plan.players).bids_per_round());
    let start_of_last_round = equal_rounds * actions_per_round;
    // With an even pace the time of every action differs; with other server seeds the hands differ.
    let differs_from_start = plan.even_pace || !has_equal_seeds;
    let mut received = [first.probe(&mut first_requests).await, second.probe(&mut second_requests).await];
    while first.public_course().await == second.public_course().await {
        let player_count = plan.players.count();
        let description = format!("{:?} of {player_count}, after {} actions, seed {seed}", plan.observer, first.at);
        assert_same_bytes(&received[0], &received[1], &description);
        statistics.comparisons += 1;
        statistics.statuses.extend(received[0].iter().flat_map(|text| statuses(text)).map(str::to_owned));
        let (seat, first_legal) = first.turn().await;
        let (_, second_legal) = second.turn().await;
        // The comparison ends before the reveal. If only bots are to act after this bid, they act at once and end the
        // round.
        let actions_after = start_of_last_round + actions_per_round - first.at - 1;
        let mut seats_after =
            (1..=usize::try_from(actions_after).unwrap()).map(|steps| (seat + steps) % usize::from(player_count));
        if actions_after < actions_per_round - 1 && seats_after.all(|seat| plan.is_bot(seat)) {
            break;
        }
        let first_action = first_legal[rng.below(u32::try_from(first_legal.len()).unwrap()) as usize];
        let may_differ = first.at >= start_of_last_round && first.own_seat() != Some(seat);
        let second_action =
            if may_differ { with_other_card(first_action, &second_legal, &mut rng) } else { first_action };
        // In the second game (`true`), the action is late.
        received = if differs_from_start || first.at + 1 >= start_of_last_round {
            [
                first.act_and_probe((seat, first_action), false, &mut first_requests).await,
                second.act_and_probe((seat, second_action), true, &mut second_requests).await,
            ]
        } else {
            [first.act_and_watch(seat, first_action).await, second.act_and_watch(seat, second_action).await]
        };
        statistics.different_cards += u32::from(first_action != second_action);
    }
    if first.public_course().await == second.public_course().await {
        assert_same_bytes(&first.stop().await, &second.stop().await, "when the server stops");
    }
}

/// For each observer, compares games that differ only in face-down cards, after some equal rounds. At least
/// `min_different_cards` cards must differ.
async fn compare_face_down_cards(players: u8, min_different_cards: u32) {
    let (players, mut statistics) = (Players::new(players).unwrap(), Statistics::default());
    // The games of the observers also differ in the screens, the number of equal rounds and the connection for actions.
    for (observer, seed) in Observer::all(players).zip(1_u8..) {
        let screens = if seed % 2 == 0 { Screens::Open } else { Screens::Closed };
        let server_seed = ServerSeed([seed + 10 * players.count(); 32]);
        let plan = Plan { acts_by_socket: seed % 2 == 0, ..Plan::new(players, screens, observer) };
        compare(&mut statistics, plan, [server_seed; 2], u64::from(seed * 2 % 5), seed.into()).await;
    }
    let different_cards = statistics.different_cards;
    assert!(different_cards >= min_different_cards, "only {different_cards} cards differed");
    // The observer's requests are accepted and rejected in all ways.
    let all_statuses = ["101", "200", "201", "303", "400", "401", "403", "404", "409", "422"];
    assert_eq!(statistics.statuses.into_iter().collect::<Vec<_>>(), all_statuses);
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
        let mut statistics = Statistics::default();
        compare(&mut statistics, plan, seeds, 0, 1).await;
        assert!(statistics.different_cards > 0);
    }
}

#[tokio::test]
async fn hidden_cards_of_a_variant_change_no_byte() {
    let three = Players::new(3).unwrap();
    let mut statistics = Statistics::default();
    let observers = [Observer::Seat(Seat::default()), Observer::Public];
    // Face-down cards in a later round of the short game, and of a variant with other hands and bonuses.
    let other_variant =
        Variant { cards: Some(8), rounds: Some(3), bonus: BonusTable::new(&[[2, 7]]), ..Variant::ESPRESSO };
    for (observer, (variant, rounds)) in observers.into_iter().zip([(Variant::ESPRESSO, 2), (other_variant, 1)]) {
        let plan = Plan { variant, ..Plan::new(three, Screens::Closed, observer) };
        // With equal seeds both games have the same deal; after the equal rounds, other seats play other cards.
        compare(&mut statistics, plan, [ServerSeed([5; 32]); 2], rounds, 1).await;
    }
    // Other hands and decks in the short game.
    for observer in observers {
        let plan = Plan { variant: Variant::ESPRESSO, ..Plan::new(three, Screens::Closed, observer) };
        compare(&mut statistics, plan, indistinguishable_seeds(three, &plan.seeds(), observer), 0, 1).await;
    }
    assert!(statistics.different_cards > 0);
}

/// The coach uses only the view of its player, so its hints and its list of possible cards are the same in both games.
#[tokio::test]
async fn coach_reveals_no_hidden_information() {
    let three = Players::new(3).unwrap();
    let mut statistics = Statistics::default();
    for observer in [Observer::Seat(Seat::default()), Observer::Public] {
        let plan = Plan { coach: true, ..Plan::new(three, Screens::Open, observer) };
        compare(&mut statistics, plan, indistinguishable_seeds(three, &plan.seeds(), observer), 0, 1).await;
    }
    assert!(statistics.different_cards > 0);
}

/// The deal and the random numbers of the bots are the same in both games. Only the face-down cards of people differ.
/// The actions of bots are part of the comparison, because bots must not use these cards either.
#[tokio::test]
async fn bots_do_not_depend_on_face_down_cards() {
    let mut statistics = Statistics::default();
    // Three players with the level `page`, four with `merchant`, five with `jeweller`.
    for (players, bot) in Players::ALL.into_iter().skip(1).zip(["page", "merchant", "jeweller"]) {
        for (observer, seed) in Observer::all(players).zip(1_u8..) {
            let plan = Plan { bot: Some(bot), ..Plan::new(players, Screens::Closed, observer) };
            if plan.observer.seat().is_some_and(|seat| plan.is_bot(seat.index())) {
                continue;
            }
            compare(&mut statistics, plan, [ServerSeed([seed; 32]); 2], u64::from(seed % 3), seed.into()).await;
        }
    }
    assert!(statistics.different_cards > 10, "only {} cards differed", statistics.different_cards);
}

/// All hands differ, also those of bots, so that bots may act differently. A comparison ends as soon as they do. The
/// number of games is large enough that some comparisons continue after a bot's bid.
#[tokio::test]
async fn hands_of_bots_change_no_byte_until_revealed() {
    let three = Players::new(3).unwrap();
    let mut statistics = Statistics::default();
    for number in 1..=12 {
        let observer = [Observer::Public, Observer::Seat(Seat::default())][usize::from(number % 2)];
        let plan = Plan { bot: Some("page"), number, ..Plan::new(three, Screens::Closed, observer) };
        let seeds = indistinguishable_seeds(three, &plan.seeds(), observer);
        compare(&mut statistics, plan, seeds, 0, number.into()).await;
    }
    // In the first two comparisons of a game only people have acted; later comparisons are after a bot's bid.
    assert!(statistics.comparisons > 2 * 12 + 3, "only {} comparisons", statistics.comparisons);
}

/// Compares games with an even pace in which other players choose other cards, and act at other times within a beat
/// (the interval at which the even pace shows actions).
async fn compare_thinking_times(players: u8) {
    let (players, mut statistics) = (Players::new(players).unwrap(), Statistics::default());
    for (observer, seed) in [Observer::Public, Observer::Seat(Seat::default())].into_iter().zip(1_u8..) {
        let acts_by_socket = players.count() % 2 == 0;
        let plan = Plan { even_pace: true, acts_by_socket, ..Plan::new(players, Screens::Closed, observer) };
        compare(&mut statistics, plan, [ServerSeed([seed; 32]); 2], u64::from(seed % 2), seed.into()).await;
    }
    assert!(statistics.different_cards > 1, "only {} cards differed", statistics.different_cards);
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
