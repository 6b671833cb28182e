//! A page in Firefox. Each page has a Firefox process with its own profile, because some settings of a [`Device`] (no
//! JavaScript, reduced motion) can only be set there.

use std::fmt::Write;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};

use super::bidi::{Connection, plain_json};
use super::user::{ELEMENT_TIMEOUT, Point};
use super::{Device, Engine, PageLog};

/// Time limit for the start of Firefox on a busy machine.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// Firefox with one open page. Dropping it ends Firefox.
pub(super) struct Page {
    connection: Connection,
    /// The ID of the page in the protocol.
    context: Value,
    _process: Child,
    _profile: TempDir,
}

/// The content of the file `user.js` of a profile: the preferences for a device.
fn preferences(device: Device) -> Result<String> {
    let preferences = [
        ("javascript.enabled", json!(device.has_javascript)),
        ("ui.prefersReducedMotion", json!(i32::from(device.prefers_reduced_motion))),
        ("ui.systemUsesDarkTheme", json!(i32::from(device.prefers_dark))),
        ("intl.accept_languages", json!(device.lang)),
        // Without a graphics card, drawing animations takes most of the CPU time.
        ("layout.frame_rate", json!(20)),
        // One process for pages is enough, and starts faster.
        ("dom.ipc.processCount", json!(1)),
        ("dom.ipc.processPrelaunch.enabled", json!(false)),
        ("fission.autostart", json!(false)),
    ];
    let mut text = String::new();
    for (name, value) in preferences {
        writeln!(text, "user_pref(\"{name}\", {value});")?;
    }
    Ok(text)
}

