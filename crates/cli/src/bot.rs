//! Bots as named on the command line: `jeweller`; `vizier@FILE` plays with nets from a file; `sultan/1` has a time
//! limit of one millisecond per decision.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use sultan_bots::{Bot, LEVELS, Level, Mcts, NAMES, Nets, WeighedAction};
use sultan_domain::{Action, Players, Recall, View};
use sultan_rules::FastRng;

/// The parts of a bot's name on the command line: `LEVEL@NETS_FILE/MILLIS`.
struct BotName<'a> {
    level: Level,
    nets_file: Option<&'a str>,
    millis: Option<u64>,
}

impl<'a> BotName<'a> {
    fn parse(text: &'a str) -> Result<Self, String> {
        // A path may contain slashes too, so the part after the last slash is a time limit only if it is a number.
        let (level_and_file, millis) = match text.rsplit_once('/') {
            Some((before, millis)) => millis.parse().map_or((text, None), |millis| (before, Some(millis))),
            None => (text, None),
        };
        let (level, nets_file) =
            level_and_file.split_once('@').map_or((level_and_file, None), |(level, file)| (level, Some(file)));
        let Some(level) = Level::find(level) else {
            return Err(format!("unknown bot; there are {}", NAMES.join(", ")));
        };
        if nets_file.is_some() && level.with_nets.is_none() {
            let with_nets = LEVELS.iter().filter(|level| level.with_nets.is_some());
            let names: Vec<&str> = with_nets.map(|level| level.name).collect();
            return Err(format!("only {} play with nets", names.join(" and ")));
        }
        Ok(Self { level, nets_file, millis })
    }
}

/// Appends the names of all bots to a help text.
pub(crate) fn with_names(help: &str) -> String {
    format!("{help} [bots: {}]", NAMES.join(", "))
}

/// Checks a bot's name, without reading its file of nets. Returns the name.
pub(crate) fn check_name(text: &str) -> Result<String, String> {
    BotName::parse(text).map(|_| text.to_owned())
}

/// Creates the bot with this name, for games of `players` players. Each decision is limited by the time limit in its
/// name and by `millis`: the shorter limit counts; without both, its time is not limited.
pub(crate) fn create(text: &str, players: Players, millis: Option<u64>) -> anyhow::Result<Box<dyn Bot>> {
    let name = BotName::parse(text).map_err(anyhow::Error::msg)?;
    let bot: Box<dyn Bot> = match (name.level.with_nets, name.nets_file) {
        (Some(with_nets), Some(file)) => with_nets(read_nets(file, players)?),
        // The bot `mcts` stops after a number of iterations; with a time limit in its name, only the time counts.
        _ if name.level.name == "mcts" && name.millis.is_some() => Box::new(Mcts { iterations: u32::MAX }),
        _ => (name.level.new)(),
    };
    let time_limit = name.millis.into_iter().chain(millis).min().map(Duration::from_millis);
    // Leaking the name is fine: only a few bots are created.
    Ok(Box::new(NamedBot { bot, name: text.to_owned().leak(), time_limit }))
}

/// Reads a file of nets for games of `players` players.
fn read_nets(file: &str, players: Players) -> anyhow::Result<Nets> {
    let bytes = std::fs::read(file).with_context(|| file.to_owned())?;
    let nets = Nets::from_bytes(&bytes).with_context(|| file.to_owned())?;
    if nets.players() != players {
        bail!("{file}: these nets are for {} players, not {}", nets.players().count(), players.count());
    }
    Ok(nets)
}

/// A bot with the name given on the command line, and a time limit per decision, if it has one.
struct NamedBot {
    bot: Box<dyn Bot>,
    name: &'static str,
    time_limit: Option<Duration>,
}

impl NamedBot {
    /// Starts the time of a decision. Returns a function that returns `true` once the time is up, or if `stop` does.
    fn stop_in_time<'a>(&'a self, stop: &'a dyn Fn() -> bool) -> impl Fn() -> bool + 'a {
        let start = Instant::now();
        move || stop() || self.time_limit.is_some_and(|limit| start.elapsed() >= limit)
    }
}

impl Bot for NamedBot {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, recall: &Recall, rng: &mut FastRng, stop: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        self.bot.weigh(view, recall, rng, &self.stop_in_time(stop))
    }

    fn choose(&self, view: &View, recall: &Recall, rng: &mut FastRng, stop: &dyn Fn() -> bool) -> Option<Action> {
        self.bot.choose(view, recall, rng, &self.stop_in_time(stop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bot_keeps_the_name_from_the_command_line() {
        let (players, nets_file) = (Players::TWO, tempfile::NamedTempFile::new().unwrap());
        std::fs::write(&nets_file, Nets::shipped(players).to_bytes()).unwrap();
        for text in ["random", "page/5", &format!("sultan@{}", nets_file.path().display())] {
            assert_eq!(create(text, players, None).unwrap().name(), text);
        }
    }

    #[test]
    fn bot_name_may_have_a_nets_file_and_a_time_limit() {
        let parts = |text| BotName::parse(text).map(|name| (name.level.name, name.nets_file, name.millis)).ok();
        assert_eq!(parts("jeweller"), Some(("jeweller", None, None)));
        assert_eq!(parts("sultan/1"), Some(("sultan", None, Some(1))));
        assert_eq!(parts("vizier@nets/four.nets"), Some(("vizier", Some("nets/four.nets"), None)));
        assert_eq!(parts("sultan@a/b.nets/20"), Some(("sultan", Some("a/b.nets"), Some(20))));
        assert_eq!(parts("sultan@nets/2"), Some(("sultan", Some("nets"), Some(2))));
        for invalid in ["", "nobody", "nobody@file", "jeweller@file", "sultan/fast"] {
            assert_eq!(parts(invalid), None, "{invalid}");
        }
    }
}
