//! The only file that turns truth into sight: what each observer may know (RULES 7).
//!
//! Views are built up from nothing. Every field of a game and of an event is named here, so that a new one stops the
//! build until somebody decides who sees it; never write `..` or a `_` arm in this file.
#![deny(clippy::wildcard_enum_match_arm, clippy::rest_pat_in_fully_bound_structs)]

use sultan_domain::{
    Cards, Cushion, CushionView, Drawn, Observer, Person, PlacedBid, Screens, SeatView, Seen, View, ViewPhase,
};

use crate::game::{Bidding, Holdings, Phase};
use crate::{Event, Game};

impl Game {
    /// What an observer sees on the table now. The people in the seats are added by those who know them.
    #[must_use]
    pub fn view(&self, observer: Observer) -> View {
        let Self {
            numbers,
            screens,         // the table's option, known to all
            at,              // follows from what all see
            round_index,     // likewise
            rounds_left: _,  // follows from round_index
            first,           // likewise
            phase,           // RULES 7.1, 7.3, 7.4, below
            pouch: _,        // RULES 7.8: never
            seats: holdings, // RULES 7.1, 7.2, 7.6, 7.7, below
            last_round,      // RULES 7.5: all of it, for all
        } = self;
        let (stage, round) = numbers.clock(*round_index);
        let over = matches!(phase, Phase::Over);
        let seats = numbers.players.seats().map(|seat| {
            let Holdings { hand, deck: _, played, collection } = &holdings[seat];
            // RULES 7.6, 7.7: the owner always, others with open screens, and all once the game is over (7.10).
            let open = observer == Observer::Seat(seat) || *screens == Screens::Open || over;
            SeatView {
                seat,
                person: Person::nameless(seat),
                // RULES 7.2: how many cards there are is known to all.
                hand: count(hand.len()),
                deck: count(self.deck(seat).len()),
                collection: open.then_some(*collection),
                played: open.then_some(*played),
                deadline: None,
            }
        });
        let mut view = View {
            players: numbers.players,
            observer,
            screens: *screens,
            phase: ViewPhase::Offer,
            at: *at,
            stage,
            round,
            first_seat: *first,
            to_act: None,
            drawn: Drawn::default(),
            cushions: tinyvec::ArrayVec::new(),
            bids: tinyvec::ArrayVec::new(),
            // RULES 7.1: a hand is its owner's; a spectator has none.
            hand: observer.seat().map_or(Cards::NONE, |seat| holdings[seat].hand),
            seats: seats.collect(),
            last_round: *last_round,
            outcome: None,
        };
        show_board(&mut view, phase, *first);
        if over {
            view.outcome = Some(self.outcome());
        }
        view
    }
}

/// Adds what lies on the board in this phase.
fn show_board(view: &mut View, phase: &Phase, first: sultan_domain::Seat) {
    match phase {
        Phase::Draw => {}
        Phase::Offer { drawn } => {
            view.drawn = *drawn; // RULES 7.4
            view.to_act = Some(first);
        }
        Phase::Bid(Bidding { drawn, offer, put_back: _, bids, to_act }) => {
            view.phase = ViewPhase::Bid;
            view.drawn = *drawn; // RULES 7.4; what was put back is the difference
            view.to_act = Some(*to_act);
            for (&jewel, cushion) in offer.as_slice().iter().zip(Cushion::first(Cushion::MOST)) {
                view.cushions.push(CushionView { cushion, jewel });
            }
            for &bid in bids {
                // RULES 7.1, 7.3: where and by whom is for all, the value for its owner only.
                let own = view.observer == Observer::Seat(bid.seat);
                view.bids.push(if own { PlacedBid::Own(bid) } else { PlacedBid::FaceDown(bid.face_down()) });
            }
        }
        Phase::Over => view.phase = ViewPhase::Over,
    }
}

impl Event {
    /// What an observer sees of this step.
    #[must_use]
    pub fn seen_by(&self, observer: Observer) -> Seen {
        match self {
            // RULES 7.1, 7.2: how many is for all, which for their owner only.
            Self::HandsTaken { stage, cards, hands } => {
                let hand = observer.seat().map_or(Cards::NONE, |seat| hands[seat]);
                Seen::HandsTaken { stage: *stage, cards: *cards, hand }
            }
            // RULES 7.4: for all.
            Self::JewelsDrawn { stage, round, first_seat, drawn } => {
                Seen::JewelsDrawn { stage: *stage, round: *round, first_seat: *first_seat, drawn: *drawn }
            }
            // RULES 7.4: for all.
            Self::Offered { seat, offer, put_back } => {
                Seen::Offered { seat: *seat, offer: *offer, put_back: *put_back }
            }
            // RULES 7.1, 7.3: where and by whom is for all, the value for its owner only.
            Self::BidPlaced { bid, order } if observer == Observer::Seat(bid.seat) => {
                Seen::OwnBidPlaced { bid: *bid, order: *order }
            }
            Self::BidPlaced { bid, order } => Seen::BidPlaced { bid: bid.face_down(), order: *order },
            // RULES 7.5: for all.
            Self::RoundSettled { told } => Seen::RoundSettled { told: *told },
            // RULES 7.10: for all.
            Self::GameEnded { outcome } => Seen::GameEnded { outcome: *outcome },
        }
    }
}

fn count(cards: impl TryInto<u8>) -> u8 {
    cards.try_into().unwrap_or(u8::MAX)
}
