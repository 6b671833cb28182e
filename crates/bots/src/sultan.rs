//! `sultan`: the nets, and a look at what may come of every action before one is chosen.
//!
//! It imagines what the others may hold and how they bid (`belief`), plays the round out for every action, and judges
//! where that leads. It does not simply play the best: shares follow the nets' own mix, shifted towards what turned out
//! better. Whoever always plays the best answer to what others usually do is easy to read.

use sultan_domain::{Action, BySeat, MoneyCard, Numbers, Players, Recall, View};
use sultan_rules::Quick;

use crate::belief::{Belief, Guess, Story};
use crate::bot::{even, in_order, split};
use crate::known::Known;
use crate::math::exp;
use crate::mix::BidMix;
use crate::net::brain::{Appraisal, Brain, OfferMix, Worth, offer_without};
use crate::net::layers::{Sums, WIDE};
use crate::net::weights::Nets;
use crate::world::{Common, World};
use crate::{Bot, Weighed};

/// Looks behind every card, shows nothing, and is never quite where you expect it.
#[derive(Clone, Debug)]
pub struct Sultan {
    nets: Option<Nets>,
    name: &'static str,
}

/// How many hands are guessed for each other seat.
const GUESSES: usize = 32;
/// How many tables are imagined for each of these guesses.
const WORLDS: usize = 2;
/// How much better an action must look to be played e times as often. Two players read each other best, so that there
/// it must stay closer to the nets' own mix.
pub(crate) const fn calm(players: Players) -> f32 {
    if players.count() == 2 { 0.03 } else { 0.01 }
}

impl Default for Sultan {
    fn default() -> Self {
        Self { nets: None, name: "sultan" }
    }
}

impl Sultan {
    /// Plays with these nets instead of the shipped ones, at tables of as many players as they are for, under this
    /// name.
    #[must_use]
    pub const fn with(nets: Nets, name: &'static str) -> Self {
        Self { nets: Some(nets), name }
    }
}

impl Bot for Sultan {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<Weighed> {
        let legal = view.legal();
        // The nets know the published game only.
        let fits = !legal.is_empty() && view.numbers == Numbers::of(view.numbers.players);
        let known = Known::new(view, recall, chance).filter(|_| fits);
        let Some(known) = known else { return even(view) };
        let nets = Nets::of(self.nets.as_ref(), view.numbers.players);
        let calm = calm(view.numbers.players);
        let mut mind = Mind::new(&nets.brain, &known, recall, stop);
        let (all, worlds): (Vec<_>, _) = if known.public.offer.is_empty() {
            let mix = nets.brain.think_offers(&known).mix;
            let (found, worlds) = mind.think(chance, |mind, imagined, found| mind.after_offers(imagined, &mix, found));
            let options = mix.jewels.iter().zip(mix.shares).zip(found).take(mix.len);
            let offer = |jewel| offer_without(&known.public, jewel).map(Action::Offer);
            let all = options.filter_map(|((&jewel, share), found)| Some((offer(jewel)?, share, found)));
            (all.collect(), worlds)
        } else {
            let mix = nets.brain.bids(&known, &mind.trunk, &mind.story.outlook);
            let (found, worlds) = mind.think(chance, |mind, imagined, found| mind.after_bids(imagined, &mix, found));
            let found = |card: MoneyCard, at: usize| found[at][usize::from(card.value())];
            let all = mix
                .iter()
                .map(|(card, cushion, share)| (Action::Bid { card, cushion }, share, found(card, cushion.index())));
            (all.collect(), worlds)
        };
        let weighed = if worlds == 0 { at_first_sight(&all, mind.now()) } else { shifted(&all, worlds, calm) };
        in_order(legal, &weighed)
    }
}

/// What was found out about an action: sums over the imagined tables.
#[derive(Clone, Copy, Default)]
pub(crate) struct Found {
    pub(crate) win: f32,
    pub(crate) utility: f32,
}

impl Found {
    fn add(&mut self, worth: Worth) {
        self.win += worth.win;
        self.utility += worth.utility();
    }
}

