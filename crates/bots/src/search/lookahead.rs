//! Looks ahead from one decision: imagines tables, plays the round out for every action, and lets the nets judge the
//! end.
//!
//! The hidden cards of a table come from `belief`, its play from `world`.

use sultan_domain::{Action, BySeat, MoneyCard, Players, Recall};
use sultan_rules::Quick;

use crate::Weighed;
use crate::search::belief::{Belief, Guess, PublicHistory};
use crate::search::known::Known;
use crate::search::math::{exp, split};
use crate::search::mix::BidMix;
use crate::search::net::brain::{Appraisal, OfferMix, Worth, offer_without};
use crate::search::net::layers::{Sums, WIDE};
use crate::search::policy::Policy;
use crate::search::world::{Common, World};

/// How much better an action must look to be played e times as often. Two players read each other best, so that there
/// it must stay closer to the nets' own mix.
#[must_use]
pub const fn calm(players: Players) -> f32 {
    if players.count() == 2 { 0.03 } else { 0.01 }
}

/// What was found out about an action: sums over the imagined tables.
#[derive(Clone, Copy, Default)]
pub struct Found {
    /// The chance to win.
    pub win: f32,
    /// See [`Worth::utility`].
    pub utility: f32,
}

impl Found {
    fn add(&mut self, worth: Worth) {
        self.win += worth.win;
        self.utility += worth.utility();
    }
}

/// What was found at those tables that were looked at to the end, and how many these are.
#[derive(Clone, Copy, Default)]
pub(crate) struct Looked<F> {
    pub(crate) found: F,
    pub(crate) tables: usize,
}

/// What was found out about each card on each cushion.
#[derive(Clone, Copy, Default)]
pub(crate) struct FoundByBid([[Found; 16]; 3]);
/// What was found out about each offer.
pub(crate) type FoundByOffer = [Found; 4];

impl FoundByBid {
    /// With the bids and how often the nets would make them.
    pub(crate) fn beside(&self, mix: &BidMix) -> Vec<(Action, f32, Found)> {
        let found = |card: MoneyCard, at: usize| self.0[at][usize::from(card.value())];
        let each = mix
            .iter()
            .map(|(card, cushion, share)| (Action::Bid { card, cushion }, share, found(card, cushion.index())));
        each.collect()
    }
}

/// The nets' mix, shifted towards what was found to be better at so many tables.
pub fn shifted(all: &[(Action, f32, Found)], worlds: usize, calm: f32) -> Vec<Weighed> {
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

/// One table as it may be.
pub struct Imagined {
    /// Who holds what, and what lies on the board.
    pub world: World,
    /// What all bids at this table share.
    pub common: Common,
    /// The same chance for every action, so that what differs is the action.
    pub chance: Quick,
}

/// A seat's thinking about one decision.
pub struct Search<'a> {
    /// What the deciding seat knows.
    pub known: &'a Known,
    /// Judges tables and bids for other seats.
    pub policy: &'a dyn Policy,
    /// What everybody has seen.
    pub history: PublicHistory<'a>,
    /// What each other seat may hold.
    pub beliefs: Vec<Belief>,
    /// What the own bids in this round have in common.
    pub trunk: Sums,
    appraisal: Appraisal,
    /// Says when time is up.
    pub stop: &'a dyn Fn() -> bool,
}

impl<'a> Search<'a> {
    /// With all that the seat remembers.
    pub fn new(policy: &'a dyn Policy, known: &'a Known, recall: &Recall, stop: &'a dyn Fn() -> bool) -> Self {
        let history = PublicHistory::new(policy, &known.public, recall);
        let beliefs = known.others().map(|seat| Belief::new(&history, seat, stop)).collect();
        Self::with(policy, known, history, beliefs, stop)
    }

    /// Where no deck is left and everybody is what they are taken for: nothing is left to guess but which cards lie
    /// face down.
    pub(crate) fn counting(policy: &'a dyn Policy, known: &'a Known, stop: &'a dyn Fn() -> bool) -> Self {
        let history = PublicHistory::of_this_round(policy, &known.public);
        let beliefs = known.others().map(|seat| Belief::counted_out(&history, seat)).collect();
        Self::with(policy, known, history, beliefs, stop)
    }

    fn with(
        policy: &'a dyn Policy,
        known: &'a Known,
        history: PublicHistory<'a>,
        beliefs: Vec<Belief>,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        let trunk = policy.trunk(&known.public, known.seat, known.round_hand());
        Self { known, policy, history, beliefs, trunk, appraisal: policy.appraisal(), stop }
    }

    /// How often the nets would make each bid.
    pub(crate) fn bids(&self) -> BidMix {
        self.policy.bids(self.known, &self.trunk, &self.history.outlook)
    }

    /// Imagines so many tables, until time is up, and looks at each. Says whether there was time for all.
    pub(crate) fn look_at<F: Copy>(
        &mut self,
        tables: usize,
        chance: &mut Quick,
        looked: &mut Looked<F>,
        look: impl Fn(&mut Self, &Imagined, &mut F) -> bool,
    ) -> bool {
        for _ in 0..tables {
            let imagined = self.imagine(chance);
            let mut found = looked.found;
            if !look(self, &imagined, &mut found) {
                return false;
            }
            *looked = Looked { found, tables: looked.tables + 1 };
        }
        true
    }

    /// A table as it may be.
    pub fn imagine(&self, chance: &mut Quick) -> Imagined {
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
            common: Common { trunks, outlook: self.history.outlook },
            chance: split(chance, 16),
        }
    }

    /// Where every bid leads at an imagined table. Says whether there was time for all.
    pub(crate) fn after_bids(&mut self, table: &Imagined, mix: &BidMix, found: &mut FoundByBid) -> bool {
        let (policy, seat) = (self.policy, self.known.seat);
        let finish = |world: &mut World| world.finish_bids(policy, &table.common, &mut table.chance.clone());
        for cushion in mix.open.iter() {
            if (self.stop)() {
                return false;
            }
            table.world.after_each_card(cushion, finish, |card, after| {
                after.settle();
                let worth = policy.worth(&after.public, seat, after.hands[seat], &mut self.appraisal);
                found.0[cushion.index()][usize::from(card.value())].add(worth);
            });
        }
        true
    }

    /// Where every offer leads at an imagined table. Says whether there was time for all.
    pub(crate) fn after_offers(&mut self, table: &Imagined, mix: &OfferMix, found: &mut FoundByOffer) -> bool {
        let (policy, seat) = (self.policy, self.known.seat);
        for (&put_back, found) in mix.jewels.iter().zip(found).take(mix.len) {
            if (self.stop)() {
                return false;
            }
            let mut after = table.world;
            if let Some(offer) = offer_without(&after.public, put_back) {
                after.public.make_offer(offer);
            }
            let common = after.common(policy);
            after.finish_bids(policy, &common, &mut table.chance.clone());
            after.settle();
            found.add(policy.worth(&after.public, seat, after.hands[seat], &mut self.appraisal));
        }
        true
    }
}
