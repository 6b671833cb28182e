//! Plays games against one fixed bot, and adds up their gradients, to train nets that beat it.
//!
//! The bot plays as at any table, with views and recalls. The nets learn only from actions that were really played, so
//! the bot makes no additional decisions: other seats react to a bid's cushion, not to its card, so one finished round
//! scores every card that could have been placed there.

use sultan_bots::Bot;
use sultan_bots::search::math::ln;
use sultan_bots::search::net::{BidTrace, NetSet, OfferTrace, SeatValue};
use sultan_bots::search::{ByBid, Knowledge, Outlook, Policy};
use sultan_domain::{Action, Bid, Bids, Cards, Cushion, MoneyCard, Observer, Parameters, Recall, Screens, Seat, View};
use sultan_rules::{Game, Pending, Progress, Quick, SeededGame};

use super::Response;
use super::batch::{GameBatch, Judged, random_seat};
use super::gradient::{learn_bids, learn_offers};

/// One game of the learner against the bot in all other seats.
pub(crate) struct FixedOpponent<'a> {
    pub(crate) net_set: &'a NetSet,
    pub(crate) bot: &'a dyn Bot,
    pub(crate) settings: &'a Response,
}

/// The learner's choices in this round, to be scored after the reveal.
#[derive(Default)]
struct Choices {
    offer: Option<(OfferTrace, usize)>,
    bids: Vec<OwnBid>,
}

/// A bid of the learner, with the net's results for all its possible bids.
struct OwnBid {
    knowledge: Knowledge,
    trace: BidTrace,
    card: MoneyCard,
    cushion: Cushion,
}

impl FixedOpponent<'_> {
    /// Plays one game in a random seat, and adds its gradients.
    pub(crate) fn play(&self, parameters: Parameters, rng: &mut Quick, batch: &mut GameBatch) {
        let players = parameters.players;
        let learner = random_seat(players, rng);
        let first = random_seat(players, rng);
        let mut game = SeededGame::shuffled(parameters, first, Screens::Closed, rng);
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
                    let (now, recall, rng) = game.game_recall_and_source();
                    let view = now.view(Observer::Seat(seat));
                    let action = if seat == learner {
                        self.choose(&view, recall, &mut choices, rng)
                    } else {
                        self.bot.choose(&view, recall, rng, &|| false)
                    };
                    let progress = game.play(action.expect("it is its turn")).expect("bots answer with legal actions");
                    if progress != Progress::Continues {
                        let round = game.game().last_round().expect("a round was finished");
                        let start = judged.last().expect("a round was begun");
                        self.learn(&choices, &round.bids, start, batch);
                        choices = Choices::default();
                    }
                }
            }
        };
        batch.learn_value(self.net_set, self.settings.horizon, SeatValue::of_outcome(&outcome, learner), judged.iter());
    }

    /// The judged start of a round. At the start of a stage also judged before the hands are dealt, because the end of
    /// the previous round is judged that way.
    fn judge(&self, game: &Game, learner: Seat, recall: &Recall) -> Vec<Judged> {
        let view = game.view(Observer::Seat(learner));
        let knowledge = Knowledge::new(&view, recall, &mut Quick::new(0)).expect("a real game has no contradictions");
        let public = &knowledge.public;
        let starts_stage = public.round_index.is_multiple_of(public.parameters.rounds_per_stage);
        let hands = starts_stage.then_some(Cards::NONE).into_iter().chain([knowledge.hand]);
        hands.map(|hand| Judged::new(self.net_set, public, learner, hand)).collect()
    }

    fn choose(&self, view: &View, recall: &Recall, choices: &mut Choices, rng: &mut Quick) -> Option<Action> {
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
        choices.bids.push(OwnBid { knowledge, trace, card, cushion });
        Some(Action::Bid { card, cushion })
    }

    /// Adds the gradients of the choices of a finished round.
    fn learn(&self, choices: &Choices, bids: &[Bid], start: &Judged, batch: &mut GameBatch) {
        let mut gain = 0.0;
        for own in &choices.bids {
            let gains = self.gains(own, bids, start);
            gain = gains[usize::from(own.card.value())];
            self.learn_bid(own, &gains, batch);
        }
        if let Some((trace, index)) = &choices.offer {
            let mut wanted = [0.0; 4];
            for (at, wanted) in wanted.iter_mut().enumerate().take(trace.mix.offers.len()) {
                *wanted = gain * (f32::from(u8::from(at == *index)) - trace.mix.shares[at]);
            }
            learn_offers(self.net_set, trace, wanted, &mut batch.change.offer);
            batch.counts[2] += 1.0;
        }
    }

    /// The gain of each card in place of the one played, compared with the value at the start of the round.
    fn gains(&self, own: &OwnBid, bids: &[Bid], start: &Judged) -> [f32; 16] {
        let knowledge = &own.knowledge;
        let mut appraisal = start.appraisal;
        let mut gains = [0.0; 16];
        for other in knowledge.hand.values() {
            let mut bids: Bids = bids.iter().copied().collect();
            let mut hand = knowledge.round_hand();
            for bid in bids.iter_mut().filter(|bid| bid.seat == knowledge.seat) {
                if bid.cushion == own.cushion {
                    bid.card = other;
                } else if bid.card == other && hand.count(other) == 0 {
                    // With two players: the seat played this card next, so the two cards are swapped.
                    bid.card = own.card;
                }
                hand.take(bid.card);
            }
            let mut public = knowledge.public;
            public.settle(&bids);
            let worth = self.net_set.seat_value(&public, knowledge.seat, hand, &mut appraisal);
            gains[usize::from(other.value())] = worth.utility() - start.worth.utility();
        }
        gains
    }

    fn learn_bid(&self, own: &OwnBid, gains: &[f32; 16], batch: &mut GameBatch) {
        let mix = &own.trace.mix;
        let on_cushion: f32 = mix.hand.values().map(|card| mix.share(card, own.cushion)).sum();
        let mut wanted: ByBid = [[0.0; 16]; 3];
        let mut mean = 0.0;
        for card in mix.hand.values() {
            let part = mix.share(card, own.cushion) / on_cushion.max(1e-6) * gains[usize::from(card.value())];
            mean += part;
            wanted[own.cushion.index()][usize::from(card.value())] += part;
        }
        let entropy: f32 = mix.iter().map(|(_, _, share)| share * ln(share.max(1e-8))).sum();
        for (card, at, share) in mix.iter() {
            wanted[at.index()][usize::from(card.value())] -=
                share * (mean + self.settings.entropy_weight * (ln(share.max(1e-8)) - entropy));
        }
        learn_bids(self.net_set, &own.knowledge, &own.trace, &wanted, &mut batch.change.bid);
        batch.counts[1] += 1.0;
    }
}

#[cfg(test)]
mod tests;
