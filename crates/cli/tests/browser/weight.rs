//! What a first visit costs.

use anyhow::{Result, ensure};
#[expect(deprecated, reason = "Debian's Chromium may not know what comes in its place")]
use chromiumoxide::cdp::browser_protocol::network::EmulateNetworkConditionsParams;
use sultan_testkit::browser::Look;

use crate::hall::Hall;

/// How much everything moved that nobody asked to move.
const SHIFT: &str = "new Promise((tell) => { let sum = 0; \
    new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) sum += one.value; })\
    .observe({ type: 'layout-shift', buffered: true }); setTimeout(() => tell(sum), 1500); })";
const PAINT: &str = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 1e9";

/// What Chrome calls “Fast 4G”.
#[expect(deprecated, reason = "Debian's Chromium may not know what comes in its place")]
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
    // How long it takes is for people to read: a busy machine must not fail a test.
    println!("first paints, home and table in turn: {paints:.0?} ms");
    hall.close().await
}
