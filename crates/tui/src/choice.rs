//! The offer or bid that a player is choosing, step by step, with undo.

use sultan_domain::{Action, Cushion, CushionSet, Jewel, Legal, MoneyCard, Offer, View};

use crate::setup::turned;

/// The choice under way in this turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// An offer: a jewel for each cushion.
    Offer(OfferChoice),
    /// A bid: a card and a cushion.
    Bid(BidChoice),
}

/// An offer: a jewel for each cushion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OfferChoice {
    drawn: Vec<Jewel>,
    /// Indices into `drawn`, in the order of the cushions.
    placed: Vec<usize>,
    cushions: usize,
    /// The index in `drawn` of the jewel that Enter would place.
    pub(crate) cursor: usize,
}

/// The part of a bid that is being chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The card is being chosen.
    Card,
    /// The card is chosen, the cushion is not.
    Cushion,
    /// Both are chosen.
    Confirm,
}

/// A bid: a card and a cushion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BidChoice {
    hand: Vec<MoneyCard>,
    cushions: CushionSet,
    pub(crate) step: Step,
    /// The index in the hand of the chosen card, or of the card at the cursor.
    pub(crate) card: usize,
    /// Whether a 1 was typed that may be the first digit of a two-digit card.
    pub(crate) begun: bool,
    /// The chosen cushion, or the cushion at the cursor.
    pub(crate) cushion: Cushion,
}

impl Choice {
    /// An empty choice. `None` if the observer has no legal action.
    pub(crate) fn of(view: &View) -> Option<Self> {
        match view.legal() {
            Legal::Nothing => None,
            Legal::Offers { .. } => Some(Self::Offer(OfferChoice {
                drawn: view.drawn.iter().collect(),
                placed: Vec::new(),
                cushions: view.parameters.cushions.into(),
                cursor: 0,
            })),
            Legal::Bids { hand, cushions, .. } => Some(Self::Bid(BidChoice {
                hand: hand.iter().collect(),
                cushions,
                step: Step::Card,
                card: 0,
                begun: false,
                cushion: cushions.nth(0)?,
            })),
        }
    }

    /// Handles a typed digit: the number of a jewel or a cushion (from 1), or a digit of a card's value.
    pub(crate) fn pick(&mut self, number: usize) {
        match self {
            Self::Offer(offer) => offer.pick(number.wrapping_sub(1)),
            Self::Bid(bid) => match bid.step {
                Step::Card => bid.type_digit(number),
                Step::Cushion | Step::Confirm => {
                    if let Some(cushion) = u8::try_from(number).ok().and_then(Cushion::new) {
                        bid.pick_cushion(cushion);
                    }
                }
            },
        }
    }

    /// Moves the cursor to the next or previous jewel, card or cushion.
    pub(crate) fn step(&mut self, forward: bool) {
        match self {
            Self::Offer(offer) => offer.step(forward),
            Self::Bid(bid) => bid.step(forward),
        }
    }

    /// Selects the item at the cursor.
    pub(crate) fn take(&mut self) {
        match self {
            Self::Offer(offer) => offer.pick(offer.cursor),
            Self::Bid(bid) => bid.take(),
        }
    }

    /// Undoes the last step. Returns whether anything changed.
    pub(crate) fn undo(&mut self) -> bool {
        match self {
            Self::Offer(offer) => match offer.placed.pop() {
                Some(last) => {
                    offer.cursor = last;
                    true
                }
                None => false,
            },
            Self::Bid(bid) => {
                if std::mem::take(&mut bid.begun) {
                    return true;
                }
                let before = bid.step;
                bid.step = match bid.step {
                    Step::Card | Step::Cushion => Step::Card,
                    Step::Confirm => Step::Cushion,
                };
                before != bid.step
            }
        }
    }

    /// The action, once it is complete.
    pub(crate) fn action(&self) -> Option<Action> {
        match self {
            Self::Offer(offer) => offer.action(),
            Self::Bid(bid) => bid.action(),
        }
    }
}

impl OfferChoice {
    fn pick(&mut self, index: usize) {
        if index < self.drawn.len() && self.placed.len() < self.cushions && !self.placed.contains(&index) {
            self.placed.push(index);
            self.cursor = index;
            if self.placed.len() < self.cushions {
                self.step(true);
            }
        }
    }

    /// Places the first free jewel of a colour on the next cushion.
    pub(crate) fn pick_jewel(&mut self, jewel: Jewel) {
        let free = |index: &usize| self.drawn[*index] == jewel && !self.placed.contains(index);
        if let Some(index) = (0..self.drawn.len()).find(free) {
            self.pick(index);
        }
    }

