//! The offer or bid that a player is choosing, step by step, with undo.

use sultan_domain::{Action, Cushion, CushionSet, Jewel, Legal, MoneyCard, Offer, View};

use crate::form::{cycle, cycle_index};
use crate::input::Direction;

/// The choice that the player is making in this turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Offer(OfferChoice),
    Bid(BidChoice),
}

/// An offer: a jewel for each cushion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OfferChoice {
    /// The jewels drawn from the pouch: one more than cushions.
    drawn: Vec<Jewel>,
    /// The jewels placed so far, as indices into `drawn`, in the order of the cushions.
    pub(crate) placed_indices: Vec<usize>,
    cushion_count: usize,
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
    pub(crate) legal_cushions: CushionSet,
    pub(crate) step: Step,
    /// The index in the hand of the chosen card, or of the card at the cursor.
    pub(crate) card_index: usize,
    /// Whether a 1 was typed that may be the first digit of a card from 10 to 15.
    pub(crate) awaits_second_digit: bool,
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
                placed_indices: Vec::new(),
                cushion_count: view.parameters.cushions.into(),
                cursor: 0,
            })),
            Legal::Bids { hand, cushions, .. } => Some(Self::Bid(BidChoice {
                hand: hand.iter().collect(),
                legal_cushions: cushions,
                step: Step::Card,
                card_index: 0,
                awaits_second_digit: false,
                cushion: cushions.nth(0)?,
            })),
        }
    }

    /// Handles a typed digit: the number of a jewel or a cushion (from 1), or a digit of a card's value.
    pub(crate) fn type_digit(&mut self, digit: usize) {
        match self {
            // For 0 this is an index beyond the list, which is ignored.
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
    pub(crate) fn move_cursor(&mut self, direction: Direction) {
        match self {
            Self::Offer(offer) => offer.move_cursor(direction),
            Self::Bid(bid) => bid.move_cursor(direction),
        }
    }

    /// Selects the item at the cursor.
    pub(crate) fn select(&mut self) {
        match self {
            Self::Offer(offer) => offer.place(offer.cursor),
            Self::Bid(bid) => {
                bid.awaits_second_digit = false;
                bid.step = if bid.step == Step::Card { Step::Cushion } else { Step::Confirm };
            }
        }
    }

    /// Undoes the last step.
    pub(crate) fn undo(&mut self) {
        match self {
            Self::Offer(offer) => offer.cursor = offer.placed_indices.pop().unwrap_or(offer.cursor),
            Self::Bid(bid) if bid.awaits_second_digit => bid.awaits_second_digit = false,
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
        if index < self.drawn.len()
            && self.placed_indices.len() < self.cushion_count
            && !self.placed_indices.contains(&index)
        {
            self.placed_indices.push(index);
            self.cursor = index;
            if self.placed_indices.len() < self.cushion_count {
                self.move_cursor(Direction::Forward);
            }
        }
    }

    /// Places the first free jewel of a colour on the next cushion.
    pub(crate) fn place_colour(&mut self, jewel: Jewel) {
        let is_free = |index: &usize| self.drawn[*index] == jewel && !self.placed_indices.contains(index);
        if let Some(index) = (0..self.drawn.len()).find(is_free) {
            self.place(index);
        }
    }

    /// Moves the cursor to the next or previous jewel that is not placed yet.
    fn move_cursor(&mut self, direction: Direction) {
        for _ in 0..self.drawn.len() {
            self.cursor = cycle_index(self.cursor, self.drawn.len(), direction);
            if !self.placed_indices.contains(&self.cursor) {
                return;
            }
        }
    }

    /// The drawn jewels, each with the index of its cushion if it is placed.
    pub(crate) fn drawn(&self) -> impl Iterator<Item = (Jewel, Option<usize>)> {
        let cushion_of = |index| self.placed_indices.iter().position(|&placed| placed == index);
        self.drawn.iter().enumerate().map(move |(index, &jewel)| (jewel, cushion_of(index)))
    }

    /// The jewel on the cushion with this index.
    pub(crate) fn jewel_on(&self, cushion_index: usize) -> Option<Jewel> {
        self.placed_indices.get(cushion_index).map(|&index| self.drawn[index])
    }

    /// The jewel that returns to the pouch. `None` until every cushion has a jewel.
    pub(crate) fn put_back(&self) -> Option<Jewel> {
        if self.placed_indices.len() < self.cushion_count {
            return None;
        }
        self.drawn().find_map(|(jewel, cushion)| cushion.is_none().then_some(jewel))
    }

    /// The offer, once every cushion has a jewel.
    fn action(&self) -> Option<Action> {
        let jewels: Vec<Jewel> = self.placed_indices.iter().map(|&index| self.drawn[index]).collect();
        Offer::new(&jewels).filter(|offer| offer.len() == self.cushion_count).map(Action::Offer)
    }
}

impl BidChoice {
    /// Chooses the card at this index of the hand.
    pub(crate) fn choose_card(&mut self, index: usize) {
        if index < self.hand.len() {
            self.card_index = index;
            self.awaits_second_digit = false;
            self.step = Step::Cushion;
        }
    }

    /// Chooses a card by its value, digit by digit. If the hand has a card from 10 to 15, a typed 1 does not select a
    /// card yet: it waits for a second digit, or for Enter, which selects the card at the cursor. Without a timeout,
    /// slow typing works too.
    fn type_digit(&mut self, digit: usize) {
        let is_second_digit = std::mem::take(&mut self.awaits_second_digit);
        let index_of_value = |value: usize| self.hand.iter().position(|card| usize::from(card.value()) == value);
        let two_digit_card = index_of_value(10 + digit).filter(|_| is_second_digit);
        let lowest_two_digit_card = self.hand.iter().position(|card| card.value() >= 10);
        match (two_digit_card, lowest_two_digit_card) {
            (None, Some(lowest)) if digit == 1 => {
                self.card_index = index_of_value(1).unwrap_or(lowest);
                self.awaits_second_digit = true;
            }
            _ => {
                if let Some(index) = two_digit_card.or_else(|| index_of_value(digit)) {
                    self.choose_card(index);
                }
            }
        }
    }

    /// Chooses a cushion, if a bid on it is legal. Before a card is chosen, this only moves the cursor to the cushion.
    pub(crate) fn choose_cushion(&mut self, cushion: Cushion) {
        if self.legal_cushions.has(cushion) {
            self.cushion = cushion;
            if self.step != Step::Card {
                self.step = Step::Confirm;
            }
        }
    }

    /// The card, once it is chosen.
    pub(crate) fn chosen_card(&self) -> Option<MoneyCard> {
        self.hand.get(self.card_index).copied().filter(|_| self.step != Step::Card)
    }

    /// Moves the cursor to the next or previous card, or to the next or previous cushion once a card is chosen.
    fn move_cursor(&mut self, direction: Direction) {
        self.awaits_second_digit = false;
        if self.step == Step::Card {
            self.card_index = cycle_index(self.card_index, self.hand.len(), direction);
        } else {
            let legal_cushions: Vec<Cushion> = self.legal_cushions.iter().collect();
            cycle(&mut self.cushion, &legal_cushions, direction);
            self.step = Step::Cushion;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer_choice(drawn: &str, cushion_count: usize) -> Choice {
        let drawn = drawn.chars().filter_map(Jewel::from_letter).collect();
        Choice::Offer(OfferChoice { drawn, placed_indices: Vec::new(), cushion_count, cursor: 0 })
    }

    fn bid_choice(hand: &[u8], legal_cushions: CushionSet) -> Choice {
        let hand = hand.iter().filter_map(|&card| MoneyCard::new(card)).collect();
        Choice::Bid(BidChoice {
            hand,
            legal_cushions,
            step: Step::Card,
            card_index: 0,
            awaits_second_digit: false,
            cushion: legal_cushions.nth(0).unwrap(),
        })
    }

    /// Handles keys in the step of a card, a jewel or a cushion: digits, `.` for Enter, `<` and `>` for the arrow keys,
    /// `u` for undo.
    fn press_keys(choice: &mut Choice, keys: &str) {
        for key in keys.chars() {
            match key {
                '.' => choice.select(),
                '>' => choice.move_cursor(Direction::Forward),
                '<' => choice.move_cursor(Direction::Backward),
                'u' => choice.undo(),
                digit => choice.type_digit(digit as usize - '0' as usize),
            }
        }
    }

    /// The chosen action as text, such as `12@2`. `None` until it is complete.
    fn action_text(choice: &Choice) -> Option<String> {
        choice.action().map(|action| action.to_string())
    }

    fn after_undo(choice: &Choice) -> Choice {
        let mut choice = choice.clone();
        choice.undo();
        choice
    }

    /// Undoes this many steps, and asserts that each changes the choice.
    fn undo_steps(choice: &mut Choice, steps: usize) {
        for _ in 0..steps {
            assert_ne!(after_undo(choice), *choice);
            choice.undo();
        }
    }

    #[test]
    fn chosen_jewels_are_placed_on_the_cushions_in_order() {
        let mut choice = offer_choice("WRYR", 3);
        // The second 4 has no effect, because the fourth jewel is already placed.
        press_keys(&mut choice, "441");
        assert_eq!(action_text(&choice), None);
        press_keys(&mut choice, "3");
        assert_eq!(action_text(&choice).unwrap(), "RWY");
        press_keys(&mut choice, "2");
        assert_eq!(action_text(&choice).unwrap(), "RWY", "all cushions are full");
        undo_steps(&mut choice, 2);
        press_keys(&mut choice, "..");
        assert_eq!(action_text(&choice).unwrap(), "RWR");
        undo_steps(&mut choice, 3);
        assert_eq!(after_undo(&choice), choice, "an empty offer has no step to undo");
    }

    #[test]
    fn cursor_skips_placed_jewels() {
        let mut choice = offer_choice("WRY", 2);
        // Place W, move from R to Y, place Y.
        press_keys(&mut choice, ".>.");
        assert_eq!(action_text(&choice).unwrap(), "WY");
    }

    #[test]
    fn jewels_are_placed_by_colour_if_one_of_the_colour_is_left() {
        let Choice::Offer(mut offer) = offer_choice("WRYR", 3) else { unreachable!() };
        offer.place_colour(Jewel::Red);
        offer.place_colour(Jewel::Red);
        offer.place_colour(Jewel::Blue);
        assert_eq!((offer.placed_indices.len(), offer.put_back()), (2, None));
        offer.place_colour(Jewel::Yellow);
        assert_eq!((offer.jewel_on(2), offer.put_back()), (Some(Jewel::Yellow), Some(Jewel::White)));
    }

    #[test]
    fn bid_is_a_card_then_a_cushion_and_can_be_undone() {
        let mut choice = bid_choice(&[3, 7, 7, 12], CushionSet::first(3));
        // The hand has no 9, so this key is ignored. Then card 12, cushion 2.
        press_keys(&mut choice, "9122");
        assert_eq!(action_text(&choice).unwrap(), "12@2");
        press_keys(&mut choice, "3");
        assert_eq!(action_text(&choice).unwrap(), "12@3");
        undo_steps(&mut choice, 2);
        assert_eq!(after_undo(&choice), choice, "the first step cannot be undone");
        // From the 12 to the first 7; then from cushion 3 to the next, which is cushion 1.
        press_keys(&mut choice, "<<.>.");
        assert_eq!(action_text(&choice).unwrap(), "7@1");
    }

    #[test]
    fn typed_value_chooses_the_card() {
        let bid_after_keys = |hand: &[u8], keys: &str| {
            let mut choice = bid_choice(hand, CushionSet::first(3));
            press_keys(&mut choice, keys);
            action_text(&choice).unwrap_or_default()
        };
        let hand = [1, 3, 7, 7, 10, 11, 12];
        for (keys, expected) in [("71", "7@1"), ("33", "3@3"), ("102", "10@2"), ("111", "11@1"), ("122", "12@2")] {
            assert_eq!(bid_after_keys(&hand, keys), expected, "{keys}");
        }
        // A 1 waits for a second digit, or for Enter, which selects the card at the cursor.
        assert_eq!(bid_after_keys(&hand, "1"), "");
        assert_eq!(bid_after_keys(&hand, "1.2"), "1@2");
        let hand_without_one = &hand[1..];
        assert_eq!(bid_after_keys(hand_without_one, "1.2"), "10@2");
        assert_eq!(bid_after_keys(hand_without_one, "1>.2"), "11@2");
        // If no card has two digits, a 1 selects at once.
        assert_eq!(bid_after_keys(&[1, 3], "12"), "1@2");
        // A 1 can be undone.
        assert_eq!(bid_after_keys(&hand, "1u72"), "7@2");
        // Values that are not in the hand are ignored.
        assert_eq!(bid_after_keys(&hand, "5"), "");
        // After 5, the 1 waits; a 13 is not in the hand, so 3 is the card, and 2 the cushion.
        assert_eq!(bid_after_keys(&hand, "5132"), "3@2");
        // After 0, the 1 waits; an 11 is not in the hand, so the second 1 waits again: card 12, cushion 3.
        assert_eq!(bid_after_keys(&[3, 12], "01123"), "12@3");
    }

    #[test]
    fn cushion_without_a_legal_bid_cannot_be_chosen() {
        let first_cushion = Cushion::new(1).unwrap();
        let mut choice = bid_choice(&[3], CushionSet::first(3).without(first_cushion));
        press_keys(&mut choice, ".1");
        assert_eq!(action_text(&choice), None);
        press_keys(&mut choice, ">.");
        assert_eq!(action_text(&choice).unwrap(), "3@3");
    }
}
