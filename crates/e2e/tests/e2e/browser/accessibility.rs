//! Accessibility: checks by axe-core, and window widths from 320 to 2560.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use sultan_e2e::browser::{Device, User};
use sultan_testkit::skip_or_fail;

use super::setup::{TestSetup, table_of};

/// The message for a missing axe-core.
const AXE_MISSING: &str =
    "axe-core is not installed: npm install --prefix target/axe axe-core (or set SULTAN_AXE to its axe.min.js)";

fn axe() -> Option<String> {
    let usual = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/axe/node_modules/axe-core/axe.min.js");
    let file = std::env::var_os("SULTAN_AXE").map_or_else(usual, PathBuf::from);
    std::fs::read_to_string(file).ok()
}

async fn axe_violations(user: &User, axe: &str, place: &str) -> Result<Vec<String>> {
    user.page().evaluate(format!("{axe};0")).await?;
    let found: Vec<String> = user
        .evaluate(
            "axe.run(document, { resultTypes: ['violations'] }).then((all) => \
             all.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => node.target + ' ' + node.html.slice(0, 160)).join(' | ')}`))",
        )
        .await
        .with_context(|| format!("{place} cannot be examined"))?;
    Ok(found.into_iter().map(|one| format!("{place}: {one}")).collect())
}

pub(crate) async fn pages_pass_axe() -> Result<()> {
    let Some(axe) = axe() else {
        skip_or_fail(AXE_MISSING);
        return Ok(());
    };
    let setup = TestSetup::open().await?;
    let mut found = Vec::new();
    for device in [Device::DESKTOP, Device { dark: false, ..Device::PHONE }] {
        let device = Device { reduced_motion: true, ..device };
        let user = setup.new_visitor(device).await?;
        found.extend(axe_violations(&user, &axe, "home").await?);
        for path in ["/rules", "/learn", "/replay"] {
            user.goto(&setup.url(path)).await?;
            found.extend(axe_violations(&user, &axe, path).await?);
        }
        let user = setup.new_player(device).await?;
        user.find("#confirm").await?;
        found.extend(axe_violations(&user, &axe, "table").await?);
        super::play::play_out(&user, &super::play::ClickInput).await?;
        found.extend(axe_violations(&user, &axe, "end").await?);
        let user = setup.new_visitor(device).await?;
        super::multiplayer::open_table(&user, 4).await?;
        found.extend(axe_violations(&user, &axe, "lobby").await?);
    }
    ensure!(found.is_empty(), "{found:#?}");
    setup.close().await
}

pub(crate) async fn pages_fit_all_window_widths() -> Result<()> {
    let setup = TestSetup::open().await?;
    let over = setup.new_player(Device { reduced_motion: true, ..Device::DESKTOP }).await?;
    super::play::play_out(&over, &super::play::ClickInput).await?;
    let over = table_of(&over.url().await?)?;
    let mut wrong = Vec::new();
    for lang in ["en", "de", "hu"] {
        let device = Device { lang, reduced_motion: true, ..Device::DESKTOP };
        let guest = setup.new_visitor(device).await?;
        let player = setup.new_player(device).await?;
        let waiting = setup.new_visitor(device).await?;
        super::multiplayer::open_table(&waiting, 5).await?;
        let rules = setup.browser.new_user(device).await?;
        rules.goto(&setup.url("/rules")).await?;
        let replay = setup.browser.new_user(device).await?;
        replay.goto(&setup.url(&format!("/t/{over}/replay?at=9"))).await?;
        let verify = setup.browser.new_user(device).await?;
        verify.goto(&setup.url(&format!("/t/{over}/verify"))).await?;
        // Open all details, which have long numbers.
        verify.wait_until("!!document.querySelector('#decks td')").await?;
        let _: bool = verify
            .evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; }), true")
            .await?;
        player.find("#confirm").await?;
        for (width, height) in [(320, 640), (360, 740), (568, 320), (768, 1024), (844, 390), (1280, 720), (2560, 1440)]
        {
            let places = [
                ("home", &guest),
                ("table", &player),
                ("lobby", &waiting),
                ("rules", &rules),
                ("replay", &replay),
                ("verify", &verify),
            ];
            for (place, user) in places {
                user.set_device(Device { width, height, touch: width < 1000, ..device }).await?;
                let over: f64 = user.evaluate(&too_wide(width)).await?;
                if over > 0.0 {
                    wrong.push(format!("{place}, {lang}, {width}×{height}: {over} too wide"));
                }
                let small: Vec<String> = user.evaluate(SMALL).await?;
                wrong.extend(small.into_iter().map(|one| format!("{place}, {lang}, {width}×{height}: {one}")));
            }
        }
    }
    ensure!(wrong.is_empty(), "{wrong:#?}");
    setup.close().await
}

/// The overflow of the page width in pixels, after the layout has settled. `innerWidth` cannot be used: on a phone it
/// grows with the content.
fn too_wide(width: u32) -> String {
    format!(
        "new Promise((tell) => {{ const since = performance.now(); const device = () => {{ \
         const over = document.documentElement.scrollWidth - {width}; \
         over <= 0 || performance.now() - since > 3000 ? tell(over) : requestAnimationFrame(device); }}; device(); }})"
    )
}

/// Controls that are too small for touch, except links in a text.
const SMALL: &str = "[...document.querySelectorAll('button, summary, select, input:not([type=radio]):not([type=checkbox]):not([type=hidden]), a.button, .btn, label:has(input[type=radio])')]\
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))\
    .map((one) => [one, one.getBoundingClientRect()])\
    .filter(([, box]) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))\
    .map(([one, box]) => `${one.outerHTML.slice(0, 90)} is ${Math.round(box.width)}×${Math.round(box.height)}`)";
