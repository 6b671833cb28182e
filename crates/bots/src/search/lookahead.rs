//! Lookahead from one decision: imagines tables, plays the round out for every action, and judges the result with the
//! nets.
//!
//! `belief` samples the hidden cards of a table, `world` plays it.

use sultan_domain::{Action, BySeat, Players, Recall};
use sultan_rules::Quick;

use crate::WeighedAction;
use crate::search::belief::{Belief, Guess, PublicHistory};
use crate::search::knowledge::Knowledge;
use crate::search::math::{exp, split_rng};
use crate::search::net::layers::{Sums, WIDE};
use crate::search::net::net_set::{Appraisal, SeatValue};
use crate::search::policy::Policy;
use crate::search::world::{RoundContext, World};

/// The difference in utility that makes an action e times more frequent. With two players opponents are the most
/// predictable, so the result must stay closer to the nets' mix.
#[must_use]
pub const fn temperature(players: Players) -> f32 {
    if players.count() == 2 { 0.03 } else { 0.01 }
}

/// The results of an action, summed over the imagined tables.
#[derive(Clone, Copy, Default)]
pub struct ResultSum {
    /// The winning chance.
    pub win: f32,
    /// See [`SeatValue::utility`].
    pub utility: f32,
}

impl ResultSum {
    fn add(&mut self, worth: SeatValue) {
        self.win += worth.win;
        self.utility += worth.utility();
    }
}

/// The options of a decision with their probabilities, and their results at completely evaluated tables.
pub(crate) struct Evaluation {
    pub(crate) options: Vec<(Action, f32, ResultSum)>,
    pub(crate) tables: usize,
}

impl Evaluation {
    /// An evaluation at no table yet.
    pub(crate) fn new(policy: &dyn Policy, knowledge: &Knowledge) -> Self {
        let options = policy.options(knowledge).into_iter();
        Self { options: options.map(|(action, share)| (action, share, ResultSum::default())).collect(), tables: 0 }
    }

    /// The options weighed by their results; without an evaluated table, those of the policy.
    pub(crate) fn weighed(&self, policy: &dyn Policy, knowledge: &Knowledge) -> Vec<WeighedAction> {
        if self.tables > 0 {
            return shifted_to_better(&self.options, self.tables, temperature(knowledge.public.parameters.players));
        }
        let now = policy.seat_value(&knowledge.public, knowledge.seat, knowledge.round_hand(), &mut policy.appraisal());
        let sum: f64 = self.options.iter().map(|&(_, share, _)| f64::from(share)).sum();
        let weighed = |&(action, share, _): &(Action, f32, ResultSum)| WeighedAction {
            action,
            share: f64::from(share) / sum,
            win: now.win.into(),
        };
        self.options.iter().map(weighed).collect()
    }
}

/// The nets' mix, shifted towards the actions with better results at `worlds` tables.
pub fn shifted_to_better(all: &[(Action, f32, ResultSum)], worlds: usize, temperature: f32) -> Vec<WeighedAction> {
    #[expect(clippy::cast_precision_loss, reason = "few tables are imagined")]
    let each = 1.0 / worlds as f32;
    let best = all.iter().map(|(_, _, result)| result.utility).fold(f32::NEG_INFINITY, f32::max);
    let weight = |share: f32, result: ResultSum| share.max(1e-6) * exp((result.utility - best) * each / temperature);
    let sum: f32 = all.iter().map(|&(_, share, result)| weight(share, result)).sum();
    let weighed = |&(action, share, result): &(Action, f32, ResultSum)| WeighedAction {
        action,
        share: f64::from(weight(share, result)) / f64::from(sum),
        win: f64::from(result.win * each).clamp(0.0, 1.0),
    };
    all.iter().map(weighed).collect()
}

/// A possible table.
pub struct ImaginedTable {
    /// All hands and bids.
    pub world: World,
    /// Intermediate results shared by all bids at this table.
    pub context: RoundContext,
    /// The same random numbers for every action, so that only the action differs.
    pub rng: Quick,
}

/// The search for one decision.
pub struct Search<'a> {
    /// The knowledge of the deciding seat.
    pub knowledge: &'a Knowledge,
    /// Chooses the bids of the other seats, and evaluates positions.
    pub policy: &'a dyn Policy,
    /// The public history.
    pub history: PublicHistory<'a>,
    /// The possible hidden cards of each other seat.
    pub beliefs: Vec<Belief>,
    /// The first-layer sums of the seat's bids in this round; see [`Policy::trunk`].
    trunk: Sums,
    appraisal: Appraisal,
    /// Returns whether time is up.
    pub stop: &'a dyn Fn() -> bool,
}

