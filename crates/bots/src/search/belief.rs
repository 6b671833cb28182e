//! Estimates the hidden cards and the characters of the other seats from their bids.
//!
//! Possible hands are sampled at random and weighted by the likelihood of the seat's bids with them, in this round and
//! in the finished rounds of this stage. The character of a seat is unknown too (see [`Character`]); it is estimated
//! from earlier stages, whose cards have all been revealed. `lookahead` samples from these guesses.

use sultan_domain::{Bid, Bids, Cards, Cushion, FaceDownBid, MoneyCard, Recall, RoundRecord, Seat};
use sultan_rules::{Quick, shuffle};

use crate::search::character::Character;
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::math::{exp, item_at, ln, random_unit};
use crate::search::mix::BidMix;
use crate::search::net::layers::{Sums, WIDE};
use crate::search::outlook::Outlook;
use crate::search::policy::Policy;

/// A finished round: the public information at its offer, and its record.
struct PastRound {
    public: PublicState,
    outlook: Outlook,
    record: RoundRecord,
}

/// The public history of a game.
pub struct PublicHistory<'a> {
    policy: &'a dyn Policy,
    public: &'a PublicState,
    /// The current values of jewels and winning chances.
    pub outlook: Outlook,
    /// All finished rounds; empty if the recall has gaps, or if they are not needed.
    rounds: Vec<PastRound>,
    /// The number of these rounds in earlier stages.
    rounds_before_stage: usize,
}

/// A possible hand of one seat.
#[derive(Clone, Copy)]
pub struct Guess {
    /// The hand.
    pub hand: Cards,
    /// The cards it has placed in this round.
    pub bids: Bids,
    /// The first-layer sums of its bids in this round; see [`Policy::trunk`].
    pub(crate) trunk: Sums,
    /// Its assumed character.
    pub character: Character,
    /// The log-likelihood of its bids.
    log_likelihood: f32,
}

/// The possible hands of one seat, with their probabilities.
pub struct Belief {
    /// The seat.
    pub seat: Seat,
    /// Its possible cards, in an order that changes with every guess, and the number of them outside its deck.
    cards: Vec<MoneyCard>,
    out_of_deck: usize,
    /// The probability of each character, estimated from earlier stages.
    characters: [f32; CHARACTERS],
    guesses: Vec<Guess>,
}

const CHARACTERS: usize = Character::ALL.len();
/// The prior probability of each character.
const PRIOR: [f32; CHARACTERS] = [0.4, 0.3, 0.1, 0.1, 0.1];

/// The lower bound of a bid's probability, because any model may be wrong.
const MIN_SHARE: f32 = 1e-3;

impl<'a> PublicHistory<'a> {
    pub(crate) fn new(policy: &'a dyn Policy, public: &'a PublicState, recall: &Recall) -> Self {
        let parameters = public.parameters;
        let rounds = if recall.is_complete_before(&parameters, public.round_index) { recall.rounds() } else { &[] };
        let mut state = PublicState::start(parameters, rounds.first().map_or(public.first, |record| record.first_seat));
        let mut past = Vec::with_capacity(rounds.len());
        for record in rounds {
            state.drawn = record.drawn;
            state.pouch = state.pouch.without(record.drawn.jewels()).unwrap_or_default();
            state.make_offer(record.offer.unwrap_or_default());
            past.push(PastRound { public: state, outlook: Outlook::new(&state), record: *record });
            state.settle(&record.bids);
        }
        let in_stage = usize::from(public.round_index % parameters.rounds_per_stage);
        Self {
            policy,
            public,
            outlook: Outlook::new(public),
            rounds_before_stage: past.len().saturating_sub(in_stage),
            rounds: past,
        }
    }

    /// A history without earlier rounds, for searches with fixed characters and known hands.
    pub(crate) fn of_this_round(policy: &'a dyn Policy, public: &'a PublicState) -> Self {
        Self { policy, public, outlook: Outlook::new(public), rounds_before_stage: 0, rounds: Vec::new() }
    }

