//! Accessibility: checks by axe-core, and window widths from 320 to 2560.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use sultan_e2e::browser::{Device, User};
use sultan_testkit::skip_or_fail;
use tokio::time::sleep;

use super::play::{ActionInput, ClickInput, Prompt, play_out, prompt};
use super::setup::{TestSetup, table_of};

/// The message of a test that is skipped because axe-core is missing.
const AXE_MISSING: &str =
    "axe-core is not installed: npm install --prefix target/axe axe-core (or set SULTAN_AXE to its axe.min.js)";

/// The script of axe-core, if it is installed.
fn axe_script() -> Option<String> {
    let default_path =
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/axe/node_modules/axe-core/axe.min.js");
    let file = std::env::var_os("SULTAN_AXE").map_or_else(default_path, PathBuf::from);
    std::fs::read_to_string(file).ok()
}

/// The violations that axe-core finds on the current page, each with the name of the page.
async fn axe_violations(user: &User, axe: &str, page_name: &str) -> Result<Vec<String>> {
    // The value 0 can be returned to the test; that of the script cannot.
    user.page().evaluate(format!("{axe};0")).await?;
    let found: Vec<String> = user
        .evaluate(
            "axe.run(document, { resultTypes: ['violations'] }).then((results) => \
             results.violations.map((violation) => `${violation.id}: ${violation.help}: ${violation.nodes.map((node) => node.target + ' ' + node.html.slice(0, 160)).join(' | ')}`))",
        )
        .await
        .with_context(|| format!("axe-core cannot check the page {page_name}"))?;
    Ok(found.into_iter().map(|violation| format!("{page_name}: {violation}")).collect())
}

pub(crate) async fn pages_pass_axe() -> Result<()> {
    let Some(axe) = axe_script() else {
        skip_or_fail(AXE_MISSING);
        return Ok(());
    };
    let setup = TestSetup::open().await?;
    let mut found = Vec::new();
    for device in [Device::DESKTOP, Device { prefers_dark: false, ..Device::PHONE }] {
        let device = Device { prefers_reduced_motion: true, ..device };
        let user = setup.new_visitor(device).await?;
        found.extend(axe_violations(&user, &axe, "home").await?);
        for path in ["/rules", "/learn", "/replay"] {
            user.goto(&setup.url(path)).await?;
            found.extend(axe_violations(&user, &axe, path).await?);
        }
        let user = setup.new_player(device).await?;
        user.find("#confirm").await?;
        found.extend(axe_violations(&user, &axe, "table").await?);
        play_out(&user, &ClickInput).await?;
        found.extend(axe_violations(&user, &axe, "end").await?);
        let user = setup.new_visitor(device).await?;
        super::multiplayer::open_table(&user, 4).await?;
        found.extend(axe_violations(&user, &axe, "lobby").await?);
    }
    ensure!(found.is_empty(), "axe-core finds violations: {found:#?}");
    setup.close().await
}

/// The widths and heights of the windows in [`pages_fit_all_window_widths`].
const WINDOW_SIZES: [(u32, u32); 9] =
    [(320, 640), (360, 740), (568, 320), (768, 1024), (844, 390), (900, 640), (1024, 768), (1280, 720), (2560, 1440)];

pub(crate) async fn pages_fit_all_window_widths() -> Result<()> {
    let setup = TestSetup::open().await?;
    let finisher = setup.new_player(Device { prefers_reduced_motion: true, ..Device::DESKTOP }).await?;
    play_out(&finisher, &ClickInput).await?;
    let finished_table = table_of(&finisher.url().await?)?;
    let mut faults = Vec::new();
    for lang in ["en", "de", "hu"] {
        let device = Device { lang, prefers_reduced_motion: true, ..Device::DESKTOP };
        let guest = setup.new_visitor(device).await?;
        // The button of the coach makes the bar of the table longer.
        let player = setup.new_visitor(device).await?;
        let _: bool = player.evaluate("document.querySelector('#play [name=coach]').checked = true").await?;
        player.click("#play button[type=submit]").await?;
        player.find("main#table").await?;
        let waiting = setup.new_visitor(device).await?;
        super::multiplayer::open_table(&waiting, 5).await?;
        let rules = setup.browser.new_user(device).await?;
        rules.goto(&setup.url("/rules")).await?;
        let replay = setup.browser.new_user(device).await?;
        replay.goto(&setup.url(&format!("/t/{finished_table}/replay?at=9"))).await?;
        let verify = setup.browser.new_user(device).await?;
        verify.goto(&setup.url(&format!("/t/{finished_table}/verify"))).await?;
        // Open all details, which have long numbers.
        verify.wait_until("!!document.querySelector('#decks td')").await?;
        let _: bool = verify
            .evaluate("document.querySelectorAll('main details').forEach((details) => { details.open = true; }), true")
            .await?;
        player.find("#confirm").await?;
        let second_bid = second_bid_of_two_players(&setup, device).await?;
        for (width, height) in WINDOW_SIZES {
            let pages = [
                ("home", &guest),
                ("table", &player),
                ("lobby", &waiting),
                ("rules", &rules),
                ("replay", &replay),
                ("verify", &verify),
                ("second bid", &second_bid),
            ];
            for (page_name, user) in pages {
                user.set_device(Device { width, height, has_touch: width < 1000, ..device }).await?;
                let overflow: f64 = user.evaluate(&overflow_beyond(width)).await?;
                if overflow > 0.0 {
                    faults.push(format!("{page_name}, {lang}, {width}×{height}: {overflow} pixels too wide"));
                }
                let mut found: Vec<String> = user.evaluate(SMALL_CONTROLS).await?;
                if ["table", "second bid"].contains(&page_name) {
                    found.extend(user.evaluate::<Vec<String>>(UNREADABLE_TEXTS).await?);
                }
                faults.extend(found.into_iter().map(|fault| format!("{page_name}, {lang}, {width}×{height}: {fault}")));
            }
        }
    }
    ensure!(faults.is_empty(), "pages do not fit their window: {faults:#?}");
    setup.close().await
}

