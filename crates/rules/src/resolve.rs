//! Settling: the winner of each cushion, and the holders of all jewels.

use sultan_domain::{Bid, ByCushion, BySeat, Collection, Jewels, Parameters, Seat, Ties};

/// The leading bid of a cushion (RULES 4.5).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lead {
    /// Twice the card's value, plus one if the bid wins ties; zero without a bid.
    strength: u8,
    /// The index of the winner, or of the pouch, in [`JewelHolders`].
    holder: u8,
}

impl Default for Lead {
    fn default() -> Self {
        Self { strength: 0, holder: JewelHolders::POUCH }
    }
}

/// The leads on all cushions.
pub(crate) type Leads = ByCushion<Lead>;

/// For each seat 1 if it wins ties against an earlier card in a round with this first player, else 0.
#[inline]
pub(crate) fn tie_bonuses(parameters: &Parameters, first: Seat) -> BySeat<u8> {
    let mut bonuses = BySeat::default();
    match parameters.ties {
        // RULES 4.7: with two players the first player wins ties, regardless of order.
        Ties::FirstPlayer => bonuses[first] = 1,
        // RULES 4.6: otherwise the earlier card wins ties.
        Ties::EarliestBid => {}
    }
    bonuses
}

/// The leads after these bids, in order of placement.
pub(crate) fn leads(parameters: &Parameters, first: Seat, bids: &[Bid]) -> Leads {
    let mut leads = Leads::default();
    let tie_bonuses = tie_bonuses(parameters, first);
    for &bid in bids {
        leads[bid.cushion].challenge(bid, tie_bonuses[bid.seat]);
    }
    leads
}

impl Lead {
    /// Updates the lead after another bid on this cushion.
    #[inline]
    pub(crate) const fn challenge(&mut self, later: Bid, tie_bonus: u8) {
        let strength = 2 * later.card.value() + tie_bonus;
        if strength > self.strength {
            *self = Self { strength, holder: later.seat.number() };
        }
    }

    /// The winner of the jewel; `None` without a bid.
    #[inline]
    pub(crate) const fn winner(self) -> Option<Seat> {
        Seat::new(self.holder)
    }
}

/// The holders of all jewels that are not on the board: every seat with its collection, and the pouch.
///
/// One array, so that settling a cushion just adds its jewel at the index that the lead names: a seat, or the pouch if
/// no seat bid (RULES 4.5.1).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct JewelHolders([Jewels; 8]);

impl JewelHolders {
    /// The index of the pouch, after the seats.
    const POUCH: u8 = 7;

    pub(crate) fn new(pouch: Jewels, collections: &BySeat<Collection>) -> Self {
        let mut all = [Jewels::NONE; 8];
        all[..collections.0.len()].copy_from_slice(&collections.0);
        all[usize::from(Self::POUCH)] = pouch;
        Self(all)
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

    /// Adds the jewel of a cushion to the winner's collection, or to the pouch if the cushion got no bid.
    #[inline]
    pub(crate) fn settle(&mut self, lead: Lead, jewel: Jewels) {
        let held = &mut self.0[usize::from(lead.holder & 7)];
        *held = held.with(jewel);
    }
}

/// For each cushion the seat that takes its jewel.
/// The bids are in order of placement.
#[must_use]
pub fn winners(parameters: &Parameters, first: Seat, bids: &[Bid]) -> ByCushion<Option<Seat>> {
    ByCushion(leads(parameters, first, bids).0.map(Lead::winner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::{Cushion, MoneyCard, Players};

    /// Settles bids written as `SEAT:CARD@CUSHION` with this number of players and this first seat.
    fn winner_numbers(players: u8, first: u8, bids: &str) -> [Option<u8>; 3] {
        let parameters = Parameters::of(Players::new(players).unwrap());
        let bids: Vec<Bid> = bids
            .split_whitespace()
            .map(|text| {
                let (seat, bid) = text.split_once(':').unwrap();
                let (card, cushion) = bid.split_once('@').unwrap();
                let number = |text: &str| text.parse::<u8>().unwrap();
                Bid {
                    seat: Seat::new(number(seat)).unwrap(),
                    card: MoneyCard::new(number(card)).unwrap(),
                    cushion: Cushion::new(number(cushion)).unwrap(),
                }
            })
            .collect();
        winners(&parameters, Seat::new(first).unwrap(), &bids).0.map(|seat| seat.map(Seat::number))
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
    fn rule_4_5_3_the_highest_of_several_takes_the_jewel() {
        assert_eq!(winner_numbers(5, 0, "0:3@1 1:15@1 2:14@1 3:1@1 4:2@3"), [Some(1), None, Some(4)]);
    }

    #[test]
    fn rule_4_6_among_equal_highest_cards_the_first_placed_wins() {
        assert_eq!(winner_numbers(5, 3, "3:9@2 4:9@2 0:9@2 1:9@2 2:9@2"), [None, Some(3), None]);
        // Ties among lower cards have no effect, in any order.
        assert_eq!(winner_numbers(5, 0, "0:7@1 1:7@1 2:12@1 3:3@1 4:12@1"), [Some(2), None, None]);
        assert_eq!(winner_numbers(5, 0, "0:12@1 1:7@1 2:7@1 3:12@1 4:12@1"), [Some(0), None, None]);
        assert_eq!(winner_numbers(3, 2, "2:4@1 0:4@1 1:4@2"), [Some(2), Some(1), None]);
    }

    #[test]
    fn rule_4_7_with_two_players_the_first_player_wins_ties_in_both_orders() {
        // Seat 1 is first: it placed first on cushion 1 and last on cushion 2.
        assert_eq!(winner_numbers(2, 1, "1:5@1 0:8@2 1:8@2 0:5@1"), [Some(1), Some(1), None]);
        // Seat 0 is first.
        assert_eq!(winner_numbers(2, 0, "0:5@1 1:8@2 0:8@2 1:5@1"), [Some(0), Some(0), None]);
        // Only ties: a higher card always wins.
        assert_eq!(winner_numbers(2, 0, "0:5@1 1:6@1 0:8@2 1:9@2"), [Some(1), Some(1), None]);
    }
}
