//! Selects the guide's messages, independent of language: first the mechanics, then sets, memory and bluffing. Their
//! number decreases in the second stage, and in the third only the important ones are left.

use sultan_domain::{Collection, Cushion, Jewel, MoneyCard, Parameters, Place, Players, Seat, View, ViewPhase};

use super::events::{self, PastEvent};
use super::{Message, MessageValue, number};

/// The current messages, at most three.
pub(super) fn advice(view: &View, own: Seat) -> Vec<Message> {
    if view.phase == ViewPhase::Over {
        return view
            .outcome
            .and_then(|outcome| outcome.places.get(own.index()).copied())
            .map_or_else(Vec::new, final_score);
    }
    let past = own_last_bid(view, own);
    let special = special_situation(view, own);
    let mut lines = Vec::new();
    let is_last_stage = view.stage.0 >= view.parameters.stages;
    if !is_last_stage {
        lines.push(next_step(view, own));
    }
    lines.extend(special.or_else(|| tip(view, own)));
    // Past events are last: a small screen may have no room for them.
    lines.extend(past.filter(|event| event.notable || !is_last_stage).map(|event| event.message));
    if lines.is_empty() {
        lines.push(Message::plain("guide-quiet"));
    }
    lines
}

/// Returns whether the learner has bid in this round.
fn has_bid(view: &View, own: Seat) -> bool {
    view.bids.iter().any(|bid| bid.seat() == own)
}

/// The result of the learner's bid in the last round, shown until the learner has bid again.
fn own_last_bid(view: &View, own: Seat) -> Option<PastEvent> {
    let round = view.last_round.as_ref().filter(|_| !has_bid(view, own))?;
    events::own_bid_result(round, &view.parameters, own)
}

/// The next step of the learner, or the player to wait for.
pub(super) fn next_step(view: &View, own: Seat) -> Message {
    let is_first_round = view.stage.0 == 1 && view.round.0 == 1;
    let parameters = &view.parameters;
    let name = MessageValue::Player(view.to_act.unwrap_or(view.first_seat));
    match (view.phase, view.to_act == Some(own)) {
        (ViewPhase::Offer, true) if is_first_round => Message::with(
            "guide-offer-first",
            [("drawn", number(parameters.draw())), ("count", number(parameters.cushions))],
        ),
        (ViewPhase::Offer, true) => Message::plain("guide-offer-again"),
        (ViewPhase::Offer, false) => Message::with("guide-offer-other", [("name", name)]),
        (_, true) if is_first_round => Message::plain("guide-bid-first"),
        (_, true) if is_last_bid(view) => Message::plain("guide-bid-last"),
        (_, true) => Message::plain("guide-bid-now"),
        (_, false) if has_bid(view, own) => Message::plain("guide-wait-placed"),
        (_, false) => Message::with("guide-wait-before", [("name", name)]),
    }
}

/// Returns whether the next bid is the last of the round.
fn is_last_bid(view: &View) -> bool {
    view.bids.len() + 1 == usize::from(view.parameters.bids())
}

/// A special situation on the learner's turn: a free jewel, a bonus, an unwanted jewel, a tie.
fn special_situation(view: &View, own: Seat) -> Option<Message> {
    if view.to_act != Some(own) {
        return None;
    }
    let round = view.last_round.as_ref();
    let free = || free_jewel(view).map(|jewel| Message::with("guide-free", [("jewel", MessageValue::Jewel(jewel))]));
    let unwanted = || round.and_then(events::unwanted_jewel);
    let tie = || round.and_then(|round| events::tie_of_others(round, &view.parameters, own));
    free().or_else(|| bonus_tip(view, own)).or_else(unwanted).or_else(tie)
}

/// The best jewel that even the lowest card wins: before the last bid, an empty cushion is visible.
fn free_jewel(view: &View) -> Option<Jewel> {
    let is_empty = |cushion: Cushion| view.bids.iter().all(|bid| bid.cushion() != cushion);
    let is_last_bid_due = view.phase == ViewPhase::Bid && is_last_bid(view);
    let free =
        view.offer.on_cushions().filter(|&(cushion, _)| is_last_bid_due && is_empty(cushion)).map(|(_, jewel)| jewel);
    free.max_by_key(|jewel| jewel.points())
}

