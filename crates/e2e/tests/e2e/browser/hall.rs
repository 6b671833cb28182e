//! A server and a browser for one test.

use std::path::Path;

use anyhow::{Context, Result};
use sultan_e2e::browser::{Browser, Look, Person};
use sultan_testkit::server::Server;
use tempfile::TempDir;

/// A server and a browser.
pub(crate) struct Hall {
    pub(crate) server: Server,
    pub(crate) browser: Browser,
    _folder: TempDir,
}

impl Hall {
    /// A server whose bots do not pause.
    pub(crate) async fn open() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let db = format!("sqlite:{}", folder.path().join("sultan.db").display());
        let server = Server::start(Path::new(crate::SULTAN), &db, &[]).await?;
        let browser = Browser::start().await?;
        Ok(Self { server, browser, _folder: folder })
    }

    /// Where the server is, as in `127.0.0.1:8080`.
    pub(crate) fn home(&self) -> String {
        self.server.address.to_string()
    }

    /// The address of a path.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.server.address)
    }

    /// Somebody at the home page.
    pub(crate) async fn guest(&self, look: Look) -> Result<Person> {
        let person = self.browser.person(look).await?;
        person.goto(&self.at("/")).await?;
        Ok(person)
    }

    /// Somebody who has just begun to play against bots.
    pub(crate) async fn player(&self, look: Look) -> Result<Person> {
        let person = self.guest(look).await?;
        person.click("#play button[type=submit]").await?;
        person.find("main#table").await?;
        Ok(person)
    }

    /// Ends both.
    pub(crate) async fn close(self) -> Result<()> {
        self.browser.close().await
    }
}

/// The table's name in an address such as `http://…/t/NAME?seat=1`.
pub(crate) fn table_of(url: &str) -> Result<String> {
    let (_, rest) = url.split_once("/t/").with_context(|| format!("{url} is no table's"))?;
    Ok(rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned())
}