    /// The log-likelihood of a seat's bids in these rounds of a stage, if it has these cards after them.
    fn log_likelihood(&self, rounds: &[PastRound], seat: Seat, cards: Cards, character: Character) -> f32 {
        let mut hand = cards;
        let mut log_likelihood = 0.0;
        // Backwards from the last round, the hand grows by the played cards.
        for PastRound { public, outlook, record } in rounds.iter().rev() {
            for bid in record.bids.into_iter().filter(|bid| bid.seat == seat) {
                hand.put(bid.card);
            }
            let trunk = self.trunk(public, seat, hand, character);
            let (mut knowledge, mut state) = (Knowledge { public: *public, seat, hand, own: Bids::new() }, *public);
            for bid in record.bids {
                if bid.seat == seat {
                    knowledge.public = state;
                    let mix = self.policy.bids_as(character, &knowledge, &trunk, outlook);
                    log_likelihood += ln(mix.share(bid.card, bid.cushion).max(MIN_SHARE));
                    knowledge.hand.take(bid.card);
                    knowledge.own.push(bid);
                }
                state.bid(bid.cushion);
            }
        }
        log_likelihood
    }

    /// The probability of each character of a seat, estimated from earlier stages, the latest first. If time is up, the
    /// remaining stages are ignored.
    fn characters(&self, seat: Seat, stop: &dyn Fn() -> bool) -> [f32; CHARACTERS] {
        let per_stage = usize::from(self.public.parameters.rounds_per_stage);
        let mut log_likelihoods = [0.0; CHARACTERS];
        for stage in self.rounds[..self.rounds_before_stage].rchunks(per_stage) {
            if stop() {
                break;
            }
            for (log_likelihood, character) in log_likelihoods.iter_mut().zip(Character::ALL) {
                // The hand is empty at the end of a stage, so all earlier hands of the stage are known.
                *log_likelihood += self.log_likelihood(stage, seat, Cards::NONE, character);
            }
        }
        let highest = log_likelihoods.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let mut chances = PRIOR;
        chances
            .iter_mut()
            .zip(log_likelihoods)
            .for_each(|(chance, log_likelihood)| *chance *= exp(log_likelihood - highest));
        let sum: f32 = chances.iter().sum();
        chances.map(|chance| chance / sum)
    }

    /// The character of a seat, estimated from earlier stages; `None` if no character is more likely than all others
    /// together.
    pub(crate) fn character(&self, seat: Seat) -> Option<Character> {
        let chances = self.characters(seat, &|| false);
        Character::ALL.into_iter().zip(chances).find(|&(_, chance)| chance > 0.5).map(|(character, _)| character)
    }

    /// The finished rounds of this stage.
    fn this_stage(&self) -> &[PastRound] {
        &self.rounds[self.rounds_before_stage..]
    }

    /// The turns of this round at which a seat has placed a card.
    fn turns_of(&self, seat: Seat) -> impl Iterator<Item = usize> {
        let turns = self.public.placed.into_iter().enumerate();
        turns.filter(move |(_, bid)| bid.seat == seat).map(|(turn, _)| turn)
    }

    fn trunk(&self, public: &PublicState, seat: Seat, hand: Cards, character: Character) -> Sums {
        match character {
            Character::Nets => self.policy.trunk(public, seat, hand),
            _ => [0.0; WIDE],
        }
    }
}

impl Belief {
    /// A belief without guesses. The character is estimated from earlier stages until time is up.
    pub(crate) fn new(history: &PublicHistory, seat: Seat, stop: &dyn Fn() -> bool) -> Self {
        Self::with_characters(history, seat, history.characters(seat, stop))
    }

    /// Enumerates which cards of a seat without a deck are in hand and which are face down, with its estimated
    /// character, or else [`Character::Nets`].
    pub(crate) fn enumerated(history: &PublicHistory, seat: Seat) -> Self {
        let mut characters = [0.0; CHARACTERS];
        characters[history.public.characters[seat.index()].unwrap_or_default() as usize] = 1.0;
        let mut belief = Self::with_characters(history, seat, characters);
        belief.enumerate_hands(history);
        belief
    }

    fn with_characters(history: &PublicHistory, seat: Seat, characters: [f32; CHARACTERS]) -> Self {
        let cards: Vec<MoneyCard> = history.public.left[seat].iter().collect();
        let out_of_deck = (history.public.out_of_deck(seat) as usize).min(cards.len());
        Self { seat, cards, out_of_deck, characters, guesses: Vec::new() }
    }

    /// Whether all further guesses would be identical.
    fn is_certain(&self, history: &PublicHistory) -> bool {
        let has_face_down_bid = history.turns_of(self.seat).next().is_some();
        self.cards.len() == self.out_of_deck
            && !has_face_down_bid
            && self.characters.iter().any(|&chance| chance > 0.99)
    }

