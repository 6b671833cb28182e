//! Samples a full game that looks to one observer exactly like the real game.
//!
//! Everything that the observer sees and remembers is kept. The rest is dealt at random, each deal with the same
//! probability (regardless of how plausible the bids of other seats would be). If the memory has gaps, as for a bot
//! that gets a position without its history, the forgotten rounds are made up too.

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

/// A contradiction in a view or recall: no game can look like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Contradiction {
    /// The view contradicts itself.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The stage, the round, the number of actions and the seat to act do not match.
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
    /// More jewels than exist.
    #[error("the jewels do not add up")]
    Jewels,
    /// A result that the collections do not give.
    #[error("`final` does not match the collections")]
    Outcome,
}

/// A random full game consistent with an observer's view and memory. `game.view(view.observer)` equals `view`.
///
/// # Errors
/// [`Contradiction`] if no game can look like this, which cannot happen with the view and recall of a real game.
pub fn imagine(view: &View, recall: &Recall, chance: &mut impl Chance) -> Result<Game, Contradiction> {
    let knowledge = Knowledge::new(view, recall)?;
    let parameters = knowledge.parameters;
    let mut dealt = DealtCards::default();
    for seat in parameters.players.seats() {
        knowledge.deal(seat, &mut dealt, chance)?;
    }
    let board = knowledge.board(&dealt.placed)?;
    let (collections, pouch) = knowledge.jewels(chance)?;
    let mut game = Game {
        parameters,
        derived: Derived::new(&parameters),
        open: CushionSet::default(),
        values: 0,
        tie_bonuses: tie_bonuses(&parameters, view.first_seat),
        screens: view.screens,
        round_index: knowledge.round_index,
        rounds_left: knowledge.rounds_left(),
        first: view.first_seat,
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

/// The cards of all seats: those that the observer knows, and the others dealt at random.
#[derive(Default)]
struct DealtCards {
    hands: BySeat<Cards>,
    /// The face-down cards.
    placed: BySeat<CardsInOrder>,
    played: BySeat<CardsInOrder>,
    decks: BySeat<CardsInOrder>,
}

/// What an observer knows: view and recall, checked against the stage and the round.
struct Knowledge<'a> {
    view: &'a View,
    parameters: Parameters,
    phase: Phase,
    round_index: u8,
    /// The finished rounds by index; `None` for a gap in the recall.
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
        let over = phase == Phase::Over;
        let finished = round_index + u8::from(over);
        let in_round = u16::from(phase == Phase::Bid) + u16::try_from(view.bids.len()).unwrap_or(u16::MAX);
        let at = u16::from(finished) * (1 + u16::from(parameters.bids())) + in_round;
        if at != view.at || over != (finished == parameters.rounds()) {
            return Err(Contradiction::Turn);
        }
        let mut knowledge = Self { view, parameters, phase, round_index, rounds: vec![None; usize::from(finished)] };
        let rounds = recall.rounds().iter().chain(&view.last_round);
        for round in rounds.filter(|round| round.winners.is_some()) {
            knowledge.remember(round)?;
        }
        // The view contains the last round, so this cannot be a gap.
        if knowledge.rounds.last().is_some_and(Option::is_none) {
            return Err(Contradiction::Turn);
        }
        Ok(knowledge)
    }

    fn remember(&mut self, round: &RoundRecord) -> Result<(), Contradiction> {
        let error = Contradiction::Round { stage: round.stage, round: round.round };
        let index = self.parameters.round_index(round.stage, round.round).ok_or(error)?;
        let slot = self.rounds.get_mut(usize::from(index)).ok_or(error)?;
        // Information that occurs twice must agree.
        if !is_possible(&self.parameters, round) || slot.is_some_and(|before| before != *round) {
            return Err(error);
        }
        *slot = Some(*round);
        if round.first_seat == self.first_seat(index) { Ok(()) } else { Err(error) }
    }

    /// Deals one seat all cards that are not visible elsewhere.
    fn deal(&self, seat: Seat, dealt: &mut DealtCards, chance: &mut impl Chance) -> Result<(), Contradiction> {
        let error = Contradiction::Cards(seat);
        let is_own = self.view.observer == Observer::Seat(seat);
        let played = self.played(seat).ok_or(error)?;
        let placed: Vec<Option<MoneyCard>> = self.placed_by(seat).collect();
        let (in_hand, in_deck) = self.counts(placed.len()).ok_or(error)?;
        let hand = if is_own { self.view.hand } else { Cards::NONE };
        let seen = &self.view.seats[seat.index()];
        // The check of the view made sure that the observer's hand has the stated number of cards.
        if seen.hand != in_hand || seen.deck != in_deck {
            return Err(error);
        }
        let mut unseen = self.parameters.full_set().without(hand).ok_or(error)?;
        for &card in played.iter().chain(&placed).flatten() {
            if !unseen.take(card) {
                return Err(error);
            }
        }
        let mut pile: CardsInOrder = unseen.iter().collect();
        shuffle(&mut pile, chance);
        let mut next = move || pile.pop().ok_or(error);
        let mut fill = |cards: &[Option<MoneyCard>]| {
            cards.iter().map(|card| card.map_or_else(&mut next, Ok)).collect::<Result<CardsInOrder, _>>()
        };
        let (played, placed) = (fill(&played)?, fill(&placed)?);
        let hand_cards = if is_own { hand.iter().collect() } else { fill(&vec![None; usize::from(in_hand)])? };
        let to_come = fill(&vec![None; usize::from(in_deck)])?;
        // Within a stage the order of the cards that have left the deck does not matter, so any order will do.
        dealt.decks[seat] = played.into_iter().chain(placed).chain(hand_cards).chain(to_come).collect();
        dealt.hands[seat] = hand_cards.into_iter().collect();
        dealt.placed[seat] = placed;
        dealt.played[seat] = played;
        Ok(())
    }

    /// The cards a seat played in finished rounds, `None` for each unknown card. `None` as a whole if the view and the
    /// memory disagree.
    fn played(&self, seat: Seat) -> Option<Vec<Option<MoneyCard>>> {
        let per_round = usize::from(self.parameters.bids_per_round);
        let remembered = self.rounds.iter().flat_map(|round| match round {
            Some(round) => round.played_by(seat).map(Some).collect::<Vec<_>>(),
            None => vec![None; per_round],
        });
        let remembered: Vec<Option<MoneyCard>> = remembered.collect();
        let Some(played) = self.view.seats[seat.index()].played else { return Some(remembered) };
        let agree = remembered.iter().zip(played).all(|(known, card)| known.is_none_or(|known| known == card));
        (agree && remembered.len() == played.len()).then(|| played.into_iter().map(Some).collect())
    }

    /// The cards a seat has placed in this round, `None` for each face-down card.
    fn placed_by(&self, seat: Seat) -> impl Iterator<Item = Option<MoneyCard>> {
        let placed = self.view.bids.into_iter().filter(move |bid| bid.seat() == seat);
        placed.map(|bid| match bid {
            PlacedBid::Own(bid) => Some(bid.card),
            PlacedBid::FaceDown(_) => None,
        })
    }

    /// The required numbers of cards in hand and deck for a seat that has placed `placed` cards in this round.
    fn counts(&self, placed: usize) -> Option<(u8, u8)> {
        let parameters = &self.parameters;
        let in_deck =
            parameters.deck().checked_sub(parameters.hand() * (self.round_index / parameters.rounds_per_stage + 1))?;
        if self.view.phase == ViewPhase::Over {
            return Some((0, in_deck));
        }
        let finished_in_stage = self.round_index % parameters.rounds_per_stage;
        let placed_in_stage = parameters.bids_per_round * finished_in_stage + u8::try_from(placed).ok()?;
        Some((parameters.hand().checked_sub(placed_in_stage)?, in_deck))
    }

    /// The board, with sampled cards for the face-down bids.
    fn board(&self, placed: &BySeat<CardsInOrder>) -> Result<Board, Contradiction> {
        let mut cards = placed.0.map(IntoIterator::into_iter);
        let mut bids = Vec::with_capacity(self.view.bids.len());
        for bid in self.view.bids {
            let (seat, cushion) = (bid.seat(), bid.cushion());
            let card = cards[seat.index()].next().expect("a card is dealt for each bid");
            bids.push(Bid { seat, card, cushion });
        }
        let leads = leads(&self.parameters, self.view.first_seat, &bids);
        let View { drawn, offer, .. } = *self.view;
        let fits = offer.is_empty() || drawn.put_back(offer.jewels()).is_some();
        if fits {
            Ok(Board { drawn, offer, placed: Placed::from_bids(&bids), leads })
        } else {
            Err(Contradiction::Jewels)
        }
    }

    /// The finished rounds. For a forgotten round the cards are made up; their cushions no longer matter.
    fn finished(&self, played: &BySeat<CardsInOrder>) -> [FinishedRound; MAX_ROUNDS] {
        let mut cards = played.0.map(IntoIterator::into_iter);
        let mut finished = [FinishedRound::default(); MAX_ROUNDS];
        for ((round, slot), index) in self.rounds.iter().zip(&mut finished).zip(0..) {
            let mut placed = Placed::default();
            let first = self.first_seat(index);
            for turn in 0..self.parameters.bids() {
                let seat = self.parameters.bidder(first, turn);
                let cushion = round.map_or_else(Cushion::default, |round| round.bids[usize::from(turn)].cushion);
                let card = cards[seat.index()].next().expect("each seat bids equally often in each round");
                placed.push(card, cushion);
            }
            let (drawn, offer) = round.map(|round| (round.drawn, round.offer.unwrap_or_default())).unwrap_or_default();
            *slot = FinishedRound::new(placed, drawn, offer);
        }
        finished
    }

    fn rounds_left(&self) -> u8 {
        let per_stage = self.parameters.rounds_per_stage;
        if self.phase == Phase::Over { 0 } else { per_stage - self.round_index % per_stage }
    }

    /// The first player of a finished round.
    fn first_seat(&self, index: u8) -> Seat {
        self.parameters.first_seat_before(self.view.first_seat, self.round_index - index)
    }

    /// Every seat's collection, and the remaining pouch.
    fn jewels(&self, chance: &mut impl Chance) -> Result<(BySeat<Collection>, Jewels), Contradiction> {
        let mut pouch = self.parameters.pouch.without(self.on_board()).ok_or(Contradiction::Jewels)?;
        let mut collections = BySeat::default();
        let (mut taken, mut taken_in_gaps) = (0, 0);
        for seen in &self.view.seats {
            let remembered =
                self.rounds.iter().flatten().fold(Jewels::NONE, |sum, round| sum.with(round.won_by(seen.seat)));
            let collection = seen.collection.unwrap_or(remembered);
            let in_gaps = collection.without(remembered).ok_or(Contradiction::Jewels)?;
            if !in_gaps.is_empty() && self.rounds.iter().all(Option::is_some) {
                return Err(Contradiction::Jewels);
            }
            taken += collection.len();
            taken_in_gaps += in_gaps.len();
            pouch = pouch.without(collection).ok_or(Contradiction::Jewels)?;
            collections[seen.seat] = collection;
        }
        // More could not have left the pouch, and then it never runs short (RULES 6.1).
        if taken as usize > self.rounds.len() * usize::from(self.parameters.cushions) {
            return Err(Contradiction::Jewels);
        }
        let mut free = self.free_in_gaps(pouch);
        for seat in self.winners_in_gaps(taken_in_gaps, chance) {
            if let Some(jewel) = free.nth(chance.below(free.len().max(1))) {
                free.take(jewel);
                pouch.take(jewel);
                collections[seat].put(jewel);
            }
        }
        Ok((collections, pouch))
    }

    /// The jewels that may have been won in forgotten rounds: the jewels in the pouch, except those that a later known
    /// draw found there. Every known draw is treated as if it came after all gaps. This excludes a few possible
    /// results, but includes no impossible one.
    fn free_in_gaps(&self, pouch: Jewels) -> Jewels {
        let mut free = pouch.counts();
        let mut won_since = Jewels::NONE;
        for round in self.rounds.iter().rev().flatten() {
            let seats = self.parameters.players.seats();
            won_since = seats.fold(won_since, |sum, seat| sum.with(round.won_by(seat)));
            for jewel in Jewel::ALL {
                // When these were drawn, all that was won since was still in the pouch.
                let count_at_draw = pouch.count(jewel) + self.on_board().count(jewel) + won_since.count(jewel);
                free.0[jewel as usize] =
                    free[jewel].min(count_at_draw.saturating_sub(round.drawn.jewels().count(jewel)));
            }
        }
        Jewels::new(free.0).unwrap_or_default()
    }

    /// The jewels that are neither in the pouch nor won.
    fn on_board(&self) -> Jewels {
        match self.phase {
            Phase::Offer => self.view.drawn.jewels(),
            Phase::Bid => self.view.offer.jewels(),
            Phase::Draw | Phase::Over => Jewels::NONE,
        }
    }

    /// The seats with hidden collections that may have won a jewel in a forgotten round, once for each.
    fn winners_in_gaps(&self, seen_in_gaps: u32, chance: &mut impl Chance) -> Vec<Seat> {
        let gaps = self.rounds.iter().filter(|round| round.is_none()).count();
        // In every round at least one jewel is won, and at most one per cushion.
        let won = (0..gaps).map(|_| 1 + chance.below(u32::from(self.parameters.cushions))).sum::<u32>();
        let hidden = self.view.seats.iter().filter(|seat| seat.collection.is_none()).map(|seat| seat.seat);
        // A seat wins at most one jewel per card played.
        let most_each = gaps * usize::from(self.parameters.bids_per_round);
        let mut winners: Vec<Seat> = hidden.flat_map(|seat| std::iter::repeat_n(seat, most_each)).collect();
        shuffle(&mut winners, chance);
        winners.truncate(won.saturating_sub(seen_in_gaps) as usize);
        winners
    }
}

/// Whether a finished round is possible.
fn is_possible(parameters: &Parameters, round: &RoundRecord) -> bool {
    let RoundRecord { stage: _, round: _, first_seat, drawn, offer, put_back, bids, winners: taken } = round;
    let (Some(offer), Some(put_back), Some(taken)) = (offer, put_back, taken) else { return false };
    let offered = offer.len() == usize::from(parameters.cushions) && drawn.put_back(offer.jewels()) == Some(*put_back);
    let face_down: ArrayVec<[FaceDownBid; 5]> = bids.iter().copied().map(Bid::face_down).collect();
    let placed = bids.len() == usize::from(parameters.bids()) && parameters.allow_bids(*first_seat, &face_down);
    let settled = || {
        let computed = winners(parameters, *first_seat, bids);
        taken.iter().eq(computed.0.iter().take(usize::from(parameters.cushions)))
    };
    offered && placed && settled()
}
