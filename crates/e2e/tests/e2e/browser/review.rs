//! Replay and analysis of a finished game by keyboard, dropped records, branches, and the coach.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use sultan_e2e::browser::{Look, Person};

use tokio::time::sleep;

use super::games::tab_to;
use super::hall::{Hall, table_of};
use super::play::{ByClicks, play_out};

/// Time limit for an analysis on a busy machine.
const AN_ANALYSIS: Duration = Duration::from_mins(3);

/// Waits until the replay shows the state after `at` actions.
async fn moment(person: &Person, at: u32) -> Result<()> {
    person.until(&format!("document.querySelector('#slider').value === '{at}'")).await?;
    person.until(&format!("location.search.startsWith('?at={at}&')")).await
}

/// Moves the focus to an element with the Tab key and presses Enter.
async fn go(person: &Person, selector: &str) -> Result<()> {
    tab_to(person, &format!("document.activeElement.matches(\"{selector}\")")).await?;
    person.press("Enter").await
}

pub(crate) async fn a_finished_game_is_looked_at_again() -> Result<()> {
    let hall = Hall::open().await?;
    let player = hall.player(Look { calm: true, ..Look::DESKTOP }).await?;
    play_out(&player, &ByClicks).await?;
    let table = table_of(&player.url().await?)?;
    let reader = hall.guest(Look { lang: "hu", ..Look::DESKTOP }).await?;
    for person in [player, reader] {
        person.goto(&hall.at(&format!("/t/{table}/replay"))).await?;
        person.find("main#replay").await?;
        person.press("ArrowRight").await?;
        moment(&person, 1).await?;
        person.press("ArrowRight").await?;
        moment(&person, 2).await?;
        person.press("ArrowLeft").await?;
        moment(&person, 1).await?;
        go(&person, "#eyes li:first-child a").await?;
        person.find("#own .card").await?;
        go(&person, "#eyes li:last-child a").await?;
        person.find("#all-cards").await?;
        person.press("End").await?;
        person.until("document.querySelector('#slider').value === document.querySelector('#slider').max").await?;
        // At the end, the play button starts again from the beginning.
        go(&person, "#play").await?;
        moment(&person, 1).await?;
        go(&person, &format!("nav.after a[href='/t/{table}']")).await?;
        person.find("main#end").await?;
        go(&person, "#after a[href$='/analysis']").await?;
        person.find("main#analysis").await?;
        let begun = Instant::now();
        while person.ask("!document.querySelector('#analysis .chart svg')").await? {
            ensure!(begun.elapsed() < AN_ANALYSIS, "the analysis does not come to its end");
            sleep(Duration::from_millis(500)).await;
        }
        ensure!(!person.has("main[data-running]").await, "there is nothing more to wait for");
        nothing_is_cut(&person, &hall.at(&format!("/t/{table}/analysis"))).await?;
        // Each decision links to its state in the replay.
        go(&person, "#decisions-title ~ details summary").await?;
        go(&person, "#decisions-title ~ details[open] tbody a").await?;
        person.find("main#replay #own").await?;
        person.all_well(&hall.home())?;
    }
    hall.close().await
}

/// The parts of an analysis that overflow and cannot be scrolled by keyboard, or do not show that they can be scrolled.
const CUT: &str = "(() => { document.querySelectorAll('#analysis details').forEach((one) => { one.open = true; }); \
    const seen = (one) => one.checkVisibility(); \
    const charts = [...document.querySelectorAll('#analysis .chart')].filter(seen); \
    const cut = charts.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className); \
    if (charts.length !== 1) cut.push(`${charts.length} charts`); \
    for (const one of [...document.querySelectorAll('#analysis .wide')].filter(seen)) if (one.scrollWidth > one.clientWidth) { \
        if (one.tabIndex !== 0) cut.push('no key scrolls ' + one.ariaLabel); \
        if (!getComputedStyle(one).backgroundAttachment.includes('local')) cut.push('nothing shows more of ' + one.ariaLabel); \
        if (getComputedStyle(one.querySelector('tbody th')).position !== 'sticky') cut.push('whose row: ' + one.ariaLabel); } \
    return [cut, document.documentElement.scrollWidth - innerWidth]; })()";

