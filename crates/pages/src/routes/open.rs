//! `/play`, `/open`, `/pass` and `/join`: the forms of the home page that lead to a table.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::CookieJar;
use sultan_domain::{Players, Screens, Seat, SeatPlan, TableId, Variant};
use sultan_server::cookies::visitor_cookie;
use sultan_server::response::see_other;
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, MAX_SECONDS_PER_ACTION, NewPlayer, NewTable, Rejection, SeatToken, Visitor};

use super::home;
use crate::html::time_limit::{NO_LIMIT, OWN_LIMIT, UNITS};
use crate::post::{Fields, Post};
use crate::remembered::RememberedChoices;

/// Redirects to a table, with the cookie that identifies the visitor.
pub(super) fn redirect_to_table(state: &AppState, post: &Post, table: TableId) -> Response {
    (visitor_cookie(state, &post.browser.headers, &post.visitor), see_other(&format!("/t/{table}"))).into_response()
}

/// Redirects to the table that a form opened, with cookies that remember the choices, or shows the rejected form again.
async fn show_opened(
    state: &AppState,
    post: Post,
    form: &'static str,
    cookies: CookieJar,
    opened: Result<TableId, WebError>,
) -> Result<Response, WebError> {
    match opened {
        Ok(table) => Ok((cookies, redirect_to_table(state, &post, table)).into_response()),
        Err(error) => home::show_rejected(state, post, form, &error).await,
    }
}

/// The cookies that remember the player's name, which is in the field `name_field`, and the variant.
fn choice_cookies(post: &Post, name_field: &str) -> CookieJar {
    let cookies = RememberedChoices::keep_name(CookieJar::new(), post.fields.get(name_field));
    RememberedChoices::keep_game(cookies, post.fields.get("game"))
}

/// `/play`: starts a game against bots.
pub(crate) async fn against_bots(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    let bots = post.fields.parse("bots").unwrap_or_default();
    let cookies = RememberedChoices::keep_bots(choice_cookies(&post, "name"), bots, post.fields.get("level"));
    let opened = open(&state, &post, bots_table(&post, bots)).await;
    show_opened(&state, post, "play", cookies, opened).await
}

/// A table for one player and this number of bots.
fn bots_table(post: &Post, bots: u8) -> Result<NewTable, WebError> {
    let players = bots.checked_add(1).and_then(Players::new).ok_or(Rejection::BadTable("one to four bots"))?;
    new_table(post, players, people_and_bots(post, 1, players))
}

/// A plan with `people` seats for people, and bots of the chosen level in the other seats.
fn people_and_bots(post: &Post, people: u8, players: Players) -> Vec<SeatPlan> {
    let mut seats = vec![SeatPlan::Human; people.into()];
    seats.resize(players.count().into(), SeatPlan::Bot(post.fields.get("level").to_owned()));
    seats
}

/// A table with these seats, and the options that all forms share. An unknown variant counts as the published game.
fn new_table(post: &Post, players: Players, seats: Vec<SeatPlan>) -> Result<NewTable, WebError> {
    let fields = &post.fields;
    let commitment = Some(fields.get("commitment")).filter(|hex| !hex.is_empty());
    let commitment = commitment.map(|hex| hex.parse().map_err(|_| Rejection::NoSuchCommitment)).transpose()?;
    let mut new = NewTable {
        seats,
        variant: Variant::named(fields.get("game")).unwrap_or_default(),
        commitment,
        host: NewPlayer {
            name: post.name_or_guest(fields.get("name")),
            client_seed: fields.client_seed()?,
            visitor: Some(post.visitor),
            colour: None,
        },
        ..NewTable::plain(players)
    };
    new.options.screens = if fields.get("screens") == "open" { Screens::Open } else { Screens::Closed };
    new.options.coach = fields.get("coach") == "yes";
    Ok(new)
}

/// Opens a table, unless the form was invalid and `table` is an error. An invalid form does not count for the rate
/// limit.
async fn open(state: &AppState, post: &Post, table: Result<NewTable, WebError>) -> Result<TableId, WebError> {
    let table = table?;
    state.limit_opening(&post.extensions, &post.browser.headers)?;
    Ok(state.service().open(table).await.map_err(WebError::on_opening)?.table)
}

/// `/open`: opens a table for friends, or a public table.
pub(crate) async fn with_friends(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    let cookies = choice_cookies(&post, "name");
    let opened = open(&state, &post, friends_table(&post)).await;
    show_opened(&state, post, "friends", cookies, opened).await
}

/// A table with the chosen person or bot in each seat, and the options of the form for friends.
fn friends_table(post: &Post) -> Result<NewTable, WebError> {
    let fields = &post.fields;
    let players = fields.parse("players").and_then(Players::new).ok_or(Rejection::BadTable("two to five play"))?;
    let seat_plan = |number| match fields.get(&format!("seat{number}")) {
        "" | "human" => SeatPlan::Human,
        bot => SeatPlan::Bot(bot.to_owned()),
    };
    // The host has seat 0. The form has no field for this seat.
    let seats = std::iter::once(SeatPlan::Human).chain((1..players.count()).map(seat_plan));
    let first_seat = match fields.get("first") {
        "" | "chance" => None,
        number => Some(number.parse().ok().and_then(Seat::new).ok_or(Rejection::NoSuchSeat)?),
    };
    let mut new = new_table(post, players, seats.collect())?;
    new.options.first_seat = first_seat;
    new.options.seconds_per_action = seconds_per_action(fields)?;
    new.options.public = fields.get("public") == "yes";
    new.options.even_pace = fields.get("even_pace") == "yes";
    Ok(new)
}

