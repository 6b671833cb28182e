//! The whole truth of a game at one moment. Always legal: the only ways to another moment are in `play`.

use std::fmt;

use sultan_domain::{
    Action, Bids, BySeat, Cards, CardsInOrder, Collection, CushionSet, Drawn, Jewel, Jewels, MoneyCard, Offer,
    Parameters, Recall, RoundRecord, Screens, Seat, Winners,
};

use crate::finished::FinishedRound;
use crate::placed::Placed;
use crate::resolve::{Hoards, Lead, Leads};
use crate::{BadSetup, Chance, Setup, chance};

/// The whole truth of a game at one moment. It cannot be serialised, and its `Debug` tells nothing hidden.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Game {
    pub(crate) parameters: Parameters,
    pub(crate) derived: Derived,
    pub(crate) screens: Screens,
    /// The round, counted from 0 over the whole game; after the end still the last.
    pub(crate) round_index: u8,
    /// Rounds of this stage that are not finished yet, this one too; none once the game is over.
    pub(crate) rounds_left: u8,
    /// The round's first player.
    pub(crate) first: Seat,
    /// Whose turn it is, while the game waits for a seat.
    pub(crate) to_act: Seat,
    /// Where that seat may place its card; see [`Game::open_cushions`].
    pub(crate) open: CushionSet,
    pub(crate) hands: BySeat<Cards>,
    /// The pouch and the collections.
    pub(crate) hoards: Hoards,
    /// What lies on the board: the round that is under way, as far as it has gone.
    pub(crate) board: Board,
    /// What lay on the board at the end of the last finished round.
    pub(crate) last: Board,
    pub(crate) finished: [FinishedRound; MAX_ROUNDS],
    /// The whole decks as they were dealt; how much of them is still to come follows from the stage.
    pub(crate) decks: BySeat<CardsInOrder>,
}

/// Room for the rounds of a game.
pub(crate) const MAX_ROUNDS: usize = Parameters::MOST_ROUNDS as usize;

/// What follows from the parameters and is asked for at every action, worked out once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Derived {
    /// Bids in a round, of all players together.
    pub(crate) bids: u8,
    /// Whether a seat places one card a round, all of different values: then it has as many different cards as the
    /// stage has rounds left.
    pub(crate) one_each: bool,
    /// Whether a seat places several cards a round, so that some cushions may be closed to it.
    pub(crate) bids_again: bool,
    /// All cushions of the board.
    pub(crate) cushions: CushionSet,
    /// Each seat's left neighbour.
    pub(crate) left: BySeat<Seat>,
}

impl Derived {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let mut left = BySeat::default();
        for seat in parameters.players.seats() {
            left[seat] = seat.left(parameters.players);
        }
        Self {
            bids: parameters.bids(),
            one_each: parameters.copies == 1 && parameters.bids_per_round == 1,
            bids_again: parameters.bids_per_round > 1,
            cushions: parameters.open_cushions([]),
            left,
        }
    }
}

/// What a game waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The jewels lie on the cushions, and cards are being placed.
    Bid,
    /// The first player is to choose from the jewels drawn.
    Offer,
    /// The jewels are to be drawn; the board is empty.
    Draw,
    /// Nothing more; the board is empty.
    Over,
}

/// What lies on the board in a round. Each part is empty until the round has come so far.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) drawn: Drawn,
    pub(crate) offer: Offer,
    pub(crate) placed: Placed,
    /// How many cards are placed.
    pub(crate) turn: u8,
    /// Who would take what if no more cards came.
    pub(crate) leads: Leads,
}

impl Board {
    /// The jewel that was drawn but not offered: it went back into the pouch.
    pub(crate) fn put_back(&self) -> Option<Jewel> {
        self.drawn.put_back(self.offer.jewels())
    }
}

/// Tells only what everybody sees.
impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match self.phase() {
            Phase::Draw => "draw",
            Phase::Offer => "offer",
            Phase::Bid => "bid",
            Phase::Over => "over",
        };
        let mut shown = f.debug_struct("Game");
        shown.field("players", &self.parameters.players.count()).field("at", &self.at()).field("phase", &phase);
        shown.finish_non_exhaustive()
    }
}

