//! The size and layout stability of a first visit, and the cost of animations.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use chromiumoxide::cdp::browser_protocol::emulation::SetCpuThrottlingRateParams;
#[expect(deprecated, reason = "Debian's Chromium may lack its replacement")]
use chromiumoxide::cdp::browser_protocol::network::EmulateNetworkConditionsParams;
use sultan_e2e::browser::Device;
use tokio::time::sleep;

use super::play::{ActionInput, ClickInput, Prompt, prompt};
use super::setup::TestSetup;

/// A JavaScript expression: the cumulative layout shift without user input.
const LAYOUT_SHIFT: &str = "new Promise((resolve) => { let sum = 0; \
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; })\
    .observe({ type: 'layout-shift', buffered: true }); setTimeout(() => resolve(sum), 1500); })";
/// A JavaScript expression: the time of the first paint in milliseconds.
const FIRST_PAINT: &str = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 1e9";

/// The network profile “Fast 4G” of Chrome: a delay of 165 ms, and the bytes per second that are received and sent.
#[expect(deprecated, reason = "Debian's Chromium may lack its replacement")]
fn fast_4g() -> EmulateNetworkConditionsParams {
    EmulateNetworkConditionsParams::new(false, 165.0, 1_012_500.0, 168_750.0)
}

pub(crate) async fn first_visit_is_small_and_does_not_shift() -> Result<()> {
    let setup = TestSetup::open().await?;
    let mut paints = Vec::new();
    for _ in 0..3 {
        let user = setup.browser.new_user(Device::PHONE).await?;
        user.page().execute(fast_4g()).await?;
        user.goto(&setup.url("/")).await?;
        user.wait_until("performance.getEntriesByName('first-contentful-paint').length > 0").await?;
        paints.push(user.evaluate::<f64>(FIRST_PAINT).await?);
        let home_shift: f64 = user.evaluate(LAYOUT_SHIFT).await?;
        let home_bytes = user.log().bytes;
        user.click("#play button[type=submit]").await?;
        user.find("#table #board").await?;
        user.wait_until("performance.getEntriesByName('first-contentful-paint').length > 0").await?;
        paints.push(user.evaluate::<f64>(FIRST_PAINT).await?);
        let table_shift: f64 = user.evaluate(LAYOUT_SHIFT).await?;
        let log = user.log().clone();
        let request_count = log.requests.iter().filter(|url| !url.starts_with("data:")).count();
        println!(
            "{:.0} bytes in {request_count} requests, layout shifts {home_shift:.3} and {table_shift:.3}, largest message {:?}",
            log.bytes,
            log.message_sizes.iter().max()
        );
        ensure!(home_bytes <= 50.0 * 1024.0, "the first visit needs {home_bytes:.0} bytes");
        ensure!(log.bytes <= 60.0 * 1024.0, "the first visit with the first table needs {:.0} bytes", log.bytes);
        ensure!(request_count < 25, "the first visit needs {request_count} requests: {:#?}", log.requests);
        ensure!(
            home_shift < 0.05 && table_shift < 0.05,
            "layout shifts: {home_shift} at home, {table_shift} at the table"
        );
        ensure!(
            log.message_sizes.iter().all(|bytes| *bytes < 10 * 1024),
            "a message is too large; the sizes in bytes are {:?}",
            log.message_sizes
        );
    }
    // Times are only printed: a busy machine must not fail the test.
    println!("first paints, home and table in turn: {paints:.0?} ms");
    setup.close().await
}

/// JavaScript for new pages: sums up the layout shifts without user input, and lists their sources.
const SUM_UP_SHIFTS: &str = "window.shifts = [0]; new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) { \
    window.shifts[0] += entry.value; window.shifts.push(`${entry.value.toFixed(4)} ${entry.sources.map(({ node }) => node?.id || node?.parentElement?.outerHTML.slice(0, 60))}`); } })\
    .observe({ type: 'layout-shift', buffered: true });";

/// The limit of the cumulative layout shift in a whole game of 15 rounds.
const MAX_GAME_SHIFT: f64 = 0.05;

