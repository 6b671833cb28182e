//! Selects the guide's messages about the last round, from the information that all players have.

use sultan_domain::{Bid, Cushion, MoneyCard, Parameters, RoundRecord, Seat};

use super::{Message, MessageValue, number};

/// A message about a past event.
pub(super) struct PastEvent {
    pub(super) message: Message,
    /// Whether the message is important enough to be shown even in the last stage.
    pub(super) is_notable: bool,
}

fn card_value(card: MoneyCard) -> MessageValue {
    number(card.value())
}

/// The bids on a cushion, copied from the round (`use<>`: the iterator does not borrow it).
fn bids_on(round: &RoundRecord, cushion: Cushion) -> impl Iterator<Item = Bid> + use<> {
    round.bids.into_iter().filter(move |bid| bid.cushion == cushion)
}

/// The result of the learner's own bid.
pub(super) fn own_bid_result(round: &RoundRecord, parameters: &Parameters, own_seat: Seat) -> Option<PastEvent> {
    let own_bid = round.bids.into_iter().find(|bid| bid.seat == own_seat)?;
    let winning_bid = round.winning_bid(own_bid.cushion)?;
    let card = card_value(own_bid.card);
    let mut rivals = bids_on(round, own_bid.cushion).filter(|bid| bid.seat != own_seat).peekable();
    if winning_bid.seat == own_seat {
        let jewel = MessageValue::Jewel(round.offer?.jewel_on(own_bid.cushion)?);
        let (key, is_notable) = if rivals.peek().is_none() {
            ("guide-won-alone", false)
        } else if rivals.any(|bid| bid.card == own_bid.card) {
            ("guide-won-tie", true)
        } else {
            ("guide-won", false)
        };
        return Some(PastEvent { message: Message::with(key, [("card", card), ("jewel", jewel)]), is_notable });
    }
    let name = MessageValue::Player(winning_bid.seat);
    if winning_bid.card == own_bid.card {
        let message = Message::with("guide-lost-tie", [("name", name), ("card", card)]);
        return Some(PastEvent { message, is_notable: true });
    }
    // A strong card is among the highest third.
    let is_strong = u16::from(own_bid.card.value()) * 3 > u16::from(parameters.highest_card) * 2;
    let values = [("card", card), ("name", name), ("other", card_value(winning_bid.card))];
    let message = Message::with(if is_strong { "guide-lost-high" } else { "guide-lost" }, values);
    Some(PastEvent { message, is_notable: is_strong })
}

/// A message about a jewel that got no bid.
pub(super) fn unwanted_jewel(round: &RoundRecord) -> Option<Message> {
    let mut jewels_and_winners = round.offer?.iter().zip(round.winners?);
    let (jewel, _) = jewels_and_winners.find(|(_, winner)| winner.is_none())?;
    Some(Message::with("guide-unwanted", [("jewel", MessageValue::Jewel(jewel))]))
}

/// A message about equal winning cards on a cushion on which the learner did not bid.
pub(super) fn tie_of_others(round: &RoundRecord, parameters: &Parameters, own_seat: Seat) -> Option<Message> {
    Cushion::first(parameters.cushions).find_map(|cushion| {
        let winning_bid = round.winning_bid(cushion)?;
        let is_tie = bids_on(round, cushion).filter(|bid| bid.card == winning_bid.card).count() > 1;
        let has_own_bid = bids_on(round, cushion).any(|bid| bid.seat == own_seat);
        let values = [("card", card_value(winning_bid.card)), ("name", MessageValue::Player(winning_bid.seat))];
        (is_tie && !has_own_bid).then(|| Message::with("guide-tie-others", values))
    })
}
