//! Every number of the game that depends on how many play, in one place.
//!
//! To change one of the game's numbers, change it here; everything else reads it from a [`Numbers`].

use thiserror::Error;

use crate::{Cards, Cushion, Jewel, Jewels, MoneyCard, Players, Round, Seat, Stage};

/// Who takes a cushion when its highest cards are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The card that was placed first (RULES 4.6).
    EarliestBid,
    /// The first player of the round, whoever placed first (RULES 4.7).
    FirstPlayer,
}

/// Why a game cannot have such numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadNumbers {
    /// Sets of cards end between 1 and 15, and there are one or two of them.
    #[error("cards go from 1 to at most 15, in one or two sets")]
    Cards,
    /// A board has two or three cushions.
    #[error("a board has 2 or 3 cushions")]
    Cushions,
    /// A game has at least one round, and at most [`Numbers::MOST_ROUNDS`].
    #[error("a game has 1 to {} rounds", Numbers::MOST_ROUNDS)]
    Rounds,
    /// Bids in a round, ties and bonuses go by the number of players alone.
    #[error("bids in a round, ties and bonuses are those of the published game")]
    NotAsPublished,
    /// The hands of all stages need more cards than a player has.
    #[error("the rounds need {needed} cards of each player, who has {there}")]
    TooFewCards {
        /// How many cards are needed.
        needed: u32,
        /// How many there are.
        there: u32,
    },
    /// The pouch may run short.
    #[error("the rounds need {needed} jewels, and there are {there}")]
    TooFewJewels {
        /// How many jewels are needed.
        needed: u32,
        /// How many there are.
        there: u32,
    },
}

/// The numbers of one game.
///
/// [`Numbers::of`] gives those of the published game. For research other numbers are possible, as far as
/// [`Numbers::check`] allows; bidding, ties and bonus are then as for that number of players, a hand is as many cards
/// as a stage needs, and cards that no stage needs stay unseen in the decks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// How many play.
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
    /// How many sets each player has (RULES 2.2, 2.3).
    pub copies: u8,
    /// What is in the pouch at the start (RULES 1.1).
    pub pouch: Jewels,
    /// The fewest jewels of a colour that bring a bonus (RULES 5.3, 5.4).
    pub first_bonus: u8,
    /// Who wins ties (RULES 4.6, 4.7).
    pub ties: Ties,
}

/// Where a game takes its numbers from: a [`Numbers`], or [`Standard`], whose numbers the compiler knows.
pub trait HasNumbers: Copy + PartialEq {
    /// The numbers.
    fn numbers(&self) -> Numbers;
}

impl HasNumbers for Numbers {
    #[inline]
    fn numbers(&self) -> Numbers {
        *self
    }
}

/// The numbers of the published game for so many players, known to the compiler: simulation runs twice as fast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standard<const PLAYERS: u8>;

impl<const PLAYERS: u8> HasNumbers for Standard<PLAYERS> {
    #[inline]
    fn numbers(&self) -> Numbers {
        const { Numbers::of(Players::new(PLAYERS).expect("2 to 5 players")) }
    }
}

impl Numbers {
    /// No bonus, then the bonus for the fewest jewels of a colour that bring one, then for each jewel more; the last
    /// holds for any greater number too (RULES 5.3, 5.4).
    pub const BONUSES: [u16; 5] = [0, 2, 5, 10, 20];

