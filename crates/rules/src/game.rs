//! The whole truth of a game at one moment. Always legal: the only ways to another moment are in `apply`.

use std::fmt;

use sultan_domain::{
    Bids, BySeat, Cards, CardsInOrder, Collection, CushionSet, Drawn, Jewel, Jewels, MoneyCard, Numbers, Offer,
    RoundTold, Screens, Seat,
};

use crate::{BadSetup, Chance, Setup, chance};

/// The whole truth of a game at one moment. It cannot be serialised, and its `Debug` tells nothing hidden.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Game {
    pub(crate) numbers: Numbers,
    pub(crate) screens: Screens,
    /// How many actions there have been.
    pub(crate) at: u16,
    /// The round, counted from 0 over the whole game; after the end still the last.
    pub(crate) round_index: u8,
    /// Rounds of this stage that are not finished yet, this one too.
    pub(crate) rounds_left: u8,
    /// The round's first player.
    pub(crate) first: Seat,
    pub(crate) phase: Phase,
    pub(crate) pouch: Jewels,
    pub(crate) seats: BySeat<Holdings>,
    pub(crate) last_round: Option<RoundTold>,
}

/// What one seat has.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Holdings {
    pub(crate) hand: Cards,
    /// The whole deck as it was dealt; how much of it is still to come follows from the stage.
    pub(crate) deck: CardsInOrder,
    /// Cards of finished rounds, in order.
    pub(crate) played: CardsInOrder,
    pub(crate) collection: Collection,
}

/// Where in a round the game is, with what only that moment has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The jewels are to be drawn.
    Draw,
    /// The first player is to choose from these.
    Offer { drawn: Drawn },
    /// Cards are being placed.
    Bid(Bidding),
    /// The game is over.
    Over,
}

/// A round in which cards are being placed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bidding {
    pub(crate) drawn: Drawn,
    pub(crate) offer: Offer,
    pub(crate) put_back: Jewel,
    pub(crate) bids: Bids,
    pub(crate) to_act: Seat,
}

/// Tells only what everybody sees.
impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match self.phase {
            Phase::Draw => "draw",
            Phase::Offer { .. } => "offer",
            Phase::Bid(_) => "bid",
            Phase::Over => "over",
        };
        let mut shown = f.debug_struct("Game");
        shown.field("players", &self.numbers.players.count()).field("at", &self.at).field("phase", &phase);
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
            at: 0,
            round_index: 0,
            rounds_left: numbers.rounds_per_stage,
            first,
            phase: Phase::Draw,
            pouch: numbers.pouch,
            seats: BySeat(decks.0.map(|deck| Holdings { deck, ..Holdings::default() })),
            last_round: None,
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
    pub const fn at(&self) -> u16 {
        self.at
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

    /// A seat's hand.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> Cards {
        self.seats[seat].hand
    }

    /// A seat's cards still to come, the top card first.
    #[must_use]
    pub fn deck(&self, seat: Seat) -> &[MoneyCard] {
        let taken = usize::from(self.numbers.hand()) * usize::from(self.stages_begun());
        self.seats[seat].deck.get(taken..).unwrap_or_default()
    }

    /// A seat's whole deck as it was dealt.
    #[must_use]
    pub fn dealt_deck(&self, seat: Seat) -> CardsInOrder {
        self.seats[seat].deck
    }

    /// The cards a seat played in finished rounds, in order.
    #[must_use]
    pub fn played(&self, seat: Seat) -> &[MoneyCard] {
        &self.seats[seat].played
    }

    /// The jewels a seat has won.
    #[must_use]
    pub fn collection(&self, seat: Seat) -> Collection {
        self.seats[seat].collection
    }

    /// What is in the pouch.
    #[must_use]
    pub const fn pouch(&self) -> Jewels {
        self.pouch
    }

    /// The bids that lie face down now, in order.
    #[must_use]
    pub fn bids(&self) -> &[sultan_domain::Bid] {
        match &self.phase {
            Phase::Bid(bidding) => &bidding.bids,
            Phase::Draw | Phase::Offer { .. } | Phase::Over => &[],
        }
    }

    /// The last finished round.
    #[must_use]
    pub const fn last_round(&self) -> Option<RoundTold> {
        self.last_round
    }

    /// The round that is under way, once its jewels are drawn.
    #[must_use]
    pub fn this_round(&self) -> Option<RoundTold> {
        let (stage, round) = self.numbers.clock(self.round_index);
        let (drawn, bidding) = match self.phase {
            Phase::Draw | Phase::Over => return None,
            Phase::Offer { drawn } => (drawn, None),
            Phase::Bid(bidding) => (bidding.drawn, Some(bidding)),
        };
        Some(RoundTold {
            stage,
            round,
            first_seat: self.first,
            drawn,
            offer: bidding.map(|bidding| bidding.offer),
            put_back: bidding.map(|bidding| bidding.put_back),
            bids: bidding.map(|bidding| bidding.bids).unwrap_or_default(),
            winners: None,
        })
    }

    /// Stages that have begun, so that their hands have been taken.
    pub(crate) const fn stages_begun(&self) -> u8 {
        self.round_index / self.numbers.rounds_per_stage + 1
    }

    /// The cushions where a seat may place a card: with several cards each, not where one of its own lies (RULES 4.3).
    #[inline]
    pub(crate) fn open_cushions(&self, bidding: &Bidding) -> CushionSet {
        let all = CushionSet::first(self.numbers.cushions);
        if self.numbers.bids_per_round == 1 {
            return all;
        }
        let own = bidding.bids.iter().filter(|bid| bid.seat == bidding.to_act);
        own.fold(all, |left, bid| left.without(bid.cushion))
    }
}
