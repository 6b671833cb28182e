//! The sections of a table that changed between two views of one observer, so that a live page gets only these.
//!
//! The sections are smaller than those of [`sections`], for example one seat or one cushion. A section is rendered only
//! if its input (everything in the view that it shows) changed. Names, colours and options of the table rarely change;
//! after such a change the whole table is rendered. A test plays games and compares the updated page with a new page.

use maud::Markup;
use sultan_domain::{Collection, Cushion, Jewel, PlacedBid, Seat, ViewPhase};

use super::{PageContext, board, last_round, menu, own, screen_back, seats, sections, stage_and_round, status};
use crate::html::guide::guide;
use crate::html::section::Section;

/// The ids of the sections of each seat.
const SEAT_IDS: [&str; 5] = ["seat-0", "seat-1", "seat-2", "seat-3", "seat-4"];
/// The ids of the sections of each seat's cards.
const CARDS_IDS: [&str; 5] = ["cards-0", "cards-1", "cards-2", "cards-3", "cards-4"];
/// The ids of the sections of each cushion.
const CUSHION_IDS: [&str; 3] = ["cushion-1", "cushion-2", "cushion-3"];

/// The sections that changed. None of them is inside of another.
pub(crate) fn changed_sections<'a>(before: PageContext<'a>, now: PageContext<'a>) -> Vec<Section> {
    if !same_table(before, now) {
        return sections(now);
    }
    let mut changes = Changes { before, now, sections: Vec::new() };
    changes.add_changed("clock", clock_input, stage_and_round);
    for seat in seats::other_seats(now) {
        changes.add_seat(seat);
    }
    changes.add_board();
    changes.add_changed("status", status_input, status::status);
    changes.add_own_area();
    // The title of the section depends on whether the game is over.
    let last_round_input =
        |context: PageContext<'a>| (context.view().last_round, context.view().phase == ViewPhase::Over);
    changes.add_changed("last-round", last_round_input, last_round::last_round);
    changes.add_changed("so-far", visible_collections, screen_back::visible_points);
    changes.add_changed("host-controls", menu::replaceable_seat, menu::host_controls);
    // The guide of a guided game depends on the whole view, so it is rendered for both views. The cost is small,
    // because a guided game has only one person.
    let guide_now = guide(now);
    if guide(before) != guide_now {
        changes.sections.extend(guide_now);
    }
    changes.sections
}

/// The section with the last finished round, if the page did not show this round yet.
pub(crate) fn finished_round(before: Option<PageContext<'_>>, now: PageContext<'_>) -> Option<Section> {
    let is_new = before.is_none_or(|before| before.view().last_round != now.view().last_round);
    is_new.then(|| Section::new("last-round", last_round::last_round(now)))
}

/// Returns whether the players and the options of the table, which actions do not change, are the same.
fn same_table(before: PageContext<'_>, now: PageContext<'_>) -> bool {
    let (old, new) = (before.playing, now.playing);
    old.people == new.people
        && old.info == new.info
        && (old.replayed, old.view.observer) == (new.replayed, new.view.observer)
}

/// Collects the changed sections.
struct Changes<'a> {
    before: PageContext<'a>,
    now: PageContext<'a>,
    sections: Vec<Section>,
}

impl<'a> Changes<'a> {
    /// Renders a section if its input changed.
    fn add_changed<T: PartialEq>(
        &mut self,
        id: &'static str,
        input: impl Fn(PageContext<'a>) -> T,
        render: impl FnOnce(PageContext<'a>) -> Markup,
    ) {
        if input(self.before) != input(self.now) {
            self.sections.push(Section::new(id, render(self.now)));
        }
    }

    /// Renders a seat that changed, or only its counts of cards. The mark of the seat to act is no input, because the
    /// script sets it.
    fn add_seat(&mut self, seat: Seat) {
        let input = |context: PageContext<'a>| seat_input(context, seat);
        if input(self.before) != input(self.now) {
            return self.sections.push(Section::new(SEAT_IDS[seat.index()], seats::seat_card(self.now, seat)));
        }
        let input = |context: PageContext<'a>| (context.seat_view(seat).hand, context.seat_view(seat).deck);
        self.add_changed(CARDS_IDS[seat.index()], input, |context| seats::card_counts(context, seat));
    }

    /// Renders the board if it changed, or only its changed parts.
    fn add_board(&mut self) {
        // Only during an offer the board shows the drawn jewels. Its structure differs then, so it is one section.
        if [self.before, self.now].iter().any(|context| context.view().phase == ViewPhase::Offer) {
            let input = |context: PageContext<'a>| {
                (context.view().phase, context.view().drawn, context.view().round, context.is_turn())
            };
            return self.add_changed("board", input, board::board);
        }
        self.add_changed("pouch-place", |context| context.view().put_back(), board::pouch);
        for cushion in Cushion::first(self.now.view().parameters.cushions) {
            let input = |context| cushion_input(context, cushion);
            self.add_changed(CUSHION_IDS[cushion.index()], input, |context| board::cushion_with_bids(context, cushion));
        }
    }

    /// Renders the changed parts of the observer's own area.
    fn add_own_area(&mut self) {
        let Some(own_seat) = self.now.own_seat() else { return };
        self.add_changed("own-hand", |context| (context.view().hand, own::hand_use(context)), own::hand);
        if !self.now.is_away() && !self.now.playing.info.paused {
            // While the player waits, only the reason can change. A turn that starts or ends changes the whole step.
            let is_waiting = |context: PageContext<'_>| !context.is_turn();
            if is_waiting(self.before) && is_waiting(self.now) {
                self.add_changed("own-wait", wait_input, own::waiting_reason);
            } else {
                self.add_changed("own-step", |context| (context.is_turn(), context.view().phase), own::step);
            }
        }
        let treasure_input = |context: PageContext<'a>| {
            let seat_view = context.seat_view(own_seat);
            (seat_view.collection, seat_view.deck, context.view().first_seat == own_seat)
        };
        self.add_changed("own-treasure", treasure_input, |context| own::treasure(context, own_seat));
    }
}

