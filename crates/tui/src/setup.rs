//! The settings of a new local game, and the form for them.

use sultan_domain::{PlayerColour, Players, Screens, Seat, Variant};
use sultan_table::{DEFAULT_OPPONENT, Level};
use sultan_text::{Lang, Text};

/// Maximum number of characters of a name.
const LONGEST_NAME: usize = 40;

/// The player or bot of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatSetup {
    /// A player at this terminal.
    Person {
        /// The player's name.
        name: String,
        /// The player's colour; `None` for the first free colour.
        colour: Option<PlayerColour>,
    },
    /// A bot, by the name of its level.
    Bot(String),
}

/// The settings of a new local game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The player or bot of each seat.
    pub seats: Vec<SeatSetup>,
    /// The variant of the rules.
    pub variant: Variant,
    /// Whether won jewels are hidden.
    pub screens: Screens,
    /// The first player of the first round; `None` for a random choice.
    pub first_seat: Option<Seat>,
}

impl Setup {
    /// The default game: one person against bots of different levels.
    #[must_use]
    pub fn usual(players: Players, name: &str, colour: Option<PlayerColour>) -> Self {
        let person = SeatSetup::Person { name: name.to_owned(), colour };
        let bots = [DEFAULT_OPPONENT, "jeweller", "page", "vizier"].map(|bot| SeatSetup::Bot(bot.to_owned()));
        let seats = std::iter::once(person).chain(bots).take(players.count().into()).collect();
        Self { seats, variant: Variant::default(), screens: Screens::Closed, first_seat: None }
    }

    fn people(&self) -> usize {
        self.seats.iter().filter(|seat| matches!(seat, SeatSetup::Person { .. })).count()
    }
}

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Language,
    Players,
    /// The variant, from a list.
    Game,
    Screens,
    First,
    /// The player or bot of a seat.
    Who(usize),
    Name(usize),
    Colour(usize),
    Start,
}

/// The form for a new game.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) setup: Setup,
    pub(crate) lang: Lang,
    pub(crate) at: Field,
}

impl Form {
    pub(crate) fn new(setup: Setup, lang: Lang) -> Self {
        Self { setup, lang, at: Field::Start }
    }

    fn rows(&self) -> Vec<Vec<Field>> {
        let of_all = [Field::Language, Field::Players, Field::Game, Field::Screens, Field::First];
        let mut rows: Vec<Vec<Field>> = of_all.map(|field| vec![field]).into();
        rows.extend(self.setup.seats.iter().enumerate().map(|(place, seat)| match seat {
            SeatSetup::Person { .. } => vec![Field::Who(place), Field::Name(place), Field::Colour(place)],
            SeatSetup::Bot(_) => vec![Field::Who(place)],
        }));
        rows.push(vec![Field::Start]);
        rows
    }

    /// Moves the cursor to the row above or below.
    pub(crate) fn row(&mut self, down: bool) {
        let rows = self.rows();
        let Some(row) = rows.iter().find(|row| row.contains(&self.at)) else { return };
        let column = row.iter().position(|&field| field == self.at).unwrap_or(0);
        let next = turned(&rows, row, down);
        self.at = next[column.min(next.len() - 1)];
    }

    /// Moves the cursor to the next or previous field.
    pub(crate) fn next(&mut self, forward: bool) {
        let all: Vec<Field> = self.rows().concat();
        self.at = turned(&all, &self.at, forward);
    }

    /// Sets the field at the cursor to its next or previous value.
    pub(crate) fn change(&mut self, up: bool) {
        match self.at {
            Field::Language => self.lang = turned(&Lang::ALL, &self.lang, up),
            Field::Players => {
                let count = turned(&[2, 3, 4, 5], &self.setup.seats.len(), up);
                self.resize(count);
            }
            Field::Game => {
                let games = Variant::OFFERED.map(|(_, variant)| variant);
                self.setup.variant = turned(&games, &self.setup.variant, up);
            }
            Field::Screens => self.setup.screens = turned(&[Screens::Closed, Screens::Open], &self.setup.screens, up),
            Field::First => {
                let seats = (0..self.setup.seats.len()).filter_map(|place| Seat::new(u8::try_from(place).ok()?));
                let all: Vec<Option<Seat>> = std::iter::once(None).chain(seats.map(Some)).collect();
                self.setup.first_seat = turned(&all, &self.setup.first_seat, up);
            }
            Field::Who(place) => self.change_who(place, up),
            Field::Colour(place) => self.change_colour(place, up),
            Field::Name(_) | Field::Start => {}
        }
    }

    /// Sets the number of seats. Adds bots at the end, or removes the last seats.
    pub(crate) fn resize(&mut self, count: usize) {
        while self.setup.seats.len() < count {
            self.setup.seats.push(SeatSetup::Bot(DEFAULT_OPPONENT.to_owned()));
        }
        self.setup.seats.truncate(count);
        if self.setup.first_seat.is_some_and(|seat| seat.index() >= count) {
            self.setup.first_seat = None;
        }
        if self.setup.people() == 0 {
            self.setup.seats[0] = self.person(0);
        }
    }