    /// Samples one more hand.
    pub fn guess(&mut self, history: &PublicHistory, rng: &mut Quick) {
        if !self.guesses.is_empty() && self.is_certain(history) {
            return;
        }
        if self.cards.len() > self.out_of_deck {
            shuffle(&mut self.cards, rng);
        }
        let cards = Cards::of(&self.cards[..self.out_of_deck]);
        let character = if self.is_certain(history) { self.likeliest() } else { self.pick_character(rng) };
        let trunk = history.trunk(history.public, self.seat, cards, character);
        let log_likelihood = history.log_likelihood(history.this_stage(), self.seat, cards, character);
        let guess = Guess { hand: cards, bids: Bids::new(), trunk, character, log_likelihood };
        let turns = history.turns_of(self.seat);
        self.guesses.push(turns.fold(guess, |guess, turn| guess.with_sampled_bid(history, turn, rng)));
    }

    /// Removes all guesses, so that new ones can be sampled.
    pub fn forget(&mut self) {
        self.guesses.clear();
    }

    /// All guesses with their probabilities.
    pub fn guesses(&self) -> impl Iterator<Item = (&Guess, f64)> {
        let most = self.guesses.iter().map(|guess| guess.log_likelihood).fold(f32::NEG_INFINITY, f32::max);
        let weight = move |guess: &Guess| f64::from(exp(guess.log_likelihood - most));
        let sum: f64 = self.guesses.iter().map(weight).sum();
        self.guesses.iter().map(move |guess| (guess, weight(guess) / sum))
    }

    /// Replaces the guesses by all possible divisions of the cards into hand and face-down bids. Requires that no deck
    /// is left, so there are few.
    pub fn enumerate_hands(&mut self, history: &PublicHistory) {
        debug_assert_eq!(self.cards.len(), self.out_of_deck, "no deck is left");
        self.guesses.clear();
        let cards = Cards::of(&self.cards);
        let may_be = Character::ALL.into_iter().zip(self.characters).filter(|&(_, chance)| chance > 0.0);
        for (character, chance) in may_be {
            let trunk = history.trunk(history.public, self.seat, cards, character);
            let log_likelihood = ln(chance) + history.log_likelihood(history.this_stage(), self.seat, cards, character);
            let mut guesses = vec![Guess { hand: cards, bids: Bids::new(), trunk, character, log_likelihood }];
            for turn in history.turns_of(self.seat) {
                guesses = guesses.into_iter().flat_map(|guess| guess.with_each_bid(history, turn)).collect();
            }
            self.guesses.extend(guesses);
        }
    }

    fn likeliest(&self) -> Character {
        let all = Character::ALL.into_iter().zip(self.characters);
        all.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(Character::Nets, |(character, _)| character)
    }

    fn pick_character(&self, rng: &mut Quick) -> Character {
        let shares = Character::ALL.into_iter().zip(self.characters);
        // Shares are rounded: the remainder belongs to the nets.
        item_at(shares.chain([(Character::Nets, 1.0)]), random_unit(rng)).unwrap_or_default()
    }

    /// Picks a guess with its probability.
    pub(crate) fn pick(&self, rng: &mut Quick) -> &Guess {
        let most = self.guesses.iter().map(|guess| guess.log_likelihood).fold(f32::NEG_INFINITY, f32::max);
        let weight = |guess: &Guess| exp(guess.log_likelihood - most);
        let at = random_unit(rng) * self.guesses.iter().map(weight).sum::<f32>();
        let shares = self.guesses.iter().map(|guess| (guess, weight(guess)));
        item_at(shares, at).expect("a hand is guessed before one is picked")
    }
}

impl Guess {
    /// The probabilities of the bids of its seat at this turn, and the cushion of its bid.
    fn mix_at(&self, history: &PublicHistory, turn: usize) -> (BidMix, FaceDownBid) {
        let mut public = *history.public;
        let placed = public.placed[turn];
        public.placed.truncate(turn);
        let knowledge = Knowledge { public, seat: placed.seat, hand: self.hand, own: self.bids };
        (history.policy.bids_as(self.character, &knowledge, &self.trunk, &history.outlook), placed)
    }

    /// This guess with a face-down card, whose bid had this probability.
    fn with_bid(mut self, card: MoneyCard, placed: FaceDownBid, share: f32) -> Self {
        self.log_likelihood += ln(share.max(MIN_SHARE));
        self.hand.take(card);
        self.bids.push(Bid { seat: placed.seat, card, cushion: placed.cushion });
        self
    }

