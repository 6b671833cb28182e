//! Everybody's chance to win with all cards open: hands and face-down cards as they are, decks and draws to come unknown.
//!
//! The rest of the round is played out by the nets, each seat by what it knows, and the value net judges where it ends, from every
//! seat's own hand; what the seats' chances are more or less than 1 together is evened out. Before a draw there is nothing to play out.

use sultan_domain::Estimate;
use sultan_rules::{Quick, outcome};

use super::ends::{Ends, Ways};
use super::spread::estimate;
use crate::net::brain::{Appraisal, Brain, offer_without};
use crate::world::World;

/// How often a round is played out before it is asked whether that is enough, and at most.
const STEP: usize = 128;
const MOST: usize = 2048;
/// A standard error that is small enough.
const ENOUGH: f64 = 0.004;

/// One chance for each seat; those that nobody sits on have none.
type Chances = [f64; 5];

/// Everybody's chance to win.
pub(super) fn chances(brain: &Brain, world: &World, chance: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<Estimate> {
    let public = &world.public;
    let seats = public.players();
    let mut judge = Judge { brain, appraisals: [brain.appraisal(); 5] };
    let certain = |chances: Chances| chances[..seats].iter().map(|&value| Estimate { value, error: 0.0 }).collect();
    if public.is_over() || (public.offer.is_empty() && public.drawn.is_empty()) {
        return certain(judge.chances(world));
    }
    if public.round_index + 1 == public.numbers.rounds() {
        return certain(counted_out(&mut judge, world));
    }
    let mut samples: Vec<Chances> = Vec::with_capacity(MOST);
    let spread = |samples: &[Chances], seat: usize| estimate(samples.iter().map(|chances| chances[seat]));
    let common = (!public.offer.is_empty()).then(|| world.common(brain));
    while samples.len() < MOST && !stop() {
        for _ in 0..STEP {
            let mut after = *world;
            let common = common.unwrap_or_else(|| {
                offer(brain, &mut after, chance);
                after.common(brain)
            });
            after.finish_bids(brain, &common, chance);
            after.settle();
            samples.push(judge.chances(&after));
        }
        if (0..seats).all(|seat| spread(&samples, seat).error <= ENOUGH) {
            break;
        }
    }
    (0..seats).map(|seat| spread(&samples, seat)).collect()
}

/// The first player makes an offer, as the nets would.
fn offer(brain: &Brain, world: &mut World, chance: &mut Quick) {
    let mix = brain.think_offers(&world.known(world.public.first)).mix;
    if let Some(offer) = offer_without(&world.public, mix.jewels[mix.pick(chance)]) {
        world.public.make_offer(offer);
    }
}

/// The last round ends in so few ways that all of them can be looked at.
fn counted_out(judge: &mut Judge, world: &World) -> Chances {
    let brain = judge.brain;
    let mut starts = Vec::new();
    if world.public.offer.is_empty() {
        let mix = brain.think_offers(&world.known(world.public.first)).mix;
        for (&jewel, &share) in mix.jewels.iter().zip(&mix.shares).take(mix.len) {
            let mut after = *world;
            if let Some(offer) = offer_without(&world.public, jewel) {
                after.public.make_offer(offer);
                starts.push((after, f64::from(share)));
            }
        }
    } else {
        starts.push((*world, 1.0));
    }
    let mut sum = Chances::default();
    let mut all = 0.0;
    let ways = Ways::default();
    for (start, chance) in starts {
        Ends::new(brain, &start, &ways).each(&start, chance, &mut |mut after, chance| {
            after.settle();
            let chances = judge.chances(&after);
            sum.iter_mut().zip(chances).for_each(|(sum, of_seat)| *sum += of_seat * chance);
            all += chance;
        });
    }
    // Shares are rounded.
    sum.map(|sum| sum / all)
}

struct Judge<'a> {
    brain: &'a Brain,
    appraisals: [Appraisal; 5],
}

impl Judge<'_> {
    /// Everybody's chance at the start of a round, or at the end.
    fn chances(&mut self, world: &World) -> Chances {
        let public = &world.public;
        let mut chances = Chances::default();
        if public.is_over() {
            let result = outcome(&public.numbers, |seat| public.collections[seat]);
            let winners = f64::from(u32::try_from(result.winners().count()).unwrap_or(1));
            result.winners().for_each(|seat| chances[seat.index()] = 1.0 / winners);
            return chances;
        }
        for seat in public.numbers.players.seats() {
            let appraisal = &mut self.appraisals[seat.index()];
            chances[seat.index()] = self.brain.worth(public, seat, world.hands[seat], appraisal).win.into();
        }
        let sum: f64 = chances.iter().sum();
        chances.map(|chance| chance / sum)
    }
}
