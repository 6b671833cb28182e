//! Estimates the hidden cards and the characters of the other seats from their bids.
//!
//! A guess is a possible hand of a seat. Guesses are sampled at random and weighted by their likelihood: the
//! probability that the seat would have made its bids of this stage with this hand. The [`Character`] of a seat is
//! unknown too; it is estimated from earlier stages, because all their cards have been revealed. `lookahead` imagines
//! tables from the guesses.

use sultan_domain::{Bid, Bids, Cards, FaceDownBid, MoneyCard, Recall, RoundRecord, Seat};
use sultan_rules::{FastRng, shuffle};

use crate::search::character::Character;
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::math::{exp, item_at, ln, random_unit};
use crate::search::mix::BidMix;
use crate::search::net::layers::{Sums, WIDE};
use crate::search::outlook::Outlook;
use crate::search::policy::Policy;

/// A finished round, with the public information after its offer.
struct PastRound {
    public: PublicState,
    outlook: Outlook,
    record: RoundRecord,
}

/// The finished rounds of a game, and its current public information.
pub struct PublicHistory<'a> {
    policy: &'a dyn Policy,
    public: &'a PublicState,
    /// The current values of jewels and winning chances.
    pub outlook: Outlook,
    /// All finished rounds; empty if the recall lacks some of them.
    rounds: Vec<PastRound>,
    /// The number of finished rounds that belong to earlier stages.
    rounds_before_stage: usize,
}

/// A possible hand of one seat.
#[derive(Clone, Copy)]
pub struct Guess {
    /// The cards in hand.
    pub hand: Cards,
    /// The seat's bids in this round.
    pub bids: Bids,
    /// The result of [`Policy::trunk`] for the hand at the start of this round.
    pub(crate) trunk: Sums,
    /// The assumed character of the seat.
    pub character: Character,
    /// The logarithm of the probability of the seat's bids in this stage, if this guess is right.
    log_likelihood: f32,
}

/// The possible hands of one seat, with their probabilities.
pub struct Belief {
    /// The seat.
    pub seat: Seat,
    /// The unrevealed cards of the seat. Each guess shuffles them.
    cards: Vec<MoneyCard>,
    /// The number of these cards that are in hand or face down, not in the deck.
    out_of_deck: usize,
    /// The probability of each character, estimated from earlier stages, in the order of [`Character::ALL`].
    characters: [f32; CHARACTERS],
    guesses: Vec<Guess>,
}

/// The number of characters.
const CHARACTERS: usize = Character::ALL.len();
/// The probability of each character before the seat has made any bid, in the order of [`Character::ALL`].
const PRIOR: [f32; CHARACTERS] = [0.4, 0.3, 0.1, 0.1, 0.1];

/// The lower bound for the assumed probability of a bid, because a seat may play differently from all characters.
const MIN_SHARE: f32 = 1e-3;

