//! Lookahead from one decision: imagines tables with possible hidden cards, plays each of them to the end of the round
//! after every action, and evaluates the resulting tables with the nets.
//!
//! `belief` samples the hidden cards, `world` plays the imagined tables.

use sultan_domain::{Action, BySeat, Players, Recall, Seat};
use sultan_rules::FastRng;

use crate::WeighedAction;
use crate::search::belief::{Belief, Guess, PublicHistory};
use crate::search::knowledge::Knowledge;
use crate::search::math::{exp, split_rng};
use crate::search::net::layers::{Sums, WIDE};
use crate::search::net::net_set::Appraisal;
use crate::search::policy::Policy;
use crate::search::world::{RoundContext, World};

/// The difference in mean utility between two actions that makes the better one e times more frequent.
///
/// It is larger with two players, because a single opponent can exploit predictable play most easily: the probabilities
/// of the actions then stay closer to those of the nets, which were trained to be unpredictable.
#[must_use]
pub const fn temperature(players: Players) -> f32 {
    if players.count() == 2 { 0.03 } else { 0.01 }
}

/// An option (legal action) of a decision with its results, summed over the tables at which it was evaluated.
#[derive(Clone, Copy)]
pub struct EvaluatedOption {
    /// The action.
    pub action: Action,
    /// The probability of the action according to the policy.
    pub share: f32,
    /// The sum of the winning chances.
    pub win_sum: f32,
    /// The sum of the utilities; see [`SeatValue::utility`](crate::search::net::SeatValue::utility).
    pub utility_sum: f32,
}

/// The options of a decision, evaluated at a number of imagined tables.
pub(crate) struct Evaluation {
    options: Vec<EvaluatedOption>,
    tables: usize,
}

impl Evaluation {
    /// The options with the probabilities of the policy, not evaluated yet.
    pub(crate) fn new(policy: &dyn Policy, knowledge: &Knowledge) -> Self {
        let option = |(action, share)| EvaluatedOption { action, share, win_sum: 0.0, utility_sum: 0.0 };
        Self { options: policy.options(knowledge).into_iter().map(option).collect(), tables: 0 }
    }

    /// The options weighed by their results. Before the first evaluation: with the probabilities of the policy, and the
    /// winning chance at the current table.
    pub(crate) fn weighed(&self, policy: &dyn Policy, knowledge: &Knowledge) -> Vec<WeighedAction> {
        let Knowledge { public, seat, .. } = knowledge;
        if self.tables > 0 {
            return shifted_to_better(&self.options, self.tables, temperature(public.parameters.players));
        }
        let value = policy.seat_value(public, *seat, knowledge.round_hand(), &mut policy.appraisal());
        let sum: f64 = self.options.iter().map(|option| f64::from(option.share)).sum();
        let weighed = |&EvaluatedOption { action, share, .. }: &EvaluatedOption| WeighedAction {
            action,
            share: f64::from(share) / sum,
            win: value.win.into(),
        };
        self.options.iter().map(weighed).collect()
    }
}

/// The options with the probabilities of the policy, shifted towards the options with better results. The results are
/// summed over this number of tables. The higher the temperature, the smaller the shift.
pub fn shifted_to_better(options: &[EvaluatedOption], tables: usize, temperature: f32) -> Vec<WeighedAction> {
    #[expect(clippy::cast_precision_loss, reason = "few tables are imagined")]
    let per_table = 1.0 / tables as f32;
    let best = options.iter().map(|option| option.utility_sum).fold(f32::NEG_INFINITY, f32::max);
    // The lower bound of the share lets good actions be played that the policy almost excludes.
    let weight =
        |option: &EvaluatedOption| option.share.max(1e-6) * exp((option.utility_sum - best) * per_table / temperature);
    let sum: f32 = options.iter().map(weight).sum();
    let weighed = |option: &EvaluatedOption| WeighedAction {
        action: option.action,
        share: f64::from(weight(option)) / f64::from(sum),
        win: f64::from(option.win_sum * per_table).clamp(0.0, 1.0),
    };
    options.iter().map(weighed).collect()
}

/// A possible table that looks to the deciding seat like the real one.
pub struct ImaginedTable {
    /// The table with all hands and bids.
    pub world: World,
    /// Intermediate results shared by all bids at this table.
    pub context: RoundContext,
    /// The generator for the choices of the other seats. Each option starts with a copy, so that only the option
    /// differs and not the luck.
    pub rng: FastRng,
}