/// The nets' own mix, where there was no time for more, with the chance to win as of now.
fn at_first_sight(all: &[(Action, f32, Found)], now: Worth) -> Vec<Weighed> {
    let sum: f64 = all.iter().map(|&(_, share, _)| f64::from(share)).sum();
    let weighed = |&(action, share, _): &(Action, f32, Found)| Weighed {
        action,
        share: f64::from(share) / sum,
        win: now.win.into(),
    };
    all.iter().map(weighed).collect()
}

/// The nets' mix, shifted towards what was found to be better at so many tables.
pub(crate) fn shifted(all: &[(Action, f32, Found)], worlds: usize, calm: f32) -> Vec<Weighed> {
    #[expect(clippy::cast_precision_loss, reason = "few tables are imagined")]
    let each = 1.0 / worlds as f32;
    let best = all.iter().map(|(_, _, found)| found.utility).fold(f32::NEG_INFINITY, f32::max);
    let weight = |share: f32, found: Found| share.max(1e-6) * exp((found.utility - best) * each / calm);
    let sum: f32 = all.iter().map(|&(_, share, found)| weight(share, found)).sum();
    let weighed = |&(action, share, found): &(Action, f32, Found)| Weighed {
        action,
        share: f64::from(weight(share, found)) / f64::from(sum),
        win: f64::from(found.win * each).clamp(0.0, 1.0),
    };
    all.iter().map(weighed).collect()
}

/// What was found out about each card on each cushion.
type FoundByBid = [[Found; 16]; 3];
/// What was found out about each offer.
type FoundByOffer = [Found; 4];

/// One table as it may be.
pub(crate) struct Imagined {
    pub(crate) world: World,
    pub(crate) common: Common,
    /// The same chance for every action, so that what differs is the action.
    pub(crate) chance: Quick,
}

/// A seat's thinking about one decision.
pub(crate) struct Mind<'a> {
    pub(crate) known: &'a Known,
    pub(crate) brain: &'a Brain,
    pub(crate) story: Story<'a>,
    pub(crate) beliefs: Vec<Belief>,
    /// What the own bids in this round have in common.
    pub(crate) trunk: Sums,
    appraisal: Appraisal,
    /// Says when time is up.
    pub(crate) stop: &'a dyn Fn() -> bool,
}

impl<'a> Mind<'a> {
    pub(crate) fn new(brain: &'a Brain, known: &'a Known, recall: &Recall, stop: &'a dyn Fn() -> bool) -> Self {
        let story = Story::new(brain, &known.public, recall);
        let others = known.public.numbers.players.seats().filter(|&seat| seat != known.seat);
        let beliefs = others.map(|seat| Belief::new(&story, seat, stop)).collect();
        let trunk = brain.trunk(&known.public, known.seat, known.round_hand());
        Self { known, brain, story, beliefs, trunk, appraisal: brain.appraisal(), stop }
    }

    /// What the table is worth now, whatever is done.
    fn now(&self) -> Worth {
        let Known { public, seat, .. } = self.known;
        self.brain.worth(public, *seat, self.known.round_hand(), &mut self.brain.appraisal())
    }

    /// Imagines tables until there are enough or time is up, and looks at each. Gives what was found at those that were
    /// looked at to the end, and how many these are.
    fn think<F: Copy + Default>(
        &mut self,
        chance: &mut Quick,
        look: impl Fn(&mut Self, &Imagined, &mut F) -> bool,
    ) -> (F, usize) {
        let (mut found, mut worlds) = (F::default(), 0);
        for _ in 0..GUESSES {
            for belief in &mut self.beliefs {
                if (self.stop)() {
                    return (found, worlds);
                }
                belief.guess(&self.story, chance);
            }
            for _ in 0..WORLDS {
                let imagined = self.imagine(chance);
                let mut more = found;
                if !look(self, &imagined, &mut more) {
                    return (found, worlds);
                }
                (found, worlds) = (more, worlds + 1);
            }
        }
        (found, worlds)
    }

