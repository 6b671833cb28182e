//! The knowledge of a seat: everything public, its own hand, and its own face-down cards.
//!
//! [`Knowledge`] is made from a `View` and a `Recall`. [`PublicState`] can also be played forward in a search, round by round; a
//! property test compares it with the real game. `sultan-rules` decides the winners of cushions, `sultan-domain` the
//! points of jewels.

use sultan_domain::{
    Bid, Bids, BySeat, Cards, Chance, Collection, Cushion, CushionSet, Drawn, FaceDownBid, Jewel, Jewels, MoneyCard,
    Offer, Parameters, PlacedBid, Recall, RoundRecord, Seat, View, ViewPhase,
};
use sultan_rules::{imagine, winners};
use tinyvec::ArrayVec;

use crate::search::character::Character;

/// The public information of a game, finished rounds included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicState {
    /// The parameters of the game.
    pub parameters: Parameters,
    /// The number of finished rounds, and so the index of the current round.
    pub round_index: u8,
    /// The round's first player.
    pub first: Seat,
    /// The jewels that each seat has won.
    pub collections: BySeat<Collection>,
    /// The cards of each seat that have not been revealed: in hand, in the deck, or face down.
    pub left: BySeat<Cards>,
    /// The jewels in the pouch, computed from those outside it.
    pub pouch: Jewels,
    /// The drawn jewels, from the draw to the offer.
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
    pub fn draw(&mut self, chance: &mut impl Chance) {
        self.drawn = Drawn::from_pouch(&mut self.pouch, self.parameters.draw(), chance);
    }

    /// Puts these jewels on the cushions, and the remaining one back into the pouch.
    pub fn make_offer(&mut self, offer: Offer) {
        self.pouch.put(self.drawn.put_back(offer.jewels()).expect("an offer consists of drawn jewels"));
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

    /// Whether this seat, the next bidder, places another card later in the round.
    pub(crate) fn bids_again(&self, seat: Seat) -> bool {
        (self.turn() + 1..self.parameters.bids()).any(|turn| self.parameters.bidder(self.first, turn) == seat)
    }

    /// Whether all bids of the round are placed.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.turn() >= self.parameters.bids()
    }

    /// The cushions on which a seat may place its next card (RULES 4.3).
    #[must_use]
    pub fn open_cushions(&self, seat: Seat) -> CushionSet {
        let own = self.placed.iter().filter(|bid| bid.seat == seat);
        self.parameters.open_cushions(own.map(|bid| bid.cushion))
    }

    /// Adds a bid of the next bidder.
    pub(crate) fn bid(&mut self, cushion: Cushion) {
        self.placed.push(FaceDownBid { seat: self.bidder(), cushion });
    }

    /// Reveals all cards, gives the jewels to the winners, and starts the next round.
    pub fn settle(&mut self, bids: &[Bid]) {
        let takers = winners(&self.parameters, self.first, bids);
        for cushion in Cushion::first(self.parameters.cushions) {
            let jewel = self.offer.jewels_on(cushion);
            match takers[cushion] {
                Some(seat) => self.collections[seat] = self.collections[seat].with(jewel),
                None => self.pouch = self.pouch.with(jewel),
            }
        }
        for bid in bids {
            self.left[bid.seat].take(bid.card);
        }
        self.round_index += 1;
        self.first = self.first.left(self.parameters.players);
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
        let have = self.collections[seat].count(jewel);
        self.parameters.bonus(have + 1) - self.parameters.bonus(have)
    }

    /// The number of a seat's cards in hand or face down.
    #[must_use]
    pub fn out_of_deck(&self, seat: Seat) -> u32 {
        let stages_begun = self.round_index / self.parameters.rounds_per_stage + 1;
        let stages_to_come = self.parameters.stages.saturating_sub(stages_begun);
        let never_drawn =
            self.parameters.full_set().len() - u32::from(self.parameters.hand()) * u32::from(self.parameters.stages);
        self.left[seat].len() - u32::from(stages_to_come * self.parameters.hand()) - never_drawn
    }
}

/// The knowledge of one seat.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge {
    /// The public information.
    pub public: PublicState,
    /// The seat.
    pub seat: Seat,
    /// The cards in hand.
    pub hand: Cards,
    /// Its face-down bids of this round, in order.
    pub own: Bids,
}

