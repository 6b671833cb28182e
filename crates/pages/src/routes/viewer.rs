//! The viewer of a table's page, if several people may share a browser.

use sultan_domain::{Kind, PlayingTable, Seat};
use sultan_server::{AppState, WebError};
use sultan_table::Caller;

use super::page_request::PageRequest;

/// The viewer of a table's page: the caller, and the seats of the browser.
pub(crate) struct Viewer {
    /// The caller that the table is shown to. [`Caller::Spectator`] if several people share the browser and no seat was
    /// requested.
    pub(crate) caller: Caller,
    /// The browser's seats.
    pub(crate) own: Vec<Seat>,
}

impl Viewer {
    /// The viewer of a page.
    pub(crate) async fn of(state: &AppState, page: &PageRequest) -> Result<Self, WebError> {
        let caller = page.request.caller_or_spectator(state).await?;
        Self::with(state, page, caller).await
    }

    /// The viewer of a page for a known caller.
    pub(crate) async fn with(state: &AppState, page: &PageRequest, caller: Caller) -> Result<Self, WebError> {
        let table = page.request.table;
        let own = match &caller {
            Caller::Visitor { visitor, .. } => state.service().seats_of(table, visitor).await?,
            Caller::Token(_) | Caller::Spectator => {
                state.service().observe(table, &caller).await?.observer().seat().into_iter().collect()
            }
        };
        let caller = if own.len() > 1 && page.request.seat.is_none() { Caller::Spectator } else { caller };
        Ok(Self { caller, own })
    }

    /// The seat whose player must get the device before the table is shown; `None` if the table can be shown at once.
    /// `requested` is the seat in the request.
    ///
    /// A browser with one seat shows that seat's view. With several, a seat's view is shown only on request, and the
    /// curtain replaces it as soon as another seat of the browser is to act.
    pub(crate) fn curtain(&self, playing: &PlayingTable, requested: Option<Seat>) -> Option<Seat> {
        // RULES 7.10: all information is public at the end.
        if self.own.len() < 2 || playing.view.outcome.is_some() {
            return None;
        }
        // A seat played by a stand-in bot does not need the device.
        let is_person = |seat: Seat| playing.person(seat).kind == Kind::Human;
        let seat_to_act = playing.view.to_act.filter(|&seat| self.own.contains(&seat) && is_person(seat));
        seat_to_act.filter(|_| seat_to_act != requested)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::{
        AbsentSeats, Commitment, Observer, Outcome, Parameters, Person, Players, Round, Screens, SeatView, Stage,
        TableId, TableInfo, View, ViewPhase,
    };

    fn curtain(own: &[Seat], playing: &PlayingTable, requested: Option<Seat>) -> Option<Seat> {
        Viewer { caller: Caller::Spectator, own: own.to_vec() }.curtain(playing, requested)
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
            at: 1,
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
            rematch: None,
            guided: false,
            coach: false,
            branch: None,
        };
        let people = players.seats().map(Person::nameless).collect();
        PlayingTable { view, people, deadline: None, info, replayed: false, absent: AbsentSeats::default() }
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
        let own = [seat(0), seat(2)];
        let handed_to = |to_act, requested: Option<u8>| curtain(&own, &table(to_act), requested.map(seat));
        assert_eq!(handed_to(Some(0), None), Some(seat(0)));
        assert_eq!(handed_to(Some(2), None), Some(seat(2)));
        assert_eq!(handed_to(Some(2), Some(2)), None);
        assert_eq!(handed_to(Some(2), Some(0)), Some(seat(2)), "the other seat is to act");
        assert_eq!(handed_to(Some(2), Some(1)), Some(seat(2)), "not a seat of this browser");
        // A seat of another browser, or no seat, is to act.
        assert_eq!(handed_to(Some(1), None), None);
        assert_eq!(handed_to(Some(1), Some(0)), None, "the last player may see the result of the action");
        assert_eq!(handed_to(None, None), None);
    }

    #[test]
    fn seat_of_a_stand_in_needs_no_curtain() {
        let own = [seat(0), seat(2)];
        let mut table = table(Some(2));
        std::sync::Arc::make_mut(&mut table.people)[2].kind = Kind::StandIn("page".to_owned());
        assert_eq!(curtain(&own, &table, None), None);
        assert_eq!(curtain(&own, &table, Some(seat(0))), None);
    }

    #[test]
    fn finished_game_has_no_curtain() {
        let own = [seat(0), seat(2)];
        let mut over = table(None);
        over.view = View { outcome: Some(Outcome::default()), phase: ViewPhase::Over, ..over.view };
        assert_eq!(curtain(&own, &over, None), None);
        assert_eq!(curtain(&own, &over, Some(seat(2))), None);
    }
}
