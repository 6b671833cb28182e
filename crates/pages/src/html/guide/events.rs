//! The events of the last round that the learner saw.

use sultan_domain::{Bid, Cushion, Jewel, MoneyCard, Parameters, RoundRecord, Seat};

use super::{Message, MessageValue, number};

/// A past event.
pub(super) struct PastEvent {
    pub(super) message: Message,
    /// Whether the event is worth a message even late in the game.
    pub(super) notable: bool,
}

fn card_value(card: MoneyCard) -> MessageValue {
    number(card.value())
}

/// The bids on a cushion.
fn bids_on(round: &RoundRecord, cushion: Cushion) -> impl Iterator<Item = Bid> + use<> {
    round.bids.into_iter().filter(move |bid| bid.cushion == cushion)
}

fn winner(round: &RoundRecord, cushion: Cushion) -> Option<Seat> {
    round.winners.and_then(|winners| winners.get(cushion.index()).copied().flatten())
}

/// The result of the learner's own bid.
pub(super) fn own_bid_result(round: &RoundRecord, parameters: &Parameters, own: Seat) -> Option<PastEvent> {
    let bid = round.bids.into_iter().find(|bid| bid.seat == own)?;
    let jewel = MessageValue::Jewel(round.offer?.jewel_on(bid.cushion)?);
    let card = card_value(bid.card);
    let event = |message, notable| Some(PastEvent { message, notable });
    let rivals = || bids_on(round, bid.cushion).filter(|other| other.seat != own);
    let winner_seat = winner(round, bid.cushion)?;
    if winner_seat == own {
        return if rivals().next().is_none() {
            event(Message::with("guide-won-alone", [("card", card), ("jewel", jewel)]), false)
        } else if rivals().any(|other| other.card == bid.card) {
            event(Message::with("guide-won-tie", [("card", card), ("jewel", jewel)]), true)
        } else {
            event(Message::with("guide-won", [("card", card), ("jewel", jewel)]), false)
        };
    }
    let best = rivals().filter(|other| other.seat == winner_seat).map(|other| other.card).max()?;
    let name = MessageValue::Player(winner_seat);
    if best == bid.card {
        return event(Message::with("guide-lost-tie", [("name", name), ("card", card)]), true);
    }
    // A strong card is among the highest third.
    let is_strong = u16::from(bid.card.value()) * 3 > u16::from(parameters.highest_card) * 2;
    let values = [("card", card), ("name", name), ("other", card_value(best))];
    event(Message::with(if is_strong { "guide-lost-high" } else { "guide-lost" }, values), is_strong)
}

/// A jewel without a bid.
pub(super) fn unwanted_jewel(round: &RoundRecord) -> Option<Message> {
    let offer = round.offer?;
    let jewels = offer.iter().zip(round.winners?);
    let jewel: Jewel = jewels.into_iter().find(|(_, winner)| winner.is_none())?.0;
    Some(Message::with("guide-unwanted", [("jewel", MessageValue::Jewel(jewel))]))
}

/// A tie of the highest cards on a cushion without a bid of the learner.
pub(super) fn tie_of_others(round: &RoundRecord, parameters: &Parameters, own: Seat) -> Option<Message> {
    Cushion::first(parameters.cushions).find_map(|cushion| {
        let best = bids_on(round, cushion).map(|bid| bid.card).max()?;
        let is_tie = bids_on(round, cushion).filter(|bid| bid.card == best).count() > 1;
        let has_own_bid = bids_on(round, cushion).any(|bid| bid.seat == own);
        let name = MessageValue::Player(winner(round, cushion)?);
        (is_tie && !has_own_bid)
            .then(|| Message::with("guide-tie-others", [("card", card_value(best)), ("name", name)]))
    })
}