impl Knowledge {
    /// The knowledge of the view's seat. Gaps in the recall are filled with a random possible history. `None` if the
    /// view is not a seat's, or if view and recall contradict each other.
    pub fn new(view: &View, recall: &Recall, chance: &mut impl Chance) -> Option<Self> {
        let seat = view.observer.seat()?;
        let parameters = view.parameters;
        let round_index = parameters.round_index(view.stage, view.round)? + u8::from(view.phase == ViewPhase::Over);
        let mut public = PublicState { round_index, ..PublicState::start(parameters, view.first_seat) };
        if recall.is_complete_before(&parameters, round_index) {
            if !recall.rounds().iter().all(offers_what_was_drawn) {
                return None;
            }
            for player in parameters.players.seats() {
                public.collections[player] = recall.collection(player);
                public.left[player] = left_after(&public, &recall.played(player))?;
            }
        } else {
            let game = imagine(view, recall, chance).ok()?;
            for player in parameters.players.seats() {
                public.collections[player] = game.collection(player);
                public.left[player] = left_after(&public, &game.played(player))?;
            }
        }
        let taken = parameters.players.seats().fold(Jewels::NONE, |sum, player| sum.with(public.collections[player]));
        public.drawn = view.drawn;
        public.offer = view.offer;
        let on_board = if view.offer.is_empty() { view.drawn.jewels() } else { public.offer.jewels() };
        public.pouch = parameters.pouch.without(taken)?.without(on_board)?;
        let mut own = Bids::new();
        for &bid in &view.bids {
            public.placed.push(bid.face_down());
            if let PlacedBid::Own(bid) = bid {
                own.push(bid);
            }
        }
        let knowledge = Self { public, seat, hand: view.hand, own };
        knowledge.public.left[seat].without(knowledge.round_hand()).map(|_| knowledge)
    }

    /// The other seats.
    pub fn others(&self) -> impl Iterator<Item = Seat> + use<> {
        let own = self.seat;
        self.public.parameters.players.seats().filter(move |&seat| seat != own)
    }

    /// The hand at the start of the round: with the seat's own face-down cards.
    #[must_use]
    pub fn round_hand(&self) -> Cards {
        let mut hand = self.hand;
        for bid in self.own {
            hand.put(bid.card);
        }
        hand
    }
}

/// Whether a finished round's offer has all drawn jewels but one (RULES 4.1).
fn offers_what_was_drawn(round: &RoundRecord) -> bool {
    round.offer.is_some_and(|offer| round.drawn.left_over(offer.jewels()).is_some())
}

