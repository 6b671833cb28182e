//! The complete state of a game. Always legal: only `play` changes it.

use std::fmt;

use sultan_domain::{
    Action, Bids, BySeat, Cards, CardsInOrder, Collection, CushionSet, Drawn, Jewels, Offer, PackedDeck, Parameters,
    Recall, RoundRecord, Screens, Seat, Ties, Winners,
};

use crate::finished::FinishedRound;
use crate::placed::Placed;
use crate::resolve::{JewelHolders, Leads, winners};
use crate::{BadSetup, Chance, Setup, chance};

/// The complete state of a game. It cannot be serialized, and its `Debug` shows no hidden information.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Game {
    pub(crate) parameters: Parameters,
    pub(crate) derived: Derived,
    pub(crate) screens: Screens,
    /// The round, counted from 0 over the whole game. Once the game is over, the last round.
    pub(crate) round_index: u8,
    /// The number of unfinished rounds of this stage, the current round included; 0 once the game is over.
    pub(crate) rounds_left: u8,
    /// The round's first player.
    pub(crate) first_seat: Seat,
    /// The seat to act. Before a draw and once the game is over, it has no meaning.
    pub(crate) to_act: Seat,
    /// The cushions on which the seat to act may place a card.
    pub(crate) open_cushions: CushionSet,
    /// The number of different values in the hand of the seat to act.
    pub(crate) value_count: u8,
    /// The tie-breaking in this round, see [`tie_bonuses`](crate::resolve::tie_bonuses).
    pub(crate) tie_bonuses: BySeat<u8>,
    pub(crate) hands: BySeat<Cards>,
    /// The pouch and the collections.
    pub(crate) holders: JewelHolders,
    /// The board of the current round.
    pub(crate) board: Board,
    /// The finished rounds in order; the entries after them are unused.
    pub(crate) finished: [FinishedRound; MAX_ROUNDS],
    /// The complete decks as they were dealt. The stage determines the number of cards taken from them.
    pub(crate) decks: BySeat<PackedDeck>,
}

/// The length of the list of finished rounds.
pub(crate) const MAX_ROUNDS: usize = Parameters::MAX_ROUNDS as usize;

/// Values that follow from the parameters. They are stored because every action needs them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Derived {
    /// A lower bound for a [`Placed`] with all cards of a round. Each [`Placed`] with fewer cards is below it.
    pub(crate) all_placed: Placed,
    /// Whether the seat to act always has a choice of `rounds_left` values and all cushions, and ties always go to the
    /// earlier card. True in the published game with three to five players: each seat places one card per round, and
    /// all its cards have different values. Then `open_cushions` and `tie_bonuses` never change.
    pub(crate) has_simple_choices: bool,
    /// Each seat's left neighbour.
    pub(crate) left_neighbours: BySeat<Seat>,
}

impl Derived {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let mut left_neighbours = BySeat::default();
        for seat in parameters.players.seats() {
            left_neighbours[seat] = seat.left_neighbour(parameters.players);
        }
        let has_simple_choices =
            parameters.copies == 1 && parameters.bids_per_player == 1 && parameters.ties == Ties::EarliestBid;
        let all_placed = Placed::smallest_with(parameters.bids_per_round());
        Self { all_placed, has_simple_choices, left_neighbours }
    }
}

/// The phase of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The jewels are on the cushions, and a seat is to place a card.
    Bid,
    /// The first player is to choose from the jewels drawn.
    Offer,
    /// The jewels of the round are to be drawn; the board is empty.
    Draw,
    /// The game is over; the board is empty.
    Over,
}

/// The board of a round. `drawn` is empty until the draw, `offer` until the offer, and the other fields until a bid.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) drawn: Drawn,
    pub(crate) offer: Offer,
    /// The cards on the cushions.
    pub(crate) placed: Placed,
    /// For each cushion the bid that would win its jewel now.
    pub(crate) leads: Leads,
}

/// Shows only public information.
impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match self.phase() {
            Phase::Draw => "draw",
            Phase::Offer => "offer",
            Phase::Bid => "bid",
            Phase::Over => "over",
        };
        let mut output = f.debug_struct("Game");
        output.field("players", &self.parameters.players.count()).field("at", &self.action_count());
        output.field("phase", &phase).finish_non_exhaustive()
    }
}

impl Game {
    /// Starts a game. The players have taken their hands of the first stage; the first draw is due.
    ///
    /// # Errors
    /// [`BadSetup`] if no game can start with this setup.
    pub fn new(setup: &Setup) -> Result<Self, BadSetup> {
        setup.check()?;
        let decks = BySeat(setup.decks.0.each_ref().map(PackedDeck::new));
        Ok(Self::begin(setup.parameters, setup.first_seat, setup.screens, decks))
    }

