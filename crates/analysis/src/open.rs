//! Estimates every seat's winning chance with all cards open. Only decks and later draws are unknown.
//!
//! Plays the game to its end many times (`playout`); every seat bids by the policy of the game (the nets, or the
//! jeweller in a variant), from its own knowledge. All positions of a game use the same random numbers, so the change
//! from one position to the next is more precise than the chances themselves; `split` needs these changes. The last
//! round is enumerated instead (`ends`).

use sultan_bots::search::{Policy, PublicState, World, policy};
use sultan_domain::Estimate;
use sultan_rules::outcome;

use super::Plan;
use super::ends::{CharacterOdds, Ends};
use super::estimate::estimate;
use super::playout::{Luck, play_out};

/// The winning chance of each seat; unused seats have 0.
pub(super) type Chances = [f64; 5];

/// The winning chances in each playout; identical ones if the result is certain or enumerated. Incomplete if stopped.
pub(super) fn samples(world: &World, plan: &Plan, stop: &dyn Fn() -> bool) -> Vec<Chances> {
    let public = &world.public;
    let policy = policy(&public.parameters);
    let all = plan.playouts as usize;
    if public.is_over() {
        return vec![at_the_end(public); all];
    }
    if public.round_index + 1 == public.parameters.rounds() && !public.drawn.is_empty() {
        return enumerated(policy, world, stop).map_or_else(Vec::new, |chances| vec![chances; all]);
    }
    let played_out = |number: u32| {
        let mut world = *world;
        play_out(policy, &mut world, Luck::new(plan.seed.wrapping_add(u64::from(number) << 32)));
        at_the_end(&world.public)
    };
    (0..plan.playouts).take_while(|_| !stop()).map(played_out).collect()
}

/// The winning chances before the deal: equal for all seats.
pub(super) fn even(players: usize, plan: &Plan) -> Vec<Chances> {
    let mut chances = Chances::default();
    #[expect(clippy::cast_precision_loss, reason = "five at most")]
    chances[..players].fill(1.0 / players as f64);
    vec![chances; plan.playouts as usize]
}

/// The winning chances of all seats, with errors.
pub(super) fn summed(samples: &[Chances], players: usize) -> Vec<Estimate> {
    (0..players).map(|seat| estimate(samples.iter().map(|chances| chances[seat]))).collect()
}

fn at_the_end(public: &PublicState) -> Chances {
    let mut chances = Chances::default();
    let result = outcome(&public.parameters, |seat| public.collections[seat]);
    result.winners().for_each(|seat| chances[seat.index()] = result.share(seat));
    chances
}

/// Enumerates the last round, which has few possible ends. `None` if stopped.
fn enumerated(policy: &dyn Policy, world: &World, stop: &dyn Fn() -> bool) -> Option<Chances> {
    let mut starts = Vec::new();
    if world.public.offer.is_empty() {
        let mix = policy.offers(&world.knowledge(world.public.first));
        for (offer, share) in mix.offers.into_iter().zip(mix.shares) {
            let mut after = *world;
            after.public.make_offer(offer);
            starts.push((after, f64::from(share)));
        }
    } else {
        starts.push((*world, 1.0));
    }
    let (mut sum, mut all) = (Chances::default(), 0.0);
    let characters = CharacterOdds::default();
    for (start, chance) in starts {
        Ends::new(policy, &start, &characters, stop).each(&start, chance, &mut |mut after, chance| {
            after.settle();
            sum.iter_mut().zip(at_the_end(&after.public)).for_each(|(sum, of_seat)| *sum += of_seat * chance);
            all += chance;
        })?;
    }
    // Shares are rounded.
    Some(sum.map(|sum| sum / all))
}
