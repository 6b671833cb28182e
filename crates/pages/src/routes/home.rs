//! `/`: the home page. It is also the response to a rejected form of the home page.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use sultan_domain::{Seat, TableId};
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, OpenTable, OwnSeat, Visitor};

use crate::browser::Browser;
use crate::html;
use crate::html::home::Home;
use crate::html::home::lists::OwnGame;
use crate::post::{Post, RejectedForm};
use crate::remembered::RememberedChoices;

/// The maximum number of listed games in which this browser has a seat.
const MAX_OWN_GAMES: usize = 8;
/// The maximum number of listed public tables that wait for players, and of listed public tables in play.
const MAX_PUBLIC_TABLES: usize = 12;

/// The query of the home page.
#[derive(Default, Deserialize)]
pub(crate) struct HomeQuery {
    /// The table that the player has just left.
    left: Option<String>,
}

/// The home page.
pub(crate) async fn show(
    State(state): State<AppState>,
    query: Result<Query<HomeQuery>, QueryRejection>,
    browser: Browser,
) -> Result<Response, WebError> {
    let Query(query) = query.unwrap_or_default();
    let left = query.left.and_then(|table| table.parse().ok());
    page(&state, &browser, left, None).await
}

/// The home page with the rejected form and the reason.
pub(super) async fn show_rejected(
    state: &AppState,
    post: Post,
    form: &'static str,
    error: &WebError,
) -> Result<Response, WebError> {
    let (browser, rejected) = post.rejected(form, error);
    page(state, &browser, None, Some(rejected)).await
}

/// The home page, with a note about the table that the player has just left, and with the rejected form, if any.
async fn page(
    state: &AppState,
    browser: &Browser,
    left: Option<TableId>,
    rejected: Option<RejectedForm>,
) -> Result<Response, WebError> {
    let games = match &browser.visitor {
        Some(visitor) => own_games(state, visitor).await?,
        None => Vec::new(),
    };
    // Only about a table where this browser has a seat. Before the start, a player who leaves has no seat any more.
    let left = games.iter().filter_map(|game| game.view.playing()).find(|playing| Some(playing.info.table) == left);
    let left = left.cloned().map(Box::new);
    let tables = public_tables(state, &games).await?;
    let status = rejected.as_ref().map_or(StatusCode::OK, |form| form.status);
    let home = Home { remembered: RememberedChoices::from_cookies(&browser.headers), games, tables, left, rejected };
    Ok(browser.page_with(status, html::home::home(&browser.display(), &home)))
}

/// The public tables, up to `MAX_PUBLIC_TABLES` that wait for players and as many in play. Tables with a seat of this
/// browser are omitted, because the page lists them separately.
async fn public_tables(state: &AppState, own_games: &[OwnGame]) -> Result<Vec<OpenTable>, WebError> {
    let mut tables = state.service().public_tables().await?;
    let (mut waiting_count, mut playing_count) = (0, 0);
    tables.retain(|table| {
        if own_games.iter().any(|game| game.table == table.table) {
            return false;
        }
        let count = if table.playing { &mut playing_count } else { &mut waiting_count };
        *count += 1;
        *count <= MAX_PUBLIC_TABLES
    });
    Ok(tables)
}

/// The games in which this browser has a seat: first those with a seat to act, last the finished ones.
async fn own_games(state: &AppState, visitor: &Visitor) -> Result<Vec<OwnGame>, WebError> {
    let mut seats_by_table: Vec<(TableId, Vec<OwnSeat>)> = Vec::new();
    for own_seat in state.service().games_of(visitor).await? {
        match seats_by_table.iter_mut().find(|(table, _)| *table == own_seat.table) {
            Some((_, seats)) => seats.push(own_seat),
            None => seats_by_table.push((own_seat.table, vec![own_seat])),
        }
    }
    // `false` is sorted before `true`.
    let is_over = |seats: &[OwnSeat]| seats.iter().all(|seat| seat.state == "over");
    let is_turn = |seats: &[OwnSeat]| seats.iter().any(|seat| seat.your_turn);
    seats_by_table.sort_by_key(|(_, seats)| (is_over(seats), !is_turn(seats)));
    let mut games = Vec::new();
    for (table, seats) in seats_by_table.into_iter().take(MAX_OWN_GAMES) {
        let own_seats: Vec<Seat> = seats.iter().map(|own_seat| own_seat.seat).collect();
        let caller = Caller::Visitor { visitor: *visitor, seat: own_seats.first().copied() };
        // The host may have freed the seat since the list was read. Such a game is omitted.
        if let Ok(snapshot) = state.service().observe(table, &caller).await {
            games.push(OwnGame { table, own_seats, your_turn: is_turn(&seats), view: snapshot.view() });
        }
    }
    Ok(games)
}
