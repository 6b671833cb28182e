//! All parameters of the game that depend on the number of players.
//!
//! To change a parameter of the game, change it here: all Rust code reads it from a [`Parameters`]. `CONTRIBUTING.md`
//! lists the places that repeat parameters, in tests or outside Rust.

use thiserror::Error;

use crate::{Cards, Cushion, CushionSet, FaceDownBid, Jewels, MoneyCard, Players, Round, Seat, Stage};

/// The winner of a cushion if its highest cards are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The card that was placed first (RULES 4.6).
    EarliestBid,
    /// The first player of the round, regardless of order (RULES 4.7).
    FirstPlayer,
}

/// Why a game cannot have such parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadParameters {
    /// Not the JSON of parameters.
    #[error("an unknown key, or a value of another shape")]
    Unreadable,
    /// Sets of cards end between 1 and 15, and there are one or two of them.
    #[error("cards must be 1 to at most 15, in one or two sets")]
    Cards,
    /// A board has one to three cushions, and as many as a player places cards in a round.
    #[error("a board has 1 to 3 cushions, with two players at least 2")]
    Cushions,
    /// A game has at least one round, and at most [`Parameters::MOST_ROUNDS`].
    #[error("a game has 1 to {} rounds", Parameters::MOST_ROUNDS)]
    Rounds,
    /// Bids per round and tie-breaking depend on the number of players only.
    #[error("bids per round and tie-breaking must be those of the published game")]
    NotAsPublished,
    /// The hands of all stages need more cards than a player has.
    #[error("the rounds need {needed} cards per player, but each has {available}")]
    TooFewCards {
        /// Number of cards needed.
        needed: u32,
        /// Number available.
        available: u32,
    },
    /// More jewels than a pouch may have.
    #[error("a pouch has at most {} jewels, not {available}", Parameters::MOST_JEWELS)]
    TooManyJewels {
        /// Number available.
        available: u32,
    },
    /// The pouch may run short.
    #[error("the rounds need {needed} jewels, but the pouch has {available}")]
    TooFewJewels {
        /// Number of jewels needed.
        needed: u32,
        /// Number available.
        available: u32,
    },
}

/// From this many jewels of a colour on, this bonus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BonusStep {
    /// The fewest jewels.
    pub count: u8,
    /// The bonus.
    pub points: u8,
}

/// The bonus for jewels of one colour: more jewels, more points (RULES 5.3, 5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BonusTable {
    steps: [BonusStep; Self::MOST_STEPS],
    len: u8,
    /// The bonus for each small number of jewels: scoring looks up twenty of them.
    by_count: [u8; 16],
}

impl BonusTable {
    const MOST_STEPS: usize = 8;
    /// With three to five players (RULES 5.3).
    pub const USUAL: Self = Self::new(&[[3, 2], [4, 5], [5, 10], [6, 20]]).expect("the steps rise");
    /// With two players (RULES 5.4).
    pub const TWO_PLAYERS: Self = Self::new(&[[4, 2], [5, 5], [6, 10], [7, 20]]).expect("the steps rise");

    /// A table of these steps, each a number of jewels and its bonus. Both must rise from step to step.
    #[must_use]
    pub const fn new(steps: &[[u8; 2]]) -> Option<Self> {
        if steps.is_empty() || steps.len() > Self::MOST_STEPS {
            return None;
        }
        let none = [BonusStep { count: 0, points: 0 }; Self::MOST_STEPS];
        let mut table = Self { steps: none, len: 0, by_count: [0; 16] };
        let (mut index, mut previous) = (0, [0, 0]);
        while index < steps.len() {
            let [count, points] = steps[index];
            if count <= previous[0] || points <= previous[1] {
                return None;
            }
            table.steps[index] = BonusStep { count, points };
            let mut higher = count as usize;
            while higher < table.by_count.len() {
                table.by_count[higher] = points;
                higher += 1;
            }
            table.len += 1;
            previous = steps[index];
            index += 1;
        }
        Some(table)
    }

    /// The steps, the fewest jewels first.
    #[must_use]
    pub fn steps(&self) -> &[BonusStep] {
        &self.steps[..usize::from(self.len)]
    }

    /// The fewest jewels that bring a bonus.
    #[must_use]
    pub const fn first(&self) -> BonusStep {
        self.steps[0]
    }

    /// The highest bonus.
    #[must_use]
    pub const fn last(&self) -> BonusStep {
        self.steps[self.len as usize - 1]
    }

