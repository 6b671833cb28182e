//! `/replay`: the replay of an uploaded record file. The server verifies the record but does not store it. Instead, the
//! page's address contains the whole record.

use axum::body::Body;
use axum::extract::{Form, FromRequest, Multipart, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use bytes::Bytes;
use maud::Markup;
use serde::Deserialize;
use sultan_domain::Record;
use sultan_server::extract::read_body;
use sultan_server::response::see_other;
use sultan_server::{AppState, WebError};
use sultan_table::{BadFile, Replay, records_in};

use super::replay::ReplayQuery;
use crate::browser::Browser;
use crate::html::problem::sentence;
use crate::html::replay::Source;
use crate::html::replay::file::{choose_file, game_list, rejection, rejection_reason};

/// The maximum size of a record in an address, in bytes. A typical record has a fifth of this size.
const MAX_RECORD_BYTES: usize = 6000;

/// The record in the address.
#[derive(Deserialize)]
pub(crate) struct RecordQuery {
    /// The JSON of the record in Base64.
    record: Option<String>,
}

/// The reason why no replay can be shown for an upload.
enum RejectedUpload {
    /// The file has no valid record.
    File(BadFile),
    /// The record does not fit into an address.
    TooLong,
    /// The request cannot be read.
    Request(WebError),
}

impl From<BadFile> for RejectedUpload {
    fn from(error: BadFile) -> Self {
        Self::File(error)
    }
}

impl RejectedUpload {
    /// The page to choose a file again, with the reason.
    fn page(&self, browser: &Browser) -> Response {
        let display = browser.display();
        let text = display.text;
        let (status, reason) = match self {
            Self::File(error) => (StatusCode::UNPROCESSABLE_ENTITY, rejection_reason(text, error)),
            Self::TooLong => (StatusCode::PAYLOAD_TOO_LARGE, text.say("record-too-long")),
            Self::Request(error) => (error.status(), sentence(text, error)),
        };
        browser.page_with(status, choose_file(&display, &rejection(&reason)))
    }
}

/// The replay of the record in the address. Without a record, the page to choose a file.
pub(crate) async fn show(
    Query(query): Query<RecordQuery>,
    Query(position): Query<ReplayQuery>,
    browser: Browser,
) -> Response {
    let Some(record) = &query.record else {
        return browser.page(choose_file(&browser.display(), &Markup::default()));
    };
    let replay = || -> Result<Response, RejectedUpload> {
        let json = BASE64_URL_SAFE_NO_PAD.decode(record).map_err(|_| BadFile::CutOff)?;
        let records = records_in(&String::from_utf8_lossy(&json))?;
        let (replay, false_claims) = Replay::of_record(records.first().ok_or(BadFile::Empty)?)?;
        Ok(position.page(&browser, &replay, Source::File { record, false_claims: &false_claims }, &[]))
    };
    replay().unwrap_or_else(|error| error.page(&browser))
}

/// Accepts an uploaded file or a pasted text. Redirects to the replay of its game, or lists the games if it has
/// several.
pub(crate) async fn open(State(state): State<AppState>, browser: Browser, body: Body) -> Response {
    let games = match uploaded_games(&state, &browser.headers, body).await {
        Ok(games) => games,
        Err(error) => return error.page(&browser),
    };
    if let [(_, address)] = games.as_slice() {
        return see_other(address);
    }
    let display = browser.display();
    browser.page(choose_file(&display, &game_list(display.text, &games)))
}

/// The uploaded games, each with the address of its replay.
async fn uploaded_games(
    state: &AppState,
    headers: &HeaderMap,
    body: Body,
) -> Result<Vec<(Replay, String)>, RejectedUpload> {
    let bytes = read_body(headers, body, state).await.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => RejectedUpload::TooLong,
        _ => RejectedUpload::Request(error),
    })?;
    let text = uploaded_text(headers, bytes).await.ok_or(BadFile::NoRecord)?;
    records_in(&text)?.iter().map(|record| Ok((Replay::of_record(record)?.0, address(record)?))).collect()
}

/// The address of the replay of a recorded game.
fn address(record: &Record) -> Result<String, RejectedUpload> {
    let json = serde_json::to_vec(record).map_err(|_| BadFile::NoRecord)?;
    if json.len() > MAX_RECORD_BYTES {
        return Err(RejectedUpload::TooLong);
    }
    Ok(format!("/replay?record={}", BASE64_URL_SAFE_NO_PAD.encode(json)))
}

/// The text of the record: in the one field of a form, or the whole body, as programs may send it. `None` if the form
/// is malformed.
async fn uploaded_text(headers: &HeaderMap, bytes: Bytes) -> Option<String> {
    #[derive(Deserialize)]
    struct Pasted {
        record: String,
    }
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let to_text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let is_multipart = content_type.starts_with("multipart/form-data");
    if !is_multipart && !content_type.starts_with("application/x-www-form-urlencoded") {
        return Some(to_text(&bytes));
    }
    // The extractors of axum parse forms, but only as whole requests.
    let request = Request::post("/").header(header::CONTENT_TYPE, content_type).body(Body::from(bytes)).ok()?;
    if is_multipart {
        let mut form = Multipart::from_request(request, &()).await.ok()?;
        return Some(to_text(&form.next_field().await.ok()??.bytes().await.ok()?));
    }
    Some(Form::<Pasted>::from_request(request, &()).await.ok()?.0.record)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    /// The record that is read from a request with this content type and body.
    async fn uploaded(content_type: &'static str, body: &str) -> Option<String> {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(content_type))]);
        uploaded_text(&headers, Bytes::copy_from_slice(body.as_bytes())).await
    }

    #[tokio::test]
    async fn record_is_read_from_an_uploaded_file() {
        const MULTIPART: &str = "multipart/form-data; boundary=x";
        let field_head = "--x\r\nContent-Disposition: form-data; name=\"record\"; filename=\"a.json\"\r\n\r\n";
        let form = format!("{field_head}a\r\n\r\n-- b\r\n--x--\r\n");
        assert_eq!(uploaded(MULTIPART, &form).await.as_deref(), Some("a\r\n\r\n-- b"));
        assert_eq!(uploaded(MULTIPART, &format!("{field_head}\r\n--x--")).await.as_deref(), Some(""));
        // The field is complete with the boundary `--x` after it; the rest of the form may be missing.
        for length in 0..form.len() - "--\r\n".len() {
            assert_eq!(uploaded(MULTIPART, &form[..length]).await, None, "cut off after {length} bytes");
        }
        assert_eq!(uploaded("multipart/form-data; boundary=y", &form).await, None);
        assert_eq!(uploaded("multipart/form-data", &form).await, None);
    }

    #[tokio::test]
    async fn record_is_read_from_a_pasted_text_or_the_body_itself() {
        assert_eq!(uploaded("application/x-www-form-urlencoded", "record=%7B%7D").await.as_deref(), Some("{}"));
        assert_eq!(uploaded("application/json", "{}").await.as_deref(), Some("{}"));
    }
}
