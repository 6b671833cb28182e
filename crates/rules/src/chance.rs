//! Randomness: from seeds, so that it can be recomputed, or from a fast generator, for simulation.
//!
//! This is the only file that turns seeds into decks and draws. ([`Drawn::from_pouch`] draws the single jewels.)
//! docs/fairness.md describes the algorithm. The known answers in `tests/chance` were computed by another program.

use std::fmt;

use rand::rngs::ChaCha20Rng;
use rand::{Rng, SeedableRng};
use sha2::{Digest, Sha256};
use sultan_domain::{
    Cards, CardsInOrder, Chance, ClientSeed, Commitment, Drawn, Parameters, Players, Seat, ServerSeed,
};

use crate::Draw;

/// The commitment to a server seed: its SHA-256, published before players send their seeds.
#[must_use]
pub fn commitment(seed: &ServerSeed) -> Commitment {
    Commitment(Sha256::digest(seed.0).into())
}

/// The combined seed of one game. `Debug` is redacted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct GameSeed([u8; 32]);

impl fmt::Debug for GameSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GameSeed(hidden)")
    }
}

/// The stream of a seat's deck is the seat's number.
const FIRST_DRAW_STREAM: u64 = 16;
const FIRST_SEAT_STREAM: u64 = 64;

impl GameSeed {
    /// Mixes the server's seed with every seat's.
    #[must_use]
    pub fn new(server: &ServerSeed, clients: &[ClientSeed]) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"sultan/1");
        hash.update(server.0);
        for client in clients {
            let bytes = client.as_str().as_bytes();
            hash.update([u8::try_from(bytes.len()).expect("a client seed has at most 255 bytes")]);
            hash.update(bytes);
        }
        Self(hash.finalize().into())
    }

    /// A seat's deck, the top card first.
    #[must_use]
    pub fn deck(&self, parameters: &Parameters, seat: Seat) -> CardsInOrder {
        shuffled(parameters, &mut self.stream(u64::from(seat.number())))
    }

    /// The jewels of a draw.
    #[must_use]
    pub fn draw(&self, draw: &Draw) -> Drawn {
        draw.random(&mut self.draw_stream(draw.round_index))
    }

    /// The generator of a round's draw.
    pub(crate) fn draw_stream(&self, round_index: u8) -> impl Chance {
        self.stream(FIRST_DRAW_STREAM + u64::from(round_index))
    }

    /// The first seat, if chosen at random (RULES 2.5).
    #[must_use]
    pub fn first_seat(&self, players: Players) -> Seat {
        let number = self.stream(FIRST_SEAT_STREAM).below(u32::from(players.count()));
        u8::try_from(number).ok().and_then(Seat::new).expect("below the number of players")
    }

    fn stream(&self, number: u64) -> Stream {
        let mut words = ChaCha20Rng::from_seed(self.0);
        words.set_stream(number);
        Stream(words)
    }
}

/// One stream of words of a game's seed.
struct Stream(ChaCha20Rng);

impl Chance for Stream {
    fn below(&mut self, n: u32) -> u32 {
        below(n, || self.0.next_u32())
    }
}

/// A number below `n` from random words, as documented in docs/fairness.md.
fn below(n: u32, mut next_word: impl FnMut() -> u32) -> u32 {
    // Words at or over the greatest multiple of n are skipped, so that no number is likelier than another.
    let limit = (1_u64 << 32) / u64::from(n) * u64::from(n);
    loop {
        let word = next_word();
        if u64::from(word) < limit {
            return word % n;
        }
    }
}

/// A small, fast generator for simulation: a counter, mixed by one widening multiplication. The same on every machine.
///
/// Not for real games: a few numbers are enough to predict the rest.
/// `Debug` is redacted, because decks may be made from it.
#[derive(Clone)]
pub struct Quick(u64);

impl fmt::Debug for Quick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Quick(hidden)")
    }
}

impl Quick {
    /// A generator with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    #[inline]
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let wide = u128::from(self.0) * u128::from(self.0 ^ 0xd1b5_4a32_d192_ed03);
        #[expect(clippy::cast_possible_truncation, reason = "the two halves are wanted")]
        let (high, low) = ((wide >> 64) as u64, wide as u64);
        high ^ low
    }
}

impl Chance for Quick {
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        share(self.word(), n).0
    }

    // One word is enough for several numbers: its position within its share is as uniform as the word itself.
    #[inline]
    fn below_both(&mut self, n: u32, m: u32) -> (u32, u32) {
        let (first, rest) = share(self.word(), n);
        (first, share(rest, m).0)
    }

    #[inline]
    fn below_each<const K: usize>(&mut self, bounds: [u32; K]) -> [u32; K] {
        let mut word = self.word();
        bounds.map(|n| {
            let (below, rest) = share(word, n);
            word = rest;
            below
        })
    }
}

/// Divides the range of words into `n` equal shares. Returns the share of this word, and the word's position in the
/// share, scaled to a full word. The bias is n / 2⁶⁴, too small for any simulation.
#[inline]
fn share(word: u64, n: u32) -> (u32, u64) {
    let wide = u128::from(word) * u128::from(n);
    #[expect(clippy::cast_possible_truncation, reason = "the upper half is below n, the lower is wanted")]
    let halves = ((wide >> 64) as u32, wide as u64);
    halves
}

/// A uniformly shuffled full set of cards.
#[inline(always)]
#[expect(clippy::inline_always, reason = "inlining gives the compiler a constant deck length")]
pub(crate) fn shuffled(parameters: &Parameters, chance: &mut impl Chance) -> CardsInOrder {
    let mut deck = Cards::full_in_order(parameters.highest_card, parameters.copies);
    shuffle(&mut deck, chance);
    deck
}

