//! The complete state of a game. Always legal: only `play` changes it.

use std::fmt;

use sultan_domain::{
    Action, Bids, BySeat, Cards, CardsInOrder, Collection, CushionSet, Drawn, Jewels, Offer, PackedDeck, Parameters,
    Recall, RoundRecord, Screens, Seat, Ties, Winners,
};

use crate::finished::FinishedRound;
use crate::placed::Placed;
use crate::resolve::{JewelHolders, Lead, Leads, leads};
use crate::{BadSetup, Chance, Setup, chance};

/// The complete state of a game. It cannot be serialized, and its `Debug` shows no hidden information.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Game {
    pub(crate) parameters: Parameters,
    pub(crate) derived: Derived,
    pub(crate) screens: Screens,
    /// The round, counted from 0 over the whole game; after the end still the last.
    pub(crate) round_index: u8,
    /// Unfinished rounds of this stage, the current one included; 0 once the game is over.
    pub(crate) rounds_left: u8,
    /// The round's first player.
    pub(crate) first: Seat,
    /// The seat to act, while the game waits for a seat.
    pub(crate) to_act: Seat,
    /// The cushions open to that seat.
    pub(crate) open: CushionSet,
    /// The number of different cards in its hand.
    pub(crate) values: u8,
    /// Tie-breaking in this round, see [`tie_bonuses`].
    pub(crate) tie_bonuses: BySeat<u8>,
    pub(crate) hands: BySeat<Cards>,
    /// The pouch and the collections.
    pub(crate) holders: JewelHolders,
    /// The board of the current round.
    pub(crate) board: Board,
    pub(crate) finished: [FinishedRound; MAX_ROUNDS],
    /// The complete decks as dealt; the stage gives the remaining part.
    pub(crate) decks: BySeat<PackedDeck>,
}

/// Room for the rounds of a game.
pub(crate) const MAX_ROUNDS: usize = Parameters::MOST_ROUNDS as usize;

/// Values derived from the parameters, computed once because every action needs them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Derived {
    /// The smallest value of [`Placed`] with all cards of a round.
    pub(crate) all_placed: Placed,
    /// Whether a seat places one card per round, all its cards have different values, and ties go to the earliest bid.
    /// Then the choices and the tie bonuses stay the same during a round: a seat chooses from as many cards as the stage
    /// has rounds left, and from all cushions.
    pub(crate) one_card_each: bool,
    /// Each seat's left neighbour.
    pub(crate) left: BySeat<Seat>,
}

impl Derived {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let mut left = BySeat::default();
        for seat in parameters.players.seats() {
            left[seat] = seat.left(parameters.players);
        }
        let one_card = parameters.copies == 1 && parameters.bids_per_round == 1;
        let one_card_each = one_card && parameters.ties == Ties::EarliestBid;
        Self { all_placed: Placed::least_with(parameters.bids()), one_card_each, left }
    }
}

/// The phase of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The jewels are on the cushions, and cards are being placed.
    Bid,
    /// The first player is to choose from the jewels drawn.
    Offer,
    /// The jewels are to be drawn; the board is empty.
    Draw,
    /// The game is over; the board is empty.
    Over,
}

/// The board of a round. Parts are empty before they are reached.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) drawn: Drawn,
    pub(crate) offer: Offer,
    pub(crate) placed: Placed,
    /// The current leader of each cushion.
    pub(crate) leads: Leads,
}

/// Shows only public information.
impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match self.phase() {
            Phase::Draw => "draw",
            Phase::Offer => "offer",
            Phase::Bid => "bid",
            Phase::Over => "over",
        };
        let mut output = f.debug_struct("Game");
        output.field("players", &self.parameters.players.count()).field("at", &self.at()).field("phase", &phase);
        output.finish_non_exhaustive()
    }
}

impl Game {
    /// Starts a game: the hands of the first stage are taken, the first jewels are to be drawn.
    ///
    /// # Errors
    /// [`BadSetup`] if no game can start like this.
    pub fn new(setup: &Setup) -> Result<Self, BadSetup> {
        setup.check()?;
        let decks = BySeat(setup.decks.0.each_ref().map(PackedDeck::new));
        Ok(Self::begin(setup.parameters, setup.first_seat, setup.screens, decks))
    }