/// Plays a short game (five rounds) and returns its cumulative layout shift. Bots pause longer than half a second,
/// because a shift within half a second of a click does not count.
async fn shift_of_short_game(setup: &TestSetup, device: Device) -> Result<f64> {
    let user = setup.browser.new_user(device).await?;
    let instant_pace = "try { localStorage.pace = 'instant'; } catch {}";
    user.page().evaluate_on_new_document(format!("{instant_pace} {SUM_UP_SHIFTS}")).await?;
    user.goto(&setup.url("/")).await?;
    let short_game = "document.querySelector('#play [name=game][value=espresso]').checked = true";
    user.evaluate::<bool>(short_game).await?;
    user.click("#play button[type=submit]").await?;
    user.find("#table #board").await?;
    let mut shifts: Vec<serde_json::Value> = Vec::new();
    loop {
        let current = prompt(&user).await;
        if matches!(current, Ok((Prompt::Over, _))) {
            break;
        }
        // The page of the result is another page, with its own sum.
        shifts = user.evaluate("document.querySelector('#table') ? window.shifts : null").await.unwrap_or(shifts);
        if let Ok((current @ (Prompt::Offer | Prompt::Bid), at)) = current {
            // The page may have changed or not be ready; the loop tries again.
            let _ = ClickInput.act(&user, current, at).await;
        }
        sleep(Duration::from_millis(50)).await;
    }
    println!("layout shifts at {}×{}: {shifts:#?}", device.width, device.height);
    shifts.first().and_then(serde_json::Value::as_f64).context("no layout shifts were measured")
}

pub(crate) async fn whole_game_does_not_shift() -> Result<()> {
    let setup = TestSetup::with_args(&["--bot-pause-ms", "600"]).await?;
    let (phone, desktop) =
        tokio::try_join!(shift_of_short_game(&setup, Device::PHONE), shift_of_short_game(&setup, Device::DESKTOP))?;
    // A short game has a third of the rounds.
    ensure!(
        phone.max(desktop) <= MAX_GAME_SHIFT / 3.0,
        "the layout shifts by {phone:.4} on a phone and {desktop:.4} on a desktop in five rounds"
    );
    setup.close().await
}

/// JavaScript that records the animated properties, and the duration of each frame with a running animation.
const WATCH_ANIMATIONS: &str = "(() => { const seen = new WeakSet(); const watched = window.watched = { frames: [], properties: {} }; let last = 0; \
    const onFrame = (now) => { const running = document.getAnimations().filter((animation) => animation.playState === 'running'); \
        if (running.length && last) watched.frames.push(now - last); last = running.length ? now : 0; \
        for (const { effect } of running.filter((animation) => !seen.has(animation) && seen.add(animation))) for (const frame of effect.getKeyframes()) \
            for (const name in frame) if (!/[oO]ffset|easing|composite/.test(name)) watched.properties[(effect.pseudoElement ?? '') + name] = true; \
        requestAnimationFrame(onFrame); }; requestAnimationFrame(onFrame); return true; })()";

/// Properties that a browser animates without layout or paint, so that a phone keeps 60 frames per second.
const CHEAP_PROPERTIES: [&str; 5] = ["transform", "translate", "rotate", "scale", "opacity"];

pub(crate) async fn animations_use_only_cheap_properties() -> Result<()> {
    let setup = TestSetup::open().await?;
    let user = setup.new_player(Device::PHONE).await?;
    // Slow down the CPU by a factor of four, like a phone.
    user.page().execute(SetCpuThrottlingRateParams::new(4.0)).await?;
    ensure!(user.evaluate::<bool>(WATCH_ANIMATIONS).await?);
    // Play until the cards of two rounds have been turned up.
    for _ in 0..2 {
        user.wait_until("!!document.querySelector('#confirm')").await?;
        while !user.has(".is-playing").await {
            if let Ok((current @ (Prompt::Offer | Prompt::Bid), at)) = prompt(&user).await {
                // The page may have changed or not be ready; the loop tries again.
                let _ = ClickInput.act(&user, current, at).await;
            }
        }
        user.wait_until("!document.querySelector('.is-playing')").await?;
    }
    let animated: Vec<String> = user.evaluate("Object.keys(window.watched.properties)").await?;
    // View transitions are implemented by the browser, so their properties do not count.
    let expensive: Vec<_> = animated
        .iter()
        .filter(|name| !name.starts_with("::view-transition") && !CHEAP_PROPERTIES.contains(&&***name))
        .collect();
    ensure!(expensive.is_empty(), "these animated properties need layout or paint in every frame: {expensive:?}");
    ensure!(animated.iter().any(|name| name == "transform"), "no animation was recorded: {animated:?}");
    let frames: Vec<f64> = user.evaluate("window.watched.frames").await?;
    // At 60 frames per second, a frame takes 17 ms.
    let late = frames.iter().filter(|millis| **millis > 25.0).count();
    println!("{} frames with a running animation, {late} of them late", frames.len());
    setup.close().await
}
