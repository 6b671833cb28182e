//! The settings of a new local game, and the form for them.

use sultan_domain::{PlayerColour, Players, Screens, Seat, Variant};
use sultan_table::{DEFAULT_OPPONENT, Level};
use sultan_text::{Lang, Text};

use crate::input::Direction;

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
        u8::try_from(self.seats.len()).ok().and_then(Players::new).unwrap_or(Players::TWO)
    }

    fn count_people(&self) -> usize {
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

    /// The fields of the form by row, from left to right.
    fn rows(&self) -> Vec<Vec<Field>> {
        let fields_of_game = [Field::Language, Field::Players, Field::Variant, Field::Screens, Field::FirstSeat];
        let mut rows: Vec<Vec<Field>> = fields_of_game.map(|field| vec![field]).into();
        rows.extend(self.setup.seats.iter().enumerate().map(|(index, seat)| match seat {
            SeatSetup::Person { .. } => vec![Field::Occupant(index), Field::Name(index), Field::Colour(index)],
            SeatSetup::Bot(_) => vec![Field::Occupant(index)],
        }));
        rows.push(vec![Field::Start]);
        rows
    }

    /// Moves the cursor to the row above or below, in the same column if that row has it.
    pub(crate) fn move_row(&mut self, direction: Direction) {
        let mut rows = self.rows();
        let Some(index) = rows.iter().position(|row| row.contains(&self.cursor)) else { return };
        let column = rows[index].iter().position(|&field| field == self.cursor).unwrap_or(0);
        let target = rows.swap_remove(cycle_index(index, rows.len(), direction));
        self.cursor = target[column.min(target.len() - 1)];
    }

    /// Moves the cursor to the next or previous field.
    pub(crate) fn move_field(&mut self, direction: Direction) {
        let fields = self.rows().concat();
        cycle(&mut self.cursor, &fields, direction);
    }

    /// Sets the field at the cursor to its next or previous value.
    pub(crate) fn change_value(&mut self, direction: Direction) {
        let setup = &mut self.setup;
        match self.cursor {
            Field::Language => cycle(&mut self.lang, &Lang::ALL, direction),
            Field::Players => {
                let mut player_count = setup.seats.len();
                cycle(&mut player_count, &[2, 3, 4, 5], direction);
                self.set_player_count(player_count);
            }
            Field::Variant => cycle(&mut setup.variant, &Variant::OFFERED.map(|(_, variant)| variant), direction),
            Field::Screens => cycle(&mut setup.screens, &[Screens::Closed, Screens::Open], direction),
            Field::FirstSeat => {
                let seats = setup.players().seats();
                cycle_with_none(&mut setup.first_seat, seats, direction);
            }
            Field::Occupant(index) => self.change_occupant(index, direction),
            Field::Colour(index) => self.change_colour(index, direction),
            Field::Name(_) | Field::Start => {}
        }
    }

    /// Sets the number of players. Adds bots at the end, or removes the last seats. If no person is left, the first
    /// seat gets a new person.
    pub(crate) fn set_player_count(&mut self, count: usize) {
        self.setup.seats.resize_with(count, || SeatSetup::Bot(DEFAULT_OPPONENT.to_owned()));
        self.setup.first_seat = self.setup.first_seat.filter(|seat| seat.index() < count);
        if self.setup.count_people() == 0 {
            self.setup.seats[0] = self.new_person(0);
        }
    }

    /// A person in the seat with this index, with a name such as “Player 2” until another is typed.
    fn new_person(&self, index: usize) -> SeatSetup {
        let text = Text::of(self.lang);
        SeatSetup::Person { name: text.nameless(u8::try_from(index + 1).unwrap_or(0)), colour: None }
    }

    /// Changes a seat to the next or previous bot level, or to a person.
    fn change_occupant(&mut self, index: usize, direction: Direction) {
        let mut bot_level = match &self.setup.seats[index] {
            SeatSetup::Person { .. } => None,
            SeatSetup::Bot(level) => Some(level.clone()),
        };
        // The last person cannot be replaced by a bot, because the player who opens a table needs a seat.
        if bot_level.is_none() && self.setup.count_people() == 1 {
            return;
        }
        cycle_with_none(&mut bot_level, Level::in_terminal().map(str::to_owned), direction);
        self.setup.seats[index] = bot_level.map_or_else(|| self.new_person(index), SeatSetup::Bot);
    }

    /// Changes the colour of a person to the next or previous colour that no other person has.
    fn change_colour(&mut self, index: usize, direction: Direction) {
        let colour_of_other_person = |(other, seat): (usize, &SeatSetup)| match seat {
            SeatSetup::Person { colour, .. } if other != index => *colour,
            _ => None,
        };
        let seats = self.setup.seats.iter().enumerate();
        let taken_colours: Vec<PlayerColour> = seats.filter_map(colour_of_other_person).collect();
        if let SeatSetup::Person { colour, .. } = &mut self.setup.seats[index] {
            let free_colours = PlayerColour::ALL.into_iter().filter(|colour| !taken_colours.contains(colour));
            cycle_with_none(colour, free_colours, direction);
        }
    }

    /// The name at the cursor. `None` if the cursor is in another kind of field.
    fn name_at_cursor(&mut self) -> Option<&mut String> {
        let Field::Name(index) = self.cursor else { return None };
        match &mut self.setup.seats[index] {
            SeatSetup::Person { name, .. } => Some(name),
            SeatSetup::Bot(_) => None,
        }
    }

    /// Appends a character to the name at the cursor.
    pub(crate) fn type_char(&mut self, character: char) {
        if let Some(name) = self.name_at_cursor()
            && name.chars().count() < MAX_NAME_CHARS
            && !character.is_control()
        {
            name.push(character);
        }
    }

    /// Removes the last character of the name at the cursor.
    pub(crate) fn erase(&mut self) {
        self.name_at_cursor().and_then(String::pop);
    }
}

