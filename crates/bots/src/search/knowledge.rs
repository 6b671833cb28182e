//! The knowledge of a seat: the public information, the seat's own hand, and its own face-down cards.
//!
//! [`Knowledge`] is made from a `View` and a `Recall`. A search can also play [`PublicState`] on, round by round; a
//! property test compares it with the real game.

use sultan_domain::{
    Bid, Bids, BySeat, Cards, Chance, Collection, Cushion, CushionSet, Drawn, FaceDownBid, Jewel, Jewels, MoneyCard,
    Offer, Parameters, PlacedBid, Recall, RoundRecord, Seat, View, ViewPhase,
};
use sultan_rules::{imagine, winners};
use tinyvec::ArrayVec;

use crate::search::character::Character;

/// The public information of a game: visible to all seats, now or in a finished round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicState {
    /// The parameters of the game.
    pub parameters: Parameters,
    /// The number of finished rounds, and so the index of the current round.
    pub round_index: u8,
    /// The first player of the round.
    pub first: Seat,
    /// The jewels that each seat has won.
    pub collections: BySeat<Collection>,
    /// The unrevealed cards of each seat: in its hand, in its deck, or face down on the board.
    pub left: BySeat<Cards>,
    /// The jewels in the pouch.
    pub pouch: Jewels,
    /// The drawn jewels. Empty before the draw.
    pub drawn: Drawn,
    /// The jewels on the cushions; empty before the offer.
    pub offer: Offer,
    /// The cards placed in this round, in order.
    pub placed: ArrayVec<[FaceDownBid; 5]>,
    /// The estimated character of each seat, if there is an estimate.
    pub characters: [Option<Character>; 5],
}

impl PublicState {
    /// The start of a game.
    #[must_use]
    pub fn start(parameters: Parameters, first: Seat) -> Self {
        Self {
            parameters,
            round_index: 0,
            first,
            collections: BySeat::default(),
            left: BySeat([parameters.full_set(); 5]),
            pouch: parameters.pouch,
            drawn: Drawn::default(),
            offer: Offer::default(),
            placed: ArrayVec::new(),
            characters: [None; 5],
        }
    }

