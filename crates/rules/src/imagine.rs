//! Samples a complete game that looks to one observer exactly like the real game. Bots use such games to search.
//!
//! Everything that the observer sees and remembers is kept. All hidden cards are dealt at random, each deal with the
//! same probability, even if it makes the bids of other seats implausible. If the recall lacks rounds, as for a bot
//! that gets a position without its history, cards and winners of the missing rounds are made up too.

use sultan_domain::{
    Bid, BySeat, Cards, CardsInOrder, Collection, Cushion, CushionSet, FaceDownBid, Jewel, Jewels, MoneyCard, Observer,
    PackedDeck, Parameters, PlacedBid, Recall, Round, RoundRecord, Seat, Stage, View, ViewError, ViewPhase,
};
use thiserror::Error;
use tinyvec::ArrayVec;

use crate::chance::shuffle;
use crate::finished::FinishedRound;
use crate::game::{Board, Derived, MAX_ROUNDS, Phase};
use crate::placed::Placed;
use crate::resolve::{JewelHolders, leads, tie_bonuses, winners};
use crate::{Chance, Game};

/// A contradiction in a view and a recall: no game can look like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Contradiction {
    /// The view contradicts itself.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The stage, the round, the number of actions and the seat to act are not possible together.
    #[error("the stage, round and number of actions do not match")]
    Turn,
    /// A remembered round is impossible.
    #[error("round {round} of stage {stage} is impossible")]
    Round {
        /// The stage.
        stage: Stage,
        /// The round within the stage.
        round: Round,
    },
    /// A seat's cards do not make up a full set.
    #[error("the cards of seat {0} do not add up")]
    Cards(Seat),
    /// More jewels than the game has, or collections that do not match the remembered rounds.
    #[error("the jewels do not add up")]
    Jewels,
    /// A result that differs from the result computed from the collections.
    #[error("`final` does not match the collections")]
    Outcome,
}

/// A random complete game that matches an observer's view and recall: `game.view(view.observer)` equals `view`.
///
/// # Errors
/// [`Contradiction`] if no game can look like this, which cannot happen with the view and recall of a real game.
pub fn imagine(view: &View, recall: &Recall, rng: &mut impl Chance) -> Result<Game, Contradiction> {
    let knowledge = Knowledge::new(view, recall)?;
    let parameters = knowledge.parameters;
    let mut dealt = DealtCards::default();
    for seat in parameters.players.seats() {
        knowledge.deal(seat, &mut dealt, rng)?;
    }
    let board = knowledge.board(&dealt.placed)?;
    let (collections, pouch) = knowledge.jewels(rng)?;
    let mut game = Game {
        parameters,
        derived: Derived::new(&parameters),
        open_cushions: CushionSet::default(),
        value_count: 0,
        tie_bonuses: tie_bonuses(&parameters, view.first_seat),
        screens: view.screens,
        round_index: knowledge.round_index,
        rounds_left: knowledge.rounds_left(),
        first_seat: view.first_seat,
        to_act: view.to_act.unwrap_or(view.first_seat),
        hands: dealt.hands,
        holders: JewelHolders::new(pouch, &collections),
        board,
        finished: knowledge.finished(&dealt.played),
        decks: BySeat(dealt.decks.0.each_ref().map(PackedDeck::new)),
    };
    game.update_choices();
    match view.outcome {
        Some(outcome) if outcome != game.standings() => Err(Contradiction::Outcome),
        _ => Ok(game),
    }
}

/// The cards of all seats: known cards, and random cards in place of unknown cards.
#[derive(Default)]
struct DealtCards {
    hands: BySeat<Cards>,
    /// The cards placed in the current round.
    placed: BySeat<CardsInOrder>,
    /// The cards played in finished rounds.
    played: BySeat<CardsInOrder>,
    /// The complete decks as they were dealt.
    decks: BySeat<CardsInOrder>,
}