/// Checks an analysis in the sizes of phones, then reloads the page with the desktop settings.
async fn nothing_is_cut(person: &Person, page: &str) -> Result<()> {
    for (width, height) in [(320, 640), (360, 740), (844, 390)] {
        person.look_with(Look { width, height, touch: true, ..Look::PHONE }).await?;
        let (cut, over): (Vec<String>, f64) = person.ask(CUT).await?;
        ensure!(cut.is_empty() && over <= 0.0, "{width}×{height}: {cut:?}, {over} too wide");
    }
    person.look_with(Look::DESKTOP).await?;
    person.goto(page).await
}

pub(crate) async fn a_coach_is_asked() -> Result<()> {
    let hall = Hall::open().await?;
    let person = hall.guest(Look::DESKTOP).await?;
    let _: bool = person.ask("document.querySelector('#play [name=coach]').checked = document.querySelector('#play [name=screens][value=open]').checked = true").await?;
    person.click("#play button[type=submit]").await?;
    person.find("main#table").await?;
    person.find("#confirm").await?;
    person.click("#ask-coach button").await?;
    person.until("document.querySelector('#coach-says:popover-open .coach-said tbody tr') !== null").await?;
    person.press("Escape").await?;
    person.until("!document.querySelector('#coach-says:popover-open')").await?;
    person.click("#ask-holds button").await?;
    person.until("document.querySelector('#coach-says:popover-open .holds li') !== null").await?;
    person.press("Escape").await?;
    person.all_well(&hall.home())?;
    hall.close().await
}

pub(crate) async fn a_record_file_is_dropped_on_a_page() -> Result<()> {
    let hall = Hall::open().await?;
    let folder = tempfile::tempdir()?;
    // Chromium does not accept a path with `..`.
    let whole = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/data/four.sultan.json").canonicalize()?;
    let cut = folder.path().join("cut.sultan.json");
    let text = std::fs::read_to_string(&whole)?;
    std::fs::write(&cut, &text[..text.len() / 2])?;
    for look in [Look { lang: "de", ..Look::DESKTOP }, Look::PHONE] {
        let person = hall.guest(look).await?;
        person.goto(&hall.at("/replay")).await?;
        person.drop_file(&cut, "h1").await?;
        person.find(".refusal").await?;
        // The browser logs an error for every response with an error status.
        person.heard().errors.clear();
        person.drop_file(&whole, "h1").await?;
        person.find("main#replay").await?;
        person.press("ArrowRight").await?;
        moment(&person, 1).await?;
        go(&person, "#eyes li:first-child a").await?;
        person.find("#own .card").await?;
        go(&person, "#to-next").await?;
        moment(&person, 2).await?;
        person.all_well(&hall.home())?;
    }
    hall.close().await
}

pub(crate) async fn a_moment_is_played_on() -> Result<()> {
    let hall = Hall::open().await?;
    let person = hall.player(Look { calm: true, lang: "fr", ..Look::DESKTOP }).await?;
    play_out(&person, &ByClicks).await?;
    let table = table_of(&person.url().await?)?;
    person.goto(&hall.at(&format!("/t/{table}/replay?at=60&eyes=0"))).await?;
    go(&person, "#branch summary").await?;
    go(&person, "#branch button[type=submit]").await?;
    person.find("main#table .card").await?;
    person.find(".branch-pill").await?;
    ensure!(table_of(&person.url().await?)? != table, "it goes on at another table");
    play_out(&person, &ByClicks).await?;
    person.find("#after .branch-note").await?;
    ensure!(!person.has("#after a[href$='/verify']").await, "there is nothing to verify");
    go(&person, "#after a[href$='/replay']").await?;
    person.find("main#replay").await?;
    person.all_well(&hall.home())?;
    hall.close().await
}
