//! The viewer of a table's page. Several players may share a browser and hand it to each other.
//!
//! In such a browser a player lifts the curtain with a link that names the seat and the last finished round. When the
//! next round is finished, everybody at the device looks at the result, so the link no longer shows this seat's hand.

use sultan_domain::{Kind, PlayingTable, Seat};
use sultan_server::{AppState, WebError};
use sultan_table::Caller;

use super::page_request::PageRequest;
use crate::html::table::round_key;

/// The viewer of a table's page.
pub(crate) struct Viewer {
    /// The caller whose view is shown: a spectator if the browser has several seats, and the request names no seat or a
    /// round has been finished since the player lifted the curtain.
    pub(crate) caller: Caller,
    /// The seats of the browser.
    pub(crate) own_seats: Vec<Seat>,
    /// The seat that the request names.
    requested_seat: Option<Seat>,
    /// The last finished round that the request names.
    after: String,
}

impl Viewer {
    /// The viewer of a page, identified by the token or cookie of the request; without both, a spectator.
    pub(crate) async fn of(state: &AppState, page: &PageRequest) -> Result<Self, WebError> {
        let caller = page.request.caller_or_spectator(state).await?;
        Self::with(state, page, caller).await
    }

    /// The viewer of a page for a known caller.
    pub(crate) async fn with(state: &AppState, page: &PageRequest, caller: Caller) -> Result<Self, WebError> {
        let table = page.request.table;
        let own_seats = match &caller {
            Caller::Visitor { visitor, .. } => state.service().seats_of(table, visitor).await?,
            Caller::Token(_) | Caller::Spectator => {
                state.service().observe(table, &caller).await?.observer().seat().into_iter().collect()
            }
        };
        let mut viewer = Self { caller, own_seats, requested_seat: page.request.seat, after: page.after.clone() };
        if viewer.is_shared() {
            let view = state.service().observe(table, &viewer.caller).await?.view();
            if viewer.requested_seat.is_none() || view.playing().is_some_and(|playing| viewer.is_look_over(playing)) {
                viewer.caller = Caller::Spectator;
            }
        }
        Ok(viewer)
    }

    /// Returns whether several players share the browser.
    fn is_shared(&self) -> bool {
        self.own_seats.len() > 1
    }

    /// Returns whether a shared browser must no longer show the requested seat's hand, because a round has been finished
    /// since its player lifted the curtain.
    pub(crate) fn is_look_over(&self, playing: &PlayingTable) -> bool {
        self.is_shared() && !playing.is_over() && round_key(&playing.view) != self.after
    }

    /// Returns whether the page shows the hand of a seat.
    pub(crate) fn has_seat_view(&self) -> bool {
        !matches!(self.caller, Caller::Spectator)
    }

