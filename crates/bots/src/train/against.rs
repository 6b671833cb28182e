//! Best responses: nets that learn to beat one fixed bot.
//!
//! The bot is asked as at any table, with views and memory; nothing of its inside is used. Only what was really played is
//! learnt from, which costs the bot no extra thought: its cards came after a bid's cushion, not after its card, so that
//! one finished round scores every card that could have lain there.

use sultan_domain::{
    Action, Bid, Bids, BySeat, Chance, Cushion, MoneyCard, Numbers, Observer, Players, Recall, Screens, Seat,
};
use sultan_rules::{Event, Game, Pending, Quick};

use super::Response;
use super::lesson::{Judged, Lesson};
use crate::known::Known;
use crate::net::brain::{BidThought, Brain, ByBid, OfferThought, Worth, offer_without};
use crate::net::math::ln;
use crate::outlook::Outlook;
use crate::Bot;

/// One game of the learner against the bot in all other seats.
pub(crate) struct Match<'a> {
    pub(crate) brain: &'a Brain,
    pub(crate) bot: &'a dyn Bot,
    pub(crate) settings: &'a Response,
}

/// What the learner chose in this round, to be judged when the cards are turned up.
enum Choice {
    Bid { known: Known, thought: Box<BidThought>, action: (MoneyCard, Cushion) },
    Offer { thought: Box<OfferThought>, place: usize },
}

