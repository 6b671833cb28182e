//! What the player to act has chosen so far, and how to take it back.

use sultan_domain::{Action, Cushion, CushionSet, Jewel, Legal, MoneyCard, Offer, View};

use crate::setup::turned;

/// What is chosen so far in this turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Which jewels go on which cushions.
    Offer(OfferChoice),
    /// Which card goes on which cushion.
    Bid(BidChoice),
}

/// Which jewels go on which cushions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OfferChoice {
    drawn: Vec<Jewel>,
    /// Which of the drawn jewels lie on cushions 1, 2, (3).
    placed: Vec<usize>,
    cushions: usize,
    /// Which of the drawn jewels would be next.
    pub(crate) cursor: usize,
}

/// How far a bid is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The card is being chosen.
    Card,
    /// The card is chosen, the cushion is not.
    Cushion,
    /// Both are chosen.
    Confirm,
}

/// Which card goes on which cushion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BidChoice {
    hand: Vec<MoneyCard>,
    cushions: CushionSet,
    pub(crate) step: Step,
    /// The card chosen, or that would be; by its place in the hand.
    pub(crate) card: usize,
    /// Whether a 1 was typed that may be the first digit of a card.
    pub(crate) begun: bool,
    /// The cushion chosen, or that would be.
    pub(crate) cushion: Cushion,
}

impl Choice {
    /// Nothing chosen yet; nothing at all where the observer has nothing to choose.
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

    /// A digit was typed: the number, counted from 1, of a jewel or a cushion, or a digit of a card's value.
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

    /// Moves on in the row that is being chosen from.
    pub(crate) fn step(&mut self, forward: bool) {
        match self {
            Self::Offer(offer) => offer.step(forward),
            Self::Bid(bid) => bid.step(forward),
        }
    }

    /// Takes what the cursor is at.
    pub(crate) fn take(&mut self) {
        match self {
            Self::Offer(offer) => offer.pick(offer.cursor),
            Self::Bid(bid) => bid.take(),
        }
    }

    /// Takes the last choice back; says whether there was one.
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

    /// The action, once everything is chosen.
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

    /// Chooses a jewel of a colour.
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

    /// The jewels drawn, each with the cushion that it lies on.
    pub(crate) fn drawn(&self) -> impl Iterator<Item = (Jewel, Option<usize>)> {
        let on = |index| self.placed.iter().position(|&placed| placed == index);
        self.drawn.iter().enumerate().map(move |(index, &jewel)| (jewel, on(index)))
    }

    /// The jewel on a cushion, by its place.
    pub(crate) fn on(&self, cushion: usize) -> Option<Jewel> {
        self.placed.get(cushion).map(|&index| self.drawn[index])
    }

    /// How many cushions have their jewel.
    pub(crate) fn placed(&self) -> usize {
        self.placed.len()
    }

    /// The jewel that goes back, once all others lie on cushions.
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
    /// Chooses a card, by its place in the hand.
    pub(crate) fn pick_card(&mut self, index: usize) {
        if index < self.hand.len() {
            self.card = index;
            self.begun = false;
            self.step = Step::Cushion;
        }
    }

    /// Chooses a card by its value, digit by digit. After a 1 that may be the first of two digits, a second one decides, or what
    /// the cursor is at is taken: nothing depends on how quickly somebody types.
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

    /// Chooses a cushion where a card may lie.
    pub(crate) fn pick_cushion(&mut self, cushion: Cushion) {
        if self.cushions.has(cushion) {
            self.cushion = cushion;
            if self.step != Step::Card {
                self.step = Step::Confirm;
            }
        }
    }

    /// Whether a card may lie there.
    pub(crate) fn allows(&self, cushion: Cushion) -> bool {
        self.cushions.has(cushion)
    }

    /// The card chosen, once it is.
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
        // A 1 alone waits: for its second digit, or for whoever takes the card that is marked.
        assert_eq!((bids(&hand, "1"), bids(&hand, "1.2")), (None, some("1@2")));
        assert_eq!((bids(&hand[1..], "1.2"), bids(&hand[1..], "1>.2")), (some("10@2"), some("11@2")));
        // Where no card has two digits, there is nothing to wait for.
        assert_eq!(bids(&[1, 3], "12"), some("1@2"));
        // What is not there is not chosen, and does not stand in the way; a 1 can be taken back.
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
