//! What comes after a game: stepped through and analysed, by keyboard alone; and the coach during one.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use sultan_testkit::browser::{Look, Person};

use tokio::time::sleep;

use crate::hall::{Hall, table_of};
use crate::play::{ByClicks, play_out};

/// So long an analysis may take on a machine with much else to do.
const AN_ANALYSIS: Duration = Duration::from_mins(3);

/// Waits until the replay is there.
async fn moment(person: &Person, at: u32) -> Result<()> {
    person.until(&format!("document.querySelector('#slider').value === '{at}'")).await?;
    person.until(&format!("location.search.startsWith('?at={at}&')")).await
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
        person.click("#eyes li:first-child a").await?;
        person.find("#own .card").await?;
        person.click("#eyes li:last-child a").await?;
        person.find("#all-cards").await?;
        person.press("End").await?;
        person.until("document.querySelector('#slider').value === document.querySelector('#slider').max").await?;
        // From the end it begins anew, and goes on by itself.
        person.click("#play").await?;
        moment(&person, 1).await?;
        person.goto(&hall.at(&format!("/t/{table}/analysis"))).await?;
        person.find("main#analysis").await?;
        let begun = Instant::now();
        while person.ask("!document.querySelector('#analysis .chart svg')").await? {
            ensure!(begun.elapsed() < AN_ANALYSIS, "the analysis does not come to its end");
            sleep(Duration::from_millis(500)).await;
        }
        ensure!(!person.has("main[data-running]").await, "there is nothing more to wait for");
        person.all_well(&hall.home())?;
    }
    hall.close().await
}

pub(crate) async fn a_coach_is_asked() -> Result<()> {
    let hall = Hall::open().await?;
    let person = hall.guest(Look::DESKTOP).await?;
    let _: bool = person.ask("document.querySelector('#play [name=coach]').checked = true").await?;
    person.click("#play button[type=submit]").await?;
    person.find("main#table").await?;
    person.find("#confirm").await?;
    person.click("#ask-coach button").await?;
    person.until("document.querySelector('#coach-says:popover-open .coach-said tbody tr') !== null").await?;
    person.press("Escape").await?;
    person.until("!document.querySelector('#coach-says:popover-open')").await?;
    person.all_well(&hall.home())?;
    hall.close().await
}
