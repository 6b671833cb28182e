//! Forms of the pages.

use axum::extract::{FromRequest, Request};
use axum::http::{Extensions, HeaderMap, StatusCode};
use sultan_domain::{ClientSeed, TableId};
use sultan_server::cookies::visitor;
use sultan_server::extract::{is_own_page, path_param, read_form};
use sultan_server::{AppState, WebError};
use sultan_table::{Rejection, Visitor};
use sultan_text::Text;

use crate::display::DisplaySettings;
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
    pub(crate) display: DisplaySettings,
    /// The browser, if it is known.
    pub(crate) visitor: Option<Visitor>,
    pub(crate) headers: HeaderMap,
    pub(crate) extensions: Extensions,
    pub(crate) fields: Fields,
}

impl Post {
    /// The browser that sends it: known already, or from now on.
    pub(crate) fn browser(&self) -> Visitor {
        self.visitor.unwrap_or_else(Visitor::random)
    }

    /// This name, or what somebody without one is called.
    pub(crate) fn name_or_guest(&self, name: &str) -> String {
        if name.trim().is_empty() { self.display.text.say("home-guest") } else { name.to_owned() }
    }

    /// The name used last, where a form asks for none.
    pub(crate) fn known_name(&self) -> String {
        self.name_or_guest(&Remembered::from(&self.headers).name)
    }
}

impl FromRequest<AppState> for Post {
    type Rejection = PageError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, PageError> {
        let (parts, body) = request.into_parts();
        // Also if no cookie comes along: nobody else makes a browser sit down somewhere.
        if !is_own_page(&parts) {
            return Err(WebError::cross_site().into());
        }
        let display = DisplaySettings::new(&parts.method, &parts.uri, &parts.headers);
        let visitor = visitor(&parts.headers, state);
        let (headers, extensions) = (parts.headers.clone(), parts.extensions.clone());
        let fields = Fields(read_form(parts, body, state).await?);
        Ok(Self { display, visitor, headers, extensions, fields })
    }
}

/// A form that is sent to a table.
pub(crate) struct TablePost {
    pub(crate) table: TableId,
    pub(crate) post: Post,
}

impl FromRequest<AppState> for TablePost {
    type Rejection = PageError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, PageError> {
        let (mut parts, body) = request.into_parts();
        let table = path_param(&mut parts, "id").await;
        let post = Post::from_request(Request::from_parts(parts, body), state).await?;
        Ok(Self { table: table.ok_or(Rejection::NoSuchTable)?, post })
    }
}
