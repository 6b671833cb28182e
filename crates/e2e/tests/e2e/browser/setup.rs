//! A server and a browser for one test.

use std::path::Path;

use anyhow::{Context, Result};
use sultan_e2e::browser::{Browser, Device, Engine, User};
use sultan_testkit::server::Server;
use tempfile::TempDir;

/// A server and a browser.
pub(crate) struct TestSetup {
    pub(crate) server: Server,
    pub(crate) browser: Browser,
    _folder: TempDir,
}

impl TestSetup {
    /// Starts a server without pauses of bots, and Chromium.
    pub(crate) async fn open() -> Result<Self> {
        Self::start(Engine::Chromium, &[]).await
    }

    /// Starts a server without pauses of bots, and a browser.
    pub(crate) async fn open_in(engine: Engine) -> Result<Self> {
        Self::start(engine, &[]).await
    }

    /// Starts a server with these arguments, and Chromium.
    pub(crate) async fn with_args(args: &[&str]) -> Result<Self> {
        Self::start(Engine::Chromium, args).await
    }

    async fn start(engine: Engine, args: &[&str]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let db = format!("sqlite:{}", folder.path().join("sultan.db").display());
        let server = Server::start(Path::new(crate::SULTAN), &db, args).await?;
        let browser = Browser::start(engine).await?;
        Ok(Self { server, browser, _folder: folder })
    }

    /// The host and port of the server, such as `127.0.0.1:8080`.
    pub(crate) fn authority(&self) -> String {
        self.server.address.to_string()
    }

    /// The URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.server.address)
    }

    /// A new user on the home page.
    pub(crate) async fn new_visitor(&self, device: Device) -> Result<User> {
        let user = self.browser.new_user(device).await?;
        user.goto(&self.url("/")).await?;
        Ok(user)
    }

    /// A new user at a new table against bots.
    pub(crate) async fn new_player(&self, device: Device) -> Result<User> {
        let user = self.new_visitor(device).await?;
        user.click("#play button[type=submit]").await?;
        user.find("main#table").await?;
        Ok(user)
    }

    /// Closes the browser and stops the server.
    pub(crate) async fn close(self) -> Result<()> {
        self.browser.close().await
    }
}

/// The table's ID in a URL such as `http://…/t/ID?seat=1`.
pub(crate) fn table_of(url: &str) -> Result<String> {
    let (_, after_prefix) = url.split_once("/t/").with_context(|| format!("{url} is not the address of a table"))?;
    Ok(after_prefix.split(['/', '?', '#']).next().unwrap_or_default().to_owned())
}
