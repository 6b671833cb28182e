//! Bot names on the command line: `jeweller`; `vizier@FILE` plays with nets from a file; `sultan/1` has a time limit of
//! one millisecond per decision.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use sultan_bots::{Bot, LEVELS, Level, Mcts, NAMES, Nets, WeighedAction};
use sultan_domain::{Action, Players, Recall, View};
use sultan_rules::Quick;

/// A parsed bot name with its options.
struct Named<'a> {
    level: Level,
    nets: Option<&'a str>,
    millis: Option<u64>,
}

impl<'a> Named<'a> {
    fn new(text: &'a str) -> Result<Self, String> {
        // A path may contain slashes, but a time limit is a number.
        let (rest, millis) = match text.rsplit_once('/') {
            Some((rest, millis)) => millis.parse().map_or((text, None), |millis| (rest, Some(millis))),
            None => (text, None),
        };
        let (name, nets) = rest.split_once('@').map_or((rest, None), |(name, file)| (name, Some(file)));
        let Some(level) = Level::find(name) else {
            return Err(format!("unknown bot; there are {}", NAMES.join(", ")));
        };
        if nets.is_some() && level.with_nets.is_none() {
            let with_nets = LEVELS.iter().filter(|level| level.with_nets.is_some());
            let names: Vec<&str> = with_nets.map(|level| level.name).collect();
            return Err(format!("only {} play with nets", names.join(" and ")));
        }
        Ok(Self { level, nets, millis })
    }
}

/// A help text followed by the names of all bots.
pub(crate) fn with_names(what: &str) -> String {
    format!("{what} [bots: {}]", NAMES.join(", "))
}

/// Checks a bot name, without reading its file of nets.
pub(crate) fn name(text: &str) -> Result<String, String> {
    Named::new(text).map(|_| text.to_owned())
}

/// Creates the bot with this name, for games of `players` players.
pub(crate) fn find(text: &str, players: Players) -> anyhow::Result<Box<dyn Bot>> {
    let named = Named::new(text).map_err(anyhow::Error::msg)?;
    // Leaking is fine: there are only a few names, each read once.
    let label: &'static str = text.to_owned().leak();
    let bot: Box<dyn Bot> = match (named.level.with_nets, named.nets) {
        (Some(with_nets), Some(file)) => with_nets(read(file, players)?),
        // The time limit is the only limit then.
        _ if named.level.name == "mcts" && named.millis.is_some() => Box::new(Mcts { iterations: u32::MAX }),
        _ => (named.level.new)(),
    };
    Ok(Box::new(Configured { bot, name: label, limit: named.millis.map(Duration::from_millis) }))
}

fn read(file: &str, players: Players) -> anyhow::Result<Nets> {
    let bytes = std::fs::read(file).with_context(|| file.to_owned())?;
    let nets = Nets::from_bytes(&bytes).with_context(|| file.to_owned())?;
    if nets.players() != players {
        bail!("{file}: these nets are for {} players, not {}", nets.players().count(), players.count());
    }
    Ok(nets)
}

/// A bot with the name given on the command line, and its time limit per decision, if it has one.
struct Configured {
    bot: Box<dyn Bot>,
    name: &'static str,
    limit: Option<Duration>,
}

impl Configured {
    /// Starts the time limit of a decision, and returns whether it has passed or `stop` says so.
    fn stop_in_time<'a>(&'a self, stop: &'a dyn Fn() -> bool) -> impl Fn() -> bool + 'a {
        let start = Instant::now();
        move || stop() || self.limit.is_some_and(|limit| start.elapsed() >= limit)
    }
}

impl Bot for Configured {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, recall: &Recall, rng: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        self.bot.weigh(view, recall, rng, &self.stop_in_time(stop))
    }

    fn choose(&self, view: &View, recall: &Recall, rng: &mut Quick, stop: &dyn Fn() -> bool) -> Option<Action> {
        self.bot.choose(view, recall, rng, &self.stop_in_time(stop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bot_keeps_the_name_from_the_command_line() {
        let (players, file) = (Players::ALL[0], tempfile::NamedTempFile::new().unwrap());
        std::fs::write(&file, Nets::shipped(players).to_bytes()).unwrap();
        for text in ["random", "page/5", &format!("sultan@{}", file.path().display())] {
            assert_eq!(find(text, players).unwrap().name(), text);
        }
    }

    #[test]
    fn names_may_have_nets_and_a_time_limit() {
        let parts = |text| Named::new(text).map(|named| (named.level.name, named.nets, named.millis)).ok();
        assert_eq!(parts("jeweller"), Some(("jeweller", None, None)));
        assert_eq!(parts("sultan/1"), Some(("sultan", None, Some(1))));
        assert_eq!(parts("vizier@nets/four.nets"), Some(("vizier", Some("nets/four.nets"), None)));
        assert_eq!(parts("sultan@a/b.nets/20"), Some(("sultan", Some("a/b.nets"), Some(20))));
        assert_eq!(parts("sultan@nets/2"), Some(("sultan", Some("nets"), Some(2))));
        for wrong in ["", "nobody", "nobody@file", "jeweller@file", "sultan/fast"] {
            assert_eq!(parts(wrong), None, "{wrong}");
        }
    }
}