    /// The bonus for this number of jewels.
    #[must_use]
    #[inline]
    pub fn for_count(&self, count: u8) -> u16 {
        match self.by_count.get(usize::from(count)) {
            Some(&points) => points.into(),
            None => self.for_large_count(count),
        }
    }

    #[cold]
    fn for_large_count(&self, count: u8) -> u16 {
        self.steps().iter().rfind(|step| count >= step.count).map_or(0, |step| step.points.into())
    }
}

/// The parameters of one game.
///
/// [`Parameters::of`] returns the parameters of the published game. For research other parameters are possible, as far
/// as [`Parameters::check`] allows. Bidding, ties and bonus are then as for that number of players, a hand is as many
/// cards as a stage needs, and unneeded cards stay hidden in the decks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The number of players.
    pub players: Players,
    /// Cushions on the board (RULES 1.3).
    pub cushions: u8,
    /// Stages in a game (RULES 3.1).
    pub stages: u8,
    /// Rounds in a stage (RULES 3.1).
    pub rounds_per_stage: u8,
    /// Cards each player places in a round (RULES 4.2, 4.3).
    pub bids_per_round: u8,
    /// The highest card of a set; sets start at 1 (RULES 2.2, 2.3).
    pub highest_card: u8,
    /// Sets of cards per player (RULES 2.2, 2.3).
    pub copies: u8,
    /// The jewels in the pouch at the start (RULES 1.1).
    pub pouch: Jewels,
    /// The bonus for jewels of one colour (RULES 5.3, 5.4).
    pub bonus: BonusTable,
    /// The tie-breaking rule (RULES 4.6, 4.7).
    pub ties: Ties,
}

impl Parameters {
    /// The parameters of the published game.
    #[must_use]
    #[inline]
    pub const fn of(players: Players) -> Self {
        let two = players.count() == 2;
        let three = players.count() == 3;
        Self {
            players,
            cushions: if three { 2 } else { 3 },
            stages: 3,
            rounds_per_stage: if two { 4 } else { 5 },
            bids_per_round: if two { 2 } else { 1 },
            highest_card: if two { 12 } else { 15 },
            copies: if two { 2 } else { 1 },
            pouch: Jewels::new([12, 11, 10, 9, 8]).expect("fifty jewels are not too many"),
            bonus: if two { BonusTable::TWO_PLAYERS } else { BonusTable::USUAL },
            ties: if two { Ties::FirstPlayer } else { Ties::EarliestBid },
        }
    }

    /// The most rounds a game can have.
    pub const MOST_ROUNDS: u8 = 24;

    /// Checks that a game with these parameters can be played to its end.
    ///
    /// # Errors
    /// [`BadParameters`] for the first violation.
    pub fn check(&self) -> Result<(), BadParameters> {
        let published = Self::of(self.players);
        let as_published = (self.bids_per_round, self.ties) == (published.bids_per_round, published.ties);
        if !(1..=MoneyCard::HIGHEST).contains(&self.highest_card) || !(1..=2).contains(&self.copies) {
            return Err(BadParameters::Cards);
        }
        if !as_published {
            return Err(BadParameters::NotAsPublished);
        }
        if !(self.bids_per_round.max(1)..=Cushion::MOST).contains(&self.cushions) {
            return Err(BadParameters::Cushions);
        }
        let rounds = u32::from(self.stages) * u32::from(self.rounds_per_stage);
        if rounds == 0 || rounds > u32::from(Self::MOST_ROUNDS) {
            return Err(BadParameters::Rounds);
        }
        let (needed, available) = (rounds * u32::from(self.bids_per_round), u32::from(self.deck()));
        if needed > available {
            return Err(BadParameters::TooFewCards { needed, available });
        }
        // RULES 6.1: every round before the last takes at most one jewel per cushion.
        let (needed, available) = ((rounds - 1) * u32::from(self.cushions) + u32::from(self.draw()), self.pouch.len());
        if needed > available { Err(BadParameters::TooFewJewels { needed, available }) } else { Ok(()) }
    }

    /// Checks the limits for tables, which are narrower than the limits for research.
    ///
    /// # Errors
    /// [`BadParameters`] for the first violation.
    pub fn check_variant(&self) -> Result<(), BadParameters> {
        if self.highest_card < Self::FEWEST_CARDS {
            return Err(BadParameters::Cards);
        }
        if self.stages > Self::MOST_STAGES || self.rounds_per_stage > Self::MOST_ROUNDS_PER_STAGE {
            return Err(BadParameters::Rounds);
        }
        if self.pouch.len() > Self::MOST_JEWELS {
            return Err(BadParameters::TooManyJewels { available: self.pouch.len() });
        }
        self.check()
    }

