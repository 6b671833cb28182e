//! The settings of a new local game, and the form for them.

use sultan_domain::{PlayerColour, Players, Screens, Seat, Variant};
use sultan_table::{DEFAULT_OPPONENT, Level};
use sultan_text::{Lang, Text};

/// Maximum number of characters of a name.
const MAX_NAME_CHARS: usize = 40;

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
    pub fn new(players: Players, name: &str, colour: Option<PlayerColour>) -> Self {
        let person = SeatSetup::Person { name: name.to_owned(), colour };
        let bots = [DEFAULT_OPPONENT, "jeweller", "page", "vizier"].map(|bot| SeatSetup::Bot(bot.to_owned()));
        let seats = std::iter::once(person).chain(bots).take(players.count().into()).collect();
        Self { seats, variant: Variant::default(), screens: Screens::Closed, first_seat: None }
    }

    /// The number of players.
    pub(crate) fn players(&self) -> Players {
        u8::try_from(self.seats.len()).ok().and_then(Players::new).unwrap_or(Players::ALL[0])
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
    Variant,
    Screens,
    FirstSeat,
    /// The player or bot of a seat.
    Occupant(usize),
    Name(usize),
    Colour(usize),
    Start,
}

/// The form for a new game.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) setup: Setup,
    pub(crate) lang: Lang,
    pub(crate) cursor: Field,
}

impl Form {
    pub(crate) fn new(setup: Setup, lang: Lang) -> Self {
        Self { setup, lang, cursor: Field::Start }
    }

    fn rows(&self) -> Vec<Vec<Field>> {
        let for_all = [Field::Language, Field::Players, Field::Variant, Field::Screens, Field::FirstSeat];
        let mut rows: Vec<Vec<Field>> = for_all.map(|field| vec![field]).into();
        rows.extend(self.setup.seats.iter().enumerate().map(|(index, seat)| match seat {
            SeatSetup::Person { .. } => vec![Field::Occupant(index), Field::Name(index), Field::Colour(index)],
            SeatSetup::Bot(_) => vec![Field::Occupant(index)],
        }));
        rows.push(vec![Field::Start]);
        rows
    }

    /// Moves the cursor to the row above or below.
    pub(crate) fn move_row(&mut self, down: bool) {
        let rows = self.rows();
        let Some(mut row) = rows.iter().find(|row| row.contains(&self.cursor)) else { return };
        let column = row.iter().position(|&field| field == self.cursor).unwrap_or(0);
        cycle(&mut row, &rows.iter().collect::<Vec<_>>(), down);
        self.cursor = row[column.min(row.len() - 1)];
    }

    /// Moves the cursor to the next or previous field.
    pub(crate) fn move_field(&mut self, forward: bool) {
        let fields = self.rows().concat();
        cycle(&mut self.cursor, &fields, forward);
    }

    /// Sets the field at the cursor to its next or previous value.
    pub(crate) fn change(&mut self, forward: bool) {
        let setup = &mut self.setup;
        match self.cursor {
            Field::Language => cycle(&mut self.lang, &Lang::ALL, forward),
            Field::Players => {
                let mut count = setup.seats.len();
                cycle(&mut count, &[2, 3, 4, 5], forward);
                self.resize(count);
            }
            Field::Variant => cycle(&mut setup.variant, &Variant::OFFERED.map(|(_, variant)| variant), forward),
            Field::Screens => cycle(&mut setup.screens, &[Screens::Closed, Screens::Open], forward),
            Field::FirstSeat => {
                let seats = setup.players().seats();
                cycle_option(&mut setup.first_seat, seats, forward);
            }
            Field::Occupant(index) => self.change_occupant(index, forward),
            Field::Colour(index) => self.change_colour(index, forward),
            Field::Name(_) | Field::Start => {}
        }
    }

    /// Sets the number of seats. Adds bots at the end, or removes the last seats.
    pub(crate) fn resize(&mut self, count: usize) {
        self.setup.seats.resize_with(count, || SeatSetup::Bot(DEFAULT_OPPONENT.to_owned()));
        self.setup.first_seat = self.setup.first_seat.filter(|seat| seat.index() < count);
        if self.setup.people() == 0 {
            self.setup.seats[0] = self.new_person(0);
        }
    }

    fn new_person(&self, index: usize) -> SeatSetup {
        let text = Text::of(self.lang);
        SeatSetup::Person { name: text.nameless(u8::try_from(index + 1).unwrap_or(0)), colour: None }
    }

    fn change_occupant(&mut self, index: usize, forward: bool) {
        let mut bot = match &self.setup.seats[index] {
            SeatSetup::Person { .. } => None,
            SeatSetup::Bot(bot) => Some(bot.clone()),
        };
        // The player who opens a table needs a seat.
        if bot.is_none() && self.setup.people() == 1 {
            return;
        }
        cycle_option(&mut bot, Level::in_terminal().map(str::to_owned), forward);
        self.setup.seats[index] = bot.map_or_else(|| self.new_person(index), SeatSetup::Bot);
    }

