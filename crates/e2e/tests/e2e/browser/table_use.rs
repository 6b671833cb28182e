//! Use of the table: a prepared card, the pace, the keyboard, the log, large windows.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use sultan_e2e::browser::{Device, User};
use tokio::time::{Instant, sleep};

use super::play::{ActionInput, ClickInput, Prompt, prompt};
use super::setup::TestSetup;

/// A large desktop, which shows the log beside the board.
const LARGE_DESKTOP: Device = Device { width: 1920, height: 1080, prefers_reduced_motion: true, ..Device::DESKTOP };

/// A JavaScript expression: whether the player can prepare a card now.
const CAN_PREPARE: &str = "!document.querySelector('#confirm') && !!document.querySelector('#own .card input:enabled')";

/// Plays until the expression is true.
async fn play_until(user: &User, expression: &str) -> Result<()> {
    let deadline = Instant::now() + Duration::from_mins(1);
    while !user.evaluate::<bool>(expression).await.unwrap_or(false) {
        ensure!(Instant::now() < deadline, "“{expression}” does not become true while the game goes on");
        if let Ok((current @ (Prompt::Offer | Prompt::Bid), at)) = prompt(user).await {
            // The page may have changed or not be ready; the loop tries again.
            let _ = ClickInput.act(user, current, at).await;
        }
        sleep(Duration::from_millis(30)).await;
    }
    Ok(())
}

/// Returns whether the element with this selector is visible.
async fn is_visible(user: &User, selector: &str) -> Result<bool> {
    user.evaluate(&format!("!!document.querySelector('{selector}')?.checkVisibility({{ visibilityProperty: true }})"))
        .await
}

/// The number of actions that the page has sent.
fn sent_actions(user: &User) -> usize {
    user.log().requests.iter().filter(|url| url.contains("/act")).count()
}

pub(crate) async fn card_is_prepared_while_others_bid_and_confirmed_by_keyboard() -> Result<()> {
    // Long enough to prepare a card.
    let setup = TestSetup::with_args(&["--bot-pause-ms", "2500"]).await?;
    let user = setup.new_player(LARGE_DESKTOP).await?;
    play_until(&user, CAN_PREPARE).await?;
    ensure!(is_visible(&user, ".may-prepare").await?, "the page does not say that a card can be prepared");
    let sent = sent_actions(&user);
    user.click("#own .card:nth-child(2)").await?;
    ensure!(is_visible(&user, ".is-prepared").await?, "the page does not say that the card is prepared");
    user.press("Enter").await?;
    // Other players bid meanwhile.
    user.find("#confirm").await?;
    ensure!(sent_actions(&user) == sent, "a prepared card was sent");
    ensure!(user.has("#own .card:nth-child(2) :checked").await, "the prepared card is no longer chosen");
    ensure!(is_visible(&user, ".need-cushion").await?, "the page does not ask for a cushion");
    let focused = "document.activeElement.id || document.activeElement.name";
    user.press("Tab").await?;
    let after_card: String = user.evaluate(focused).await?;
    user.press("2").await?;
    user.press("Tab").await?;
    let after_cushion: String = user.evaluate(focused).await?;
    ensure!([&*after_card, &*after_cushion] == ["cushion", "confirm"], "Tab leads to {after_card}, {after_cushion}");
    ensure!(is_visible(&user, "#keys").await?, "the page does not show its keys");
    user.press("Enter").await?;
    user.wait_until("!document.querySelector('#own .card :checked, #confirm')").await?;
    user.check_log(&setup.authority())?;
    setup.close().await
}

/// A JavaScript expression: the sentences of the log beside the board; an error if it overlaps the board or a seat.
const LOG_BESIDE_BOARD: &str = "(() => { const box = (selector) => document.querySelector(selector).getBoundingClientRect(); \
    const log = box('#story'); if (log.width < 100 || log.height < 100 || log.right > innerWidth || log.bottom > innerHeight) throw new Error('not in the window'); \
    if (log.left < box('#board').right) throw new Error('over the board'); \
    for (const seat of document.querySelectorAll('.seat')) { const { right, bottom } = seat.getBoundingClientRect(); if (right > log.left && bottom > log.top) throw new Error('over a seat'); } \
    return [...document.querySelectorAll('#log li')].map((item) => item.textContent); })()";

pub(crate) async fn pace_is_remembered_and_log_is_beside_the_board() -> Result<()> {
    let setup = TestSetup::open().await?;
    let user = setup.new_player(Device { prefers_reduced_motion: false, ..LARGE_DESKTOP }).await?;
    user.find("html.js").await?;
    user.click("#settings summary").await?;
    user.click("#settings label:has([value=instant])").await?;
    user.goto(&user.url().await?).await?;
    user.find("#settings [value=instant]:checked").await.or_else(|_| anyhow::bail!("the pace is forgotten"))?;
    // The result of a round stays for a moment, without an animation.
    play_until(&user, "!!document.querySelector('.reveal')").await?;
    ensure!(!user.has(".is-playing").await, "cards turn although the pace is instant");
    let shown = Instant::now();
    user.wait_until("!document.querySelector('.reveal')").await?;
    ensure!(shown.elapsed() < Duration::from_secs(10), "the result stays for {:?}", shown.elapsed());
    let log: Vec<String> = user.evaluate(LOG_BESIDE_BOARD).await?;
    ensure!(log.iter().any(|line| line.contains("take")), "the log lacks the results of the last round: {log:?}");
    // A new page has the same sentences about finished and current rounds.
    user.goto(&user.url().await?).await?;
    let new_log: Vec<String> = user.evaluate(LOG_BESIDE_BOARD).await?;
    ensure!(new_log.iter().any(|line| line.contains("take")), "a new page has only {new_log:?}");
    let board_width = "document.querySelector('#board').clientWidth";
    let width: f64 = user.evaluate(board_width).await?;
    user.set_device(Device { width: 3840, height: 2160, ..LARGE_DESKTOP }).await?;
    let (large, font): (f64, f64) = user
        .evaluate(&format!("[{board_width}, parseFloat(getComputedStyle(document.querySelector('#status')).fontSize)]"))
        .await?;
    ensure!(
        large > 1.9 * width && font > 40.0,
        "on a wall screen the board is {large} pixels wide, its text {font} high"
    );
    user.evaluate::<Vec<String>>(LOG_BESIDE_BOARD).await.context("the log on a wall screen")?;
    user.check_log(&setup.authority())?;
    setup.close().await
}
