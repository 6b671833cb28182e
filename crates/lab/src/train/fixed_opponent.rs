//! Plays games against one fixed bot, and adds up their gradients, to train nets that beat it.
//!
//! The *learner* is the seat that plays with the nets; the bot plays all other seats, as at any table, with views and
//! recalls. A decision of the bot may be slow, so no round is played out twice: other seats react only to the cushion
//! of a bid, not to its card, so the finished round scores every card that the learner could have placed on that
//! cushion.

use sultan_bots::Bot;
use sultan_bots::search::math::ln;
use sultan_bots::search::net::{BidTrace, NetSet, OfferTrace, SeatValue};
use sultan_bots::search::{ByBid, Knowledge, Outlook, Policy};
use sultan_domain::{Action, Bid, Bids, Cards, Cushion, MoneyCard, Observer, Parameters, Recall, Screens, Seat, View};
use sultan_rules::{FastRng, Game, Pending, Progress, SeededGame};

use super::FixedOpponentSettings;
use super::batch::{GameBatch, Judged, random_seat};
use super::gradient::{learn_bids, learn_offers};

/// One game of the learner against the bot in all other seats.
pub(crate) struct FixedOpponent<'a> {
    pub(crate) net_set: &'a NetSet,
    pub(crate) bot: &'a dyn Bot,
    pub(crate) settings: &'a FixedOpponentSettings,
}

/// The learner's choices in the current round, to be scored when the round is finished.
#[derive(Default)]
struct Choices {
    /// The offer: the net's results for all possible offers, and the index of the chosen one.
    offer: Option<(OfferTrace, usize)>,
    bids: Vec<LearnersBid>,
}

/// A bid of the learner, with the net's results for all possible bids.
struct LearnersBid {
    knowledge: Knowledge,
    trace: BidTrace,
    card: MoneyCard,
    cushion: Cushion,
}

