//! A real browser, driven from tests: people with their own cookies, phones and desktops, with and without a script.
//!
//! Whatever a page is sent, asks for or complains about is written down in [`Heard`].

mod person;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use chromiumoxide::browser::{Browser as Chromium, BrowserConfig};
use chromiumoxide::cdp::browser_protocol::target::{CreateBrowserContextParams, CreateTargetParams};
use futures_util::StreamExt;
use tempfile::TempDir;

pub use person::Person;

/// How somebody gets one.
pub const HOW_TO_GET_CHROMIUM: &str = "Chromium is not installed: apt-get install chromium (or set SULTAN_CHROMIUM)";

/// A running browser. It ends with this value.
pub struct Browser {
    chromium: Chromium,
    _profile: TempDir,
}

/// With what somebody looks at pages.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Look {
    /// The window's width.
    pub width: u32,
    /// The window's height.
    pub height: u32,
    /// Whether fingers touch it.
    pub touch: bool,
    /// What `Accept-Language` says.
    pub lang: &'static str,
    /// Whether scripts run.
    pub script: bool,
    /// Whether the device asks for a night look.
    pub dark: bool,
    /// Whether the device asks for little motion.
    pub calm: bool,
}

impl Look {
    /// A desktop.
    pub const DESKTOP: Self =
        Self { width: 1440, height: 900, touch: false, lang: "en", script: true, dark: true, calm: false };
    /// A phone.
    pub const PHONE: Self = Self { width: 390, height: 844, touch: true, ..Self::DESKTOP };
}

/// What a page was sent, asked for and complained about.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// Complaints: exceptions, errors and warnings of the console, blocked requests.
    pub errors: Vec<String>,
    /// The addresses asked for, in order.
    pub asked: Vec<String>,
    /// All texts received: pages, answers, and what came by sockets.
    pub texts: Vec<String>,
    /// What each message of a socket weighed.
    pub messages: Vec<usize>,
    /// How many bytes came over the wire, sockets aside.
    pub bytes: f64,
}

impl Browser {
    /// Where Chromium is.
    #[must_use]
    pub fn installed() -> Option<PathBuf> {
        if let Some(given) = std::env::var_os("SULTAN_CHROMIUM") {
            return Some(given.into());
        }
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path)
            .flat_map(|folder| ["chromium", "chromium-browser", "google-chrome"].map(|name| folder.join(name)))
            .find(|program| program.is_file())
    }

    /// Starts one.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start() -> Result<Self> {
        let program = Self::installed().context(HOW_TO_GET_CHROMIUM)?;
        let profile = tempfile::tempdir()?;
        let quiet = [
            "disable-gpu",
            "disable-quic",
            "no-first-run",
            "disable-background-networking",
            "disable-component-update",
            "disable-sync",
            // Several people look at once: none of their pages is in the background.
            "disable-backgrounding-occluded-windows",
            "disable-renderer-backgrounding",
            "disable-background-timer-throttling",
            "disable-dev-shm-usage",
            "hide-scrollbars",
            "force-color-profile=srgb",
        ];
        let config = BrowserConfig::builder()
            .chrome_executable(program)
            .user_data_dir(profile.path())
            .new_headless_mode()
            // Its sandbox refuses to work for root, and all it ever sees here is our own server.
            .no_sandbox()
            .enable_cache()
            .viewport(None)
            .launch_timeout(Duration::from_mins(1))
            .request_timeout(Duration::from_mins(1))
            .args(quiet)
            .build()
            .map_err(|error| anyhow!(error))?;
        let (chromium, mut handler) = Chromium::launch(config).await?;
        tokio::spawn(async move { while handler.next().await.is_some() {} });
        Ok(Self { chromium, _profile: profile })
    }

    /// A person with a browser of their own: no cookie is shared.
    ///
    /// # Errors
    /// When the browser does not do it.
    pub async fn person(&self, look: Look) -> Result<Person> {
        let context = self.chromium.create_browser_context(CreateBrowserContextParams::default()).await?;
        let target = CreateTargetParams::builder().url("about:blank").browser_context_id(context).new_window(true);
        let page = self.chromium.new_page(target.build().map_err(|error| anyhow!(error))?).await?;
        Person::with(page, look).await
    }

    /// Ends it in good order.
    ///
    /// # Errors
    /// When it does not end.
    pub async fn close(mut self) -> Result<()> {
        self.chromium.close().await?;
        self.chromium.wait().await?;
        Ok(())
    }
}
