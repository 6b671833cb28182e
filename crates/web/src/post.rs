//! A form that somebody sends from one of the pages.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::{Extensions, HeaderMap, StatusCode};
use sultan_domain::{ClientSeed, TableId};
use sultan_table::{Rejection, Visitor};

use crate::cookies::Remembered;
use crate::error::WebError;
use crate::extract::{form, is_own_page, param};
use crate::guest::Guest;
use crate::routes::pages::PageError;
use crate::state::AppState;

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

/// A form that was refused: shown again as it was filled in, with the reason.
pub(crate) struct Typed {
    /// Which of the page's forms.
    pub(crate) form: &'static str,
    pub(crate) fields: Fields,
    /// Why it was refused.
    pub(crate) sentence: String,
}

impl Typed {
    /// A form without fields worth keeping.
    pub(crate) fn told(form: &'static str, sentence: String) -> Self {
        Self { form, fields: Fields::default(), sentence }
    }
}

/// A form, with who sends it.
pub(crate) struct Post {
    pub(crate) guest: Guest,
    pub(crate) headers: HeaderMap,
    pub(crate) extensions: Extensions,
    pub(crate) fields: Fields,
}

impl Post {
    /// The browser that sends it: known already, or from now on.
    pub(crate) fn browser(&self) -> Visitor {
        self.guest.visitor.unwrap_or_else(Visitor::random)
    }

    /// This name, or what somebody without one is called.
    pub(crate) fn name_or_guest(&self, name: &str) -> String {
        if name.trim().is_empty() { self.guest.text.say("home-guest") } else { name.to_owned() }
    }

    /// The name used last, where a form asks for none.
    pub(crate) fn known_name(&self) -> String {
        self.name_or_guest(&Remembered::from(&self.headers).name)
    }

    pub(crate) fn problem(self, error: impl Into<WebError>) -> PageError {
        PageError::new(self.guest, self.headers, error)
    }
}

impl FromRequest<AppState> for Post {
    type Rejection = PageError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, PageError> {
        let (mut parts, body) = request.into_parts();
        let Ok(guest) = Guest::from_request_parts(&mut parts, state).await;
        let (headers, extensions) = (parts.headers.clone(), parts.extensions.clone());
        let read = async {
            // Also where no cookie comes along: nobody else makes a browser sit down somewhere.
            if !is_own_page(&parts) {
                return Err(WebError::cross_site());
            }
            form(parts, body, state).await
        };
        match read.await {
            Ok(fields) => Ok(Self { guest, headers, extensions, fields: Fields(fields) }),
            Err(error) => Err(PageError::new(guest, headers, error)),
        }
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
        let table = param(&mut parts, "id").await;
        let post = Post::from_request(Request::from_parts(parts, body), state).await?;
        match table {
            Some(table) => Ok(Self { table, post }),
            None => Err(post.problem(Rejection::NoSuchTable)),
        }
    }
}