    /// The number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        usize::from(self.parameters.players.count())
    }

    /// Whether the last round has been settled.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.round_index >= self.parameters.rounds()
    }

    /// Draws the jewels of the round.
    pub fn draw(&mut self, rng: &mut impl Chance) {
        self.drawn = Drawn::from_pouch(&mut self.pouch, self.parameters.draw_size(), rng);
    }

    /// Puts these jewels on the cushions, and the remaining one back into the pouch.
    pub fn make_offer(&mut self, offer: Offer) {
        self.pouch.add(self.drawn.put_back(offer.jewels()).expect("an offer consists of drawn jewels"));
        self.offer = offer;
    }

    /// The next bidder.
    #[must_use]
    pub fn bidder(&self) -> Seat {
        self.parameters.bidder(self.first, self.turn())
    }

    /// The number of bids on the board.
    #[must_use]
    pub fn turn(&self) -> u8 {
        u8::try_from(self.placed.len()).unwrap_or(u8::MAX)
    }

    /// Whether a seat, which is the next bidder, will place another card later in the round.
    pub(crate) fn bids_again(&self, seat: Seat) -> bool {
        (self.turn() + 1..self.parameters.bids_per_round()).any(|turn| self.parameters.bidder(self.first, turn) == seat)
    }

    /// Whether all bids of the round are placed.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.turn() >= self.parameters.bids_per_round()
    }

    /// The cushions on which a seat may place its next card (RULES 4.3).
    #[must_use]
    pub fn open_cushions(&self, seat: Seat) -> CushionSet {
        let bids_of_seat = self.placed.iter().filter(|bid| bid.seat == seat);
        self.parameters.open_cushions(bids_of_seat.map(|bid| bid.cushion))
    }

    /// Adds a bid of the next bidder.
    pub(crate) fn bid(&mut self, cushion: Cushion) {
        self.placed.push(FaceDownBid { seat: self.bidder(), cushion });
    }

    /// Reveals all cards, gives the jewels to the winners of the cushions, and starts the next round. Jewels without a
    /// bid return to the pouch.
    pub fn settle(&mut self, bids: &[Bid]) {
        let winners = winners(&self.parameters, self.first, bids);
        for cushion in Cushion::first(self.parameters.cushions) {
            let jewel = self.offer.jewels_on(cushion);
            match winners[cushion] {
                Some(seat) => self.collections[seat] = self.collections[seat].with(jewel),
                None => self.pouch = self.pouch.with(jewel),
            }
        }
        for bid in bids {
            self.left[bid.seat].remove(bid.card);
        }
        self.round_index += 1;
        self.first = self.first.left_neighbour(self.parameters.players);
        self.drawn = Drawn::default();
        self.offer = Offer::default();
        self.placed.clear();
    }

    /// A seat's points so far.
    #[must_use]
    pub fn points(&self, seat: Seat) -> u16 {
        self.parameters.points(self.collections[seat])
    }

    /// The increase of a seat's bonus with one more jewel of this colour.
    #[must_use]
    pub fn next_bonus(&self, seat: Seat, jewel: Jewel) -> u16 {
        let owned = self.collections[seat].count(jewel);
        self.parameters.bonus(owned + 1) - self.parameters.bonus(owned)
    }

    /// The number of a seat's unrevealed cards that are not in its deck, but in its hand or face down.
    #[must_use]
    pub fn out_of_deck(&self, seat: Seat) -> u32 {
        let parameters = &self.parameters;
        let begun_stages = self.round_index / parameters.rounds_per_stage + 1;
        let later_stages = parameters.stages.saturating_sub(begun_stages);
        // In a variant, a seat may have more cards than it draws in all stages.
        let never_drawn =
            parameters.full_set().len() - u32::from(parameters.hand_size()) * u32::from(parameters.stages);
        self.left[seat].len() - u32::from(later_stages * parameters.hand_size()) - never_drawn
    }
}

/// The complete knowledge of a seat.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge {
    /// The public information.
    pub public: PublicState,
    /// The seat.
    pub seat: Seat,
    /// The cards in hand.
    pub hand: Cards,
    /// The seat's own bids in this round, in order.
    pub own: Bids,
}

impl Knowledge {
    /// The knowledge of the seat that observes the view. If the recall lacks finished rounds, they are replaced by
    /// random ones that agree with the view. `None` if the view is a spectator's, or if view and recall contradict each
    /// other.
    pub fn new(view: &View, recall: &Recall, rng: &mut impl Chance) -> Option<Self> {
        let seat = view.observer.seat()?;
        let parameters = view.parameters;
        // When the game is over, the view still names the last round, which is finished then.
        let round_index = parameters.round_index(view.stage, view.round)? + u8::from(view.phase == ViewPhase::Over);
        let mut public = PublicState { round_index, ..PublicState::start(parameters, view.first_seat) };
        let is_complete = recall.is_complete_before(&parameters, round_index);
        if is_complete && !recall.rounds().iter().all(is_offer_from_draw) {
            return None;
        }
        let imagined = if is_complete { None } else { Some(imagine(view, recall, rng).ok()?) };
        for player in parameters.players.seats() {
            let (collection, played) = match &imagined {
                None => (recall.collection(player), recall.played(player)),
                Some(game) => (game.collection(player), game.played(player)),
            };
            public.collections[player] = collection;
            public.left[player] = unrevealed_after(&public, &played)?;
        }
        let won = parameters.players.seats().fold(Jewels::NONE, |sum, player| sum.with(public.collections[player]));
        public.drawn = view.drawn;
        public.offer = view.offer;
        let on_board = if view.offer.is_empty() { view.drawn.jewels() } else { view.offer.jewels() };
        public.pouch = parameters.pouch.without(won)?.without(on_board)?;
        let mut own = Bids::new();
        for &bid in &view.bids {
            public.placed.push(bid.face_down());
            if let PlacedBid::Own(bid) = bid {
                own.push(bid);
            }
        }
        let knowledge = Self { public, seat, hand: view.hand, own };
        // A card in hand that the seat has already played is a contradiction.
        knowledge.public.left[seat].without(knowledge.round_hand()).map(|_| knowledge)
    }

