//! Screenshots of every page, for human review.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};
use sultan_e2e::browser::{Look, Person};
use tokio::time::sleep;

use super::hall::Hall;
use super::play::{Act, ByClicks, Waits, play_out, waits};

const LOOKS: [(&str, Look); 4] = [
    ("desktop", Look::DESKTOP),
    ("desktop-day", Look { dark: false, ..Look::DESKTOP }),
    ("phone", Look::PHONE),
    ("phone-day", Look { dark: false, ..Look::PHONE }),
];

struct Album {
    folder: PathBuf,
    look: &'static str,
}

impl Album {
    async fn keep(&self, person: &Person, name: &str) -> Result<()> {
        let file = self.folder.join(format!("{name}-{}.png", self.look));
        person.picture(&file).await?;
        ensure!(file.metadata()?.len() > 5000, "{} shows nothing", file.display());
        Ok(())
    }
}

pub(crate) async fn pictures() -> Result<()> {
    let thrown_away = tempfile::tempdir()?;
    let folder = std::env::var_os("SULTAN_PICTURES").map_or_else(|| thrown_away.path().to_owned(), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let hall = Hall::open().await?;
    for (name, look) in LOOKS {
        album(&hall, look, &folder, name).await?;
    }
    hall.close().await
}

async fn album(hall: &Hall, look: Look, folder: &Path, name: &'static str) -> Result<()> {
    let album = Album { folder: folder.to_owned(), look: name };
    let guest = hall.guest(look).await?;
    album.keep(&guest, "home").await?;
    guest.goto(&hall.at("/rules")).await?;
    album.keep(&guest, "rules").await?;
    guest.goto(&hall.at("/")).await?;
    super::together::open(&guest, 4).await?;
    album.keep(&guest, "lobby").await?;
    let player = hall.player(look).await?;
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
        let Ok((now @ (Waits::Offer | Waits::Bid), at)) = waits(&player).await else { continue };
        if done == Some(at) {
            continue;
        }
        let kind = if now == Waits::Offer { "offer" } else { "bid" };
        if new(&seen, kind) {
            album.keep(&player, kind).await?;
            seen.push(kind);
        }
        if ByClicks.act(&player, now, at).await.is_ok() {
            done = Some(at);
        }
    }
    if !look.dark {
        // The end page is captured in dark mode only.
        return Ok(());
    }
    player.look_with(Look { calm: true, ..look }).await?;
    play_out(&player, &ByClicks).await?;
    player.look_with(look).await?;
    sleep(Duration::from_secs(3)).await;
    album.keep(&player, "end").await
}
