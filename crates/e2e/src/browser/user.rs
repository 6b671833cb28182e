//! A user with an open page: their input, and a log of everything the page receives.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use chromiumoxide::Page;
use chromiumoxide::cdp::IntoEventKind;
use chromiumoxide::cdp::browser_protocol::dom::{GetOuterHtmlParams, ScrollIntoViewIfNeededParams};
use chromiumoxide::cdp::browser_protocol::emulation::{
    MediaFeature, SetDeviceMetricsOverrideParams, SetScriptExecutionDisabledParams, SetTouchEmulationEnabledParams,
};
use chromiumoxide::cdp::browser_protocol::input::{
    DispatchDragEventParams, DispatchDragEventType, DispatchMouseEventParams, DispatchMouseEventType, DragData,
    DragDataItem, MouseButton,
};
use chromiumoxide::cdp::browser_protocol::log::EventEntryAdded;
use chromiumoxide::cdp::browser_protocol::network::{
    EventLoadingFinished, EventRequestWillBeSent, EventResponseReceived, EventWebSocketCreated,
    EventWebSocketFrameReceived, GetResponseBodyParams, Headers, SetExtraHttpHeadersParams,
};
use chromiumoxide::cdp::browser_protocol::page::CaptureScreenshotFormat;
use chromiumoxide::cdp::js_protocol::runtime::{ConsoleApiCalledType, EventConsoleApiCalled, EventExceptionThrown};
use chromiumoxide::element::Element;
use chromiumoxide::layout::Point;
use chromiumoxide::page::ScreenshotParams;
use futures_util::StreamExt;
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::{Device, PageLog};

/// Time limit for an element to appear.
const ELEMENT_TIMEOUT: Duration = Duration::from_secs(20);

/// A user with an open page.
pub struct User {
    page: Page,
    log: Arc<Mutex<PageLog>>,
}

impl User {
    pub(super) async fn new(page: Page, device: Device) -> Result<Self> {
        let user = Self { page, log: Arc::default() };
        user.start_recording().await?;
        user.set_device(device).await?;
        Ok(user)
    }

