//! Selects the guide's messages, independent of language: first the mechanics, then sets, memory and bluffing. Their
//! number decreases in the second stage, and in the third only the important ones are left.

use sultan_domain::{Collection, Cushion, Jewel, MoneyCard, Parameters, Place, Players, Seat, View, ViewPhase};

use super::events::{self, Happened};
use super::{Fact, Say};

/// The current messages, at most three.
pub(super) fn advice(view: &View, own: Seat) -> Vec<Say> {
    if view.phase == ViewPhase::Over {
        return view
            .outcome
            .and_then(|outcome| outcome.places.get(own.index()).copied())
            .map_or_else(Vec::new, counted);
    }
    let happened = happened(view, own);
    let special = special(view, own);
    let mut lines = Vec::new();
    let late = view.stage.0 >= view.parameters.stages;
    if !late {
        lines.push(now(view, own));
    }
    lines.extend(special.or_else(|| tip(view, own)));
    // Past events are last: a small screen may have no room for them.
    lines.extend(happened.filter(|happened| happened.notable || !late).map(|happened| happened.say));
    if lines.is_empty() {
        lines.push(Say::plain("guide-quiet"));
    }
    lines
}

/// Returns whether the learner has bid in this round.
fn has_bid(view: &View, own: Seat) -> bool {
    view.bids.iter().any(|bid| bid.seat() == own)
}

/// The result of the learner's bid in the last round, shown until the learner has bid again.
fn happened(view: &View, own: Seat) -> Option<Happened> {
    let round = view.last_round.as_ref().filter(|_| !has_bid(view, own))?;
    events::own_bid(round, &view.parameters, own)
}

/// The next step of the learner, or the player to wait for.
pub(super) fn now(view: &View, own: Seat) -> Say {
    let first = view.stage.0 == 1 && view.round.0 == 1;
    let parameters = &view.parameters;
    let name = Fact::Player(view.to_act.unwrap_or(view.first_seat));
    match (view.phase, view.to_act == Some(own)) {
        (ViewPhase::Offer, true) if first => Say::with(
            "guide-offer-first",
            [("drawn", Fact::Number(parameters.draw().into())), ("count", Fact::Number(parameters.cushions.into()))],
        ),
        (ViewPhase::Offer, true) => Say::plain("guide-offer-again"),
        (ViewPhase::Offer, false) => Say::with("guide-offer-other", [("name", name)]),
        (_, true) if first => Say::plain("guide-bid-first"),
        (_, true) if is_last(view) => Say::plain("guide-bid-last"),
        (_, true) => Say::plain("guide-bid-now"),
        (_, false) if has_bid(view, own) => Say::plain("guide-wait-placed"),
        (_, false) => Say::with("guide-wait-before", [("name", name)]),
    }
}

/// Returns whether the next bid is the last of the round.
fn is_last(view: &View) -> bool {
    view.bids.len() + 1 == usize::from(view.parameters.bids())
}

/// A special situation on the learner's turn: a free jewel, a bonus, an unwanted jewel, a tie.
fn special(view: &View, own: Seat) -> Option<Say> {
    if view.to_act != Some(own) {
        return None;
    }
    let round = view.last_round.as_ref();
    let free = || free_jewel(view).map(|jewel| Say::with("guide-free", [("jewel", Fact::Jewel(jewel))]));
    let unwanted = || round.and_then(events::unwanted);
    let tie = || round.and_then(|round| events::tie_of_others(round, &view.parameters, own));
    free().or_else(|| set(view, own)).or_else(unwanted).or_else(tie)
}

/// The best jewel that even the lowest card wins: before the last bid, an empty cushion is visible.
fn free_jewel(view: &View) -> Option<Jewel> {
    let empty = |cushion: Cushion| view.bids.iter().all(|bid| bid.cushion() != cushion);
    let bidding = view.phase == ViewPhase::Bid && is_last(view);
    let free = view.offer.on_cushions().filter(|&(cushion, _)| bidding && empty(cushion)).map(|(_, jewel)| jewel);
    free.max_by_key(|jewel| jewel.points())
}