/// The knowledge of an observer: a checked view, and the finished rounds from the recall.
struct Knowledge<'a> {
    view: &'a View,
    parameters: Parameters,
    phase: Phase,
    round_index: u8,
    /// All finished rounds by index; `None` for a forgotten round, which is not in the recall.
    rounds: Vec<Option<RoundRecord>>,
}

impl<'a> Knowledge<'a> {
    fn new(view: &'a View, recall: &Recall) -> Result<Self, Contradiction> {
        view.check()?;
        let parameters = view.parameters;
        let round_index = parameters.round_index(view.stage, view.round).ok_or(Contradiction::Turn)?;
        let phase = match (view.phase, view.to_act) {
            (ViewPhase::Offer, None) if view.drawn.is_empty() => Phase::Draw,
            (ViewPhase::Offer, Some(_)) => Phase::Offer,
            (ViewPhase::Bid, Some(_)) => Phase::Bid,
            (ViewPhase::Over, None) => Phase::Over,
            _ => return Err(Contradiction::Turn),
        };
        let is_over = phase == Phase::Over;
        let finished_rounds = round_index + u8::from(is_over);
        // The offer, if it is made, and one action per bid.
        let actions_in_round = u16::from(phase == Phase::Bid) + u16::try_from(view.bids.len()).unwrap_or(u16::MAX);
        let actions_per_round = 1 + u16::from(parameters.bids_per_round());
        let action_count = u16::from(finished_rounds) * actions_per_round + actions_in_round;
        if action_count != view.action_count || is_over != (finished_rounds == parameters.rounds()) {
            return Err(Contradiction::Turn);
        }
        let rounds = vec![None; usize::from(finished_rounds)];
        let mut knowledge = Self { view, parameters, phase, round_index, rounds };
        let known_rounds = recall.rounds().iter().chain(&view.last_round);
        for round in known_rounds.filter(|round| round.winners.is_some()) {
            knowledge.add_round(round)?;
        }
        // The last finished round cannot be forgotten, because the view contains it.
        if knowledge.rounds.last().is_some_and(Option::is_none) {
            return Err(Contradiction::Turn);
        }
        Ok(knowledge)
    }

    /// Adds a finished round, which must be possible by itself and agree with the view.
    fn add_round(&mut self, round: &RoundRecord) -> Result<(), Contradiction> {
        let error = Contradiction::Round { stage: round.stage, round: round.round };
        let index = self.parameters.round_index(round.stage, round.round).ok_or(error)?;
        let slot = self.rounds.get_mut(usize::from(index)).ok_or(error)?;
        // The last round may be both in the recall and in the view.
        if !is_possible(&self.parameters, round) || slot.is_some_and(|known| known != *round) {
            return Err(error);
        }
        *slot = Some(*round);
        if round.first_seat == self.first_seat_of(index) { Ok(()) } else { Err(error) }
    }

