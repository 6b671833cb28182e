//! The inputs of the nets: boolean facts, from the perspective of one seat.
//!
//! Seats are counted from the observing one, so a net sees a single perspective. All facts are computed from [`Known`],
//! so hidden information cannot become an input.

use sultan_domain::{Cards, Cushion, Jewel, Jewels, Seat};

use crate::search::character::Character;
use crate::search::known::{Known, Public};
use crate::search::outlook::expected;

/// The numbers of the true facts.
pub struct Facts {
    list: [u16; Self::MOST],
    len: usize,
}

impl Facts {
    const MOST: usize = 192;

    pub(crate) const fn new() -> Self {
        Self { list: [0; Self::MOST], len: 0 }
    }

    /// The facts about the table for a seat with this hand.
    #[must_use]
    pub fn of_table(public: &Public, seat: Seat, hand: Cards) -> Self {
        let mut facts = Self::new();
        state(public, seat, hand, &mut |fact| facts.push(fact));
        facts
    }

    /// The numbers of the facts.
    #[must_use]
    pub fn as_slice(&self) -> &[u16] {
        &self.list[..self.len]
    }

    #[inline]
    fn push(&mut self, fact: usize) {
        #[expect(clippy::cast_possible_truncation, reason = "fewer than 1000 facts")]
        let fact = fact as u16;
        self.list[self.len] = fact;
        self.len += 1;
    }
}

/// The true facts about the table as a bit set, to compute differences between similar tables quickly.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FactSet([u64; WORDS]);

const WORDS: usize = state_facts(5).div_ceil(64);

impl FactSet {
    /// No facts.
    pub const NONE: Self = Self([0; WORDS]);

    /// The facts about the table for a seat with this hand.
    pub(crate) fn of_table(public: &Public, seat: Seat, hand: Cards) -> Self {
        let mut facts = Self::NONE;
        state(public, seat, hand, &mut |fact| facts.0[fact / 64] |= 1 << (fact % 64));
        facts
    }