impl Game {
    /// Starts a game: the hands of the first stage are taken, the first jewels are to be drawn.
    ///
    /// # Errors
    /// [`BadSetup`] where no game can start so.
    pub fn new(setup: &Setup) -> Result<Self, BadSetup> {
        setup.check()?;
        Ok(Self::begin(setup.parameters, setup.first_seat, setup.screens, setup.decks))
    }

    /// Starts a game with decks shuffled by `chance`. A first seat that is not at the table becomes seat 0.
    ///
    /// # Panics
    /// Where no game can be played with these parameters ([`Parameters::check`]).
    #[must_use]
    pub fn shuffled(parameters: Parameters, first_seat: Seat, screens: Screens, chance: &mut impl Chance) -> Self {
        let mut decks = BySeat::default();
        let players = parameters.players;
        let playable = parameters == Parameters::of(players) || parameters.check().is_ok();
        assert!(playable, "a game can be played with these parameters");
        for seat in players.seats() {
            decks[seat] = chance::shuffled(&parameters, chance);
        }
        let first_seat = if players.has(first_seat) { first_seat } else { Seat::default() };
        Self::begin(parameters, first_seat, screens, decks)
    }

    fn begin(parameters: Parameters, first: Seat, screens: Screens, decks: BySeat<CardsInOrder>) -> Self {
        let derived = Derived::new(&parameters);
        let mut game = Self {
            parameters,
            derived,
            open: derived.cushions,
            screens,
            round_index: 0,
            rounds_left: parameters.rounds_per_stage,
            first,
            to_act: first,
            hands: BySeat::default(),
            hoards: Hoards::new(parameters.pouch, &BySeat::default()),
            board: Board::default(),
            last: Board::default(),
            finished: Default::default(),
            decks,
        };
        game.take_hands();
        game
    }

    /// The numbers of the game.
    #[must_use]
    #[inline]
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// How many actions there have been.
    #[must_use]
    pub fn at(&self) -> u16 {
        let per_round = 1 + u16::from(self.parameters.bids());
        let this_round = u16::from(self.phase() == Phase::Bid) + u16::from(self.board.turn);
        u16::from(self.finished_rounds()) * per_round + this_round
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

    /// What the game waits for, which follows from how far the board has come.
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

    /// How many rounds are finished.
    #[must_use]
    pub fn finished_rounds(&self) -> u8 {
        self.round_index + u8::from(self.phase() == Phase::Over)
    }

    /// A seat's hand.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> Cards {
        self.hands[seat]
    }

    /// A seat's cards still to come, the top card first.
    #[must_use]
    pub fn deck(&self, seat: Seat) -> &[MoneyCard] {
        let taken = usize::from(self.parameters.hand()) * usize::from(self.stages_begun());
        self.decks[seat].get(taken..).unwrap_or_default()
    }

    /// A seat's whole deck as it was dealt.
    #[must_use]
    pub fn dealt_deck(&self, seat: Seat) -> CardsInOrder {
        self.decks[seat]
    }

    /// The cards a seat played in finished rounds, in order.
    #[must_use]
    pub fn played(&self, seat: Seat) -> CardsInOrder {
        let players = self.parameters.players;
        let mut cards = CardsInOrder::new();
        let mut first = self.first_seat_of(0);
        for round in self.finished.iter().take(usize::from(self.finished_rounds())) {
            for card in round.placed.cards_of(players, first.steps_to(seat, players)) {
                cards.push(card);
            }
            first = first.left(players);
        }
        cards
    }

    /// The jewels a seat has won.
    #[must_use]
    pub fn collection(&self, seat: Seat) -> Collection {
        self.hoards.collection(seat)
    }

    /// What is in the pouch.
    #[must_use]
    pub const fn pouch(&self) -> Jewels {
        self.hoards.pouch()
    }

    /// The jewels drawn for this round, wherever they lie now.
    #[must_use]
    pub const fn drawn(&self) -> Drawn {
        self.board.drawn
    }

    /// The jewels on the cushions; none before the offer.
    #[must_use]
    pub const fn offer(&self) -> Offer {
        self.board.offer
    }

