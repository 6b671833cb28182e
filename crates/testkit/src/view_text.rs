//! Views and rounds as text, in a few lines that name every field: for golden files and failed assertions.
#![expect(clippy::format_push_string, reason = "short texts in tests: an allocation more does not matter")]

use sultan_domain::{MoneyCard, Observer, PlacedBid, RoundRecord, Screens, SeatView, View, ViewPhase};

/// A view as text: the game, the board, one line per seat, the last round, the legal actions and the result.
#[must_use]
pub fn view_text(view: &View) -> String {
    let observer = match view.observer {
        Observer::Seat(seat) => format!("seat {seat}"),
        Observer::Public => "public".to_owned(),
    };
    let screens = if view.screens == Screens::Open { "open" } else { "closed" };
    let phase = match view.phase {
        ViewPhase::Offer => "offer",
        ViewPhase::Bid => "bid",
        ViewPhase::Over => "over",
    };
    let View { action_count, stage, round, first_seat, drawn, .. } = view;
    let mut text = format!("{observer} of {}, {screens}, at {action_count}, {phase}", view.parameters.players);
    text += &format!(", {stage}.{round} first {first_seat}");
    text += &view.to_act.map_or(String::new(), |seat| format!(" to act {seat}"));
    text += &format!("\n  drawn {drawn} |{} hand {}", cushions_text(view), cards_text(view.hand.iter()));
    for seat in &view.seats {
        text += &format!("\n  {}", seat_text(seat));
    }
    text += &view.last_round.map_or(String::new(), |round| format!("\n  last {}", round_text(&round)));
    if !view.legal().is_empty() {
        text += "\n  legal";
        view.legal().iter().for_each(|action| text += &format!(" {action}"));
    }
    for place in view.outcome.iter().flat_map(|outcome| outcome.places) {
        text += &format!("\n  final {}: rank {}, ", place.seat, place.rank);
        text += &format!("{} + {} = {} points, ", place.jewel_points, place.bonus, place.points);
        text += &format!("{} jewels {:?}", place.count, place.jewels.counts().0);
    }
    text
}

/// The cushions, each with its jewel and its bids in the order in which they were placed.
fn cushions_text(view: &View) -> String {
    let mut text = String::new();
    for (cushion, jewel) in view.offer.on_cushions() {
        text += &format!(" {jewel}");
        for (bid, order) in view.bids.iter().zip(1..).filter(|(bid, _)| bid.cushion() == cushion) {
            text += &match bid {
                PlacedBid::FaceDown(bid) => format!(" ({order} seat {})", bid.seat),
                PlacedBid::Own(bid) => format!(" ({order} seat {} card {})", bid.seat, bid.card),
            };
        }
        text += " |";
    }
    text
}

/// The public facts of a seat. The jewels are the numbers of each kind.
fn seat_text(view: &SeatView) -> String {
    let SeatView { seat, hand, deck, collection, played } = view;
    let collection = collection.map_or(String::new(), |jewels| format!(", jewels {:?}", jewels.counts().0));
    let played = played.map_or(String::new(), |cards| format!(", played {}", cards_text(cards)));
    format!("{seat}: hand {hand}, deck {deck}{collection}{played}")
}

fn cards_text(cards: impl IntoIterator<Item = MoneyCard>) -> String {
    cards.into_iter().map(|card| card.to_string()).collect::<Vec<_>>().join(",")
}

/// A round on one line: `1.3 first 0, drawn WRYG, offer RYG back W: 0:12@1 1:7@3, won 0 - 1`. The bids are written as
/// `SEAT:CARD@CUSHION`, and the winners cushion by cushion.
#[must_use]
pub fn round_text(record: &RoundRecord) -> String {
    let RoundRecord { stage, round, first_seat, drawn, offer, put_back, bids, winners } = record;
    let mut text = format!("{stage}.{round} first {first_seat}, drawn {drawn}");
    if let (Some(offer), Some(put_back)) = (offer, put_back) {
        text += &format!(", offer {offer} back {put_back}:");
    }
    for bid in bids {
        text += &format!(" {}:{}@{}", bid.seat, bid.card, bid.cushion);
    }
    if let Some(winners) = winners {
        text += ", won";
        for winner in winners {
            text += &winner.map_or(" -".to_owned(), |seat| format!(" {seat}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_in_every_state_are_written_on_one_line() {
        let json = concat!(
            r#"{"stage":2,"round":3,"first_seat":1,"drawn":["R","R","Y","B"],"offer":["R","Y","R"],"put_back":"B","#,
            r#""bids":[{"seat":1,"card":12,"cushion":1},{"seat":0,"card":7,"cushion":1},"#,
            r#"{"seat":1,"card":2,"cushion":3},{"seat":0,"card":1,"cushion":3}],"winners":[1,null,1]}"#,
        );
        let finished: RoundRecord = serde_json::from_str(json).unwrap();
        let line = "2.3 first 1, drawn RRYB, offer RYR back B: 1:12@1 0:7@1 1:2@3 0:1@3, won 1 - 1";
        assert_eq!(round_text(&finished), line);
        let offered = RoundRecord { bids: sultan_domain::Bids::new(), winners: None, ..finished };
        assert_eq!(round_text(&offered), "2.3 first 1, drawn RRYB, offer RYR back B:");
        let drawn = RoundRecord { offer: None, put_back: None, ..offered };
        assert_eq!(round_text(&drawn), "2.3 first 1, drawn RRYB");
    }
}
