//! The gains that the learner computes from a finished round are compared with games in which it plays other cards.

use super::*;
use crate::train::gradient::tests::{assert_gradient, knowledge};
use sultan_bots::search::math::random_unit;
use sultan_bots::search::net::Net;
use sultan_bots::{Nets, Random};
use sultan_domain::Players;

/// A bid of the learner in a game, with the game before the bid.
struct BidInGame {
    game_before: Game,
    recall: Recall,
    bid: LearnersBid,
}

/// The number of comparisons, in all and of special cases.
#[derive(Default)]
struct Comparisons {
    all: u32,
    /// Comparisons with a card that the learner placed in its next bid of the round. The first number counts cards of
    /// which the learner held one copy, the second number those with two copies.
    with_next_card: [u32; 2],
    at_stage_end: u32,
}

/// Plays the round, with these bids, to its end by the rules, but with another card in one bid of the learner. Returns
/// the value for the learner.
fn value_with_card(net_set: &NetSet, bid_in_game: &BidInGame, bids: &[Bid], alternative: MoneyCard) -> SeatValue {
    let learners_bid = &bid_in_game.bid;
    let learner = learners_bid.knowledge.seat;
    let (mut game, mut recall) = (bid_in_game.game_before, bid_in_game.recall.clone());
    let turn = learners_bid.knowledge.public.placed.len();
    for (index, bid) in bids.iter().enumerate().skip(turn) {
        let card = match bid.card {
            _ if index == turn => alternative,
            // The learner has already placed the card of this later bid, so it places the other card now.
            card if bid.seat == learner && !game.hand(learner).has(card) => learners_bid.card,
            card => card,
        };
        let progress = game.play(Action::Bid { card, cushion: bid.cushion }).unwrap();
        if progress != Progress::Continues {
            recall.push(game.last_round().unwrap());
        }
    }
    if let Pending::Over(outcome) = game.pending() {
        return SeatValue::of_outcome(&outcome, learner);
    }
    let knowledge = Knowledge::new(&game.view(Observer::Seat(learner)), &recall, &mut FastRng::new(0)).unwrap();
    let starts_stage = knowledge.public.round_index.is_multiple_of(knowledge.public.parameters.rounds_per_stage);
    // The hands of the next stage are not known yet.
    let hand = if starts_stage { Cards::NONE } else { knowledge.hand };
    net_set.seat_value(&knowledge.public, learner, hand, &mut net_set.appraisal())
}

/// Compares the gains of the learner's bids in a finished round with rounds played by the rules.
fn compare_gains(
    games: &FixedOpponent,
    learners_bids: &[BidInGame],
    bids: &[Bid],
    start: &Judged,
    comparisons: &mut Comparisons,
) {
    for (index, bid_in_game) in learners_bids.iter().enumerate() {
        let LearnersBid { knowledge, card, .. } = &bid_in_game.bid;
        let gains = games.gains(&bid_in_game.bid, bids, start);
        for alternative in knowledge.hand.values() {
            let value = value_with_card(games.net_set, bid_in_game, bids, alternative);
            let expected = value.utility() - start.value.utility();
            let gain = gains[usize::from(alternative.value())];
            assert!((gain - expected).abs() < 1e-4, "{alternative:?} instead of {card:?}: {gain}, not {expected}");
            comparisons.all += 1;
            let is_next_card = learners_bids.get(index + 1).is_some_and(|next| next.bid.card == alternative);
            if alternative != *card && is_next_card {
                comparisons.with_next_card[usize::from(knowledge.hand.count(alternative)) - 1] += 1;
            }
            let next_round = knowledge.public.round_index + 1;
            let is_stage_end = next_round.is_multiple_of(knowledge.public.parameters.rounds_per_stage);
            comparisons.at_stage_end += u32::from(is_stage_end);
        }
    }
}

