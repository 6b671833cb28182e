//! Accessibility: checks by axe-core, and window widths from 320 to 2560.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use sultan_e2e::browser::{Look, Person};
use sultan_testkit::skip_or_fail;

use super::hall::{Hall, table_of};

/// The message for a missing axe-core.
const HOW: &str =
    "axe-core is not installed: npm install --prefix target/axe axe-core (or set SULTAN_AXE to its axe.min.js)";

fn axe() -> Option<String> {
    let usual = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/axe/node_modules/axe-core/axe.min.js");
    let file = std::env::var_os("SULTAN_AXE").map_or_else(usual, PathBuf::from);
    std::fs::read_to_string(file).ok()
}

async fn examined(person: &Person, axe: &str, place: &str) -> Result<Vec<String>> {
    person.page().evaluate(format!("{axe};0")).await?;
    let found: Vec<String> = person
        .ask(
            "axe.run(document, { resultTypes: ['violations'] }).then((all) => \
             all.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => node.target + ' ' + node.html.slice(0, 160)).join(' | ')}`))",
        )
        .await
        .with_context(|| format!("{place} cannot be examined"))?;
    Ok(found.into_iter().map(|one| format!("{place}: {one}")).collect())
}

pub(crate) async fn nothing_stands_in_the_way_of_anybody() -> Result<()> {
    let Some(axe) = axe() else {
        skip_or_fail(HOW);
        return Ok(());
    };
    let hall = Hall::open().await?;
    let mut found = Vec::new();
    for look in [Look::DESKTOP, Look { dark: false, ..Look::PHONE }] {
        let look = Look { calm: true, ..look };
        let person = hall.guest(look).await?;
        found.extend(examined(&person, &axe, "home").await?);
        for path in ["/rules", "/learn", "/replay"] {
            person.goto(&hall.at(path)).await?;
            found.extend(examined(&person, &axe, path).await?);
        }
        let person = hall.player(look).await?;
        person.find("#confirm").await?;
        found.extend(examined(&person, &axe, "table").await?);
        super::play::play_out(&person, &super::play::ByClicks).await?;
        found.extend(examined(&person, &axe, "end").await?);
        let person = hall.guest(look).await?;
        super::together::open(&person, 4).await?;
        found.extend(examined(&person, &axe, "lobby").await?);
    }
    ensure!(found.is_empty(), "{found:#?}");
    hall.close().await
}

pub(crate) async fn no_page_is_wider_than_its_window() -> Result<()> {
    let hall = Hall::open().await?;
    let over = hall.player(Look { calm: true, ..Look::DESKTOP }).await?;
    super::play::play_out(&over, &super::play::ByClicks).await?;
    let over = table_of(&over.url().await?)?;
    let mut wrong = Vec::new();
    for lang in ["en", "de", "hu"] {
        let look = Look { lang, calm: true, ..Look::DESKTOP };
        let guest = hall.guest(look).await?;
        let player = hall.player(look).await?;
        let waiting = hall.guest(look).await?;
        super::together::open(&waiting, 5).await?;
        let rules = hall.browser.person(look).await?;
        rules.goto(&hall.at("/rules")).await?;
        let replay = hall.browser.person(look).await?;
        replay.goto(&hall.at(&format!("/t/{over}/replay?at=9"))).await?;
        let verify = hall.browser.person(look).await?;
        verify.goto(&hall.at(&format!("/t/{over}/verify"))).await?;
        // Open all details, which have long numbers.
        verify.until("!!document.querySelector('#decks td')").await?;
        let _: bool = verify
            .ask("document.querySelectorAll('main details').forEach((one) => { one.open = true; }), true")
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
            for (place, person) in places {
                person.look_with(Look { width, height, touch: width < 1000, ..look }).await?;
                let over: f64 = person.ask(&too_wide(width)).await?;
                if over > 0.0 {
                    wrong.push(format!("{place}, {lang}, {width}×{height}: {over} too wide"));
                }
                let small: Vec<String> = person.ask(SMALL).await?;
                wrong.extend(small.into_iter().map(|one| format!("{place}, {lang}, {width}×{height}: {one}")));
            }
        }
    }
    ensure!(wrong.is_empty(), "{wrong:#?}");
    hall.close().await
}

/// The overflow of the page width in pixels, after the layout has settled. `innerWidth` cannot be used: on a phone it
/// grows with the content.
fn too_wide(width: u32) -> String {
    format!(
        "new Promise((tell) => {{ const since = performance.now(); const look = () => {{ \
         const over = document.documentElement.scrollWidth - {width}; \
         over <= 0 || performance.now() - since > 3000 ? tell(over) : requestAnimationFrame(look); }}; look(); }})"
    )
}

/// Controls that are too small for touch, except links in a text.
const SMALL: &str = "[...document.querySelectorAll('button, summary, select, input:not([type=radio]):not([type=checkbox]):not([type=hidden]), a.button, .btn, label:has(input[type=radio])')]\
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))\
    .map((one) => [one, one.getBoundingClientRect()])\
    .filter(([, box]) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))\
    .map(([one, box]) => `${one.outerHTML.slice(0, 90)} is ${Math.round(box.width)}×${Math.round(box.height)}`)";
