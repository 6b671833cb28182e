//! The size and layout stability of a first visit, and the cost of animations.

use anyhow::{Result, ensure};
use chromiumoxide::cdp::browser_protocol::emulation::SetCpuThrottlingRateParams;
#[expect(deprecated, reason = "Debian's Chromium may lack its replacement")]
use chromiumoxide::cdp::browser_protocol::network::EmulateNetworkConditionsParams;
use sultan_e2e::browser::Device;

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
        ensure!(log.bytes < 150.0 * 1024.0, "the first visit needs {:.0} bytes", log.bytes);
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
