//! Finds the reason why one option is better than another: the most significant difference in the results of
//! `consider`.

use sultan_bots::search::Knowledge;
use sultan_domain::{Action, Cushion, Jewel, MoneyCard, Offer, Reason, Seat};

use super::consider::Considered;

/// The chance below which a bid is hopeless.
const HOPELESS: f64 = 0.1;
/// The largest difference between chances that are about the same.
const SIMILAR_CHANCES: f64 = 0.08;
/// The additional chance of the leader to win a jewel that counts as feeding the leader.
const LEADER_GAIN: f64 = 0.15;
/// The minimum chance to win its jewel for a missed set.
const WITHIN_REACH: f64 = 0.2;

/// A bid with its chance to win the jewel.
#[derive(Clone, Copy)]
struct BidAttempt {
    index: usize,
    card: MoneyCard,
    cushion: Cushion,
    jewel: Jewel,
    take: f64,
}

/// The reason why the second option is better than the first.
pub(super) fn better(considered: &Considered, taken: usize, best: usize) -> Option<Reason> {
    if taken == best {
        return None;
    }
    match (considered.options.get(taken)?.action, considered.options.get(best)?.action) {
        (Action::Bid { .. }, Action::Bid { .. }) => {
            let (one, other) = (attempt(considered, taken)?, attempt(considered, best)?);
            let same = one.cushion == other.cushion;
            Some(if same { other_card(one, other) } else { other_cushion(considered, one, other) })
        }
        (Action::Offer(one), Action::Offer(other)) => other_offer(&considered.knowledge, one, other),
        _ => None,
    }
}

fn attempt(considered: &Considered, index: usize) -> Option<BidAttempt> {
    let option = considered.options.get(index)?;
    let Action::Bid { card, cushion } = option.action else { return None };
    Some(BidAttempt {
        index,
        card,
        cushion,
        jewel: considered.knowledge.public.offer.jewel_on(cushion)?,
        take: option.take?,
    })
}

fn other_card(one: BidAttempt, other: BidAttempt) -> Reason {
    let BidAttempt { card, jewel, take, .. } = one;
    let (better, better_take) = (other.card, other.take);
    if better > card {
        return if better_take > take + SIMILAR_CHANCES {
            Reason::CardTooLow { jewel, card, take, better, better_take }
        } else {
            Reason::BetterCard { card, better }
        };
    }
    match ((better_take - take).abs() <= SIMILAR_CHANCES, take < HOPELESS) {
        (_, true) => Reason::CostlyDiscard { card, better, take },
        (true, false) => Reason::WastedHighCard { jewel, card, take, better, better_take },
        (false, false) => Reason::BetterCard { card, better },
    }
}

fn other_cushion(considered: &Considered, one: BidAttempt, other: BidAttempt) -> Reason {
    let knowledge = &considered.knowledge;
    let BidAttempt { card, jewel, take, .. } = one;
    if take < HOPELESS && other.take < HOPELESS + SIMILAR_CHANCES && other.card < card {
        return Reason::CostlyDiscard { card, better: other.card, take };
    }
    let (gain, count) = (
        knowledge.public.next_bonus(knowledge.seat, other.jewel),
        knowledge.public.collections[knowledge.seat].count(other.jewel) + 1,
    );
    if gain > knowledge.public.next_bonus(knowledge.seat, jewel)
        && other.take >= WITHIN_REACH
        && other.take > take - SIMILAR_CHANCES
    {
        let bonus = knowledge.public.parameters.bonus(count);
        return Reason::MissedSet { jewel: other.jewel, count, bonus, take: other.take };
    }
    if let Some(leader) = leader(knowledge) {
        let leader_chance = |index: usize| considered.takers[index][other.cushion.index()][leader.index()];
        if jewel != other.jewel && leader_chance(one.index) > leader_chance(other.index) + LEADER_GAIN {
            let (take, better_take) = (leader_chance(one.index), leader_chance(other.index));
            return Reason::LeftToLeader { leader, jewel: other.jewel, take, better_take };
        }
    }
    let (better, better_take) = (other.jewel, other.take);
    if take < HOPELESS && better_take > take + SIMILAR_CHANCES {
        return Reason::HopelessBid { jewel, take, better, card: other.card, better_take };
    }
    if other.card < card && better_take >= take - SIMILAR_CHANCES {
        return Reason::CheaperElsewhere { jewel, card, take, better, better_card: other.card, better_take };
    }
    if better == jewel && other.card != card && better_take <= take + SIMILAR_CHANCES {
        return Reason::BetterCard { card, better: other.card };
    }
    Reason::BetterCushion { jewel, take, better, card: other.card, better_take }
}

