//! Bots as they are named on the command line: `jeweller`, or `vizier@FILE` for one that plays with nets of its own.

use anyhow::{Context, bail};
use sultan_bots::{Bot, NAMES, Nets, Sultan, Vizier, by_name};
use sultan_domain::Players;

/// Checks a name, without reading the file it may point to.
pub(crate) fn name(text: &str) -> Result<String, String> {
    let name = text.split_once('@').map_or(text, |(name, _)| name);
    if !NAMES.contains(&name) {
        return Err(format!("there is no such bot; there are {}", NAMES.join(", ")));
    }
    if name != text && !["vizier", "sultan"].contains(&name) {
        return Err("only vizier and sultan play with nets".into());
    }
    Ok(text.to_owned())
}

/// The bot of this name, at tables of so many players.
pub(crate) fn find(text: &str, players: Players) -> anyhow::Result<Box<dyn Bot>> {
    let Some((name, file)) = text.split_once('@') else {
        return by_name(text).with_context(|| format!("there is no bot {text}"));
    };
    let bytes = std::fs::read(file).with_context(|| file.to_owned())?;
    let nets = Nets::from_bytes(&bytes).with_context(|| file.to_owned())?;
    if nets.players() != players {
        bail!("{file}: these nets are for {} players, not {}", nets.players().count(), players.count());
    }
    // As long as the program runs: a few names, once.
    let label: &'static str = text.to_owned().leak();
    match name {
        "vizier" => Ok(Box::new(Vizier::with(nets, label))),
        "sultan" => Ok(Box::new(Sultan::with(nets, label))),
        _ => bail!("only vizier and sultan play with nets"),
    }
}