    /// A table as it may be.
    pub(crate) fn imagine(&self, chance: &mut Quick) -> Imagined {
        let known = self.known;
        let mut public = known.public;
        let mut hands = BySeat::default();
        let mut trunks = BySeat([[0.0; WIDE]; 5]);
        let mut placed = [known.own; 5];
        hands[known.seat] = known.hand;
        trunks[known.seat] = self.trunk;
        for belief in &self.beliefs {
            let &Guess { hand, bids, trunk, character, .. } = belief.pick(chance);
            public.characters[belief.seat.index()] = Some(character);
            hands[belief.seat] = hand;
            trunks[belief.seat] = trunk;
            placed[belief.seat.index()] = bids;
        }
        let mut placed = placed.map(IntoIterator::into_iter);
        let bids = public.placed.iter().filter_map(|bid| placed[bid.seat.index()].next()).collect();
        Imagined {
            world: World { public, hands, bids },
            common: Common { trunks, outlook: self.story.outlook },
            chance: split(chance, 16),
        }
    }

    /// Where every bid leads at an imagined table. Says whether there was time for all.
    fn after_bids(&mut self, table: &Imagined, mix: &BidMix, found: &mut FoundByBid) -> bool {
        let (brain, seat) = (self.brain, self.known.seat);
        let finish = |world: &mut World| world.finish_bids(brain, &table.common, &mut table.chance.clone());
        for cushion in mix.open.iter() {
            if (self.stop)() {
                return false;
            }
            table.world.after_each_card(cushion, finish, |card, after| {
                after.settle();
                let worth = brain.worth(&after.public, seat, after.hands[seat], &mut self.appraisal);
                found[cushion.index()][usize::from(card.value())].add(worth);
            });
        }
        true
    }

    /// Where every offer leads at an imagined table. Says whether there was time for all.
    fn after_offers(&mut self, table: &Imagined, mix: &OfferMix, found: &mut FoundByOffer) -> bool {
        let (brain, seat) = (self.brain, self.known.seat);
        for (&put_back, found) in mix.jewels.iter().zip(found).take(mix.len) {
            if (self.stop)() {
                return false;
            }
            let mut after = table.world;
            if let Some(offer) = offer_without(&after.public, put_back) {
                after.public.make_offer(offer);
            }
            let common = after.common(brain);
            after.finish_bids(brain, &common, &mut table.chance.clone());
            after.settle();
            found.add(brain.worth(&after.public, seat, after.hands[seat], &mut self.appraisal));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::brain::tests::moments;
    use crate::outlook::Outlook;
    use std::cell::Cell;

    fn weigh(moment: &(View, Recall), stop: &dyn Fn() -> bool) -> Vec<Weighed> {
        Sultan::default().weigh(&moment.0, &moment.1, &mut Quick::new(3), stop)
    }

    /// Checks that without time the nets' own mix is played, with the chance to win that they see.
    fn check_at_first_sight(moment: &(View, Recall)) {
        let known = Known::new(&moment.0, &moment.1, &mut Quick::new(3)).unwrap();
        let brain = &Nets::shipped(known.public.numbers.players).brain;
        let trunk = brain.trunk(&known.public, known.seat, known.round_hand());
        let now = brain.worth(&known.public, known.seat, known.round_hand(), &mut brain.appraisal());
        for one in &weigh(moment, &|| true) {
            assert!((one.win - f64::from(now.win)).abs() < 1e-9);
            if let Action::Bid { card, cushion } = one.action {
                let share = brain.bids(&known, &trunk, &Outlook::new(&known.public)).share(card, cushion);
                assert!((one.share - f64::from(share)).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn without_time_it_plays_the_nets_own_mix() {
        for players in Players::ALL {
            moments(players, 5).iter().step_by(7).for_each(check_at_first_sight);
        }
    }

    #[test]
    fn a_table_that_was_not_looked_at_to_the_end_does_not_count() {
        for moment in moments(Players::ALL[3], 5).iter().step_by(7) {
            let asked = Cell::new(0);
            let weighed = |times: u32| {
                asked.set(0);
                weigh(moment, &|| asked.replace(asked.get() + 1) >= times)
            };
            let all: Vec<Vec<Weighed>> = (0..60).map(weighed).collect();
            let changes = all.windows(2).filter(|two| two[0] != two[1]).count();
            // Each look at a table asks once for a cushion or an offer, and there are at least two of them.
            assert!((1..=30).contains(&changes), "{changes}");
        }
    }
}