    fn person(&self, place: usize) -> SeatSetup {
        let text = Text::of(self.lang);
        SeatSetup::Person { name: text.nameless(u8::try_from(place + 1).unwrap_or(0)), colour: None }
    }

    fn change_who(&mut self, place: usize, up: bool) {
        let all: Vec<Option<&str>> = std::iter::once(None).chain(Level::in_terminal().map(Some)).collect();
        let now = match &self.setup.seats[place] {
            SeatSetup::Person { .. } => None,
            SeatSetup::Bot(bot) => Some(&bot[..]),
        };
        // The player who opens a table needs a seat.
        if now.is_none() && self.setup.people() == 1 {
            return;
        }
        let next = turned(&all, &now, up).map(str::to_owned);
        self.setup.seats[place] = next.map_or_else(|| self.person(place), SeatSetup::Bot);
    }

    fn change_colour(&mut self, place: usize, up: bool) {
        let others = self.setup.seats.iter().enumerate().filter(|(other, _)| *other != place);
        let taken: Vec<PlayerColour> = others
            .filter_map(|(_, seat)| match seat {
                SeatSetup::Person { colour, .. } => *colour,
                SeatSetup::Bot(_) => None,
            })
            .collect();
        let SeatSetup::Person { colour, .. } = &mut self.setup.seats[place] else { return };
        let free = PlayerColour::ALL.into_iter().filter(|colour| !taken.contains(colour));
        let all: Vec<Option<PlayerColour>> = std::iter::once(None).chain(free.map(Some)).collect();
        *colour = turned(&all, colour, up);
    }

    /// Appends a character to the name at the cursor.
    pub(crate) fn write(&mut self, sign: char) {
        if let Field::Name(place) = self.at
            && let SeatSetup::Person { name, .. } = &mut self.setup.seats[place]
            && name.chars().count() < LONGEST_NAME
            && !sign.is_control()
        {
            name.push(sign);
        }
    }

    /// Removes the last character of the name at the cursor.
    pub(crate) fn erase(&mut self) {
        if let Field::Name(place) = self.at
            && let SeatSetup::Person { name, .. } = &mut self.setup.seats[place]
        {
            name.pop();
        }
    }
}

/// The element after or before `now`, wrapping around. If `now` is not in the list, counts from the first element.
pub(crate) fn turned<T: Clone + PartialEq>(all: &[T], now: &T, up: bool) -> T {
    let place = all.iter().position(|one| one == now).unwrap_or(0);
    all[(place + if up { 1 } else { all.len() - 1 }) % all.len()].clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(players: u8) -> Form {
        Form::new(Setup::usual(Players::new(players).unwrap(), "Ana", None), Lang::En)
    }

    #[test]
    fn the_last_person_stays() {
        let mut form = form(2);
        form.at = Field::Who(0);
        form.change(true);
        assert_eq!(form.setup.people(), 1);
        form.at = Field::Who(1);
        while form.setup.people() < 2 {
            form.change(false);
        }
        form.at = Field::Who(0);
        form.change(true);
        assert_eq!(form.setup.seats[0], SeatSetup::Bot("random".to_owned()));
        form.at = Field::Players;
        form.setup.seats.swap(0, 1);
        form.setup.seats.reverse();
        form.resize(1);
        assert_eq!(form.setup.people(), 1);
    }

    #[test]
    fn colours_are_not_shared() {
        let mut form = form(2);
        form.setup.seats[1] = SeatSetup::Person { name: String::new(), colour: Some(PlayerColour::Violet) };
        form.at = Field::Colour(0);
        form.change(true);
        assert_eq!(form.setup.seats[0], SeatSetup::Person { name: "Ana".to_owned(), colour: Some(PlayerColour::Gold) });
    }

    #[test]
    fn every_field_is_reached_by_keys() {
        let mut form = form(5);
        let all = form.rows().concat();
        let mut met = Vec::new();
        for _ in 0..all.len() {
            form.next(true);
            met.push(form.at);
        }
        assert!(all.iter().all(|field| met.contains(field)));
        form.at = Field::Colour(0);
        form.row(true);
        assert_eq!(form.at, Field::Who(1));
        form.row(false);
        form.row(false);
        assert_eq!(form.at, Field::First);
    }

    #[test]
    fn the_short_game_is_chosen_and_left_again() {
        let mut form = form(4);
        form.at = Field::Game;
        form.change(true);
        assert_eq!(form.setup.variant, Variant::ESPRESSO);
        form.change(true);
        assert!(form.setup.variant.is_published());
    }

    #[test]
    fn names_are_written() {
        let mut form = form(2);
        form.at = Field::Name(0);
        form.erase();
        form.write('ő');
        form.write('\u{7}');
        assert!(matches!(&form.setup.seats[0], SeatSetup::Person { name, .. } if name == "Anő"));
        (0..99).for_each(|_| form.write('王'));
        assert!(matches!(&form.setup.seats[0], SeatSetup::Person { name, .. } if name.chars().count() == 40));
    }

    #[test]
    fn first_player_must_have_a_seat() {
        let mut form = form(3);
        form.at = Field::First;
        form.change(false);
        assert_eq!(form.setup.first_seat, Seat::new(2));
        form.at = Field::Players;
        form.change(false);
        assert_eq!(form.setup.first_seat, None);
    }
}
