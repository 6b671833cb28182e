//! Screenshots of every page, for human review, and the frames of an animated picture.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};
use sultan_e2e::browser::{Device, User};
use tokio::time::{Instant, sleep};

use super::play::{ActionInput, ClickInput, Prompt, play_out, prompt};
use super::setup::TestSetup;

const DEVICES: [(&str, Device); 4] = [
    ("desktop", Device::DESKTOP),
    ("desktop-day", Device { prefers_dark: false, ..Device::DESKTOP }),
    ("phone", Device::PHONE),
    ("phone-day", Device { prefers_dark: false, ..Device::PHONE }),
];

/// A folder for the screenshots of one device.
struct Album {
    folder: PathBuf,
    device_name: &'static str,
}

impl Album {
    /// Writes a screenshot of the current page.
    async fn add(&self, user: &User, name: &str) -> Result<()> {
        let file = self.folder.join(format!("{name}-{}.png", self.device_name));
        user.screenshot(&file).await?;
        ensure!(file.metadata()?.len() > 5000, "the screenshot {} is too small to show a page", file.display());
        Ok(())
    }
}

pub(crate) async fn screenshots() -> Result<()> {
    let temporary = tempfile::tempdir()?;
    let folder = std::env::var_os("SULTAN_PICTURES").map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let setup = TestSetup::open().await?;
    for (name, device) in DEVICES {
        take_screenshots(&setup, device, &folder, name).await?;
    }
    record_reveal(&setup, &folder.join("reveal")).await?;
    setup.close().await
}

/// Records a bid and the reveal after it, for an animated picture (`scripts/animate`).
async fn record_reveal(setup: &TestSetup, folder: &Path) -> Result<()> {
    // A small window in which the opponents sit around the board.
    let player = setup.new_player(Device { width: 1000, height: 680, ..Device::DESKTOP }).await?;
    std::fs::create_dir_all(folder)?;
    loop {
        match prompt(&player).await {
            Ok((Prompt::Offer, at)) => drop(ClickInput.act(&player, Prompt::Offer, at).await),
            Ok((Prompt::Bid, at)) => {
                let bid = ClickInput.act(&player, Prompt::Bid, at);
                tokio::try_join!(bid, record_until_revealed(&player, folder))?;
                return Ok(());
            }
            _ => sleep(Duration::from_millis(30)).await,
        }
    }
}

/// Takes screenshots one after another until a reveal has begun and ended. The name of each file is its time in
/// milliseconds, such as `00480.png`.
async fn record_until_revealed(player: &User, folder: &Path) -> Result<()> {
    let start = Instant::now();
    let mut has_begun = false;
    loop {
        let milliseconds = start.elapsed().as_millis();
        player.screenshot(&folder.join(format!("{milliseconds:05}.png"))).await?;
        let is_running = player.has(".is-playing").await;
        if has_begun && !is_running {
            return Ok(());
        }
        has_begun |= is_running;
        ensure!(start.elapsed() < Duration::from_secs(40), "no reveal begins and ends after a bid");
    }
}

/// Takes screenshots of all pages on one device.
async fn take_screenshots(setup: &TestSetup, device: Device, folder: &Path, device_name: &'static str) -> Result<()> {
    let album = Album { folder: folder.to_owned(), device_name };
    let guest = setup.new_visitor(device).await?;
    album.add(&guest, "home").await?;
    guest.goto(&setup.url("/rules")).await?;
    album.add(&guest, "rules").await?;
    guest.goto(&setup.url("/")).await?;
    super::multiplayer::open_table(&guest, 4).await?;
    album.add(&guest, "lobby").await?;
    let player = setup.new_player(device).await?;
    let (mut taken, mut last_action_at) = (Vec::new(), None);
    while taken.len() < 3 {
        sleep(Duration::from_millis(30)).await;
        // The class of an animated reveal. While it runs, the page asks for no action.
        if player.has(".is-playing").await {
            if !taken.contains(&"reveal") {
                // Wait until the first cards are turned up.
                sleep(Duration::from_millis(1200)).await;
                album.add(&player, "reveal").await?;
                taken.push("reveal");
            }
            continue;
        }
        let Ok((current @ (Prompt::Offer | Prompt::Bid), at)) = prompt(&player).await else { continue };
        if last_action_at == Some(at) {
            continue;
        }
        let kind = if current == Prompt::Offer { "offer" } else { "bid" };
        if !taken.contains(&kind) {
            album.add(&player, kind).await?;
            taken.push(kind);
        }
        if ClickInput.act(&player, current, at).await.is_ok() {
            last_action_at = Some(at);
        }
    }
    if !device.prefers_dark {
        // The end page is captured in dark mode only.
        return Ok(());
    }
    player.set_device(Device { prefers_reduced_motion: true, ..device }).await?;
    play_out(&player, &ClickInput).await?;
    player.set_device(device).await?;
    // Wait for the end of the animations.
    sleep(Duration::from_secs(3)).await;
    album.add(&player, "end").await
}