impl<'a> PublicHistory<'a> {
    /// Plays the finished rounds again, and computes the public information that each of their bids was based on.
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
        let rounds_in_stage = usize::from(public.round_index % parameters.rounds_per_stage);
        let rounds_before_stage = past.len().saturating_sub(rounds_in_stage);
        Self { policy, public, outlook: Outlook::new(public), rounds_before_stage, rounds: past }
    }

    /// The logarithm of the probability of a seat's bids in these rounds of one stage, if the seat has this character,
    /// and this hand after the last of the rounds.
    fn log_likelihood(&self, rounds: &[PastRound], seat: Seat, mut hand: Cards, character: Character) -> f32 {
        let mut log_likelihood = 0.0;
        // `hand` is the hand after the last round. So the loop runs backwards, and puts the played cards back.
        for PastRound { public, outlook, record } in rounds.iter().rev() {
            for bid in record.bids.into_iter().filter(|bid| bid.seat == seat) {
                hand.add(bid.card);
            }
            let trunk = self.trunk(public, seat, hand, character);
            let mut knowledge = Knowledge { public: *public, seat, hand, own: Bids::new() };
            for bid in record.bids {
                if bid.seat == seat {
                    let mix = self.policy.bids_as(character, &knowledge, &trunk, outlook);
                    log_likelihood += ln(mix.share(bid.card, bid.cushion).max(MIN_SHARE));
                    knowledge.hand.remove(bid.card);
                    knowledge.own.push(bid);
                }
                knowledge.public.bid(bid.cushion);
            }
        }
        log_likelihood
    }

    /// The probability that a seat has each character, estimated from its bids in earlier stages. Starts with the most
    /// recent stage, and ignores the remaining ones once `stop` returns `true`.
    fn character_probabilities(&self, seat: Seat, stop: &dyn Fn() -> bool) -> [f32; CHARACTERS] {
        let per_stage = usize::from(self.public.parameters.rounds_per_stage);
        let mut log_likelihoods = [0.0; CHARACTERS];
        for stage in self.rounds[..self.rounds_before_stage].rchunks(per_stage) {
            if stop() {
                break;
            }
            for (log_likelihood, character) in log_likelihoods.iter_mut().zip(Character::ALL) {
                // The hand is empty at the end of a stage.
                *log_likelihood += self.log_likelihood(stage, seat, Cards::NONE, character);
            }
        }
        // Bayes' rule. Subtracting the highest logarithm keeps the exponentials in the range of `f32`.
        let highest = log_likelihoods.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let weights: [f32; CHARACTERS] =
            std::array::from_fn(|index| PRIOR[index] * exp(log_likelihoods[index] - highest));
        let sum: f32 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// The character of a seat, estimated from earlier stages; `None` if no character has a probability above one half.
    pub(crate) fn character(&self, seat: Seat) -> Option<Character> {
        let probabilities = self.character_probabilities(seat, &|| false);
        let mut all = Character::ALL.into_iter().zip(probabilities);
        all.find(|&(_, probability)| probability > 0.5).map(|(character, _)| character)
    }

    /// The turns of this round at which a seat has placed a card.
    fn turns_of(&self, seat: Seat) -> impl Iterator<Item = usize> {
        let turns = self.public.placed.into_iter().enumerate();
        turns.filter(move |(_, bid)| bid.seat == seat).map(|(turn, _)| turn)
    }

    /// The result of [`Policy::trunk`]; zeros for the characters written by hand, which do not need it.
    fn trunk(&self, public: &PublicState, seat: Seat, hand: Cards, character: Character) -> Sums {
        match character {
            Character::Nets => self.policy.trunk(public, seat, hand),
            _ => [0.0; WIDE],
        }
    }
}

impl Belief {
    /// A belief without guesses. The character is estimated from earlier stages, until `stop` returns `true`.
    pub(crate) fn new(history: &PublicHistory, seat: Seat, stop: &dyn Fn() -> bool) -> Self {
        Self::with_characters(history, seat, history.character_probabilities(seat, stop))
    }

    /// The belief about a seat without a deck: a guess for each division of its unrevealed cards into hand and
    /// face-down cards. The seat is assumed to have the character in [`PublicState::characters`], or else
    /// [`Character::Nets`].
    pub(crate) fn enumerated(history: &PublicHistory, seat: Seat) -> Self {
        let mut characters = [0.0; CHARACTERS];
        characters[history.public.characters[seat.index()].unwrap_or_default() as usize] = 1.0;
        let mut belief = Self::with_characters(history, seat, characters);
        belief.enumerate_hands(history);
        belief
    }

    /// A belief without guesses, with these probabilities of the characters.
    fn with_characters(history: &PublicHistory, seat: Seat, characters: [f32; CHARACTERS]) -> Self {
        let cards: Vec<MoneyCard> = history.public.left[seat].iter().collect();
        let out_of_deck = (history.public.out_of_deck(seat) as usize).min(cards.len());
        Self { seat, cards, out_of_deck, characters, guesses: Vec::new() }
    }

    /// Whether the hand of the seat is known, and its character is almost certain, so that all guesses are the same.
    fn is_certain(&self, history: &PublicHistory) -> bool {
        let has_face_down_bid = history.turns_of(self.seat).next().is_some();
        self.cards.len() == self.out_of_deck
            && !has_face_down_bid
            && self.characters.iter().any(|&probability| probability > 0.99)
    }

    /// Adds a guess: a random hand, character, and cards of the face-down bids. Does not add it if every guess would be
    /// the same and one exists.
    pub fn guess(&mut self, history: &PublicHistory, rng: &mut FastRng) {
        if !self.guesses.is_empty() && self.is_certain(history) {
            return;
        }
        if self.cards.len() > self.out_of_deck {
            shuffle(&mut self.cards, rng);
        }
        let cards = Cards::of(&self.cards[..self.out_of_deck]);
        let character = if self.is_certain(history) { self.likeliest_character() } else { self.pick_character(rng) };
        let guess = self.guess_at_round_start(history, cards, character);
        let turns = history.turns_of(self.seat);
        self.guesses.push(turns.fold(guess, |guess, turn| guess.with_sampled_bid(history, turn, rng)));
    }

