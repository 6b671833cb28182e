//! The parameters of a game: numbers of cards, rounds, cushions and jewels, the bonus, and the tie-breaking rule.
//!
//! To change a parameter of the game, change it here: all Rust code reads it from a [`Parameters`]. `CONTRIBUTING.md`
//! lists the places that repeat parameters, in tests or outside Rust.

use thiserror::Error;

use crate::{Cards, Cushion, CushionSet, FaceDownBid, Jewels, MoneyCard, Players, Round, Seat, Stage};

/// The rule for the winner of a cushion whose highest cards are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The card that was placed first wins (RULES 4.6).
    EarliestBid,
    /// The first player of the round wins, regardless of the order of the cards (RULES 4.7).
    FirstPlayer,
}

/// Why no game can be played with some parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadParameters {
    /// The JSON is not an object of parameters.
    #[error("an unknown key, or a value of another shape")]
    Unreadable,
    /// The highest card is not 1 to 15 (in a variant 5 to 15), or the number of copies is not 1 or 2.
    #[error("cards must be 1 to at most 15, in one or two sets")]
    Cards,
    /// More than three cushions, or fewer than the cards that a player places in a round.
    #[error("a board has 1 to 3 cushions, with two players at least 2")]
    Cushions,
    /// No round, or more than [`Parameters::MAX_ROUNDS`]; in a variant also too many stages or rounds per stage.
    #[error("a game has 1 to {} rounds", Parameters::MAX_ROUNDS)]
    Rounds,
    /// Another number of bids per player, or another tie-breaking rule, than in the published game.
    #[error("bids per round and tie-breaking must be those of the published game")]
    NotAsPublished,
    /// The hands of all stages need more cards than a player has.
    #[error("the rounds need {needed} cards per player, but each has {available}")]
    TooFewCards {
        /// The number of cards needed.
        needed: u32,
        /// The number of a player's cards.
        available: u32,
    },
    /// More jewels than a variant's pouch may have.
    #[error("a pouch has at most {} jewels, not {available}", Parameters::MAX_JEWELS)]
    TooManyJewels {
        /// The number of jewels in the pouch.
        available: u32,
    },
    /// The pouch may have too few jewels for a draw.
    #[error("the rounds need {needed} jewels, but the pouch has {available}")]
    TooFewJewels {
        /// The number of jewels needed.
        needed: u32,
        /// The number of jewels in the pouch.
        available: u32,
    },
}

/// One step of a [`BonusTable`]: the bonus for at least `count` jewels of one colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BonusStep {
    /// The smallest number of jewels for which this bonus is given.
    pub count: u8,
    /// The bonus points.
    pub points: u8,
}

/// The bonus for jewels of one colour, which rises with their number (RULES 5.3, 5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BonusTable {
    steps: [BonusStep; Self::MAX_STEPS],
    /// The number of steps in use.
    len: u8,
    /// The bonus for 0 to 15 jewels. Stored because the score of a game looks up a bonus for each colour of each seat.
    by_count: [u8; 16],
}

impl BonusTable {
    const MAX_STEPS: usize = 8;
    /// The bonus with three to five players (RULES 5.3).
    pub const USUAL: Self = Self::new(&[[3, 2], [4, 5], [5, 10], [6, 20]]).expect("the steps rise");
    /// The bonus with two players (RULES 5.4).
    pub const TWO_PLAYERS: Self = Self::new(&[[4, 2], [5, 5], [6, 10], [7, 20]]).expect("the steps rise");