    /// Deals one seat the cards that the observer does not know: played, placed, in hand and in the deck.
    fn deal(&self, seat: Seat, dealt: &mut DealtCards, rng: &mut impl Chance) -> Result<(), Contradiction> {
        let error = Contradiction::Cards(seat);
        let is_own = self.view.observer == Observer::Seat(seat);
        let played = self.played_by(seat).ok_or(error)?;
        let placed: Vec<Option<MoneyCard>> = self.placed_by(seat).collect();
        let (hand_size, deck_size) = self.expected_sizes(placed.len()).ok_or(error)?;
        let own_hand = if is_own { self.view.hand } else { Cards::NONE };
        let seat_view = &self.view.seats[seat.index()];
        // `View::check` has made sure that the observer's hand has the stated number of cards.
        if seat_view.hand != hand_size || seat_view.deck != deck_size {
            return Err(error);
        }
        let mut unknown_cards = self.parameters.full_set().without(own_hand).ok_or(error)?;
        for &card in played.iter().chain(&placed).flatten() {
            if !unknown_cards.remove(card) {
                return Err(error);
            }
        }
        let mut shuffled: CardsInOrder = unknown_cards.iter().collect();
        shuffle(&mut shuffled, rng);
        // A seat with too few unknown cards is an error.
        let mut next_card = move || shuffled.pop().ok_or(error);
        // Replaces each unknown card by a random card.
        let mut fill = |cards: &[Option<MoneyCard>]| {
            cards.iter().map(|card| card.map_or_else(&mut next_card, Ok)).collect::<Result<CardsInOrder, _>>()
        };
        let (played, placed) = (fill(&played)?, fill(&placed)?);
        let hand = if is_own { own_hand.iter().collect() } else { fill(&vec![None; usize::from(hand_size)])? };
        let deck = fill(&vec![None; usize::from(deck_size)])?;
        // The cards of a stage are taken in hand together, so their order within the deck does not matter.
        dealt.decks[seat] = played.into_iter().chain(placed).chain(hand).chain(deck).collect();
        dealt.hands[seat] = hand.into_iter().collect();
        dealt.placed[seat] = placed;
        dealt.played[seat] = played;
        Ok(())
    }

    /// The cards that a seat played in finished rounds, with `None` for each unknown card. The whole result is `None`
    /// if the view and the recall disagree.
    fn played_by(&self, seat: Seat) -> Option<Vec<Option<MoneyCard>>> {
        let unknown_cards = vec![None; usize::from(self.parameters.bids_per_player)];
        let remembered = self.rounds.iter().flat_map(|round| match round {
            Some(round) => round.played_by(seat).map(Some).collect(),
            None => unknown_cards.clone(),
        });
        let remembered: Vec<Option<MoneyCard>> = remembered.collect();
        let Some(seen) = self.view.seats[seat.index()].played else { return Some(remembered) };
        let is_equal = |(remembered, seen): (&Option<MoneyCard>, MoneyCard)| remembered.is_none_or(|card| card == seen);
        let agree = remembered.len() == seen.len() && remembered.iter().zip(seen).all(is_equal);
        agree.then(|| seen.into_iter().map(Some).collect())
    }

    /// The cards that a seat has placed in this round, with `None` for each card that the observer sees face down.
    fn placed_by(&self, seat: Seat) -> impl Iterator<Item = Option<MoneyCard>> {
        let bids = self.view.bids.into_iter().filter(move |bid| bid.seat() == seat);
        bids.map(|bid| match bid {
            PlacedBid::Own(bid) => Some(bid.card),
            PlacedBid::FaceDown(_) => None,
        })
    }

    /// The numbers of cards that a seat must have in hand and deck after it has placed `placed` cards in this round.
    /// `None` if it has placed too many.
    fn expected_sizes(&self, placed: usize) -> Option<(u8, u8)> {
        let parameters = &self.parameters;
        // In each stage begun so far, the seat has taken a hand from its deck.
        let deck_size = parameters.deck_size().checked_sub(parameters.hand_size() * self.view.stage.0)?;
        if self.phase == Phase::Over {
            return Some((0, deck_size));
        }
        let finished_rounds_of_stage = self.round_index % parameters.rounds_per_stage;
        let placed_in_stage = parameters.bids_per_player * finished_rounds_of_stage + u8::try_from(placed).ok()?;
        Some((parameters.hand_size().checked_sub(placed_in_stage)?, deck_size))
    }

    /// The board, with the dealt cards for the face-down bids.
    fn board(&self, placed: &BySeat<CardsInOrder>) -> Result<Board, Contradiction> {
        let View { first_seat, drawn, offer, .. } = *self.view;
        if !offer.is_empty() && drawn.put_back(offer.jewels()).is_none() {
            return Err(Contradiction::Jewels);
        }
        let mut cards = placed.0.map(IntoIterator::into_iter);
        let mut bids = Vec::with_capacity(self.view.bids.len());
        for bid in self.view.bids {
            let (seat, cushion) = (bid.seat(), bid.cushion());
            let card = cards[seat.index()].next().expect("a card is dealt for each bid");
            bids.push(Bid { seat, card, cushion });
        }
        let leads = leads(&self.parameters, first_seat, &bids);
        Ok(Board { drawn, offer, placed: Placed::from_bids(&bids), leads })
    }

