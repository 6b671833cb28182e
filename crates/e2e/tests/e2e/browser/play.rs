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
    /// An action of another player: this player can only wait.
    OtherPlayer,
    /// The game is over.
    Over,
}

/// Time limit without progress.
const PROGRESS_TIMEOUT: Duration = Duration::from_secs(40);
/// Time limit for an action to show on the page. After that the action is repeated, as a human would do.
const REPEAT_AFTER: Duration = Duration::from_secs(9);

/// The action that the page waits for, and the number of actions so far (0 if the player is not to act).
pub(crate) async fn prompt(user: &User) -> Result<(Prompt, u32)> {
    let html = user.html().await?;
    if html.contains("id=\"end\"") {
        return Ok((Prompt::Over, 0));
    }
    if !html.contains("id=\"confirm\"") {
        return Ok((Prompt::OtherPlayer, 0));
    }
    let (_, after_value) = html.split_once("name=\"at\" value=\"").context("the form has no field `at`")?;
    let at = after_value.split('"').next().unwrap_or_default().parse()?;
    Ok((if html.contains("name=\"back\"") { Prompt::Offer } else { Prompt::Bid }, at))
}

/// A way to act on a page.
pub(crate) trait ActionInput {
    /// Makes the offer or bid that the page waits for. `at` is the number of actions so far.
    fn act(&self, user: &User, prompt: Prompt, at: u32) -> impl Future<Output = Result<()>>;
}

/// Acts by clicking on the choice and then on the button.
pub(crate) struct ClickInput;

impl ActionInput for ClickInput {
    async fn act(&self, user: &User, prompt: Prompt, at: u32) -> Result<()> {
        if user.has(".is-playing").await {
            bail!("the page is turning cards up and accepts no action");
        }
        // Clicks on a choice unless one is chosen already: a second click on the same choice would undo it.
        let click_unless_chosen = |chosen: &'static str, choice: String| async move {
            if user.has(chosen).await { Ok(()) } else { user.click(&choice).await }
        };
        if prompt == Prompt::Offer {
            click_unless_chosen(".drawn :checked", ".drawn label".to_owned()).await?;
        } else {
            // Alternate between the lowest and the highest card.
            let end = if at.is_multiple_of(2) { "first" } else { "last" };
            click_unless_chosen("#own .card :checked", format!("#own .card:{end}-child")).await?;
            click_unless_chosen("label.cushion :checked", "label.cushion".to_owned()).await?;
        }
        user.click("#confirm").await
    }
}

/// Plays until the game is over. Returns the number of this player's actions.
pub(crate) async fn play_out(user: &User, input: &impl ActionInput) -> Result<u32> {
    let mut action_count = 0;
    let mut last_action: Option<(u32, Instant)> = None;
    let (mut last_prompt, mut last_change) = (None, Instant::now());
    loop {
        let current = prompt(user).await.ok();
        if current != last_prompt {
            (last_prompt, last_change) = (current, Instant::now());
        }
        if last_change.elapsed() > PROGRESS_TIMEOUT {
            user.screenshot(&std::env::temp_dir().join("sultan-stuck.png")).await?;
            bail!("the game is stuck (see sultan-stuck.png): {current:?} at {}", user.url().await?);
        }
        match current {
            Some((Prompt::Over, _)) => return Ok(action_count),
            Some((prompt @ (Prompt::Offer | Prompt::Bid), at)) => {
                let is_new = last_action.is_none_or(|(last_at, _)| last_at != at);
                let is_late = last_action.is_some_and(|(_, time)| time.elapsed() > REPEAT_AFTER);
                if (is_new || is_late) && input.act(user, prompt, at).await.is_ok() {
                    action_count += u32::from(is_new);
                    last_action = Some((at, Instant::now()));
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