    fn step(&mut self, forward: bool) {
        let count = self.drawn.len();
        for _ in 0..count {
            self.cursor = (self.cursor + if forward { 1 } else { count - 1 }) % count;
            if !self.placed.contains(&self.cursor) {
                return;
            }
        }
    }

    /// The drawn jewels, each with the index of its cushion if it is placed.
    pub(crate) fn drawn(&self) -> impl Iterator<Item = (Jewel, Option<usize>)> {
        let on = |index| self.placed.iter().position(|&placed| placed == index);
        self.drawn.iter().enumerate().map(move |(index, &jewel)| (jewel, on(index)))
    }

    /// The jewel on the cushion with this index.
    pub(crate) fn on(&self, cushion: usize) -> Option<Jewel> {
        self.placed.get(cushion).map(|&index| self.drawn[index])
    }

    /// The number of jewels placed.
    pub(crate) fn placed(&self) -> usize {
        self.placed.len()
    }

    /// The jewel that returns to the pouch, once every cushion has a jewel.
    pub(crate) fn left_over(&self) -> Option<Jewel> {
        let is_left = self.placed.len() == self.cushions;
        let left = (0..self.drawn.len()).find(|index| !self.placed.contains(index));
        left.filter(|_| is_left).map(|index| self.drawn[index])
    }

    fn action(&self) -> Option<Action> {
        let jewels: Vec<Jewel> = self.placed.iter().map(|&index| self.drawn[index]).collect();
        Offer::new(&jewels).filter(|offer| offer.len() == self.cushions).map(Action::Offer)
    }
}

impl BidChoice {
    /// Chooses the card at this index of the hand.
    pub(crate) fn pick_card(&mut self, index: usize) {
        if index < self.hand.len() {
            self.card = index;
            self.begun = false;
            self.step = Step::Cushion;
        }
    }

    /// Chooses a card by its value, digit by digit. A 1 that may start a two-digit value waits for a second digit or
    /// for Enter, which selects the card at the cursor. There is no timeout, so slow typing works too.
    fn type_digit(&mut self, digit: usize) {
        let begun = std::mem::take(&mut self.begun);
        let place = |value: usize| self.hand.iter().position(|card| usize::from(card.value()) == value);
        let two_digits = self.hand.iter().position(|card| card.value() >= 10);
        match (place(10 + digit).filter(|_| begun), two_digits) {
            (Some(index), _) => self.pick_card(index),
            (None, Some(first)) if digit == 1 => {
                self.card = place(1).unwrap_or(first);
                self.begun = true;
            }
            (None, _) => {
                if let Some(index) = place(digit) {
                    self.pick_card(index);
                }
            }
        }
    }

    /// Chooses a cushion, if a bid on it is legal.
    pub(crate) fn pick_cushion(&mut self, cushion: Cushion) {
        if self.cushions.has(cushion) {
            self.cushion = cushion;
            if self.step != Step::Card {
                self.step = Step::Confirm;
            }
        }
    }

    /// Whether a bid on this cushion is legal.
    pub(crate) fn allows(&self, cushion: Cushion) -> bool {
        self.cushions.has(cushion)
    }

    /// The card, once it is chosen.
    pub(crate) fn chosen_card(&self) -> Option<MoneyCard> {
        self.hand.get(self.card).copied().filter(|_| self.step != Step::Card)
    }

    fn step(&mut self, forward: bool) {
        self.begun = false;
        match self.step {
            Step::Card => {
                let count = self.hand.len();
                self.card = (self.card + if forward { 1 } else { count - 1 }) % count;
            }
            Step::Cushion | Step::Confirm => {
                let all: Vec<Cushion> = self.cushions.iter().collect();
                self.cushion = turned(&all, &self.cushion, forward);
                self.step = Step::Cushion;
            }
        }
    }

    fn take(&mut self) {
        self.begun = false;
        self.step = match self.step {
            Step::Card => Step::Cushion,
            Step::Cushion | Step::Confirm => Step::Confirm,
        };
    }