    /// The guess that the seat had this hand at the start of the round, and no face-down cards yet.
    fn guess_at_round_start(&self, history: &PublicHistory, hand: Cards, character: Character) -> Guess {
        let trunk = history.trunk(history.public, self.seat, hand, character);
        let rounds_of_stage = &history.rounds[history.rounds_before_stage..];
        let log_likelihood = history.log_likelihood(rounds_of_stage, self.seat, hand, character);
        Guess { hand, bids: Bids::new(), trunk, character, log_likelihood }
    }

    /// Removes all guesses, so that new ones can be sampled.
    pub fn clear_guesses(&mut self) {
        self.guesses.clear();
    }

    /// All guesses with weights in proportion to their probabilities; the most likely guess has the weight 1.
    fn weighted_guesses(&self) -> impl Iterator<Item = (&Guess, f32)> {
        let highest = self.guesses.iter().map(|guess| guess.log_likelihood).fold(f32::NEG_INFINITY, f32::max);
        self.guesses.iter().map(move |guess| (guess, exp(guess.log_likelihood - highest)))
    }

    /// All guesses with their probabilities.
    pub fn guesses(&self) -> impl Iterator<Item = (&Guess, f64)> {
        let sum: f64 = self.weighted_guesses().map(|(_, weight)| f64::from(weight)).sum();
        self.weighted_guesses().map(move |(guess, weight)| (guess, f64::from(weight) / sum))
    }

    /// Replaces the guesses by all possible divisions of the seat's cards into hand and face-down cards, for each of
    /// its possible characters. Requires that the deck of the seat is empty, so the number of divisions is small.
    pub fn enumerate_hands(&mut self, history: &PublicHistory) {
        debug_assert_eq!(self.cards.len(), self.out_of_deck, "the deck is empty");
        self.guesses.clear();
        let cards = Cards::of(&self.cards);
        let probabilities = Character::ALL.into_iter().zip(self.characters);
        for (character, probability) in probabilities.filter(|&(_, probability)| probability > 0.0) {
            let mut guess = self.guess_at_round_start(history, cards, character);
            guess.log_likelihood += ln(probability);
            let mut guesses = vec![guess];
            for turn in history.turns_of(self.seat) {
                guesses = guesses.into_iter().flat_map(|guess| guess.with_each_bid(history, turn)).collect();
            }
            self.guesses.extend(guesses);
        }
    }

    fn likeliest_character(&self) -> Character {
        let all = Character::ALL.into_iter().zip(self.characters);
        all.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(Character::Nets, |(character, _)| character)
    }

    /// Picks a random character according to the probabilities.
    fn pick_character(&self, rng: &mut FastRng) -> Character {
        let probabilities = Character::ALL.into_iter().zip(self.characters);
        // The probabilities are rounded. If their sum is slightly below 1, the remainder belongs to the nets.
        item_at(probabilities.chain([(Character::Nets, 1.0)]), random_unit(rng)).unwrap_or_default()
    }

    /// Picks a random guess according to the probabilities.
    pub(crate) fn pick(&self, rng: &mut FastRng) -> &Guess {
        let position = random_unit(rng) * self.weighted_guesses().map(|(_, weight)| weight).sum::<f32>();
        item_at(self.weighted_guesses(), position).expect("a hand is guessed before one is picked")
    }
}

impl Guess {
    /// The bid that the seat made at this turn of the round, and the probabilities of its possible bids at that time.
    fn mix_at(&self, history: &PublicHistory, turn: usize) -> (BidMix, FaceDownBid) {
        let mut public = *history.public;
        let placed = public.placed[turn];
        public.placed.truncate(turn);
        let knowledge = Knowledge { public, seat: placed.seat, hand: self.hand, own: self.bids };
        (history.policy.bids_as(self.character, &knowledge, &self.trunk, &history.outlook), placed)
    }

    /// This guess, with a card of the hand as the card of a face-down bid. The seat makes this bid with the probability
    /// `share`.
    fn with_bid(mut self, card: MoneyCard, placed: FaceDownBid, share: f32) -> Self {
        self.log_likelihood += ln(share.max(MIN_SHARE));
        self.hand.remove(card);
        self.bids.push(Bid { seat: placed.seat, card, cushion: placed.cushion });
        self
    }