    /// The facts of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn besides(&self, other: &Self) -> Facts {
        let mut facts = Facts::new();
        for (word, (own, other)) in self.0.iter().zip(other.0).enumerate() {
            let mut left = own & !other;
            while left != 0 {
                facts.push(64 * word + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
        facts
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
const HOPES: usize = 31;
const HOPE_STEP: f32 = 2.5;
/// Added to a lead with the expected bonus, like [`LEAD_SHIFT`]: fifteen and a half steps.
const HOPE_SHIFT: f32 = 38.75;
/// The number of facts about one seat: jewels of each colour, remaining cards (the first and the second of each value),
/// leads, and its estimated character.
pub(crate) const SEAT: usize = COLOURS * COUNTS + 2 * CARDS + LEADS + HOPES + Character::ALL.len();
/// The number of jewels of a colour in the pouch: 0 to 12.
const POUCH: usize = 13;
const ROUNDS: usize = 15;
const SEATS: usize = 5;
/// The number of facts not about a seat: own hand, round, first player, pouch.
const COMMON: usize = 2 * CARDS + ROUNDS + SEATS + COLOURS * POUCH;

/// The number of facts about the table.
pub(crate) const fn state_facts(players: usize) -> usize {
    players * SEAT + COMMON
}

/// The number of facts about a colour and a seat's number of jewels of it, 0 included.
const SET: usize = COLOURS * (COUNTS + 1);
/// The number of facts about a cushion, seats aside: its number of cards, and the other cushions.
const CUSHION: usize = PLACED + COLOURS * OTHER_PLACED;
/// The number of cards on a cushion: 0 to 5.
const PLACED: usize = 6;
/// The number of cards on another cushion: 0 to 3 or more.
const OTHER_PLACED: usize = 4;
/// The number of distinguished turns of a round; later ones count as the last.
const TURNS: usize = 5;
/// The number of jewels of a colour in an offer: 0 to 3.
const OFFERED: usize = 4;
/// The number of facts about the turn of a bid: its index, the own face-down card and its jewel.
const MOMENT: usize = TURNS + CARDS + COLOURS;

/// The number of facts about a bid on a cushion.
pub(crate) const fn bid_facts(players: usize) -> usize {
    state_facts(players) + MOMENT + players * (SET + 1) + CUSHION
}

/// The number of facts about an offer.
pub(crate) const fn offer_facts(players: usize) -> usize {
    state_facts(players) + players * SET + COLOURS * OFFERED
}

/// A block of facts that is repeated for every other seat.
#[derive(Clone, Copy, Debug)]
pub struct SharedFacts {
    /// The first fact of the block for the seat to the left.
    pub first: usize,
    /// The number of facts in the block.
    pub len: usize,
    /// The distance to the block of the next seat.
    pub stride: usize,
}

/// The blocks of facts that are repeated for every other seat, for a net with this number of facts.
#[must_use]
pub fn shared_facts(players: usize, facts: usize) -> Vec<SharedFacts> {
    let shared = |first: usize, len: usize| SharedFacts { first, len, stride: len };
    let mut all = vec![shared(SEAT, SEAT)];
    if facts == bid_facts(players) {
        all.push(shared(state_facts(players) + MOMENT + SET + 1, SET + 1));
    } else if facts == offer_facts(players) {
        all.push(shared(state_facts(players) + SET, SET));
    }
    all
}

#[inline]
fn cards(add: &mut impl FnMut(usize), from: usize, cards: Cards) {
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
pub(crate) fn seats_from(public: &Public, seat: Seat) -> impl Iterator<Item = Seat> {
    let mut next = seat;
    let players = public.parameters.players;
    (0..players.count()).map(move |_| {
        let here = next;
        next = next.left(players);
        here
    })
}

/// The facts about the table for a seat with this hand. During bidding, pass the hand from the start of the round.
pub(crate) fn state(public: &Public, seat: Seat, hand: Cards, add: &mut impl FnMut(usize)) {
    let players = public.players();
    let mut points = [0_i32; 5];
    for (points, seat) in points.iter_mut().zip(seats_from(public, seat)) {
        *points = i32::from(public.points(seat));
    }
    let expected = expected(public);
    let own = expected[seat.index()];
    let best_other =
        (0..players).filter(|&other| other != seat.index()).map(|other| expected[other]).fold(0.0, f32::max);
    for (at, seat) in seats_from(public, seat).enumerate() {
        let from = at * SEAT;
        jewels(add, from, public.collections[seat]);
        let from = from + COLOURS * COUNTS;
        cards(add, from, public.left[seat]);
        let rival = if at == 0 { points[1..players].iter().copied().max().unwrap_or(0) } else { points[at] };
        let step = usize::try_from((points[0] - rival + LEAD_SHIFT).max(0) / LEAD_STEP).expect("not below 0");
        add(from + 2 * CARDS + step.min(LEADS - 1));
        let lead = own - if at == 0 { best_other } else { expected[seat.index()] };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the number of steps")]
        let step = ((lead + HOPE_SHIFT) / HOPE_STEP).max(0.0) as usize;
        add(from + 2 * CARDS + LEADS + step.min(HOPES - 1));
        if let (Some(character), true) = (public.characters[seat.index()], at > 0) {
            add(from + 2 * CARDS + LEADS + HOPES + character as usize);
        }
    }
    let from = players * SEAT;
    cards(add, from, hand);
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
fn jewels(add: &mut impl FnMut(usize), from: usize, collection: Jewels) {
    for jewel in Jewel::ALL {
        let count = usize::from(collection.count(jewel)).min(COUNTS);
        if count > 0 {
            add(from + COUNTS * (jewel as usize) + count - 1);
        }
    }
}

fn set(collection: Jewels, jewel: Jewel) -> usize {
    (jewel as usize) * (COUNTS + 1) + usize::from(collection.count(jewel)).min(COUNTS)
}

/// The facts about the turn of a bid, the same for all cushions.
pub(crate) fn moment(known: &Known, facts: &mut Facts) {
    let public = &known.public;
    let from = state_facts(public.players());
    facts.push(from + public.placed.len().min(TURNS - 1));
    for bid in known.own {
        facts.push(from + TURNS + usize::from(bid.card.value()) - 1);
        if let Some(jewel) = public.offer.on(bid.cushion) {
            facts.push(from + TURNS + CARDS + jewel as usize);
        }
    }
}

/// The facts about one cushion at a bid.
pub(crate) fn cushion(known: &Known, cushion: Cushion, facts: &mut Facts) {
    let public = &known.public;
    let players = public.players();
    let from = state_facts(players) + MOMENT;
    let Some(jewel) = public.offer.on(cushion) else { return };
    for (at, seat) in seats_from(public, known.seat).enumerate() {
        let from = from + at * (SET + 1);
        facts.push(from + set(public.collections[seat], jewel));
        if public.placed.iter().any(|bid| bid.seat == seat && bid.cushion == cushion) {
            facts.push(from + SET);
        }
    }
    let from = from + players * (SET + 1);
    let bids = |cushion: Cushion| public.placed.iter().filter(|bid| bid.cushion == cushion).count();
    facts.push(from + bids(cushion).min(PLACED - 1));
    for other in Cushion::first(public.parameters.cushions).filter(|&other| other != cushion) {
        if let Some(jewel) = public.offer.on(other) {
            let count = bids(other).min(OTHER_PLACED - 1);
            facts.push(from + PLACED + OTHER_PLACED * (jewel as usize) + count);
        }
    }
}

/// The facts about the offer that puts this jewel back.
pub(crate) fn put_back(known: &Known, jewel: Jewel, facts: &mut Facts) {
    let public = &known.public;
    let players = public.players();
    let from = state_facts(players);
    for (at, seat) in seats_from(public, known.seat).enumerate() {
        facts.push(from + at * SET + set(public.collections[seat], jewel));
    }
    let from = from + players * SET;
    let kept = public.drawn.jewels().without(Jewels::one(jewel)).unwrap_or_default();
    for jewel in Jewel::ALL {
        let count = usize::from(kept.count(jewel)).min(OFFERED - 1);
        facts.push(from + OFFERED * (jewel as usize) + count);
    }
}
