//! The occupants of seats: players, bots, or nobody.

use std::sync::{Arc, OnceLock};

use sultan_domain::{ClientSeed, Kind, Person, PlayerColour, Seat};
use sultan_store::{TokenHash, VisitorHash};

/// The maximum number of browsers linked to a seat.
pub(crate) const MAX_LINKED_BROWSERS: usize = 32;

/// A person in a seat.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeatedPlayer {
    pub(crate) name: String,
    pub(crate) colour: PlayerColour,
    /// The player's share of the randomness. `None` while a rematch reserves the seat, and the player has not agreed
    /// yet.
    pub(crate) seed: Option<ClientSeed>,
    pub(crate) token: TokenHash,
    /// The browsers linked to this seat, in the order in which they were linked.
    pub(crate) visitors: Vec<VisitorHash>,
    pub(crate) stand_in: Option<StandIn>,
}

/// A bot that acts for an absent player.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StandIn {
    pub(crate) bot: String,
    /// Whether the player left the table. Otherwise the host put the bot in the player's seat.
    pub(crate) player_left: bool,
}

impl SeatedPlayer {
    pub(crate) fn has_left(&self) -> bool {
        self.stand_in.as_ref().is_some_and(|stand_in| stand_in.player_left)
    }

    /// The browsers to link to the player's seat in a rematch: only those linked last, at most half of
    /// [`MAX_LINKED_BROWSERS`], so that further browsers can be linked.
    pub(crate) fn visitors_of_rematch(&self) -> &[VisitorHash] {
        &self.visitors[self.visitors.len().saturating_sub(MAX_LINKED_BROWSERS / 2)..]
    }
}

/// The occupant of a seat.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Occupant {
    Free,
    Player(Box<SeatedPlayer>),
    Bot(String),
}

impl Occupant {
    pub(crate) fn player(&self) -> Option<&SeatedPlayer> {
        match self {
            Self::Player(player) => Some(player),
            Self::Free | Self::Bot(_) => None,
        }
    }

    /// The bot that acts for this seat: a bot that has the seat, or a stand-in.
    pub(crate) fn bot(&self) -> Option<&str> {
        match self {
            Self::Bot(bot) => Some(bot),
            Self::Player(player) => player.stand_in.as_ref().map(|stand_in| stand_in.bot.as_str()),
            Self::Free => None,
        }
    }

    /// The public description of the player, the bot or the free seat, in this colour.
    fn person(&self, colour: PlayerColour) -> Person {
        let (name, kind) = match self {
            Self::Free => (String::new(), Kind::Open),
            Self::Bot(bot) => (bot.clone(), Kind::Bot(bot.clone())),
            Self::Player(player) => {
                let bot = player.stand_in.as_ref().map(|stand_in| stand_in.bot.clone());
                (player.name.clone(), bot.map_or(Kind::Human, Kind::StandIn))
            }
        };
        Person { name, colour, kind }
    }

    /// Returns whether this seat is ready for the start of the game: it has a bot, or its player agrees to play.
    pub(crate) fn is_ready(&self) -> bool {
        match self {
            Self::Free => false,
            Self::Bot(_) => true,
            Self::Player(player) => player.seed.is_some(),
        }
    }
}

/// The occupants of all seats.
#[derive(Clone, Debug)]
pub(crate) struct Occupants {
    by_seat: Vec<Occupant>,
    /// The public descriptions of all occupants. Every view of the table contains them, so they are computed only once.
    people: OnceLock<Arc<[Person]>>,
}

impl Occupants {
    pub(super) const fn new(by_seat: Vec<Occupant>) -> Self {
        Self { by_seat, people: OnceLock::new() }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Occupant> {
        self.by_seat.iter()
    }

    pub(super) fn get(&self, seat: Seat) -> Option<&Occupant> {
        self.by_seat.get(seat.index())
    }

    pub(super) fn get_mut(&mut self, seat: Seat) -> Option<&mut Occupant> {
        // The caller may change the occupant, so the descriptions must be made again.
        self.people.take();
        self.by_seat.get_mut(seat.index())
    }

    /// The public descriptions of all occupants. Players have chosen their colours; bots and free seats get the other
    /// colours.
    pub(crate) fn people(&self) -> &Arc<[Person]> {
        self.people.get_or_init(|| {
            let is_taken = |colour| self.iter().filter_map(Occupant::player).any(|player| player.colour == colour);
            let mut free_colours = PlayerColour::ALL.into_iter().filter(|&colour| !is_taken(colour));
            let person = |occupant: &Occupant| {
                let colour = occupant.player().map(|player| player.colour).or_else(|| free_colours.next());
                // There are as many colours as seats at the largest table, so the default is never used.
                occupant.person(colour.unwrap_or(PlayerColour::Violet))
            };
            self.iter().map(person).collect()
        })
    }
}

impl PartialEq for Occupants {
    /// Ignores `people`, which is derived from the occupants.
    fn eq(&self, other: &Self) -> bool {
        let Self { by_seat, people: _ } = self;
        *by_seat == other.by_seat
    }
}