impl Page {
    /// Starts Firefox. What the page requests and reports as an error goes into the log.
    pub(super) async fn open(device: Device, log: Arc<Mutex<PageLog>>) -> Result<Self> {
        let profile = tempfile::tempdir()?;
        std::fs::write(profile.path().join("user.js"), preferences(device)?)?;
        let mut process = Command::new(Engine::Firefox.installed().context(Engine::Firefox.missing())?)
            .args(["--headless", "--no-remote", "--remote-debugging-port=0", "--profile"])
            .arg(profile.path())
            // Firefox also writes to the home folder.
            .env("HOME", profile.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("cannot start Firefox")?;
        let address = tokio::time::timeout(START_TIMEOUT, address_of(&mut process));
        let address = address.await.context("Firefox does not start in time")??;
        let record = move |event: &str, params: &Value| {
            record(&mut log.lock().unwrap_or_else(PoisonError::into_inner), event, params);
        };
        let connection = Connection::open(&format!("{address}/session"), record).await?;
        connection.send("session.new", json!({ "capabilities": {} })).await?;
        let events = ["log.entryAdded", "network.beforeRequestSent", "network.responseCompleted"];
        connection.send("session.subscribe", json!({ "events": events })).await?;
        // The first window of headless Firefox never gets the focus, so that Enter would not press a focused button.
        let window = connection.send("browsingContext.create", json!({ "type": "window" })).await?;
        let context = window["context"].clone();
        let page = Self { connection, context, _process: process, _profile: profile };
        page.set_size(device).await?;
        Ok(page)
    }

    /// Changes the size of the window.
    pub(super) async fn set_size(&self, Device { width, height, .. }: Device) -> Result<()> {
        let viewport = json!({ "width": width, "height": height });
        self.connection
            .send("browsingContext.setViewport", json!({ "context": self.context, "viewport": viewport }))
            .await?;
        Ok(())
    }

    /// Runs a script in each new page before the scripts of the page.
    pub(super) async fn run_before_pages(&self, script: &str) -> Result<()> {
        let function = format!("() => {{ {script} }}");
        self.connection.send("script.addPreloadScript", json!({ "functionDeclaration": function })).await?;
        Ok(())
    }

    pub(super) async fn goto(&self, url: &str) -> Result<()> {
        let params = json!({ "context": self.context, "url": url, "wait": "complete" });
        self.connection.send("browsingContext.navigate", params).await?;
        Ok(())
    }

    /// Evaluates a JavaScript expression. This also works if pages cannot run scripts.
    pub(super) async fn evaluate(&self, expression: &str) -> Result<Value> {
        let target = json!({ "context": self.context });
        let params = json!({ "expression": expression, "target": target, "awaitPromise": true });
        let result = self.connection.send("script.evaluate", params).await?;
        if result["type"] == "exception" {
            bail!("{}", result["exceptionDetails"]["text"]);
        }
        Ok(plain_json(&result["result"]))
    }

    /// Scrolls an element into view and returns the middle of its visible part, once it no longer moves.
    pub(super) async fn clickable_point(&self, selector: &str) -> Result<Point> {
        let middle = format!("({MIDDLE_OF_ELEMENT})({})", json!(selector));
        let deadline = Instant::now() + ELEMENT_TIMEOUT;
        let mut last: Option<Point> = None;
        loop {
            let (x, y): (f64, f64) = serde_json::from_value(self.evaluate(&middle).await?)
                .with_context(|| format!("“{selector}” is not visible"))?;
            if last.is_some_and(|last| (last.x - x).hypot(last.y - y) < 0.5) || Instant::now() > deadline {
                return Ok(Point { x, y });
            }
            last = Some(Point { x, y });
            sleep(Duration::from_millis(30)).await;
        }
    }

    /// Presses the mouse button at the first point, moves the mouse to the others, and releases the button.
    pub(super) async fn drag_along(&self, points: &[Point]) -> Result<()> {
        let move_to = |point: &Point| json!({ "type": "pointerMove", "x": point.x, "y": point.y });
        let mut actions: Vec<Value> = points.iter().map(move_to).collect();
        actions.insert(1, json!({ "type": "pointerDown", "button": 0 }));
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        self.perform(json!({ "type": "pointer", "id": "mouse", "actions": actions })).await
    }

    pub(super) async fn press(&self, key: &str) -> Result<()> {
        let value = match key {
            "Tab" => "\u{e004}",
            "Enter" => "\u{e007}",
            "Escape" => "\u{e00c}",
            "End" => "\u{e010}",
            "Home" => "\u{e011}",
            "ArrowLeft" => "\u{e012}",
            "ArrowUp" => "\u{e013}",
            "ArrowRight" => "\u{e014}",
            "ArrowDown" => "\u{e015}",
            character if character.chars().count() == 1 => character,
            _ => bail!("the code of the key {key} is missing here"),
        };
        let actions = json!([{ "type": "keyDown", "value": value }, { "type": "keyUp", "value": value }]);
        self.perform(json!({ "type": "key", "id": "keyboard", "actions": actions })).await
    }

    /// Performs the actions of one input device.
    async fn perform(&self, source: Value) -> Result<()> {
        let params = json!({ "context": self.context, "actions": [source] });
        self.connection.send("input.performActions", params).await?;
        Ok(())
    }

    /// A screenshot of the visible part of the page, as PNG.
    pub(super) async fn screenshot(&self) -> Result<Vec<u8>> {
        let result =
            self.connection.send("browsingContext.captureScreenshot", json!({ "context": self.context })).await?;
        Ok(BASE64_STANDARD.decode(result["data"].as_str().context("the screenshot is missing")?)?)
    }
}

/// A JavaScript function: scrolls an element into view and returns the middle of its visible part; null if the element is
/// missing or invisible.
const MIDDLE_OF_ELEMENT: &str = "(selector) => { const element = document.querySelector(selector); \
    const visiblePart = () => { const box = element?.getClientRects()[0]; if (!box) return null; \
        const part = { left: Math.max(box.left, 0), top: Math.max(box.top, 0), \
            right: Math.min(box.right, innerWidth), bottom: Math.min(box.bottom, innerHeight) }; \
        return part.right > part.left && part.bottom > part.top ? { box, part } : null; }; \
    let found = visiblePart(); \
    if (element && (!found || found.part.bottom - found.part.top < found.box.height)) { \
        element.scrollIntoView({ block: 'center', behavior: 'instant' }); found = visiblePart(); } \
    return found && [(found.part.left + found.part.right) / 2, (found.part.top + found.part.bottom) / 2]; }";

/// Waits until Firefox has written the address of its WebSocket to stderr.
async fn address_of(process: &mut Child) -> Result<String> {
    let mut lines = BufReader::new(process.stderr.take().context("stderr is piped")?).lines();
    loop {
        let line = lines.next_line().await?.context("Firefox ended at the start")?;
        if let Some((_, address)) = line.split_once("WebDriver BiDi listening on ") {
            // Firefox would stop if nobody read its further messages.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok(address.trim().to_owned());
        }
    }
}

/// Adds an event to the log.
fn record(log: &mut PageLog, event: &str, params: &Value) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match event {
        "log.entryAdded" if params["level"] == "error" || params["level"] == "warn" => {
            log.errors.push(format!("{}: {}", text(&params["type"]), text(&params["text"])));
        }
        "network.beforeRequestSent" => log.requests.push(text(&params["request"]["url"])),
        "network.responseCompleted" if params["response"]["status"].as_u64() >= Some(400) => {
            log.errors.push(format!("status {} of {}", params["response"]["status"], params["response"]["url"]));
        }
        _ => {}
    }
}
