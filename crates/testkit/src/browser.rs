//! A real browser, driven from tests: people with their own cookies, phones and desktops, with and without a script.
//!
//! Whatever a page is sent, asks for or complains about is written down in [`Heard`].

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use chromiumoxide::Page;
use chromiumoxide::browser::{Browser as Chromium, BrowserConfig};
use chromiumoxide::cdp::IntoEventKind;
use chromiumoxide::cdp::browser_protocol::dom::ScrollIntoViewIfNeededParams;
use chromiumoxide::cdp::browser_protocol::emulation::{
    MediaFeature, SetDeviceMetricsOverrideParams, SetScriptExecutionDisabledParams, SetTouchEmulationEnabledParams,
};
use chromiumoxide::cdp::browser_protocol::log::EventEntryAdded;
use chromiumoxide::cdp::browser_protocol::network::{
    EventLoadingFinished, EventRequestWillBeSent, EventResponseReceived, EventWebSocketCreated,
    EventWebSocketFrameReceived, GetResponseBodyParams, Headers, SetExtraHttpHeadersParams,
};
use chromiumoxide::cdp::browser_protocol::page::CaptureScreenshotFormat;
use chromiumoxide::cdp::browser_protocol::target::{CreateBrowserContextParams, CreateTargetParams};
use chromiumoxide::cdp::js_protocol::runtime::{ConsoleApiCalledType, EventConsoleApiCalled, EventExceptionThrown};
use chromiumoxide::element::Element;
use chromiumoxide::page::ScreenshotParams;
use futures_util::StreamExt;
use serde_json::json;
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

/// How somebody gets one.
pub const HOW_TO_GET_CHROMIUM: &str = "Chromium is not installed: apt-get install chromium (or set SULTAN_CHROMIUM)";

/// So long something may take to appear.
const PATIENCE: Duration = Duration::from_secs(20);

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
        let target = CreateTargetParams::builder().url("about:blank").browser_context_id(context);
        let page = self.chromium.new_page(target.build().map_err(|error| anyhow!(error))?).await?;
        let person = Person { page, heard: Arc::default() };
        person.listen().await?;
        person.look_with(look).await?;
        Ok(person)
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

/// Somebody with a page open.
pub struct Person {
    page: Page,
    heard: Arc<Mutex<Heard>>,
}

impl Person {
    /// What the page heard so far.
    pub fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page itself, for what has no name here.
    #[must_use]
    pub fn page(&self) -> &Page {
        &self.page
    }