/// The available jewel that gives the learner the greatest bonus.
fn bonus_tip(view: &View, own: Seat) -> Option<Message> {
    let collection: Collection = view.seats.get(own.index())?.collection?;
    let drawn = view.drawn.iter().filter(|_| view.phase == ViewPhase::Offer);
    let available = drawn.chain(view.offer.iter());
    let gains = |jewel: Jewel| {
        let count = collection.count(jewel) + 1;
        let bonus = view.parameters.bonus(count);
        (bonus > view.parameters.bonus(count - 1)).then_some((bonus, jewel, count))
    };
    let (bonus, jewel, count) = available.filter_map(gains).max_by_key(|&(bonus, jewel, _)| (bonus, jewel.points()))?;
    let values = [("jewel", MessageValue::Jewel(jewel)), ("count", number(count)), ("bonus", number(bonus))];
    Some(Message::with("guide-set", values))
}

/// General advice for the progress of the game.
fn tip(view: &View, own: Seat) -> Option<Message> {
    match (view.phase, view.to_act == Some(own)) {
        (ViewPhase::Offer, true) => offer_tip(view),
        (ViewPhase::Bid, true) => bid_tip(view),
        (ViewPhase::Bid, false) if view.stage.0 == 1 && has_bid(view, own) => Some(Message::plain("guide-wait-reveal")),
        (ViewPhase::Bid | ViewPhase::Offer, false) | (ViewPhase::Over, _) => None,
    }
}

fn offer_tip(view: &View) -> Option<Message> {
    if view.stage.0 == 1 && view.round.0 == 1 {
        return Some(Message::plain("guide-offer-why"));
    }
    let best = u16::from(highest_card_in_hand(view));
    let highest = u16::from(view.parameters.highest_card);
    if view.stage.0 >= view.parameters.stages {
        return None;
    }
    if best * 5 >= highest * 4 {
        return Some(Message::plain("guide-offer-strong"));
    }
    (best * 5 <= highest * 3).then(|| Message::plain("guide-offer-weak"))
}

fn bid_tip(view: &View) -> Option<Message> {
    let parameters = &view.parameters;
    let last = parameters.rounds_per_stage;
    Some(match (view.stage.0, view.round.0) {
        (1, 1) => Message::plain("guide-tip-order"),
        (1, 2) => Message::plain("guide-tip-ties"),
        (1, 3) => sets_tip(parameters),
        (1, 4) => Message::plain("guide-tip-memory"),
        (1, round) if round == last => Message::with("guide-tip-last-card", [("hand", number(parameters.hand()))]),
        (2, 1) => Message::plain("guide-tip-once"),
        (2, 2) => Message::plain("guide-tip-bluff"),
        (2, 3) => Message::with("guide-tip-save", [("card", number(highest_card_in_hand(view)))]),
        (3, 1) => Message::with("guide-tip-last-stage", [("rounds", number(last))]),
        _ => return None,
    })
}

fn highest_card_in_hand(view: &View) -> u8 {
    view.hand.iter().last().map_or(0, MoneyCard::value)
}

fn sets_tip(parameters: &Parameters) -> Message {
    let (first, last) = (parameters.bonus.first(), parameters.bonus.last());
    let values = [
        ("count", number(first.count)),
        ("bonus", number(first.points)),
        ("most", number(last.count)),
        ("top", number(last.points)),
    ];
    Message::with("guide-tip-sets", values)
}

/// The learner's score at the end.
fn final_score(place: Place) -> Vec<Message> {
    let values =
        [("jewels", number(place.jewel_points)), ("bonus", number(place.bonus)), ("points", number(place.points))];
    let rank = if place.rank == 1 {
        Message::plain("guide-over-won")
    } else {
        Message::with("guide-over-rank", [("rank", number(place.rank))])
    };
    let largest_game = Parameters::of(Players::ALL[Players::ALL.len() - 1]);
    let next = [("players", number(largest_game.players.count())), ("count", number(largest_game.cushions))];
    vec![Message::with("guide-over-count", values), rank, Message::with("guide-over-next", next)]
}
