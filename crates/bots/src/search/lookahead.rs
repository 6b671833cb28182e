//! Lookahead from one decision: imagines tables, plays the round out for every action, and judges the result with the
//! nets.
//!
//! `belief` samples the hidden cards of a table, `world` plays it.

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

/// The difference in utility that makes an action e times more frequent. With two players opponents are the most
/// predictable, so the result must stay closer to the nets' mix.
#[must_use]
pub const fn calm(players: Players) -> f32 {
    if players.count() == 2 { 0.03 } else { 0.01 }
}

/// The results of an action, summed over the imagined tables.
#[derive(Clone, Copy, Default)]
pub struct Found {
    /// The winning chance.
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

/// The results at completely evaluated tables, and their number.
#[derive(Clone, Copy, Default)]
pub(crate) struct Looked<F> {
    pub(crate) found: F,
    pub(crate) tables: usize,
}

/// The results of each card on each cushion.
#[derive(Clone, Copy, Default)]
pub(crate) struct FoundByBid([[Found; 16]; 3]);
/// The results of each offer.
pub(crate) type FoundByOffer = [Found; 4];

impl FoundByBid {
    /// The bids of a mix with their probabilities and results.
    pub(crate) fn beside(&self, mix: &BidMix) -> Vec<(Action, f32, Found)> {
        let found = |card: MoneyCard, at: usize| self.0[at][usize::from(card.value())];
        let each = mix
            .iter()
            .map(|(card, cushion, share)| (Action::Bid { card, cushion }, share, found(card, cushion.index())));
        each.collect()
    }
}

/// The nets' mix, shifted towards the actions with better results at `worlds` tables.
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

/// A possible table.
pub struct Imagined {
    /// All hands and bids.
    pub world: World,
    /// Intermediate results shared by all bids at this table.
    pub common: Common,
    /// The same random numbers for every action, so that only the action differs.
    pub chance: Quick,
}

/// The search for one decision.
pub struct Search<'a> {
    /// The knowledge of the deciding seat.
    pub known: &'a Known,
    /// Plays the other seats, and judges tables.
    pub policy: &'a dyn Policy,
    /// The public history.
    pub history: PublicHistory<'a>,
    /// The possible hidden cards of each other seat.
    pub beliefs: Vec<Belief>,
    /// The first-layer sums of the seat's bids in this round; see [`Policy::trunk`].
    pub trunk: Sums,
    appraisal: Appraisal,
    /// Returns whether time is up.
    pub stop: &'a dyn Fn() -> bool,
}

impl<'a> Search<'a> {
    /// A search that uses the whole recall.
    pub fn new(policy: &'a dyn Policy, known: &'a Known, recall: &Recall, stop: &'a dyn Fn() -> bool) -> Self {
        let history = PublicHistory::new(policy, &known.public, recall);
        let beliefs = known.others().map(|seat| Belief::new(&history, seat, stop)).collect();
        Self::with(policy, known, history, beliefs, stop)
    }

    /// A search for a game without remaining decks and with fixed characters: only the face-down cards are unknown.
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

    /// The nets' probabilities of bids.
    pub(crate) fn bids(&self) -> BidMix {
        self.policy.bids(self.known, &self.trunk, &self.history.outlook)
    }

    /// Evaluates this number of imagined tables, or fewer if time is up. Returns whether all were evaluated.
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

    /// Samples a possible table.
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

    /// Adds the results of every bid at an imagined table. Returns whether there was enough time.
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

    /// Adds the results of every offer at an imagined table. Returns whether there was enough time.
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