    /// The seat of the player that a curtain calls to the device; `None` if the table can be shown at once.
    ///
    /// The curtain is a page without hidden information, with the request to hand the device to the next player. It is
    /// needed only in a browser with several seats, when one of them is to act and the request does not name this seat,
    /// or when a round has been finished since.
    pub(crate) fn curtain(&self, playing: &PlayingTable) -> Option<Seat> {
        // RULES 7.10: all information is public at the end.
        if !self.is_shared() || playing.view.outcome.is_some() {
            return None;
        }
        let requested_seat = self.requested_seat.filter(|_| !self.is_look_over(playing));
        // A player with a stand-in bot does not need the device.
        let needs_device = |&seat: &Seat| self.own_seats.contains(&seat) && playing.person(seat).kind == Kind::Human;
        playing.view.to_act.filter(needs_device).filter(|&seat| requested_seat != Some(seat))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::{
        Attendance, Bids, Commitment, Observer, Outcome, Parameters, Person, Players, Round, RoundRecord, Screens,
        SeatView, Stage, TableId, TableInfo, TurnClock, View, ViewPhase,
    };

    /// A browser with `own_seats` that requests the view of a seat.
    fn viewer(own_seats: &[Seat], requested_seat: Option<Seat>, after: &str) -> Viewer {
        Viewer { caller: Caller::Spectator, own_seats: own_seats.to_vec(), requested_seat, after: after.to_owned() }
    }

    /// The player to whom the curtain hands the device, in a browser with `own_seats`; `None` if there is no curtain.
    fn curtain(own_seats: &[Seat], playing: &PlayingTable, requested_seat: Option<Seat>) -> Option<Seat> {
        viewer(own_seats, requested_seat, "").curtain(playing)
    }

    fn seat(number: u8) -> Seat {
        Seat::new(number).unwrap()
    }

    /// A game of four with this seat to act.
    #[expect(clippy::default_trait_access, reason = "empty lists of any type")]
    fn table(to_act: Option<u8>) -> PlayingTable {
        let players = Players::new(4).unwrap();
        let seat_view = |seat| SeatView { seat, hand: 5, deck: 10, collection: None, played: None };
        let view = View {
            parameters: Parameters::of(players),
            observer: Observer::Public,
            screens: Screens::Closed,
            phase: ViewPhase::Bid,
            action_count: 1,
            stage: Stage(1),
            round: Round(1),
            first_seat: seat(0),
            to_act: to_act.map(seat),
            drawn: sultan_domain::Drawn::default(),
            offer: Default::default(),
            bids: Default::default(),
            hand: sultan_domain::Cards::default(),
            seats: players.seats().map(seat_view).collect(),
            last_round: None,
            outcome: None,
        };
        let info = TableInfo {
            table: TableId::new(0),
            commitment: Commitment([0; 32]),
            host: seat(0),
            ended: false,
            paused: false,
            rematch: None,
            guided: false,
            coach: false,
            branch: None,
        };
        let people = players.seats().map(Person::nameless).collect();
        PlayingTable {
            view,
            people,
            clock: TurnClock::default(),
            info,
            replayed: false,
            attendance: Attendance::default(),
        }
    }

    #[test]
    fn curtain_needs_at_least_two_seats() {
        for to_act in [None, Some(0), Some(2)] {
            assert_eq!(curtain(&[], &table(to_act), None), None);
            assert_eq!(curtain(&[], &table(to_act), Some(seat(0))), None);
            for requested in [None, Some(seat(2)), Some(seat(1))] {
                assert_eq!(curtain(&[seat(2)], &table(to_act), requested), None);
            }
        }
    }

    #[test]
    fn curtain_hides_the_table_between_turns_of_two_people_in_one_browser() {
        let own_seats = [seat(0), seat(2)];
        let handed_to =
            |to_act, requested_seat: Option<u8>| curtain(&own_seats, &table(to_act), requested_seat.map(seat));
        assert_eq!(handed_to(Some(0), None), Some(seat(0)));
        assert_eq!(handed_to(Some(2), None), Some(seat(2)));
        assert_eq!(handed_to(Some(2), Some(2)), None);
        assert_eq!(handed_to(Some(2), Some(0)), Some(seat(2)), "no curtain hides the view of the seat that just acted");
        assert_eq!(handed_to(Some(2), Some(1)), Some(seat(2)), "no curtain if the seat belongs to another browser");
        // A seat of another browser, or no seat, is to act.
        assert_eq!(handed_to(Some(1), None), None);
        assert_eq!(handed_to(Some(1), Some(0)), None, "the last player cannot see the result of the action");
        assert_eq!(handed_to(None, None), None);
    }

    #[test]
    fn curtain_falls_when_a_round_is_finished() {
        let own_seats = [seat(0), seat(2)];
        let mut table = table(Some(2));
        table.view.last_round = Some(RoundRecord {
            stage: Stage(1),
            round: Round(3),
            first_seat: seat(1),
            drawn: table.view.drawn,
            offer: None,
            put_back: None,
            bids: Bids::default(),
            winners: None,
        });
        for (after, handed_to) in [("1.3", None), ("1.2", Some(seat(2))), ("", Some(seat(2)))] {
            let viewer = viewer(&own_seats, Some(seat(2)), after);
            assert_eq!(viewer.curtain(&table), handed_to, "{after}");
            assert_eq!(viewer.is_look_over(&table), handed_to.is_some(), "{after}");
        }
        assert!(!viewer(&own_seats[..1], Some(seat(0)), "").is_look_over(&table), "only one player uses the browser");
    }

    #[test]
    fn seat_of_a_stand_in_needs_no_curtain() {
        let own_seats = [seat(0), seat(2)];
        let mut table = table(Some(2));
        std::sync::Arc::make_mut(&mut table.people)[2].kind = Kind::StandIn("page".to_owned());
        assert_eq!(curtain(&own_seats, &table, None), None);
        assert_eq!(curtain(&own_seats, &table, Some(seat(0))), None);
    }

    #[test]
    fn finished_game_has_no_curtain() {
        let own_seats = [seat(0), seat(2)];
        let mut over = table(None);
        over.view = View { outcome: Some(Outcome::default()), phase: ViewPhase::Over, ..over.view };
        assert_eq!(curtain(&own_seats, &over, None), None);
        assert_eq!(curtain(&own_seats, &over, Some(seat(2))), None);
    }
}