    /// The finished rounds. A forgotten round gets the dealt cards, but no jewels, and all its cards are on cushion 1:
    /// only the cards matter for the rest of the game.
    fn finished(&self, played: &BySeat<CardsInOrder>) -> [FinishedRound; MAX_ROUNDS] {
        let mut cards = played.0.map(IntoIterator::into_iter);
        let mut finished = [FinishedRound::default(); MAX_ROUNDS];
        for ((round, slot), index) in self.rounds.iter().zip(&mut finished).zip(0..) {
            let mut placed = Placed::default();
            let first_seat = self.first_seat_of(index);
            for bid_index in 0..self.parameters.bids_per_round() {
                let seat = self.parameters.bidder(first_seat, bid_index);
                let cushion = round.map_or_else(Cushion::default, |round| round.bids[usize::from(bid_index)].cushion);
                let card = cards[seat.index()].next().expect("each seat bids equally often in each round");
                placed.push(card, cushion);
            }
            let (drawn, offer) = round.map(|round| (round.drawn, round.offer.unwrap_or_default())).unwrap_or_default();
            *slot = FinishedRound::new(placed, drawn, offer);
        }
        finished
    }

    /// The number of unfinished rounds of this stage, as in [`Game`].
    fn rounds_left(&self) -> u8 {
        let per_stage = self.parameters.rounds_per_stage;
        if self.phase == Phase::Over { 0 } else { per_stage - self.round_index % per_stage }
    }

    /// The first player of a finished round.
    fn first_seat_of(&self, round_index: u8) -> Seat {
        self.parameters.first_seat_before(self.view.first_seat, self.round_index - round_index)
    }

    /// Every seat's collection, and the jewels in the pouch. Hidden collections get random jewels for forgotten rounds.
    fn jewels(&self, rng: &mut impl Chance) -> Result<(BySeat<Collection>, Jewels), Contradiction> {
        let mut pouch = self.parameters.pouch.without(self.on_board()).ok_or(Contradiction::Jewels)?;
        let mut collections = BySeat::default();
        // The number of jewels of all known collections, and the part of it that was won in forgotten rounds.
        let (mut known_won, mut known_won_in_forgotten) = (0, 0);
        for seat_view in &self.view.seats {
            let rounds = self.rounds.iter().flatten();
            let remembered = rounds.fold(Jewels::NONE, |sum, round| sum.with(round.won_by(seat_view.seat)));
            let collection = seat_view.collection.unwrap_or(remembered);
            let won_in_forgotten = collection.without(remembered).ok_or(Contradiction::Jewels)?;
            if !won_in_forgotten.is_empty() && self.rounds.iter().all(Option::is_some) {
                return Err(Contradiction::Jewels);
            }
            known_won += collection.len();
            known_won_in_forgotten += won_in_forgotten.len();
            pouch = pouch.without(collection).ok_or(Contradiction::Jewels)?;
            collections[seat_view.seat] = collection;
        }
        // At most one jewel per cushion is won in a round. The check also makes sure that the pouch never has too few
        // jewels for a draw (RULES 6.1).
        if known_won as usize > self.rounds.len() * usize::from(self.parameters.cushions) {
            return Err(Contradiction::Jewels);
        }
        let mut available = self.available_in_forgotten_rounds(pouch);
        for seat in self.winners_of_forgotten_rounds(known_won_in_forgotten, rng) {
            // If no jewel is available any longer, the seat gets none.
            if let Some(jewel) = available.nth(rng.below(available.len().max(1))) {
                available.remove(jewel);
                pouch.remove(jewel);
                collections[seat].add(jewel);
            }
        }
        Ok((collections, pouch))
    }

