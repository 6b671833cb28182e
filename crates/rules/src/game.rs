//! The whole truth of a game at one moment. Always legal: the only ways to another moment are in `apply`.

use std::fmt;

use sultan_domain::{
    Bid, Bids, BySeat, Cards, CardsInOrder, Collection, CushionSet, Drawn, Jewel, Jewels, MoneyCard, Numbers, Offer,
    RoundTold, Screens, Seat,
};

use crate::resolve::winners;
use crate::{BadSetup, Chance, Setup, chance};

/// The whole truth of a game at one moment. It cannot be serialised, and its `Debug` tells nothing hidden.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Game {
    pub(crate) numbers: Numbers,
    pub(crate) screens: Screens,
    pub(crate) phase: Phase,
    /// The round, counted from 0 over the whole game; after the end still the last.
    pub(crate) round_index: u8,
    /// Rounds of this stage that are not finished yet, this one too.
    pub(crate) rounds_left: u8,
    /// The round's first player.
    pub(crate) first: Seat,
    /// Whose turn it is, while the game waits for a seat.
    pub(crate) to_act: Seat,
    pub(crate) pouch: Jewels,
    pub(crate) hands: BySeat<Cards>,
    pub(crate) collections: BySeat<Collection>,
    /// What lies on the board: the round that is under way, as far as it has gone.
    pub(crate) board: Board,
    /// The jewels drawn and offered in the last finished round.
    pub(crate) last_jewels: (Drawn, Offer),
    /// The bids of every finished round.
    pub(crate) finished_bids: [Bids; MAX_ROUNDS],
    /// The whole decks as they were dealt; how much of them is still to come follows from the stage.
    pub(crate) decks: BySeat<CardsInOrder>,
}

/// The most rounds a game can have.
pub(crate) const MAX_ROUNDS: usize = 15;

/// What a game waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The jewels are to be drawn; the board is empty.
    Draw,
    /// The first player is to choose from the jewels drawn.
    Offer,
    /// The jewels lie on the cushions, and cards are being placed.
    Bid,
    /// Nothing more; the board is empty.
    Over,
}

/// What lies on the board in a round. Each part is empty until the round has come so far.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) drawn: Drawn,
    pub(crate) offer: Offer,
    pub(crate) bids: Bids,
}

impl Board {
    /// The jewel that was drawn but not offered: it went back into the pouch.
    pub(crate) fn put_back(&self) -> Option<Jewel> {
        self.drawn.jewels().without(self.offer.jewels())?.lowest()
    }
}

/// Tells only what everybody sees.
impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match self.phase {
            Phase::Draw => "draw",
            Phase::Offer => "offer",
            Phase::Bid => "bid",
            Phase::Over => "over",
        };
        let mut shown = f.debug_struct("Game");
        shown.field("players", &self.numbers.players.count()).field("at", &self.at()).field("phase", &phase);
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
        Ok(Self::begin(setup.numbers, setup.first_seat, setup.screens, &setup.decks))
    }

    /// Starts a game with decks shuffled by `chance`. A first seat that is not at the table becomes seat 0.
    #[must_use]
    pub fn shuffled(numbers: Numbers, first_seat: Seat, screens: Screens, chance: &mut impl Chance) -> Self {
        let mut decks = BySeat::default();
        for seat in numbers.players.seats() {
            decks[seat] = chance::shuffled(&numbers, chance);
        }
        let first_seat = if numbers.players.has(first_seat) { first_seat } else { Seat::default() };
        Self::begin(numbers, first_seat, screens, &decks)
    }

    fn begin(numbers: Numbers, first: Seat, screens: Screens, decks: &BySeat<CardsInOrder>) -> Self {
        let mut game = Self {
            numbers,
            screens,
            phase: Phase::Draw,
            round_index: 0,
            rounds_left: numbers.rounds_per_stage,
            first,
            to_act: first,
            pouch: numbers.pouch,
            hands: BySeat::default(),
            collections: BySeat::default(),
            board: Board::default(),
            last_jewels: Default::default(),
            finished_bids: Default::default(),
            decks: *decks,
        };
        game.take_hands();
        game
    }

    /// The numbers of the game.
    #[must_use]
    pub const fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// How many actions there have been.
    #[must_use]
    pub fn at(&self) -> u16 {
        let per_round = 1 + u16::from(self.numbers.bids());
        let this_round = u16::from(self.phase == Phase::Bid) + u16::try_from(self.board.bids.len()).unwrap_or(0);
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

    /// How many rounds are finished.
    #[must_use]
    pub fn finished_rounds(&self) -> u8 {
        self.round_index + u8::from(self.phase == Phase::Over)
    }

    /// A seat's hand.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> Cards {
        self.hands[seat]
    }

    /// A seat's cards still to come, the top card first.
    #[must_use]
    pub fn deck(&self, seat: Seat) -> &[MoneyCard] {
        let taken = usize::from(self.numbers.hand()) * usize::from(self.stages_begun());
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
        let finished = self.finished_bids.iter().take(usize::from(self.finished_rounds()));
        finished.flat_map(|bids| bids.iter()).filter(|bid| bid.seat == seat).map(|bid| bid.card).collect()
    }

    /// The jewels a seat has won.
    #[must_use]
    pub fn collection(&self, seat: Seat) -> Collection {
        self.collections[seat]
    }

    /// What is in the pouch.
    #[must_use]
    pub const fn pouch(&self) -> Jewels {
        self.pouch
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
    pub fn bids(&self) -> &[Bid] {
        &self.board.bids
    }

    /// The last finished round.
    #[must_use]
    pub fn last_round(&self) -> Option<RoundTold> {
        let index = self.finished_rounds().checked_sub(1)?;
        let players = self.numbers.players;
        // The first player moves on when a round ends, but not after the last.
        let moved_on = self.phase != Phase::Over;
        let first = if moved_on { self.first.right(players) } else { self.first };
        let (drawn, offer) = self.last_jewels;
        let board = Board { drawn, offer, bids: *self.finished_bids.get(usize::from(index))? };
        Some(self.told(index, first, &board, true))
    }

    /// The round that is under way, once its jewels are drawn.
    #[must_use]
    pub fn this_round(&self) -> Option<RoundTold> {
        (!self.board.drawn.is_empty()).then(|| self.told(self.round_index, self.first, &self.board, false))
    }

    fn told(&self, round_index: u8, first_seat: Seat, board: &Board, finished: bool) -> RoundTold {
        let (stage, round) = self.numbers.clock(round_index);
        let offered = !board.offer.is_empty();
        let settled = || {
            let winners = winners(&self.numbers, first_seat, &board.bids);
            winners.0.into_iter().take(usize::from(self.numbers.cushions)).collect()
        };
        RoundTold {
            stage,
            round,
            first_seat,
            drawn: board.drawn,
            offer: offered.then_some(board.offer),
            put_back: if offered { board.put_back() } else { None },
            bids: board.bids,
            winners: finished.then(settled),
        }
    }

    /// Stages that have begun, so that their hands have been taken.
    pub(crate) const fn stages_begun(&self) -> u8 {
        self.round_index / self.numbers.rounds_per_stage + 1
    }

    /// The cushions where the seat to act may place a card: not where one of its own lies (RULES 4.3).
    #[inline]
    pub(crate) fn open_cushions(&self) -> CushionSet {
        let all = CushionSet::first(self.numbers.cushions);
        if self.numbers.bids_per_round == 1 {
            return all;
        }
        let own = self.board.bids.iter().filter(|bid| bid.seat == self.to_act);
        own.fold(all, |left, bid| left.without(bid.cushion))
    }
}