    /// The bids that lie face down now, in order.
    #[must_use]
    pub fn bids(&self) -> Bids {
        self.board.placed.bids(self.parameters.players, self.first, self.board.turn)
    }

    /// The last finished round.
    #[must_use]
    #[inline]
    pub fn last_round(&self) -> Option<RoundRecord> {
        let index = self.finished_rounds().checked_sub(1)?;
        Some(self.told(index, &self.last, Some(self.winners(&self.last))))
    }

    /// All finished rounds in order. Of a game that was imagined from a memory with gaps, some are not whole.
    pub(crate) fn rounds(&self) -> impl Iterator<Item = RoundRecord> {
        self.finished.iter().zip(0..self.finished_rounds()).map(|(round, index)| {
            let board = round.board(&self.parameters, self.first_seat_of(index));
            self.told(index, &board, Some(self.winners(&board)))
        })
    }

    /// The finished rounds, as everybody remembers them.
    #[must_use]
    pub fn recall(&self) -> Recall {
        self.rounds().collect()
    }

    /// All actions so far in order, with who acted.
    #[must_use]
    pub fn actions(&self) -> Vec<(Seat, Action)> {
        self.rounds().chain(self.this_round()).flat_map(|round| round.actions()).collect()
    }

    /// Who takes what at the end of a round.
    fn winners(&self, board: &Board) -> Winners {
        Winners::from_array_len(board.leads.0.map(Lead::winner), self.parameters.cushions.into())
    }

    /// The round that is under way, once its jewels are drawn, with the cards that lie face down: for a record that is
    /// told in full.
    pub(crate) fn this_round(&self) -> Option<RoundRecord> {
        (!self.board.drawn.is_empty()).then(|| self.told(self.round_index, &self.board, None))
    }

    /// A round as it lies on the board, with its winners once it is finished.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a round is large: it is built where it is kept")]
    fn told(&self, round_index: u8, board: &Board, winners: Option<Winners>) -> RoundRecord {
        let (stage, round) = self.parameters.clock(round_index);
        let first_seat = self.first_seat_of(round_index);
        RoundRecord {
            stage,
            round,
            first_seat,
            drawn: board.drawn,
            offer: (!board.offer.is_empty()).then_some(board.offer),
            put_back: board.put_back(),
            bids: board.placed.bids(self.parameters.players, first_seat, board.turn),
            winners,
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

    /// Stages that have begun, so that their hands have been taken.
    pub(crate) fn stages_begun(&self) -> u8 {
        self.round_index / self.parameters.rounds_per_stage + 1
    }

    /// The cushions where the seat to act may place a card: not where one of its own lies (RULES 4.3).
    pub(crate) fn open_cushions(&self) -> CushionSet {
        let Board { placed, turn, .. } = self.board;
        // While everybody places a first card, no own card lies anywhere.
        if turn < self.parameters.players.count() {
            return self.parameters.open_cushions([]);
        }
        self.parameters.open_cushions(placed.own_cushions(self.parameters.players, turn))
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
    fn rule_2_5_a_seat_that_is_not_there_cannot_be_first() {
        let three = Parameters::of(Players::new(3).unwrap());
        assert_eq!([0, 1, 2, 3, 4].map(|first| shuffled(three, first).first_seat().number()), [0, 1, 2, 0, 0]);
    }

    #[test]
    #[should_panic(expected = "a game can be played with these parameters")]
    fn no_game_starts_with_numbers_that_cannot_be_played() {
        _ = shuffled(Parameters { stages: 0, ..Parameters::of(Players::new(3).unwrap()) }, 0);
    }

    #[test]
    fn rule_4_1_jewels_are_drawn_by_chance_only_when_that_is_due() {
        for players in Players::ALL {
            let mut game = shuffled(Parameters::of(players), 0);
            assert!(game.this_round().is_none());
            assert!(game.draw_by(&mut Quick::new(2)));
            assert_eq!(game.drawn().len(), usize::from(game.parameters().draw()));
            assert_eq!(game.this_round().map(|told| told.drawn), Some(game.drawn()));
            let before = game;
            assert!(!game.draw_by(&mut Quick::new(2)) && game == before);
        }
    }
}
