//! Tables in this process. They use the same [`Service`] as the server.

use sultan_domain::{Players, Seat, SeatPlan, TableId, TableView};
use sultan_table::{Caller, NewPlayer, NewTable, SeatChange, Service, ServiceError, Visitor};
use tokio::sync::mpsc;

use super::{PlayError, TableEvent, only};
use crate::setup::{SeatSetup, Setup};

/// A table in this process. All players at this terminal are one visitor with several seats.
#[derive(Clone)]
pub(crate) struct Local {
    pub(super) service: Service,
    visitor: Visitor,
    pub(super) table: TableId,
    /// The seats played from this terminal.
    pub(super) own: Vec<Seat>,
}

/// An unfinished game.
#[derive(Clone, Debug)]
pub(crate) struct Unfinished {
    pub(crate) table: TableId,
    pub(crate) own: Vec<Seat>,
    pub(crate) told: TableView,
}

impl From<ServiceError> for PlayError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Rejected(rejection) => {
                Self::Refused { code: rejection.code().to_owned(), detail: rejection.to_string() }
            }
            ServiceError::Store(error) => Self::Lost(error.to_string()),
        }
    }
}

impl Local {
    /// Opens a table and seats all players.
    pub(crate) async fn open(service: &Service, visitor: Visitor, setup: &Setup) -> Result<Self, PlayError> {
        let players = Players::new(u8::try_from(setup.seats.len()).unwrap_or(0)).unwrap_or(Players::ALL[0]);
        let plan = |seat: &SeatSetup| match seat {
            SeatSetup::Person { .. } => SeatPlan::Human,
            SeatSetup::Bot(bot) => SeatPlan::Bot(bot.clone()),
        };
        let mut people = setup.seats.iter().filter_map(|seat| match seat {
            SeatSetup::Person { name, colour } => {
                Some(NewPlayer { name: name.clone(), colour: *colour, visitor: Some(visitor), ..NewPlayer::default() })
            }
            SeatSetup::Bot(_) => None,
        });
        let mut new = NewTable {
            seats: setup.seats.iter().map(plan).collect(),
            variant: setup.variant,
            host: people.next().unwrap_or_default(),
            ..NewTable::plain(players)
        };
        new.options.screens = setup.screens;
        new.options.first_seat = setup.first_seat;
        let opened = service.open(new).await?;
        let mut own = vec![opened.seat];
        for sitting in people {
            own.push(service.sit(opened.table, sitting).await?.seat);
        }
        Ok(Self { service: service.clone(), visitor, table: opened.table, own })
    }

    /// Resumes an unfinished game.
    pub(crate) fn back_to(service: &Service, visitor: Visitor, game: &Unfinished) -> Self {
        Self { service: service.clone(), visitor, table: game.table, own: game.own.clone() }
    }

    /// The visitor's unfinished games, newest first.
    pub(crate) async fn unfinished(service: &Service, visitor: Visitor) -> Result<Vec<Unfinished>, PlayError> {
        let mut games: Vec<Unfinished> = Vec::new();
        for game in service.games_of(&visitor).await?.into_iter().filter(|game| game.state == "playing") {
            if let Some(known) = games.iter_mut().find(|known| known.table == game.table) {
                known.own.push(game.seat);
            } else {
                let told = service.observe(game.table, &Caller::Spectator).await?.view();
                games.push(Unfinished { table: game.table, own: vec![game.seat], told });
            }
        }
        games.iter_mut().for_each(|game| game.own.sort_by_key(|seat| seat.index()));
        Ok(games)
    }

    pub(super) fn caller(&self, eyes: Option<Seat>) -> Caller {
        eyes.map_or(Caller::Spectator, |seat| Caller::Visitor { visitor: self.visitor, seat: Some(seat) })
    }

    /// Gives up the game: all seats played here leave it for good.
    pub(crate) async fn give_up(&self) -> Result<(), PlayError> {
        for &seat in &self.own {
            self.service.leave(self.table, &self.caller(Some(seat))).await?;
        }
        Ok(())
    }

    pub(super) async fn once_more(&self) -> Result<Self, PlayError> {
        let host = self.own.first().copied();
        let table = self.service.rematch(self.table, &self.caller(host), SeatChange::default(), None).await?;
        let next = Self { table, ..self.clone() };
        for &seat in self.own.iter().skip(1) {
            let agree = SeatChange { client_seed: Some(sultan_domain::ClientSeed::default()), ..SeatChange::default() };
            next.service.change_seat(table, &next.caller(Some(seat)), seat, agree).await?;
        }
        Ok(next)
    }

    pub(super) async fn watch(self, news: mpsc::Sender<TableEvent>) {
        let mut watch = match self.service.watch(self.table, self.caller(only(&self.own)), None).await {
            Ok(watch) => watch,
            Err(error) => {
                let _ = news.send(TableEvent::Gone(error.into())).await;
                return;
            }
        };
        while let Some(snapshot) = watch.next_snapshot().await {
            if news.send(TableEvent::Told(snapshot.view())).await.is_err() {
                return;
            }
        }
    }
}
