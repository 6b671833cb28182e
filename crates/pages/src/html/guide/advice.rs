//! Selects the guide's messages for the learner, independent of language. In the first rounds the messages explain the
//! course of a round, later also sets of jewels, memory and bluffing. The second stage has fewer messages, the third
//! stage only important messages.

use sultan_domain::{Collection, Cushion, Jewel, MoneyCard, Parameters, Place, Players, Seat, View, ViewPhase};

use super::events::{self, PastEvent};
use super::{Message, MessageValue, number};

/// The current messages, at most three.
pub(super) fn advice(view: &View, own_seat: Seat) -> Vec<Message> {
    if view.phase == ViewPhase::Over {
        let place = view.outcome.and_then(|outcome| outcome.places.get(own_seat.index()).copied());
        return place.map_or_else(Vec::new, final_score);
    }
    let mut messages = Vec::new();
    let is_last_stage = view.stage.0 >= view.parameters.stages;
    if !is_last_stage {
        messages.push(next_step(view, own_seat));
    }
    messages.extend(special_situation(view, own_seat).or_else(|| tip(view, own_seat)));
    // The past event is the last message, because a small screen may have no room for it.
    let past_event = result_of_last_bid(view, own_seat).filter(|event| event.is_notable || !is_last_stage);
    messages.extend(past_event.map(|event| event.message));
    if messages.is_empty() {
        messages.push(Message::plain("guide-quiet"));
    }
    messages
}

/// Returns whether the learner has bid in this round.
fn has_bid(view: &View, own_seat: Seat) -> bool {
    view.bids.iter().any(|bid| bid.seat() == own_seat)
}

/// The result of the learner's bid in the last round, shown until the learner has bid again.
fn result_of_last_bid(view: &View, own_seat: Seat) -> Option<PastEvent> {
    let round = view.last_round.as_ref().filter(|_| !has_bid(view, own_seat))?;
    events::own_bid_result(round, &view.parameters, own_seat)
}

/// The next step of the learner, or the player to wait for.
pub(super) fn next_step(view: &View, own_seat: Seat) -> Message {
    let is_first_round = view.stage.0 == 1 && view.round.0 == 1;
    let parameters = &view.parameters;
    let name = MessageValue::Player(view.to_act.unwrap_or(view.first_seat));
    match (view.phase, view.to_act == Some(own_seat)) {
        (ViewPhase::Offer, true) if is_first_round => Message::with(
            "guide-offer-first",
            [("drawn", number(parameters.draw_size())), ("count", number(parameters.cushions))],
        ),
        (ViewPhase::Offer, true) => Message::plain("guide-offer-again"),
        (ViewPhase::Offer, false) => Message::with("guide-offer-other", [("name", name)]),
        (_, true) if is_first_round => Message::plain("guide-bid-first"),
        (_, true) if is_last_bid(view) => Message::plain("guide-bid-last"),
        (_, true) => Message::plain("guide-bid-now"),
        (_, false) if has_bid(view, own_seat) => Message::plain("guide-wait-placed"),
        (_, false) => Message::with("guide-wait-before", [("name", name)]),
    }
}

/// Returns whether the next bid is the last of the round.
fn is_last_bid(view: &View) -> bool {
    view.bids.len() + 1 == usize::from(view.parameters.bids_per_round())
}

/// A special situation on the learner's turn: a jewel that any card wins, a jewel that gives a bonus, or in the last
/// round a jewel without bids or a tie.
fn special_situation(view: &View, own_seat: Seat) -> Option<Message> {
    if view.to_act != Some(own_seat) {
        return None;
    }
    let round = view.last_round.as_ref();
    let unwanted = || round.and_then(events::unwanted_jewel);
    let tie = || round.and_then(|round| events::tie_of_others(round, &view.parameters, own_seat));
    free_jewel(view).or_else(|| bonus_tip(view, own_seat)).or_else(unwanted).or_else(tie)
}

/// A message about the best jewel that even the lowest card wins: the last bid of a round wins any empty cushion.
fn free_jewel(view: &View) -> Option<Message> {
    if view.phase != ViewPhase::Bid || !is_last_bid(view) {
        return None;
    }
    let is_empty = |cushion: Cushion| view.bids.iter().all(|bid| bid.cushion() != cushion);
    let free_jewels = view.offer.on_cushions().filter(|&(cushion, _)| is_empty(cushion)).map(|(_, jewel)| jewel);
    let best = free_jewels.max_by_key(|jewel| jewel.points())?;
    Some(Message::with("guide-free", [("jewel", MessageValue::Jewel(best))]))
}

