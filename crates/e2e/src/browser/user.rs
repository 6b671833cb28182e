//! A user with an open page: their input, and a log of what the page receives. It is the same for all browsers.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::{Device, PageLog, chromium, firefox};

/// Time limit for an element to appear.
pub(super) const ELEMENT_TIMEOUT: Duration = Duration::from_secs(20);

/// A script that makes the browser like those without view transitions and without `Element.moveBefore`.
const DELETE_VIEW_TRANSITIONS: &str = "delete Document.prototype.startViewTransition; \
    for (const { prototype } of [Element, Document, DocumentFragment]) delete prototype.moveBefore;";

/// A point of the window in CSS pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// A user with an open page.
pub struct User {
    page: Page,
    log: Arc<Mutex<PageLog>>,
}

enum Page {
    Chromium(chromium::Page),
    Firefox(Box<firefox::Page>),
}

impl User {
    pub(super) async fn in_chromium(page: chromiumoxide::Page, device: Device) -> Result<Self> {
        let log = Arc::default();
        let page = chromium::Page::new(page, device, Arc::clone(&log)).await?;
        Self::new(Page::Chromium(page), device, log).await
    }

    pub(super) async fn in_firefox(device: Device) -> Result<Self> {
        let log = Arc::default();
        let page = firefox::Page::open(device, Arc::clone(&log)).await?;
        Self::new(Page::Firefox(Box::new(page)), device, log).await
    }

    async fn new(page: Page, device: Device, log: Arc<Mutex<PageLog>>) -> Result<Self> {
        let user = Self { page, log };
        if !device.has_view_transitions {
            user.run_before_pages(DELETE_VIEW_TRANSITIONS).await?;
        }
        Ok(user)
    }

    /// Everything recorded so far.
    pub fn log(&self) -> MutexGuard<'_, PageLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page in Chromium, for commands without a method here.
    #[must_use]
    pub fn page(&self) -> &chromiumoxide::Page {
        match &self.page {
            Page::Chromium(page) => page.page(),
            Page::Firefox(_) => panic!("this test sends commands that only Chromium has"),
        }
    }

    /// Changes the device and browser settings. In Firefox only the size of the window can change.
    ///
    /// # Errors
    /// If the browser reports an error.
    pub async fn set_device(&self, device: Device) -> Result<()> {
        match &self.page {
            Page::Chromium(page) => page.set_device(device).await,
            Page::Firefox(page) => page.set_size(device).await,
        }
    }

    /// Runs a script in each page that is opened from now on, before the scripts of the page.
    ///
    /// # Errors
    /// If the browser reports an error.
    pub async fn run_before_pages(&self, script: &str) -> Result<()> {
        match &self.page {
            Page::Chromium(page) => page.run_before_pages(script).await,
            Page::Firefox(page) => page.run_before_pages(script).await,
        }
    }

    /// Opens a URL.
    ///
    /// # Errors
    /// If the page cannot be loaded.
    pub async fn goto(&self, url: &str) -> Result<()> {
        let loaded = match &self.page {
            Page::Chromium(page) => page.goto(url).await,
            Page::Firefox(page) => page.goto(url).await,
        };
        loaded.with_context(|| format!("cannot load {url}"))
    }

    /// The URL of the page.
    ///
    /// # Errors
    /// If the browser reports an error.
    pub async fn url(&self) -> Result<String> {
        match &self.page {
            Page::Chromium(page) => page.url().await,
            Page::Firefox(_) => self.evaluate("location.href").await,
        }
    }

    /// Waits for an element.
    ///
    /// # Errors
    /// If the element does not appear in time.
    pub async fn find(&self, selector: &str) -> Result<()> {
        let deadline = Instant::now() + ELEMENT_TIMEOUT;
        while !self.has(selector).await {
            if Instant::now() > deadline {
                bail!("“{selector}” does not appear at {}", self.url().await.unwrap_or_default());
            }
            sleep(Duration::from_millis(40)).await;
        }
        Ok(())
    }

    /// Whether an element matches the selector now.
    pub async fn has(&self, selector: &str) -> bool {
        match &self.page {
            Page::Chromium(page) => page.has(selector).await,
            Page::Firefox(_) => {
                let found = format!("!!document.querySelector({})", Value::from(selector));
                self.evaluate(&found).await.unwrap_or(false)
            }
        }
    }

    /// Waits until one of the selectors matches, and returns its index.
    ///
    /// # Errors
    /// If no element appears in time.
    pub async fn find_any(&self, selectors: &[&str]) -> Result<usize> {
        let deadline = Instant::now() + ELEMENT_TIMEOUT;
        loop {
            for (index, selector) in selectors.iter().enumerate() {
                if self.has(selector).await {
                    return Ok(index);
                }
            }
            if Instant::now() > deadline {
                bail!("none of {selectors:?} appears at {}", self.url().await.unwrap_or_default());
            }
            sleep(Duration::from_millis(40)).await;
        }
    }

