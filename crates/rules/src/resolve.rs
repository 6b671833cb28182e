//! Who takes each cushion's jewel.

use sultan_domain::{Bid, ByCushion, Numbers, Seat, Ties};

/// For each cushion the seat that takes its jewel; none where nobody bid (RULES 4.5).
#[inline]
pub(crate) fn winners(numbers: &Numbers, first: Seat, bids: &[Bid]) -> ByCushion<Option<Seat>> {
    let mut best = ByCushion([0_u8; 3]);
    let mut winners = ByCushion([None; 3]);
    // RULES 4.7: with two players the first player wins ties, whoever placed first.
    let first_wins_ties = numbers.ties == Ties::FirstPlayer;
    for bid in bids {
        let strength = 2 * bid.card.value() + u8::from(first_wins_ties && bid.seat == first);
        // RULES 4.6: otherwise an equal card that is placed later changes nothing.
        if strength > best[bid.cushion] {
            best[bid.cushion] = strength;
            winners[bid.cushion] = Some(bid.seat);
        }
    }
    winners
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::{Cushion, MoneyCard, Players};

    /// Settles bids written `SEAT:CARD@CUSHION` in a game of so many players with seat 0 first.
    fn won(players: u8, first: u8, bids: &str) -> [Option<u8>; 3] {
        let numbers = Numbers::of(Players::new(players).unwrap());
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
        winners(&numbers, Seat::new(first).unwrap(), &bids).0.map(|seat| seat.map(Seat::number))
    }

    #[test]
    fn rule_4_5_1_without_a_card_nobody_takes_the_jewel() {
        assert_eq!(won(4, 0, ""), [None; 3]);
        assert_eq!(won(4, 0, "0:1@2 1:2@2 2:3@2 3:4@2"), [None, Some(3), None]);
    }

    #[test]
    fn rule_4_5_2_a_single_card_takes_the_jewel() {
        assert_eq!(won(4, 0, "0:1@1 1:1@2 2:1@3"), [Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn rule_4_5_3_the_highest_of_several_takes_the_jewel() {
        assert_eq!(won(5, 0, "0:3@1 1:15@1 2:14@1 3:1@1 4:2@3"), [Some(1), None, Some(4)]);
    }

    #[test]
    fn rule_4_6_among_equal_highest_cards_the_first_placed_wins() {
        assert_eq!(won(5, 3, "3:9@2 4:9@2 0:9@2 1:9@2 2:9@2"), [None, Some(3), None]);
        // Ties among lower cards change nothing, wherever they were placed.
        assert_eq!(won(5, 0, "0:7@1 1:7@1 2:12@1 3:3@1 4:12@1"), [Some(2), None, None]);
        assert_eq!(won(5, 0, "0:12@1 1:7@1 2:7@1 3:12@1 4:12@1"), [Some(0), None, None]);
        assert_eq!(won(3, 2, "2:4@1 0:4@1 1:4@2"), [Some(2), Some(1), None]);
    }

    #[test]
    fn rule_4_7_with_two_players_the_first_player_wins_ties_in_both_orders() {
        // Seat 1 is first: it placed first on cushion 1 and last on cushion 2.
        assert_eq!(won(2, 1, "1:5@1 0:8@2 1:8@2 0:5@1"), [Some(1), Some(1), None]);
        // Seat 0 is first.
        assert_eq!(won(2, 0, "0:5@1 1:8@2 0:8@2 1:5@1"), [Some(0), Some(0), None]);
        // Only ties: a higher card wins whoever is first.
        assert_eq!(won(2, 0, "0:5@1 1:6@1 0:8@2 1:9@2"), [Some(1), Some(1), None]);
    }
}
