//! Forms of the pages.

use axum::extract::{FromRequest, Request};
use axum::http::{Extensions, StatusCode};
use sultan_domain::{ClientSeed, TableId};
use sultan_server::cookies::visitor;
use sultan_server::extract::{is_own_page, path_param, read_form};
use sultan_server::{AppState, WebError};
use sultan_table::{Rejection, Sitting, Visitor};
use sultan_text::Text;

use crate::browser::Browser;
use crate::errors::PageError;
use crate::html::problem::sentence;
use crate::remembered::Remembered;

/// What was filled in, by the names of the fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// What a field says; nothing where it is empty or not there.
    pub(crate) fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.trim()).unwrap_or_default()
    }

    /// What a field says, if it can be read.
    pub(crate) fn read<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name).parse().ok()
    }

    /// What the player adds to chance: a word of their own, or what the script thought of.
    pub(crate) fn client_seed(&self) -> Result<ClientSeed, WebError> {
        let too_long = |_| WebError::new(StatusCode::UNPROCESSABLE_ENTITY, "seed/too-long", "this word is too long");
        ClientSeed::new(self.get("client_seed").to_owned()).map_err(too_long)
    }
}

/// A form that was rejected: shown again as it was filled in, with the reason.
pub(crate) struct RejectedForm {
    /// Which of the page's forms.
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

/// A form, and the browser that sends it.
pub(crate) struct Post {
    pub(crate) browser: Browser,
    /// Who sends it: known already, or from now on.
    pub(crate) visitor: Visitor,
    pub(crate) extensions: Extensions,
    pub(crate) fields: Fields,
    table: Option<TableId>,
}

impl Post {
    /// The table that the form is sent to.
    pub(crate) fn table(&self) -> Result<TableId, Rejection> {
        self.table.ok_or(Rejection::NoSuchTable)
    }

    /// This name, or what somebody without one is called.
    pub(crate) fn name_or_guest(&self, name: &str) -> String {
        if name.trim().is_empty() { self.browser.display().text.say("home-guest") } else { name.to_owned() }
    }

    /// Somebody who sits down by a form that asks for nothing: with the name used last.
    pub(crate) fn known_player(&self) -> Sitting {
        let name = self.name_or_guest(&Remembered::from(&self.browser.headers).name);
        Sitting { name, visitor: Some(self.visitor), ..Sitting::default() }
    }

    /// The form as it was filled in, with the reason why it was rejected.
    pub(crate) fn rejected(self, form: &'static str, error: &WebError) -> (Browser, RejectedForm) {
        let rejected = RejectedForm::new(form, self.fields, self.browser.display().text, error);
        (self.browser, rejected)
    }
}

impl FromRequest<AppState> for Post {
    type Rejection = PageError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, PageError> {
        let (mut parts, body) = request.into_parts();
        // Also if no cookie comes along: nobody else makes a browser sit down somewhere.
        if !is_own_page(&parts) {
            return Err(WebError::cross_site().into());
        }
        let table = path_param(&mut parts, "id").await;
        let browser = Browser::new(&parts, visitor(&parts.headers, state));
        let visitor = browser.visitor.unwrap_or_else(Visitor::random);
        let extensions = parts.extensions.clone();
        let fields = Fields(read_form(parts, body, state).await?);
        Ok(Self { browser, visitor, extensions, fields, table })
    }
}
