//! `/`: the home page, also with a rejected form.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use sultan_domain::{Seat, TableId};
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, OpenTable, OwnSeat, Visitor};

use crate::browser::Browser;
use crate::html;
use crate::html::home::Home;
use crate::html::home::lists::OwnGame;
use crate::post::{Post, RejectedForm};
use crate::remembered::RememberedChoices;

/// The maximum number of listed games of this browser.
const MAX_GAMES: usize = 8;
/// The maximum number of tables in each of the other lists.
const MAX_TABLES: usize = 12;

/// The home page.
pub(crate) async fn show(State(state): State<AppState>, browser: Browser) -> Result<Response, WebError> {
    page(&state, &browser, None).await
}

/// The home page with the rejected form and the reason.
pub(super) async fn show_rejected(
    state: &AppState,
    post: Post,
    form: &'static str,
    error: &WebError,
) -> Result<Response, WebError> {
    let (browser, rejected) = post.rejected(form, error);
    page(state, &browser, Some(rejected)).await
}

async fn page(state: &AppState, browser: &Browser, rejected: Option<RejectedForm>) -> Result<Response, WebError> {
    let games = match &browser.visitor {
        Some(visitor) => own_games(state, visitor).await?,
        None => Vec::new(),
    };
    let tables = other_tables(state, &games).await?;
    let status = rejected.as_ref().map_or(StatusCode::OK, |form| form.status);
    let home = Home { remembered: RememberedChoices::from(&browser.headers), games, tables, rejected };
    Ok(browser.page_with(status, html::home::home(&browser.display(), &home)))
}

/// The public tables, up to `MAX_TABLES` that wait for players and as many in play.
async fn other_tables(state: &AppState, games: &[OwnGame]) -> Result<Vec<OpenTable>, WebError> {
    let mut tables = state.service().public_tables().await?;
    let mut shown = [0; 2];
    tables.retain(|table| {
        // The browser's own tables are listed separately.
        if games.iter().any(|game| game.table == table.table) {
            return false;
        }
        let count = &mut shown[usize::from(table.playing)];
        *count += 1;
        *count <= MAX_TABLES
    });
    Ok(tables)
}

/// The games of this browser: first those with a seat to act, last the finished ones.
async fn own_games(state: &AppState, visitor: &Visitor) -> Result<Vec<OwnGame>, WebError> {
    let mut tables: Vec<(TableId, Vec<OwnSeat>)> = Vec::new();
    for game in state.service().games_of(visitor).await? {
        match tables.iter_mut().find(|(table, _)| *table == game.table) {
            Some((_, seats)) => seats.push(game),
            None => tables.push((game.table, vec![game])),
        }
    }
    let is_over = |games: &[OwnSeat]| games.iter().all(|game| game.state == "over");
    let is_turn = |games: &[OwnSeat]| games.iter().any(|game| game.your_turn);
    tables.sort_by_key(|(_, games)| (is_over(games), !is_turn(games)));
    let mut games = Vec::new();
    for (table, seats) in tables.into_iter().take(MAX_GAMES) {
        let own: Vec<Seat> = seats.iter().map(|game| game.seat).collect();
        let caller = Caller::Visitor { visitor: *visitor, seat: own.first().copied() };
        // The seat may have been taken away since the list was read.
        if let Ok(snapshot) = state.service().observe(table, &caller).await {
            games.push(OwnGame { table, own, your_turn: is_turn(&seats), view: snapshot.view() });
        }
    }
    Ok(games)
}
