//! Settling of cushions: the bid that wins each cushion, and the holders of all jewels.

use sultan_domain::{Bid, ByCushion, BySeat, Collection, Jewels, Parameters, Seat, Ties};

/// The bid on a cushion that would win its jewel now (RULES 4.5).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lead {
    /// Twice the card's value plus the bidder's tie bonus; zero without a bid. A later bid must be stronger to win.
    strength: u8,
    /// The index in [`JewelHolders`] of the bidder; of the pouch without a bid.
    holder: u8,
}

impl Default for Lead {
    fn default() -> Self {
        Self { strength: 0, holder: JewelHolders::POUCH }
    }
}

/// The leads on all cushions.
pub(crate) type Leads = ByCushion<Lead>;

/// For each seat, 1 if its card wins against an equal earlier card in a round with this first player, else 0.
#[inline]
pub(crate) fn tie_bonuses(parameters: &Parameters, first_seat: Seat) -> BySeat<u8> {
    let mut bonuses = BySeat::default();
    match parameters.ties {
        // RULES 4.7: with two players the first player wins ties, regardless of the order of the cards.
        Ties::FirstPlayer => bonuses[first_seat] = 1,
        // RULES 4.6: with more players the earlier card wins ties.
        Ties::EarliestBid => {}
    }
    bonuses
}

/// The leads after these bids, which are in the order in which they were placed.
pub(crate) fn leads(parameters: &Parameters, first_seat: Seat, bids: &[Bid]) -> Leads {
    let mut leads = Leads::default();
    let tie_bonuses = tie_bonuses(parameters, first_seat);
    for &bid in bids {
        leads[bid.cushion].challenge(bid, tie_bonuses[bid.seat]);
    }
    leads
}

impl Lead {
    /// Updates the lead after a later bid on the cushion.
    #[inline]
    pub(crate) const fn challenge(&mut self, later_bid: Bid, tie_bonus: u8) {
        let strength = 2 * later_bid.card.value() + tie_bonus;
        if strength > self.strength {
            *self = Self { strength, holder: later_bid.seat.number() };
        }
    }

    /// The seat that would win the jewel; `None` without a bid.
    #[inline]
    pub(crate) const fn winner(self) -> Option<Seat> {
        Seat::new(self.holder)
    }
}

/// All jewels that are not on the board: the collection of each seat at the seat's index, and the pouch.
///
/// They are in one array, so that settling a cushion needs no branch: its jewel is added at the index of the lead's
/// holder, which is a seat, or the pouch if no seat bid (RULES 4.5.1).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct JewelHolders([Jewels; 8]);

impl JewelHolders {
    /// The index of the pouch. Indices 5 and 6 are unused: with a length of eight, a mask replaces the bounds check.
    const POUCH: u8 = 7;

    pub(crate) fn new(pouch: Jewels, collections: &BySeat<Collection>) -> Self {
        let mut holders = [Jewels::NONE; 8];
        holders[..collections.0.len()].copy_from_slice(&collections.0);
        holders[usize::from(Self::POUCH)] = pouch;
        Self(holders)
    }

    #[inline]
    pub(crate) const fn pouch(&self) -> Jewels {
        self.0[Self::POUCH as usize]
    }

    #[inline]
    pub(crate) const fn pouch_mut(&mut self) -> &mut Jewels {
        &mut self.0[Self::POUCH as usize]
    }

    #[inline]
    pub(crate) const fn collection(&self, seat: Seat) -> Collection {
        self.0[seat.index()]
    }

    /// Adds the jewel of a cushion to the winner's collection, or to the pouch if no seat bid on the cushion.
    #[inline]
    pub(crate) fn settle(&mut self, lead: Lead, jewel: Jewels) {
        // The mask changes no holder. It tells the compiler that the index is less than 8, so it omits the bounds check.
        let holder = &mut self.0[usize::from(lead.holder & 7)];
        *holder = holder.with(jewel);
    }
}

/// For each cushion the seat that wins its jewel; `None` without a bid. The bids are in the order in which they were
/// placed.
#[must_use]
pub fn winners(parameters: &Parameters, first_seat: Seat, bids: &[Bid]) -> ByCushion<Option<Seat>> {
    ByCushion(leads(parameters, first_seat, bids).0.map(Lead::winner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::{Action, Players};

    /// Parses a bid written as `SEAT:CARD@CUSHION`.
    fn parse_bid(text: &str) -> Bid {
        let (seat, bid) = text.split_once(':').unwrap();
        let Action::Bid { card, cushion } = bid.parse().unwrap() else { panic!("{text} is not a bid") };
        Bid { seat: Seat::new(seat.parse().unwrap()).unwrap(), card, cushion }
    }

    /// The seat numbers of the winners, cushion by cushion, with this number of players and this first player.
    fn winner_numbers(players: u8, first_seat: u8, bids: &str) -> [Option<u8>; 3] {
        let parameters = Parameters::of(Players::new(players).unwrap());
        let bids: Vec<Bid> = bids.split_whitespace().map(parse_bid).collect();
        winners(&parameters, Seat::new(first_seat).unwrap(), &bids).0.map(|seat| seat.map(Seat::number))
    }

    #[test]
    fn rule_4_5_1_jewel_without_bids_is_not_won() {
        assert_eq!(winner_numbers(4, 0, ""), [None; 3]);
        assert_eq!(winner_numbers(4, 0, "0:1@2 1:2@2 2:3@2 3:4@2"), [None, Some(3), None]);
    }

    #[test]
    fn rule_4_5_2_a_single_card_takes_the_jewel() {
        assert_eq!(winner_numbers(4, 0, "0:1@1 1:1@2 2:1@3"), [Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn rule_4_5_3_the_highest_of_several_cards_takes_the_jewel() {
        assert_eq!(winner_numbers(5, 0, "0:3@1 1:15@1 2:14@1 3:1@1 4:2@3"), [Some(1), None, Some(4)]);
    }

    #[test]
    fn rule_4_6_among_equal_highest_cards_the_first_placed_wins() {
        assert_eq!(winner_numbers(5, 3, "3:9@2 4:9@2 0:9@2 1:9@2 2:9@2"), [None, Some(3), None]);
        // Equal cards below the highest have no effect.
        assert_eq!(winner_numbers(5, 0, "0:7@1 1:7@1 2:12@1 3:3@1 4:12@1"), [Some(2), None, None]);
        assert_eq!(winner_numbers(5, 0, "0:12@1 1:7@1 2:7@1 3:12@1 4:12@1"), [Some(0), None, None]);
        // A tie on one cushion, and a single card on the other.
        assert_eq!(winner_numbers(3, 2, "2:4@1 0:4@1 1:4@2"), [Some(2), Some(1), None]);
    }

    #[test]
    fn rule_4_7_with_two_players_the_first_player_wins_ties_in_both_orders() {
        // Seat 1 is the first player. Its card is placed first on cushion 1, and last on cushion 2.
        assert_eq!(winner_numbers(2, 1, "1:5@1 0:8@2 1:8@2 0:5@1"), [Some(1), Some(1), None]);
        // The same with seat 0 as the first player.
        assert_eq!(winner_numbers(2, 0, "0:5@1 1:8@2 0:8@2 1:5@1"), [Some(0), Some(0), None]);
        // The first player wins only ties, not against a higher card.
        assert_eq!(winner_numbers(2, 0, "0:5@1 1:6@1 0:8@2 1:9@2"), [Some(1), Some(1), None]);
    }
}
