//! What somebody may ask of a table, checked as far as it can be without one.

use sultan_domain::{ClientSeed, Commitment, PlayerColour, Players, Screens, Seat, ServerSeed};

use crate::Rejection;
use crate::token::{SeatToken, Visitor};

/// Who asks.
#[derive(Clone, Copy, Debug)]
pub enum Caller {
    /// Anybody.
    Nobody,
    /// Whoever has this seat's token.
    Token(SeatToken),
    /// A browser, for one of the seats it has.
    Visitor {
        /// The browser.
        visitor: Visitor,
        /// For which of its seats, where it has several.
        seat: Option<Seat>,
    },
}

/// Who should have a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatWish {
    /// A person.
    Human,
    /// This bot.
    Bot(String),
}

/// A table that somebody would like to open.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct NewTable {
    /// How many play.
    pub players: Players,
    /// Who should sit where; people, where nothing is said.
    pub seats: Vec<SeatWish>,
    /// Whether won jewels are hidden.
    pub screens: Screens,
    /// The first player of the first round; chance chooses where nothing is said.
    pub first_seat: Option<Seat>,
    /// How long a player may think.
    pub seconds_per_action: Option<u32>,
    /// Whether everybody may find the table.
    pub public: bool,
    /// Whether it is hidden how long somebody thought.
    pub even_pace: bool,
    /// The bot that acts for those who are absent.
    pub stand_in: Option<String>,
    /// The promise that was given for this table.
    pub commitment: Option<Commitment>,
    /// Whether it is a guided first game: [`NewTable::guided`] says what that is.
    pub guided: bool,
    /// Whether players may ask a coach; everybody at the table is told so.
    pub coach: bool,
    /// The host's own seat.
    pub host: Sitting,
}

/// The server's seed at every guided table. It was chosen for its first round: three colours in the draw, and a hand
/// of low, middling and high cards. Everybody may know it, so nothing is promised with it.
pub(crate) const GUIDED_SEED: ServerSeed = ServerSeed(*b"sultan: a guided game, deal  455");

impl NewTable {
    /// A table with nothing but people, closed screens and no hurry.
    #[must_use]
    pub fn plain(players: Players) -> Self {
        Self {
            players,
            seats: Vec::new(),
            screens: Screens::Closed,
            first_seat: None,
            seconds_per_action: None,
            public: false,
            even_pace: false,
            stand_in: None,
            commitment: None,
            guided: false,
            coach: false,
            host: Sitting::default(),
        }
    }

    /// A guided first game: one person against two bots, with the same deal for everybody. Nobody else can find it, and
    /// it promises no fair chance.
    ///
    /// # Panics
    /// Never: three can play.
    #[must_use]
    pub fn guided(host: Sitting) -> Self {
        let bots = ["page", "merchant"].map(|bot| SeatWish::Bot(bot.to_owned()));
        Self {
            seats: [SeatWish::Human].into_iter().chain(bots).collect(),
            first_seat: Some(Seat::default()),
            guided: true,
            host: Sitting { client_seed: ClientSeed::default(), ..host },
            ..Self::plain(Players::new(3).expect("three can play"))
        }
    }

    /// The same, with all that a guided game brings along; nothing else may be asked of one.
    pub(crate) fn as_guided(&self) -> Result<Self, Rejection> {
        let guided = Self::guided(self.host.clone());
        let fits = self.players == guided.players
            && (self.seats.is_empty() || self.seats == guided.seats)
            && self.screens == guided.screens
            && (self.first_seat.is_none() || self.first_seat == guided.first_seat)
            && self.seconds_per_action.is_none()
            && !self.public
            && !self.even_pace
            && !self.coach
            && self.stand_in.is_none()
            && self.commitment.is_none()
            && self.host.client_seed == guided.host.client_seed;
        let why = "a guided game is for 3, and nothing but the name and the colour is chosen";
        if fits { Ok(guided) } else { Err(Rejection::BadTable(why)) }
    }
}

