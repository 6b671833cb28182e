//! Estimates every seat's winning chance with all cards open: hands and face-down cards are visible, decks and later
//! draws are not.
//!
//! Plays the game to its end many times (`playout`). Every seat bids from its own knowledge by the policy of the game:
//! like the nets, or in a variant like the jeweller. All positions of a game use the same random numbers, so the change
//! from one position to the next is more precise than the chances themselves; `split` needs these changes. The last
//! round is enumerated instead (`ends`).

use sultan_bots::search::{Policy, PublicState, World, policy};
use sultan_domain::{Estimate, Offer};
use sultan_rules::outcome;

use super::Plan;
use super::ends::{Ends, PossibleCharacters};
use super::estimate::estimate;
use super::playout::{Luck, play_out};

/// The winning chance of each seat. Seats that do not exist in a game have 0.
pub(super) type Chances = [f64; 5];

/// The winning chances of all seats in each of [`Plan::playouts`] playouts: 1 for a single winner, 1/n for each of n
/// winners. After the end of a game, and after the draw of its last round, the chances are computed without playouts,
/// and repeated once for each playout. Incomplete if `stop` returned `true`.
pub(super) fn chances_by_playout(world: &World, plan: &Plan, stop: &dyn Fn() -> bool) -> Vec<Chances> {
    let public = &world.public;
    let policy = policy(&public.parameters);
    if public.is_over() {
        return vec![shares_of_win(public); plan.playouts as usize];
    }
    if public.round_index + 1 == public.parameters.rounds() && !public.drawn.is_empty() {
        let chances = enumerated(policy, world, stop);
        return chances.map_or_else(Vec::new, |chances| vec![chances; plan.playouts as usize]);
    }
    let played_out = |number: u32| {
        let mut world = *world;
        // The shift makes a different seed for each playout, even in analyses with neighbouring seeds.
        play_out(policy, &mut world, Luck(plan.seed.wrapping_add(u64::from(number) << 32)));
        shares_of_win(&world.public)
    };
    (0..plan.playouts).take_while(|_| !stop()).map(played_out).collect()
}

/// Like [`chances_by_playout`], for the position before the deal: equal chances for all seats.
pub(super) fn equal_chances(players: usize, plan: &Plan) -> Vec<Chances> {
    let mut chances = Chances::default();
    #[expect(clippy::cast_precision_loss, reason = "five at most")]
    chances[..players].fill(1.0 / players as f64);
    vec![chances; plan.playouts as usize]
}

/// The mean winning chance of each seat over all playouts, with its standard error.
pub(super) fn mean_chances(chances_by_playout: &[Chances], players: usize) -> Vec<Estimate> {
    (0..players).map(|seat| estimate(chances_by_playout.iter().map(|chances| chances[seat]))).collect()
}

/// The share of each seat in the win, at the end of a game.
fn shares_of_win(public: &PublicState) -> Chances {
    let mut chances = Chances::default();
    let result = outcome(&public.parameters, |seat| public.collections[seat]);
    result.winners().for_each(|seat| chances[seat.index()] = result.share(seat));
    chances
}

/// Enumerates the last round, which has few possible ends. `None` if `stop` returned `true`.
fn enumerated(policy: &dyn Policy, world: &World, stop: &dyn Fn() -> bool) -> Option<Chances> {
    let mut after_offer = vec![(*world, 1.0)];
    if world.public.offer.is_empty() {
        let mix = policy.offers(&world.knowledge(world.public.first));
        let make_offer = |(offer, share): (Offer, f32)| {
            let mut after = *world;
            after.public.make_offer(offer);
            (after, f64::from(share))
        };
        after_offer = mix.offers.into_iter().zip(mix.shares).map(make_offer).collect();
    }
    let (mut sums, mut probability_sum) = (Chances::default(), 0.0);
    let characters = PossibleCharacters::default();
    for (start, probability) in after_offer {
        Ends::new(policy, &start, &characters, stop).visit(&start, probability, &mut |mut end, probability| {
            end.settle();
            sums.iter_mut().zip(shares_of_win(&end.public)).for_each(|(sum, share)| *sum += share * probability);
            probability_sum += probability;
        })?;
    }
    // The probabilities are rounded, so their sum may differ slightly from 1.
    Some(sums.map(|sum| sum / probability_sum))
}
