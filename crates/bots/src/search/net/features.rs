//! The inputs of the nets: boolean features, from the perspective of one seat.
//!
//! Seats are counted from the observing one, so a net sees a single perspective. All features are computed from [`Knowledge`],
//! so hidden information cannot become an input.

use sultan_domain::{Cards, Cushion, Jewel, Jewels, Seat};

use crate::search::character::Character;
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::outlook::expected_points;

/// The numbers of the active features.
pub struct Features {
    list: [u16; Self::MOST],
    len: usize,
}

impl Features {
    const MOST: usize = 192;

    pub(crate) const fn new() -> Self {
        Self { list: [0; Self::MOST], len: 0 }
    }

    /// The features of the table for a seat with this hand.
    #[must_use]
    pub fn of_table(public: &PublicState, seat: Seat, hand: Cards) -> Self {
        let mut features = Self::new();
        table_features(public, seat, hand, &mut |feature| features.push(feature));
        features
    }

    /// The numbers of the features.
    #[must_use]
    pub fn as_slice(&self) -> &[u16] {
        &self.list[..self.len]
    }

    #[inline]
    fn push(&mut self, feature: usize) {
        #[expect(clippy::cast_possible_truncation, reason = "fewer than 1000 features")]
        let feature = feature as u16;
        self.list[self.len] = feature;
        self.len += 1;
    }
}