fn other_offer(knowledge: &Knowledge, one: Offer, other: Offer) -> Option<Reason> {
    let put_back = |offer: Offer| knowledge.public.drawn.put_back(offer.jewels());
    let (jewel, better) = (put_back(one)?, put_back(other)?);
    let count_of = |seat: Seat, jewel: Jewel| knowledge.public.collections[seat].count(jewel) + 1;
    if let Some(leader) = leader(knowledge)
        && knowledge.public.next_bonus(leader, better) > knowledge.public.next_bonus(knowledge.seat, better)
    {
        return Some(Reason::OfferedToLeader { leader, jewel: better, count: count_of(leader, better) });
    }
    if knowledge.public.next_bonus(knowledge.seat, jewel) > knowledge.public.next_bonus(knowledge.seat, better) {
        return Some(Reason::PutBackOwnSet { jewel, count: count_of(knowledge.seat, jewel), better });
    }
    Some(Reason::BetterOffer { jewel, better })
}

/// The other seat with the most points, if this seat does not have more.
fn leader(knowledge: &Knowledge) -> Option<Seat> {
    let public = &knowledge.public;
    let others = public.parameters.players.seats().filter(|&seat| seat != knowledge.seat);
    let most = others.max_by_key(|&seat| (public.points(seat), std::cmp::Reverse(seat.number())))?;
    (public.points(most) > 0 && public.points(most) >= public.points(knowledge.seat)).then_some(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consider::Takers;
    use sultan_bots::search::PublicState;
    use sultan_domain::{Bids, Cards, Drawn, Parameters, Players};

    fn attempt(card: u8, take: f64) -> BidAttempt {
        let (cushion, jewel) = (Cushion::default(), Jewel::Red);
        BidAttempt { index: 0, card: MoneyCard::new(card).unwrap(), cushion, jewel, take }
    }

    #[test]
    fn similar_chances_count_as_equal() {
        let code = |one: BidAttempt, other: BidAttempt| match other_card(one, other) {
            Reason::WastedHighCard { .. } => "wasted",
            Reason::CardTooLow { .. } => "too low",
            Reason::CostlyDiscard { .. } => "discard",
            Reason::BetterCard { .. } => "better",
            _ => "something else",
        };
        assert_eq!(code(attempt(12, 0.9), attempt(7, 0.85)), "wasted");
        assert_eq!(code(attempt(12, 0.9), attempt(7, 0.6)), "better");
        assert_eq!(code(attempt(5, 0.24), attempt(1, 1.0)), "better", "far more often is not about as often");
        assert_eq!(code(attempt(5, 0.05), attempt(1, 0.0)), "discard");
        assert_eq!(code(attempt(5, 0.3), attempt(9, 0.6)), "too low");
        assert_eq!(code(attempt(5, 0.3), attempt(9, 0.35)), "better");
    }

    fn seat(number: u8) -> Seat {
        Seat::new(number).unwrap()
    }

    /// The knowledge of seat 0 of four, with these drawn jewels and collections.
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

    /// The reason for two bids, each with its chance to win, and seat 1's chance to win the second bid's jewel. The
    /// offer is `RYG`.
    fn reason(collections: [&str; 4], one: (&str, f64, f64), other: (&str, f64, f64)) -> Option<Reason> {
        let mut knowledge = knowledge("RYGW", collections);
        knowledge.public.make_offer(Offer::new(&[Jewel::Red, Jewel::Yellow, Jewel::Green]).unwrap());
        let bids =
            [one, other].map(|(action, take, leader_chance)| (action.parse::<Action>().unwrap(), take, leader_chance));
        let Action::Bid { cushion, .. } = bids[1].0 else { panic!("a bid") };
        let takers = |leader_chance: f64| {
            let mut takers = Takers::default();
            takers[cushion.index()][1] = leader_chance;
            takers
        };
        let considered = Considered::with_options(
            knowledge,
            bids.map(|(action, take, leader_chance)| (action, Some(take), takers(leader_chance))).into(),
        );
        better(&considered, 0, 1)
    }

    fn card(value: u8) -> MoneyCard {
        MoneyCard::new(value).unwrap()
    }

    #[test]
    fn better_cushion_is_explained_by_the_strongest_reason() {
        use Jewel::{Green, Red, Yellow};
        let none = ["", "", "", ""];
        let rows = [
            // Neither bid has a chance, and the other card is lower.
            (
                none,
                ("9@1", 0.05, 0.0),
                ("2@2", 0.1, 0.0),
                Reason::CostlyDiscard { card: card(9), better: card(2), take: 0.05 },
            ),
            // The third of a colour brings a bonus of two.
            (
                ["Y2", "", "", ""],
                ("9@1", 0.5, 0.0),
                ("9@2", 0.45, 0.0),
                Reason::MissedSet { jewel: Yellow, count: 3, bonus: 2, take: 0.45 },
            ),
            // Seat 1 leads, and wins the other jewel far more often without a bid on it.
            (
                ["", "B2", "", ""],
                ("9@1", 0.5, 0.6),
                ("9@3", 0.5, 0.4),
                Reason::LeftToLeader { leader: seat(1), jewel: Green, take: 0.6, better_take: 0.4 },
            ),
            // The seat itself leads, so it cannot feed a leader.
            (
                ["B3", "B2", "", ""],
                ("9@1", 0.5, 0.6),
                ("9@3", 0.5, 0.4),
                Reason::BetterCushion { jewel: Red, take: 0.5, better: Green, card: card(9), better_take: 0.5 },
            ),
            (
                none,
                ("9@1", 0.05, 0.0),
                ("9@2", 0.3, 0.0),
                Reason::HopelessBid { jewel: Red, take: 0.05, better: Yellow, card: card(9), better_take: 0.3 },
            ),
            (
                none,
                ("9@1", 0.5, 0.0),
                ("4@2", 0.45, 0.0),
                Reason::CheaperElsewhere {
                    jewel: Red,
                    card: card(9),
                    take: 0.5,
                    better: Yellow,
                    better_card: card(4),
                    better_take: 0.45,
                },
            ),
            (
                none,
                ("9@1", 0.5, 0.0),
                ("4@2", 0.2, 0.0),
                Reason::BetterCushion { jewel: Red, take: 0.5, better: Yellow, card: card(4), better_take: 0.2 },
            ),
        ];
        for (collections, one, other, wanted) in rows {
            assert_eq!(reason(collections, one, other), Some(wanted), "{one:?} {other:?}");
        }
    }

    #[test]
    fn missed_set_is_reported_only_if_it_was_within_reach() {
        let two = ["Y2", "", "", ""];
        let is_missed = |one, other| matches!(reason(two, one, other), Some(Reason::MissedSet { .. }));
        assert!(is_missed(("9@1", 0.27, 0.0), ("9@2", 0.2, 0.0)));
        assert!(!is_missed(("9@1", 0.27, 0.0), ("9@2", 0.19, 0.0)), "too seldom");
        assert!(!is_missed(("9@1", 0.5, 0.0), ("9@2", 0.4, 0.0)), "far more seldom than the other");
        assert!(!is_missed(("9@2", 0.5, 0.0), ("9@1", 0.5, 0.0)), "it is the one that was bid for");
    }

    #[test]
    fn two_cushions_with_the_same_colour_differ_by_the_card() {
        let mut knowledge = knowledge("RRYW", ["", "", "", ""]);
        knowledge.public.make_offer(Offer::new(&[Jewel::Red, Jewel::Red, Jewel::Yellow]).unwrap());
        let bids = [("4@1", 0.3), ("9@2", 0.35)];
        let options = bids.map(|(action, take)| (action.parse().unwrap(), Some(take), Takers::default())).into();
        let wanted = Reason::BetterCard { card: card(4), better: card(9) };
        let considered = Considered::with_options(knowledge, options);
        assert_eq!(better(&considered, 0, 1), Some(wanted));
        assert_eq!(better(&considered, 1, 1), None, "it is the same");
    }

    #[test]
    fn better_offer_is_explained_by_the_strongest_reason() {
        use Jewel::{Green, Yellow};
        let rows = [
            // Yellow should be put back: it would be the leader's third.
            (["", "Y2B1", "", ""], Reason::OfferedToLeader { leader: seat(1), jewel: Yellow, count: 3 }),
            // Green would have been the seat's third.
            (["G2", "", "", ""], Reason::PutBackOwnSet { jewel: Green, count: 3, better: Yellow }),
            (["", "", "", ""], Reason::BetterOffer { jewel: Green, better: Yellow }),
            // The seat's third as well as the leader's, so not a gift to the leader.
            (["Y2", "Y2B1", "", ""], Reason::BetterOffer { jewel: Green, better: Yellow }),
        ];
        for (collections, wanted) in rows {
            let knowledge = knowledge("WRYG", collections);
            let offers = ["WRY", "WRG"].map(|offer| (offer.parse().unwrap(), None, Takers::default()));
            assert_eq!(
                better(&Considered::with_options(knowledge, offers.into()), 0, 1),
                Some(wanted),
                "{collections:?}"
            );
        }
    }

    #[test]
    fn the_leader_is_another_seat_with_at_least_as_many_points() {
        let leader_of = |collections| leader(&knowledge("", collections)).map(Seat::number);
        assert_eq!(leader_of(["", "", "", ""]), None, "no seat has a point");
        assert_eq!(leader_of(["B2", "B1", "B1", ""]), None);
        assert_eq!(leader_of(["B1", "", "B1", ""]), Some(2), "as many points as the own");
        assert_eq!(leader_of(["", "R1", "B1", "B1"]), Some(2), "the first of equals");
    }
}