/// Plays one game, the learner against random players, and compares the gains of every round.
fn play_and_compare(games: &FixedOpponent, players: Players, seed: u64, comparisons: &mut Comparisons) {
    let learner = Seat::default();
    let mut rng = FastRng::new(seed);
    let first_seat = random_seat(players, &mut rng);
    let mut game = SeededGame::shuffled(Parameters::of(players), first_seat, Screens::Closed, &mut rng);
    let (mut learners_bids, mut choices) = (Vec::new(), Choices::default());
    let mut start = None;
    loop {
        let action = match game.game().pending() {
            Pending::Over(_) => return,
            Pending::Chance(_) => {
                start = games.judge(game.game(), learner, game.recall()).pop();
                game.draw().unwrap();
                continue;
            }
            Pending::Seat(to_act) => {
                let (current, recall, rng) = game.game_recall_and_source();
                if to_act == learner {
                    let view = current.view(Observer::Seat(learner));
                    let action = games.choose(&view, recall, &mut choices, rng).unwrap();
                    let bid_in_game = |bid| BidInGame { game_before: *current, recall: recall.clone(), bid };
                    learners_bids.extend(choices.bids.pop().map(bid_in_game));
                    action
                } else {
                    current.legal().pick(*rng).unwrap()
                }
            }
        };
        if game.play(action).unwrap() != Progress::Continues {
            let round = game.game().last_round().unwrap();
            compare_gains(games, &learners_bids, &round.bids, start.as_ref().unwrap(), comparisons);
            learners_bids.clear();
        }
    }
}

#[test]
fn gains_equal_the_results_of_playing_other_cards_by_the_rules() {
    for players in Players::ALL {
        let net_set = &Nets::shipped(players).net_set;
        let games = FixedOpponent { net_set, bot: &Random, settings: &FixedOpponentSettings::default() };
        let mut comparisons = Comparisons::default();
        (0..30).for_each(|seed| play_and_compare(&games, players, seed, &mut comparisons));
        let Comparisons { all, with_next_card, at_stage_end } = comparisons;
        assert!(all > 1000 && at_stage_end > 60, "too few comparisons: {all}, {at_stage_end} at the end of a stage");
        // Only in games of two, a seat places two cards in a round and may have two copies of a card.
        assert_eq!(with_next_card.map(|count| count > 10), [players.count() == 2; 2], "{with_next_card:?}");
    }
}

#[test]
fn bid_gradient_over_all_cushions_matches_finite_differences() {
    // Two and four players.
    for players in [Players::TWO, Players::FOUR] {
        let net_set = &Nets::shipped(players).net_set;
        let settings = FixedOpponentSettings { entropy_weight: 0.2, ..FixedOpponentSettings::default() };
        let games = FixedOpponent { net_set, bot: &Random, settings: &settings };
        // A bid with three open cushions.
        let knowledge = knowledge(players, false, 3);
        let trace_bids = |net_set: &NetSet| {
            let trunk = net_set.trunk(&knowledge.public, knowledge.seat, knowledge.round_hand());
            net_set.trace_bids(&knowledge, &trunk, &Outlook::new(&knowledge.public))
        };
        let mut rng = FastRng::new(2);
        let gains: ByBid = [[(); 16]; 3].map(|cards| cards.map(|()| random_unit(&mut rng) - 0.5));
        // The mean of the gradients that the learner computes for bids on each cushion, weighted by the probability of
        // the cushion.
        let mut mean_gradient = Net::zero(net_set.bid.shape);
        for cushion in Cushion::first(3) {
            let mut batch = GameBatch::new(&knowledge.public.parameters);
            let bid = LearnersBid { knowledge, trace: trace_bids(net_set), card: MoneyCard::default(), cushion };
            games.learn_bid(&bid, &gains[cushion.index()], &mut batch);
            let mix = &bid.trace.mix;
            let share_of_cushion: f32 = mix.hand.values().map(|card| mix.share(card, cushion)).sum();
            let gradient = batch.gradients.bid.numbers.iter();
            mean_gradient.numbers.iter_mut().zip(gradient).for_each(|(sum, slope)| *sum += share_of_cushion * slope);
        }
        // The objective: the mean gain over all bids, plus the weighted entropy.
        assert_gradient(net_set, 1, &mean_gradient, |net_set| {
            let term = |(card, cushion, share): (MoneyCard, Cushion, f32)| {
                let gain = gains[cushion.index()][usize::from(card.value())];
                f64::from(share) * (f64::from(gain) - 0.2 * f64::from(share).ln())
            };
            trace_bids(net_set).mix.iter().map(term).sum()
        });
    }
}
