//! Makes the view of an observer: the part of a game that this observer may see (RULES 7). No other code makes views of
//! running games.
//!
//! All fields of a game and of its board are listed here, so the build fails for a new field until a line for it says
//! which observers may see it. Never write `..` or a `_` arm in this file.
#![deny(clippy::wildcard_enum_match_arm)]

use sultan_domain::{Cards, Drawn, Observer, Offer, PlacedBid, Screens, SeatView, View, ViewPhase};

use crate::Game;
use crate::game::{Board, Phase};

impl Game {
    /// The view of an observer.
    #[must_use]
    pub fn view(&self, observer: Observer) -> View {
        let Self {
            parameters,       // public
            derived: _,       // not needed: follows from the parameters
            screens,          // public: an option of the table
            round_index,      // public
            rounds_left: _,   // not needed: follows from the round
            first_seat,       // public
            to_act: _,        // public, read with Game::to_act below
            open_cushions: _, // not needed: follows from the bids, whose cushions are public
            value_count: _,   // RULES 7.1: computed from a hand, so never visible
            tie_bonuses: _,   // not needed: follows from the first player
            hands,            // RULES 7.1: visible to their owners; RULES 7.2: their sizes are public
            holders,          // RULES 7.6: the collections; RULES 7.8: the pouch is never visible
            board,            // see `add_board`
            finished: _,      // RULES 7.5, 7.7: read with Game::last_round and Game::played below
            decks: _,         // RULES 7.8: never visible; RULES 7.2: the number of cards is computed below
        } = self;
        let parameters = *parameters;
        let (stage, round) = parameters.stage_and_round(*round_index);
        let phase = self.phase();
        let seats = parameters.players.seats().map(|seat| {
            // RULES 7.6, 7.7: visible to the owner; with open screens, or once the game is over (7.10), to all
            // observers.
            let is_own = observer == Observer::Seat(seat);
            let is_visible = is_own || *screens == Screens::Open || phase == Phase::Over;
            SeatView {
                seat,
                hand: hands[seat].len().to_le_bytes()[0],
                // In each stage begun so far, the seat has taken a hand from its deck.
                deck: parameters.deck_size() - parameters.hand_size() * stage.0,
                collection: is_visible.then_some(holders.collection(seat)),
                played: is_visible.then(|| self.played(seat)),
            }
        });
        let mut view = View {
            parameters,
            observer,
            screens: *screens,
            phase: match phase {
                Phase::Draw | Phase::Offer => ViewPhase::Offer,
                Phase::Bid => ViewPhase::Bid,
                Phase::Over => ViewPhase::Over,
            },
            action_count: self.action_count(),
            stage,
            round,
            first_seat: *first_seat,
            to_act: self.to_act(),
            drawn: Drawn::default(),
            offer: Offer::default(),
            bids: tinyvec::ArrayVec::new(),
            // RULES 7.1: only the owner sees a hand.
            hand: observer.seat().map_or(Cards::NONE, |seat| hands[seat]),
            seats: seats.collect(),
            last_round: self.last_round(),
            outcome: self.outcome(),
        };
        self.add_board(board, &mut view);
        view
    }

    /// Adds the visible part of the board to a view.
    fn add_board(&self, board: &Board, view: &mut View) {
        let Board {
            drawn,     // RULES 7.4: public
            offer,     // RULES 7.4: public; the jewel put back is the difference from the drawn jewels
            placed: _, // RULES 7.1, 7.3: read with Game::bids below
            leads: _,  // RULES 7.1: computed from hidden cards, so never visible
        } = board;
        view.drawn = *drawn;
        view.offer = *offer;
        for bid in self.bids() {
            // RULES 7.1, 7.3: the bidder and the cushion are public; only the bidder sees the card.
            let is_own = view.observer == Observer::Seat(bid.seat);
            view.bids.push(if is_own { PlacedBid::Own(bid) } else { PlacedBid::FaceDown(bid.face_down()) });
        }
    }
}
