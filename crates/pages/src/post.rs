//! Forms of the pages, as they arrive from a browser.

use axum::extract::{FromRequest, Request};
use axum::http::{Extensions, StatusCode};
use sultan_domain::{ClientSeed, TableId};
use sultan_server::cookies::visitor;
use sultan_server::extract::{is_read_or_same_origin, path_param, read_form};
use sultan_server::{AppState, WebError};
use sultan_table::{NewPlayer, Rejection, Visitor};
use sultan_text::Text;

use crate::browser::Browser;
use crate::html::problem::sentence;
use crate::remembered::RememberedChoices;

/// The submitted fields by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// The trimmed value of a field; empty if it is missing.
    pub(crate) fn get(&self, name: &str) -> &str {
        let field = self.0.iter().find(|(key, _)| key == name);
        field.map(|(_, value)| value.trim()).unwrap_or_default()
    }

    /// The parsed value of a field; `None` if it is missing or malformed.
    pub(crate) fn parse<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name).parse().ok()
    }

    /// The client seed, which is the player's contribution to the shuffle: a word that the player typed, or random text
    /// from the page's script.
    pub(crate) fn client_seed(&self) -> Result<ClientSeed, WebError> {
        let too_long = |_| WebError::new(StatusCode::UNPROCESSABLE_ENTITY, "seed/too-long", "this word is too long");
        ClientSeed::try_from(self.get("client_seed").to_owned()).map_err(too_long)
    }
}

/// A form that was rejected. Its page is shown again, with the submitted values and the reason.
pub(crate) struct RejectedForm {
    /// The name that distinguishes the form from other forms of its page.
    pub(crate) form: &'static str,
    pub(crate) fields: Fields,
    /// The reason, in the reader's language.
    pub(crate) sentence: String,
    pub(crate) status: StatusCode,
}

impl RejectedForm {
    pub(crate) fn new(form: &'static str, fields: Fields, text: Text, error: &WebError) -> Self {
        Self { form, fields, sentence: sentence(text, error), status: error.status() }
    }
}

/// A form, and the browser that sent it.
pub(crate) struct Post {
    pub(crate) browser: Browser,
    /// The visitor that the cookie identifies, or a new visitor.
    pub(crate) visitor: Visitor,
    /// The request's extensions, from which the rate limits get the client's address.
    pub(crate) extensions: Extensions,
    pub(crate) fields: Fields,
    /// The table in the path, if there is a valid one.
    table: Option<TableId>,
}

impl Post {
    /// The table in the path, or an error if the path has no valid one.
    pub(crate) fn table(&self) -> Result<TableId, Rejection> {
        self.table.ok_or(Rejection::NoSuchTable)
    }

    /// This name, or "Guest" in the reader's language if it is empty.
    pub(crate) fn name_or_guest(&self, name: &str) -> String {
        if name.trim().is_empty() { self.browser.display().text.say("home-guest") } else { name.to_owned() }
    }

    /// A player with the name that this browser used last, for a form without a name field.
    pub(crate) fn remembered_player(&self) -> NewPlayer {
        let name = self.name_or_guest(&RememberedChoices::from_cookies(&self.browser.headers).name);
        NewPlayer { name, visitor: Some(self.visitor), ..NewPlayer::default() }
    }

    /// The browser, and the rejected form to show to it again.
    pub(crate) fn rejected(self, form: &'static str, error: &WebError) -> (Browser, RejectedForm) {
        let rejected = RejectedForm::new(form, self.fields, self.browser.display().text, error);
        (self.browser, rejected)
    }
}

impl FromRequest<AppState> for Post {
    type Rejection = WebError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, WebError> {
        let (mut parts, body) = request.into_parts();
        // Checked even if the request has no cookie: another site must not make a new visitor's browser take a seat.
        if !is_read_or_same_origin(&parts) {
            return Err(WebError::cross_site());
        }
        let table = path_param(&mut parts, "id").await;
        let browser = Browser::with_origin(&parts, visitor(&parts.headers, state), state);
        let visitor = browser.visitor.unwrap_or_else(Visitor::random);
        let extensions = parts.extensions.clone();
        let fields = Fields(read_form(parts, body, state).await?);
        Ok(Self { browser, visitor, extensions, fields, table })
    }
}
