//! Pages for new players: no text is cut off, and no prompt is shown for a finished action.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use sultan_e2e::browser::{Device, User};
use tokio::time::sleep;

use super::play::{ActionInput, ClickInput, Prompt, play_out, prompt};
use super::setup::{TestSetup, table_of};

/// A small phone.
const SMALL: Device = Device { width: 360, height: 740, ..Device::PHONE };

/// The visible texts below the hand.
const DOCK: &str = "[...document.querySelectorAll('.confirm > *')]\
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))\
    .map((one) => one.textContent.trim())";

pub(crate) async fn no_prompt_is_shown_during_a_reveal() -> Result<()> {
    let setup = TestSetup::open().await?;
    for device in [SMALL, Device::DESKTOP] {
        let user = setup.new_player(device).await?;
        // The last bid of a round is sometimes from a bot and sometimes from this player.
        for _ in 0..3 {
            play_until_reveal(&user).await?;
            let (dock, status): (Vec<String>, String) =
                user.evaluate(&format!("[{DOCK}, document.querySelector('#status').textContent]")).await?;
            ensure!(dock == ["All cards are turned up."], "{dock:?}");
            ensure!(status.contains("ound") || status.contains("take"), "“{status}”");
            user.wait_until("!document.querySelector('.reveal')").await?;
            let dock: Vec<String> = user.evaluate(DOCK).await?;
            ensure!(dock.len() == 1 && dock != ["All cards are turned up."], "{dock:?}");
        }
        user.check_log(&setup.authority())?;
    }
    setup.close().await
}

/// Plays until the cards of a round are turned up.
async fn play_until_reveal(user: &User) -> Result<()> {
    let begun = Instant::now();
    while !user.has(".is-playing").await {
        ensure!(begun.elapsed() < Duration::from_mins(1), "no cards are turned up");
        if let Ok((wanted @ (Prompt::Offer | Prompt::Bid), at)) = prompt(user).await {
            // The page may have changed or not be ready; the loop tries again.
            let _ = ClickInput.act(user, wanted, at).await;
        }
        sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// The overflow of the helper's text in pixels, the height of the board, and the text.
const HELPER: &str = "(() => { const said = document.querySelector('#guide .said'); \
    return [said.scrollHeight - said.clientHeight, document.querySelector('#board').clientHeight, said.textContent]; })()";

pub(crate) async fn guide_text_fits_on_a_phone() -> Result<()> {
    let setup = TestSetup::open().await?;
    for lang in ["en", "de", "fr", "nl", "hu"] {
        let user = setup.browser.new_user(Device { lang, reduced_motion: true, ..SMALL }).await?;
        user.goto(&setup.url("/learn")).await?;
        user.click("main form button").await?;
        let (mut rounds, mut done) = (0, None);
        // The texts of the first stage are the longest.
        while rounds < 5 {
            sleep(Duration::from_millis(30)).await;
            let Ok((wanted @ (Prompt::Offer | Prompt::Bid), at)) = prompt(&user).await else { continue };
            if done == Some(at) || user.has(".reveal").await {
                continue;
            }
            let (over, board, said): (f64, f64, String) = user.evaluate(HELPER).await?;
            ensure!(over <= 1.0, "{lang}: cut by {over}: {said}");
            ensure!(board >= 150.0, "{lang}: a board of {board} pixels beside: {said}");
            if ClickInput.act(&user, wanted, at).await.is_ok() {
                done = Some(at);
                rounds += u32::from(wanted == Prompt::Bid);
            }
        }
        user.check_log(&setup.authority())?;
    }
    setup.close().await
}

/// The elements that are not completely inside the window.
const OUTSIDE: &str = "['#eyes', '#to-first', '#to-last', '#slider', '#seats', '#board', '#own'].filter((one) => { \
    const place = document.querySelector(one); if (!place) return false; const box = place.getBoundingClientRect(); \
    return box.top < 0 || box.left < 0 || box.right > innerWidth || box.bottom > innerHeight; })";

pub(crate) async fn replay_fits_on_a_desktop() -> Result<()> {
    let setup = TestSetup::open().await?;
    let device = Device { width: 1280, height: 800, reduced_motion: true, ..Device::DESKTOP };
    let user = setup.new_player(device).await?;
    play_out(&user, &ClickInput).await?;
    ensure!(user.text("#ranking").await?.contains("You"), "the reader has a place, too");
    let table = table_of(&user.url().await?)?;
    for lang in ["en", "de", "fr", "nl", "hu"] {
        let reader = setup.browser.new_user(Device { lang, ..device }).await?;
        for eyes in ["0", "all"] {
            reader.goto(&setup.url(&format!("/t/{table}/replay?at=21&eyes={eyes}"))).await?;
            reader.find("#replay #board").await.context("the board is missing")?;
            let outside: Vec<String> = reader.evaluate(OUTSIDE).await?;
            ensure!(outside.is_empty(), "{lang}, {eyes}: {outside:?}");
        }
        reader.check_log(&setup.authority())?;
    }
    setup.close().await
}