    fn change_colour(&mut self, index: usize, forward: bool) {
        let colour_of_other = |(other, seat): (usize, &SeatSetup)| match seat {
            SeatSetup::Person { colour, .. } if other != index => *colour,
            _ => None,
        };
        let taken: Vec<PlayerColour> = self.setup.seats.iter().enumerate().filter_map(colour_of_other).collect();
        if let SeatSetup::Person { colour, .. } = &mut self.setup.seats[index] {
            cycle_option(colour, PlayerColour::ALL.into_iter().filter(|colour| !taken.contains(colour)), forward);
        }
    }

    /// The name at the cursor.
    fn name(&mut self) -> Option<&mut String> {
        let Field::Name(index) = self.cursor else { return None };
        match &mut self.setup.seats[index] {
            SeatSetup::Person { name, .. } => Some(name),
            SeatSetup::Bot(_) => None,
        }
    }

    /// Appends a character to the name at the cursor.
    pub(crate) fn type_char(&mut self, character: char) {
        if let Some(name) = self.name()
            && name.chars().count() < MAX_NAME_CHARS
            && !character.is_control()
        {
            name.push(character);
        }
    }

    /// Removes the last character of the name at the cursor.
    pub(crate) fn erase(&mut self) {
        self.name().and_then(String::pop);
    }
}

/// The index after or before `index` in a list of this length, wrapping around.
pub(crate) fn cycle_index(index: usize, length: usize, forward: bool) -> usize {
    (index + if forward { 1 } else { length - 1 }) % length
}

/// Replaces a value by the one after or before it in the list, wrapping around. A value that is not in the list counts
/// as the first.
pub(crate) fn cycle<T: Clone + PartialEq>(value: &mut T, all: &[T], forward: bool) {
    let index = all.iter().position(|element| element == value).unwrap_or(0);
    *value = all[cycle_index(index, all.len(), forward)].clone();
}

/// Like [`cycle`], with `None` before the other values.
pub(crate) fn cycle_option<T: Clone + PartialEq>(
    value: &mut Option<T>,
    all: impl IntoIterator<Item = T>,
    forward: bool,
) {
    let all: Vec<Option<T>> = std::iter::once(None).chain(all.into_iter().map(Some)).collect();
    cycle(value, &all, forward);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(players: u8) -> Form {
        Form::new(Setup::new(Players::new(players).unwrap(), "Ana", None), Lang::En)
    }

    #[test]
    fn last_person_cannot_be_replaced_by_a_bot() {
        let mut form = form(2);
        form.cursor = Field::Occupant(0);
        form.change(true);
        assert_eq!(form.setup.people(), 1);
        form.cursor = Field::Occupant(1);
        while form.setup.people() < 2 {
            form.change(false);
        }
        form.cursor = Field::Occupant(0);
        form.change(true);
        assert_eq!(form.setup.seats[0], SeatSetup::Bot("random".to_owned()));
        form.cursor = Field::Players;
        form.setup.seats.swap(0, 1);
        form.setup.seats.reverse();
        form.resize(1);
        assert_eq!(form.setup.people(), 1);
    }

    #[test]
    fn colour_of_another_player_is_skipped() {
        let mut form = form(2);
        form.setup.seats[1] = SeatSetup::Person { name: String::new(), colour: Some(PlayerColour::Violet) };
        form.cursor = Field::Colour(0);
        form.change(true);
        assert_eq!(form.setup.seats[0], SeatSetup::Person { name: "Ana".to_owned(), colour: Some(PlayerColour::Gold) });
    }

    #[test]
    fn keys_reach_every_field() {
        let mut form = form(5);
        let all = form.rows().concat();
        let mut reached = Vec::new();
        for _ in 0..all.len() {
            form.move_field(true);
            reached.push(form.cursor);
        }
        assert!(all.iter().all(|field| reached.contains(field)));
        form.cursor = Field::Colour(0);
        form.move_row(true);
        assert_eq!(form.cursor, Field::Occupant(1));
        form.move_row(false);
        form.move_row(false);
        assert_eq!(form.cursor, Field::FirstSeat);
    }

    #[test]
    fn variant_changes_to_espresso_and_back() {
        let mut form = form(4);
        form.cursor = Field::Variant;
        form.change(true);
        assert_eq!(form.setup.variant, Variant::ESPRESSO);
        form.change(true);
        assert!(form.setup.variant.is_published());
    }

    #[test]
    fn name_can_be_typed_up_to_its_limit() {
        let mut form = form(2);
        form.cursor = Field::Name(0);
        form.erase();
        form.type_char('ő');
        form.type_char('\u{7}');
        assert!(matches!(&form.setup.seats[0], SeatSetup::Person { name, .. } if name == "Anő"));
        (0..99).for_each(|_| form.type_char('王'));
        assert!(matches!(&form.setup.seats[0], SeatSetup::Person { name, .. } if name.chars().count() == 40));
    }

    #[test]
    fn first_seat_is_reset_with_fewer_players() {
        let mut form = form(3);
        form.cursor = Field::FirstSeat;
        form.change(false);
        assert_eq!(form.setup.first_seat, Seat::new(2));
        form.cursor = Field::Players;
        form.change(false);
        assert_eq!(form.setup.first_seat, None);
    }
}
