//! Plays a game in a page, like a human player.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use sultan_e2e::browser::User;
use tokio::time::{Instant, sleep};

/// The action that a page waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prompt {
    /// The player's offer (the choice of the jewel to put back).
    Offer,
    /// The player's bid.
    Bid,
    /// An action of another player.
    OtherPlayer,
    /// The game is over.
    Over,
}

/// Time limit without progress.
const PROGRESS_TIMEOUT: Duration = Duration::from_secs(40);
/// Time limit for an action to show on the page. After that it is repeated, as a human would.
const SEEN: Duration = Duration::from_secs(9);

/// The action that the page waits for, and the number of actions so far.
pub(crate) async fn prompt(user: &User) -> Result<(Prompt, u32)> {
    let html = user.html().await?;
    if html.contains("id=\"end\"") {
        return Ok((Prompt::Over, 0));
    }
    if !html.contains("id=\"confirm\"") {
        return Ok((Prompt::OtherPlayer, 0));
    }
    let (_, rest) = html.split_once("name=\"at\" value=\"").context("the element has a timestamp")?;
    let at = rest.split('"').next().unwrap_or_default().parse()?;
    Ok((if html.contains("name=\"back\"") { Prompt::Offer } else { Prompt::Bid }, at))
}

/// A way to act on a page.
pub(crate) trait ActionInput {
    /// Makes an offer or a bid.
    fn act(&self, user: &User, prompt: Prompt, at: u32) -> impl Future<Output = Result<()>>;
}

/// Acts by clicking on the choice and then on the button.
pub(crate) struct ClickInput;

impl ActionInput for ClickInput {
    async fn act(&self, user: &User, prompt: Prompt, at: u32) -> Result<()> {
        if user.has(".is-playing").await {
            bail!("cards are being turned up");
        }
        // A second click would undo the choice.
        let first = |chosen: &'static str, click: String| async move {
            if user.has(chosen).await { Ok(()) } else { user.click(&click).await }
        };
        if prompt == Prompt::Offer {
            first(".drawn :checked", ".drawn label".to_owned()).await?;
        } else {
            // Alternate between the lowest and the highest card.
            let end = if at.is_multiple_of(2) { "first" } else { "last" };
            first("#own .card :checked", format!("#own .card:{end}-child")).await?;
            first("label.cushion :checked", "label.cushion".to_owned()).await?;
        }
        user.click("#confirm").await
    }
}

/// Plays until the game is over. Returns the number of this player's actions.
pub(crate) async fn play_out(user: &User, by: &impl ActionInput) -> Result<u32> {
    let (mut own, mut done) = (0, None);
    let (mut last, mut since) = (None, Instant::now());
    loop {
        let now = prompt(user).await.ok();
        if now != last {
            (last, since) = (now, Instant::now());
        }
        if since.elapsed() > PROGRESS_TIMEOUT {
            user.screenshot(&std::env::temp_dir().join("sultan-stuck.png")).await?;
            bail!("the game is stuck (see sultan-stuck.png): {now:?} at {}", user.url().await?);
        }
        match now {
            Some((Prompt::Over, _)) => return Ok(own),
            Some((prompt @ (Prompt::Offer | Prompt::Bid), at)) => {
                let new = done.is_none_or(|(before, _): (u32, Instant)| before != at);
                let late = done.is_some_and(|(_, when)| when.elapsed() > SEEN);
                if (new || late) && by.act(user, prompt, at).await.is_ok() {
                    own += u32::from(new);
                    done = Some((at, Instant::now()));
                }
            }
            // Without JavaScript the user refreshes the page with a link.
            Some((Prompt::OtherPlayer, _)) if user.has("html:not(.js) a.again").await => {
                let _ = user.click("a.again").await;
            }
            // The page is being replaced, or the last action is not visible yet.
            _ => {}
        }
        sleep(Duration::from_millis(30)).await;
    }
}
