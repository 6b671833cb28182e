//! Finds the reason why one option is better than another: the most important difference between the results that
//! `consider` computed for the two options.

use sultan_bots::search::Knowledge;
use sultan_domain::{Action, Cushion, Jewel, MoneyCard, Offer, OptionValue, Reason, Seat};

use super::consider::Considered;

/// A bid with a lower chance to win its jewel is hopeless.
const HOPELESS: f64 = 0.1;
/// Chances that differ by at most this number are about the same.
const SIMILAR: f64 = 0.08;
/// A bid leaves a jewel to the leader if it gives the leader a chance to win the jewel that is higher by more than this
/// number than after the better bid.
const LEADER_GAIN: f64 = 0.15;
/// A set was missed only if the chance to win the jewel that completes it was at least this high.
const WITHIN_REACH: f64 = 0.2;

/// A bid with its result.
#[derive(Clone, Copy)]
struct BidResult {
    /// The index of the bid among the options.
    option: usize,
    card: MoneyCard,
    cushion: Cushion,
    jewel: Jewel,
    /// The chance that the bid wins the jewel.
    win_chance: f64,
}

/// The reason why the option with the index `better` is better than the option with the index `played`. `None` if they
/// are the same.
pub(super) fn find_reason(considered: &Considered, played: usize, better: usize) -> Option<Reason> {
    if played == better {
        return None;
    }
    match (considered.options.get(played)?.action, considered.options.get(better)?.action) {
        (Action::Bid { .. }, Action::Bid { .. }) => {
            let (played, better) = (bid_result(considered, played)?, bid_result(considered, better)?);
            let is_same_cushion = played.cushion == better.cushion;
            Some(if is_same_cushion { better_card(played, better) } else { better_cushion(considered, played, better) })
        }
        (Action::Offer(played), Action::Offer(better)) => better_offer(&considered.knowledge, played, better),
        _ => None,
    }
}

/// The result of the option with this index; `None` if the option is not a bid.
fn bid_result(considered: &Considered, option: usize) -> Option<BidResult> {
    let OptionValue { action: Action::Bid { card, cushion }, take, .. } = *considered.options.get(option)? else {
        return None;
    };
    let jewel = considered.knowledge.public.offer.jewel_on(cushion)?;
    Some(BidResult { option, card, cushion, jewel, win_chance: take? })
}

/// The reason why another card on the same cushion is better.
fn better_card(played: BidResult, other: BidResult) -> Reason {
    let BidResult { card, jewel, win_chance: take, .. } = played;
    let (better, better_take) = (other.card, other.win_chance);
    if better > card {
        return if better_take > take + SIMILAR {
            Reason::CardTooLow { jewel, card, take, better, better_take }
        } else {
            Reason::BetterCard { card, better }
        };
    }
    if take < HOPELESS {
        Reason::CostlyDiscard { card, better, take }
    } else if (better_take - take).abs() <= SIMILAR {
        Reason::WastedHighCard { jewel, card, take, better, better_take }
    } else {
        Reason::BetterCard { card, better }
    }
}

/// The reason why a bid on another cushion is better: the first one that applies, from the most specific to the most
/// general.
fn better_cushion(considered: &Considered, played: BidResult, other: BidResult) -> Reason {
    let Knowledge { public, seat, .. } = &considered.knowledge;
    let BidResult { card, jewel, win_chance: take, .. } = played;
    let BidResult { card: better_card, jewel: better, win_chance: better_take, .. } = other;
    if take < HOPELESS && better_take < HOPELESS + SIMILAR && better_card < card {
        return Reason::CostlyDiscard { card, better: better_card, take };
    }
    let adds_more_bonus = public.next_bonus(*seat, better) > public.next_bonus(*seat, jewel);
    if adds_more_bonus && better_take >= WITHIN_REACH && better_take > take - SIMILAR {
        let count = public.collections[*seat].count(better) + 1;
        return Reason::MissedSet { jewel: better, count, bonus: public.parameters.bonus(count), take: better_take };
    }
    if let Some(leader) = leader(&considered.knowledge) {
        // The leader's chance to win the other jewel after each of the two bids.
        let leader_chance = |option: usize| considered.jewel_chances[option][other.cushion.index()][leader.index()];
        let (take, better_take) = (leader_chance(played.option), leader_chance(other.option));
        if jewel != better && take > better_take + LEADER_GAIN {
            return Reason::LeftToLeader { leader, jewel: better, take, better_take };
        }
    }
    if take < HOPELESS && better_take > take + SIMILAR {
        return Reason::HopelessBid { jewel, take, better, card: better_card, better_take };
    }
    if better_card < card && better_take >= take - SIMILAR {
        return Reason::CheaperElsewhere { jewel, card, take, better, better_card, better_take };
    }
    // Another cushion with a jewel of the same colour: only the card makes a difference.
    if better == jewel && better_card != card && better_take <= take + SIMILAR {
        return Reason::BetterCard { card, better: better_card };
    }
    Reason::BetterCushion { jewel, take, better, card: better_card, better_take }
}