/// The active features about the table as a bit set, to compute differences between similar tables quickly.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FeatureSet([u64; WORDS]);

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
        let mut features = Features::new();
        for (word, (own, other)) in self.0.iter().zip(other.0).enumerate() {
            let mut left = own & !other;
            while left != 0 {
                features.push(64 * word + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
        features
    }
}

/// The highest distinguished number of jewels of a colour.
const COUNTS: usize = 7;
const COLOURS: usize = 5;
const CARDS: usize = 15;
/// The number of steps of a lead in points; the middle step is a tie.
const LEADS: usize = 21;
const LEAD_STEP: i32 = 3;
/// Added to a lead, so that the lowest distinguished lead becomes 0 and a tie is the middle of its step.
const LEAD_SHIFT: i32 = 31;
/// The number of steps of a lead with the expected bonus; the middle step is a tie.
const EXPECTED_LEADS: usize = 31;
const EXPECTED_LEAD_STEP: f32 = 2.5;
/// Added to a lead with the expected bonus, like [`LEAD_SHIFT`]: fifteen and a half steps.
const EXPECTED_LEAD_SHIFT: f32 = 38.75;
/// The number of features of one seat: jewels of each colour, remaining cards (the first and the second of each value),
/// leads, and its estimated character.
pub(crate) const SEAT: usize = COLOURS * COUNTS + 2 * CARDS + LEADS + EXPECTED_LEADS + Character::ALL.len();
/// The number of jewels of a colour in the pouch: 0 to 12.
const POUCH: usize = 13;
const ROUNDS: usize = 15;
const SEATS: usize = 5;
/// The number of features not about a seat: own hand, round, first player, pouch.
const COMMON: usize = 2 * CARDS + ROUNDS + SEATS + COLOURS * POUCH;

/// The number of features of the table.
pub(crate) const fn table_feature_count(players: usize) -> usize {
    players * SEAT + COMMON
}

/// The number of features of a colour and a seat's number of jewels of it, 0 included.
const SET: usize = COLOURS * (COUNTS + 1);
/// The number of features of a cushion, seats aside: its number of cards, and the other cushions.
const CUSHION: usize = PLACED + COLOURS * OTHER_PLACED;
/// The number of cards on a cushion: 0 to 5.
const PLACED: usize = 6;
/// The number of cards on another cushion: 0 to 3 or more.
const OTHER_PLACED: usize = 4;
/// The number of distinguished turns of a round; later ones count as the last.
const TURNS: usize = 5;
/// The number of jewels of a colour in an offer: 0 to 3.
const OFFERED: usize = 4;
/// The number of features of the turn of a bid: its index, the own face-down card and its jewel.
const TURN: usize = TURNS + CARDS + COLOURS;

/// The number of features of a bid on a cushion.
pub(crate) const fn bid_feature_count(players: usize) -> usize {
    table_feature_count(players) + TURN + players * (SET + 1) + CUSHION
}

/// The number of features of an offer.
pub(crate) const fn offer_feature_count(players: usize) -> usize {
    table_feature_count(players) + players * SET + COLOURS * OFFERED
}

/// A block of features that is repeated for every other seat.
#[derive(Clone, Copy, Debug)]
pub struct SharedFeatures {
    /// The first feature of the block for the seat to the left.
    pub first: usize,
    /// The number of features in the block.
    pub len: usize,
    /// The distance to the block of the next seat.
    pub stride: usize,
}

/// The blocks of features that are repeated for every other seat, for a net with this number of features.
#[must_use]
pub fn shared_features(players: usize, features: usize) -> Vec<SharedFeatures> {
    let shared = |first: usize, len: usize| SharedFeatures { first, len, stride: len };
    let mut all = vec![shared(SEAT, SEAT)];
    if features == bid_feature_count(players) {
        all.push(shared(table_feature_count(players) + TURN + SET + 1, SET + 1));
    } else if features == offer_feature_count(players) {
        all.push(shared(table_feature_count(players) + SET, SET));
    }
    all
}

#[inline]
fn card_features(add: &mut impl FnMut(usize), from: usize, cards: Cards) {
    for card in cards.values() {
        let value = usize::from(card.value()) - 1;
        add(from + value);
        if cards.count(card) > 1 {
            add(from + CARDS + value);
        }
    }
}

/// All seats, from this one to the left.
#[inline]
pub(crate) fn seats_from(public: &PublicState, seat: Seat) -> impl Iterator<Item = Seat> {
    let mut next = seat;
    let players = public.parameters.players;
    (0..players.count()).map(move |_| {
        let here = next;
        next = next.left(players);
        here
    })
}

/// The features of the table for a seat with this hand. During bidding, pass the hand from the start of the round.
pub(crate) fn table_features(public: &PublicState, seat: Seat, hand: Cards, add: &mut impl FnMut(usize)) {
    let players = public.players();
    let mut points = [0_i32; 5];
    for (points, seat) in points.iter_mut().zip(seats_from(public, seat)) {
        *points = i32::from(public.points(seat));
    }
    let expected_points = expected_points(public);
    let own = expected_points[seat.index()];
    let best_other =
        (0..players).filter(|&other| other != seat.index()).map(|other| expected_points[other]).fold(0.0, f32::max);
    for (at, seat) in seats_from(public, seat).enumerate() {
        let from = at * SEAT;
        jewel_features(add, from, public.collections[seat]);
        let from = from + COLOURS * COUNTS;
        card_features(add, from, public.left[seat]);
        let rival = if at == 0 { points[1..players].iter().copied().max().unwrap_or(0) } else { points[at] };
        let step = usize::try_from((points[0] - rival + LEAD_SHIFT).max(0) / LEAD_STEP).expect("not below 0");
        add(from + 2 * CARDS + step.min(LEADS - 1));
        let lead = own - if at == 0 { best_other } else { expected_points[seat.index()] };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the number of steps")]
        let step = ((lead + EXPECTED_LEAD_SHIFT) / EXPECTED_LEAD_STEP).max(0.0) as usize;
        add(from + 2 * CARDS + LEADS + step.min(EXPECTED_LEADS - 1));
        if let (Some(character), true) = (public.characters[seat.index()], at > 0) {
            add(from + 2 * CARDS + LEADS + EXPECTED_LEADS + character as usize);
        }
    }
    let from = players * SEAT;
    card_features(add, from, hand);
    let from = from + 2 * CARDS;
    add(from + usize::from(public.round_index).min(ROUNDS - 1));
    let from = from + ROUNDS;
    add(from + usize::from(seat.steps_to(public.first, public.parameters.players)));
    let from = from + SEATS;
    for jewel in Jewel::ALL {
        let count = usize::from(public.pouch.count(jewel)).min(POUCH - 1);
        add(from + POUCH * (jewel as usize) + count);
    }
}

#[inline]
fn jewel_features(add: &mut impl FnMut(usize), from: usize, collection: Jewels) {
    for jewel in Jewel::ALL {
        let count = usize::from(collection.count(jewel)).min(COUNTS);
        if count > 0 {
            add(from + COUNTS * (jewel as usize) + count - 1);
        }
    }
}

fn collection_feature(collection: Jewels, jewel: Jewel) -> usize {
    (jewel as usize) * (COUNTS + 1) + usize::from(collection.count(jewel)).min(COUNTS)
}

/// The features of the turn of a bid, the same for all cushions.
pub(crate) fn turn_features(knowledge: &Knowledge, features: &mut Features) {
    let public = &knowledge.public;
    let from = table_feature_count(public.players());
    features.push(from + public.placed.len().min(TURNS - 1));
    for bid in knowledge.own {
        features.push(from + TURNS + usize::from(bid.card.value()) - 1);
        if let Some(jewel) = public.offer.jewel_on(bid.cushion) {
            features.push(from + TURNS + CARDS + jewel as usize);
        }
    }
}

/// The features of one cushion at a bid.
pub(crate) fn cushion_features(knowledge: &Knowledge, cushion: Cushion, features: &mut Features) {
    let public = &knowledge.public;
    let players = public.players();
    let from = table_feature_count(players) + TURN;
    let Some(jewel) = public.offer.jewel_on(cushion) else { return };
    for (at, seat) in seats_from(public, knowledge.seat).enumerate() {
        let from = from + at * (SET + 1);
        features.push(from + collection_feature(public.collections[seat], jewel));
        if public.placed.iter().any(|bid| bid.seat == seat && bid.cushion == cushion) {
            features.push(from + SET);
        }
    }
    let from = from + players * (SET + 1);
    let bids = |cushion: Cushion| public.placed.iter().filter(|bid| bid.cushion == cushion).count();
    features.push(from + bids(cushion).min(PLACED - 1));
    for other in Cushion::first(public.parameters.cushions).filter(|&other| other != cushion) {
        if let Some(jewel) = public.offer.jewel_on(other) {
            let count = bids(other).min(OTHER_PLACED - 1);
            features.push(from + PLACED + OTHER_PLACED * (jewel as usize) + count);
        }
    }
}

/// The features of the offer that puts this jewel back.
pub(crate) fn put_back_features(knowledge: &Knowledge, jewel: Jewel, features: &mut Features) {
    let public = &knowledge.public;
    let players = public.players();
    let from = table_feature_count(players);
    for (at, seat) in seats_from(public, knowledge.seat).enumerate() {
        features.push(from + at * SET + collection_feature(public.collections[seat], jewel));
    }
    let from = from + players * SET;
    let kept = public.drawn.jewels().without(Jewels::one(jewel)).unwrap_or_default();
    for jewel in Jewel::ALL {
        let count = usize::from(kept.count(jewel)).min(OFFERED - 1);
        features.push(from + OFFERED * (jewel as usize) + count);
    }
}