/// The index after or before `index` in a list of this length, wrapping around.
pub(crate) fn cycle_index(index: usize, length: usize, direction: Direction) -> usize {
    match direction {
        Direction::Forward => (index + 1) % length,
        Direction::Backward => (index + length - 1) % length,
    }
}

/// Replaces a value by the value after or before it in the list, wrapping around. A value that is not in the list
/// counts as the first.
pub(crate) fn cycle<T: Clone + PartialEq>(value: &mut T, values: &[T], direction: Direction) {
    let index = values.iter().position(|element| element == value).unwrap_or(0);
    *value = values[cycle_index(index, values.len(), direction)].clone();
}

/// Like [`cycle`], with `None` before the other values.
pub(crate) fn cycle_with_none<T: Clone + PartialEq>(
    value: &mut Option<T>,
    values: impl IntoIterator<Item = T>,
    direction: Direction,
) {
    let values: Vec<Option<T>> = std::iter::once(None).chain(values.into_iter().map(Some)).collect();
    cycle(value, &values, direction);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(players: u8) -> Form {
        Form::new(Setup::new(Players::new(players).unwrap(), "Ana", None), Lang::En)
    }

    #[test]
    fn last_person_stays_when_occupants_and_player_count_change() {
        let mut form = form(3);
        form.cursor = Field::Occupant(0);
        form.change_value(Direction::Forward);
        assert_eq!(form.setup.count_people(), 1);
        // With a second person in the last seat, a bot can take seat 0.
        form.cursor = Field::Occupant(2);
        while form.setup.count_people() < 2 {
            form.change_value(Direction::Backward);
        }
        form.cursor = Field::Occupant(0);
        form.change_value(Direction::Forward);
        // The list of bots begins with the weakest.
        assert_eq!(form.setup.seats[0], SeatSetup::Bot("random".to_owned()));
        form.cursor = Field::Players;
        // This removes the last seat, with the only person.
        form.set_player_count(2);
        assert!(
            matches!(form.setup.seats[..], [SeatSetup::Person { .. }, SeatSetup::Bot(_)]),
            "{:?}",
            form.setup.seats
        );
    }

    #[test]
    fn colour_of_another_player_is_skipped() {
        let mut form = form(2);
        form.setup.seats[1] = SeatSetup::Person { name: String::new(), colour: Some(PlayerColour::Violet) };
        form.cursor = Field::Colour(0);
        form.change_value(Direction::Forward);
        // Violet, the first colour, is taken.
        assert_eq!(form.setup.seats[0], SeatSetup::Person { name: "Ana".to_owned(), colour: Some(PlayerColour::Gold) });
    }

    #[test]
    fn cursor_reaches_every_field() {
        let mut form = form(5);
        let fields = form.rows().concat();
        let mut reached = Vec::new();
        for _ in 0..fields.len() {
            form.move_field(Direction::Forward);
            reached.push(form.cursor);
        }
        assert!(fields.iter().all(|field| reached.contains(field)));
        // The row of seat 0 (a person) has three fields, the row of seat 1 (a bot) has only its first field.
        form.cursor = Field::Colour(0);
        form.move_row(Direction::Forward);
        assert_eq!(form.cursor, Field::Occupant(1));
        form.move_row(Direction::Backward);
        form.move_row(Direction::Backward);
        assert_eq!(form.cursor, Field::FirstSeat);
    }

    #[test]
    fn variant_changes_to_each_offered_one_and_back() {
        let mut form = form(4);
        form.cursor = Field::Variant;
        for (name, variant) in Variant::OFFERED {
            assert_eq!(form.setup.variant, variant, "{name}");
            form.change_value(Direction::Forward);
        }
        assert!(form.setup.variant.is_published());
    }

    #[test]
    fn name_can_be_typed_up_to_its_limit() {
        let mut form = form(2);
        form.cursor = Field::Name(0);
        form.erase();
        form.type_char('ő');
        // Control characters are ignored.
        form.type_char('\u{7}');
        assert!(matches!(&form.setup.seats[0], SeatSetup::Person { name, .. } if name == "Anő"));
        (0..99).for_each(|_| form.type_char('王'));
        assert!(matches!(&form.setup.seats[0], SeatSetup::Person { name, .. } if name.chars().count() == 40));
    }

    #[test]
    fn first_seat_is_reset_with_fewer_players() {
        let mut form = form(3);
        form.cursor = Field::FirstSeat;
        // Before the first value, `None`, is the last seat.
        form.change_value(Direction::Backward);
        assert_eq!(form.setup.first_seat, Seat::new(2));
        form.cursor = Field::Players;
        form.change_value(Direction::Backward);
        assert_eq!(form.setup.first_seat, None);
    }
}