impl Match<'_> {
    /// Plays one game in a seat that chance chooses, and learns from it.
    pub(crate) fn play(&self, numbers: Numbers, chance: &mut Quick, lesson: &mut Lesson) {
        let players = numbers.players;
        let learner = random_seat(players, chance);
        let first = random_seat(players, chance);
        let mut game = Game::shuffled(numbers, first, Screens::Closed, chance);
        let mut recalls: BySeat<Recall> = BySeat::default();
        let mut choices = Vec::new();
        let mut judged: Vec<Judged> = Vec::new();
        loop {
            let events = match game.pending() {
                Pending::Over(outcome) => {
                    let end = Worth::of_outcome(&outcome, learner);
                    return lesson.learn_value(self.brain, self.settings.far, end, judged.iter());
                }
                Pending::Chance(draw) => {
                    judged.push(self.judge(&game, learner, &recalls[learner]));
                    let step = game.apply_draw(draw.with(chance)).expect("it was drawn from the pouch");
                    game = step.game;
                    step.events
                }
                Pending::Seat(seat) => {
                    let action = if seat == learner {
                        self.choose(&game, learner, &recalls[learner], &mut choices, chance)
                    } else {
                        let view = game.view(Observer::Seat(seat));
                        self.bot.choose(&view, &recalls[seat], chance, &|| false)
                    };
                    let step = game.apply(seat, action.expect("it is its turn")).expect("bots answer with legal actions");
                    game = step.game;
                    step.events
                }
            };
            for seat in players.seats() {
                events.iter().for_each(|event| recalls[seat].see(&event.seen_by(Observer::Seat(seat))));
            }
            let settled = events.iter().any(|event| matches!(event, Event::RoundSettled { .. }));
            if settled {
                let told = game.last_round().expect("a round was settled");
                let start = judged.last().expect("a round was begun");
                self.learn(&choices, &told.bids, start, lesson);
                choices.clear();
            }
        }
    }

    fn judge(&self, game: &Game, learner: Seat, recall: &Recall) -> Judged {
        let view = game.view(Observer::Seat(learner));
        let known = Known::new(&view, recall, &mut Quick::new(0)).expect("a real game contradicts nothing");
        Judged::new(self.brain, &known.public, learner, known.hand)
    }

    fn choose(
        &self,
        game: &Game,
        learner: Seat,
        recall: &Recall,
        choices: &mut Vec<Choice>,
        chance: &mut Quick,
    ) -> Option<Action> {
        let view = game.view(Observer::Seat(learner));
        let known = Known::new(&view, recall, chance)?;
        if known.public.offer.is_empty() {
            let thought = self.brain.think_offers(&known);
            let place = thought.mix.pick(chance);
            let offer = offer_without(&known.public, thought.mix.jewels[place])?;
            choices.push(Choice::Offer { thought: Box::new(thought), place });
            return Some(Action::Offer(offer));
        }
        let trunk = self.brain.trunk(&known.public, learner, known.round_hand());
        let thought = self.brain.think_bids(&known, &trunk, &Outlook::new(&known.public));
        let (card, cushion) = thought.mix.pick(chance);
        choices.push(Choice::Bid { known, thought: Box::new(thought), action: (card, cushion) });
        Some(Action::Bid { card, cushion })
    }

    /// Learns from the choices of a round, now that it is over.
    fn learn(&self, choices: &[Choice], bids: &[Bid], start: &Judged, lesson: &mut Lesson) {
        let mut after = None;
        for choice in choices {
            if let Choice::Bid { known, thought, action } = choice {
                let gains = self.gains(known, thought, bids, *action, start);
                after = after.or(Some(gains[action.1.index()][usize::from(action.0.value())]));
                self.learn_bid(known, thought, action.1, &gains, lesson);
            }
        }
        for choice in choices {
            if let (Choice::Offer { thought, place }, Some(gain)) = (choice, after) {
                let mut wanted = [0.0; 4];
                for (at, wanted) in wanted.iter_mut().enumerate().take(thought.mix.len) {
                    *wanted = gain * (f32::from(u8::from(at == *place)) - thought.mix.shares[at]);
                }
                self.brain.learn_offers(thought, wanted, &mut lesson.change.offer);
                lesson.counts[2] += 1.0;
            }
        }
    }

    /// What each card would have gained where one was placed, over what was expected at the round's start.
    fn gains(
        &self,
        known: &Known,
        thought: &BidThought,
        bids: &[Bid],
        (card, cushion): (MoneyCard, Cushion),
        start: &Judged,
    ) -> ByBid {
        let mut appraisal = start.appraisal;
        let mut gains = [[0.0; 16]; 3];
        for other in thought.mix.hand.values() {
            let mut bids: Bids = bids.iter().copied().collect();
            let mut hand = known.round_hand();
            for bid in bids.iter_mut().filter(|bid| bid.seat == known.seat) {
                if bid.cushion == cushion {
                    bid.card = other;
                } else if bid.card == other && hand.count(other) < 2 {
                    // With two players: this card was to be placed next, so the other one takes its place.
                    bid.card = card;
                }
            }
            let mut public = known.public;
            public.settle(&bids);
            bids.iter().filter(|bid| bid.seat == known.seat).for_each(|bid| drop(hand.take(bid.card)));
            let worth = self.brain.worth(&public, known.seat, hand, &mut appraisal);
            gains[cushion.index()][usize::from(other.value())] = worth.utility() - start.worth.utility();
        }
        gains
    }

    fn learn_bid(&self, known: &Known, thought: &BidThought, cushion: Cushion, gains: &ByBid, lesson: &mut Lesson) {
        let mix = &thought.mix;
        let on_it: f32 = mix.hand.values().map(|card| mix.share(card, cushion)).sum();
        let mut wanted: ByBid = [[0.0; 16]; 3];
        let mut mean = 0.0;
        for card in mix.hand.values() {
            let gain = gains[cushion.index()][usize::from(card.value())];
            let share = mix.share(card, cushion) / on_it.max(1e-6);
            mean += share * gain;
            wanted[cushion.index()][usize::from(card.value())] += share * gain;
        }
        let entropy: f32 = mix.iter().map(|(_, _, share)| share * ln(share.max(1e-8))).sum();
        for (card, at, share) in mix.iter() {
            wanted[at.index()][usize::from(card.value())] -=
                share * (mean + self.settings.mixed * (ln(share.max(1e-8)) - entropy));
        }
        self.brain.learn_bids(known, thought, &wanted, &mut lesson.change.bid);
        lesson.counts[1] += 1.0;
    }
}

fn random_seat(players: Players, chance: &mut Quick) -> Seat {
    players.seats().nth(chance.below(players.count().into()) as usize).unwrap_or_default()
}