/// How somebody would like to sit down.
#[derive(Clone, Debug, Default)]
pub struct Sitting {
    /// The name.
    pub name: String,
    /// The colour; the first free one, where nothing is said.
    pub colour: Option<PlayerColour>,
    /// What the player adds to chance.
    pub client_seed: ClientSeed,
    /// The browser, where there is one.
    pub visitor: Option<Visitor>,
}

/// What somebody would like to change before the start.
#[derive(Clone, Debug, Default)]
pub struct SeatChange {
    /// The name.
    pub name: Option<String>,
    /// The colour.
    pub colour: Option<PlayerColour>,
    /// What the player adds to chance.
    pub client_seed: Option<ClientSeed>,
}

/// The most characters of a name.
pub(crate) const LONGEST_NAME: usize = 40;

/// Marks that turn the direction of writing around or break the line could make text read as something else, and nobody
/// sees that those without a width are there.
fn odd(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{61c}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(sign, '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// What joins two signs or keeps them apart, as some scripts and emoji need it. There is nothing to join in letters of
/// ASCII, nor at an end.
fn joins(sign: char) -> bool {
    matches!(sign, '\u{200c}' | '\u{200d}')
}

/// The signs of a text, and whether each can be shown where it stands.
fn signs(text: &str) -> impl Iterator<Item = (char, bool)> {
    let joined =
        |sign: Option<char>| sign.is_some_and(|sign| !sign.is_ascii() && !sign.is_whitespace() && !joins(sign));
    let after = text.chars().skip(1).map(Some).chain([None]);
    let before = [None].into_iter().chain(text.chars().map(Some));
    text.chars().zip(before).zip(after).map(move |((sign, before), after)| {
        (sign, if joins(sign) { joined(before) && joined(after) } else { !odd(sign) })
    })
}

/// What can be shown of a name that nobody checked.
pub(crate) fn fit_name(text: &str) -> String {
    signs(text.trim()).filter(|&(_, fits)| fits).map(|(sign, _)| sign).take(LONGEST_NAME).collect()
}

/// A name as it is shown: without blanks around it, and without signs that could change how other text is shown.
pub(crate) fn name(text: &str) -> Result<String, Rejection> {
    let text = text.trim();
    if text.chars().count() > LONGEST_NAME || signs(text).any(|(_, fits)| !fits) {
        return Err(Rejection::BadName(LONGEST_NAME));
    }
    Ok(text.to_owned())
}

/// The bot of this name, if there is one.
pub(crate) fn bot(name: &str) -> Result<String, Rejection> {
    let known = sultan_bots::NAMES.contains(&name);
    if known { Ok(name.to_owned()) } else { Err(Rejection::NoSuchBot(name.chars().take(LONGEST_NAME).collect())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_limited() {
        assert_eq!(name("  Ana ").unwrap(), "Ana");
        assert_eq!(name("").unwrap(), "");
        assert_eq!(name("Süleyman 👑").unwrap(), "Süleyman 👑");
        assert_eq!(name(&"ü".repeat(40)).unwrap().chars().count(), 40);
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
            assert_eq!(name(wrong), Err(Rejection::BadName(40)), "{wrong:?}");
        }
    }

    #[test]
    fn signs_are_joined_where_there_is_something_to_join() {
        for right in ["👩\u{200d}🚀", "علی\u{200c}رضا", "👨\u{200d}👩\u{200d}👧 Kovács"] {
            assert_eq!((name(right).as_deref(), &fit_name(right)[..]), (Ok(right), right));
        }
        for wrong in ["An\u{200d}a", "\u{200d}", "👩\u{200d}", "👩\u{200d}\u{200d}🚀", "\u{200c}Ana", "ü\u{200d} ü"]
        {
            assert_eq!(name(wrong), Err(Rejection::BadName(40)), "{wrong:?}");
            assert!(name(&fit_name(wrong)).is_ok(), "{wrong:?}");
        }
    }
}
