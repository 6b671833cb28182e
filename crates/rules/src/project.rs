//! Projection of a game to the view of an observer (RULES 7). No other file makes views of running games.
//!
//! Every field of a game and of its board is named here, so that a new field stops the build until its visibility is
//! decided. Never write `..` or a `_` arm in this file.
#![deny(clippy::wildcard_enum_match_arm)]

use sultan_domain::{Cards, Drawn, Observer, Offer, PlacedBid, Screens, SeatView, View, ViewPhase};

use crate::Game;
use crate::game::{Board, Phase};

impl Game {
    /// The view of an observer.
    #[must_use]
    pub fn view(&self, observer: Observer) -> View {
        let Self {
            parameters,     // known to all
            derived: _,     // follows from them
            screens,        // the table's option, known to all
            round_index,    // likewise
            rounds_left: _, // follows from the round
            first,          // follows from the round
            to_act: _,      // known to all, see Game::to_act
            open: _,        // follows from the cushions of the bids, which all see
            values: _,      // RULES 7.1: follows from a hand, so never
            tie_bonuses: _, // follows from the first player
            hands,          // RULES 7.1, 7.2
            holders,        // RULES 7.6: the collections; RULES 7.8: the pouch never
            board,          // RULES 7.4: the jewels; RULES 7.1, 7.3: the bids, below
            finished: _, // RULES 7.5: the last for all, see Game::last_round; RULES 7.7: earlier ones, see Game::played
            decks: _,    // RULES 7.8: never their order; RULES 7.2: how many, see Game::deck
        } = self;
        let parameters = *parameters;
        let (stage, round) = parameters.stage_and_round(*round_index);
        let phase = self.phase();
        let over = phase == Phase::Over;
        let seats = parameters.players.seats().map(|seat| {
            // RULES 7.6, 7.7: visible to the owner, with open screens to all, and once the game is over to all (7.10).
            let open = observer == Observer::Seat(seat) || *screens == Screens::Open || over;
            SeatView {
                seat,
                hand: hands[seat].len().to_le_bytes()[0],
                deck: parameters.deck() - parameters.hand() * self.stages_begun(),
                collection: open.then_some(holders.collection(seat)),
                played: open.then(|| self.played(seat)),
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
            at: self.at(),
            stage,
            round,
            first_seat: *first,
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

    /// Adds the board to a view.
    fn add_board(&self, board: &Board, view: &mut View) {
        let Board {
            drawn,     // RULES 7.4: for all
            offer,     // RULES 7.4: for all; what was put back is the difference
            placed: _, // RULES 7.1, 7.3: see below
            leads: _,  // RULES 7.1: follows from hidden cards, so never
        } = board;
        view.drawn = *drawn;
        view.offer = *offer;
        for bid in self.bids() {
            // RULES 7.1, 7.3: cushion and owner are public, the value is visible to its owner only.
            let own = view.observer == Observer::Seat(bid.seat);
            view.bids.push(if own { PlacedBid::Own(bid) } else { PlacedBid::FaceDown(bid.face_down()) });
        }
    }
}
