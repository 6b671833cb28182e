//! A page in Chromium, driven by the Chrome `DevTools` protocol.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
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
use chromiumoxide::page::ScreenshotParams;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::user::{ELEMENT_TIMEOUT, Point};
use super::{Device, PageLog};

/// An open page.
pub(super) struct Page {
    page: chromiumoxide::Page,
    log: Arc<Mutex<PageLog>>,
}

impl Page {
    /// What the page receives, requests and reports as an error goes into the log.
    pub(super) async fn new(page: chromiumoxide::Page, device: Device, log: Arc<Mutex<PageLog>>) -> Result<Self> {
        let page = Self { page, log };
        page.start_recording().await?;
        page.set_device(device).await?;
        Ok(page)
    }

    /// The page itself, for commands without a method here.
    pub(super) fn page(&self) -> &chromiumoxide::Page {
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

    pub(super) async fn set_device(&self, device: Device) -> Result<()> {
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

    /// Runs a script in each new page before the scripts of the page.
    pub(super) async fn run_before_pages(&self, script: &str) -> Result<()> {
        self.page.evaluate_on_new_document(script).await?;
        Ok(())
    }

    pub(super) async fn goto(&self, url: &str) -> Result<()> {
        self.page.goto(url).await?;
        Ok(())
    }

    pub(super) async fn url(&self) -> Result<String> {
        Ok(self.page.url().await?.unwrap_or_default())
    }

    pub(super) async fn has(&self, selector: &str) -> bool {
        self.page.find_element(selector).await.is_ok()
    }

    /// Scrolls an element into view and returns the point to click.
    pub(super) async fn clickable_point(&self, selector: &str) -> Result<Point> {
        let element = self.page.find_element(selector).await?;
        let into_view = ScrollIntoViewIfNeededParams::builder().backend_node_id(element.backend_node_id).build();
        self.page.execute(into_view).await.with_context(|| format!("cannot scroll “{selector}” into view"))?;
        // Wait until the element no longer moves by an animation or by scrolling.
        let deadline = Instant::now() + ELEMENT_TIMEOUT;
        let mut last: Option<Point> = None;
        loop {
            let point = element.clickable_point().await?;
            let point = Point { x: point.x, y: point.y };
            if last.is_some_and(|last| (last.x - point.x).hypot(last.y - point.y) < 0.5) || Instant::now() > deadline {
                return Ok(point);
            }
            last = Some(point);
            sleep(Duration::from_millis(30)).await;
        }
    }

    pub(super) async fn click_at(&self, Point { x, y }: Point) -> Result<()> {
        self.page.click(chromiumoxide::layout::Point { x, y }).await?;
        Ok(())
    }

    /// Presses the mouse button at the first point, moves the mouse to the others, and releases the button.
    pub(super) async fn drag_along(&self, points: &[Point]) -> Result<()> {
        let (Some((first, others)), Some(last)) = (points.split_first(), points.last()) else { return Ok(()) };
        self.page.move_mouse(chromiumoxide::layout::Point { x: first.x, y: first.y }).await?;
        self.send_mouse_event(DispatchMouseEventType::MousePressed, *first).await?;
        for point in others {
            self.send_mouse_event(DispatchMouseEventType::MouseMoved, *point).await?;
        }
        self.send_mouse_event(DispatchMouseEventType::MouseReleased, *last).await
    }

    /// Drops a file from outside the browser at a point.
    pub(super) async fn drop_file(&self, file: &Path, point: Point) -> Result<()> {
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

    pub(super) async fn press(&self, key: &str) -> Result<()> {
        self.page.find_element("body").await?.press_key(key).await?;
        Ok(())
    }

    /// The HTML of the current page, read without JavaScript.
    pub(super) async fn html(&self) -> Result<String> {
        let root = self.page.get_document().await?.node_id;
        let html = self.page.execute(GetOuterHtmlParams::builder().node_id(root).build()).await?;
        Ok(html.result.outer_html)
    }

    /// The visible text of an element.
    pub(super) async fn text(&self, selector: &str) -> Result<String> {
        Ok(self.page.find_element(selector).await?.inner_text().await?.unwrap_or_default())
    }

    pub(super) async fn evaluate(&self, expression: &str) -> Result<Value> {
        Ok(self.page.evaluate(expression).await?.value().cloned().unwrap_or_default())
    }

    /// A screenshot of the visible part of the page, as PNG.
    pub(super) async fn screenshot(&self) -> Result<Vec<u8>> {
        Ok(self.page.screenshot(ScreenshotParams::builder().format(CaptureScreenshotFormat::Png).build()).await?)
    }
}