    /// Everything recorded so far.
    pub fn log(&self) -> MutexGuard<'_, PageLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page itself, for commands without a method here.
    #[must_use]
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// Starts a task that adds every event of this kind to the log.
    async fn record<E: IntoEventKind + Send + Sync + Unpin + 'static>(
        &self,
        add: impl Fn(&mut PageLog, &E) + Send + 'static,
    ) -> Result<()> {
        let mut events = self.page.event_listener::<E>().await?;
        let log = Arc::clone(&self.log);
        tokio::spawn(async move {
            while let Some(event) = events.next().await {
                add(&mut log.lock().unwrap_or_else(PoisonError::into_inner), &event);
            }
        });
        Ok(())
    }

    /// Records everything that belongs to a [`PageLog`]. Must be called before the first page is opened.
    async fn start_recording(&self) -> Result<()> {
        self.record::<EventExceptionThrown>(|log, event| {
            let details = &event.exception_details;
            let description = details.exception.as_ref().and_then(|exception| exception.description.clone());
            log.errors.push(format!("exception: {} {}", details.text, description.unwrap_or_default()));
        })
        .await?;
        self.record::<EventEntryAdded>(|log, event| {
            let entry = &event.entry;
            log.errors.push(format!("log: {} {}", entry.text, entry.url.as_deref().unwrap_or_default()));
        })
        .await?;
        self.record::<EventConsoleApiCalled>(|log, event| {
            if matches!(event.r#type, ConsoleApiCalledType::Error | ConsoleApiCalledType::Warning) {
                log.errors.push(format!("console: {:?}", event.args));
            }
        })
        .await?;
        self.record::<EventRequestWillBeSent>(|log, event| log.requests.push(event.request.url.clone())).await?;
        self.record::<EventWebSocketCreated>(|log, event| log.requests.push(event.url.clone())).await?;
        self.record::<EventWebSocketFrameReceived>(|log, event| {
            log.message_sizes.push(event.response.payload_data.len());
            log.received.push(event.response.payload_data.clone());
        })
        .await?;
        self.record::<EventResponseReceived>(|log, event| {
            log.received.push(format!("{:?}", event.response.headers));
        })
        .await?;
        self.record_bodies().await?;
        self.page.enable_log().await?;
        Ok(())
    }

    /// Records the bodies of responses, if the browser still has them.
    async fn record_bodies(&self) -> Result<()> {
        let mut finished = self.page.event_listener::<EventLoadingFinished>().await?;
        let (log, page) = (Arc::clone(&self.log), self.page.clone());
        tokio::spawn(async move {
            while let Some(event) = finished.next().await {
                let body = page.execute(GetResponseBodyParams::new(event.request_id.clone())).await;
                let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
                log.bytes += event.encoded_data_length;
                if let Ok(body) = body {
                    log.received.push(body.result.body);
                }
            }
        });
        Ok(())
    }

    /// Changes the device and browser settings.
    ///
    /// # Errors
    /// If the browser reports an error.
    pub async fn set_device(&self, device: Device) -> Result<()> {
        let page = &self.page;
        let (width, height) = (i64::from(device.width), i64::from(device.height));
        let scale = if device.has_touch { 2.0 } else { 1.0 };
        page.execute(SetDeviceMetricsOverrideParams::new(width, height, scale, device.has_touch)).await?;
        page.execute(SetTouchEmulationEnabledParams::new(device.has_touch)).await?;
        page.execute(SetScriptExecutionDisabledParams::new(!device.has_javascript)).await?;
        let feature = |name: &str, value: &str| MediaFeature { name: name.into(), value: value.into() };
        page.emulate_media_features(vec![
            feature("prefers-color-scheme", if device.prefers_dark { "dark" } else { "light" }),
            feature("prefers-reduced-motion", if device.prefers_reduced_motion { "reduce" } else { "no-preference" }),
        ])
        .await?;
        let headers = Headers::new(json!({ "Accept-Language": device.lang }));
        page.execute(SetExtraHttpHeadersParams::new(headers)).await?;
        Ok(())
    }

    /// Opens a URL.
    ///
    /// # Errors
    /// If the page cannot be loaded.
    pub async fn goto(&self, url: &str) -> Result<()> {
        self.page.goto(url).await.with_context(|| format!("cannot load {url}"))?;
        Ok(())
    }

    /// The URL of the page.
    ///
    /// # Errors
    /// If the browser reports an error.
    pub async fn url(&self) -> Result<String> {
        Ok(self.page.url().await?.unwrap_or_default())
    }

    /// Waits for an element.
    ///
    /// # Errors
    /// If the element does not appear in time.
    pub async fn find(&self, selector: &str) -> Result<Element> {
        let deadline = Instant::now() + ELEMENT_TIMEOUT;
        loop {
            if let Ok(element) = self.page.find_element(selector).await {
                return Ok(element);
            }
            if Instant::now() > deadline {
                bail!("“{selector}” does not appear at {}", self.url().await.unwrap_or_default());
            }
            sleep(Duration::from_millis(40)).await;
        }
    }

    /// Returns whether an element matches the selector now.
    pub async fn has(&self, selector: &str) -> bool {
        self.page.find_element(selector).await.is_ok()
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

    /// Scrolls an element into view and returns the point to click.
    async fn clickable_point(&self, selector: &str) -> Result<Point> {
        let element = self.find(selector).await?;
        let into_view = ScrollIntoViewIfNeededParams::builder().backend_node_id(element.backend_node_id).build();
        self.page.execute(into_view).await.with_context(|| format!("cannot scroll “{selector}” into view"))?;
        // Wait until the element no longer moves by an animation or by scrolling.
        let deadline = Instant::now() + ELEMENT_TIMEOUT;
        let mut last: Option<Point> = None;
        loop {
            let point = element.clickable_point().await.with_context(|| format!("cannot click “{selector}”"))?;
            if last.is_some_and(|last| (last.x - point.x).hypot(last.y - point.y) < 0.5) || Instant::now() > deadline {
                return Ok(point);
            }
            last = Some(point);
            sleep(Duration::from_millis(30)).await;
        }
    }

    /// Clicks on an element with the mouse.
    ///
    /// # Errors
    /// If the element does not appear or cannot be clicked.
    pub async fn click(&self, selector: &str) -> Result<()> {
        let point = self.clickable_point(selector).await?;
        self.page.click(point).await?;
        Ok(())
    }

    /// Drags one element onto another.
    ///
    /// # Errors
    /// If an element does not appear or cannot be clicked.
    pub async fn drag(&self, from: &str, to: &str) -> Result<()> {
        let (from, to) = (self.clickable_point(from).await?, self.clickable_point(to).await?);
        self.page.move_mouse(from).await?;
        self.send_mouse_event(DispatchMouseEventType::MousePressed, from).await?;
        for step in 1..=6 {
            let fraction = f64::from(step) / 6.0;
            let point = Point { x: from.x + (to.x - from.x) * fraction, y: from.y + (to.y - from.y) * fraction };
            self.send_mouse_event(DispatchMouseEventType::MouseMoved, point).await?;
        }
        self.send_mouse_event(DispatchMouseEventType::MouseReleased, to).await
    }

    /// Drops a file from outside the browser on an element.
    ///
    /// # Errors
    /// If the element does not appear.
    pub async fn drop_file(&self, file: &Path, selector: &str) -> Result<()> {
        let point = self.clickable_point(selector).await?;
        let files = Some(vec![file.display().to_string()]);
        // `chromiumoxide` omits an empty list, and the browser rejects an event without a list.
        let items = vec![DragDataItem::new("text/plain", "")];
        // The mask 1 allows to copy the file.
        let data = DragData { items, files, drag_operations_mask: 1 };
        let steps = [DispatchDragEventType::DragEnter, DispatchDragEventType::DragOver, DispatchDragEventType::Drop];
        for step in steps {
            self.page.execute(DispatchDragEventParams::new(step, point.x, point.y, data.clone())).await?;
        }
        Ok(())
    }

    /// Sends a mouse event with the left button pressed.
    async fn send_mouse_event(&self, kind: DispatchMouseEventType, point: Point) -> Result<()> {
        let event = DispatchMouseEventParams::builder().r#type(kind).x(point.x).y(point.y).button(MouseButton::Left);
        let event = event.buttons(1).click_count(1).build().map_err(|error| anyhow!(error))?;
        self.page.execute(event).await?;
        Ok(())
    }

    /// Presses a key. The focused element gets the event.
    ///
    /// # Errors
    /// If the key is unknown.
    pub async fn press(&self, key: &str) -> Result<()> {
        self.find("body").await?.press_key(key).await?;
        Ok(())
    }

    /// The HTML of the current page, read without JavaScript.
    ///
    /// # Errors
    /// If the browser reports an error.
    pub async fn html(&self) -> Result<String> {
        let root = self.page.get_document().await?.node_id;
        let html = self.page.execute(GetOuterHtmlParams::builder().node_id(root).build()).await?;
        Ok(html.result.outer_html)
    }

    /// The text of an element.
    ///
    /// # Errors
    /// If the element does not appear in time.
    pub async fn text(&self, selector: &str) -> Result<String> {
        Ok(self.find(selector).await?.inner_text().await?.unwrap_or_default())
    }

    /// Evaluates a JavaScript expression in the page.
    ///
    /// # Errors
    /// If the expression throws, or its value has another type.
    pub async fn evaluate<T: serde::de::DeserializeOwned>(&self, expression: &str) -> Result<T> {
        let result = self.page.evaluate(expression).await.with_context(|| format!("cannot evaluate “{expression}”"))?;
        Ok(result.into_value()?)
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
        let params = ScreenshotParams::builder().format(CaptureScreenshotFormat::Png).build();
        std::fs::write(file, self.page.screenshot(params).await?)?;
        Ok(())
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
