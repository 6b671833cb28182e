//! What `sultan play` can be told.

use clap::builder::PossibleValuesParser;
use sultan_domain::{PlayerColour, Players, Variant};

use super::values::{colour, game, lang, players, within};

#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// A table's link, or a seat's: http(s)://HOST:PORT/t/TABLE or http(s)://HOST:PORT/t/TABLE/in/TOKEN
    #[arg(value_name = "LINK", conflicts_with_all = ["players", "people", "bots", "game", "screens", "first", "new"])]
    pub(crate) link: Option<sultan_tui::TableLink>,

    /// How many play: 2 to 5 [default: 4, or as many as there are people and bots named]
    #[arg(long, value_parser = players(), value_name = "N")]
    pub(crate) players: Option<Players>,

    /// How many people share this screen, with a curtain between them [default: 1, or as many as are named]
    #[arg(long, value_name = "N", value_parser = within(1..=5_u8))]
    pub(crate) people: Option<u8>,

    /// The bots to play with, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "A,B,…", value_parser = PossibleValuesParser::new(sultan_bots::NAMES))]
    pub(crate) bots: Vec<String>,

    /// Which game: full, as it was published, or espresso, one stage instead of three
    #[arg(long, value_name = "GAME", default_value = Variant::PUBLISHED_NAME, value_parser = game())]
    pub(crate) game: Variant,

    /// Whether won jewels are hidden behind the screens
    #[arg(long, value_name = "HOW", value_enum, default_value_t = ScreensArg::Closed)]
    pub(crate) screens: ScreensArg,

    /// The seat of the first player, counted from 1 as on the screens: 1 is yours [default: chance decides]
    #[arg(long, value_name = "SEAT", value_parser = within(1..=5_u8))]
    pub(crate) first: Option<u8>,

    /// Your name; several names for several people, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    pub(crate) name: Vec<String>,

    /// Your colour [default: the first that is free]
    #[arg(long, value_name = "COLOUR", value_parser = colour())]
    pub(crate) colour: Option<PlayerColour>,

    /// Begin a new game, whatever is unfinished
    #[arg(long)]
    pub(crate) new: bool,

    /// Line by line, without colours and without moving the cursor
    #[arg(long)]
    pub(crate) plain: bool,

    /// The language [default: that of the environment (LANG)]
    #[arg(long, value_name = "LANG", value_parser = lang())]
    pub(crate) lang: Option<sultan_text::Lang>,

    /// How long bots pause before they act, on average, in milliseconds [default: 900, or 0 with --plain]
    #[arg(long, env = "SULTAN_BOT_PAUSE_MS", value_name = "N", value_parser = within(0..=600_000_u32))]
    pub(crate) bot_pause_ms: Option<u32>,
}

/// Whether won jewels are hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ScreensArg {
    /// Behind the screens, as published
    Closed,
    /// In sight of all
    Open,
}
