//! `sultan`: the nets, and a look at what may come of every action before one is chosen.
//!
//! It imagines what the others may hold (`belief`), plays the round out with the nets for every action, and judges
//! where that leads. It does not simply play the best: shares follow the nets' own mix, shifted towards what turned out
//! better. Whoever always plays the best answer to what others usually do is easy to read.

use sultan_domain::{Action, BySeat, Recall, Seat, View};
use sultan_rules::Quick;

use crate::belief::{Belief, Guess, rounds_so_far};
use crate::known::Known;
use crate::net::brain::{Appraisal, BidMix, Brain, ByBid, Worth, offer_without};
use crate::net::layers::{Sums, WIDE};
use crate::net::math::exp;
use crate::net::weights::Nets;
use crate::vizier::nets_for;
use crate::outlook::Outlook;
use crate::world::{Common, World};
use crate::{Bot, Weighed};

/// Looks behind every card, shows nothing, and is never quite where you expect it.
#[derive(Clone, Debug)]
pub struct Sultan {
    nets: Option<Nets>,
    name: &'static str,
    /// How many hands are drawn for each other seat.
    guesses: usize,
    /// How many tables are imagined.
    worlds: usize,
    /// How much better an action must look to be played e times as often.
    calm: f32,
}

impl Default for Sultan {
    fn default() -> Self {
        let env = |name: &str, or: f32| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(or);
        Self { nets: None, name: "sultan", guesses: env("GUESSES", 24.0) as usize, worlds: env("WORLDS", 48.0) as usize, calm: env("CALM", 0.03) }
    }
}

impl Sultan {
    /// Plays with these nets instead of the shipped ones, at tables of as many players as they are for, under this
    /// name.
    #[must_use]
    pub fn with(nets: Nets, name: &'static str) -> Self {
        Self { nets: Some(nets), name, ..Self::default() }
    }
}

/// What was found out about the actions: sums over the imagined tables.
#[derive(Clone, Copy, Default)]
struct Found {
    win: f32,
    utility: f32,
}

/// A seat's thinking about one decision.
struct Mind<'a> {
    brain: &'a Brain,
    known: &'a Known,
    beliefs: Vec<(Seat, Belief)>,
    own_trunk: Sums,
    outlook: Outlook,
    appraisal: Appraisal,
}

impl Bot for Sultan {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<Weighed> {
        let nets = nets_for(self.nets.as_ref(), view);
        let Some(known) = Known::new(view, recall, chance) else { return crate::bot::even(view) };
        let mut mind = Mind::new(&nets.brain, &known, recall, self.guesses, chance);
        let weighed = if known.public.offer.is_empty() {
            self.offers(&mut mind, chance, stop)
        } else {
            self.bids(&mut mind, chance, stop)
        };
        crate::bot::in_order(view, weighed)
    }
}