impl FixedOpponent<'_> {
    /// Plays one game with the learner in a random seat, and adds its gradients to the batch.
    pub(crate) fn play(&self, parameters: Parameters, rng: &mut FastRng, batch: &mut GameBatch) {
        let players = parameters.players;
        let learner = random_seat(players, rng);
        let first_seat = random_seat(players, rng);
        let mut game = SeededGame::shuffled(parameters, first_seat, Screens::Closed, rng);
        let mut choices = Choices::default();
        let mut judged: Vec<Judged> = Vec::new();
        let outcome = loop {
            match game.game().pending() {
                Pending::Over(outcome) => break outcome,
                Pending::Chance(_) => {
                    judged.extend(self.judge(game.game(), learner, game.recall()));
                    game.draw().expect("a generator draws from the pouch");
                }
                Pending::Seat(seat) => {
                    let (current, recall, rng) = game.game_recall_and_source();
                    let view = current.view(Observer::Seat(seat));
                    let action = if seat == learner {
                        self.choose(&view, recall, &mut choices, rng)
                    } else {
                        self.bot.choose(&view, recall, rng, &|| false)
                    };
                    let action = action.expect("the seat to act has a legal action");
                    if game.play(action).expect("bots answer with legal actions") != Progress::Continues {
                        let round = game.game().last_round().expect("a round was finished");
                        let start = judged.last().expect("the start of the round was judged");
                        self.learn(&choices, &round.bids, start, batch);
                        choices = Choices::default();
                    }
                }
            }
        };
        let result = SeatValue::of_outcome(&outcome, learner);
        batch.learn_value(self.net_set, self.settings.horizon, result, judged.iter());
    }

    /// Judges the start of a round. The first round of a stage is judged twice, first without a hand: the end of the
    /// previous stage is judged before the hands are dealt, so the value net must learn this too.
    fn judge(&self, game: &Game, learner: Seat, recall: &Recall) -> Vec<Judged> {
        let view = game.view(Observer::Seat(learner));
        // The recall is complete, so no round is imagined and no random number is drawn.
        let knowledge = Knowledge::new(&view, recall, &mut FastRng::new(0)).expect("a real game has no contradictions");
        let public = &knowledge.public;
        let starts_stage = public.round_index.is_multiple_of(public.parameters.rounds_per_stage);
        let hands = starts_stage.then_some(Cards::NONE).into_iter().chain([knowledge.hand]);
        hands.map(|hand| Judged::new(self.net_set, public, learner, hand)).collect()
    }

    /// Chooses the learner's action and adds it to `choices`.
    fn choose(&self, view: &View, recall: &Recall, choices: &mut Choices, rng: &mut FastRng) -> Option<Action> {
        let knowledge = Knowledge::new(view, recall, rng)?;
        if knowledge.public.offer.is_empty() {
            let trace = self.net_set.trace_offers(&knowledge);
            let index = trace.mix.pick(rng);
            let offer = trace.mix.offers[index];
            choices.offer = Some((trace, index));
            return Some(Action::Offer(offer));
        }
        let trunk = self.net_set.trunk(&knowledge.public, knowledge.seat, knowledge.round_hand());
        let trace = self.net_set.trace_bids(&knowledge, &trunk, &Outlook::new(&knowledge.public));
        let (card, cushion) = trace.mix.pick(rng);
        choices.bids.push(LearnersBid { knowledge, trace, card, cushion });
        Some(Action::Bid { card, cushion })
    }

    /// Adds the gradients of the learner's choices in a finished round with these bids. `start` is the judged start of
    /// the round.
    fn learn(&self, choices: &Choices, bids: &[Bid], start: &Judged, batch: &mut GameBatch) {
        let mut gain_of_round = 0.0;
        for bid in &choices.bids {
            let gains = self.gains(bid, bids, start);
            // The gain with the cards that were really placed: the same for each bid of the round.
            gain_of_round = gains[usize::from(bid.card.value())];
            self.learn_bid(bid, &gains, batch);
        }
        if let Some((trace, chosen)) = &choices.offer {
            let slope = |index| gain_of_round * (f32::from(u8::from(index == *chosen)) - trace.mix.shares[index]);
            let logit_gradient: Vec<f32> = (0..trace.mix.offers.len()).map(slope).collect();
            learn_offers(self.net_set, trace, &logit_gradient, &mut batch.gradients.offer);
            batch.counts[2] += 1.0;
        }
    }

    /// The gain of the learner in the round for each card that it could have placed with this bid, by card value. The
    /// gain is the utility after the round minus the utility at its start.
    fn gains(&self, learners_bid: &LearnersBid, bids: &[Bid], start: &Judged) -> [f32; 16] {
        let knowledge = &learners_bid.knowledge;
        let mut appraisal = start.appraisal;
        let mut gains = [0.0; 16];
        for alternative in knowledge.hand.values() {
            let mut bids: Bids = bids.iter().copied().collect();
            let mut hand = knowledge.round_hand();
            for bid in bids.iter_mut().filter(|bid| bid.seat == knowledge.seat) {
                if bid.cushion == learners_bid.cushion {
                    bid.card = alternative;
                } else if bid.card == alternative && hand.count(alternative) == 0 {
                    // With two players: the seat placed its only copy of this card in its next bid, so the two cards
                    // are swapped.
                    bid.card = learners_bid.card;
                }
                hand.remove(bid.card);
            }
            let mut public = knowledge.public;
            public.settle(&bids);
            let value = self.net_set.seat_value(&public, knowledge.seat, hand, &mut appraisal);
            gains[usize::from(alternative.value())] = value.utility() - start.value.utility();
        }
        gains
    }

    /// Adds the gradient of one bid, given the gain of each card on its cushion. Gains on other cushions are unknown;
    /// on average over many games, the gradient is the same as if they were known.
    fn learn_bid(&self, bid: &LearnersBid, gains: &[f32; 16], batch: &mut GameBatch) {
        let mix = &bid.trace.mix;
        let share_of_cushion: f32 = mix.hand.values().map(|card| mix.share(card, bid.cushion)).sum();
        let mut logit_gradient: ByBid = [[0.0; 16]; 3];
        let mut mean_gain = 0.0;
        for card in mix.hand.values() {
            let share_on_cushion = mix.share(card, bid.cushion) / share_of_cushion.max(1e-6);
            let weighted_gain = share_on_cushion * gains[usize::from(card.value())];
            mean_gain += weighted_gain;
            logit_gradient[bid.cushion.index()][usize::from(card.value())] += weighted_gain;
        }
        let negative_entropy: f32 = mix.iter().map(|(_, _, share)| share * ln(share.max(1e-8))).sum();
        for (card, cushion, share) in mix.iter() {
            logit_gradient[cushion.index()][usize::from(card.value())] -=
                share * (mean_gain + self.settings.entropy_weight * (ln(share.max(1e-8)) - negative_entropy));
        }
        learn_bids(self.net_set, &bid.knowledge, &bid.trace, &logit_gradient, &mut batch.gradients.bid);
        batch.counts[1] += 1.0;
    }
}

#[cfg(test)]
mod tests;