    /// This guess, with a random card for the bid at this turn: the likelier the seat's bid with a card, the more often
    /// this card.
    fn with_sampled_bid(self, history: &PublicHistory, turn: usize, rng: &mut FastRng) -> Self {
        let (mix, placed) = self.mix_at(history, turn);
        let shares = || mix.hand.values().map(|card| (card, mix.share(card, placed.cushion)));
        // The card is a guess, so the bid's probability is that of any card on this cushion.
        let cushion_share: f32 = shares().map(|(_, share)| share).sum();
        let card = item_at(shares(), random_unit(rng) * cushion_share).unwrap_or_default();
        self.with_bid(card, placed, cushion_share)
    }

    /// One guess for each card of the hand that may have been placed at this turn.
    fn with_each_bid(self, history: &PublicHistory, turn: usize) -> impl Iterator<Item = Self> {
        let (mix, placed) = self.mix_at(history, turn);
        self.hand.values().map(move |card| self.with_bid(card, placed, mix.share(card, placed.cushion)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::net::weights::Nets;
    use crate::{Bot, by_name};
    use sultan_domain::{Observer, Parameters, Players, Screens, View};
    use sultan_rules::SeededGame;

    /// Lets bots of these levels play a number of actions, and returns the view and recall of the seat to act next.
    fn after_actions(action_count: u16, levels: &[&str], seed: u64) -> (View, Recall) {
        let players = Players::new(u8::try_from(levels.len()).unwrap()).unwrap();
        let bots: Vec<Box<dyn Bot>> = levels.iter().map(|name| by_name(name).unwrap()).collect();
        let mut rng = FastRng::new(seed);
        let mut game = SeededGame::shuffled(Parameters::of(players), Seat::default(), Screens::Closed, &mut rng);
        loop {
            game.draw().unwrap();
            let (current, recall, rng) = game.game_recall_and_source();
            let seat = current.to_act().expect("the game has more actions");
            let view = current.view(Observer::Seat(seat));
            if current.action_count() >= action_count {
                return (view, recall.clone());
            }
            let action = bots[seat.index()].choose(&view, recall, rng, &|| false).unwrap();
            game.play(action).unwrap();
        }
    }

    #[test]
    fn characters_of_hand_written_levels_are_recognised_after_two_stages() {
        let levels = ["jeweller", "merchant", "page", "random"];
        let mut recognised = 0;
        for seed in 0..20 {
            // Two stages of five rounds, each with an offer and four bids, are 50 actions.
            let (view, recall) = after_actions(51, &levels, seed);
            let knowledge = Knowledge::new(&view, &recall, &mut FastRng::new(1)).unwrap();
            let players = view.parameters.players;
            let history = PublicHistory::new(&Nets::shipped(players).net_set, &knowledge.public, &recall);
            // The characters written by hand are in the same order as `levels`.
            for (seat, character) in players.seats().zip(&Character::ALL[1..]) {
                let probabilities = history.character_probabilities(seat, &|| false);
                assert!((probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                recognised += u32::from(probabilities[*character as usize] > 0.8);
            }
        }
        assert!(recognised >= 70, "only {recognised} of 80 characters were recognised");
    }

    #[test]
    fn guessed_cards_agree_with_the_public_information() {
        // With these numbers of actions, a round has one or two face-down cards.
        for (action_count, levels) in
            [(13, &["jeweller"; 4][..]), (44, &["merchant"; 5]), (38, &["page"; 2]), (59, &["vizier"; 3])]
        {
            let (view, recall) = after_actions(action_count, levels, 7);
            let knowledge = Knowledge::new(&view, &recall, &mut FastRng::new(1)).unwrap();
            let public = &knowledge.public;
            let history = PublicHistory::new(&Nets::shipped(public.parameters.players).net_set, public, &recall);
            for seat in knowledge.others() {
                let mut belief = Belief::new(&history, seat, &|| false);
                let mut rng = FastRng::new(3);
                (0..8).for_each(|_| belief.guess(&history, &mut rng));
                let guess = belief.pick(&mut rng);
                let mut cards = guess.hand;
                guess.bids.iter().for_each(|bid| assert!(cards.add(bid.card)));
                assert_eq!(cards.len(), public.out_of_deck(seat));
                assert!(public.left[seat].without(cards).is_some());
                let placed = public.placed.iter().filter(|bid| bid.seat == seat);
                assert!(placed.map(|bid| bid.cushion).eq(guess.bids.iter().map(|bid| bid.cushion)));
            }
        }
    }
}
