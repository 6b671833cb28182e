//! The inputs of the nets: boolean features, from the perspective of one seat.
//!
//! A feature is a fact such as "the second seat to the left has won three red jewels". Each feature has a number; a
//! position is described by the numbers of the facts that hold in it, its active features. Seats are counted from the
//! observing seat, so a net needs only one perspective. All features are computed from [`Knowledge`], so hidden
//! information cannot become an input.

use sultan_domain::{Cards, Cushion, Jewel, Jewels, Seat};
use tinyvec::ArrayVec;

use crate::search::character::Character;
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::outlook::expected_points;

/// A list of the numbers of active features. 192 is more than any table has.
#[derive(Clone, Copy, Default)]
pub struct Features(ArrayVec<[u16; 192]>);

impl Features {
    /// The features of the table for a seat with this hand.
    #[must_use]
    pub fn of_table(public: &PublicState, seat: Seat, hand: Cards) -> Self {
        let mut features = Self::default();
        table_features(public, seat, hand, &mut |feature| features.push(feature));
        features
    }

    /// The numbers of the features.
    #[must_use]
    pub fn as_slice(&self) -> &[u16] {
        self.0.as_slice()
    }

    #[inline]
    fn push(&mut self, feature: usize) {
        #[expect(clippy::cast_possible_truncation, reason = "fewer than 1000 features")]
        self.0.push(feature as u16);
    }
}

/// The active features of a table as a set of bits, to compute the difference between two tables quickly.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FeatureSet([u64; WORDS]);

/// The number of 64-bit words for the features of a table with five players.
const WORDS: usize = table_feature_count(5).div_ceil(64);

impl FeatureSet {
    /// No features.
    pub const NONE: Self = Self([0; WORDS]);

    /// The features of the table for a seat with this hand.
    pub(crate) fn of_table(public: &PublicState, seat: Seat, hand: Cards) -> Self {
        let mut features = Self::NONE;
        table_features(public, seat, hand, &mut |feature| features.0[feature / 64] |= 1 << (feature % 64));
        features
    }

    /// The features of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn difference(&self, other: &Self) -> Features {
        let mut features = Features::default();
        for (word, (own, other)) in self.0.iter().zip(other.0).enumerate() {
            let mut bits = own & !other;
            while bits != 0 {
                features.push(64 * word + bits.trailing_zeros() as usize);
                // Removes the lowest bit.
                bits &= bits - 1;
            }
        }
        features
    }
}

// Features are numbered in blocks, one after the other. The first feature of a block is the sum of the lengths of all
// blocks before it; the variable `from` is such a sum.

/// Jewels of a colour are counted up to this number; more of them count the same.
const MAX_COUNT: usize = 7;
const COLOURS: usize = 5;
/// The number of card values.
const CARD_VALUES: usize = 15;
/// A lead (difference in points) is rounded to one of this many steps; the middle step contains 0.
const LEAD_STEPS: usize = 21;
/// The width of a step, in points.
const LEAD_STEP_POINTS: i32 = 3;
/// Added to a lead before the division by [`LEAD_STEP_POINTS`], so that the lowest step is 0, and a lead of 0 is in the
/// middle of its step.
const LEAD_SHIFT: i32 = 31;
/// The number of steps of an expected lead, which counts the bonuses that seats can expect at the end.
const EXPECTED_LEAD_STEPS: usize = 31;
/// The width of a step of an expected lead, in points.
const EXPECTED_LEAD_STEP_POINTS: f32 = 2.5;
/// Like [`LEAD_SHIFT`], for an expected lead: fifteen and a half steps.
const EXPECTED_LEAD_SHIFT: f32 = 38.75;
/// The number of features about one seat: jewels of each colour, unrevealed cards (the first and the second of each
/// value), leads, and its estimated character.
pub(crate) const SEAT_FEATURES: usize =
    COLOURS * MAX_COUNT + 2 * CARD_VALUES + LEAD_STEPS + EXPECTED_LEAD_STEPS + Character::ALL.len();
/// The distinguished numbers of jewels of a colour in the pouch: 0 to 12.
const POUCH_COUNTS: usize = 13;
const ROUNDS: usize = 15;
const SEATS: usize = 5;
/// The number of features that are not about a seat: own hand, round, first player, pouch.
const COMMON_FEATURES: usize = 2 * CARD_VALUES + ROUNDS + SEATS + COLOURS * POUCH_COUNTS;

/// The number of features about the table.
pub(crate) const fn table_feature_count(players: usize) -> usize {
    players * SEAT_FEATURES + COMMON_FEATURES
}

