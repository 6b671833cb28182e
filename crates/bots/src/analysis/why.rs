//! Why one option is better than another: what shows in the numbers, most telling first.

use sultan_domain::{Action, Cushion, Jewel, Jewels, MoneyCard, Offer, Reason, Seat};
use sultan_rules::bonus;

use super::consider::Considered;
use crate::known::Known;

/// A bid that wins more rarely is hopeless.
const HOPELESS: f64 = 0.1;
/// Chances that differ by less are about the same.
const ABOUT: f64 = 0.08;
/// A jewel that goes to the leader so much more often was fed.
const FED: f64 = 0.15;
/// A set is missed where its jewel could have been had this often.
const WITHIN_REACH: f64 = 0.2;

/// A bid with its chance to take the jewel.
#[derive(Clone, Copy)]
struct Try {
    place: usize,
    card: MoneyCard,
    cushion: Cushion,
    jewel: Jewel,
    take: f64,
}

/// Why the second option is better than the first.
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
        (Action::Offer(one), Action::Offer(other)) => other_offer(&considered.known, one, other),
        _ => None,
    }
}

fn attempt(considered: &Considered, place: usize) -> Option<Try> {
    let option = considered.options.get(place)?;
    let Action::Bid { card, cushion } = option.action else { return None };
    Some(Try { place, card, cushion, jewel: considered.known.public.offer.on(cushion)?, take: option.take? })
}

fn other_card(one: Try, other: Try) -> Reason {
    let Try { card, jewel, take, .. } = one;
    let (better, better_take) = (other.card, other.take);
    if better > card {
        return if better_take > take + ABOUT {
            Reason::CardTooLow { jewel, card, take, better, better_take }
        } else {
            Reason::BetterCard { card, better }
        };
    }
    match ((better_take - take).abs() <= ABOUT, take < HOPELESS) {
        (_, true) => Reason::CostlyDiscard { card, better, take },
        (true, false) => Reason::WastedHighCard { jewel, card, take, better, better_take },
        (false, false) => Reason::BetterCard { card, better },
    }
}

fn other_cushion(considered: &Considered, one: Try, other: Try) -> Reason {
    let known = &considered.known;
    let Try { card, jewel, take, .. } = one;
    if take < HOPELESS && other.take < HOPELESS + ABOUT && other.card < card {
        return Reason::CostlyDiscard { card, better: other.card, take };
    }
    let (gain, count) =
        (set_gain(known, known.seat, other.jewel), known.public.collections[known.seat].count(other.jewel) + 1);
    if gain > set_gain(known, known.seat, jewel) && other.take >= WITHIN_REACH && other.take > take - ABOUT {
        let bonus = bonus(&known.public.numbers, count);
        return Reason::MissedSet { jewel: other.jewel, count, bonus, take: other.take };
    }
    if let Some(leader) = leader(known) {
        let fed = |place: usize| considered.takers[place][other.cushion.index()][leader.index()];
        if jewel != other.jewel && fed(one.place) > fed(other.place) + FED {
            let (take, better_take) = (fed(one.place), fed(other.place));
            return Reason::FedTheLeader { leader, jewel: other.jewel, take, better_take };
        }
    }
    let (better, better_take) = (other.jewel, other.take);
    if take < HOPELESS && better_take > take + ABOUT {
        return Reason::HopelessBid { jewel, take, better, card: other.card, better_take };
    }
    if other.card < card && better_take >= take - ABOUT {
        return Reason::CheaperElsewhere { jewel, card, take, better, better_card: other.card, better_take };
    }
    if better == jewel && other.card != card && better_take <= take + ABOUT {
        return Reason::BetterCard { card, better: other.card };
    }
    Reason::BetterCushion { jewel, take, better, card: other.card, better_take }
}

fn other_offer(known: &Known, one: Offer, other: Offer) -> Option<Reason> {
    let drawn = known.public.drawn.jewels();
    let put_back = |offer: Offer| drawn.without(offer.jewels()).and_then(Jewels::lowest);
    let (jewel, better) = (put_back(one)?, put_back(other)?);
    let count_of = |seat: Seat, jewel: Jewel| known.public.collections[seat].count(jewel) + 1;
    if let Some(leader) = leader(known)
        && set_gain(known, leader, better) > set_gain(known, known.seat, better)
    {
        return Some(Reason::OfferedToLeader { leader, jewel: better, count: count_of(leader, better) });
    }
    if set_gain(known, known.seat, jewel) > set_gain(known, known.seat, better) {
        return Some(Reason::PutBackOwnSet { jewel, count: count_of(known.seat, jewel), better });
    }
    Some(Reason::BetterOffer { jewel, better })
}

/// What one more of a colour adds to a seat's bonus.
fn set_gain(known: &Known, seat: Seat, jewel: Jewel) -> u16 {
    let have = known.public.collections[seat].count(jewel);
    let numbers = &known.public.numbers;
    bonus(numbers, have + 1) - bonus(numbers, have)
}

/// The other seat with the most points, unless this one has more.
fn leader(known: &Known) -> Option<Seat> {
    let public = &known.public;
    let others = public.numbers.players.seats().filter(|&seat| seat != known.seat);
    let most = others.max_by_key(|&seat| (public.points(seat), std::cmp::Reverse(seat.number())))?;
    (public.points(most) > 0 && public.points(most) >= public.points(known.seat)).then_some(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(card: u8, take: f64) -> Try {
        let (cushion, jewel) = (Cushion::default(), Jewel::Red);
        Try { place: 0, card: MoneyCard::new(card).unwrap(), cushion, jewel, take }
    }

    #[test]
    fn about_as_often_is_about_as_often() {
        let code = |one: Try, other: Try| match other_card(one, other) {
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
}
