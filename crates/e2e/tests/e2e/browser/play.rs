//! Plays a game in a page, like a human player.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use sultan_e2e::browser::Person;
use tokio::time::{Instant, sleep};

/// The action that a page waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waits {
    /// The player's offer (the choice of the jewel to put back).
    Offer,
    /// The player's bid.
    Bid,
    /// An action of another player.
    Others,
    /// The game is over.
    Over,
}

/// Time limit without progress.
const STUCK: Duration = Duration::from_secs(40);
/// Time limit for an action to show on the page. After that it is repeated, as a human would.
const SEEN: Duration = Duration::from_secs(9);

/// The action that the page waits for, and the number of actions so far.
pub(crate) async fn waits(person: &Person) -> Result<(Waits, u32)> {
    let html = person.html().await?;
    if html.contains("id=\"end\"") {
        return Ok((Waits::Over, 0));
    }
    if !html.contains("id=\"confirm\"") {
        return Ok((Waits::Others, 0));
    }
    let (_, rest) = html.split_once("name=\"at\" value=\"").context("the element has a timestamp")?;
    let at = rest.split('"').next().unwrap_or_default().parse()?;
    Ok((if html.contains("name=\"back\"") { Waits::Offer } else { Waits::Bid }, at))
}

/// A way to act on a page.
pub(crate) trait Act {
    /// Makes an offer or a bid.
    fn act(&self, person: &Person, waits: Waits, at: u32) -> impl Future<Output = Result<()>>;
}

/// Acts by clicking on the choice and then on the button.
pub(crate) struct ByClicks;

impl Act for ByClicks {
    async fn act(&self, person: &Person, waits: Waits, at: u32) -> Result<()> {
        if person.has(".is-playing").await {
            bail!("cards are being turned up");
        }
        // A second click would undo the choice.
        let first = |chosen: &'static str, click: String| async move {
            if person.has(chosen).await { Ok(()) } else { person.click(&click).await }
        };
        if waits == Waits::Offer {
            first(".drawn :checked", ".drawn label".to_owned()).await?;
        } else {
            // Alternate between the lowest and the highest card.
            let end = if at.is_multiple_of(2) { "first" } else { "last" };
            first("#own .card :checked", format!("#own .card:{end}-child")).await?;
            first("label.cushion :checked", "label.cushion".to_owned()).await?;
        }
        person.click("#confirm").await
    }
}

/// Plays until the game is over. Returns the number of this player's actions.
pub(crate) async fn play_out(person: &Person, by: &impl Act) -> Result<u32> {
    let (mut own, mut done) = (0, None);
    let (mut last, mut since) = (None, Instant::now());
    loop {
        let now = waits(person).await.ok();
        if now != last {
            (last, since) = (now, Instant::now());
        }
        if since.elapsed() > STUCK {
            person.picture(&std::env::temp_dir().join("sultan-stuck.png")).await?;
            bail!("the game is stuck (see sultan-stuck.png): {now:?} at {}", person.url().await?);
        }
        match now {
            Some((Waits::Over, _)) => return Ok(own),
            Some((waits @ (Waits::Offer | Waits::Bid), at)) => {
                let new = done.is_none_or(|(before, _): (u32, Instant)| before != at);
                let late = done.is_some_and(|(_, when)| when.elapsed() > SEEN);
                if (new || late) && by.act(person, waits, at).await.is_ok() {
                    own += u32::from(new);
                    done = Some((at, Instant::now()));
                }
            }
            // Without JavaScript the user refreshes the page with a link.
            Some((Waits::Others, _)) if person.has("html:not(.js) a.again").await => {
                let _ = person.click("a.again").await;
            }
            // The page is being replaced, or the last action is not visible yet.
            _ => {}
        }
        sleep(Duration::from_millis(30)).await;
    }
}