/// A page of a game of two players, who may not bid twice on one cushion, before the second bid of a round.
async fn second_bid_of_two_players(setup: &TestSetup, device: Device) -> Result<User> {
    let user = setup.new_visitor(device).await?;
    let _: bool = user.evaluate("document.querySelector('#play [name=bots][value=\"1\"]').checked = true").await?;
    user.click("#play button[type=submit]").await?;
    user.find("main#table").await?;
    let deadline = Instant::now() + Duration::from_mins(1);
    while !user.has("#choice:has(#confirm)").await || !user.has(".cushion > .why").await {
        ensure!(Instant::now() < deadline, "the player's second bid is never due");
        if let Ok((due @ (Prompt::Offer | Prompt::Bid), at)) = prompt(&user).await
            && !user.has(".cushion > .why").await
        {
            // The page may change at the same time; the next attempt acts on the new state.
            let _ = ClickInput.act(&user, due, at).await;
        }
        sleep(Duration::from_millis(100)).await;
    }
    Ok(user)
}

/// A JavaScript expression: texts at a table that something covers, and ends of names (which distinguish them) that are
/// cut off, after the layout has settled. Two pixels of overlap are tolerated, because letters do not fill their boxes.
const UNREADABLE_TEXTS: &str = "(async () => { \
    const isVisible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }); \
    const find = (selector) => [...document.querySelectorAll(selector)].filter(isVisible).map((element) => [element, element.getBoundingClientRect()]); \
    const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2; \
    const faults = () => { \
        const texts = find('.seat b, .seat .num, .seat .jewels li, .bid .order, .bid .value, .worth, #status > span'); \
        const covers = find('.seat .crown, .thinking, .seat .clock, .cushion > .why').filter(([, box]) => box.width > 1); \
        const covered = covers.flatMap(([cover, box]) => texts.filter(([, text]) => overlap(box, text)) \
            .map(([text]) => `${cover.getAttribute('class')} covers “${text.textContent}”`)); \
        const cut = find('.short-name > span + span').filter(([end]) => end.scrollWidth > end.clientWidth); \
        return [...covered, ...cut.map(([end]) => `“${end.parentElement.textContent}” is cut at its end`)]; }; \
    const start = performance.now(); \
    while (faults().length > 0 && performance.now() - start < 3000) await new Promise((resolve) => setTimeout(resolve, 50)); \
    return faults(); })()";

/// A JavaScript expression: by how many pixels the page is wider than this width, after the layout has settled.
/// `innerWidth` cannot be used: on a phone it grows with the content.
fn overflow_beyond(width: u32) -> String {
    format!(
        "new Promise((resolve) => {{ const start = performance.now(); const measure = () => {{ \
         const overflow = document.documentElement.scrollWidth - {width}; \
         overflow <= 0 || performance.now() - start > 3000 ? resolve(overflow) : requestAnimationFrame(measure); }}; \
         measure(); }})"
    )
}

/// A JavaScript expression: the controls that are too small for touch (44 pixels, less rounding), except links in a
/// text.
const SMALL_CONTROLS: &str = "[...document.querySelectorAll('button, summary, select, input:not([type=radio]):not([type=checkbox]):not([type=hidden]), a.button, .btn, label:has(input[type=radio])')]\
    .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))\
    .map((control) => [control, control.getBoundingClientRect()])\
    .filter(([, box]) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))\
    .map(([control, box]) => `${control.outerHTML.slice(0, 90)} is ${Math.round(box.width)}×${Math.round(box.height)}`)";