    /// The smallest allowed value of `highest_card` in a variant.
    const FEWEST_CARDS: u8 = 5;
    /// The most stages of a variant.
    const MOST_STAGES: u8 = 3;
    /// The most rounds in a stage of a variant.
    const MOST_ROUNDS_PER_STAGE: u8 = 8;
    /// The most jewels in the pouch of a variant.
    const MOST_JEWELS: u32 = 60;

    /// Jewels drawn for a round: one more than the number of cushions (RULES 4.1).
    #[must_use]
    #[inline]
    pub const fn draw(&self) -> u8 {
        self.cushions + 1
    }

    /// Cards a player takes in hand at the start of a stage (RULES 3.2): as many as the stage needs.
    #[must_use]
    #[inline]
    pub const fn hand(&self) -> u8 {
        self.rounds_per_stage * self.bids_per_round
    }

    /// Rounds in a game (RULES 5.1).
    #[must_use]
    #[inline]
    pub const fn rounds(&self) -> u8 {
        self.stages * self.rounds_per_stage
    }

    /// Bids in a round, of all players together.
    #[must_use]
    #[inline]
    pub const fn bids(&self) -> u8 {
        self.players.count() * self.bids_per_round
    }

    /// Actions in a game (RULES 6.4): in each round one offer and all bids.
    #[must_use]
    pub const fn actions(&self) -> u16 {
        self.rounds() as u16 * (1 + self.bids() as u16)
    }

    /// Cards in a player's deck (RULES 2.2, 2.3).
    #[must_use]
    #[inline]
    pub const fn deck(&self) -> u8 {
        self.highest_card * self.copies
    }

    /// All cards of one player.
    #[must_use]
    pub fn full_set(&self) -> Cards {
        Cards::full(self.highest_card, self.copies)
    }

    /// The stage, and the round within it, of the round with this index, counted from 0 over the whole game.
    #[must_use]
    pub const fn stage_and_round(&self, round_index: u8) -> (Stage, Round) {
        (Stage(round_index / self.rounds_per_stage + 1), Round(round_index % self.rounds_per_stage + 1))
    }

    /// The index, counted from 0 over the whole game, of a round of a stage, if the game has it.
    #[must_use]
    pub const fn round_index(&self, stage: Stage, round: Round) -> Option<u8> {
        let exists = stage.0 >= 1 && stage.0 <= self.stages && round.0 >= 1 && round.0 <= self.rounds_per_stage;
        if exists { Some((stage.0 - 1) * self.rounds_per_stage + round.0 - 1) } else { None }
    }

    /// The first player of the round that is `rounds` before the round of the first player `first` (RULES 4.9).
    #[must_use]
    #[inline]
    pub const fn first_seat_before(&self, first: Seat, rounds: u8) -> Seat {
        let seats = self.players.count();
        // One seat back per round, written as steps forward to keep the number positive.
        Seat::new((first.number() + seats - rounds % seats) % seats).expect("a seat at the table")
    }

    /// The seat that places the bid with this index in its round: the first player, then to the left (RULES 4.2, 4.3).
    #[must_use]
    pub const fn bidder(&self, first: Seat, bid_index: u8) -> Seat {
        let mut seat = first;
        let mut steps = bid_index;
        while steps > 0 {
            seat = seat.left(self.players);
            steps -= 1;
        }
        seat
    }

    /// The cushions on which a seat may place its next card of a round: all but those in `own`, which have a card of
    /// the seat (RULES 4.3).
    #[must_use]
    #[inline]
    pub fn open_cushions(&self, own: impl IntoIterator<Item = Cushion>) -> CushionSet {
        own.into_iter().fold(CushionSet::first(self.cushions), CushionSet::without)
    }

    /// Whether the bids of a round could have been placed in this order: in turn, on cushions of the board, and by no
    /// seat twice on one cushion (RULES 1.3, 4.2, 4.3).
    #[must_use]
    pub fn allow_bids(&self, first_seat: Seat, bids: &[FaceDownBid]) -> bool {
        (0_u8..).zip(bids).all(|(turn, bid)| {
            let is_on_board = bid.cushion.number() <= self.cushions;
            let is_second = bids[..usize::from(turn)].contains(bid);
            bid.seat == self.bidder(first_seat, turn) && is_on_board && !is_second
        })
    }

    /// The bonus for this number of jewels of one colour (RULES 5.3, 5.4).
    #[must_use]
    #[inline]
    pub fn bonus(&self, count: u8) -> u16 {
        self.bonus.for_count(count)
    }
}

#[cfg(test)]
mod tests;
