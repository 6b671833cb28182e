//! Randomness: from the seeds of a game, so that it can be recomputed, or from a fast generator, for simulation.
//!
//! No other module turns seeds into decks and draws. docs/fairness.md describes the algorithm. The tests compare its
//! results with `tests/chance/known_answers.json`, which a Python program computed.

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

/// The seed of one game, made from the server's seed and all players' seeds. `Debug` is redacted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct GameSeed([u8; 32]);

impl fmt::Debug for GameSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GameSeed(hidden)")
    }
}

/// The stream for the draw of the first round; the draws of later rounds use the next streams. (A seat's deck uses the
/// stream with the number of the seat.)
const FIRST_DRAW_STREAM: u64 = 16;
/// The stream for the choice of the first seat.
const FIRST_SEAT_STREAM: u64 = 64;

impl GameSeed {
    /// Hashes the server's seed together with each seat's seed.
    #[must_use]
    pub fn new(server: &ServerSeed, clients: &[ClientSeed]) -> Self {
        let mut hash = Sha256::new();
        // The name and version of this algorithm.
        hash.update(b"sultan/1");
        hash.update(server.0);
        for client in clients {
            let bytes = client.as_str().as_bytes();
            // The length comes first, so that no two lists of seeds give the same bytes.
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

    /// The random numbers for the draw of a round.
    pub(crate) fn draw_stream(&self, round_index: u8) -> impl Chance {
        self.stream(FIRST_DRAW_STREAM + u64::from(round_index))
    }

    /// The first seat of a game whose first seat is chosen at random (RULES 2.5).
    #[must_use]
    pub fn first_seat(&self, players: Players) -> Seat {
        let number = self.stream(FIRST_SEAT_STREAM).below(u32::from(players.count()));
        u8::try_from(number).ok().and_then(Seat::new).expect("below the number of players")
    }

    /// A sequence of random words. Each deck, each draw and the first seat has its own sequence, so all of them are
    /// independent.
    fn stream(&self, number: u64) -> Stream {
        let mut words = ChaCha20Rng::from_seed(self.0);
        words.set_stream(number);
        Stream(words)
    }
}

/// One of the sequences of random words that a game seed gives.
struct Stream(ChaCha20Rng);

impl Chance for Stream {
    fn below(&mut self, bound: u32) -> u32 {
        below(bound, || self.0.next_u32())
    }
}

/// A number below `bound` from random words, as documented in docs/fairness.md.
fn below(bound: u32, mut next_word: impl FnMut() -> u32) -> u32 {
    // The greatest multiple of the bound up to 2³². Words from there on are skipped: they would make small remainders
    // more likely than others.
    let limit = (1_u64 << 32) / u64::from(bound) * u64::from(bound);
    loop {
        let word = next_word();
        if u64::from(word) < limit {
            return word % bound;
        }
    }
}

/// A small, fast random generator for simulations. The same seed gives the same numbers on every machine.
///
/// A counter is multiplied by itself, with some bits changed, and both halves of the product are combined. Not for real
/// games: from a few numbers an attacker could compute all others. `Debug` is redacted, because decks may be made from
/// the generator.
#[derive(Clone)]
pub struct FastRng(u64);

impl fmt::Debug for FastRng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FastRng(hidden)")
    }
}

impl FastRng {
    /// A generator with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next random word. The first constant is odd, so the counter takes all 2⁶⁴ values before it repeats. The
    /// second constant makes the two factors differ.
    #[inline]
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xd1b5_4a32_d192_ed03);
        #[expect(clippy::cast_possible_truncation, reason = "each half of the product is wanted")]
        let (high, low) = ((product >> 64) as u64, product as u64);
        high ^ low
    }
}

impl Chance for FastRng {
    #[inline]
    fn below(&mut self, bound: u32) -> u32 {
        split_word(self.word(), bound).0
    }

    #[inline]
    fn below_both(&mut self, first_bound: u32, second_bound: u32) -> (u32, u32) {
        let (first, next_word) = split_word(self.word(), first_bound);
        (first, split_word(next_word, second_bound).0)
    }

    #[inline]
    fn below_each<const COUNT: usize>(&mut self, bounds: [u32; COUNT]) -> [u32; COUNT] {
        let mut word = self.word();
        bounds.map(|bound| {
            let (number, next_word) = split_word(word, bound);
            word = next_word;
            number
        })
    }
}

/// Splits a random word into a random number below `bound` and another random word.
///
/// The range of words is divided into `bound` equal intervals. The number is the index of the word's interval, and the
/// other word is the position in that interval, scaled to the full range. It is as random as the word, apart from a
/// bias of bound / 2⁶⁴, too small for any simulation.
#[inline]
fn split_word(word: u64, bound: u32) -> (u32, u64) {
    let product = u128::from(word) * u128::from(bound);
    #[expect(clippy::cast_possible_truncation, reason = "the upper half is below the bound, the lower half is wanted")]
    let (number, next_word) = ((product >> 64) as u32, product as u64);
    (number, next_word)
}

/// A full set of cards in random order, each order with the same probability.
#[inline(always)]
#[expect(clippy::inline_always, reason = "if the caller's parameters are constant, the deck's length is constant too")]
pub(crate) fn shuffled(parameters: &Parameters, rng: &mut impl Chance) -> CardsInOrder {
    let mut deck = Cards::full_in_order(parameters.highest_card, parameters.copies);
    shuffle(&mut deck, rng);
    deck
}

