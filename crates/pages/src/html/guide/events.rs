//! The events of the last round that the learner saw.

use sultan_domain::{Bid, Cushion, Jewel, MoneyCard, Parameters, RoundRecord, Seat};

use super::{Fact, Say};

/// A past event.
pub(super) struct Happened {
    pub(super) say: Say,
    /// Whether the event is worth a message even late in the game.
    pub(super) notable: bool,
}

fn number(card: MoneyCard) -> Fact {
    Fact::Number(card.value().into())
}

/// The bids on a cushion.
fn on(round: &RoundRecord, cushion: Cushion) -> impl Iterator<Item = Bid> + use<> {
    round.bids.into_iter().filter(move |bid| bid.cushion == cushion)
}

fn winner(round: &RoundRecord, cushion: Cushion) -> Option<Seat> {
    round.winners.and_then(|winners| winners.get(cushion.index()).copied().flatten())
}

/// The result of the learner's own bid.
pub(super) fn own_bid(round: &RoundRecord, parameters: &Parameters, own: Seat) -> Option<Happened> {
    let bid = round.bids.into_iter().find(|bid| bid.seat == own)?;
    let jewel = Fact::Jewel(round.offer?.on(bid.cushion)?);
    let card = number(bid.card);
    let happened = |say, notable| Some(Happened { say, notable });
    let rivals = || on(round, bid.cushion).filter(|other| other.seat != own);
    let taker = winner(round, bid.cushion)?;
    if taker == own {
        return if rivals().next().is_none() {
            happened(Say::with("guide-won-alone", [("card", card), ("jewel", jewel)]), false)
        } else if rivals().any(|other| other.card == bid.card) {
            happened(Say::with("guide-won-tie", [("card", card), ("jewel", jewel)]), true)
        } else {
            happened(Say::with("guide-won", [("card", card), ("jewel", jewel)]), false)
        };
    }
    let best = rivals().filter(|other| other.seat == taker).map(|other| other.card).max()?;
    let name = Fact::Player(taker);
    if best == bid.card {
        return happened(Say::with("guide-lost-tie", [("name", name), ("card", card)]), true);
    }
    // A strong card is among the highest third.
    let strong = u16::from(bid.card.value()) * 3 > u16::from(parameters.highest_card) * 2;
    let facts = [("card", card), ("name", name), ("other", number(best))];
    happened(Say::with(if strong { "guide-lost-high" } else { "guide-lost" }, facts), strong)
}

/// A jewel without a bid.
pub(super) fn unwanted(round: &RoundRecord) -> Option<Say> {
    let offer = round.offer?;
    let jewels = offer.iter().zip(round.winners?);
    let jewel: Jewel = jewels.into_iter().find(|(_, winner)| winner.is_none())?.0;
    Some(Say::with("guide-unwanted", [("jewel", Fact::Jewel(jewel))]))
}

/// A tie of the highest cards on a cushion without a bid of the learner.
pub(super) fn tie_of_others(round: &RoundRecord, parameters: &Parameters, own: Seat) -> Option<Say> {
    Cushion::first(parameters.cushions).find_map(|cushion| {
        let best = on(round, cushion).map(|bid| bid.card).max()?;
        let equal = on(round, cushion).filter(|bid| bid.card == best).count() > 1;
        let mine = on(round, cushion).any(|bid| bid.seat == own);
        let name = Fact::Player(winner(round, cushion)?);
        (equal && !mine).then(|| Say::with("guide-tie-others", [("card", number(best)), ("name", name)]))
    })
}
