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
    /// A caller with the token of a seat.
    Token(SeatToken),
    /// A browser, which may be linked to several seats.
    Visitor {
        /// The browser.
        visitor: Visitor,
        /// The seat to use. By default the first seat that the browser is linked to; without one, a spectator.
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
    /// The commitment that the host received before choosing a client seed, if there was one.
    pub commitment: Option<Commitment>,
    /// The host's request for a seat.
    pub host: NewPlayer,
}

/// The server's seed of every guided game. It was chosen for a good first round: three colours are drawn, and the hand
/// has low, middle and high cards. Since the seed is public, guided games have no fairness proof.
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

    /// The full request for a guided game, with the host of this request. Rejects this request if it asks for anything
    /// that a guided game does not have.
    pub(crate) fn as_guided(&self) -> Result<Self, Rejection> {
        let guided = Self::guided(self.host.clone());
        let first_seat = self.options.first_seat.or(guided.options.first_seat);
        let has_only_guided_options = self.players == guided.players
            && (self.seats.is_empty() || self.seats == guided.seats)
            && TableOptions { first_seat, ..self.options.clone() } == guided.options
            && self.commitment.is_none()
            && self.host.client_seed == guided.host.client_seed;
        let reason = "a guided game has 3 players, and only the name and the colour can be chosen";
        if has_only_guided_options { Ok(guided) } else { Err(Rejection::BadTable(reason)) }
    }
}

/// A request for a seat.
#[derive(Clone, Debug, Default)]
pub struct NewPlayer {
    /// The name.
    pub name: String,
    /// The colour; by default the first free colour.
    pub colour: Option<PlayerColour>,
    /// The player's share of the randomness.
    pub client_seed: ClientSeed,
    /// The browser, if the request came from one.
    pub visitor: Option<Visitor>,
}

/// A player's name, colour and seed, in a request to sit down or to change a seat. All fields are optional; in a
/// change, missing fields stay as they are.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Sitting))]
#[serde(deny_unknown_fields)]
pub struct SeatChange {
    /// The name: up to 40 characters.
    #[cfg_attr(feature = "schema", schema(example = "Bo"))]
    pub name: Option<String>,
    /// The colour; for a new player by default the first free colour.
    pub colour: Option<PlayerColour>,
    /// The player's share of the randomness: up to 255 bytes.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub client_seed: Option<ClientSeed>,
}

/// The maximum length of a name.
pub(crate) const MAX_NAME_CHARS: usize = 40;

/// Returns whether a character is invisible or could change how other text is displayed: controls, zero-width spaces,
/// bidirectional marks, line separators.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Returns whether a character is an invisible joiner or non-joiner: some scripts and emoji need it between two
/// characters, to connect them or to keep them apart.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// The characters of a text, each with whether it may be displayed. A joiner may be displayed only between two
/// characters that it can join.
fn checked_chars(text: &str) -> impl Iterator<Item = (char, bool)> {
    let can_be_joined = |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && !c.is_whitespace() && !is_joiner(c));
    let next_chars = text.chars().skip(1).map(Some).chain([None]);
    let previous_chars = [None].into_iter().chain(text.chars().map(Some));
    text.chars().zip(previous_chars).zip(next_chars).map(move |((c, previous), next)| {
        (c, if is_joiner(c) { can_be_joined(previous) && can_be_joined(next) } else { !is_unsafe(c) })
    })
}

/// The displayable characters of a name from an untrusted file.
pub(crate) fn displayable_name(text: &str) -> String {
    let displayable = checked_chars(text.trim()).filter(|&(_, is_displayable)| is_displayable);
    displayable.map(|(c, _)| c).take(MAX_NAME_CHARS).collect()
}

/// Trims and checks a name.
pub(crate) fn checked_name(text: &str) -> Result<String, Rejection> {
    let text = text.trim();
    if text.chars().count() > MAX_NAME_CHARS || !checked_chars(text).all(|(_, is_displayable)| is_displayable) {
        return Err(Rejection::BadName(MAX_NAME_CHARS));
    }
    Ok(text.to_owned())
}

/// Checks that a bot exists. The rejection contains only the start of an unknown name, which may be very long.
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
        // Controls, bidirectional marks, line separators, zero-width spaces, and 41 characters.
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
            assert_eq!(checked_name(wrong), Err(Rejection::BadName(40)), "the name {wrong:?} was accepted");
        }
    }

    #[test]
    fn joiners_are_allowed_only_between_characters_that_join() {
        for right in ["👩\u{200d}🚀", "علی\u{200c}رضا", "👨\u{200d}👩\u{200d}👧 Kovács"] {
            assert_eq!((checked_name(right).as_deref(), &displayable_name(right)[..]), (Ok(right), right));
        }
        for wrong in ["An\u{200d}a", "\u{200d}", "👩\u{200d}", "👩\u{200d}\u{200d}🚀", "\u{200c}Ana", "ü\u{200d} ü"]
        {
            assert_eq!(checked_name(wrong), Err(Rejection::BadName(40)), "the name {wrong:?} was accepted");
            assert!(checked_name(&displayable_name(wrong)).is_ok(), "{wrong:?} has no displayable name");
        }
    }
}
