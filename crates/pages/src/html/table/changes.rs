//! The sections of a table that changed between two views of one observer, so that a live page gets only these.
//!
//! They are smaller than those of [`sections`], for example one seat or one cushion. A section is rendered only if its
//! input changed: everything in the view that it shows. Names, colours and options of the table rarely change; after
//! such a change the whole table is rendered. Tests play games and compare the patched page with a new one.

use maud::Markup;
use sultan_domain::{Collection, Cushion, Jewel, PlacedBid, Seat, ViewPhase};

use super::{PageContext, board, last_round, menu, own, screen_back, seats, sections, stage_and_round, status};
use crate::html::guide::guide;
use crate::html::section::Section;

/// The ids of the sections for each seat and cushion.
const SEATS: [&str; 5] = ["seat-0", "seat-1", "seat-2", "seat-3", "seat-4"];
const CARDS: [&str; 5] = ["cards-0", "cards-1", "cards-2", "cards-3", "cards-4"];
const CUSHIONS: [&str; 3] = ["cushion-1", "cushion-2", "cushion-3"];

/// The sections that changed. No section is inside of another one.
pub(crate) fn changed_sections<'a>(before: PageContext<'a>, now: PageContext<'a>) -> Vec<Section> {
    if !same_table(before, now) {
        return sections(now);
    }
    let mut changes = Changes { before, now, sections: Vec::new() };
    changes.section("clock", |context| (context.view().stage, context.view().round), stage_and_round);
    for seat in seats::other_seats(now) {
        changes.seat(seat);
    }
    changes.board();
    changes.section("status", status_input, status::status);
    changes.own();
    changes.section(
        "last-round",
        |context| (context.view().last_round, context.view().phase == ViewPhase::Over),
        last_round::last_round,
    );
    changes.section("so-far", collections, screen_back::visible_points);
    changes.section("host-controls", menu::replaceable_seat, menu::host_controls);
    changes.guide();
    changes.sections
}

/// The section with the cards of the last finished round, if the page did not show it yet.
pub(crate) fn finished_round(before: Option<PageContext<'_>>, now: PageContext<'_>) -> Option<Section> {
    let is_new = before.is_none_or(|before| before.view().last_round != now.view().last_round);
    is_new.then(|| Section::new("last-round", last_round::last_round(now)))
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
    sections: Vec<Section>,
}

impl<'a> Changes<'a> {
    /// Renders a section if its input changed.
    fn section<T: PartialEq>(
        &mut self,
        id: &'static str,
        input: impl Fn(PageContext<'a>) -> T,
        render: impl FnOnce(PageContext<'a>) -> Markup,
    ) {
        if input(self.before) != input(self.now) {
            self.sections.push(Section::new(id, render(self.now)));
        }
    }

    /// The script marks the seat that is to act.
    fn seat(&mut self, seat: Seat) {
        let count = self.sections.len();
        self.section(
            SEATS[seat.index()],
            |context| seat_input(context, seat),
            |context| seats::seat_card(context, context.seat_view(seat)),
        );
        if self.sections.len() == count {
            let input = |context: PageContext<'a>| (context.seat_view(seat).hand, context.seat_view(seat).deck);
            self.section(CARDS[seat.index()], input, |context| seats::cards(context, context.seat_view(seat)));
        }
    }

    fn board(&mut self) {
        // The drawn jewels come and go, so the whole board is one section while they are there.
        if [self.before, self.now].iter().any(|context| context.view().phase == ViewPhase::Offer) {
            let input = |context: PageContext<'a>| {
                (context.view().phase, context.view().drawn, context.view().round, context.is_turn())
            };
            return self.section("board", input, board::board);
        }
        self.section("pouch-place", |context| context.view().put_back(), board::pouch);
        for cushion in Cushion::first(self.now.view().parameters.cushions) {
            let id = CUSHIONS[cushion.index()];
            self.section(
                id,
                |context| cushion_input(context, cushion),
                |context| board::cushion_with_bids(context, cushion),
            );
        }
    }

    fn own(&mut self) {
        let Some(own) = self.now.own_seat() else { return };
        self.section("own-hand", |context| (context.view().hand, own::can_bid(context)), own::hand);
        if !self.now.is_away() {
            let is_waiting = |context: PageContext<'_>| !context.is_turn();
            if is_waiting(self.before) && is_waiting(self.now) {
                self.section("own-wait", wait_input, own::waiting_reason);
            } else {
                self.section("own-step", |context| (context.is_turn(), context.view().phase), own::step);
            }
        }
        let treasure = |context: PageContext<'a>| {
            (context.seat_view(own).collection, context.seat_view(own).deck, context.view().first_seat == own)
        };
        self.section("own-treasure", treasure, |context| own::treasure(context, own));
    }

    /// The guide depends on the whole view, and only one player follows context.
    fn guide(&mut self) {
        let (before, now) = (guide(self.before), guide(self.now));
        if before != now {
            self.sections.extend(now);
        }
    }
}

fn seat_input(context: PageContext<'_>, seat: Seat) -> (Option<Collection>, [bool; 2], Option<&str>) {
    let marks = [context.view().first_seat == seat, context.playing.absent.has(seat)];
    (context.seat_view(seat).collection, marks, context.playing.deadline_of(seat))
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
    for (index, &bid) in context.view().bids.iter().enumerate().filter(|(_, bid)| bid.cushion() == cushion) {
        bids[index] = Some(bid);
    }
    let marks = [own::can_bid(context), board::has_own_bid(context, cushion)];
    (context.view().offer.jewel_on(cushion), bids, marks)
}

/// With the round, because the script uses the status line for the cards of a finished round.
fn status_input(context: PageContext<'_>) -> ([u8; 2], ViewPhase, bool, Option<Seat>, usize, Option<&str>) {
    let view = context.view();
    let own = context.own_seat();
    let placed = view.bids.iter().filter(|bid| context.is_turn() && Some(bid.seat()) == own).count();
    let round = [view.stage.0, view.round.0];
    (round, view.phase, context.is_turn(), view.to_act, placed, own.and_then(|own| context.playing.deadline_of(own)))
}

#[cfg(test)]
mod tests;