/// Shuffles a list, each order with the same probability (Fisher–Yates).
///
/// It fixes the last element first. Decks made from seeds depend on this order.
#[inline]
pub fn shuffle<T>(list: &mut [T], rng: &mut impl Chance) {
    let mut unshuffled = list;
    // Four numbers per call while possible: a fast generator makes them from one random word.
    while unshuffled.len() > 4 {
        let count = u32::try_from(unshuffled.len()).unwrap_or(u32::MAX);
        unshuffled = swap_last(unshuffled, rng.below_each([count, count - 1, count - 2, count - 3]));
    }
    match unshuffled.len() {
        4 => swap_last(unshuffled, rng.below_each([4, 3, 2])),
        3 => swap_last(unshuffled, rng.below_each([3, 2])),
        2 => swap_last(unshuffled, rng.below_each([2])),
        _ => unshuffled,
    };
}

/// For each index in turn, swaps the last element with the element at that index, and then leaves the last element out.
/// Returns the elements that are not left out.
#[inline]
fn swap_last<T, const COUNT: usize>(mut list: &mut [T], indices: [u32; COUNT]) -> &mut [T] {
    for index in indices {
        let (last, others) = list.split_last_mut().expect("the caller passes at most as many indices as elements");
        // No other element means that the index is that of the last element, which stays in place.
        if let Some(other) = others.get_mut(index as usize) {
            std::mem::swap(last, other);
        }
        list = others;
    }
    list
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
    fn below_returns_each_number_equally_often() {
        let mut rng = FastRng::new(1);
        let mut stream = GameSeed([7; 32]).stream(0);
        for bound in [1, 2, 3, 50] {
            let mut counts = vec![0_u32; bound as usize];
            for _ in 0..20_000 {
                counts[rng.below(bound) as usize] += 1;
                counts[stream.below(bound) as usize] += 1;
            }
            // Both generators are counted together. Each count may differ by a fifth.
            let expected = 40_000 / bound;
            let is_near = |count: u32| count.abs_diff(expected) * 5 <= expected;
            assert!(counts.iter().all(|&count| is_near(count)), "{bound}: {counts:?}");
        }
    }

    #[test]
    fn fast_rng_matches_known_words() {
        let mut rng = FastRng::new(42);
        // Computed in Python, whose integers do not overflow. With seed = 42, for each word:
        //     seed = (seed + 0x9e3779b97f4a7c15) % 2**64
        //     product = seed * (seed ^ 0xd1b54a32d192ed03)
        //     word = product // 2**64 ^ product % 2**64
        for word in [0xf609_3584_c315_f44f, 0xcd8d_d30c_f723_30e8, 0xa5a6_ef15_abaf_6810] {
            assert_eq!(rng.word(), word);
        }
    }

    #[test]
    fn fast_rng_splits_one_word_into_several_numbers() {
        // Computed in Python with exact fractions. The first word of seed 42 gives x = 0xf6093584c315f44f / 2**64,
        // about 0.961. For each bound in turn the number is int(bound * x), and the next x is the fractional part of
        // bound * x.
        assert_eq!(FastRng::new(42).below(10), 9);
        assert_eq!(FastRng::new(42).below_both(10, 7), (9, 4));
        assert_eq!(FastRng::new(42).below_each([10, 7, 50, 3]), [9, 4, 13, 2]);
    }

    #[test]
    fn shuffle_swaps_from_the_last_element_down() {
        /// A generator that returns fixed numbers in order.
        struct FixedNumbers<'a> {
            remaining: &'a [u32],
        }
        impl Chance for FixedNumbers<'_> {
            fn below(&mut self, bound: u32) -> u32 {
                let (&number, remaining) = self.remaining.split_first().unwrap();
                self.remaining = remaining;
                assert!(number < bound);
                number
            }
        }
        // Each number is the index that is swapped with the last letter, then with the last but one, and so on.
        let shuffled = |text: &str, numbers: &[u32]| {
            let mut letters: Vec<char> = text.chars().collect();
            let mut rng = FixedNumbers { remaining: numbers };
            shuffle(&mut letters, &mut rng);
            assert!(rng.remaining.is_empty(), "shuffle uses all numbers");
            letters.into_iter().collect::<String>()
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
        // 2³² = 50 · 85 899 345 + 46: the last 46 words would make the numbers below 46 more likely.
        let limit = 85_899_345 * 50;
        // The number below 50 from these words, and the number of words that were not needed.
        let number_and_unused_words = |words: &[u32]| {
            let mut words = words.iter().copied();
            (below(50, || words.next().unwrap()), words.count())
        };
        assert_eq!(number_and_unused_words(&[limit - 1, 7]), (49, 1));
        assert_eq!(number_and_unused_words(&[limit, 7]), (7, 0));
        assert_eq!(number_and_unused_words(&[u32::MAX, limit + 1, 51, 3]), (1, 1));
        assert_eq!(below(1, || u32::MAX), 0, "every word gives 0 below 1");
        assert_eq!(below(4, || u32::MAX), 3, "no word is skipped for a power of two");
    }

    #[test]
    fn drawing_stops_when_the_pouch_is_empty() {
        let pouch = Jewels::new([1, 0, 0, 0, 1]).unwrap();
        let mut remaining = pouch;
        assert_eq!(Drawn::from_pouch(&mut remaining, 4, &mut FastRng::new(3)).jewels(), pouch);
        assert!(remaining.is_empty());
    }
}