    /// The jewels that seats with hidden collections may have won in forgotten rounds.
    ///
    /// These are the jewels of `pouch`, which contains all jewels not known to be won or on the board, except those
    /// that must still have been in the pouch for a known draw. For simplicity every known draw counts as later than
    /// all forgotten rounds. This excludes a few possible games, but includes no impossible game.
    fn available_in_forgotten_rounds(&self, pouch: Jewels) -> Jewels {
        let mut available = pouch.counts();
        let mut won_since = Jewels::NONE;
        for round in self.rounds.iter().rev().flatten() {
            let seats = self.parameters.players.seats();
            won_since = seats.fold(won_since, |sum, seat| sum.with(round.won_by(seat)));
            for jewel in Jewel::ALL {
                // At the time of the draw, the jewels that were won in this round or later were still in the pouch.
                let count_at_draw = pouch.count(jewel) + self.on_board().count(jewel) + won_since.count(jewel);
                let not_drawn = count_at_draw.saturating_sub(round.drawn.jewels().count(jewel));
                available.0[jewel as usize] = available[jewel].min(not_drawn);
            }
        }
        Jewels::new(available.0).unwrap_or_default()
    }

    /// The jewels that are neither in the pouch nor won.
    fn on_board(&self) -> Jewels {
        match self.phase {
            Phase::Offer => self.view.drawn.jewels(),
            Phase::Bid => self.view.offer.jewels(),
            Phase::Draw | Phase::Over => Jewels::NONE,
        }
    }

    /// Random seats with hidden collections, one for each jewel that they win in forgotten rounds. `known_won` jewels
    /// of these rounds are already in visible collections.
    fn winners_of_forgotten_rounds(&self, known_won: u32, rng: &mut impl Chance) -> Vec<Seat> {
        let forgotten_rounds = self.rounds.iter().filter(|round| round.is_none()).count();
        // In every round at least one jewel is won, and at most one per cushion.
        let cushions = u32::from(self.parameters.cushions);
        let won = (0..forgotten_rounds).map(|_| 1 + rng.below(cushions)).sum::<u32>();
        let hidden = self.view.seats.iter().filter(|seat| seat.collection.is_none()).map(|seat| seat.seat);
        // A seat wins at most one jewel per card played.
        let max_per_seat = forgotten_rounds * usize::from(self.parameters.bids_per_player);
        let mut winners: Vec<Seat> = hidden.flat_map(|seat| std::iter::repeat_n(seat, max_per_seat)).collect();
        shuffle(&mut winners, rng);
        // Jewels in visible collections need no further winner.
        winners.truncate(won.saturating_sub(known_won) as usize);
        winners
    }
}

/// Whether a finished round is possible by itself: its offer, its bids and its winners.
fn is_possible(parameters: &Parameters, round: &RoundRecord) -> bool {
    let RoundRecord { stage: _, round: _, first_seat, drawn, offer, put_back, bids, winners: recorded_winners } = round;
    let (Some(offer), Some(recorded_winners)) = (offer, recorded_winners) else { return false };
    let cushions = usize::from(parameters.cushions);
    let is_offer_possible =
        offer.len() == cushions && put_back.is_some() && drawn.put_back(offer.jewels()) == *put_back;
    let face_down: ArrayVec<[FaceDownBid; 5]> = bids.iter().copied().map(Bid::face_down).collect();
    let are_bids_possible =
        bids.len() == usize::from(parameters.bids_per_round()) && parameters.allow_bids(*first_seat, &face_down);
    let computed_winners = winners(parameters, *first_seat, bids).0;
    is_offer_possible && are_bids_possible && recorded_winners[..] == computed_winners[..cushions]
}
