//! `sultan`: the nets, and a look at what may come of every action before one is chosen.
//!
//! It imagines what the others may hold and how they bid (`belief`), plays the round out for every action, and judges
//! where that leads. It does not simply play the best: shares follow the nets' own mix, shifted towards what turned out
//! better. Whoever always plays the best answer to what others usually do is easy to read.

use sultan_domain::{Action, BySeat, Chance, Jewel, MoneyCard, Numbers, Players, Recall, View};
use sultan_rules::Quick;

use crate::belief::{Belief, Guess, Story};
use crate::bot::{even, in_order};
use crate::known::Known;
use crate::net::brain::{Appraisal, BidMix, Brain, Worth, offer_without};
use crate::net::layers::{Sums, WIDE};
use crate::net::math::exp;
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
const fn calm(players: Players) -> f32 {
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
        let mut mind = Mind::new(&nets.brain, &known, recall);
        let weighed = if known.public.offer.is_empty() {
            let mix = nets.brain.think_offers(&known).mix;
            let mut found = [Found::default(); 4];
            let worlds = mind.think(chance, stop, |mind, imagined| {
                for (&jewel, found) in mix.jewels.iter().zip(&mut found).take(mix.len) {
                    found.add(mind.after_offer(imagined, jewel));
                }
            });
            let options = mix.jewels.iter().zip(mix.shares).zip(found).take(mix.len);
            let offer = |jewel| offer_without(&known.public, jewel).map(Action::Offer);
            let all = options.filter_map(|((&jewel, share), found)| Some((offer(jewel)?, share, found)));
            shifted(&all.collect::<Vec<_>>(), worlds, calm)
        } else {
            let mix = nets.brain.bids(&known, &mind.trunk, &mind.story.outlook);
            let mut found = [[Found::default(); 16]; 3];
            let worlds = mind.think(chance, stop, |mind, imagined| mind.after_bids(imagined, &mix, &mut found));
            let found = |card: MoneyCard, at: usize| found[at][usize::from(card.value())];
            let all = mix
                .iter()
                .map(|(card, cushion, share)| (Action::Bid { card, cushion }, share, found(card, cushion.index())));
            shifted(&all.collect::<Vec<_>>(), worlds, calm)
        };
        in_order(legal, &weighed)
    }
}

/// What was found out about an action: sums over the imagined tables.
#[derive(Clone, Copy, Default)]
struct Found {
    win: f32,
    utility: f32,
}

impl Found {
    fn add(&mut self, worth: Worth) {
        self.win += worth.win;
        self.utility += worth.utility();
    }
}

/// The nets' mix, shifted towards what was found to be better at so many tables.
fn shifted(all: &[(Action, f32, Found)], worlds: usize, calm: f32) -> Vec<Weighed> {
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

/// One table as it may be.
struct Imagined {
    world: World,
    common: Common,
    /// The same chance for every action, so that what differs is the action.
    chance: Quick,
}

/// A seat's thinking about one decision.
struct Mind<'a> {
    known: &'a Known,
    brain: &'a Brain,
    story: Story<'a>,
    beliefs: Vec<Belief>,
    /// What the own bids in this round have in common.
    trunk: Sums,
    appraisal: Appraisal,
}

impl<'a> Mind<'a> {
    fn new(brain: &'a Brain, known: &'a Known, recall: &Recall) -> Self {
        let story = Story::new(brain, &known.public, recall);
        let others = known.public.numbers.players.seats().filter(|&seat| seat != known.seat);
        let beliefs = others.map(|seat| Belief::new(&story, seat)).collect();
        let trunk = brain.trunk(&known.public, known.seat, known.round_hand());
        Self { known, brain, story, beliefs, trunk, appraisal: brain.appraisal() }
    }

    /// Imagines tables, at least one, until there are enough or time is up. Says how many.
    fn think(
        &mut self,
        chance: &mut Quick,
        stop: &dyn Fn() -> bool,
        mut look: impl FnMut(&mut Self, &Imagined),
    ) -> usize {
        let mut worlds = 0;
        for _ in 0..GUESSES {
            self.beliefs.iter_mut().for_each(|belief| belief.guess(&self.story, chance));
            for _ in 0..WORLDS {
                let imagined = self.imagine(chance);
                look(self, &imagined);
                worlds += 1;
                if stop() {
                    return worlds;
                }
            }
        }
        worlds
    }

    /// A table as it may be.
    fn imagine(&self, chance: &mut Quick) -> Imagined {
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
            chance: Quick::new(u64::from(chance.below(u32::MAX)) << 16),
        }
    }

    /// Where every bid leads at an imagined table.
    fn after_bids(&mut self, Imagined { world, common, chance }: &Imagined, mix: &BidMix, found: &mut FoundByBid) {
        let seat = self.known.seat;
        let turn = world.bids.len();
        let again = world.public.bids_again(seat);
        for cushion in mix.open.iter() {
            let mut continued = *world;
            if !again {
                // Nobody sees the card, so that one continuation does for all of them.
                continued.bid(mix.hand.nth_value(0).unwrap_or_default(), cushion);
                continued.finish_bids(self.brain, common, &mut chance.clone());
            }
            for card in mix.hand.values() {
                let mut imagined = continued;
                if again {
                    imagined.bid(card, cushion);
                    imagined.finish_bids(self.brain, common, &mut chance.clone());
                } else {
                    imagined.hands[seat] = mix.hand;
                    imagined.hands[seat].take(card);
                    imagined.bids[turn].card = card;
                }
                found[cushion.index()][usize::from(card.value())].add(self.judge(imagined));
            }
        }
    }

    /// Where an offer leads at an imagined table.
    fn after_offer(&mut self, Imagined { world, chance, .. }: &Imagined, put_back: Jewel) -> Worth {
        let mut imagined = *world;
        if let Some(offer) = offer_without(&world.public, put_back) {
            imagined.public.make_offer(offer);
        }
        let common = imagined.common(self.brain);
        imagined.finish_bids(self.brain, &common, &mut chance.clone());
        self.judge(imagined)
    }

    fn judge(&mut self, mut imagined: World) -> Worth {
        let seat = self.known.seat;
        imagined.settle();
        self.brain.worth(&imagined.public, seat, imagined.hands[seat], &mut self.appraisal)
    }
}
