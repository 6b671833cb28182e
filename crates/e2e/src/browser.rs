//! Real browsers, driven by tests: several users with separate cookies, on phones and desktops, with and without
//! JavaScript, in Chromium and Firefox.
//!
//! Everything that a page receives, requests or reports as an error is recorded in [`PageLog`]. Chromium is driven by
//! the Chrome `DevTools` protocol, Firefox by `WebDriver BiDi`.

mod bidi;
mod chromium;
mod firefox;
mod user;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use chromiumoxide::browser::{Browser as Chromium, BrowserConfig};
use chromiumoxide::cdp::browser_protocol::target::{CreateBrowserContextParams, CreateTargetParams};
use futures_util::StreamExt;
use tempfile::TempDir;

pub use user::User;

/// The kind of a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Chromium, Chrome and their relatives.
    Chromium,
    /// Firefox.
    Firefox,
}

impl Engine {
    /// The path of the installed browser: `SULTAN_CHROMIUM` or `SULTAN_FIREFOX`, or the first one on the `PATH`.
    #[must_use]
    pub fn installed(self) -> Option<PathBuf> {
        let (variable, names) = match self {
            Self::Chromium => ("SULTAN_CHROMIUM", &["chromium", "chromium-browser", "google-chrome"][..]),
            Self::Firefox => ("SULTAN_FIREFOX", &["firefox-esr", "firefox"][..]),
        };
        if let Some(given) = std::env::var_os(variable) {
            return Some(given.into());
        }
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path)
            .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
            .find(|program| program.is_file())
    }

    /// The message of a test that is skipped because this browser is missing.
    #[must_use]
    pub fn missing(self) -> &'static str {
        match self {
            Self::Chromium => "Chromium is not installed: apt-get install chromium (or set SULTAN_CHROMIUM)",
            Self::Firefox => "Firefox is not installed: apt-get install firefox-esr (or set SULTAN_FIREFOX)",
        }
    }
}

/// A browser for several users. Dropping it ends Chromium; the Firefox of a user ends with the [`User`].
pub enum Browser {
    /// Chromium runs once for all users.
    Chromium(Box<Chromium>, TempDir),
    /// Firefox runs once for each user.
    Firefox,
}

/// The device and browser settings of a user.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the settings are independent")]
pub struct Device {
    /// The width of the window in CSS pixels.
    pub width: u32,
    /// The height of the window in CSS pixels.
    pub height: u32,
    /// Whether the screen is a touch screen.
    pub has_touch: bool,
    /// The language of the `Accept-Language` header, such as `en`.
    pub lang: &'static str,
    /// Whether JavaScript is enabled.
    pub has_javascript: bool,
    /// Whether the device prefers a dark colour scheme.
    pub prefers_dark: bool,
    /// Whether the device prefers reduced motion.
    pub prefers_reduced_motion: bool,
    /// Whether the browser has view transitions and `Element.moveBefore`, which many browsers in use lack.
    pub has_view_transitions: bool,
}

impl Device {
    /// A desktop.
    pub const DESKTOP: Self = Self {
        width: 1440,
        height: 900,
        has_touch: false,
        lang: "en",
        has_javascript: true,
        prefers_dark: true,
        prefers_reduced_motion: false,
        has_view_transitions: true,
    };
    /// A phone.
    pub const PHONE: Self = Self { width: 390, height: 844, has_touch: true, ..Self::DESKTOP };
}

/// Everything that a page received, requested and reported as an error. In Firefox only errors and requests are recorded.
#[derive(Clone, Debug, Default)]
pub struct PageLog {
    /// Exceptions, console errors and warnings, and blocked requests.
    pub errors: Vec<String>,
    /// The requested URLs, in order.
    pub requests: Vec<String>,
    /// All received texts: response headers, response bodies and WebSocket messages. A test can check that they have no
    /// hidden cards.
    pub received: Vec<String>,
    /// The size of each WebSocket message in bytes.
    pub message_sizes: Vec<usize>,
    /// The number of bytes received over the network, without WebSocket messages.
    pub bytes: f64,
}

impl Browser {
    /// Starts a browser.
    ///
    /// # Errors
    /// If the browser does not start.
    pub async fn start(engine: Engine) -> Result<Self> {
        if engine == Engine::Firefox {
            return Ok(Self::Firefox);
        }
        let program = engine.installed().context(engine.missing())?;
        let profile = tempfile::tempdir()?;
        let flags = [
            "disable-gpu",
            "disable-quic",
            "no-first-run",
            "disable-background-networking",
            "disable-component-update",
            "disable-sync",
            // Several users have pages open at once: none of them may be treated as a background page.
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
            // The sandbox does not work for root, and the browser only visits our server.
            .no_sandbox()
            .enable_cache()
            .viewport(None)
            .launch_timeout(Duration::from_mins(1))
            .request_timeout(Duration::from_mins(1))
            .args(flags)
            .build()
            .map_err(|error| anyhow!(error))?;
        let (chromium, mut handler) = Chromium::launch(config).await?;
        // Commands are only sent and answered while the handler is polled.
        tokio::spawn(async move { while handler.next().await.is_some() {} });
        Ok(Self::Chromium(Box::new(chromium), profile))
    }

    /// Opens a page for a new user. Users share no cookies.
    ///
    /// # Errors
    /// If the browser reports an error.
    pub async fn new_user(&self, device: Device) -> Result<User> {
        let Self::Chromium(chromium, _) = self else { return User::in_firefox(device).await };
        let context = chromium.create_browser_context(CreateBrowserContextParams::default()).await?;
        let target = CreateTargetParams::builder().url("about:blank").browser_context_id(context).new_window(true);
        let page = chromium.new_page(target.build().map_err(|error| anyhow!(error))?).await?;
        User::in_chromium(page, device).await
    }

    /// Closes the browser.
    ///
    /// # Errors
    /// If the browser does not close.
    pub async fn close(self) -> Result<()> {
        if let Self::Chromium(mut chromium, _profile) = self {
            chromium.close().await?;
            chromium.wait().await?;
        }
        Ok(())
    }
}