    /// The numbers of the published game.
    #[must_use]
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
            first_bonus: if two { 4 } else { 3 },
            ties: if two { Ties::FirstPlayer } else { Ties::EarliestBid },
        }
    }

    /// The most rounds a game can have.
    pub const MOST_ROUNDS: u8 = 15;

    /// Checks that a game with these numbers can be played to its end.
    ///
    /// # Errors
    /// [`BadNumbers`] names the first thing that cannot be.
    pub fn check(&self) -> Result<(), BadNumbers> {
        let published = Self::of(self.players);
        let as_published = (self.bids_per_round, self.first_bonus, self.ties)
            == (published.bids_per_round, published.first_bonus, published.ties);
        if !(1..=MoneyCard::HIGHEST).contains(&self.highest_card) || !(1..=2).contains(&self.copies) {
            return Err(BadNumbers::Cards);
        }
        if !(2..=Cushion::MOST).contains(&self.cushions) {
            return Err(BadNumbers::Cushions);
        }
        if !as_published {
            return Err(BadNumbers::NotAsPublished);
        }
        let rounds = u32::from(self.stages) * u32::from(self.rounds_per_stage);
        if rounds == 0 || rounds > u32::from(Self::MOST_ROUNDS) {
            return Err(BadNumbers::Rounds);
        }
        let (needed, there) = (rounds * u32::from(self.bids_per_round), self.full_set().len());
        if needed > there {
            return Err(BadNumbers::TooFewCards { needed, there });
        }
        // RULES 6.1: every round before the last takes at most as many jewels as there are cushions.
        let (needed, there) = ((rounds - 1) * u32::from(self.cushions) + u32::from(self.draw()), self.pouch.len());
        if needed > there { Err(BadNumbers::TooFewJewels { needed, there }) } else { Ok(()) }
    }

    /// Jewels drawn for a round: one more than there are cushions (RULES 4.1).
    #[must_use]
    #[inline]
    pub const fn draw(&self) -> u8 {
        self.cushions + 1
    }

    /// Cards a player takes in hand at the start of a stage (RULES 3.2): what the stage needs.
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

    /// All cards of one player.
    #[must_use]
    pub fn full_set(&self) -> Cards {
        Cards::full(self.highest_card, self.copies)
    }

    /// The stage, and the round within it, of the round with this index, counted from 0 over the whole game.
    #[must_use]
    pub const fn clock(&self, round_index: u8) -> (Stage, Round) {
        (Stage(round_index / self.rounds_per_stage + 1), Round(round_index % self.rounds_per_stage + 1))
    }

    /// The index, counted from 0 over the whole game, of a round of a stage, if the game has it.
    #[must_use]
    pub const fn round_index(&self, stage: Stage, round: Round) -> Option<u8> {
        let known = stage.0 >= 1 && stage.0 <= self.stages && round.0 >= 1 && round.0 <= self.rounds_per_stage;
        if known { Some((stage.0 - 1) * self.rounds_per_stage + round.0 - 1) } else { None }
    }

    /// The first player so many rounds before the round of which `first` is the first player (RULES 4.9).
    #[must_use]
    pub const fn first_seat_before(&self, first: Seat, rounds: u8) -> Seat {
        let seats = self.players.count();
        // As many seats back as rounds, which is forward by what is missing to whole rounds of the table.
        self.bidder(first, (seats - rounds % seats) % seats)
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

    /// The bonus for so many jewels of one colour (RULES 5.3, 5.4).
    #[must_use]
    #[inline]
    pub fn bonus(&self, count: u8) -> u16 {
        let steps = usize::from(count.saturating_sub(self.first_bonus - 1)).min(Self::BONUSES.len() - 1);
        Self::BONUSES[steps]
    }

    /// How many jewels of a colour there are in the game.
    #[must_use]
    pub const fn jewels_of(&self, jewel: Jewel) -> u8 {
        self.pouch.count(jewel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(players: u8) -> Numbers {
        Numbers::of(Players::new(players).unwrap())
    }

    #[test]
    fn rule_1_1_fifty_jewels_in_five_colours() {
        for players in Players::ALL {
            let pouch = Numbers::of(players).pouch;
            assert_eq!(pouch.counts().0, [12, 11, 10, 9, 8]);
            assert_eq!(pouch.len(), 50);
        }
    }

    #[test]
    fn rule_1_3_two_cushions_with_three_players_else_three() {
        assert_eq!([2, 3, 4, 5].map(|n| numbers(n).cushions), [3, 2, 3, 3]);
        assert_eq!([2, 3, 4, 5].map(|n| numbers(n).draw()), [4, 3, 4, 4]);
    }

    #[test]
    fn rule_2_2_and_2_3_card_sets() {
        for players in [3, 4, 5] {
            assert_eq!(numbers(players).full_set(), Cards::full(15, 1));
        }
        assert_eq!(numbers(2).full_set(), Cards::full(12, 2));
        assert_eq!(numbers(2).full_set().len(), 24);
    }

    #[test]
    fn rule_3_1_and_3_2_stages_rounds_and_hands() {
        assert_eq!([2, 3, 4, 5].map(|n| numbers(n).stages), [3; 4]);
        assert_eq!([2, 3, 4, 5].map(|n| numbers(n).rounds_per_stage), [4, 5, 5, 5]);
        assert_eq!([2, 3, 4, 5].map(|n| numbers(n).hand()), [8, 5, 5, 5]);
        for players in Players::ALL {
            let numbers = Numbers::of(players);
            assert_eq!(u32::from(numbers.stages * numbers.hand()), numbers.full_set().len());
        }
    }

    #[test]
    fn rule_5_1_and_6_4_rounds_and_decisions() {
        assert_eq!([2, 3, 4, 5].map(|n| numbers(n).rounds()), [12, 15, 15, 15]);
        assert_eq!([2, 3, 4, 5].map(|n| numbers(n).actions()), [12 * 5, 15 * 4, 15 * 5, 15 * 6]);
    }

    #[test]
    fn rule_6_1_the_pouch_cannot_run_short() {
        for players in Players::ALL {
            let numbers = Numbers::of(players);
            let gone_before_last_draw = (numbers.rounds() - 1) * numbers.cushions;
            assert!(numbers.pouch.len() >= u32::from(gone_before_last_draw + numbers.draw()));
        }
    }

    #[test]
    fn published_numbers_can_be_played_and_others_as_far_as_they_fit() {
        for players in Players::ALL {
            let published = Numbers::of(players);
            assert_eq!(published.check(), Ok(()));
            assert_eq!(Numbers { highest_card: 0, ..published }.check(), Err(BadNumbers::Cards));
            assert_eq!(Numbers { copies: 3, ..published }.check(), Err(BadNumbers::Cards));
            assert_eq!(Numbers { cushions: 1, ..published }.check(), Err(BadNumbers::Cushions));
            assert_eq!(Numbers { stages: 0, ..published }.check(), Err(BadNumbers::Rounds));
            assert_eq!(Numbers { stages: 200, rounds_per_stage: 200, ..published }.check(), Err(BadNumbers::Rounds));
            assert_eq!(Numbers { stages: 4, rounds_per_stage: 4, ..published }.check(), Err(BadNumbers::Rounds));
            let other_ties = if published.ties == Ties::EarliestBid { Ties::FirstPlayer } else { Ties::EarliestBid };
            for other in [
                Numbers { bids_per_round: 3, ..published },
                Numbers { first_bonus: 5, ..published },
                Numbers { ties: other_ties, ..published },
            ] {
                assert_eq!(other.check(), Err(BadNumbers::NotAsPublished));
            }
            let few = Numbers { highest_card: 3, copies: 1, ..published };
            let needed = published.full_set().len();
            assert_eq!(few.check(), Err(BadNumbers::TooFewCards { needed, there: 3 }));
            let poor = Numbers { pouch: Jewels::new([5, 0, 0, 0, 0]).unwrap(), ..published };
            assert!(matches!(poor.check(), Err(BadNumbers::TooFewJewels { there: 5, .. })));
            let toy = Numbers { stages: 1, rounds_per_stage: 1, highest_card: 3, ..poor };
            assert_eq!(toy.check(), Ok(()));
        }
    }

    #[test]
    fn the_limits_of_what_can_be_played_are_just_so() {
        let four = numbers(4);
        let check = |numbers: Numbers| numbers.check();
        assert_eq!(check(Numbers { highest_card: 16, ..four }), Err(BadNumbers::Cards));
        assert_eq!(check(Numbers { copies: 0, ..four }), Err(BadNumbers::Cards));
        assert_eq!(check(Numbers { copies: 2, ..four }), Ok(()));
        assert_eq!(check(Numbers { cushions: 4, ..four }), Err(BadNumbers::Cushions));
        assert_eq!(check(Numbers { cushions: 2, ..four }), Ok(()));
        assert_eq!(check(Numbers { highest_card: 14, ..four }), Err(BadNumbers::TooFewCards { needed: 15, there: 14 }));
        // Fourteen rounds take three jewels each at most, and the last draws four.
        let pouch = |white: u8| Numbers { pouch: Jewels::new([white, 0, 0, 0, 0]).unwrap(), ..four };
        assert_eq!(check(pouch(46)), Ok(()));
        assert_eq!(check(pouch(45)), Err(BadNumbers::TooFewJewels { needed: 46, there: 45 }));
        for (bad, text) in [
            (BadNumbers::Cards, "cards go from 1 to at most 15, in one or two sets"),
            (BadNumbers::Cushions, "a board has 2 or 3 cushions"),
            (BadNumbers::Rounds, "a game has 1 to 15 rounds"),
            (BadNumbers::NotAsPublished, "bids in a round, ties and bonuses are those of the published game"),
            (BadNumbers::TooFewCards { needed: 2, there: 1 }, "the rounds need 2 cards of each player, who has 1"),
            (BadNumbers::TooFewJewels { needed: 2, there: 1 }, "the rounds need 2 jewels, and there are 1"),
        ] {
            assert_eq!(bad.to_string(), text);
        }
    }

    #[test]
    fn rule_4_2_and_4_3_bids_go_round_to_the_left() {
        let bidders = |players: u8, first: u8| -> Vec<u8> {
            let numbers = numbers(players);
            (0..numbers.bids()).map(|turn| numbers.bidder(Seat::new(first).unwrap(), turn).number()).collect()
        };
        assert_eq!(bidders(2, 1), [1, 0, 1, 0]);
        assert_eq!(bidders(3, 2), [2, 0, 1]);
        assert_eq!(bidders(4, 0), [0, 1, 2, 3]);
        assert_eq!(bidders(5, 3), [3, 4, 0, 1, 2]);
    }

    #[test]
    fn rule_4_9_the_first_seats_of_earlier_rounds_lie_to_the_right() {
        let before = |players: u8, first: u8, rounds: u8| {
            numbers(players).first_seat_before(Seat::new(first).unwrap(), rounds).number()
        };
        assert_eq!([0, 1, 2, 3].map(|rounds| before(2, 0, rounds)), [0, 1, 0, 1]);
        assert_eq!([0, 1, 2, 3, 14].map(|rounds| before(3, 1, rounds)), [1, 0, 2, 1, 2]);
        assert_eq!([0, 1, 4, 5, 6, 14].map(|rounds| before(5, 2, rounds)), [2, 1, 3, 2, 1, 3]);
    }

    #[test]
    fn rule_5_3_and_5_4_bonus_by_the_number_of_jewels() {
        let bonuses = |players: u8| [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 255].map(|count| numbers(players).bonus(count));
        assert_eq!(bonuses(2), [0, 0, 0, 0, 2, 5, 10, 20, 20, 20, 20]);
        for players in [3, 4, 5] {
            assert_eq!(bonuses(players), [0, 0, 0, 2, 5, 10, 20, 20, 20, 20, 20]);
        }
    }

    #[test]
    fn rule_1_1_how_many_jewels_of_each_colour() {
        assert_eq!(Jewel::ALL.map(|jewel| numbers(4).jewels_of(jewel)), [12, 11, 10, 9, 8]);
    }

    #[test]
    fn numbers_known_to_the_compiler_are_the_published_ones() {
        assert_eq!(Standard::<2>.numbers(), numbers(2));
        assert_eq!(Standard::<5>.numbers(), numbers(5));
        assert_eq!(numbers(3).numbers(), numbers(3));
    }

    #[test]
    fn the_clock_counts_rounds_within_stages() {
        for players in Players::ALL {
            let numbers = Numbers::of(players);
            for index in 0..numbers.rounds() {
                let (stage, round) = numbers.clock(index);
                assert_eq!(numbers.round_index(stage, round), Some(index));
            }
            assert_eq!(numbers.clock(0), (Stage(1), Round(1)));
            assert_eq!(numbers.round_index(Stage(0), Round(1)), None);
            assert_eq!(numbers.round_index(Stage(4), Round(1)), None);
            assert_eq!(numbers.round_index(Stage(1), Round(numbers.rounds_per_stage + 1)), None);
            assert_eq!(numbers.round_index(Stage(1), Round(0)), None);
            assert_eq!(numbers.clock(numbers.rounds() - 1), (Stage(3), Round(numbers.rounds_per_stage)));
        }
    }
}
