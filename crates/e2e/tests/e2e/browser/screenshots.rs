//! Screenshots of every page, for human review.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};
use sultan_e2e::browser::{Device, User};
use tokio::time::sleep;

use super::play::{ActionInput, ClickInput, Prompt, play_out, prompt};
use super::setup::TestSetup;

const DEVICES: [(&str, Device); 4] = [
    ("desktop", Device::DESKTOP),
    ("desktop-day", Device { dark: false, ..Device::DESKTOP }),
    ("phone", Device::PHONE),
    ("phone-day", Device { dark: false, ..Device::PHONE }),
];

struct Album {
    folder: PathBuf,
    device: &'static str,
}

impl Album {
    async fn keep(&self, user: &User, name: &str) -> Result<()> {
        let file = self.folder.join(format!("{name}-{}.png", self.device));
        user.screenshot(&file).await?;
        ensure!(file.metadata()?.len() > 5000, "{} shows nothing", file.display());
        Ok(())
    }
}

pub(crate) async fn screenshots() -> Result<()> {
    let temporary = tempfile::tempdir()?;
    let folder = std::env::var_os("SULTAN_PICTURES").map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let setup = TestSetup::open().await?;
    for (name, device) in DEVICES {
        album(&setup, device, &folder, name).await?;
    }
    setup.close().await
}

async fn album(setup: &TestSetup, device: Device, folder: &Path, name: &'static str) -> Result<()> {
    let album = Album { folder: folder.to_owned(), device: name };
    let guest = setup.new_visitor(device).await?;
    album.keep(&guest, "home").await?;
    guest.goto(&setup.url("/rules")).await?;
    album.keep(&guest, "rules").await?;
    guest.goto(&setup.url("/")).await?;
    super::multiplayer::open_table(&guest, 4).await?;
    album.keep(&guest, "lobby").await?;
    let player = setup.new_player(device).await?;
    let (mut seen, mut done) = (Vec::new(), None);
    let new = |seen: &[&str], kind| !seen.contains(&kind);
    while seen.len() < 3 {
        sleep(Duration::from_millis(30)).await;
        if player.has(".is-playing").await {
            if new(&seen, "reveal") {
                // Wait until the first cards are turned up.
                sleep(Duration::from_millis(1200)).await;
                album.keep(&player, "reveal").await?;
                seen.push("reveal");
            }
            continue;
        }
        let Ok((now @ (Prompt::Offer | Prompt::Bid), at)) = prompt(&player).await else { continue };
        if done == Some(at) {
            continue;
        }
        let kind = if now == Prompt::Offer { "offer" } else { "bid" };
        if new(&seen, kind) {
            album.keep(&player, kind).await?;
            seen.push(kind);
        }
        if ClickInput.act(&player, now, at).await.is_ok() {
            done = Some(at);
        }
    }
    if !device.dark {
        // The end page is captured in dark mode only.
        return Ok(());
    }
    player.set_device(Device { reduced_motion: true, ..device }).await?;
    play_out(&player, &ClickInput).await?;
    player.set_device(device).await?;
    sleep(Duration::from_secs(3)).await;
    album.keep(&player, "end").await
}
