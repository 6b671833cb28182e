//! What happened, in sentences: for those who listen, and for those who look away.
//!
//! Told from what one observer saw before and sees now, and from nothing else.

use sultan_domain::{Bid, Kind, PlacedBid, RoundRecord, View, ViewPhase};

use super::table::{PageContext, how_to_bid, put_back, settled_in_words, winners};

/// What happened between two looks at a table, in order.
pub(crate) fn tell(before: PageContext<'_>, now: PageContext<'_>) -> Vec<String> {
    let mut said = Vec::new();
    people(before, now, &mut said);
    if before.view().at != now.view().at {
        played(before, now, &mut said);
    }
    if now.playing.info.ended && !before.playing.info.ended {
        said.push(now.text.say("table-ended"));
    }
    if now.is_turn() && (!before.is_turn() || before.view().at != now.view().at) {
        said.push(turn(now));
    }
    said
}

/// Who left or has gone, and who came back.
fn people(before: PageContext<'_>, now: PageContext<'_>, said: &mut Vec<String>) {
    let text = now.text;
    for seat in now.view().parameters.players.seats() {
        let [was_gone, is_gone] = [before, now].map(|look| look.playing.absent.has(seat));
        let same_kind = before.person(seat).kind == now.person(seat).kind;
        if Some(seat) == now.own() || same_kind && was_gone == is_gone {
            continue;
        }
        let who = now.name(seat);
        let name = [("name", (&who).into())];
        match now.person(seat).kind {
            Kind::StandIn(_) if !same_kind => said.push(text.with("tell-stands-in", &name)),
            Kind::Human if is_gone => said.push(text.with("tell-is-gone", &name)),
            Kind::Human => said.push(text.with("tell-is-back", &name)),
            Kind::StandIn(_) | Kind::Bot(_) | Kind::Open => {}
        }
    }
}

/// Stage and round, to tell rounds apart.
fn clock(view: &View) -> (u8, u8) {
    (view.stage.0, view.round.0)
}

fn played(before: PageContext<'_>, now: PageContext<'_>, said: &mut Vec<String>) {
    let (old, new) = (before.view(), now.view());
    let same_round = clock(old) == clock(new) && new.phase != ViewPhase::Over;
    if same_round {
        if old.phase == ViewPhase::Offer {
            offered(now, said);
        }
        bids(now, old.bids.len(), said);
        return;
    }
    if let Some(round) = &new.last_round {
        let seen = ((round.stage.0, round.round.0) == clock(old)).then_some(old);
        finished(now, round, seen, said);
    }
    if let Some(outcome) = &new.outcome {
        said.push(now.text.say("table-title-over"));
        said.push(winners(now, outcome));
        return;
    }
    new_round(now, said);
    offered(now, said);
    bids(now, 0, said);
}

/// The round that is over; `seen` is what was known of it, where nothing else came between.
fn finished(now: PageContext<'_>, round: &RoundRecord, seen: Option<&View>, said: &mut Vec<String>) {
    let text = now.text;
    if let Some(seen) = seen {
        for bid in round.bids.iter().skip(seen.bids.len()) {
            said.push(face_down(now, *bid));
        }
    }
    said.push(text.say("tell-turned-up"));
    said.extend(settled_in_words(now, round));
}

fn new_round(now: PageContext<'_>, said: &mut Vec<String>) {
    let text = now.text;
    let view = now.view();
    let values = [("stage", view.stage.0.into()), ("round", view.round.0.into())];
    said.push(text.with(if view.round.0 == 1 { "tell-new-stage" } else { "tell-new-round" }, &values));
    let drawn: Vec<String> = view.drawn.iter().map(|jewel| text.jewel(jewel)).collect();
    let jewels = drawn.join(", ");
    let jewels = ("jewels", (&jewels).into());
    said.push(if now.own() == Some(view.first_seat) {
        text.with("tell-you-draw", &[jewels])
    } else {
        let who = now.name(view.first_seat);
        text.with("tell-draws", &[("name", (&who).into()), jewels])
    });
}

/// Which jewel lies on which cushion, once they lie there.
fn offered(now: PageContext<'_>, said: &mut Vec<String>) {
    let text = now.text;
    for one in &now.view().cushions {
        let jewel = text.the_jewel(one.jewel);
        let values = [("number", one.cushion.number().into()), ("jewel", (&jewel).into())];
        said.push(text.with("table-cushion", &values));
    }
    if let Some(back) = put_back(now) {
        let jewel = text.the_jewel(back);
        said.push(text.with("tell-back", &[("jewel", (&jewel).into())]));
    }
}

fn bids(now: PageContext<'_>, from: usize, said: &mut Vec<String>) {
    for bid in now.view().bids.iter().skip(from) {
        said.push(match *bid {
            PlacedBid::Own(own) => face_down(now, own),
            PlacedBid::FaceDown(bid) => {
                let who = now.name(bid.seat);
                now.text.with("tell-bid", &[("name", (&who).into()), ("cushion", bid.cushion.number().into())])
            }
        });
    }
}

/// A bid as it was placed: only the own card is named.
fn face_down(now: PageContext<'_>, bid: Bid) -> String {
    let cushion = ("cushion", bid.cushion.number().into());
    if now.own() == Some(bid.seat) {
        return now.text.with("tell-own-bid", &[cushion, ("card", bid.card.value().into())]);
    }
    let who = now.name(bid.seat);
    now.text.with("tell-bid", &[("name", (&who).into()), cushion])
}

fn turn(now: PageContext<'_>) -> String {
    let text = now.text;
    let (call, how) = match now.view().phase {
        ViewPhase::Offer => (text.say("table-you-open"), text.say("table-you-open-how")),
        ViewPhase::Bid | ViewPhase::Over => (text.say("table-your-turn"), how_to_bid(now)),
    };
    format!("{call} {how}")
}

#[cfg(test)]
mod tests;