/// The number of features for the colour of a jewel, combined with the number of such jewels a seat has won, from 0.
const SET_FEATURES: usize = COLOURS * (MAX_COUNT + 1);
/// The number of features about a cushion that do not concern a seat: the number of cards on it, and the colours and
/// numbers of cards of the other cushions.
const CUSHION_FEATURES: usize = PLACED_COUNTS + COLOURS * OTHER_PLACED_COUNTS;
/// The distinguished numbers of cards on a cushion: 0 to 5.
const PLACED_COUNTS: usize = 6;
/// The distinguished numbers of cards on another cushion: 0 to 3; more cards count as 3.
const OTHER_PLACED_COUNTS: usize = 4;
/// The number of distinguished turns of a round; later ones count as the last.
const TURNS: usize = 5;
/// The distinguished numbers of jewels of a colour in an offer: 0 to 3.
const OFFERED_COUNTS: usize = 4;
/// The number of features about the turn of a bid: its index in the round, and with two players the first card of the
/// seat and the jewel for which it was bid.
const TURN_FEATURES: usize = TURNS + CARD_VALUES + COLOURS;

/// The number of features of a bid on a cushion.
pub(crate) const fn bid_feature_count(players: usize) -> usize {
    table_feature_count(players) + TURN_FEATURES + players * (SET_FEATURES + 1) + CUSHION_FEATURES
}

/// The number of features of an offer.
pub(crate) const fn offer_feature_count(players: usize) -> usize {
    table_feature_count(players) + players * SET_FEATURES + COLOURS * OFFERED_COUNTS
}

/// A block of features about another seat, which exists once for each other seat. Training can use the same weights for
/// all copies of a block, because the other seats play by the same rules.
#[derive(Clone, Copy, Debug)]
pub struct SharedFeatures {
    /// The number of the first feature in the block about the left neighbour.
    pub first: usize,
    /// The number of features in the block.
    pub len: usize,
    /// The distance from the block about one seat to the block about the next seat.
    pub stride: usize,
}

/// The blocks of features that exist once for each other seat, for the net with this number of features.
#[must_use]
pub fn shared_features(players: usize, features: usize) -> Vec<SharedFeatures> {
    let block = |first: usize, len: usize| SharedFeatures { first, len, stride: len };
    let mut blocks = vec![block(SEAT_FEATURES, SEAT_FEATURES)];
    if features == bid_feature_count(players) {
        blocks.push(block(table_feature_count(players) + TURN_FEATURES + SET_FEATURES + 1, SET_FEATURES + 1));
    } else if features == offer_feature_count(players) {
        blocks.push(block(table_feature_count(players) + SET_FEATURES, SET_FEATURES));
    }
    blocks
}

/// Adds a feature for each card value, and a second feature for two cards of this value. `from` is the first number of
/// these features.
#[inline]
fn card_features(add: &mut impl FnMut(usize), from: usize, cards: Cards) {
    for card in cards.values() {
        let value = usize::from(card.value()) - 1;
        add(from + value);
        if cards.count(card) > 1 {
            add(from + CARD_VALUES + value);
        }
    }
}

/// All seats, beginning with `seat`, to the left, around the table.
#[inline]
fn seats_from(public: &PublicState, seat: Seat) -> impl Iterator<Item = Seat> {
    let players = public.parameters.players;
    std::iter::successors(Some(seat), move |seat| Some(seat.left_neighbour(players))).take(public.players())
}

/// Adds the features of the table for a seat. `hand` is the hand of the seat at the start of the round.
pub(crate) fn table_features(public: &PublicState, seat: Seat, hand: Cards, add: &mut impl FnMut(usize)) {
    let players = public.players();
    let mut points = [0_i32; 5];
    for (points, seat) in points.iter_mut().zip(seats_from(public, seat)) {
        *points = i32::from(public.points(seat));
    }
    let best_other = points[1..players].iter().copied().max().unwrap_or(0);
    let expected_points = expected_points(public);
    let own_expected = expected_points[seat.index()];
    let best_other_expected =
        (0..players).filter(|&other| other != seat.index()).map(|other| expected_points[other]).fold(0.0, f32::max);
    // `distance` is the number of steps to the left, from 0 for the observing seat itself.
    for (distance, seat) in seats_from(public, seat).enumerate() {
        let is_own = distance == 0;
        let from = distance * SEAT_FEATURES;
        jewel_features(add, from, public.collections[seat]);
        let from = from + COLOURS * MAX_COUNT;
        card_features(add, from, public.left[seat]);
        // The block of another seat has the lead of the observing seat over that seat; its own block has its lead over
        // the best other seat.
        let lead = points[0] - if is_own { best_other } else { points[distance] };
        let step = usize::try_from((lead + LEAD_SHIFT).max(0) / LEAD_STEP_POINTS).expect("not below 0");
        add(from + 2 * CARD_VALUES + step.min(LEAD_STEPS - 1));
        let lead = own_expected - if is_own { best_other_expected } else { expected_points[seat.index()] };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the number of steps")]
        let step = ((lead + EXPECTED_LEAD_SHIFT) / EXPECTED_LEAD_STEP_POINTS).max(0.0) as usize;
        add(from + 2 * CARD_VALUES + LEAD_STEPS + step.min(EXPECTED_LEAD_STEPS - 1));
        if let Some(character) = public.characters[seat.index()]
            && !is_own
        {
            add(from + 2 * CARD_VALUES + LEAD_STEPS + EXPECTED_LEAD_STEPS + character as usize);
        }
    }
    let from = players * SEAT_FEATURES;
    card_features(add, from, hand);
    let from = from + 2 * CARD_VALUES;
    add(from + usize::from(public.round_index).min(ROUNDS - 1));
    let from = from + ROUNDS;
    add(from + usize::from(seat.steps_to(public.first, public.parameters.players)));
    let from = from + SEATS;
    for jewel in Jewel::ALL {
        let count = usize::from(public.pouch.count(jewel)).min(POUCH_COUNTS - 1);
        add(from + POUCH_COUNTS * (jewel as usize) + count);
    }
}