    /// The other seats.
    pub fn others(&self) -> impl Iterator<Item = Seat> + use<> {
        let own = self.seat;
        self.public.parameters.players.seats().filter(move |&seat| seat != own)
    }

    /// The hand at the start of the round: the present hand and the seat's own face-down cards.
    #[must_use]
    pub fn round_hand(&self) -> Cards {
        let mut hand = self.hand;
        for bid in self.own {
            hand.add(bid.card);
        }
        hand
    }
}

/// Whether the offer of a finished round consists of all drawn jewels but one (RULES 4.1).
fn is_offer_from_draw(round: &RoundRecord) -> bool {
    round.offer.is_some_and(|offer| round.drawn.put_back(offer.jewels()).is_some())
}

/// The cards of a full set that are unrevealed after a seat has played these cards. `None` if their number is not that
/// of the finished rounds, or if they are not from one set.
fn unrevealed_after(public: &PublicState, played: &[MoneyCard]) -> Option<Cards> {
    let expected_count = usize::from(public.round_index) * usize::from(public.parameters.bids_per_player);
    let without = |mut unrevealed: Cards, &card: &MoneyCard| unrevealed.remove(card).then_some(unrevealed);
    if played.len() == expected_count { played.iter().try_fold(public.parameters.full_set(), without) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sultan_domain::{Action, Observer, Players, Screens};
    use sultan_rules::{FastRng, Pending};
    use sultan_testkit::{Input, Moment, Script, recall};

    /// Applies one input of a real game to `public`: the input that led from the state `before` to the state `after`.
    fn apply_input(public: &mut PublicState, before: &Moment, after: &Moment) {
        match after.input {
            Some(Input::Draw(drawn)) => {
                public.pouch = public.pouch.without(drawn.jewels()).unwrap();
                public.drawn = drawn;
            }
            Some(Input::Act(_, Action::Offer(offer))) => public.make_offer(offer),
            Some(Input::Act(seat, Action::Bid { card, cushion })) => {
                assert_eq!(public.bidder(), seat);
                assert!(public.open_cushions(seat).has(cushion));
                public.bid(cushion);
                if public.is_full() {
                    let mut bids = before.game.bids();
                    bids.push(Bid { seat, card, cushion });
                    public.settle(&bids);
                }
            }
            None => {}
        }
    }

    /// Checks that the knowledge which a seat gets from its view and recall agrees with `public` and with the real
    /// game.
    fn check_knowledge(public: &PublicState, moment: &Moment, seat: Seat, recall: &Recall) {
        let view = moment.game.view(Observer::Seat(seat));
        let knowledge = Knowledge::new(&view, recall, &mut FastRng::new(1)).unwrap();
        // After the last round, the view still names its first player, while `settle` moved on to the next seat.
        let first = if public.is_over() { public.first } else { knowledge.public.first };
        assert_eq!(PublicState { first, ..knowledge.public }, *public);
        assert_eq!((knowledge.seat, knowledge.hand), (seat, moment.game.hand(seat)));
        assert!(knowledge.own.iter().eq(moment.game.bids().iter().filter(|bid| bid.seat == seat)));
        assert_eq!(public.is_over(), matches!(moment.game.pending(), Pending::Over(_)));
        assert_eq!(public.out_of_deck(seat), knowledge.hand.len() + u32::try_from(knowledge.own.len()).unwrap());
        assert_eq!(public.points(seat), moment.game.standings().places[seat.index()].points);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn public_state_played_on_agrees_with_every_view(seed: u64, players in 2_u8..=5, open_screens: bool) {
            let players = Players::new(players).unwrap();
            let screens = if open_screens { Screens::Open } else { Screens::Closed };
            let moments = Script::random(players, screens, seed).moments();
            let mut public = PublicState::start(Parameters::of(players), moments[0].game.first_seat());
            for (index, moment) in moments.iter().enumerate() {
                apply_input(&mut public, &moments[index.saturating_sub(1)], moment);
                for seat in players.seats() {
                    check_knowledge(&public, moment, seat, &recall(&moments[..=index], Observer::Seat(seat)));
                }
            }
        }

        #[test]
        fn knowledge_from_an_empty_recall_has_the_right_number_of_unrevealed_cards(seed: u64, players in 2_u8..=5) {
            let players = Players::new(players).unwrap();
            for moment in Script::random(players, Screens::Closed, seed).moments() {
                let view = moment.game.view(Observer::Seat(Seat::default()));
                let knowledge = Knowledge::new(&view, &Recall::default(), &mut FastRng::new(seed)).unwrap();
                for seat in players.seats() {
                    let unrevealed = knowledge.public.left[seat].len();
                    let played = u32::try_from(moment.game.played(seat).len()).unwrap();
                    prop_assert_eq!(unrevealed + played, knowledge.public.parameters.full_set().len());
                }
            }
        }

        #[test]
        fn contradictory_recall_is_rejected(seed: u64, players in 2_u8..=5) {
            let players = Players::new(players).unwrap();
            let moments = Script::random(players, Screens::Closed, seed).moments();
            let fifth_round = moments.iter().position(|moment| moment.game.round_index() == 4).unwrap();
            let seat = Seat::default();
            let view = moments[fifth_round].game.view(Observer::Seat(seat));
            let rounds = recall(&moments[..=fifth_round], Observer::Seat(seat)).rounds().to_vec();
            let is_accepted = |change: &dyn Fn(&mut Vec<RoundRecord>)| {
                let mut rounds = rounds.clone();
                change(&mut rounds);
                Knowledge::new(&view, &Recall::of(rounds).unwrap(), &mut FastRng::new(seed)).is_some()
            };
            let set_cards = |rounds: &mut Vec<RoundRecord>, seat: Seat, card: MoneyCard| {
                let bids = rounds.iter_mut().flat_map(|round| &mut round.bids);
                bids.filter(|bid| bid.seat == seat).for_each(|bid| bid.card = card);
            };
            let other = seat.left_neighbour(players);
            prop_assert!(is_accepted(&|_| ()), "the true recall");
            let (highest, in_hand) = (MoneyCard::new(15).unwrap(), view.hand.nth_value(0).unwrap());
            prop_assert!(!is_accepted(&|rounds| set_cards(rounds, other, highest)), "one card in all rounds");
            prop_assert!(!is_accepted(&|rounds| set_cards(rounds, seat, in_hand)), "a card that is still in hand");
            let set_bidder = |round: &mut RoundRecord| round.bids.iter_mut().for_each(|bid| bid.seat = other);
            prop_assert!(!is_accepted(&|rounds| set_bidder(&mut rounds[1])), "all bids of a round by one seat");
            prop_assert!(!is_accepted(&|rounds| rounds[1].bids.clear()), "a round without bids");
            prop_assert!(!is_accepted(&|rounds| rounds[1].offer = None), "a round without an offer");
            prop_assert!(!is_accepted(&|rounds| rounds[1].drawn = Drawn::default()), "an offer of jewels not drawn");
            prop_assert!(!is_accepted(&|rounds| rounds[3].stage.0 = 3), "a round of a later stage");
            let delay = |rounds: &mut Vec<RoundRecord>| rounds.iter_mut().for_each(|round| round.stage.0 += 1);
            prop_assert!(!is_accepted(&delay), "all rounds one stage later");
        }

        #[test]
        fn drawn_jewels_are_removed_from_the_pouch(seed: u64, players in 2_u8..=5) {
            let parameters = Parameters::of(Players::new(players).unwrap());
            let mut public = PublicState::start(parameters, Seat::default());
            public.draw(&mut FastRng::new(seed));
            prop_assert_eq!(public.drawn.len(), usize::from(parameters.draw_size()));
            prop_assert_eq!(public.pouch.with(public.drawn.jewels()), parameters.pouch);
        }
    }
}