    fn action(&self) -> Option<Action> {
        let card = *self.hand.get(self.card)?;
        (self.step == Step::Confirm).then_some(Action::Bid { card, cushion: self.cushion })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(drawn: &str, cushions: usize) -> Choice {
        let drawn = drawn.chars().filter_map(Jewel::from_letter).collect();
        Choice::Offer(OfferChoice { drawn, placed: Vec::new(), cushions, cursor: 0 })
    }

    fn bid(hand: &[u8], cushions: CushionSet) -> Choice {
        let hand = hand.iter().filter_map(|&card| MoneyCard::new(card)).collect();
        Choice::Bid(BidChoice {
            hand,
            cushions,
            step: Step::Card,
            card: 0,
            begun: false,
            cushion: cushions.nth(0).unwrap(),
        })
    }

    fn text(choice: &Choice) -> Option<String> {
        choice.action().map(|action| action.to_string())
    }

    #[test]
    fn jewels_fill_cushions_in_order_of_choice() {
        let mut choice = offer("WRYR", 3);
        choice.pick(4);
        choice.pick(4);
        choice.pick(1);
        assert_eq!(text(&choice), None);
        choice.pick(3);
        assert_eq!(text(&choice).unwrap(), "RWY");
        choice.pick(2);
        assert_eq!(text(&choice).unwrap(), "RWY");
        assert!(choice.undo() && choice.undo());
        choice.take();
        choice.take();
        assert_eq!(text(&choice).unwrap(), "RWR");
        assert!(choice.undo() && choice.undo() && choice.undo() && !choice.undo());
    }

    #[test]
    fn the_cursor_passes_over_jewels_that_are_placed() {
        let mut choice = offer("WRY", 2);
        choice.take();
        choice.step(true);
        choice.take();
        assert_eq!(text(&choice).unwrap(), "WY");
        let Choice::Offer(mut offer) = offer("WRYR", 3) else { unreachable!() };
        offer.pick_jewel(Jewel::Red);
        offer.pick_jewel(Jewel::Red);
        offer.pick_jewel(Jewel::Blue);
        assert_eq!((offer.placed(), offer.left_over()), (2, None));
        offer.pick_jewel(Jewel::Yellow);
        assert_eq!((offer.on(2), offer.left_over()), (Some(Jewel::Yellow), Some(Jewel::White)));
    }

    #[test]
    fn a_bid_is_a_card_then_a_cushion_and_can_be_taken_back() {
        let mut choice = bid(&[3, 7, 7, 12], CushionSet::first(3));
        choice.pick(9);
        choice.pick(1);
        choice.pick(2);
        choice.pick(2);
        assert_eq!(text(&choice).unwrap(), "12@2");
        choice.pick(3);
        assert_eq!(text(&choice).unwrap(), "12@3");
        assert!(choice.undo() && choice.undo() && !choice.undo());
        choice.step(false);
        choice.step(false);
        choice.take();
        choice.step(true);
        choice.take();
        assert_eq!(text(&choice).unwrap(), "7@1");
    }

    #[test]
    fn a_card_is_chosen_by_its_value() {
        let bids = |hand: &[u8], keys: &str| {
            let mut choice = bid(hand, CushionSet::first(3));
            for key in keys.chars() {
                match key {
                    '.' => choice.take(),
                    '>' => choice.step(true),
                    '<' => drop(choice.undo()),
                    digit => choice.pick(digit as usize - '0' as usize),
                }
            }
            text(&choice)
        };
        let some = |text: &str| Some(text.to_owned());
        let hand = [1, 3, 7, 7, 10, 11, 12];
        for (keys, wanted) in [("71", "7@1"), ("33", "3@3"), ("102", "10@2"), ("111", "11@1"), ("122", "12@2")] {
            assert_eq!(bids(&hand, keys), some(wanted), "{keys}");
        }
        // A 1 waits for a second digit, or for Enter, which selects the card at the cursor.
        assert_eq!((bids(&hand, "1"), bids(&hand, "1.2")), (None, some("1@2")));
        assert_eq!((bids(&hand[1..], "1.2"), bids(&hand[1..], "1>.2")), (some("10@2"), some("11@2")));
        // If no card has two digits, a 1 selects at once.
        assert_eq!(bids(&[1, 3], "12"), some("1@2"));
        // Values that are not in the hand are ignored, and a 1 can be undone.
        assert_eq!((bids(&hand, "5"), bids(&hand, "5132"), bids(&hand, "1<72")), (None, some("3@2"), some("7@2")));
        assert_eq!(bids(&[3, 12], "01123"), some("12@3"));
    }

    #[test]
    fn only_cushions_without_an_own_card_can_be_chosen() {
        let first = Cushion::new(1).unwrap();
        let mut choice = bid(&[3], CushionSet::first(3).without(first));
        choice.take();
        choice.pick(1);
        assert_eq!(text(&choice), None);
        choice.step(true);
        choice.take();
        assert_eq!(text(&choice).unwrap(), "3@3");
    }
}
