//! The parts of a table that changed between two views of one observer, so that a live page gets only these.
//!
//! A part is rendered only if its input changed. The input is everything in the view that the part shows. Names, colours
//! and options of the table rarely change; after such a change the whole table is rendered. Tests play games and compare
//! the patched parts with newly rendered ones.

use maud::Markup;
use sultan_domain::{Collection, Cushion, Jewel, PlacedBid, Seat, ViewPhase};

use super::{PageContext, Sections, board, clock, last_round, menu, own, screen_back, seats, status};
use crate::html::guide::guide;

/// The ids of the parts for each seat and cushion.
const SEATS: [&str; 5] = ["seat-0", "seat-1", "seat-2", "seat-3", "seat-4"];
const CARDS: [&str; 5] = ["cards-0", "cards-1", "cards-2", "cards-3", "cards-4"];
const CUSHIONS: [&str; 3] = ["cushion-1", "cushion-2", "cushion-3"];

/// The parts that changed, by their ids. A part may be inside of another part, but never follows it.
pub(crate) fn changed_parts<'a>(before: PageContext<'a>, now: PageContext<'a>) -> Vec<(&'static str, String)> {
    if !same_table(before, now) {
        return Sections::of(now).0;
    }
    let mut changes = Changes { before, now, parts: Vec::new() };
    changes.part("clock", |it| (it.view().stage, it.view().round), clock);
    for seat in seats::others(now) {
        changes.seat(seat);
    }
    changes.board();
    changes.part("status", status_input, status::status);
    changes.own();
    changes.part("last-round", |it| (it.view().last_round, it.view().phase == ViewPhase::Over), last_round::last_round);
    changes.part("so-far", collections, screen_back::so_far);
    changes.part("host-controls", menu::waited_for, menu::host);
    changes.guide();
    changes.parts
}

/// Returns whether everything is the same that does not change with an action.
fn same_table(before: PageContext<'_>, now: PageContext<'_>) -> bool {
    let (old, new) = (before.playing, now.playing);
    old.people == new.people
        && old.info == new.info
        && (old.replayed, old.view.observer) == (new.replayed, new.view.observer)
}

struct Changes<'a> {
    before: PageContext<'a>,
    now: PageContext<'a>,
    parts: Vec<(&'static str, String)>,
}

impl<'a> Changes<'a> {
    /// Renders a part if its input changed.
    fn part<T: PartialEq>(
        &mut self,
        id: &'static str,
        input: impl Fn(PageContext<'a>) -> T,
        render: impl FnOnce(PageContext<'a>) -> Markup,
    ) {
        if input(self.before) != input(self.now) {
            self.parts.push((id, render(self.now).into_string()));
        }
    }

    /// The script marks the seat that is to act.
    fn seat(&mut self, seat: Seat) {
        let parts = self.parts.len();
        self.part(SEATS[seat.index()], |it| seat_input(it, seat), |it| seats::seat_of(it, it.seat(seat)));
        if self.parts.len() == parts {
            let input = |it: PageContext<'a>| (it.seat(seat).hand, it.seat(seat).deck);
            self.part(CARDS[seat.index()], input, |it| seats::cards(it, it.seat(seat)));
        }
    }

    fn board(&mut self) {
        // The drawn jewels come and go, so the whole board is one part while they are there.
        if [self.before, self.now].iter().any(|it| it.view().phase == ViewPhase::Offer) {
            let input = |it: PageContext<'a>| (it.view().phase, it.view().drawn, it.view().round, it.is_turn());
            return self.part("board", input, board::board);
        }
        self.part("pouch-place", |it| it.view().put_back(), board::pouch);
        for cushion in Cushion::first(self.now.view().parameters.cushions) {
            let id = CUSHIONS[cushion.index()];
            self.part(id, |it| cushion_input(it, cushion), |it| board::cushion_of(it, cushion));
        }
    }

    fn own(&mut self) {
        let Some(own) = self.now.own() else { return };
        self.part("own-hand", |it| (it.view().hand, own::can_bid(it)), own::hand);
        if !self.now.is_away() {
            let is_waiting = |it: PageContext<'_>| !it.is_turn();
            if is_waiting(self.before) && is_waiting(self.now) {
                self.part("own-wait", wait_input, own::waiting);
            } else {
                self.part("own-step", |it| (it.is_turn(), it.view().phase), own::step);
            }
        }
        let treasure = |it: PageContext<'a>| (it.seat(own).collection, it.seat(own).deck, it.view().first_seat == own);
        self.part("own-treasure", treasure, |it| own::treasure(it, own));
    }

    /// The guide depends on the whole view, and only one player follows it.
    fn guide(&mut self) {
        let (before, now) = (guide(self.before), guide(self.now));
        if before != now {
            self.parts.extend(now);
        }
    }
}

fn seat_input(context: PageContext<'_>, seat: Seat) -> (Option<Collection>, [bool; 2], Option<&str>) {
    let marks = [context.view().first_seat == seat, context.playing.absent.has(seat)];
    (context.seat(seat).collection, marks, context.playing.deadline_of(seat))
}

fn wait_input(context: PageContext<'_>) -> (ViewPhase, Option<Seat>, usize) {
    let view = context.view();
    match view.phase {
        ViewPhase::Bid => (ViewPhase::Bid, None, view.bids.len()),
        phase => (phase, view.to_act, 0),
    }
}

fn collections(context: PageContext<'_>) -> Vec<Option<Collection>> {
    context.view().seats.iter().map(|seat| seat.collection).collect()
}

type CushionInput = (Option<Jewel>, [Option<PlacedBid>; 5], [bool; 2]);

fn cushion_input(context: PageContext<'_>, cushion: Cushion) -> CushionInput {
    let mut bids = [None; 5];
    for (place, &bid) in context.view().bids.iter().enumerate().filter(|(_, bid)| bid.cushion() == cushion) {
        bids[place] = Some(bid);
    }
    let marks = [own::can_bid(context), board::has_own(context, cushion)];
    (context.view().offer.on(cushion), bids, marks)
}

fn status_input(context: PageContext<'_>) -> (ViewPhase, bool, Option<Seat>, usize, Option<&str>) {
    let view = context.view();
    let own = context.own();
    let placed = view.bids.iter().filter(|bid| context.is_turn() && Some(bid.seat()) == own).count();
    (view.phase, context.is_turn(), view.to_act, placed, own.and_then(|own| context.playing.deadline_of(own)))
}

#[cfg(test)]
mod tests;