/// The remaining cards of a full set after the finished rounds; `None` if a seat cannot have played these cards.
fn left_after(public: &PublicState, played: &[MoneyCard]) -> Option<Cards> {
    let due = usize::from(public.round_index) * usize::from(public.parameters.bids_per_round);
    let take = |mut left: Cards, &card: &MoneyCard| left.take(card).then_some(left);
    if played.len() == due { played.iter().try_fold(public.parameters.full_set(), take) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sultan_domain::{Action, Observer, Players, Screens};
    use sultan_rules::{Pending, Quick};
    use sultan_testkit::{Input, Moment, Script, recall};

    /// Plays the public information forward, like the real game.
    fn play_on(public: &mut PublicState, moment: &Moment, before: &Moment) {
        match moment.input {
            Some(Input::Draw(drawn)) => {
                // Takes the draw of the real game.
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

    /// Compares the public part of a seat's knowledge with `public`.
    fn check(public: &PublicState, moment: &Moment, seat: Seat, recall: &Recall) {
        let view = moment.game.view(Observer::Seat(seat));
        let knowledge = Knowledge::new(&view, recall, &mut Quick::new(1)).unwrap();
        // At the end of the game, the view keeps the last first player, but playing forward moves on to the next seat.
        let first = if public.is_over() { public.first } else { knowledge.public.first };
        assert_eq!(PublicState { first, ..knowledge.public }, *public);
        assert_eq!((knowledge.seat, knowledge.hand), (seat, moment.game.hand(seat)));
        assert!(knowledge.own.iter().eq(moment.game.bids().iter().filter(|bid| bid.seat == seat)));
        let over = matches!(moment.game.pending(), Pending::Over(_));
        assert_eq!(public.is_over(), over);
        assert_eq!(public.out_of_deck(seat), knowledge.hand.len() + u32::try_from(knowledge.own.len()).unwrap());
        assert_eq!(public.points(seat), moment.game.standings().places[seat.index()].points);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn playing_on_agrees_with_a_state_read_from_the_view(seed: u64, players in 2_u8..=5, open: bool) {
            let players = Players::new(players).unwrap();
            let screens = if open { Screens::Open } else { Screens::Closed };
            let moments = Script::random(players, screens, seed).moments();
            let mut public = PublicState::start(Parameters::of(players), moments[0].game.first_seat());
            for (index, moment) in moments.iter().enumerate() {
                play_on(&mut public, moment, &moments[index.saturating_sub(1)]);
                for seat in players.seats() {
                    check(&public, moment, seat, &recall(&moments[..=index], Observer::Seat(seat)));
                }
            }
        }

        #[test]
        fn gaps_in_the_recall_are_filled_consistently(seed: u64, players in 2_u8..=5) {
            let players = Players::new(players).unwrap();
            for moment in Script::random(players, Screens::Closed, seed).moments() {
                let view = moment.game.view(Observer::Seat(Seat::default()));
                let knowledge = Knowledge::new(&view, &Recall::default(), &mut Quick::new(seed)).unwrap();
                let cards = knowledge.public.left.0.map(Cards::len);
                for seat in players.seats() {
                    let played = u32::try_from(moment.game.played(seat).len()).unwrap();
                    prop_assert_eq!(cards[seat.index()] + played, knowledge.public.parameters.full_set().len());
                }
            }
        }

        #[test]
        fn contradictory_recall_is_rejected(seed: u64, players in 2_u8..=5) {
            let players = Players::new(players).unwrap();
            let moments = Script::random(players, Screens::Closed, seed).moments();
            let at = moments.iter().position(|moment| moment.game.round_index() == 4).unwrap();
            let seat = Seat::default();
            let view = moments[at].game.view(Observer::Seat(seat));
            let rounds = recall(&moments[..=at], Observer::Seat(seat)).rounds().to_vec();
            let knows = |change: &dyn Fn(&mut Vec<RoundRecord>)| {
                let mut rounds = rounds.clone();
                change(&mut rounds);
                Knowledge::new(&view, &Recall::of(rounds).unwrap(), &mut Quick::new(seed)).is_some()
            };
            let played = |rounds: &mut Vec<RoundRecord>, seat: Seat, card: MoneyCard| {
                let bids = rounds.iter_mut().flat_map(|round| &mut round.bids);
                bids.filter(|bid| bid.seat == seat).for_each(|bid| bid.card = card);
            };
            let other = seat.left(players);
            prop_assert!(knows(&|_| ()), "the true recall");
            let (highest, held) = (MoneyCard::new(15).unwrap(), view.hand.nth_value(0).unwrap());
            prop_assert!(!knows(&|rounds| played(rounds, other, highest)), "one card in all rounds");
            prop_assert!(!knows(&|rounds| played(rounds, seat, held)), "a card that is still in hand");
            prop_assert!(!knows(&|rounds| rounds[1].bids.iter_mut().for_each(|bid| bid.seat = other)), "all bids by one seat");
            prop_assert!(!knows(&|rounds| rounds[1].bids.clear()), "a round without bids");
            prop_assert!(!knows(&|rounds| rounds[1].offer = None), "a round without jewels");
            prop_assert!(!knows(&|rounds| rounds[1].drawn = Drawn::default()), "jewels that were not drawn");
            prop_assert!(!knows(&|rounds| rounds[3].stage.0 = 3), "a round to come");
            prop_assert!(!knows(&|rounds| rounds.iter_mut().for_each(|round| round.stage.0 += 1)), "a stage ahead");
        }

        #[test]
        fn draws_are_taken_from_the_pouch(seed: u64, players in 2_u8..=5) {
            let parameters = Parameters::of(Players::new(players).unwrap());
            let mut public = PublicState::start(parameters, Seat::default());
            public.draw(&mut Quick::new(seed));
            prop_assert_eq!(public.drawn.len(), usize::from(parameters.draw()));
            prop_assert_eq!(public.pouch.with(public.drawn.jewels()), parameters.pouch);
        }
    }
}