/// Shuffles a row uniformly, from the last element down. Decks made from seeds depend on this order.
#[inline]
pub fn shuffle<T>(row: &mut [T], chance: &mut impl Chance) {
    let mut rest = row;
    // Four at a time if possible, which is cheaper with a generator that can split its words.
    while rest.len() > 4 {
        let count = u32::try_from(rest.len()).unwrap_or(u32::MAX);
        rest = swap_last(rest, chance.below_each([count, count - 1, count - 2, count - 3]));
    }
    match rest.len() {
        4 => swap_last(rest, chance.below_each([4, 3, 2])),
        3 => swap_last(rest, chance.below_each([3, 2])),
        2 => swap_last(rest, chance.below_each([2])),
        _ => rest,
    };
}

/// For each of `indices`, swaps the row's last element with the element at that index, and drops the last from the row.
/// Returns the rest of the row.
#[inline]
fn swap_last<T, const K: usize>(mut row: &mut [T], indices: [u32; K]) -> &mut [T] {
    for index in indices {
        let (last, rest) = row.split_last_mut().expect("the deck is not empty");
        // Swapping the last card with itself has no effect.
        if let Some(other) = rest.get_mut(index as usize) {
            std::mem::swap(last, other);
        }
        row = rest;
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::Jewels;

    #[test]
    fn debug_of_a_seed_is_redacted() {
        let seed = GameSeed::new(&ServerSeed([1; 32]), &[]);
        assert_eq!(format!("{seed:?}"), "GameSeed(hidden)");
    }

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut chance = Quick::new(1);
        let mut stream = GameSeed([7; 32]).stream(0);
        for n in [1, 2, 3, 50] {
            let mut counts = vec![0_u32; n as usize];
            for _ in 0..20_000 {
                counts[chance.below(n) as usize] += 1;
                counts[stream.below(n) as usize] += 1;
            }
            let expected = 40_000 / n;
            assert!(counts.iter().all(|&count| count.abs_diff(expected) * 5 <= expected), "{n}: {counts:?}");
        }
    }

    #[test]
    fn quick_generator_matches_known_words() {
        let mut chance = Quick::new(42);
        // Computed with Python's unbounded integers: s = (s + 0x9e3779b97f4a7c15) % 2**64, starting with s = 42, then w
        // = s * (s ^ 0xd1b54a32d192ed03), and w // 2**64 ^ w % 2**64.
        for word in [0xf609_3584_c315_f44f, 0xcd8d_d30c_f723_30e8, 0xa5a6_ef15_abaf_6810] {
            assert_eq!(chance.word(), word);
        }
    }

    #[test]
    fn quick_generator_splits_one_word_into_several_numbers() {
        // The first word of seed 42 is 0xf6093584c315f44f, 0.96107… of its range. In Python, with x = that / 2**64 as a
        // fraction: int(10 * x), then the same with the fractional part of 10 * x, and so on.
        assert_eq!(Quick::new(42).below(10), 9);
        assert_eq!(Quick::new(42).below_both(10, 7), (9, 4));
        assert_eq!(Quick::new(42).below_each([10, 7, 50, 3]), [9, 4, 13, 2]);
    }

    #[test]
    fn shuffle_swaps_from_the_last_element_down() {
        /// Returns these numbers in order, and asserts that each is below the requested bound.
        struct FixedNumbers<'a>(&'a [u32]);
        impl Chance for FixedNumbers<'_> {
            fn below(&mut self, n: u32) -> u32 {
                let (&first, rest) = self.0.split_first().unwrap();
                self.0 = rest;
                assert!(first < n);
                first
            }
        }
        let shuffled = |text: &str, numbers: &[u32]| {
            let mut row: Vec<char> = text.chars().collect();
            let mut chance = FixedNumbers(numbers);
            shuffle(&mut row, &mut chance);
            assert!(chance.0.is_empty(), "no number is left over");
            row.into_iter().collect::<String>()
        };
        assert_eq!(shuffled("", &[]), "");
        assert_eq!(shuffled("a", &[]), "a");
        assert_eq!(shuffled("ab", &[0]), "ba");
        assert_eq!(shuffled("abc", &[0, 1]), "cba");
        assert_eq!(shuffled("abcd", &[3, 0, 0]), "bcad");
        assert_eq!(shuffled("abcde", &[0, 0, 0, 0]), "bcdea");
        assert_eq!(shuffled("abcdef", &[5, 4, 3, 2, 1]), "abcdef");
        assert_eq!(shuffled("abcdefghi", &[8, 0, 6, 0, 4, 0, 2, 0]), "bdcfehgai");
    }

    #[test]
    fn words_that_would_bias_the_result_are_skipped() {
        // 2³² = 50 · 85 899 345 + 46: the last 46 words would make the numbers below 46 likelier.
        let limit = 85_899_345 * 50;
        let first = |words: &[u32]| {
            let mut words = words.iter().copied();
            (below(50, || words.next().unwrap()), words.count())
        };
        assert_eq!(first(&[limit - 1, 7]), (49, 1));
        assert_eq!(first(&[limit, 7]), (7, 0));
        assert_eq!(first(&[u32::MAX, limit + 1, 51, 3]), (1, 1));
        assert_eq!(below(1, || u32::MAX), 0, "every word gives 0 below 1");
        assert_eq!(below(4, || u32::MAX), 3, "a power of two takes every word");
    }

    #[test]
    fn drawing_stops_when_the_pouch_is_empty() {
        let pouch = Jewels::new([1, 0, 0, 0, 1]).unwrap();
        let mut left = pouch;
        assert_eq!(Drawn::from_pouch(&mut left, 4, &mut Quick::new(3)).jewels(), pouch);
        assert!(left.is_empty());
    }
}
