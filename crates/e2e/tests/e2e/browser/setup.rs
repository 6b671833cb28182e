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
    /// Starts a server without pauses of bots, and a browser.
    pub(crate) async fn open() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let db = format!("sqlite:{}", folder.path().join("sultan.db").display());
        let server = Server::start(Path::new(crate::SULTAN), &db, &[]).await?;
        let browser = Browser::start().await?;
        Ok(Self { server, browser, _folder: folder })
    }

    /// The host and port of the server, such as `127.0.0.1:8080`.
    pub(crate) fn home(&self) -> String {
        self.server.address.to_string()
    }

    /// The URL of a path.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.server.address)
    }

    /// A new user on the home page.
    pub(crate) async fn guest(&self, look: Look) -> Result<Person> {
        let person = self.browser.person(look).await?;
        person.goto(&self.at("/")).await?;
        Ok(person)
    }

    /// A new user at a new table against bots.
    pub(crate) async fn player(&self, look: Look) -> Result<Person> {
        let person = self.guest(look).await?;
        person.click("#play button[type=submit]").await?;
        person.find("main#table").await?;
        Ok(person)
    }

    /// Closes the browser and stops the server.
    pub(crate) async fn close(self) -> Result<()> {
        self.browser.close().await
    }
}

/// The table's ID in a URL such as `http://…/t/ID?seat=1`.
pub(crate) fn table_of(url: &str) -> Result<String> {
    let (_, rest) = url.split_once("/t/").with_context(|| format!("{url} is no table's"))?;
    Ok(rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned())
}