/// A message about the jewel that would raise the learner's bonus to the greatest value.
fn bonus_tip(view: &View, own_seat: Seat) -> Option<Message> {
    let collection: Collection = view.seats.get(own_seat.index())?.collection?;
    let drawn = view.drawn.iter().filter(|_| view.phase == ViewPhase::Offer);
    let available = drawn.chain(view.offer.iter());
    // The bonus and the number of jewels of this colour with one more jewel, if the bonus would rise.
    let higher_bonus = |jewel: Jewel| {
        let count = collection.count(jewel) + 1;
        let bonus = view.parameters.bonus(count);
        (bonus > view.parameters.bonus(count - 1)).then_some((bonus, jewel, count))
    };
    let (bonus, jewel, count) =
        available.filter_map(higher_bonus).max_by_key(|&(bonus, jewel, _)| (bonus, jewel.points()))?;
    let values = [("jewel", MessageValue::Jewel(jewel)), ("count", number(count)), ("bonus", number(bonus))];
    Some(Message::with("guide-set", values))
}

/// General advice about the action that is due.
fn tip(view: &View, own_seat: Seat) -> Option<Message> {
    match (view.phase, view.to_act == Some(own_seat)) {
        (ViewPhase::Offer, true) => offer_tip(view).map(Message::plain),
        (ViewPhase::Bid, true) => bid_tip(view),
        (ViewPhase::Bid, false) if view.stage.0 == 1 && has_bid(view, own_seat) => {
            Some(Message::plain("guide-wait-reveal"))
        }
        (ViewPhase::Bid | ViewPhase::Offer, false) | (ViewPhase::Over, _) => None,
    }
}

/// The key of advice about the offer, which depends on the learner's best card: strong from 4/5 of the highest value,
/// weak up to 3/5. `None` for cards between them and in the last stage.
fn offer_tip(view: &View) -> Option<&'static str> {
    if view.stage.0 == 1 && view.round.0 == 1 {
        return Some("guide-offer-why");
    }
    let best = u16::from(highest_card_in_hand(view));
    let highest = u16::from(view.parameters.highest_card);
    if view.stage.0 >= view.parameters.stages {
        None
    } else if best * 5 >= highest * 4 {
        Some("guide-offer-strong")
    } else if best * 5 <= highest * 3 {
        Some("guide-offer-weak")
    } else {
        None
    }
}

/// Advice about the bid, by stage and round. Each of the early rounds has its own.
fn bid_tip(view: &View) -> Option<Message> {
    let parameters = &view.parameters;
    let last = parameters.rounds_per_stage;
    Some(match (view.stage.0, view.round.0) {
        (1, 1) => Message::plain("guide-tip-order"),
        (1, 2) => Message::plain("guide-tip-ties"),
        (1, 3) => sets_tip(parameters),
        (1, 4) => Message::plain("guide-tip-memory"),
        (1, round) if round == last => Message::with("guide-tip-last-card", [("hand", number(parameters.hand_size()))]),
        (2, 1) => Message::plain("guide-tip-once"),
        (2, 2) => Message::plain("guide-tip-bluff"),
        (2, 3) => Message::with("guide-tip-save", [("card", number(highest_card_in_hand(view)))]),
        (3, 1) => Message::with("guide-tip-last-stage", [("rounds", number(last))]),
        _ => return None,
    })
}

/// The value of the highest card in hand, or 0 without cards.
fn highest_card_in_hand(view: &View) -> u8 {
    view.hand.iter().last().map_or(0, MoneyCard::value)
}

/// A message about the smallest and the greatest bonus for jewels of one colour.
fn sets_tip(parameters: &Parameters) -> Message {
    let (smallest, greatest) = (parameters.bonus.first(), parameters.bonus.last());
    let values = [
        ("count", number(smallest.count)),
        ("bonus", number(smallest.points)),
        ("most", number(greatest.count)),
        ("top", number(greatest.points)),
    ];
    Message::with("guide-tip-sets", values)
}

/// The learner's score at the end, the rank, and a note about games with more players.
fn final_score(place: Place) -> Vec<Message> {
    let values =
        [("jewels", number(place.jewel_points)), ("bonus", number(place.bonus)), ("points", number(place.points))];
    let rank = if place.rank == 1 {
        Message::plain("guide-over-won")
    } else {
        Message::with("guide-over-rank", [("rank", number(place.rank))])
    };
    let largest_game = Parameters::of(Players::FIVE);
    let next_values = [("players", number(largest_game.players.count())), ("count", number(largest_game.cushions))];
    vec![Message::with("guide-over-count", values), rank, Message::with("guide-over-next", next_values)]
}