    /// Starts a game with decks shuffled by `chance`. A first seat that is not at the table becomes seat 0.
    ///
    /// # Panics
    /// If the parameters are invalid ([`Parameters::check`]).
    #[must_use]
    pub fn shuffled(parameters: Parameters, first_seat: Seat, screens: Screens, chance: &mut impl Chance) -> Self {
        let mut decks = BySeat::default();
        let players = parameters.players;
        parameters.check().expect("a game can be played with these parameters");
        for seat in players.seats() {
            decks[seat] = PackedDeck::new(&chance::shuffled(&parameters, chance));
        }
        let first_seat = if players.has(first_seat) { first_seat } else { Seat::default() };
        Self::begin(parameters, first_seat, screens, decks)
    }

    fn begin(parameters: Parameters, first: Seat, screens: Screens, decks: BySeat<PackedDeck>) -> Self {
        let derived = Derived::new(&parameters);
        let mut game = Self {
            parameters,
            derived,
            open: parameters.open_cushions([]),
            values: 0,
            tie_bonuses: BySeat::default(),
            screens,
            round_index: 0,
            rounds_left: parameters.rounds_per_stage,
            first,
            to_act: first,
            hands: BySeat::default(),
            holders: JewelHolders::new(parameters.pouch, &BySeat::default()),
            board: Board::default(),
            finished: Default::default(),
            decks,
        };
        game.take_hands();
        game.start_round(first);
        game
    }

    /// The parameters of the game.
    #[must_use]
    #[inline]
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// The number of actions so far.
    #[must_use]
    pub fn at(&self) -> u16 {
        let per_round = 1 + u16::from(self.parameters.bids());
        let current_round = u16::from(self.phase() == Phase::Bid) + u16::from(self.board.placed.len());
        u16::from(self.finished_rounds()) * per_round + current_round
    }

    /// The round's first player.
    #[must_use]
    pub const fn first_seat(&self) -> Seat {
        self.first
    }

    /// The round, counted from 0 over the whole game.
    #[must_use]
    pub const fn round_index(&self) -> u8 {
        self.round_index
    }

    /// The phase, derived from the board.
    #[inline]
    pub(crate) fn phase(&self) -> Phase {
        if !self.board.offer.is_empty() {
            Phase::Bid
        } else if !self.board.drawn.is_empty() {
            Phase::Offer
        } else if self.rounds_left > 0 {
            Phase::Draw
        } else {
            Phase::Over
        }
    }

    /// The number of finished rounds.
    #[must_use]
    pub fn finished_rounds(&self) -> u8 {
        self.round_index + u8::from(self.phase() == Phase::Over)
    }