    /// Starts a game with random decks. A first seat that is not at the table becomes seat 0.
    ///
    /// # Panics
    /// If the parameters are invalid ([`Parameters::check`]).
    #[must_use]
    pub fn shuffled(parameters: Parameters, first_seat: Seat, screens: Screens, rng: &mut impl Chance) -> Self {
        let mut decks = BySeat::default();
        let players = parameters.players;
        parameters.check().expect("a game can be played with these parameters");
        for seat in players.seats() {
            decks[seat] = PackedDeck::new(&chance::shuffled(&parameters, rng));
        }
        let first_seat = if players.has(first_seat) { first_seat } else { Seat::default() };
        Self::begin(parameters, first_seat, screens, decks)
    }

    /// Starts a game with a checked setup.
    fn begin(parameters: Parameters, first_seat: Seat, screens: Screens, decks: BySeat<PackedDeck>) -> Self {
        let mut game = Self {
            parameters,
            derived: Derived::new(&parameters),
            open_cushions: parameters.open_cushions([]),
            value_count: 0,
            tie_bonuses: BySeat::default(),
            screens,
            round_index: 0,
            rounds_left: parameters.rounds_per_stage,
            first_seat,
            to_act: first_seat,
            hands: BySeat::default(),
            holders: JewelHolders::new(parameters.pouch, &BySeat::default()),
            board: Board::default(),
            finished: Default::default(),
            decks,
        };
        game.take_hands();
        game.start_round(first_seat);
        game
    }

    /// The parameters of the game.
    #[must_use]
    #[inline]
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// The number of actions so far.
    #[must_use]
    pub fn action_count(&self) -> u16 {
        let actions_per_round = 1 + u16::from(self.parameters.bids_per_round());
        // The offer, if it is made, and one action per bid.
        let actions_in_current_round = u16::from(self.phase() == Phase::Bid) + u16::from(self.board.placed.len());
        u16::from(self.finished_rounds()) * actions_per_round + actions_in_current_round
    }

    /// The round's first player.
    #[must_use]
    pub const fn first_seat(&self) -> Seat {
        self.first_seat
    }

    /// The round, counted from 0 over the whole game.
    #[must_use]
    pub const fn round_index(&self) -> u8 {
        self.round_index
    }

    /// The phase, derived from the board.
    #[inline]
    pub(crate) fn phase(&self) -> Phase {
        if !self.board.offer.is_empty() {
            Phase::Bid
        } else if !self.board.drawn.is_empty() {
            Phase::Offer
        } else if self.rounds_left > 0 {
            Phase::Draw
        } else {
            Phase::Over
        }
    }

    /// The number of finished rounds.
    #[must_use]
    pub fn finished_rounds(&self) -> u8 {
        self.round_index + u8::from(self.phase() == Phase::Over)
    }

