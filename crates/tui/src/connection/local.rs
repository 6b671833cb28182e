//! Tables in this process. They use the same [`Service`] as the server.

use sultan_domain::{ClientSeed, Seat, SeatPlan, TableId, TableView};
use sultan_table::{Caller, NewPlayer, NewTable, SeatChange, Service, ServiceError, Visitor};
use tokio::sync::mpsc;

use super::{PlayError, TableEvent, only_seat};
use crate::form::{SeatSetup, Setup};

/// The players at this terminal: one visitor with several seats.
#[derive(Clone)]
pub(crate) struct LocalPlayers {
    pub(crate) service: Service,
    pub(crate) visitor: Visitor,
}

/// A table in this process.
#[derive(Clone)]
pub(crate) struct LocalTable {
    pub(crate) players: LocalPlayers,
    pub(crate) table: TableId,
    /// The seats played from this terminal.
    pub(crate) own_seats: Vec<Seat>,
}

/// An unfinished game.
#[derive(Clone, Debug)]
pub(crate) struct Unfinished {
    pub(crate) table: TableId,
    pub(crate) own_seats: Vec<Seat>,
    pub(crate) view: TableView,
}

impl From<ServiceError> for PlayError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Rejected(rejection) => {
                Self::Rejected { code: rejection.code().to_owned(), detail: rejection.to_string() }
            }
            ServiceError::Store(error) => Self::Unreachable(error.to_string()),
        }
    }
}

impl LocalPlayers {
    /// Opens a table and seats all players.
    pub(crate) async fn open(self, setup: &Setup) -> Result<LocalTable, PlayError> {
        let seat_plan = |seat: &SeatSetup| match seat {
            SeatSetup::Person { .. } => SeatPlan::Human,
            SeatSetup::Bot(level) => SeatPlan::Bot(level.clone()),
        };
        let mut people = setup.seats.iter().filter_map(|seat| match seat {
            SeatSetup::Person { name, colour } => {
                let visitor = Some(self.visitor);
                Some(NewPlayer { name: name.clone(), colour: *colour, visitor, ..NewPlayer::default() })
            }
            SeatSetup::Bot(_) => None,
        });
        // The first person opens the table as its host; the others sit down afterwards.
        let mut new_table = NewTable {
            seats: setup.seats.iter().map(seat_plan).collect(),
            variant: setup.variant,
            host: people.next().unwrap_or_default(),
            ..NewTable::plain(setup.players())
        };
        new_table.options.screens = setup.screens;
        new_table.options.first_seat = setup.first_seat;
        let opened = self.service.open(new_table).await?;
        let mut own_seats = vec![opened.seat];
        for player in people {
            own_seats.push(self.service.sit(opened.table, player).await?.seat);
        }
        Ok(LocalTable { players: self, table: opened.table, own_seats })
    }

    /// The unfinished games of the players at this terminal, newest first.
    pub(crate) async fn unfinished(&self) -> Result<Vec<Unfinished>, PlayError> {
        let mut games: Vec<Unfinished> = Vec::new();
        // The service lists a game once for each seat of the visitor.
        let seats = self.service.games_of(&self.visitor).await?.into_iter().filter(|seat| seat.state == "playing");
        for seat in seats {
            if let Some(same_game) = games.iter_mut().find(|game| game.table == seat.table) {
                same_game.own_seats.push(seat.seat);
            } else {
                let view = self.service.observe(seat.table, &Caller::Spectator).await?.view();
                games.push(Unfinished { table: seat.table, own_seats: vec![seat.seat], view });
            }
        }
        games.iter_mut().for_each(|game| game.own_seats.sort_by_key(|seat| seat.index()));
        Ok(games)
    }
}

impl LocalTable {
    pub(super) fn service(&self) -> &Service {
        &self.players.service
    }

    /// The caller of a request by the player of this seat, or by a spectator.
    pub(super) fn caller(&self, seat: Option<Seat>) -> Caller {
        let visitor = self.players.visitor;
        seat.map_or(Caller::Spectator, |seat| Caller::Visitor { visitor, seat: Some(seat) })
    }

    /// Gives up the game: the players of all local seats leave permanently.
    pub(crate) async fn give_up(&self) -> Result<(), PlayError> {
        for &seat in &self.own_seats {
            self.service().leave(self.table, &self.caller(Some(seat))).await?;
        }
        Ok(())
    }

    /// Opens a rematch in the name of the first player at this terminal, and lets the other players here agree to it.
    pub(super) async fn rematch(&self) -> Result<Self, PlayError> {
        let host = self.own_seats.first().copied();
        let table = self.service().rematch(self.table, &self.caller(host), SeatChange::default(), None).await?;
        for &seat in self.own_seats.iter().skip(1) {
            // A player agrees to a rematch by sending a seed; an empty one is enough.
            let confirmation = SeatChange { client_seed: Some(ClientSeed::default()), ..SeatChange::default() };
            self.service().change_seat(table, &self.caller(Some(seat)), seat, confirmation).await?;
        }
        Ok(Self { table, ..self.clone() })
    }

    /// Sends each new view, until the receiver is dropped.
    pub(super) async fn watch(self, events: &mpsc::Sender<TableEvent>) -> Result<(), PlayError> {
        let mut watch = self.service().watch(self.table, self.caller(only_seat(&self.own_seats)), None).await?;
        while let Some(snapshot) = watch.next_snapshot().await {
            if events.send(TableEvent::View(snapshot.view())).await.is_err() {
                break;
            }
        }
        Ok(())
    }
}
