//! Gains computed from a finished round equal those of playing the other cards by the rules.

use super::*;
use crate::train::gradient::tests::{assert_gradient, knowledge};
use sultan_bots::search::math::random_unit;
use sultan_bots::search::net::Net;
use sultan_bots::{Nets, Random};
use sultan_domain::Players;

/// A bid of the learner in a game, and the game before it.
struct Before {
    game: Game,
    recall: Recall,
    own: OwnBid,
}

/// The numbers of comparisons.
#[derive(Default)]
struct Compared {
    bids: u32,
    /// The learner's next cards, by how many copies it held: one or two.
    next: [u32; 2],
    stage_ends: u32,
}

/// The value for the learner if the round is played with another card in this bid.
fn worth_with(net_set: &NetSet, before: &Before, bids: &[Bid], other: MoneyCard) -> SeatValue {
    let (learner, own) = (before.own.knowledge.seat, &before.own);
    let (mut game, mut recall) = (before.game, before.recall.clone());
    let turn = own.knowledge.public.placed.len();
    for (at, bid) in bids.iter().enumerate().skip(turn) {
        let card = match bid.card {
            _ if at == turn => other,
            card if bid.seat == learner && !game.hand(learner).has(card) => own.card,
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
    let knowledge = Knowledge::new(&game.view(Observer::Seat(learner)), &recall, &mut Quick::new(0)).unwrap();
    let starts_stage = knowledge.public.round_index.is_multiple_of(knowledge.public.parameters.rounds_per_stage);
    // The hands of the next stage are not known yet.
    let hand = if starts_stage { Cards::NONE } else { knowledge.hand };
    net_set.seat_value(&knowledge.public, learner, hand, &mut net_set.appraisal())
}

/// Compares the gains of the learner's bids in a round with those of the rules.
fn compare(learner: &FixedOpponent, round: &[Before], bids: &[Bid], start: &Judged, compared: &mut Compared) {
    for (at, before) in round.iter().enumerate() {
        let gains = learner.gains(&before.own, bids, start);
        for other in before.own.knowledge.hand.values() {
            let expected = worth_with(learner.net_set, before, bids, other).utility() - start.worth.utility();
            let gain = gains[usize::from(other.value())];
            assert!((gain - expected).abs() < 1e-4, "{other:?} for {:?}: {gain} {expected}", before.own.card);
            compared.bids += 1;
            if other != before.own.card && round.get(at + 1).is_some_and(|next| next.own.card == other) {
                compared.next[usize::from(before.own.knowledge.hand.count(other)) - 1] += 1;
            }
            let Parameters { rounds_per_stage, .. } = before.own.knowledge.public.parameters;
            let after = before.own.knowledge.public.round_index + 1;
            compared.stage_ends += u32::from(after.is_multiple_of(rounds_per_stage));
        }
    }
}

/// Plays one game at random, except for the learner, and compares every round.
fn play(learner: &FixedOpponent, players: Players, seed: u64, compared: &mut Compared) {
    let seat = Seat::default();
    let mut rng = Quick::new(seed);
    let first = random_seat(players, &mut rng);
    let mut game = SeededGame::shuffled(Parameters::of(players), first, Screens::Closed, &mut rng);
    let (mut round, mut choices) = (Vec::new(), Choices::default());
    let mut start = None;
    loop {
        let action = match game.game().pending() {
            Pending::Over(_) => return,
            Pending::Chance(_) => {
                start = learner.judge(game.game(), seat, game.recall()).pop();
                game.draw().unwrap();
                continue;
            }
            Pending::Seat(to_act) => {
                let (now, recall, rng) = game.game_recall_and_source();
                if to_act == seat {
                    let view = now.view(Observer::Seat(seat));
                    let action = learner.choose(&view, recall, &mut choices, rng).unwrap();
                    let bid = choices.bids.pop();
                    round.extend(bid.map(|own| Before { game: *now, recall: recall.clone(), own }));
                    action
                } else {
                    now.legal().pick(*rng).unwrap()
                }
            }
        };
        if game.play(action).unwrap() != Progress::Continues {
            let finished = game.game().last_round().unwrap();
            compare(learner, &round, &finished.bids, start.as_ref().unwrap(), compared);
            round.clear();
        }
    }
}

#[test]
fn gains_match_the_rules() {
    for players in Players::ALL {
        let net_set = &Nets::shipped(players).net_set;
        let learner = FixedOpponent { net_set, bot: &Random, settings: &Response::default() };
        let mut compared = Compared::default();
        (0..30).for_each(|seed| play(&learner, players, seed, &mut compared));
        assert!(compared.bids > 1000 && compared.stage_ends > 60, "{} {}", compared.bids, compared.stage_ends);
        // Only in games of two, seats place two cards in a round and have some cards twice.
        assert_eq!(compared.next.map(|count| count > 10), [players.count() == 2; 2], "{:?}", compared.next);
    }
}

#[test]
fn bid_gradient_over_all_cushions_matches_finite_differences() {
    for players in [Players::ALL[0], Players::ALL[2]] {
        let net_set = &Nets::shipped(players).net_set;
        let settings = Response { entropy_weight: 0.2, ..Response::default() };
        let learner = FixedOpponent { net_set, bot: &Random, settings: &settings };
        let knowledge = knowledge(players, false, 3);
        let think = |net_set: &NetSet| {
            let trunk = net_set.trunk(&knowledge.public, knowledge.seat, knowledge.round_hand());
            net_set.trace_bids(&knowledge, &trunk, &Outlook::new(&knowledge.public))
        };
        let mut rng = Quick::new(2);
        let gains: ByBid = [[(); 16]; 3].map(|cards| cards.map(|()| random_unit(&mut rng) - 0.5));
        let mut change = Net::zero(net_set.bid.shape);
        for cushion in Cushion::first(3) {
            let mut batch = GameBatch::new(&knowledge.public.parameters);
            let own = OwnBid { knowledge, trace: think(net_set), card: MoneyCard::default(), cushion };
            learner.learn_bid(&own, &gains[cushion.index()], &mut batch);
            // The probability of a cushion is the sum over all bids on it.
            let mix = &own.trace.mix;
            let often: f32 = mix.hand.values().map(|card| mix.share(card, cushion)).sum();
            let learnt = batch.change.bid.numbers.iter();
            change.numbers.iter_mut().zip(learnt).for_each(|(sum, by)| *sum += often * by);
        }
        assert_gradient(net_set, 1, &change, |net_set| {
            let gain = |card: MoneyCard, at: Cushion| gains[at.index()][usize::from(card.value())];
            let one = |(card, at, share): (MoneyCard, Cushion, f32)| {
                f64::from(share) * (f64::from(gain(card, at)) - 0.2 * f64::from(share).ln())
            };
            think(net_set).mix.iter().map(one).sum()
        });
    }
}