    /// The cards in a seat's hand.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> Cards {
        self.hands[seat]
    }

    /// The cards left in a seat's deck, the top card first.
    #[must_use]
    pub fn deck(&self, seat: Seat) -> CardsInOrder {
        let (stage, _) = self.parameters.stage_and_round(self.round_index);
        // In each stage begun so far, the seat has taken a hand from its deck.
        self.decks[seat].cards_from(usize::from(self.parameters.hand_size()) * usize::from(stage.0))
    }

    /// A seat's whole deck as it was dealt.
    #[must_use]
    pub fn dealt_deck(&self, seat: Seat) -> CardsInOrder {
        self.decks[seat].cards_from(0)
    }

    /// The cards that a seat played in finished rounds, in order.
    #[must_use]
    pub fn played(&self, seat: Seat) -> CardsInOrder {
        let players = self.parameters.players.count();
        // The number of cards placed after the seat's last card of a round. In each round the seat bids one turn
        // earlier (or last, after it was the first player), because the first player moves one seat to the left.
        let mut later_cards = players - 1 - self.opening_seat().steps_to(seat, self.parameters.players);
        let places_two_cards = self.parameters.bids_per_player == 2;
        let mut cards = CardsInOrder::new();
        for round in self.finished.iter().take(self.finished_rounds().into()) {
            // With two players, the other player placed a card between the two.
            if places_two_cards {
                cards.push(round.placed.card_before(later_cards + players));
            }
            cards.push(round.placed.card_before(later_cards));
            later_cards = if later_cards + 1 == players { 0 } else { later_cards + 1 };
        }
        cards
    }

    /// The jewels a seat has won.
    #[must_use]
    pub fn collection(&self, seat: Seat) -> Collection {
        self.holders.collection(seat)
    }

    /// The jewels in the pouch.
    #[must_use]
    pub const fn pouch(&self) -> Jewels {
        self.holders.pouch()
    }

    /// The jewels drawn for this round.
    #[must_use]
    pub const fn drawn(&self) -> Drawn {
        self.board.drawn
    }

    /// The jewels on the cushions; empty before the offer.
    #[must_use]
    pub const fn offer(&self) -> Offer {
        self.board.offer
    }

    /// The bids placed in this round, in order, with their hidden cards.
    #[must_use]
    pub fn bids(&self) -> Bids {
        self.board.placed.bids(self.parameters.players, self.first_seat)
    }

    /// The last finished round; `None` in the first round.
    #[must_use]
    pub fn last_round(&self) -> Option<RoundRecord> {
        self.finished_rounds().checked_sub(1).map(|index| self.finished_round(index))
    }

    /// All finished rounds in order. In a game imagined from an incomplete recall, the forgotten rounds have no jewels.
    pub(crate) fn rounds(&self) -> impl Iterator<Item = RoundRecord> {
        (0..self.finished_rounds()).map(|index| self.finished_round(index))
    }

    /// The finished rounds, which are public.
    #[must_use]
    pub fn recall(&self) -> Recall {
        self.rounds().collect()
    }

    /// All actions so far in order, with their seats.
    #[must_use]
    pub fn actions(&self) -> Vec<(Seat, Action)> {
        self.rounds().chain(self.current_round()).flat_map(|round| round.actions()).collect()
    }

    /// A finished round, unpacked. Its winners are not stored, but computed from its bids.
    fn finished_round(&self, round_index: u8) -> RoundRecord {
        let round = self.finished[usize::from(round_index)];
        let mut record = self.round_without_winners(round_index, round.drawn(), round.offer(), round.placed);
        let winners = winners(&self.parameters, record.first_seat, &record.bids);
        record.winners = Some(Winners::from_array_len(winners.0, self.parameters.cushions.into()));
        record
    }

    /// The current round once its jewels are drawn. It contains the hidden cards of the bids, so it is only for records
    /// of complete games.
    pub(crate) fn current_round(&self) -> Option<RoundRecord> {
        let Board { drawn, offer, placed, leads: _ } = self.board;
        (!drawn.is_empty()).then(|| self.round_without_winners(self.round_index, drawn, offer, placed))
    }

    /// The record of a round from its parts. The caller adds the winners of a finished round.
    #[inline]
    fn round_without_winners(&self, round_index: u8, drawn: Drawn, offer: Offer, placed: Placed) -> RoundRecord {
        let (stage, round) = self.parameters.stage_and_round(round_index);
        let first_seat = self.first_seat_of(round_index);
        RoundRecord {
            stage,
            round,
            first_seat,
            drawn,
            offer: (!offer.is_empty()).then_some(offer),
            put_back: drawn.put_back(offer.jewels()),
            bids: placed.bids(self.parameters.players, first_seat),
            winners: None,
        }
    }

    /// The first player of the game's first round.
    #[must_use]
    pub fn opening_seat(&self) -> Seat {
        self.first_seat_of(0)
    }

    /// The first player of a finished round or of the current round (RULES 4.9).
    #[inline]
    fn first_seat_of(&self, round_index: u8) -> Seat {
        self.parameters.first_seat_before(self.first_seat, self.round_index - round_index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FastRng;
    use sultan_domain::Players;

    fn shuffled_game(parameters: Parameters, first_seat: u8) -> Game {
        Game::shuffled(parameters, Seat::new(first_seat).unwrap(), Screens::Closed, &mut FastRng::new(1))
    }

    #[test]
    fn game_fits_into_480_bytes() {
        // A bot's search copies a game for every simulation, so a game must stay small.
        assert!(size_of::<Game>() <= 480, "{}", size_of::<Game>());
    }

    #[test]
    fn rule_2_5_first_seat_that_is_not_at_the_table_becomes_seat_0() {
        let three_players = Parameters::of(Players::new(3).unwrap());
        let first_seats = [0, 1, 2, 3, 4].map(|number| shuffled_game(three_players, number).first_seat().number());
        assert_eq!(first_seats, [0, 1, 2, 0, 0]);
    }

    #[test]
    #[should_panic(expected = "a game can be played with these parameters")]
    fn shuffled_game_with_invalid_parameters_panics() {
        _ = shuffled_game(Parameters { stages: 0, ..Parameters::of(Players::new(3).unwrap()) }, 0);
    }

    #[test]
    fn rule_4_1_random_draw_happens_only_when_a_draw_is_due() {
        for players in Players::ALL {
            let mut game = shuffled_game(Parameters::of(players), 0);
            assert!(game.current_round().is_none());
            assert!(game.draw_with(&mut FastRng::new(2)));
            assert_eq!(game.drawn().len(), usize::from(game.parameters().draw_size()));
            assert_eq!(game.current_round().map(|record| record.drawn), Some(game.drawn()));
            let before = game;
            assert!(!game.draw_with(&mut FastRng::new(2)) && game == before);
        }
    }
}
