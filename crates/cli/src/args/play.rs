//! Options of `sultan play`.

use clap::builder::PossibleValuesParser;
use sultan_domain::{PlayerColour, Players, Variant};

use super::values::{colour, game, lang, players, within};

#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// Link of a table or of a seat: http(s)://HOST:PORT/t/TABLE or http(s)://HOST:PORT/t/TABLE/in/TOKEN
    #[arg(value_name = "LINK", conflicts_with_all = ["players", "people", "bots", "game", "screens", "first", "new"])]
    pub(crate) link: Option<sultan_tui::TableLink>,

    /// Number of players: 2 to 5 [default: people plus bots named, or 4 for one person without --bots]
    #[arg(long, value_parser = players(), value_name = "N")]
    pub(crate) players: Option<Players>,

    /// Number of people who share this screen, with a curtain between turns [default: the number of names, at least 1]
    #[arg(long, value_name = "N", value_parser = within(1..=5_u8))]
    pub(crate) people: Option<u8>,

    /// Bots to play with, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "A,B,…", value_parser = PossibleValuesParser::new(sultan_bots::NAMES))]
    pub(crate) bots: Vec<String>,

    /// Variant: full (as published) or espresso (one stage instead of three)
    #[arg(long, value_name = "GAME", default_value = Variant::PUBLISHED_NAME, value_parser = game())]
    pub(crate) game: Variant,

    /// Whether won jewels are hidden behind screens
    #[arg(long, value_name = "HOW", value_enum, default_value_t = ScreensArg::Closed)]
    pub(crate) screens: ScreensArg,

    /// Seat of the first player, counted from 1; 1 is your seat [default: random]
    #[arg(long, value_name = "SEAT", value_parser = within(1..=5_u8))]
    pub(crate) first: Option<u8>,

    /// Your name; several names for several people, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    pub(crate) name: Vec<String>,

    /// Your colour [default: the first that is free]
    #[arg(long, value_name = "COLOUR", value_parser = colour())]
    pub(crate) colour: Option<PlayerColour>,

    /// Begin a new game even if one is unfinished
    #[arg(long)]
    pub(crate) new: bool,

    /// Text line by line, without colours and without moving the cursor
    #[arg(long)]
    pub(crate) plain: bool,

    /// Language [default: from the environment (LANG)]
    #[arg(long, value_name = "LANG", value_parser = lang())]
    pub(crate) lang: Option<sultan_text::Lang>,

    /// Average pause before a bot acts, in milliseconds [default: 900, or 0 with --plain]
    #[arg(long, env = "SULTAN_BOT_PAUSE_MS", value_name = "N", value_parser = within(0..=600_000_u32))]
    pub(crate) bot_pause_ms: Option<u32>,
}

/// Whether won jewels are hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ScreensArg {
    /// Hidden behind screens, as in the published rules
    Closed,
    /// Visible to all players
    Open,
}
