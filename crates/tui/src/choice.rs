//! The offer or bid that a player is choosing, step by step, with undo.

use sultan_domain::{Action, Cushion, CushionSet, Jewel, Legal, MoneyCard, Offer, View};

use crate::form::{cycle, cycle_index};

/// The choice under way in this turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Offer(OfferChoice),
    Bid(BidChoice),
}

/// An offer: a jewel for each cushion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OfferChoice {
    drawn: Vec<Jewel>,
    /// Indices into `drawn`, in the order of the cushions.
    pub(crate) placed: Vec<usize>,
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
    /// The cushions on which a bid is legal.
    pub(crate) cushions: CushionSet,
    pub(crate) step: Step,
    /// The index in the hand of the chosen card, or of the card at the cursor.
    pub(crate) card: usize,
    /// Whether a 1 was typed that may be the first digit of a two-digit card.
    pub(crate) typed_one: bool,
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
                typed_one: false,
                cushion: cushions.nth(0)?,
            })),
        }
    }

    /// Handles a typed digit: the number of a jewel or a cushion (from 1), or a digit of a card's value.
    pub(crate) fn type_digit(&mut self, digit: usize) {
        match self {
            Self::Offer(offer) => offer.place(digit.wrapping_sub(1)),
            Self::Bid(bid) if bid.step == Step::Card => bid.type_digit(digit),
            Self::Bid(bid) => {
                if let Some(cushion) = u8::try_from(digit).ok().and_then(Cushion::new) {
                    bid.choose_cushion(cushion);
                }
            }
        }
    }

    /// Moves the cursor to the next or previous jewel, card or cushion.
    pub(crate) fn move_cursor(&mut self, forward: bool) {
        match self {
            Self::Offer(offer) => offer.move_cursor(forward),
            Self::Bid(bid) => bid.move_cursor(forward),
        }
    }

    /// Selects the item at the cursor.
    pub(crate) fn select(&mut self) {
        match self {
            Self::Offer(offer) => offer.place(offer.cursor),
            Self::Bid(bid) => {
                bid.typed_one = false;
                bid.step = if bid.step == Step::Card { Step::Cushion } else { Step::Confirm };
            }
        }
    }

    /// Undoes the last step.
    pub(crate) fn undo(&mut self) {
        match self {
            Self::Offer(offer) => offer.cursor = offer.placed.pop().unwrap_or(offer.cursor),
            Self::Bid(bid) if bid.typed_one => bid.typed_one = false,
            Self::Bid(bid) => bid.step = if bid.step == Step::Confirm { Step::Cushion } else { Step::Card },
        }
    }

    /// The action, once it is complete.
    pub(crate) fn action(&self) -> Option<Action> {
        match self {
            Self::Offer(offer) => offer.action(),
            Self::Bid(bid) => {
                let card = bid.chosen_card().filter(|_| bid.step == Step::Confirm)?;
                Some(Action::Bid { card, cushion: bid.cushion })
            }
        }
    }
}

impl OfferChoice {
    /// Places the drawn jewel with this index on the next cushion.
    pub(crate) fn place(&mut self, index: usize) {
        if index < self.drawn.len() && self.placed.len() < self.cushions && !self.placed.contains(&index) {
            self.placed.push(index);
            self.cursor = index;
            if self.placed.len() < self.cushions {
                self.move_cursor(true);
            }
        }
    }

    /// Places the first free jewel of a colour on the next cushion.
    pub(crate) fn place_colour(&mut self, jewel: Jewel) {
        let is_free = |index: &usize| self.drawn[*index] == jewel && !self.placed.contains(index);
        if let Some(index) = (0..self.drawn.len()).find(is_free) {
            self.place(index);
        }
    }

    fn move_cursor(&mut self, forward: bool) {
        for _ in 0..self.drawn.len() {
            self.cursor = cycle_index(self.cursor, self.drawn.len(), forward);
            if !self.placed.contains(&self.cursor) {
                return;
            }
        }
    }

    /// The drawn jewels, each with the index of its cushion if it is placed.
    pub(crate) fn drawn(&self) -> impl Iterator<Item = (Jewel, Option<usize>)> {
        let cushion_of = |index| self.placed.iter().position(|&placed| placed == index);
        self.drawn.iter().enumerate().map(move |(index, &jewel)| (jewel, cushion_of(index)))
    }

    /// The jewel on the cushion with this index.
    pub(crate) fn jewel_on(&self, cushion: usize) -> Option<Jewel> {
        self.placed.get(cushion).map(|&index| self.drawn[index])
    }

    /// The jewel that returns to the pouch, once every cushion has a jewel.
    pub(crate) fn left_over(&self) -> Option<Jewel> {
        let mut all = self.drawn().filter(|_| self.placed.len() == self.cushions);
        all.find(|(_, cushion)| cushion.is_none()).map(|(jewel, _)| jewel)
    }

    fn action(&self) -> Option<Action> {
        let jewels: Vec<Jewel> = self.placed.iter().map(|&index| self.drawn[index]).collect();
        Offer::new(&jewels).filter(|offer| offer.len() == self.cushions).map(Action::Offer)
    }
}

impl BidChoice {
    /// Chooses the card at this index of the hand.
    pub(crate) fn choose_card(&mut self, index: usize) {
        if index < self.hand.len() {
            self.card = index;
            self.typed_one = false;
            self.step = Step::Cushion;
        }
    }

