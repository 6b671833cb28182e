//! The size and layout stability of a first visit, and the cost of animations.

use anyhow::{Result, ensure};
use chromiumoxide::cdp::browser_protocol::emulation::SetCpuThrottlingRateParams;
#[expect(deprecated, reason = "Debian's Chromium may lack its replacement")]
use chromiumoxide::cdp::browser_protocol::network::EmulateNetworkConditionsParams;
use sultan_e2e::browser::Device;

use super::play::{ActionInput, ClickInput, Prompt, prompt};
use super::setup::TestSetup;

/// The cumulative layout shift without user input.
const SHIFT: &str = "new Promise((tell) => { let sum = 0; \
    new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) sum += one.value; })\
    .observe({ type: 'layout-shift', buffered: true }); setTimeout(() => tell(sum), 1500); })";
const PAINT: &str = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 1e9";

/// The network profile “Fast 4G” of Chrome.
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
        paints.push(user.evaluate::<f64>(PAINT).await?);
        let home: f64 = user.evaluate(SHIFT).await?;
        user.click("#play button[type=submit]").await?;
        user.find("#table #board").await?;
        user.wait_until("performance.getEntriesByName('first-contentful-paint').length > 0").await?;
        paints.push(user.evaluate::<f64>(PAINT).await?);
        let table: f64 = user.evaluate(SHIFT).await?;
        let log = user.log().clone();
        let asked = log.requests.iter().filter(|url| !url.starts_with("data:")).count();
        println!(
            "{:.0} bytes in {asked} requests, shifts {home:.3} and {table:.3}, largest message {:?}",
            log.bytes,
            log.message_sizes.iter().max()
        );
        ensure!(log.bytes < 150.0 * 1024.0, "{:.0} bytes", log.bytes);
        ensure!(asked < 25, "{asked} requests: {:#?}", log.requests);
        ensure!(home < 0.05 && table < 0.05, "layout shifts: {home} at home, {table} at the table");
        ensure!(log.message_sizes.iter().all(|bytes| *bytes < 10 * 1024), "{:?} bytes in a message", log.message_sizes);
    }
    // Times are only printed: a busy machine must not fail the test.
    println!("first paints, home and table in turn: {paints:.0?} ms");
    setup.close().await
}

/// Records the animated properties, and the duration of each frame with a running animation.
const WATCH: &str = "(() => { const known = new WeakSet(); const watched = window.watched = { frames: [], moved: {} }; let last = 0; \
    const device = (now) => { const all = document.getAnimations().filter((one) => one.playState === 'running'); \
        if (all.length && last) watched.frames.push(now - last); last = all.length ? now : 0; \
        for (const { effect } of all.filter((one) => !known.has(one) && known.add(one))) for (const frame of effect.getKeyframes()) \
            for (const name in frame) if (!/[oO]ffset|easing|composite/.test(name)) watched.moved[(effect.pseudoElement ?? '') + name] = true; \
        requestAnimationFrame(device); }; requestAnimationFrame(device); return true; })()";

/// Properties that a browser animates without layout or paint, so that a phone keeps 60 frames per second.
const CHEAP: [&str; 5] = ["transform", "translate", "rotate", "scale", "opacity"];

pub(crate) async fn animations_use_only_cheap_properties() -> Result<()> {
    let setup = TestSetup::open().await?;
    let user = setup.new_player(Device::PHONE).await?;
    // Slow down the CPU by a factor of four, like a phone.
    user.page().execute(SetCpuThrottlingRateParams::new(4.0)).await?;
    ensure!(user.evaluate::<bool>(WATCH).await?);
    // Play until the cards of two rounds have been turned up.
    for _ in 0..2 {
        user.wait_until("!!document.querySelector('#confirm')").await?;
        while !user.has(".is-playing").await {
            if let Ok((wanted @ (Prompt::Offer | Prompt::Bid), at)) = prompt(&user).await {
                // The page may have changed or not be ready; the loop tries again.
                let _ = ClickInput.act(&user, wanted, at).await;
            }
        }
        user.wait_until("!document.querySelector('.is-playing')").await?;
    }
    let moved: Vec<String> = user.evaluate("Object.keys(window.watched.moved)").await?;
    // View transitions are implemented by the browser, so their properties do not count.
    let expensive: Vec<_> =
        moved.iter().filter(|name| !name.starts_with("::view-transition") && !CHEAP.contains(&&***name)).collect();
    ensure!(expensive.is_empty(), "these are laid out or painted anew in every frame: {expensive:?}");
    ensure!(moved.iter().any(|name| name == "transform"), "nothing moves: {moved:?}");
    let frames: Vec<f64> = user.evaluate("window.watched.frames").await?;
    let late = frames.iter().filter(|millis| **millis > 25.0).count();
    println!("{} frames while something moved, {late} of them late", frames.len());
    setup.close().await
}
