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

use super::{Heard, Look};

/// Time limit for an element to appear.
const PATIENCE: Duration = Duration::from_secs(20);

/// A user with an open page.
pub struct Person {
    page: Page,
    heard: Arc<Mutex<Heard>>,
}

impl Person {
    pub(super) async fn with(page: Page, look: Look) -> Result<Self> {
        let person = Self { page, heard: Arc::default() };
        person.listen().await?;
        person.look_with(look).await?;
        Ok(person)
    }

    /// Everything recorded so far.
    pub fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page itself, for commands without a method here.
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

    /// Records the bodies of responses, if the browser still has them.
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

    /// Changes the device and browser settings.
    ///
    /// # Errors
    /// If the browser reports an error.
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

    /// Opens a URL.
    ///
    /// # Errors
    /// If the page cannot be loaded.
    pub async fn goto(&self, url: &str) -> Result<()> {
        self.page.goto(url).await.with_context(|| format!("{url} does not answer"))?;
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
        let until = Instant::now() + PATIENCE;
        loop {
            if let Ok(element) = self.page.find_element(selector).await {
                return Ok(element);
            }
            if Instant::now() > until {
                bail!("no “{selector}” at {}", self.url().await.unwrap_or_default());
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
    pub async fn either(&self, selectors: &[&str]) -> Result<usize> {
        let until = Instant::now() + PATIENCE;
        loop {
            for (place, selector) in selectors.iter().enumerate() {
                if self.has(selector).await {
                    return Ok(place);
                }
            }
            if Instant::now() > until {
                bail!("none of {selectors:?} at {}", self.url().await.unwrap_or_default());
            }
            sleep(Duration::from_millis(40)).await;
        }
    }

    /// Scrolls an element into view and returns the point to click.
    async fn place(&self, selector: &str) -> Result<Point> {
        let element = self.find(selector).await?;
        let into_view = ScrollIntoViewIfNeededParams::builder().backend_node_id(element.backend_node_id).build();
        self.page.execute(into_view).await.with_context(|| format!("“{selector}” is not in sight"))?;
        // Wait until the element no longer moves by an animation or by scrolling.
        let until = Instant::now() + PATIENCE;
        let mut before: Option<Point> = None;
        loop {
            let now = element.clickable_point().await.with_context(|| format!("“{selector}” cannot be clicked"))?;
            if before.is_some_and(|before| (before.x - now.x).hypot(before.y - now.y) < 0.5) || Instant::now() > until {
                return Ok(now);
            }
            before = Some(now);
            sleep(Duration::from_millis(30)).await;
        }
    }

    /// Clicks on an element with the mouse.
    ///
    /// # Errors
    /// If the element does not appear or cannot be clicked.
    pub async fn click(&self, selector: &str) -> Result<()> {
        let point = self.place(selector).await?;
        self.page.click(point).await?;
        Ok(())
    }

    /// Drags one element onto another.
    ///
    /// # Errors
    /// If one of them does not appear or cannot be clicked.
    pub async fn drag(&self, from: &str, to: &str) -> Result<()> {
        let (from, to) = (self.place(from).await?, self.place(to).await?);
        self.page.move_mouse(from).await?;
        self.mouse(DispatchMouseEventType::MousePressed, from).await?;
        for step in 1..=6 {
            let part = f64::from(step) / 6.0;
            let point = Point { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
            self.mouse(DispatchMouseEventType::MouseMoved, point).await?;
        }
        self.mouse(DispatchMouseEventType::MouseReleased, to).await
    }

    /// Drops a file from outside the browser on an element.
    ///
    /// # Errors
    /// If the element does not appear.
    pub async fn drop_file(&self, file: &Path, on: &str) -> Result<()> {
        let at = self.place(on).await?;
        let files = Some(vec![file.display().to_string()]);
        // An empty list would be omitted by the library, which the browser rejects.
        let items = vec![DragDataItem::new("text/plain", "")];
        let data = DragData { items, files, drag_operations_mask: 1 };
        let steps = [DispatchDragEventType::DragEnter, DispatchDragEventType::DragOver, DispatchDragEventType::Drop];
        for step in steps {
            self.page.execute(DispatchDragEventParams::new(step, at.x, at.y, data.clone())).await?;
        }
        Ok(())
    }

    async fn mouse(&self, kind: DispatchMouseEventType, at: Point) -> Result<()> {
        let event = DispatchMouseEventParams::builder().r#type(kind).x(at.x).y(at.y).button(MouseButton::Left);
        let event = event.buttons(1).click_count(1).build().map_err(|error| anyhow!(error))?;
        self.page.execute(event).await?;
        Ok(())
    }

    /// Presses a key. The focused element gets it.
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
    pub async fn ask<T: serde::de::DeserializeOwned>(&self, expression: &str) -> Result<T> {
        let told = self.page.evaluate(expression).await.with_context(|| format!("“{expression}” fails"))?;
        Ok(told.into_value()?)
    }

    /// Waits until a JavaScript expression is true in the page.
    ///
    /// # Errors
    /// If it does not become true in time.
    pub async fn until(&self, expression: &str) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            // Evaluation fails while a new page is being loaded.
            if self.ask::<bool>(expression).await.unwrap_or(false) {
                return Ok(());
            }
            if Instant::now() > until {
                bail!("“{expression}” does not become true at {}", self.url().await.unwrap_or_default());
            }
            sleep(Duration::from_millis(40)).await;
        }
    }

    /// Writes a screenshot of the visible part of the page.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub async fn picture(&self, file: &Path) -> Result<()> {
        let params = ScreenshotParams::builder().format(CaptureScreenshotFormat::Png).build();
        std::fs::write(file, self.page.screenshot(params).await?)?;
        Ok(())
    }

    /// Checks that the page reported no errors and sent all requests to `home`.
    ///
    /// # Errors
    /// With the errors and the requests to other hosts, if there are any.
    pub fn all_well(&self, home: &str) -> Result<()> {
        let heard = self.heard();
        let own = |url: &&String| {
            let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
            rest.starts_with(home) || url.starts_with("data:") || url.starts_with("about:")
        };
        let elsewhere: Vec<_> = heard.asked.iter().filter(|url| !own(url)).collect();
        if !heard.errors.is_empty() || !elsewhere.is_empty() {
            bail!("errors: {:#?}, external requests: {elsewhere:?}", heard.errors);
        }
        Ok(())
    }
}