    /// Chooses a card by its value, digit by digit. A 1 that may start a two-digit value waits for a second digit or
    /// for Enter, which selects the card at the cursor. There is no timeout, so slow typing works too.
    fn type_digit(&mut self, digit: usize) {
        let typed_one = std::mem::take(&mut self.typed_one);
        let card_of = |value: usize| self.hand.iter().position(|card| usize::from(card.value()) == value);
        let first_two_digit_card = self.hand.iter().position(|card| card.value() >= 10);
        match (card_of(10 + digit).filter(|_| typed_one), first_two_digit_card) {
            (Some(index), _) => self.choose_card(index),
            (None, Some(first)) if digit == 1 => {
                self.card = card_of(1).unwrap_or(first);
                self.typed_one = true;
            }
            (None, _) => {
                if let Some(index) = card_of(digit) {
                    self.choose_card(index);
                }
            }
        }
    }

    /// Chooses a cushion, if a bid on it is legal.
    pub(crate) fn choose_cushion(&mut self, cushion: Cushion) {
        if self.cushions.has(cushion) {
            self.cushion = cushion;
            if self.step != Step::Card {
                self.step = Step::Confirm;
            }
        }
    }

    /// The card, once it is chosen.
    pub(crate) fn chosen_card(&self) -> Option<MoneyCard> {
        self.hand.get(self.card).copied().filter(|_| self.step != Step::Card)
    }

    fn move_cursor(&mut self, forward: bool) {
        self.typed_one = false;
        if self.step == Step::Card {
            self.card = cycle_index(self.card, self.hand.len(), forward);
        } else {
            let legal: Vec<Cushion> = self.cushions.iter().collect();
            cycle(&mut self.cushion, &legal, forward);
            self.step = Step::Cushion;
        }
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
            typed_one: false,
            cushion: cushions.nth(0).unwrap(),
        })
    }

    fn text(choice: &Choice) -> Option<String> {
        choice.action().map(|action| action.to_string())
    }

    fn undone(choice: &Choice) -> Choice {
        let mut choice = choice.clone();
        choice.undo();
        choice
    }

    /// Undoes this many steps, and asserts that each changes the choice.
    fn undo(choice: &mut Choice, steps: usize) {
        for _ in 0..steps {
            assert_ne!(undone(choice), *choice);
            choice.undo();
        }
    }

    #[test]
    fn chosen_jewels_are_placed_on_the_cushions_in_order() {
        let mut choice = offer("WRYR", 3);
        choice.type_digit(4);
        choice.type_digit(4);
        choice.type_digit(1);
        assert_eq!(text(&choice), None);
        choice.type_digit(3);
        assert_eq!(text(&choice).unwrap(), "RWY");
        choice.type_digit(2);
        assert_eq!(text(&choice).unwrap(), "RWY");
        undo(&mut choice, 2);
        choice.select();
        choice.select();
        assert_eq!(text(&choice).unwrap(), "RWR");
        undo(&mut choice, 3);
        assert_eq!(undone(&choice), choice);
    }

    #[test]
    fn cursor_skips_placed_jewels() {
        let mut choice = offer("WRY", 2);
        choice.select();
        choice.move_cursor(true);
        choice.select();
        assert_eq!(text(&choice).unwrap(), "WY");
        let Choice::Offer(mut offer) = offer("WRYR", 3) else { unreachable!() };
        offer.place_colour(Jewel::Red);
        offer.place_colour(Jewel::Red);
        offer.place_colour(Jewel::Blue);
        assert_eq!((offer.placed.len(), offer.left_over()), (2, None));
        offer.place_colour(Jewel::Yellow);
        assert_eq!((offer.jewel_on(2), offer.left_over()), (Some(Jewel::Yellow), Some(Jewel::White)));
    }

    #[test]
    fn bid_is_a_card_then_a_cushion_and_can_be_undone() {
        let mut choice = bid(&[3, 7, 7, 12], CushionSet::first(3));
        choice.type_digit(9);
        choice.type_digit(1);
        choice.type_digit(2);
        choice.type_digit(2);
        assert_eq!(text(&choice).unwrap(), "12@2");
        choice.type_digit(3);
        assert_eq!(text(&choice).unwrap(), "12@3");
        undo(&mut choice, 2);
        assert_eq!(undone(&choice), choice);
        choice.move_cursor(false);
        choice.move_cursor(false);
        choice.select();
        choice.move_cursor(true);
        choice.select();
        assert_eq!(text(&choice).unwrap(), "7@1");
    }

    #[test]
    fn typed_value_chooses_the_card() {
        let bids = |hand: &[u8], keys: &str| {
            let mut choice = bid(hand, CushionSet::first(3));
            for key in keys.chars() {
                match key {
                    '.' => choice.select(),
                    '>' => choice.move_cursor(true),
                    '<' => choice.undo(),
                    digit => choice.type_digit(digit as usize - '0' as usize),
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
    fn cushion_with_an_own_card_cannot_be_chosen() {
        let first = Cushion::new(1).unwrap();
        let mut choice = bid(&[3], CushionSet::first(3).without(first));
        choice.select();
        choice.type_digit(1);
        assert_eq!(text(&choice), None);
        choice.move_cursor(true);
        choice.select();
        assert_eq!(text(&choice).unwrap(), "3@3");
    }
}