    /// Scrolls an element into view and returns the point to click, once the element no longer moves.
    async fn clickable_point(&self, selector: &str) -> Result<Point> {
        self.find(selector).await?;
        let point = match &self.page {
            Page::Chromium(page) => page.clickable_point(selector).await,
            Page::Firefox(page) => page.clickable_point(selector).await,
        };
        point.with_context(|| format!("cannot click “{selector}”"))
    }

    /// Clicks on an element with the mouse.
    ///
    /// # Errors
    /// If the element does not appear or cannot be clicked.
    pub async fn click(&self, selector: &str) -> Result<()> {
        let point = self.clickable_point(selector).await?;
        match &self.page {
            Page::Chromium(page) => page.click_at(point).await,
            Page::Firefox(page) => page.drag_along(&[point]).await,
        }
    }

    /// Drags one element onto another.
    ///
    /// # Errors
    /// If an element does not appear or cannot be clicked.
    pub async fn drag(&self, from: &str, to: &str) -> Result<()> {
        let (from, to) = (self.clickable_point(from).await?, self.clickable_point(to).await?);
        let path = (0..=6).map(|step| {
            let fraction = f64::from(step) / 6.0;
            Point { x: from.x + (to.x - from.x) * fraction, y: from.y + (to.y - from.y) * fraction }
        });
        let path: Vec<_> = path.collect();
        match &self.page {
            Page::Chromium(page) => page.drag_along(&path).await,
            Page::Firefox(page) => page.drag_along(&path).await,
        }
    }

    /// Drops a file from outside the browser on an element. Only Chromium can be told to do so.
    ///
    /// # Errors
    /// If the element does not appear, or the browser is Firefox.
    pub async fn drop_file(&self, file: &Path, selector: &str) -> Result<()> {
        let point = self.clickable_point(selector).await?;
        match &self.page {
            Page::Chromium(page) => page.drop_file(file, point).await,
            Page::Firefox(_) => bail!("a test cannot drop a file in Firefox"),
        }
    }

    /// Presses a key. The focused element gets the event.
    ///
    /// # Errors
    /// If the key is unknown.
    pub async fn press(&self, key: &str) -> Result<()> {
        match &self.page {
            Page::Chromium(page) => {
                self.find("body").await?;
                page.press(key).await
            }
            Page::Firefox(page) => page.press(key).await,
        }
    }

    /// The HTML of the current page. Works without JavaScript too.
    ///
    /// # Errors
    /// If the browser reports an error.
    pub async fn html(&self) -> Result<String> {
        match &self.page {
            Page::Chromium(page) => page.html().await,
            Page::Firefox(_) => self.evaluate("document.documentElement.outerHTML").await,
        }
    }

    /// The text of an element.
    ///
    /// # Errors
    /// If the element does not appear in time.
    pub async fn text(&self, selector: &str) -> Result<String> {
        self.find(selector).await?;
        match &self.page {
            Page::Chromium(page) => page.text(selector).await,
            Page::Firefox(_) => {
                self.evaluate(&format!("document.querySelector({}).innerText", Value::from(selector))).await
            }
        }
    }

    /// Evaluates a JavaScript expression in the page.
    ///
    /// # Errors
    /// If the expression throws, or its value has another type.
    pub async fn evaluate<T: serde::de::DeserializeOwned>(&self, expression: &str) -> Result<T> {
        let value = match &self.page {
            Page::Chromium(page) => page.evaluate(expression).await,
            Page::Firefox(page) => page.evaluate(expression).await,
        };
        Ok(serde_json::from_value(value.with_context(|| format!("cannot evaluate “{expression}”"))?)?)
    }

    /// Waits until a JavaScript expression is true in the page.
    ///
    /// # Errors
    /// If it does not become true in time.
    pub async fn wait_until(&self, expression: &str) -> Result<()> {
        let deadline = Instant::now() + ELEMENT_TIMEOUT;
        loop {
            // Evaluation fails while a new page is being loaded.
            if self.evaluate::<bool>(expression).await.unwrap_or(false) {
                return Ok(());
            }
            if Instant::now() > deadline {
                bail!("“{expression}” does not become true at {}", self.url().await.unwrap_or_default());
            }
            sleep(Duration::from_millis(40)).await;
        }
    }

    /// Writes a screenshot of the visible part of the page.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub async fn screenshot(&self, file: &Path) -> Result<()> {
        let png = match &self.page {
            Page::Chromium(page) => page.screenshot().await?,
            Page::Firefox(page) => page.screenshot().await?,
        };
        Ok(std::fs::write(file, png)?)
    }

    /// Checks that the page reported no errors and sent all requests to `authority` (host and port).
    ///
    /// # Errors
    /// With the errors and the requests to other hosts, if there are any.
    pub fn check_log(&self, authority: &str) -> Result<()> {
        let log = self.log();
        let is_internal = |url: &&String| {
            let without_scheme = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
            without_scheme.starts_with(authority) || url.starts_with("data:") || url.starts_with("about:")
        };
        let external: Vec<_> = log.requests.iter().filter(|url| !is_internal(url)).collect();
        if !log.errors.is_empty() || !external.is_empty() {
            bail!("the page reported errors: {:#?}, or sent requests to other hosts: {external:?}", log.errors);
        }
        Ok(())
    }
}