/// The reason why another offer is better, which puts another jewel back. `None` if an offer is not from the draw.
fn better_offer(knowledge: &Knowledge, played: Offer, other: Offer) -> Option<Reason> {
    let Knowledge { public, seat, .. } = knowledge;
    let put_back = |offer: Offer| public.drawn.put_back(offer.jewels());
    let (jewel, better) = (put_back(played)?, put_back(other)?);
    let next_count = |seat: Seat, jewel: Jewel| public.collections[seat].count(jewel) + 1;
    if let Some(leader) = leader(knowledge)
        && public.next_bonus(leader, better) > public.next_bonus(*seat, better)
    {
        return Some(Reason::OfferedToLeader { leader, jewel: better, count: next_count(leader, better) });
    }
    if public.next_bonus(*seat, jewel) > public.next_bonus(*seat, better) {
        return Some(Reason::PutBackOwnSet { jewel, count: next_count(*seat, jewel), better });
    }
    Some(Reason::BetterOffer { jewel, better })
}

/// The other seat with the most points, the first of several; `None` if the deciding seat has more points, or if no
/// seat has any.
fn leader(knowledge: &Knowledge) -> Option<Seat> {
    let public = &knowledge.public;
    let leader = knowledge.others().max_by_key(|&seat| (public.points(seat), std::cmp::Reverse(seat.number())))?;
    (public.points(leader) > 0 && public.points(leader) >= public.points(knowledge.seat)).then_some(leader)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consider::JewelChances;
    use sultan_bots::search::PublicState;
    use sultan_domain::{Bids, Cards, Drawn, Parameters, Players};

    /// A bid of this card on the first cushion, which has a red jewel.
    fn red_bid(card: u8, win_chance: f64) -> BidResult {
        let (cushion, jewel) = (Cushion::default(), Jewel::Red);
        BidResult { option: 0, card: MoneyCard::new(card).unwrap(), cushion, jewel, win_chance }
    }

    #[test]
    fn reason_for_a_better_card_depends_on_cards_and_win_chances() {
        let code = |played: BidResult, better: BidResult| match better_card(played, better) {
            Reason::WastedHighCard { .. } => "wasted high card",
            Reason::CardTooLow { .. } => "card too low",
            Reason::CostlyDiscard { .. } => "costly discard",
            Reason::BetterCard { .. } => "better card",
            _ => "something else",
        };
        assert_eq!(code(red_bid(12, 0.9), red_bid(7, 0.85)), "wasted high card");
        assert_eq!(code(red_bid(12, 0.9), red_bid(7, 0.6)), "better card");
        assert_eq!(code(red_bid(5, 0.24), red_bid(1, 1.0)), "better card", "the chances are not similar");
        assert_eq!(code(red_bid(5, 0.05), red_bid(1, 0.0)), "costly discard");
        assert_eq!(code(red_bid(5, 0.3), red_bid(9, 0.6)), "card too low");
        assert_eq!(code(red_bid(5, 0.3), red_bid(9, 0.35)), "better card");
    }

    fn seat(number: u8) -> Seat {
        Seat::new(number).unwrap()
    }

    /// The knowledge of seat 0 in the first round of a game with four players, with these drawn jewels and collections.
    fn knowledge(drawn: &str, collections: [&str; 4]) -> Knowledge {
        let four = Players::new(4).unwrap();
        let mut public = PublicState::start(Parameters::of(four), seat(0));
        let jewels: Vec<Jewel> = drawn.chars().filter_map(Jewel::from_letter).collect();
        public.drawn = Drawn::new(&jewels).unwrap();
        for (seat, jewels) in four.seats().zip(collections) {
            public.collections[seat] = jewels.parse().unwrap();
        }
        Knowledge { public, seat: seat(0), hand: Cards::full(15, 1), own: Bids::new() }
    }

    /// A bid in notation, with its results.
    #[derive(Clone, Copy, Debug)]
    struct TestBid {
        bid: &'static str,
        /// The chance that the bid wins its jewel.
        win: f64,
        /// Seat 1's chance to win the jewel of the better bid, if this bid is made.
        leader_win: f64,
    }

    /// The reason why the second of two bids of seat 0 is better. The offer is red, yellow, green.
    fn reason_for(collections: [&str; 4], played: TestBid, better: TestBid) -> Option<Reason> {
        let mut knowledge = knowledge("RYGW", collections);
        knowledge.public.make_offer(Offer::new(&[Jewel::Red, Jewel::Yellow, Jewel::Green]).unwrap());
        let Ok(Action::Bid { cushion, .. }) = better.bid.parse() else { panic!("{} is not a bid", better.bid) };
        let option = |TestBid { bid, win, leader_win }| {
            let mut jewel_chances = JewelChances::default();
            jewel_chances[cushion.index()][1] = leader_win;
            (bid.parse().unwrap(), Some(win), jewel_chances)
        };
        find_reason(&Considered::with_options(knowledge, [played, better].map(option).into()), 0, 1)
    }

    fn card(value: u8) -> MoneyCard {
        MoneyCard::new(value).unwrap()
    }

    #[test]
    fn better_cushion_is_explained_by_the_strongest_reason() {
        use Jewel::{Green, Red, Yellow};
        let none = ["", "", "", ""];
        // Collections, the played bid, the better bid, the reason.
        let rows = [
            // Neither bid has a chance, and the other card is lower.
            (
                none,
                TestBid { bid: "9@1", win: 0.05, leader_win: 0.0 },
                TestBid { bid: "2@2", win: 0.1, leader_win: 0.0 },
                Reason::CostlyDiscard { card: card(9), better: card(2), take: 0.05 },
            ),
            // The third of a colour brings a bonus of two.
            (
                ["Y2", "", "", ""],
                TestBid { bid: "9@1", win: 0.5, leader_win: 0.0 },
                TestBid { bid: "9@2", win: 0.45, leader_win: 0.0 },
                Reason::MissedSet { jewel: Yellow, count: 3, bonus: 2, take: 0.45 },
            ),
            // Seat 1 leads, and would win the green jewel far more often if seat 0 bid for the red one.
            (
                ["", "B2", "", ""],
                TestBid { bid: "9@1", win: 0.5, leader_win: 0.6 },
                TestBid { bid: "9@3", win: 0.5, leader_win: 0.4 },
                Reason::LeftToLeader { leader: seat(1), jewel: Green, take: 0.6, better_take: 0.4 },
            ),
            // Seat 0 itself leads, so it cannot leave a jewel to the leader.
            (
                ["B3", "B2", "", ""],
                TestBid { bid: "9@1", win: 0.5, leader_win: 0.6 },
                TestBid { bid: "9@3", win: 0.5, leader_win: 0.4 },
                Reason::BetterCushion { jewel: Red, take: 0.5, better: Green, card: card(9), better_take: 0.5 },
            ),
            // Only the better bid has a chance.
            (
                none,
                TestBid { bid: "9@1", win: 0.05, leader_win: 0.0 },
                TestBid { bid: "9@2", win: 0.3, leader_win: 0.0 },
                Reason::HopelessBid { jewel: Red, take: 0.05, better: Yellow, card: card(9), better_take: 0.3 },
            ),
            // A lower card wins the yellow jewel about as often.
            (
                none,
                TestBid { bid: "9@1", win: 0.5, leader_win: 0.0 },
                TestBid { bid: "4@2", win: 0.45, leader_win: 0.0 },
                Reason::CheaperElsewhere {
                    jewel: Red,
                    card: card(9),
                    take: 0.5,
                    better: Yellow,
                    better_card: card(4),
                    better_take: 0.45,
                },
            ),
            // No other reason applies: the lower card wins clearly less often.
            (
                none,
                TestBid { bid: "9@1", win: 0.5, leader_win: 0.0 },
                TestBid { bid: "4@2", win: 0.2, leader_win: 0.0 },
                Reason::BetterCushion { jewel: Red, take: 0.5, better: Yellow, card: card(4), better_take: 0.2 },
            ),
        ];
        for (collections, played, better, expected) in rows {
            assert_eq!(reason_for(collections, played, better), Some(expected), "{played:?} {better:?}");
        }
    }

    #[test]
    fn missed_set_is_reported_only_if_it_was_within_reach() {
        let two_yellow = ["Y2", "", "", ""];
        let bid = |bid, win| TestBid { bid, win, leader_win: 0.0 };
        let is_missed =
            |played, better| matches!(reason_for(two_yellow, played, better), Some(Reason::MissedSet { .. }));
        assert!(is_missed(bid("9@1", 0.27), bid("9@2", 0.2)));
        assert!(!is_missed(bid("9@1", 0.27), bid("9@2", 0.19)), "the chance to win the yellow jewel is too low");
        assert!(!is_missed(bid("9@1", 0.5), bid("9@2", 0.4)), "the chance is much lower than that of the played bid");
        assert!(!is_missed(bid("9@2", 0.5), bid("9@1", 0.5)), "the played bid is the one for the yellow jewel");
    }

    #[test]
    fn reason_for_another_cushion_with_the_same_colour_is_the_card() {
        let mut knowledge = knowledge("RRYW", ["", "", "", ""]);
        knowledge.public.make_offer(Offer::new(&[Jewel::Red, Jewel::Red, Jewel::Yellow]).unwrap());
        // Both cushions have a red jewel.
        let bids = [("4@1", 0.3), ("9@2", 0.35)];
        let option = |(bid, win_chance): (&str, f64)| (bid.parse().unwrap(), Some(win_chance), JewelChances::default());
        let considered = Considered::with_options(knowledge, bids.map(option).into());
        let expected = Reason::BetterCard { card: card(4), better: card(9) };
        assert_eq!(find_reason(&considered, 0, 1), Some(expected));
        assert_eq!(find_reason(&considered, 1, 1), None, "an option is not better than itself");
    }

    #[test]
    fn better_offer_is_explained_by_the_strongest_reason() {
        use Jewel::{Green, Yellow};
        // The played offer puts green back, the better one yellow.
        let rows = [
            // The yellow jewel would be the leader's third.
            (["", "Y2B1", "", ""], Reason::OfferedToLeader { leader: seat(1), jewel: Yellow, count: 3 }),
            // The green jewel would have been seat 0's third.
            (["G2", "", "", ""], Reason::PutBackOwnSet { jewel: Green, count: 3, better: Yellow }),
            // No seat has a jewel.
            (["", "", "", ""], Reason::BetterOffer { jewel: Green, better: Yellow }),
            // The yellow jewel would be the third of seat 0 as well as of the leader.
            (["Y2", "Y2B1", "", ""], Reason::BetterOffer { jewel: Green, better: Yellow }),
        ];
        for (collections, expected) in rows {
            let offers = ["WRY", "WRG"].map(|offer| (offer.parse().unwrap(), None, JewelChances::default()));
            let considered = Considered::with_options(knowledge("WRYG", collections), offers.into());
            assert_eq!(find_reason(&considered, 0, 1), Some(expected), "{collections:?}");
        }
    }

    #[test]
    fn the_leader_is_another_seat_with_at_least_as_many_points() {
        let leader_of = |collections| leader(&knowledge("", collections)).map(Seat::number);
        assert_eq!(leader_of(["", "", "", ""]), None, "no seat has a point");
        assert_eq!(leader_of(["B2", "B1", "B1", ""]), None, "the deciding seat, seat 0, has more points");
        assert_eq!(leader_of(["B1", "", "B1", ""]), Some(2), "as many points as the deciding seat");
        assert_eq!(
            leader_of(["", "R1", "B1", "B1"]),
            Some(2),
            "red is worth less than blue, and seat 2 is the first of the two seats with the most points"
        );
    }
}
