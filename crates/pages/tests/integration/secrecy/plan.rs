//! The options that two compared games have in common.

use sultan_table::domain::{ClientSeed, Observer, Players, Screens, Variant};

/// The options that two compared games have in common.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) players: Players,
    pub(crate) variant: Variant,
    pub(crate) screens: Screens,
    pub(crate) observer: Observer,
    /// The bot level in every second seat, if any.
    pub(crate) bot: Option<&'static str>,
    /// Whether actions are shown with a delay that hides the time of the action.
    pub(crate) even_pace: bool,
    /// Whether the table has a coach.
    pub(crate) coach: bool,
    /// Whether the observer sends actions on a WebSocket instead of in HTTP requests.
    pub(crate) acts_by_socket: bool,
    /// A part of the client seeds, so that plans with different numbers have different games.
    pub(crate) number: u8,
}

impl Plan {
    /// A table of people that plays the published game.
    pub(crate) fn new(players: Players, screens: Screens, observer: Observer) -> Self {
        let variant = Variant::default();
        Self {
            players,
            variant,
            screens,
            observer,
            bot: None,
            even_pace: false,
            coach: false,
            acts_by_socket: false,
            number: 0,
        }
    }

    /// Returns whether a bot has this seat.
    pub(crate) fn is_bot(self, seat: usize) -> bool {
        self.bot.is_some() && seat % 2 == 1
    }

    /// The indices of all seats.
    pub(crate) fn seats(self) -> std::ops::Range<usize> {
        0..self.players.count().into()
    }

    /// The client seeds of all seats; empty for bots.
    pub(crate) fn seeds(self) -> Vec<ClientSeed> {
        let client_seed = |seat| {
            let text = if self.is_bot(seat) { String::new() } else { format!("seed of {seat} in {}", self.number) };
            ClientSeed::try_from(text).unwrap()
        };
        self.seats().map(client_seed).collect()
    }
}