    /// This guess with one more sampled card, with the probability that its owner would have placed it there.
    fn with_sampled_bid(self, history: &PublicHistory, turn: usize, rng: &mut Quick) -> Self {
        let (mix, placed) = self.mix_at(history, turn);
        let (card, share) = pick_on(&mix, placed.cushion, rng);
        self.with_bid(card, placed, share)
    }

    /// One guess for each card of the hand that may have been placed at this turn.
    fn with_each_bid(self, history: &PublicHistory, turn: usize) -> impl Iterator<Item = Self> {
        let (mix, placed) = self.mix_at(history, turn);
        self.hand.values().map(move |card| self.with_bid(card, placed, mix.share(card, placed.cushion)))
    }
}

/// Picks a card for a cushion. Also returns the total probability of a bid on this cushion.
fn pick_on(mix: &BidMix, cushion: Cushion, rng: &mut Quick) -> (MoneyCard, f32) {
    let likely = mix.hand.values().map(|card| mix.share(card, cushion)).sum();
    let shares = mix.hand.values().map(|card| (card, mix.share(card, cushion)));
    (item_at(shares, random_unit(rng) * likely).unwrap_or_default(), likely)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::net::weights::Nets;
    use crate::{Bot, by_name};
    use sultan_domain::{Observer, Parameters, Players, Screens, View};
    use sultan_rules::SeededGame;

    /// Plays these bots up to this action, and returns the view and recall of the seat to act.
    fn played_until(at: u16, names: &[&str], seed: u64) -> (View, Recall) {
        let players = Players::new(u8::try_from(names.len()).unwrap()).unwrap();
        let bots: Vec<Box<dyn Bot>> = names.iter().map(|name| by_name(name).unwrap()).collect();
        let mut rng = Quick::new(seed);
        let mut game = SeededGame::shuffled(Parameters::of(players), Seat::default(), Screens::Closed, &mut rng);
        loop {
            game.draw().unwrap();
            let (now, recall, rng) = game.game_recall_and_source();
            let seat = now.to_act().expect("the game is longer");
            let view = now.view(Observer::Seat(seat));
            if now.at() >= at {
                return (view, recall.clone());
            }
            let action = bots[seat.index()].choose(&view, recall, rng, &|| false).unwrap();
            game.play(action).unwrap();
        }
    }

    #[test]
    fn opponents_are_classified_correctly_after_two_stages() {
        let names = ["jeweller", "merchant", "page", "random"];
        let mut right = 0;
        for seed in 0..20 {
            let (view, recall) = played_until(51, &names, seed);
            let knowledge = Knowledge::new(&view, &recall, &mut Quick::new(1)).unwrap();
            let history = PublicHistory::new(
                &Nets::shipped(knowledge.public.parameters.players).net_set,
                &knowledge.public,
                &recall,
            );
            for (seat, character) in knowledge.public.parameters.players.seats().zip(&Character::ALL[1..]) {
                let chances = history.characters(seat, &|| false);
                assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                right += u32::from(chances[*character as usize] > 0.8);
            }
        }
        assert!(right >= 70, "{right} of 80");
    }

    #[test]
    fn sampled_hands_fit_the_observed_bids() {
        for (at, names) in
            [(13, &["jeweller"; 4][..]), (44, &["merchant"; 5]), (38, &["page"; 2]), (59, &["vizier"; 3])]
        {
            let (view, recall) = played_until(at, names, 7);
            let knowledge = Knowledge::new(&view, &recall, &mut Quick::new(1)).unwrap();
            let public = &knowledge.public;
            let history = PublicHistory::new(&Nets::shipped(public.parameters.players).net_set, public, &recall);
            for seat in public.parameters.players.seats().filter(|&seat| seat != knowledge.seat) {
                let mut belief = Belief::new(&history, seat, &|| false);
                let mut rng = Quick::new(3);
                (0..8).for_each(|_| belief.guess(&history, &mut rng));
                let guess = belief.pick(&mut rng);
                let mut cards = guess.hand;
                guess.bids.iter().for_each(|bid| assert!(cards.put(bid.card)));
                assert_eq!(cards.len(), public.out_of_deck(seat));
                assert!(public.left[seat].without(cards).is_some());
                let placed = public.placed.iter().filter(|bid| bid.seat == seat);
                assert!(placed.map(|bid| bid.cushion).eq(guess.bids.iter().map(|bid| bid.cushion)));
            }
        }
    }
}
