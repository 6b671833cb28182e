//! Who has a seat.

use sultan_domain::{ClientSeed, PlayerColour};
use sultan_store::{TokenHash, VisitorHash};

/// Most browsers that may know a seat by its link.
pub(crate) const MAX_LINKED_BROWSERS: usize = 32;

/// A person who has a seat.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub(crate) struct SeatedPlayer {
    pub(crate) name: String,
    pub(crate) colour: PlayerColour,
    /// The player's share of the randomness. `None` while a rematch reserves the seat for somebody who has not agreed.
    pub(crate) seed: Option<ClientSeed>,
    pub(crate) token: TokenHash,
    /// The browsers that have this seat.
    pub(crate) visitors: Vec<VisitorHash>,
    pub(crate) stand_in: Option<StandIn>,
}

/// A bot that acts for an absent player.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub(crate) struct StandIn {
    pub(crate) bot: String,
    /// Whether the player left the table, and was not just replaced by the host.
    pub(crate) player_left: bool,
}

impl SeatedPlayer {
    pub(crate) fn has_left(&self) -> bool {
        self.stand_in.as_ref().is_some_and(|stand_in| stand_in.player_left)
    }

    /// The browsers that also have the seat in a rematch: the latest, so that more can be linked.
    pub(crate) fn visitors_of_rematch(&self) -> &[VisitorHash] {
        &self.visitors[self.visitors.len().saturating_sub(MAX_LINKED_BROWSERS / 2)..]
    }
}

/// The occupant of a seat.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub(crate) enum Occupant {
    Nobody,
    Player(Box<SeatedPlayer>),
    Bot(String),
}

impl Occupant {
    pub(crate) fn player(&self) -> Option<&SeatedPlayer> {
        match self {
            Self::Player(player) => Some(player),
            Self::Nobody | Self::Bot(_) => None,
        }
    }

    pub(super) fn player_mut(&mut self) -> Option<&mut SeatedPlayer> {
        match self {
            Self::Player(player) => Some(player),
            Self::Nobody | Self::Bot(_) => None,
        }
    }

    /// The bot that acts for this seat.
    pub(crate) fn bot(&self) -> Option<&str> {
        match self {
            Self::Bot(bot) => Some(bot),
            Self::Player(player) => player.stand_in.as_ref().map(|stand_in| stand_in.bot.as_str()),
            Self::Nobody => None,
        }
    }

    /// Whether the game can start as far as this seat is concerned.
    pub(crate) fn is_ready(&self) -> bool {
        match self {
            Self::Nobody => false,
            Self::Bot(_) => true,
            Self::Player(player) => player.seed.is_some(),
        }
    }
}