/// The time limit of the form for friends: one of its choices, or a number with a unit.
fn seconds_per_action(fields: &Fields) -> Result<Option<u32>, WebError> {
    let seconds = match fields.get("seconds") {
        "" | NO_LIMIT => return Ok(None),
        OWN_LIMIT => {
            let unit = UNITS.iter().find(|(unit, ..)| *unit == fields.get("time_unit"));
            fields.parse::<u32>("time").zip(unit).and_then(|(number, &(_, length, _))| number.checked_mul(length))
        }
        _ => fields.parse("seconds"),
    };
    // The service has the same limits, but its error for programs has no sentence about the time.
    let seconds = seconds.filter(|seconds| (1..=MAX_SECONDS_PER_ACTION).contains(seconds));
    let error = || WebError::new(StatusCode::UNPROCESSABLE_ENTITY, "time/out-of-range", "1 second to 7 days");
    seconds.ok_or_else(error).map(Some)
}

/// `/pass`: starts a game of several people at one device.
pub(crate) async fn one_device(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    let cookies = choice_cookies(&post, "name1");
    let opened = open_on_one_device(&state, &post).await;
    show_opened(&state, post, "pass", cookies, opened).await
}

/// Opens the table, and takes a seat for each person at the device.
async fn open_on_one_device(state: &AppState, post: &Post) -> Result<TableId, WebError> {
    let fields = &post.fields;
    let too_few = Rejection::BadTable("two to five people share a device");
    let people: u8 = fields.parse("people").filter(|people| (2..=5).contains(people)).ok_or(too_few)?;
    let bots: u8 = fields.parse("bots").filter(|bots| *bots <= 3).unwrap_or(0);
    let players = Players::new(people + bots).ok_or(Rejection::BadTable("at most five play"))?;
    let name = |number: u8| match fields.get(&format!("name{number}")) {
        "" => post.browser.display().text.nameless(number),
        name => name.to_owned(),
    };
    let mut new = new_table(post, players, people_and_bots(post, people, players))?;
    new.host.name = name(1);
    let table = open(state, post, Ok(new)).await?;
    // The first person has the host's seat already.
    for number in 2..=people {
        let player = NewPlayer { name: name(number), visitor: Some(post.visitor), ..NewPlayer::default() };
        if let Err(error) = state.service().sit(table, player).await {
            leave_all_seats(state, table, post.visitor).await;
            return Err(error.into());
        }
    }
    Ok(table)
}

/// Leaves all seats of a table at which not all people of the device could sit down.
async fn leave_all_seats(state: &AppState, table: TableId, visitor: Visitor) {
    let seats = state.service().seats_of(table, &visitor).await.unwrap_or_default();
    for seat in seats {
        if let Err(error) = state.service().leave(table, &Caller::Visitor { visitor, seat: Some(seat) }).await {
            tracing::warn!(%table, %error, "failed to leave a table that could not be filled; it stays open");
        }
    }
}

/// `/join`: redirects to a table by its code, its link, or a seat's secret link.
pub(crate) async fn join(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    match existing_table_path(&state, post.fields.get("table")).await {
        Ok(path) => Ok(see_other(&path)),
        Err(error) => home::show_rejected(&state, post, "join", &error).await,
    }
}

/// The path of the table or seat that a typed or pasted text names. The table must exist.
async fn existing_table_path(state: &AppState, text: &str) -> Result<String, WebError> {
    let (table, token) = parse_table(text).ok_or(Rejection::NoSuchTable)?;
    state.service().observe(table, &Caller::Spectator).await?;
    let seat_path = token.map(|token| format!("/in/{}", token.reveal())).unwrap_or_default();
    Ok(format!("/t/{table}{seat_path}"))
}

/// Parses a table's code, its link, or a seat's secret link, which has the seat's token. The host of a link is ignored,
/// because the redirect stays on this site.
fn parse_table(text: &str) -> Option<(TableId, Option<SeatToken>)> {
    let Some((_, path)) = text.split_once("/t/") else { return Some((text.parse().ok()?, None)) };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let mut segments = path.split('/');
    let table = segments.next()?.parse().ok()?;
    let token = if segments.next() == Some("in") { segments.next()?.parse().ok() } else { None };
    Some((table, token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_found_in_codes_and_links() {
        let token = "ab".repeat(32);
        let seat_link = format!("https://x.example/t/0123456789ab/in/{token}?a#b");
        // A typed code may have capitals, spaces, hyphens, and the letter O for the digit 0.
        for (text, has_token) in [
            ("0123456789ab", false),
            ("0123 4567 89AB", false),
            ("O123-4567-89ab", false),
            ("http://127.0.0.1:8080/t/0123456789ab", false),
            ("/t/0123456789ab?seat=2", false),
            ("sultan.example/t/0123456789ab#main", false),
            (seat_link.as_str(), true),
        ] {
            let (table, token) = parse_table(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((table.to_string().as_str(), token.is_some()), ("0123456789ab", has_token), "{text}");
        }
        for text in ["", "x", "0123456789abc", "https://evil.example/", "/t/", "/t//in/x", "javascript:alert(1)", "ő"]
        {
            assert!(parse_table(text).is_none(), "{text}");
        }
    }
}