    async fn on<E: IntoEventKind + Send + Sync + Unpin + 'static>(
        &self,
        note: impl Fn(&mut Heard, &E) + Send + 'static,
    ) -> Result<()> {
        let mut events = self.page.event_listener::<E>().await?;
        let heard = Arc::clone(&self.heard);
        tokio::spawn(async move {
            while let Some(event) = events.next().await {
                note(&mut heard.lock().unwrap_or_else(PoisonError::into_inner), &event);
            }
        });
        Ok(())
    }

    async fn listen(&self) -> Result<()> {
        self.on::<EventExceptionThrown>(|heard, event| {
            let details = &event.exception_details;
            let more = details.exception.as_ref().and_then(|exception| exception.description.clone());
            heard.errors.push(format!("exception: {} {}", details.text, more.unwrap_or_default()));
        })
        .await?;
        self.on::<EventEntryAdded>(|heard, event| {
            let entry = &event.entry;
            heard.errors.push(format!("log: {} {}", entry.text, entry.url.as_deref().unwrap_or_default()));
        })
        .await?;
        self.on::<EventConsoleApiCalled>(|heard, event| {
            if matches!(event.r#type, ConsoleApiCalledType::Error | ConsoleApiCalledType::Warning) {
                heard.errors.push(format!("console: {:?}", event.args));
            }
        })
        .await?;
        self.on::<EventRequestWillBeSent>(|heard, event| heard.asked.push(event.request.url.clone())).await?;
        self.on::<EventWebSocketCreated>(|heard, event| heard.asked.push(event.url.clone())).await?;
        self.on::<EventWebSocketFrameReceived>(|heard, event| {
            heard.messages.push(event.response.payload_data.len());
            heard.texts.push(event.response.payload_data.clone());
        })
        .await?;
        self.on::<EventResponseReceived>(|heard, event| {
            heard.texts.push(format!("{:?}", event.response.headers));
        })
        .await?;
        self.keep_bodies().await?;
        self.page.enable_log().await?;
        Ok(())
    }

    /// Writes down what answers held, as far as the browser still has it.
    async fn keep_bodies(&self) -> Result<()> {
        let mut finished = self.page.event_listener::<EventLoadingFinished>().await?;
        let (heard, page) = (Arc::clone(&self.heard), self.page.clone());
        tokio::spawn(async move {
            while let Some(event) = finished.next().await {
                let body = page.execute(GetResponseBodyParams::new(event.request_id.clone())).await;
                let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                heard.bytes += event.encoded_data_length;
                if let Ok(body) = body {
                    heard.texts.push(body.result.body);
                }
            }
        });
        Ok(())
    }

    /// Changes what the person looks with.
    ///
    /// # Errors
    /// When the browser does not do it.
    pub async fn look_with(&self, look: Look) -> Result<()> {
        let page = &self.page;
        let (width, height) = (i64::from(look.width), i64::from(look.height));
        let scale = if look.touch { 2.0 } else { 1.0 };
        page.execute(SetDeviceMetricsOverrideParams::new(width, height, scale, look.touch)).await?;
        page.execute(SetTouchEmulationEnabledParams::new(look.touch)).await?;
        page.execute(SetScriptExecutionDisabledParams::new(!look.script)).await?;
        let feature = |name: &str, value: &str| MediaFeature { name: name.into(), value: value.into() };
        page.emulate_media_features(vec![
            feature("prefers-color-scheme", if look.dark { "dark" } else { "light" }),
            feature("prefers-reduced-motion", if look.calm { "reduce" } else { "no-preference" }),
        ])
        .await?;
        let headers = Headers::new(json!({ "Accept-Language": look.lang }));
        page.execute(SetExtraHttpHeadersParams::new(headers)).await?;
        Ok(())
    }

    /// Goes to an address.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn goto(&self, url: &str) -> Result<()> {
        self.page.goto(url).await.with_context(|| format!("{url} does not answer"))?;
        Ok(())
    }

    /// Where the person is.
    ///
    /// # Errors
    /// When the browser does not say.
    pub async fn url(&self) -> Result<String> {
        Ok(self.page.url().await?.unwrap_or_default())
    }

    /// What there is for a selector, once it is there.
    ///
    /// # Errors
    /// When it does not appear.
    pub async fn find(&self, selector: &str) -> Result<Element> {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Ok(element) = self.page.find_element(selector).await {
                return Ok(element);
            }
            if Instant::now() > until {
                bail!("there is no “{selector}” at {}", self.url().await.unwrap_or_default());
            }
            sleep(Duration::from_millis(40)).await;
        }
    }

    /// Whether there is something for a selector now.
    pub async fn has(&self, selector: &str) -> bool {
        self.page.find_element(selector).await.is_ok()
    }

    /// Waits until one of these is there, and says which.
    ///
    /// # Errors
    /// When none appears.
    pub async fn either(&self, selectors: &[&str]) -> Result<usize> {
        let until = Instant::now() + PATIENCE;
        loop {
            for (place, selector) in selectors.iter().enumerate() {
                if self.has(selector).await {
                    return Ok(place);
                }
            }
            if Instant::now() > until {
                bail!("there is none of {selectors:?} at {}", self.url().await.unwrap_or_default());
            }
            sleep(Duration::from_millis(40)).await;
        }
    }

    /// Clicks where it is, as a hand would.
    ///
    /// # Errors
    /// When there is nothing to click.
    pub async fn click(&self, selector: &str) -> Result<()> {
        let element = self.find(selector).await?;
        let into_view = ScrollIntoViewIfNeededParams::builder().backend_node_id(element.backend_node_id).build();
        self.page.execute(into_view).await.with_context(|| format!("“{selector}” is not in sight"))?;
        let point = element.clickable_point().await.with_context(|| format!("“{selector}” cannot be clicked"))?;
        self.page.click(point).await?;
        Ok(())
    }

    /// Presses a key, whatever has the focus.
    ///
    /// # Errors
    /// When there is no such key.
    pub async fn press(&self, key: &str) -> Result<()> {
        self.find("body").await?.press_key(key).await?;
        Ok(())
    }

    /// Writes into a field.
    ///
    /// # Errors
    /// When there is no such field.
    pub async fn write(&self, selector: &str, text: &str) -> Result<()> {
        self.click(selector).await?;
        self.find(selector).await?.type_str(text).await?;
        Ok(())
    }

    /// The text of what there is for a selector.
    ///
    /// # Errors
    /// When there is nothing.
    pub async fn text(&self, selector: &str) -> Result<String> {
        Ok(self.find(selector).await?.inner_text().await?.unwrap_or_default())
    }

    /// What an expression is in the page.
    ///
    /// # Errors
    /// When it fails there, or is something else.
    pub async fn ask<T: serde::de::DeserializeOwned>(&self, expression: &str) -> Result<T> {
        let told = self.page.evaluate(expression).await.with_context(|| format!("“{expression}” fails"))?;
        Ok(told.into_value()?)
    }

    /// Waits until an expression is true in the page.
    ///
    /// # Errors
    /// When it does not become true.
    pub async fn until(&self, expression: &str) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            // A page that is just being replaced has no answer.
            if self.ask::<bool>(expression).await.unwrap_or(false) {
                return Ok(());
            }
            if Instant::now() > until {
                bail!("“{expression}” does not become true at {}", self.url().await.unwrap_or_default());
            }
            sleep(Duration::from_millis(40)).await;
        }
    }

    /// Writes a picture of what is in sight.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn picture(&self, file: &Path) -> Result<()> {
        let params = ScreenshotParams::builder().format(CaptureScreenshotFormat::Png).build();
        std::fs::write(file, self.page.screenshot(params).await?)?;
        Ok(())
    }

    /// What went wrong in this person's page, or would have gone elsewhere than to `home`.
    ///
    /// # Errors
    /// When something did.
    pub fn all_well(&self, home: &str) -> Result<()> {
        let heard = self.heard();
        let own = |url: &&String| {
            let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
            rest.starts_with(home) || url.starts_with("data:") || url.starts_with("about:")
        };
        let elsewhere: Vec<_> = heard.asked.iter().filter(|url| !own(url)).collect();
        if !heard.errors.is_empty() || !elsewhere.is_empty() {
            bail!("errors: {:#?}, asked elsewhere: {elsewhere:?}", heard.errors);
        }
        Ok(())
    }
}
