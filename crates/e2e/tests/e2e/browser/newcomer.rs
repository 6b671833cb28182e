//! Pages for new players: no text is cut off, and no prompt is shown for a finished action.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use sultan_e2e::browser::{Look, Person};
use tokio::time::sleep;

use super::hall::{Hall, table_of};
use super::play::{Act, ByClicks, Waits, play_out, waits};

/// A small phone.
const SMALL: Look = Look { width: 360, height: 740, ..Look::PHONE };

/// The visible texts below the hand.
const DOCK: &str = "[...document.querySelectorAll('.confirm > *')]\
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))\
    .map((one) => one.textContent.trim())";

pub(crate) async fn nothing_is_asked_while_cards_are_turned_up() -> Result<()> {
    let hall = Hall::open().await?;
    for look in [SMALL, Look::DESKTOP] {
        let person = hall.player(look).await?;
        // The last bid of a round is sometimes from a bot and sometimes from this player.
        for _ in 0..3 {
            until_turned_up(&person).await?;
            let (dock, status): (Vec<String>, String) =
                person.ask(&format!("[{DOCK}, document.querySelector('#status').textContent]")).await?;
            ensure!(dock == ["All cards are turned up."], "{dock:?}");
            ensure!(status.contains("ound") || status.contains("take"), "“{status}”");
            person.until("!document.querySelector('.reveal')").await?;
            let dock: Vec<String> = person.ask(DOCK).await?;
            ensure!(dock.len() == 1 && dock != ["All cards are turned up."], "{dock:?}");
        }
        person.all_well(&hall.home())?;
    }
    hall.close().await
}

/// Plays until the cards of a round are turned up.
async fn until_turned_up(person: &Person) -> Result<()> {
    let begun = Instant::now();
    while !person.has(".is-playing").await {
        ensure!(begun.elapsed() < Duration::from_mins(1), "no cards are turned up");
        if let Ok((wanted @ (Waits::Offer | Waits::Bid), at)) = waits(person).await {
            // The page may have changed or not be ready; the loop tries again.
            let _ = ByClicks.act(person, wanted, at).await;
        }
        sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// The overflow of the helper's text in pixels, the height of the board, and the text.
const HELPER: &str = "(() => { const said = document.querySelector('#guide .said'); \
    return [said.scrollHeight - said.clientHeight, document.querySelector('#board').clientHeight, said.textContent]; })()";

pub(crate) async fn the_helper_is_read_whole_on_a_phone() -> Result<()> {
    let hall = Hall::open().await?;
    for lang in ["en", "de", "fr", "nl", "hu"] {
        let person = hall.browser.person(Look { lang, calm: true, ..SMALL }).await?;
        person.goto(&hall.at("/learn")).await?;
        person.click("main form button").await?;
        let (mut rounds, mut done) = (0, None);
        // The texts of the first stage are the longest.
        while rounds < 5 {
            sleep(Duration::from_millis(30)).await;
            let Ok((wanted @ (Waits::Offer | Waits::Bid), at)) = waits(&person).await else { continue };
            if done == Some(at) || person.has(".reveal").await {
                continue;
            }
            let (over, board, said): (f64, f64, String) = person.ask(HELPER).await?;
            ensure!(over <= 1.0, "{lang}: cut by {over}: {said}");
            ensure!(board >= 150.0, "{lang}: a board of {board} pixels beside: {said}");
            if ByClicks.act(&person, wanted, at).await.is_ok() {
                done = Some(at);
                rounds += u32::from(wanted == Waits::Bid);
            }
        }
        person.all_well(&hall.home())?;
    }
    hall.close().await
}

/// The elements that are not completely inside the window.
const OUTSIDE: &str = "['#eyes', '#to-first', '#to-last', '#slider', '#seats', '#board', '#own'].filter((one) => { \
    const place = document.querySelector(one); if (!place) return false; const box = place.getBoundingClientRect(); \
    return box.top < 0 || box.left < 0 || box.right > innerWidth || box.bottom > innerHeight; })";

pub(crate) async fn a_replay_is_seen_whole_on_a_desktop() -> Result<()> {
    let hall = Hall::open().await?;
    let look = Look { width: 1280, height: 800, calm: true, ..Look::DESKTOP };
    let person = hall.player(look).await?;
    play_out(&person, &ByClicks).await?;
    ensure!(person.text("#ranking").await?.contains("You"), "the reader has a place, too");
    let table = table_of(&person.url().await?)?;
    for lang in ["en", "de", "fr", "nl", "hu"] {
        let reader = hall.browser.person(Look { lang, ..look }).await?;
        for eyes in ["0", "all"] {
            reader.goto(&hall.at(&format!("/t/{table}/replay?at=21&eyes={eyes}"))).await?;
            reader.find("#replay #board").await.context("the board is missing")?;
            let outside: Vec<String> = reader.ask(OUTSIDE).await?;
            ensure!(outside.is_empty(), "{lang}, {eyes}: {outside:?}");
        }
        reader.all_well(&hall.home())?;
    }
    hall.close().await
}