/// Adds a feature for the number of jewels of each colour, if the seat has any of it.
#[inline]
fn jewel_features(add: &mut impl FnMut(usize), from: usize, collection: Jewels) {
    for jewel in Jewel::ALL {
        let count = usize::from(collection.count(jewel)).min(MAX_COUNT);
        if count > 0 {
            add(from + MAX_COUNT * (jewel as usize) + count - 1);
        }
    }
}

/// The feature, in a block of [`SET_FEATURES`] features, of a colour and the number of jewels of it in a collection.
fn collection_feature(collection: Jewels, jewel: Jewel) -> usize {
    (jewel as usize) * (MAX_COUNT + 1) + usize::from(collection.count(jewel)).min(MAX_COUNT)
}

/// The features of the turn of a bid, the same for all cushions.
pub(crate) fn turn_features(knowledge: &Knowledge, features: &mut Features) {
    let public = &knowledge.public;
    let from = table_feature_count(public.players());
    features.push(from + public.placed.len().min(TURNS - 1));
    // Only with two players, a seat that bids may already have a card on the board.
    for bid in knowledge.own {
        features.push(from + TURNS + usize::from(bid.card.value()) - 1);
        if let Some(jewel) = public.offer.jewel_on(bid.cushion) {
            features.push(from + TURNS + CARD_VALUES + jewel as usize);
        }
    }
}

/// The features of one cushion at a bid.
pub(crate) fn cushion_features(knowledge: &Knowledge, cushion: Cushion, features: &mut Features) {
    let public = &knowledge.public;
    let players = public.players();
    let from = table_feature_count(players) + TURN_FEATURES;
    let Some(jewel) = public.offer.jewel_on(cushion) else { return };
    for (distance, seat) in seats_from(public, knowledge.seat).enumerate() {
        let from = from + distance * (SET_FEATURES + 1);
        features.push(from + collection_feature(public.collections[seat], jewel));
        if public.placed.iter().any(|bid| bid.seat == seat && bid.cushion == cushion) {
            features.push(from + SET_FEATURES);
        }
    }
    let from = from + players * (SET_FEATURES + 1);
    let bids = |cushion: Cushion| public.placed.iter().filter(|bid| bid.cushion == cushion).count();
    features.push(from + bids(cushion).min(PLACED_COUNTS - 1));
    for other in Cushion::first(public.parameters.cushions).filter(|&other| other != cushion) {
        if let Some(jewel) = public.offer.jewel_on(other) {
            let count = bids(other).min(OTHER_PLACED_COUNTS - 1);
            features.push(from + PLACED_COUNTS + OTHER_PLACED_COUNTS * (jewel as usize) + count);
        }
    }
}

/// The features of the offer that puts this jewel back.
pub(crate) fn put_back_features(knowledge: &Knowledge, jewel: Jewel, features: &mut Features) {
    let public = &knowledge.public;
    let players = public.players();
    let from = table_feature_count(players);
    for (distance, seat) in seats_from(public, knowledge.seat).enumerate() {
        features.push(from + distance * SET_FEATURES + collection_feature(public.collections[seat], jewel));
    }
    let from = from + players * SET_FEATURES;
    let offered = public.drawn.jewels().without(Jewels::one(jewel)).unwrap_or_default();
    for jewel in Jewel::ALL {
        let count = usize::from(offered.count(jewel)).min(OFFERED_COUNTS - 1);
        features.push(from + OFFERED_COUNTS * (jewel as usize) + count);
    }
}
