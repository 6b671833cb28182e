//! Requests, and the checks that need no table.

use serde::Deserialize;
use sultan_bots::DEFAULT_STAND_IN;
use sultan_domain::{ClientSeed, Commitment, PlayerColour, Players, Seat, SeatPlan, ServerSeed, TableOptions, Variant};

use crate::Rejection;
use crate::token::{SeatToken, Visitor};

/// The sender of a request.
#[derive(Clone, Copy, Debug)]
pub enum Caller {
    /// A caller without a token.
    Spectator,
    /// The holder of this seat's token.
    Token(SeatToken),
    /// A browser, for one of the seats it has.
    Visitor {
        /// The browser.
        visitor: Visitor,
        /// The seat to use, in case the browser has several.
        seat: Option<Seat>,
    },
}

/// A request to open a table.
#[derive(Clone, Debug)]
pub struct NewTable {
    /// The number of players.
    pub players: Players,
    /// The differences from the published game.
    pub variant: Variant,
    /// The plan for each seat. Missing seats are for people.
    pub seats: Vec<SeatPlan>,
    /// The options that the host chose.
    pub options: TableOptions,
    /// The commitment that was issued for this table.
    pub commitment: Option<Commitment>,
    /// The host's own seat.
    pub host: NewPlayer,
}

/// The server's seed at every guided table, chosen for its first round: three colours in the draw, and a hand of low, middle
/// and high cards. It is public, so there is no fairness proof for these games.
pub(crate) const GUIDED_SEED: ServerSeed = ServerSeed(*b"sultan: a guided game, deal  455");

impl NewTable {
    /// A table for people only, with closed screens and no time limit.
    #[must_use]
    pub fn plain(players: Players) -> Self {
        Self {
            players,
            variant: Variant::default(),
            seats: Vec::new(),
            options: TableOptions { stand_in: DEFAULT_STAND_IN.to_owned(), ..TableOptions::default() },
            commitment: None,
            host: NewPlayer::default(),
        }
    }

    /// A guided first game: one person against two bots, always with the same deal. It is not public, and has no
    /// fairness proof.
    ///
    /// # Panics
    /// Never: three is a valid number of players.
    #[must_use]
    pub fn guided(host: NewPlayer) -> Self {
        let bots = ["page", "merchant"].map(|bot| SeatPlan::Bot(bot.to_owned()));
        let mut new = Self::plain(Players::new(3).expect("three can play"));
        new.seats = [SeatPlan::Human].into_iter().chain(bots).collect();
        new.options.first_seat = Some(Seat::default());
        new.options.guided = true;
        new.host = NewPlayer { client_seed: ClientSeed::default(), ..host };
        new
    }

    /// The same request with the options of a guided game. Other options are rejected.
    pub(crate) fn as_guided(&self) -> Result<Self, Rejection> {
        let guided = Self::guided(self.host.clone());
        let first_seat = self.options.first_seat.or(guided.options.first_seat);
        let fits = self.players == guided.players
            && (self.seats.is_empty() || self.seats == guided.seats)
            && TableOptions { first_seat, ..self.options.clone() } == guided.options
            && self.commitment.is_none()
            && self.host.client_seed == guided.host.client_seed;
        let reason = "a guided game has 3 players, and only the name and the colour can be chosen";
        if fits { Ok(guided) } else { Err(Rejection::BadTable(reason)) }
    }
}

/// A request for a seat.
#[derive(Clone, Debug, Default)]
pub struct NewPlayer {
    /// The name.
    pub name: String,
    /// The colour; the first free one if `None`.
    pub colour: Option<PlayerColour>,
    /// The player's share of the randomness.
    pub client_seed: ClientSeed,
    /// The browser, if the request came from one.
    pub visitor: Option<Visitor>,
}

/// The wanted name, colour and seed of a player. All fields are optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Sitting))]
#[serde(deny_unknown_fields)]
pub struct SeatChange {
    /// The name: up to 40 characters.
    #[cfg_attr(feature = "schema", schema(example = "Bo"))]
    pub name: Option<String>,
    /// The colour; by default the first free one.
    pub colour: Option<PlayerColour>,
    /// The player's share of the randomness: up to 255 bytes.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub client_seed: Option<ClientSeed>,
}

/// The maximum length of a name.
pub(crate) const MAX_NAME_CHARS: usize = 40;

/// Returns whether a character is invisible or could change how other text is displayed (controls, bidirectional marks,
/// line separators).
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Returns whether a character joins its neighbours or keeps them apart, as some scripts and emoji need it.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// The characters of a text, each with whether it may be displayed at its position. A joiner is not allowed next to
/// ASCII or at an end, since it has nothing to join there.
fn checked_chars(text: &str) -> impl Iterator<Item = (char, bool)> {
    let joined = |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && !c.is_whitespace() && !is_joiner(c));
    let after = text.chars().skip(1).map(Some).chain([None]);
    let before = [None].into_iter().chain(text.chars().map(Some));
    text.chars().zip(before).zip(after).map(move |((c, before), after)| {
        (c, if is_joiner(c) { joined(before) && joined(after) } else { !is_unsafe(c) })
    })
}

/// The displayable part of an unchecked name.
pub(crate) fn displayable_name(text: &str) -> String {
    checked_chars(text.trim()).filter(|&(_, fits)| fits).map(|(c, _)| c).take(MAX_NAME_CHARS).collect()
}

/// Trims and checks a name.
pub(crate) fn checked_name(text: &str) -> Result<String, Rejection> {
    let text = text.trim();
    if text.chars().count() > MAX_NAME_CHARS || checked_chars(text).any(|(_, fits)| !fits) {
        return Err(Rejection::BadName(MAX_NAME_CHARS));
    }
    Ok(text.to_owned())
}

/// Checks the name of a bot.
pub(crate) fn check_bot(name: &str) -> Result<(), Rejection> {
    let exists = sultan_bots::NAMES.contains(&name);
    if exists { Ok(()) } else { Err(Rejection::NoSuchBot(name.chars().take(MAX_NAME_CHARS).collect())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_limited() {
        assert_eq!(checked_name("  Ana ").unwrap(), "Ana");
        assert_eq!(checked_name("").unwrap(), "");
        assert_eq!(checked_name("Süleyman 👑").unwrap(), "Süleyman 👑");
        assert_eq!(checked_name(&"ü".repeat(40)).unwrap().chars().count(), 40);
        for wrong in [
            "a\nb",
            "a\u{202e}b",
            "a\0",
            &"ü".repeat(41),
            "a\u{61c}b",
            "a\u{2028}b",
            "a\u{2029}b",
            "\u{200b}",
            "a\u{2060}b",
        ] {
            assert_eq!(checked_name(wrong), Err(Rejection::BadName(40)), "{wrong:?}");
        }
    }

    #[test]
    fn joiners_are_allowed_only_between_characters_that_join() {
        for right in ["👩\u{200d}🚀", "علی\u{200c}رضا", "👨\u{200d}👩\u{200d}👧 Kovács"] {
            assert_eq!((checked_name(right).as_deref(), &displayable_name(right)[..]), (Ok(right), right));
        }
        for wrong in ["An\u{200d}a", "\u{200d}", "👩\u{200d}", "👩\u{200d}\u{200d}🚀", "\u{200c}Ana", "ü\u{200d} ü"]
        {
            assert_eq!(checked_name(wrong), Err(Rejection::BadName(40)), "{wrong:?}");
            assert!(checked_name(&displayable_name(wrong)).is_ok(), "{wrong:?}");
        }
    }
}
