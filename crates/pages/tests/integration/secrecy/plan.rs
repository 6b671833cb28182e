//! The options of a compared table.

use sultan_table::domain::{ClientSeed, Observer, Players, Screens, Variant};

/// The options of a compared table.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) players: Players,
    pub(crate) variant: Variant,
    pub(crate) screens: Screens,
    pub(crate) observer: Observer,
    /// The bot level in every second seat, if any.
    pub(crate) bot: Option<&'static str>,
    pub(crate) even_pace: bool,
    /// Whether the table has a coach.
    pub(crate) coach: bool,
    /// Whether the observer acts on a WebSocket instead of by requests.
    pub(crate) acts_by_socket: bool,
    /// Selects the seeds: another number is another game.
    pub(crate) number: u8,
}

impl Plan {
    /// A table of people.
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

    pub(crate) fn is_bot(self, seat: usize) -> bool {
        self.bot.is_some() && seat % 2 == 1
    }

    pub(crate) fn seats(self) -> std::ops::Range<usize> {
        0..self.players.count().into()
    }

    /// The client seeds of all seats.
    pub(crate) fn seeds(self) -> Vec<ClientSeed> {
        let seed = |seat| {
            let own = ClientSeed::try_from(format!("seed of {seat} in {}", self.number)).unwrap();
            if self.is_bot(seat) { ClientSeed::default() } else { own }
        };
        self.seats().map(seed).collect()
    }
}