impl Sultan {
    fn bids(&self, mind: &mut Mind, chance: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<Weighed> {
        let mix = mind.brain.bids(mind.known, &mind.own_trunk, &mind.outlook);
        let mut found = [[Found::default(); 16]; 3];
        let mut worlds = 0;
        if mix.hand.values_len() * mix.open.len() > 1 {
            while worlds < self.worlds && !(worlds > 0 && stop()) {
                let (world, common) = mind.imagine(chance);
                mind.try_bids(&world, &common, &mix, &mut found, chance);
                worlds += 1;
            }
        }
        let all: Vec<_> = mix
            .iter()
            .map(|(card, cushion, share)| {
                (Action::Bid { card, cushion }, share, found[cushion.index()][usize::from(card.value())])
            })
            .collect();
        self.weighed(mind, &all, worlds)
    }

    fn offers(&self, mind: &mut Mind, chance: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<Weighed> {
        let mix = mind.brain.think_offers(mind.known).mix;
        let mut found = [Found::default(); 4];
        let mut worlds = 0;
        if mix.len > 1 {
            while worlds < self.worlds && !(worlds > 0 && stop()) {
                let (world, _) = mind.imagine(chance);
                for (&jewel, found) in mix.jewels.iter().zip(&mut found).take(mix.len) {
                    mind.try_offer(&world, jewel, found, &mut chance.clone());
                }
                worlds += 1;
            }
        }
        let options = mix.jewels.iter().zip(mix.shares).zip(found).take(mix.len);
        let all: Vec<_> = options
            .filter_map(|((&jewel, share), found)| {
                Some((Action::Offer(offer_without(&mind.known.public, jewel)?), share, found))
            })
            .collect();
        self.weighed(mind, &all, worlds)
    }

    /// The nets' mix, shifted towards what was found to be better.
    fn weighed(&self, mind: &mut Mind, all: &[(Action, f32, Found)], worlds: usize) -> Vec<Weighed> {
        if worlds == 0 {
            let known = mind.known;
            let Worth { win, .. } =
                mind.brain.worth(&known.public, known.seat, known.round_hand(), &mut mind.appraisal);
            let one = |&(action, share, _): &(Action, f32, Found)| Weighed { action, share: share.into(), win: win.into() };
            return all.iter().map(one).collect();
        }
        #[expect(clippy::cast_precision_loss, reason = "few tables are imagined")]
        let each = 1.0 / worlds as f32;
        let best = all.iter().map(|(_, _, found)| found.utility).fold(f32::NEG_INFINITY, f32::max);
        let weight = |share: f32, found: Found| share * exp((found.utility - best) * each / self.calm);
        let sum: f32 = all.iter().map(|&(_, share, found)| weight(share, found)).sum();
        all.iter()
            .map(|&(action, share, found)| Weighed {
                action,
                share: (weight(share, found) / sum).into(),
                win: (found.win * each).clamp(0.0, 1.0).into(),
            })
            .collect()
    }
}

impl<'a> Mind<'a> {
    fn new(brain: &'a Brain, known: &'a Known, recall: &Recall, guesses: usize, chance: &mut Quick) -> Self {
        let public = &known.public;
        let past = rounds_so_far(public, recall);
        let outlook = Outlook::new(public);
        let others = public.numbers.players.seats().filter(|&seat| seat != known.seat);
        let beliefs = others.map(|seat| (seat, Belief::new(brain, (public, &outlook), &past, seat, chance, guesses))).collect();
        let own_trunk = brain.trunk(public, known.seat, known.round_hand());
        Self { brain, known, beliefs, own_trunk, outlook, appraisal: brain.appraisal() }
    }

    /// A table as it may be, with what the bids of each seat in this round have in common.
    fn imagine(&self, chance: &mut Quick) -> (World, Common) {
        let known = self.known;
        let mut hands = BySeat::default();
        let mut public = known.public;
        let mut trunks = BySeat([[0.0; WIDE]; 5]);
        let mut placed = [known.own; 5];
        hands[known.seat] = known.hand;
        trunks[known.seat] = self.own_trunk;
        for (seat, belief) in &self.beliefs {
            let &Guess { hand, bids, trunk, jeweller, .. } = belief.pick(chance);
            public.jewellers[seat.index()] = jeweller;
            hands[*seat] = hand;
            trunks[*seat] = trunk;
            placed[seat.index()] = bids;
        }
        let mut placed = placed.map(IntoIterator::into_iter);
        let bids = known.public.placed.iter().filter_map(|bid| placed[bid.seat.index()].next()).collect();
        (World { public, hands, bids }, Common { trunks, outlook: self.outlook })
    }

    fn try_bids(
        &mut self,
        world: &World,
        common: &Common,
        mix: &BidMix,
        found: &mut [[Found; 16]; 3],
        chance: &mut Quick,
    ) {
        let seat = self.known.seat;
        let turn = world.bids.len();
        let again = world.public.bids_again(seat);
        for cushion in mix.open.iter() {
            // The same chance for every action, so that what differs is the action.
            let same = chance.clone();
            let mut continued = *world;
            if !again {
                continued.bid(mix.hand.nth_value(0).unwrap_or_default(), cushion);
                continued.finish_bids(self.brain, common, &mut same.clone());
            }
            for card in mix.hand.values() {
                let mut imagined = continued;
                if again {
                    imagined.bid(card, cushion);
                    imagined.finish_bids(self.brain, common, &mut same.clone());
                } else {
                    imagined.hands[seat] = mix.hand;
                    imagined.hands[seat].take(card);
                    imagined.bids[turn].card = card;
                }
                found[cushion.index()][usize::from(card.value())].add(self.judge(imagined));
            }
        }
        let _ = crate::net::brain::even(chance);
    }

    fn try_offer(&mut self, world: &World, jewel: sultan_domain::Jewel, found: &mut Found, chance: &mut Quick) {
        let mut imagined = *world;
        let Some(offer) = offer_without(&world.public, jewel) else { return };
        imagined.public.make_offer(offer);
        let common = imagined.common(self.brain);
        imagined.finish_bids(self.brain, &common, chance);
        found.add(self.judge(imagined));
    }

    fn judge(&mut self, mut imagined: World) -> Worth {
        let seat = self.known.seat;
        imagined.settle();
        self.brain.worth(&imagined.public, seat, imagined.hands[seat], &mut self.appraisal)
    }
}

impl Found {
    fn add(&mut self, worth: Worth) {
        self.win += worth.win;
        self.utility += worth.utility();
    }
}

const _: fn(&ByBid) = |_| ();
