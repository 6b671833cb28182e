//! Replay and analysis of a finished game by keyboard, dropped records, branches, and the coach.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use sultan_e2e::browser::{Device, User};
use tokio::time::sleep;

use super::games::tab_to;
use super::play::{ClickInput, play_out};
use super::setup::{TestSetup, table_of};

/// Time limit for an analysis on a busy machine.
const ANALYSIS_TIMEOUT: Duration = Duration::from_mins(3);

/// Waits until the replay shows the state after `at` actions.
async fn wait_for_step(user: &User, at: u32) -> Result<()> {
    user.wait_until(&format!("document.querySelector('#slider').value === '{at}'")).await?;
    user.wait_until(&format!("location.search.startsWith('?at={at}&')")).await
}

/// Moves the focus to an element with the Tab key and presses Enter.
async fn tab_to_and_enter(user: &User, selector: &str) -> Result<()> {
    tab_to(user, &format!("document.activeElement.matches(\"{selector}\")")).await?;
    user.press("Enter").await
}

pub(crate) async fn finished_game_is_replayed_and_analysed_by_keyboard() -> Result<()> {
    let setup = TestSetup::open().await?;
    let player = setup.new_player(Device { prefers_reduced_motion: true, ..Device::DESKTOP }).await?;
    play_out(&player, &ClickInput).await?;
    let table = table_of(&player.url().await?)?;
    let reader = setup.new_visitor(Device { lang: "hu", ..Device::DESKTOP }).await?;
    for user in [player, reader] {
        user.goto(&setup.url(&format!("/t/{table}/replay"))).await?;
        user.find("main#replay").await?;
        user.press("ArrowRight").await?;
        wait_for_step(&user, 1).await?;
        user.press("ArrowRight").await?;
        wait_for_step(&user, 2).await?;
        user.press("ArrowLeft").await?;
        wait_for_step(&user, 1).await?;
        tab_to_and_enter(&user, "#eyes li:first-child a").await?;
        user.find("#own .card").await?;
        tab_to_and_enter(&user, "#eyes li:last-child a").await?;
        user.find("#all-cards").await?;
        user.press("End").await?;
        user.wait_until("document.querySelector('#slider').value === document.querySelector('#slider').max").await?;
        // At the end, the play button starts again from the beginning.
        tab_to_and_enter(&user, "#play").await?;
        wait_for_step(&user, 1).await?;
        tab_to_and_enter(&user, &format!("nav.after a[href='/t/{table}']")).await?;
        user.find("main#end").await?;
        tab_to_and_enter(&user, "#after a[href$='/analysis']").await?;
        user.find("main#analysis").await?;
        let deadline = Instant::now() + ANALYSIS_TIMEOUT;
        while user.evaluate("!document.querySelector('#analysis .chart svg')").await? {
            ensure!(Instant::now() < deadline, "the analysis did not end within {ANALYSIS_TIMEOUT:?}");
            sleep(Duration::from_millis(500)).await;
        }
        ensure!(!user.has("main[data-running]").await, "the complete analysis is still marked as running");
        let verdict = user.text("#analysis .verdict").await?;
        ensure!(verdict.ends_with('.'), "the analysis does not begin with a sentence: {verdict}");
        check_no_overflow(&user, &setup.url(&format!("/t/{table}/analysis"))).await?;
        // Each decision links to its state in the replay.
        tab_to_and_enter(&user, "#decisions-title ~ details summary").await?;
        tab_to_and_enter(&user, "#decisions-title ~ details[open] tbody a").await?;
        user.find("main#replay #own").await?;
        user.check_log(&setup.authority())?;
    }
    setup.close().await
}

/// A JavaScript expression: the faults of the wide parts of an analysis (a part is cut off, cannot be scrolled by
/// keyboard, or does not show that it can be scrolled), and by how many pixels the page is too wide.
const OVERFLOW: &str = "(() => { document.querySelectorAll('#analysis details').forEach((details) => { details.open = true; }); \
    const isVisible = (element) => element.checkVisibility(); \
    const charts = [...document.querySelectorAll('#analysis .chart')].filter(isVisible); \
    const isCut = (element) => element.scrollWidth > element.clientWidth; \
    const faults = charts.filter(isCut).map((chart) => `cut off: ${chart.className}`); \
    if (charts.length !== 1) faults.push(`${charts.length} charts`); \
    if (innerWidth < 700) faults.push(...[...document.querySelectorAll('#analysis .wide')].filter(isCut).map((table) => 'scrolls sideways: ' + table.ariaLabel)); \
    for (const table of [...document.querySelectorAll('#analysis .wide')].filter(isVisible).filter(isCut)) { \
        if (table.tabIndex !== 0) faults.push('not scrollable by keyboard: ' + table.ariaLabel); \
        if (!getComputedStyle(table).backgroundAttachment.includes('local')) faults.push('no shadow at the edge: ' + table.ariaLabel); \
        if (getComputedStyle(table.querySelector('tbody th')).position !== 'sticky') faults.push('first column scrolls away: ' + table.ariaLabel); } \
    return [faults, document.documentElement.scrollWidth - innerWidth]; })()";