impl<'a> Search<'a> {
    /// A search that uses the whole recall.
    pub fn new(policy: &'a dyn Policy, knowledge: &'a Knowledge, recall: &Recall, stop: &'a dyn Fn() -> bool) -> Self {
        let history = PublicHistory::new(policy, &knowledge.public, recall);
        let beliefs = knowledge.others().map(|seat| Belief::new(&history, seat, stop)).collect();
        Self::from_parts(policy, knowledge, history, beliefs, stop)
    }

    /// A search for a game without remaining decks and with fixed characters: only the face-down cards are unknown.
    pub(crate) fn counting(policy: &'a dyn Policy, knowledge: &'a Knowledge, stop: &'a dyn Fn() -> bool) -> Self {
        let history = PublicHistory::of_this_round(policy, &knowledge.public);
        let beliefs = knowledge.others().map(|seat| Belief::enumerated(&history, seat)).collect();
        Self::from_parts(policy, knowledge, history, beliefs, stop)
    }

    fn from_parts(
        policy: &'a dyn Policy,
        knowledge: &'a Knowledge,
        history: PublicHistory<'a>,
        beliefs: Vec<Belief>,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        let trunk = policy.trunk(&knowledge.public, knowledge.seat, knowledge.round_hand());
        Self { knowledge, policy, history, beliefs, trunk, appraisal: policy.appraisal(), stop }
    }

    /// Evaluates all options at this number of imagined tables, or at fewer if time is up. Returns whether at all.
    pub(crate) fn evaluate(&mut self, tables: usize, rng: &mut Quick, evaluation: &mut Evaluation) -> bool {
        let (policy, seat) = (self.policy, self.knowledge.seat);
        let actions: Vec<Action> = evaluation.options.iter().map(|&(action, ..)| action).collect();
        for _ in 0..tables {
            let imagined = self.imagine(rng);
            // A copy: if time is up, this table does not count.
            let mut options = evaluation.options.clone();
            let in_time = imagined.after_each(policy, &actions, self.stop, |index, after| {
                after.settle();
                options[index].2.add(policy.seat_value(&after.public, seat, after.hands[seat], &mut self.appraisal));
            });
            if !in_time {
                return false;
            }
            *evaluation = Evaluation { options, tables: evaluation.tables + 1 };
        }
        true
    }

    /// Samples a possible table.
    pub fn imagine(&self, rng: &mut Quick) -> ImaginedTable {
        let knowledge = self.knowledge;
        let mut public = knowledge.public;
        let mut hands = BySeat::default();
        let mut trunks = BySeat([[0.0; WIDE]; 5]);
        let mut placed = [knowledge.own; 5];
        hands[knowledge.seat] = knowledge.hand;
        trunks[knowledge.seat] = self.trunk;
        for belief in &self.beliefs {
            let &Guess { hand, bids, trunk, character, .. } = belief.pick(rng);
            public.characters[belief.seat.index()] = Some(character);
            hands[belief.seat] = hand;
            trunks[belief.seat] = trunk;
            placed[belief.seat.index()] = bids;
        }
        let mut placed = placed.map(IntoIterator::into_iter);
        let bids = public.placed.iter().filter_map(|bid| placed[bid.seat.index()].next()).collect();
        ImaginedTable {
            world: World { public, hands, bids },
            context: RoundContext { trunks, outlook: self.history.outlook },
            rng: split_rng(rng, 16),
        }
    }
}

impl ImaginedTable {
    /// Plays the round out after each option of the seat to act. Calls `visit` with the index of the option and the table,
    /// all cards placed but not revealed. Returns whether there was enough time.
    pub fn after_each(
        &self,
        policy: &dyn Policy,
        options: &[Action],
        stop: &dyn Fn() -> bool,
        mut visit: impl FnMut(usize, &mut World),
    ) -> bool {
        let public = &self.world.public;
        if public.offer.is_empty() {
            for (index, option) in options.iter().enumerate() {
                let Action::Offer(offer) = *option else { continue };
                if stop() {
                    return false;
                }
                let mut after = self.world;
                after.public.make_offer(offer);
                let context = after.context(policy);
                after.finish_bids(policy, &context, &mut self.rng.clone());
                visit(index, &mut after);
            }
            return true;
        }
        let finish = |world: &mut World| world.finish_bids(policy, &self.context, &mut self.rng.clone());
        for cushion in public.open_cushions(public.bidder()).iter() {
            if stop() {
                return false;
            }
            self.world.after_each_card(cushion, finish, |card, after| {
                let bid = Action::Bid { card, cushion };
                let index = options.iter().position(|&option| option == bid);
                visit(index.expect("each card on an open cushion is an option"), after);
            });
        }
        true
    }
}