    /// A table of one to eight steps, each a number of jewels and its bonus. `None` for another number of steps, or if
    /// the number of jewels or the bonus does not rise from each step to the next.
    #[must_use]
    pub const fn new(steps: &[[u8; 2]]) -> Option<Self> {
        if steps.is_empty() || steps.len() > Self::MAX_STEPS {
            return None;
        }
        let no_steps = [BonusStep { count: 0, points: 0 }; Self::MAX_STEPS];
        let mut table = Self { steps: no_steps, len: 0, by_count: [0; 16] };
        let (mut index, mut previous) = (0, [0, 0]);
        while index < steps.len() {
            let [count, points] = steps[index];
            if count <= previous[0] || points <= previous[1] {
                return None;
            }
            table.steps[index] = BonusStep { count, points };
            // The next step overwrites the entries from its own count on.
            let mut jewels = count as usize;
            while jewels < table.by_count.len() {
                table.by_count[jewels] = points;
                jewels += 1;
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

    /// The step with the lowest bonus.
    #[must_use]
    pub const fn first(&self) -> BonusStep {
        self.steps[0]
    }

    /// The step with the highest bonus.
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

    /// The bonus for more jewels than `by_count` has entries.
    #[cold]
    fn for_large_count(&self, count: u8) -> u16 {
        self.steps().iter().rfind(|step| count >= step.count).map_or(0, |step| step.points.into())
    }
}

/// The parameters of one game.
///
/// [`Parameters::of`] returns the parameters of the published game. Other games are possible as far as
/// [`Parameters::check`] allows. In every game, bidding and ties follow the published rules for the number of players,
/// a hand has as many cards as a stage needs, and cards that no stage needs stay hidden in the decks.
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
    /// Cards that each player places in a round (RULES 4.2, 4.3).
    pub bids_per_player: u8,
    /// The highest card. Each player's cards start at 1 (RULES 2.2, 2.3).
    pub highest_card: u8,
    /// The number of cards of each value per player (RULES 2.2, 2.3).
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
            bids_per_player: if two { 2 } else { 1 },
            highest_card: if two { 12 } else { 15 },
            copies: if two { 2 } else { 1 },
            pouch: Jewels::new([12, 11, 10, 9, 8]).expect("fifty jewels are not too many"),
            bonus: if two { BonusTable::TWO_PLAYERS } else { BonusTable::USUAL },
            ties: if two { Ties::FirstPlayer } else { Ties::EarliestBid },
        }
    }

    /// The greatest number of rounds in a game.
    pub const MAX_ROUNDS: u8 = 24;

    /// Checks that a game with these parameters can be played to its end.
    ///
    /// # Errors
    /// [`BadParameters`] for the first violation.
    pub fn check(&self) -> Result<(), BadParameters> {
        let published = Self::of(self.players);
        if !(1..=MoneyCard::HIGHEST).contains(&self.highest_card) || !(1..=2).contains(&self.copies) {
            return Err(BadParameters::Cards);
        }
        if (self.bids_per_player, self.ties) != (published.bids_per_player, published.ties) {
            return Err(BadParameters::NotAsPublished);
        }
        if !(self.bids_per_player..=Cushion::MAX_COUNT).contains(&self.cushions) {
            return Err(BadParameters::Cushions);
        }
        let rounds = u32::from(self.stages) * u32::from(self.rounds_per_stage);
        if rounds == 0 || rounds > u32::from(Self::MAX_ROUNDS) {
            return Err(BadParameters::Rounds);
        }
        let (needed, available) = (rounds * u32::from(self.bids_per_player), u32::from(self.deck_size()));
        if needed > available {
            return Err(BadParameters::TooFewCards { needed, available });
        }
        // RULES 6.1: the players take at most one jewel per cushion in each round before the last, and the last draw
        // must be complete.
        let taken_before_last_draw = (rounds - 1) * u32::from(self.cushions);
        let (needed, available) = (taken_before_last_draw + u32::from(self.draw_size()), self.pouch.len());
        if needed > available { Err(BadParameters::TooFewJewels { needed, available }) } else { Ok(()) }
    }

    /// Checks the limits for variants at tables, and then calls [`Parameters::check`]. Experiments need only `check`,
    /// whose limits are wider.
    ///
    /// # Errors
    /// [`BadParameters`] for the first violation.
    pub fn check_variant(&self) -> Result<(), BadParameters> {
        if self.highest_card < Self::MIN_HIGHEST_CARD {
            return Err(BadParameters::Cards);
        }
        if self.stages > Self::MAX_STAGES || self.rounds_per_stage > Self::MAX_ROUNDS_PER_STAGE {
            return Err(BadParameters::Rounds);
        }
        if self.pouch.len() > Self::MAX_JEWELS {
            return Err(BadParameters::TooManyJewels { available: self.pouch.len() });
        }
        self.check()
    }