/// The search for one decision.
pub struct Search<'a> {
    /// The knowledge of the deciding seat.
    pub knowledge: &'a Knowledge,
    /// Chooses the bids at imagined tables, and evaluates these tables.
    pub policy: &'a dyn Policy,
    /// The finished rounds.
    pub history: PublicHistory<'a>,
    /// The possible hidden cards of each other seat.
    pub beliefs: Vec<Belief>,
    /// The result of [`Policy::trunk`] for the deciding seat.
    trunk: Sums,
    appraisal: Appraisal,
    /// Returns whether the time limit is reached.
    pub stop: &'a dyn Fn() -> bool,
}

impl<'a> Search<'a> {
    /// A search that estimates hidden cards and characters from all finished rounds.
    pub fn new(policy: &'a dyn Policy, knowledge: &'a Knowledge, recall: &Recall, stop: &'a dyn Fn() -> bool) -> Self {
        Self::with_beliefs(policy, knowledge, recall, stop, |history, seat| Belief::new(history, seat, stop))
    }

    /// A search in the last stage. All decks are empty, so only the face-down cards are unknown. It assumes the
    /// characters in [`PublicState::characters`](crate::search::PublicState::characters).
    pub(crate) fn of_last_stage(policy: &'a dyn Policy, knowledge: &'a Knowledge, stop: &'a dyn Fn() -> bool) -> Self {
        Self::with_beliefs(policy, knowledge, &Recall::default(), stop, Belief::enumerated)
    }

    fn with_beliefs(
        policy: &'a dyn Policy,
        knowledge: &'a Knowledge,
        recall: &Recall,
        stop: &'a dyn Fn() -> bool,
        belief_about: impl Fn(&PublicHistory, Seat) -> Belief,
    ) -> Self {
        let history = PublicHistory::new(policy, &knowledge.public, recall);
        let beliefs = knowledge.others().map(|seat| belief_about(&history, seat)).collect();
        let trunk = policy.trunk(&knowledge.public, knowledge.seat, knowledge.round_hand());
        Self { knowledge, policy, history, beliefs, trunk, appraisal: policy.appraisal(), stop }
    }

    /// Evaluates all options at this number of imagined tables. Returns `false` if the time limit was reached before
    /// the last table was finished; the results at an unfinished table are dropped.
    pub(crate) fn evaluate(&mut self, tables: usize, rng: &mut FastRng, evaluation: &mut Evaluation) -> bool {
        let (policy, seat) = (self.policy, self.knowledge.seat);
        let actions: Vec<Action> = evaluation.options.iter().map(|option| option.action).collect();
        for _ in 0..tables {
            let imagined = self.imagine(rng);
            let mut options = evaluation.options.clone();
            let is_finished = imagined.after_each(policy, &actions, self.stop, |index, after| {
                after.settle();
                let value = policy.seat_value(&after.public, seat, after.hands[seat], &mut self.appraisal);
                options[index].win_sum += value.win;
                options[index].utility_sum += value.utility();
            });
            if !is_finished {
                return false;
            }
            *evaluation = Evaluation { options, tables: evaluation.tables + 1 };
        }
        true
    }

    /// Samples a possible table: one guess for each other seat.
    pub fn imagine(&self, rng: &mut FastRng) -> ImaginedTable {
        let knowledge = self.knowledge;
        let mut public = knowledge.public;
        let mut hands = BySeat::default();
        let mut trunks = BySeat([[0.0; WIDE]; 5]);
        let mut bids_by_seat = [knowledge.own; 5];
        hands[knowledge.seat] = knowledge.hand;
        trunks[knowledge.seat] = self.trunk;
        for belief in &self.beliefs {
            let &Guess { hand, bids, trunk, character, .. } = belief.pick(rng);
            public.characters[belief.seat.index()] = Some(character);
            hands[belief.seat] = hand;
            trunks[belief.seat] = trunk;
            bids_by_seat[belief.seat.index()] = bids;
        }
        // Put the bids of all seats in the order in which they were placed.
        let mut bids_by_seat = bids_by_seat.map(IntoIterator::into_iter);
        let bids = public.placed.iter().filter_map(|bid| bids_by_seat[bid.seat.index()].next()).collect();
        ImaginedTable {
            world: World { public, hands, bids },
            context: RoundContext { trunks, outlook: self.history.outlook },
            rng: split_rng(rng, 16),
        }
    }
}

impl ImaginedTable {
    /// Plays to the end of the round after each option of the seat to act. Calls `visit` with the index of the option
    /// and the resulting table, with all cards placed but not revealed. Returns `false` if `stop` returned `true`
    /// before all options were tried.
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