    /// A seat's hand.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> Cards {
        self.hands[seat]
    }

    /// A seat's remaining deck, top card first.
    #[must_use]
    pub fn deck(&self, seat: Seat) -> CardsInOrder {
        self.decks[seat].cards_from(usize::from(self.parameters.hand()) * usize::from(self.stages_begun()))
    }

    /// A seat's whole deck as it was dealt.
    #[must_use]
    pub fn dealt_deck(&self, seat: Seat) -> CardsInOrder {
        self.decks[seat].cards_from(0)
    }

    /// The cards a seat played in finished rounds, in order.
    #[must_use]
    pub fn played(&self, seat: Seat) -> CardsInOrder {
        let players = self.parameters.players.count();
        // The number of cards placed after the seat's last card of a round. It grows by one with each round, as the
        // first player moves.
        let mut cards_after = players - 1 - self.opening_seat().steps_to(seat, self.parameters.players);
        let has_two_cards = self.parameters.bids_per_round == 2;
        let mut cards = CardsInOrder::new();
        for round in self.finished.iter().take(self.finished_rounds().into()) {
            if has_two_cards {
                cards.push(round.placed.card_followed_by(cards_after + players));
            }
            cards.push(round.placed.card_followed_by(cards_after));
            cards_after = if cards_after + 1 == players { 0 } else { cards_after + 1 };
        }
        cards
    }

    /// The jewels a seat has won.
    #[must_use]
    pub fn collection(&self, seat: Seat) -> Collection {
        self.holders.collection(seat)
    }

    /// The jewels in the pouch.
    #[must_use]
    pub const fn pouch(&self) -> Jewels {
        self.holders.pouch()
    }

    /// The jewels drawn for this round.
    #[must_use]
    pub const fn drawn(&self) -> Drawn {
        self.board.drawn
    }

    /// The jewels on the cushions; empty before the offer.
    #[must_use]
    pub const fn offer(&self) -> Offer {
        self.board.offer
    }

    /// The face-down bids, in order.
    #[must_use]
    pub fn bids(&self) -> Bids {
        self.board.placed.bids(self.parameters.players, self.first)
    }

    /// The last finished round.
    #[must_use]
    pub fn last_round(&self) -> Option<RoundRecord> {
        self.finished_rounds().checked_sub(1).map(|index| self.finished_round(index))
    }

    /// All finished rounds in order. In a game that was imagined from a memory with gaps, some of them are incomplete.
    pub(crate) fn rounds(&self) -> impl Iterator<Item = RoundRecord> {
        (0..self.finished_rounds()).map(|index| self.finished_round(index))
    }

    /// The finished rounds, which are public.
    #[must_use]
    pub fn recall(&self) -> Recall {
        self.rounds().collect()
    }

    /// All actions so far in order, with their seats.
    #[must_use]
    pub fn actions(&self) -> Vec<(Seat, Action)> {
        self.rounds().chain(self.current_round()).flat_map(|round| round.actions()).collect()
    }

    fn finished_round(&self, index: u8) -> RoundRecord {
        let round = self.finished[usize::from(index)];
        let mut record = self.unsettled_round(index, round.drawn(), round.offer(), round.placed);
        let leads = leads(&self.parameters, record.first_seat, &record.bids);
        record.winners = Some(Winners::from_array_len(leads.0.map(Lead::winner), self.parameters.cushions.into()));
        record
    }

    /// The current round once its jewels are drawn, including the values of face-down cards: for full records only.
    pub(crate) fn current_round(&self) -> Option<RoundRecord> {
        let Board { drawn, offer, placed, leads: _ } = self.board;
        (!drawn.is_empty()).then(|| self.unsettled_round(self.round_index, drawn, offer, placed))
    }

    /// The record of a round, without its winners.
    #[inline]
    fn unsettled_round(&self, round_index: u8, drawn: Drawn, offer: Offer, placed: Placed) -> RoundRecord {
        let (stage, round) = self.parameters.stage_and_round(round_index);
        let first_seat = self.first_seat_of(round_index);
        RoundRecord {
            stage,
            round,
            first_seat,
            drawn,
            offer: (!offer.is_empty()).then_some(offer),
            put_back: drawn.put_back(offer.jewels()),
            bids: placed.bids(self.parameters.players, first_seat),
            winners: None,
        }
    }

    /// The first player of the game's first round.
    #[must_use]
    pub fn opening_seat(&self) -> Seat {
        self.first_seat_of(0)
    }

    /// The first player of a round that is finished or under way (RULES 4.9).
    #[inline]
    fn first_seat_of(&self, round_index: u8) -> Seat {
        self.parameters.first_seat_before(self.first, self.round_index - round_index)
    }

    /// The number of stages that have begun, and so of hands that each player has taken.
    pub(crate) fn stages_begun(&self) -> u8 {
        self.round_index / self.parameters.rounds_per_stage + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quick;
    use sultan_domain::Players;

    fn shuffled(parameters: Parameters, first: u8) -> Game {
        Game::shuffled(parameters, Seat::new(first).unwrap(), Screens::Closed, &mut Quick::new(1))
    }

    #[test]
    fn game_fits_into_480_bytes() {
        // Tables and searches hold many games.
        assert!(size_of::<Game>() <= 480, "{}", size_of::<Game>());
    }

    #[test]
    fn rule_2_5_a_first_seat_that_is_not_at_the_table_becomes_seat_0() {
        let three = Parameters::of(Players::new(3).unwrap());
        assert_eq!([0, 1, 2, 3, 4].map(|first| shuffled(three, first).first_seat().number()), [0, 1, 2, 0, 0]);
    }

    #[test]
    #[should_panic(expected = "a game can be played with these parameters")]
    fn shuffled_game_with_invalid_parameters_panics() {
        _ = shuffled(Parameters { stages: 0, ..Parameters::of(Players::new(3).unwrap()) }, 0);
    }

    #[test]
    fn rule_4_1_random_draw_happens_only_when_a_draw_is_due() {
        for players in Players::ALL {
            let mut game = shuffled(Parameters::of(players), 0);
            assert!(game.current_round().is_none());
            assert!(game.draw_with(&mut Quick::new(2)));
            assert_eq!(game.drawn().len(), usize::from(game.parameters().draw()));
            assert_eq!(game.current_round().map(|record| record.drawn), Some(game.drawn()));
            let before = game;
            assert!(!game.draw_with(&mut Quick::new(2)) && game == before);
        }
    }
}