/// The available jewel that gives the learner the greatest bonus.
fn set(view: &View, own: Seat) -> Option<Say> {
    let collection: Collection = view.seats.get(own.index())?.collection?;
    let drawn = view.drawn.iter().filter(|_| view.phase == ViewPhase::Offer);
    let reach = drawn.chain(view.offer.iter());
    let gains = |jewel: Jewel| {
        let count = collection.count(jewel) + 1;
        (view.parameters.bonus(count) > view.parameters.bonus(count - 1)).then_some((
            view.parameters.bonus(count),
            jewel,
            count,
        ))
    };
    let (bonus, jewel, count) = reach.filter_map(gains).max_by_key(|&(bonus, jewel, _)| (bonus, jewel.points()))?;
    let facts = [("jewel", Fact::Jewel(jewel)), ("count", Fact::Number(count.into())), ("bonus", Fact::Number(bonus))];
    Some(Say::with("guide-set", facts))
}

/// General advice for the progress of the game.
fn tip(view: &View, own: Seat) -> Option<Say> {
    let clock = (view.stage.0, view.round.0);
    match (view.phase, view.to_act == Some(own)) {
        (ViewPhase::Offer, true) => offer_tip(view),
        (ViewPhase::Bid, true) => bid_tip(view),
        (ViewPhase::Bid, false) if clock.0 == 1 && has_bid(view, own) => Some(Say::plain("guide-wait-reveal")),
        (ViewPhase::Bid | ViewPhase::Offer, false) | (ViewPhase::Over, _) => None,
    }
}

fn offer_tip(view: &View) -> Option<Say> {
    if view.stage.0 == 1 && view.round.0 == 1 {
        return Some(Say::plain("guide-offer-why"));
    }
    let best = u16::from(view.hand.iter().last().map_or(0, MoneyCard::value));
    let highest = u16::from(view.parameters.highest_card);
    if view.stage.0 >= view.parameters.stages {
        return None;
    }
    if best * 5 >= highest * 4 {
        return Some(Say::plain("guide-offer-strong"));
    }
    (best * 5 <= highest * 3).then(|| Say::plain("guide-offer-weak"))
}

fn bid_tip(view: &View) -> Option<Say> {
    let parameters = &view.parameters;
    let last = parameters.rounds_per_stage;
    Some(match (view.stage.0, view.round.0) {
        (1, 1) => Say::plain("guide-tip-order"),
        (1, 2) => Say::plain("guide-tip-ties"),
        (1, 3) => sets(parameters),
        (1, 4) => Say::plain("guide-tip-memory"),
        (1, round) if round == last => {
            Say::with("guide-tip-last-card", [("hand", Fact::Number(parameters.hand().into()))])
        }
        (2, 1) => Say::plain("guide-tip-once"),
        (2, 2) => Say::plain("guide-tip-bluff"),
        (2, 3) => Say::with("guide-tip-save", [("card", Fact::Number(strongest(view).into()))]),
        (3, 1) => Say::with("guide-tip-last-stage", [("rounds", Fact::Number(last.into()))]),
        _ => return None,
    })
}

fn strongest(view: &View) -> u8 {
    view.hand.iter().last().map_or(0, MoneyCard::value)
}

fn sets(parameters: &Parameters) -> Say {
    let (first, most) = (parameters.bonus.first(), parameters.bonus.last());
    let facts = [
        ("count", Fact::Number(first.count.into())),
        ("bonus", Fact::Number(first.points.into())),
        ("most", Fact::Number(most.count.into())),
        ("top", Fact::Number(most.points.into())),
    ];
    Say::with("guide-tip-sets", facts)
}

/// The learner's score at the end.
fn counted(place: Place) -> Vec<Say> {
    let facts = [
        ("jewels", Fact::Number(place.jewel_points)),
        ("bonus", Fact::Number(place.bonus)),
        ("points", Fact::Number(place.points)),
    ];
    let rank = if place.rank == 1 {
        Say::plain("guide-over-won")
    } else {
        Say::with("guide-over-rank", [("rank", Fact::Number(place.rank.into()))])
    };
    let all = Parameters::of(Players::ALL[Players::ALL.len() - 1]);
    let next = [("players", Fact::Number(all.players.count().into())), ("count", Fact::Number(all.cushions.into()))];
    vec![Say::with("guide-over-count", facts), rank, Say::with("guide-over-next", next)]
}
