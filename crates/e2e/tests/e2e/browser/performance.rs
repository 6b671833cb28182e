//! The size and layout stability of a first visit, and the cost of animations.

use anyhow::{Result, ensure};
use chromiumoxide::cdp::browser_protocol::emulation::SetCpuThrottlingRateParams;
#[expect(deprecated, reason = "Debian's Chromium may lack its replacement")]
use chromiumoxide::cdp::browser_protocol::network::EmulateNetworkConditionsParams;
use sultan_e2e::browser::Look;

use super::hall::Hall;
use super::play::{Act, ByClicks, Waits, waits};

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

pub(crate) async fn a_first_visit_is_light_and_calm() -> Result<()> {
    let hall = Hall::open().await?;
    let mut paints = Vec::new();
    for _ in 0..3 {
        let person = hall.browser.person(Look::PHONE).await?;
        person.page().execute(fast_4g()).await?;
        person.goto(&hall.at("/")).await?;
        person.until("performance.getEntriesByName('first-contentful-paint').length > 0").await?;
        paints.push(person.ask::<f64>(PAINT).await?);
        let home: f64 = person.ask(SHIFT).await?;
        person.click("#play button[type=submit]").await?;
        person.find("#table #board").await?;
        person.until("performance.getEntriesByName('first-contentful-paint').length > 0").await?;
        paints.push(person.ask::<f64>(PAINT).await?);
        let table: f64 = person.ask(SHIFT).await?;
        let heard = person.heard().clone();
        let asked = heard.asked.iter().filter(|url| !url.starts_with("data:")).count();
        println!(
            "{:.0} bytes in {asked} requests, shifts {home:.3} and {table:.3}, largest message {:?}",
            heard.bytes,
            heard.messages.iter().max()
        );
        ensure!(heard.bytes < 150.0 * 1024.0, "{:.0} bytes", heard.bytes);
        ensure!(asked < 25, "{asked} requests: {:#?}", heard.asked);
        ensure!(home < 0.05 && table < 0.05, "things jump: {home} at home, {table} at the table");
        ensure!(heard.messages.iter().all(|bytes| *bytes < 10 * 1024), "{:?} bytes in a message", heard.messages);
    }
    // Times are only printed: a busy machine must not fail the test.
    println!("first paints, home and table in turn: {paints:.0?} ms");
    hall.close().await
}

/// Records the animated properties, and the duration of each frame with a running animation.
const WATCH: &str = "(() => { const known = new WeakSet(); const watched = window.watched = { frames: [], moved: {} }; let last = 0; \
    const look = (now) => { const all = document.getAnimations().filter((one) => one.playState === 'running'); \
        if (all.length && last) watched.frames.push(now - last); last = all.length ? now : 0; \
        for (const { effect } of all.filter((one) => !known.has(one) && known.add(one))) for (const frame of effect.getKeyframes()) \
            for (const name in frame) if (!/[oO]ffset|easing|composite/.test(name)) watched.moved[(effect.pseudoElement ?? '') + name] = true; \
        requestAnimationFrame(look); }; requestAnimationFrame(look); return true; })()";

/// Properties that a browser animates without layout or paint, so that a phone keeps 60 frames per second.
const CHEAP: [&str; 5] = ["transform", "translate", "rotate", "scale", "opacity"];

pub(crate) async fn what_moves_is_cheap_to_move() -> Result<()> {
    let hall = Hall::open().await?;
    let person = hall.player(Look::PHONE).await?;
    // Slow down the CPU by a factor of four, like a phone.
    person.page().execute(SetCpuThrottlingRateParams::new(4.0)).await?;
    ensure!(person.ask::<bool>(WATCH).await?);
    // Play until the cards of two rounds have been turned up.
    for _ in 0..2 {
        person.until("!!document.querySelector('#confirm')").await?;
        while !person.has(".is-playing").await {
            if let Ok((wanted @ (Waits::Offer | Waits::Bid), at)) = waits(&person).await {
                // The page may have changed or not be ready; the loop tries again.
                let _ = ByClicks.act(&person, wanted, at).await;
            }
        }
        person.until("!document.querySelector('.is-playing')").await?;
    }
    let moved: Vec<String> = person.ask("Object.keys(window.watched.moved)").await?;
    // View transitions are implemented by the browser, so their properties do not count.
    let dear: Vec<_> =
        moved.iter().filter(|name| !name.starts_with("::view-transition") && !CHEAP.contains(&&***name)).collect();
    ensure!(dear.is_empty(), "these are laid out or painted anew in every frame: {dear:?}");
    ensure!(moved.iter().any(|name| name == "transform"), "nothing moves: {moved:?}");
    let frames: Vec<f64> = person.ask("window.watched.frames").await?;
    let late = frames.iter().filter(|millis| **millis > 25.0).count();
    println!("{} frames while something moved, {late} of them late", frames.len());
    hall.close().await
}