/// Checks an analysis in the sizes of phones, then reloads the page with the desktop settings.
async fn check_no_overflow(user: &User, page: &str) -> Result<()> {
    for (width, height) in [(320, 640), (360, 740), (844, 390)] {
        user.set_device(Device { width, height, has_touch: true, ..Device::PHONE }).await?;
        let (faults, overflow): (Vec<String>, f64) = user.evaluate(OVERFLOW).await?;
        ensure!(faults.is_empty() && overflow <= 0.0, "{width}×{height}: {faults:?}, {overflow} pixels too wide");
    }
    user.set_device(Device::DESKTOP).await?;
    user.goto(page).await
}

pub(crate) async fn coach_advice_is_shown() -> Result<()> {
    let setup = TestSetup::open().await?;
    let user = setup.new_visitor(Device::DESKTOP).await?;
    let _: bool = user.evaluate("document.querySelector('#play [name=coach]').checked = document.querySelector('#play [name=screens][value=open]').checked = true").await?;
    user.click("#play button[type=submit]").await?;
    user.find("main#table").await?;
    user.find("#confirm").await?;
    user.click("#ask-coach button").await?;
    user.wait_until("document.querySelector('#coach-says:popover-open .coach-said tbody tr') !== null").await?;
    user.press("Escape").await?;
    user.wait_until("!document.querySelector('#coach-says:popover-open')").await?;
    user.click("#ask-holds button").await?;
    user.wait_until("document.querySelector('#coach-says:popover-open .holds li') !== null").await?;
    user.press("Escape").await?;
    user.check_log(&setup.authority())?;
    setup.close().await
}

pub(crate) async fn dropped_record_file_is_replayed() -> Result<()> {
    let setup = TestSetup::open().await?;
    let folder = tempfile::tempdir()?;
    // Chromium does not accept a path with `..`.
    let record = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/data/four.sultan.json").canonicalize()?;
    let truncated = folder.path().join("truncated.sultan.json");
    let text = std::fs::read_to_string(&record)?;
    std::fs::write(&truncated, &text[..text.len() / 2])?;
    for device in [Device { lang: "de", ..Device::DESKTOP }, Device::PHONE] {
        let user = setup.new_visitor(device).await?;
        user.goto(&setup.url("/replay")).await?;
        user.drop_file(&truncated, "h1").await?;
        user.find(".refusal").await?;
        // The browser logs an error for every response with an error status.
        user.log().errors.clear();
        user.drop_file(&record, "h1").await?;
        user.find("main#replay").await?;
        user.press("ArrowRight").await?;
        wait_for_step(&user, 1).await?;
        tab_to_and_enter(&user, "#eyes li:first-child a").await?;
        user.find("#own .card").await?;
        tab_to_and_enter(&user, "#to-next").await?;
        wait_for_step(&user, 2).await?;
        user.check_log(&setup.authority())?;
    }
    setup.close().await
}

pub(crate) async fn branch_of_a_replay_is_played_to_the_end() -> Result<()> {
    let setup = TestSetup::open().await?;
    let user = setup.new_player(Device { prefers_reduced_motion: true, lang: "fr", ..Device::DESKTOP }).await?;
    play_out(&user, &ClickInput).await?;
    let table = table_of(&user.url().await?)?;
    user.goto(&setup.url(&format!("/t/{table}/replay?at=60&eyes=0"))).await?;
    tab_to_and_enter(&user, "#branch summary").await?;
    tab_to_and_enter(&user, "#branch button[type=submit]").await?;
    user.find("main#table .card").await?;
    user.find(".branch-pill").await?;
    ensure!(table_of(&user.url().await?)? != table, "the branch did not open a new table");
    play_out(&user, &ClickInput).await?;
    user.find("#after .branch-note").await?;
    ensure!(!user.has("#after a[href$='/verify']").await, "a game with a given start has no deal to verify");
    tab_to_and_enter(&user, "#after a[href$='/replay']").await?;
    user.find("main#replay").await?;
    user.check_log(&setup.authority())?;
    setup.close().await
}