/// The input of a seat's section, except for the counts of cards: jewels, whether the seat is first in the round and
/// its player absent, and the deadline.
fn seat_input(context: PageContext<'_>, seat: Seat) -> (Option<Collection>, [bool; 2], Option<&str>) {
    let marks = [context.view().first_seat == seat, context.playing.attendance.is_absent(seat)];
    (context.seat_view(seat).collection, marks, context.playing.deadline_of(seat))
}

/// The input of the line with the stage and the round, which also shows whether somebody watches.
fn clock_input(context: PageContext<'_>) -> ([u8; 2], bool) {
    ([context.view().stage.0, context.view().round.0], context.is_watched())
}

/// The input of the reason to wait: the number of bids, or the seat to act.
fn wait_input(context: PageContext<'_>) -> (ViewPhase, Option<Seat>, usize) {
    let view = context.view();
    match view.phase {
        ViewPhase::Bid => (ViewPhase::Bid, None, view.bids.len()),
        phase => (phase, view.to_act, 0),
    }
}

/// The jewels of all players, as far as the observer sees them.
fn visible_collections(context: PageContext<'_>) -> Vec<Option<Collection>> {
    context.view().seats.iter().map(|seat| seat.collection).collect()
}

/// The jewel of a cushion, the bids on it by their index in the round, and two marks: whether the observer is to bid,
/// and has a bid on this cushion already.
type CushionInput = (Option<Jewel>, [Option<PlacedBid>; 5], [bool; 2]);

/// The input of a cushion's section.
fn cushion_input(context: PageContext<'_>, cushion: Cushion) -> CushionInput {
    let mut bids = [None; 5];
    for (index, &bid) in context.view().bids.iter().enumerate().filter(|(_, bid)| bid.cushion() == cushion) {
        bids[index] = Some(bid);
    }
    let marks = [own::can_bid(context), board::has_own_bid(context, cushion)];
    (context.view().offer.jewel_on(cushion), bids, marks)
}

/// The input of the status line: what is to be done, and the sentence about time that ran out, the absence of the player
/// to act and the remedy.
type StatusInput<'a> = (TurnInput<'a>, Option<String>, bool, Option<(Seat, &'a str)>);

/// Stage and round, phase, whether it is the observer's turn, the seat to act, the number of the observer's own bids (0
/// unless it is their turn), and their deadline.
///
/// The round is included, because the script writes other text into the status line while it shows the cards of a
/// finished round.
type TurnInput<'a> = ([u8; 2], ViewPhase, bool, Option<Seat>, usize, Option<&'a str>);

/// The input of the status line.
fn status_input(context: PageContext<'_>) -> StatusInput<'_> {
    let view = context.view();
    let own_seat = context.own_seat();
    let own_bids = view.bids.iter().filter(|bid| context.is_turn() && Some(bid.seat()) == own_seat).count();
    let round = [view.stage.0, view.round.0];
    let deadline = own_seat.and_then(|seat| context.playing.deadline_of(seat));
    let turn = (round, view.phase, context.is_turn(), view.to_act, own_bids, deadline);
    let is_absent = view.to_act.is_some_and(|seat| seats::is_absent(context, seat));
    (turn, status::time_up(context), is_absent, status::remedy(context))
}

#[cfg(test)]
mod tests;