    /// The smallest `highest_card` of a variant.
    const MIN_HIGHEST_CARD: u8 = 5;
    /// The greatest number of stages of a variant.
    const MAX_STAGES: u8 = 3;
    /// The greatest number of rounds in a stage of a variant.
    const MAX_ROUNDS_PER_STAGE: u8 = 8;
    /// The greatest number of jewels in the pouch of a variant.
    const MAX_JEWELS: u32 = 60;

    /// Jewels drawn for a round: one more than the number of cushions (RULES 4.1).
    #[must_use]
    #[inline]
    pub const fn draw_size(&self) -> u8 {
        self.cushions + 1
    }

    /// Cards that a player takes in hand at the start of a stage: as many as the stage needs (RULES 3.2).
    #[must_use]
    #[inline]
    pub const fn hand_size(&self) -> u8 {
        self.rounds_per_stage * self.bids_per_player
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
    pub const fn bids_per_round(&self) -> u8 {
        self.players.count() * self.bids_per_player
    }

    /// Actions in a game (RULES 6.4): in each round one offer and all bids.
    #[must_use]
    pub const fn actions(&self) -> u16 {
        self.rounds() as u16 * (1 + self.bids_per_round() as u16)
    }

    /// Cards in a player's whole deck (RULES 2.2, 2.3).
    #[must_use]
    #[inline]
    pub const fn deck_size(&self) -> u8 {
        self.highest_card * self.copies
    }

    /// All cards of one player, as a set.
    #[must_use]
    pub fn full_set(&self) -> Cards {
        Cards::full(self.highest_card, self.copies)
    }

    /// The stage, and the round within it, of the round with this index, counted from 0 over the whole game.
    #[must_use]
    pub const fn stage_and_round(&self, round_index: u8) -> (Stage, Round) {
        (Stage(round_index / self.rounds_per_stage + 1), Round(round_index % self.rounds_per_stage + 1))
    }

    /// The index of a round, counted from 0 over the whole game. `None` if the game has no such stage or round.
    #[must_use]
    pub const fn round_index(&self, stage: Stage, round: Round) -> Option<u8> {
        let exists = stage.0 >= 1 && stage.0 <= self.stages && round.0 >= 1 && round.0 <= self.rounds_per_stage;
        if exists { Some((stage.0 - 1) * self.rounds_per_stage + round.0 - 1) } else { None }
    }

    /// The first player of an earlier round: `rounds_ago` rounds before the round whose first player is `first_seat`
    /// (RULES 4.9).
    #[must_use]
    #[inline]
    pub const fn first_seat_before(&self, first_seat: Seat, rounds_ago: u8) -> Seat {
        let seats = self.players.count();
        // The first player moves one seat to the left per round, so the first player of an earlier round was to the
        // right. `seats` is added to keep the number positive.
        Seat::new((first_seat.number() + seats - rounds_ago % seats) % seats).expect("a seat at the table")
    }

    /// The seat that places the bid with this index in its round: first the first player, then each seat to the left
    /// (RULES 4.2, 4.3).
    #[must_use]
    pub fn bidder(&self, first_seat: Seat, bid_index: u8) -> Seat {
        (0..bid_index).fold(first_seat, |seat, _| seat.left_neighbour(self.players))
    }

    /// The cushions on which a seat may place its next card of a round: all except `own_cushions`, on which it has
    /// placed a card in this round (RULES 4.3).
    #[must_use]
    #[inline]
    pub fn open_cushions(&self, own_cushions: impl IntoIterator<Item = Cushion>) -> CushionSet {
        own_cushions.into_iter().fold(CushionSet::first(self.cushions), CushionSet::without)
    }

    /// Whether these bids of a round could have been placed in this order: in turn, on cushions of the board, and by no
    /// seat twice on one cushion (RULES 1.3, 4.2, 4.3).
    #[must_use]
    pub fn allow_bids(&self, first_seat: Seat, bids: &[FaceDownBid]) -> bool {
        (0_u8..).zip(bids).all(|(bid_index, bid)| {
            let is_on_board = bid.cushion.number() <= self.cushions;
            let is_second_of_seat = bids[..usize::from(bid_index)].contains(bid);
            bid.seat == self.bidder(first_seat, bid_index) && is_on_board && !is_second_of_seat
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
