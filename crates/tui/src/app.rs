//! The state of the screens, and the effect of each key. Key handling never blocks: slow work is returned as a [`Task`]
//! that `run` performs.

mod game;

use sultan_domain::{Jewel, Seat, TableId};
use sultan_text::Text;

use crate::choice::Choice;
use crate::connection::Unfinished;
use crate::form::{Field, Form, Setup, cycle_index};
use crate::input::{ClickAreas, Direction, Input};

pub(crate) use game::{GameScreen, Reveal, Scene};

/// Work for `run`: a request to the table, or quitting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Quit,
    /// Open a table.
    Open(Setup),
    /// Resume an unfinished game with these seats.
    Resume(TableId, Vec<Seat>),
    /// Give up an unfinished game with these seats.
    GiveUp(TableId, Vec<Seat>),
    /// Submit an action for a seat. The table rejects it if the game no longer has `action_count` actions.
    Act {
        seat: Seat,
        action: String,
        action_count: u16,
    },
    /// Lift the curtain and show the hand of this seat.
    ShowHand(Seat),
    /// Take the seat back from its stand-in bot.
    ReturnToSeat(Seat),
    Rematch,
}

/// A text page shown over the current screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Help,
    Rules,
}

/// The current screen.
#[derive(Clone, Debug)]
pub(crate) enum Screen {
    Resume(ResumeList),
    /// The form for a new game.
    Form,
    Game(Box<GameScreen>),
}

/// The list of unfinished games, and the line for a new game.
#[derive(Clone, Debug)]
pub(crate) struct ResumeList {
    pub(crate) games: Vec<Unfinished>,
    /// The index of the game at the cursor. `games.len()` is the index of the line for a new game.
    pub(crate) cursor: usize,
    /// Whether the next undo key gives up the game at the cursor.
    pub(crate) asks_to_give_up: bool,
}

/// The state of all screens.
#[derive(Clone, Debug)]
pub(crate) struct App {
    pub(crate) text: Text,
    /// False if `NO_COLOR` is set.
    pub(crate) uses_colours: bool,
    pub(crate) screen: Screen,
    /// The settings of the next new game.
    pub(crate) form: Form,
    /// The open help or rules page with the number of lines that are scrolled out of view.
    pub(crate) page: Option<(Page, usize)>,
    /// The error message to show.
    pub(crate) error: Option<String>,
    /// Whether a task is running. Then only the keys for help, rules and quitting have an effect.
    pub(crate) is_busy: bool,
    /// The clickable areas of the last frame.
    pub(crate) areas: ClickAreas,
}

impl App {
    /// Shows the list of unfinished games, or the form with this setup if the list is empty.
    pub(crate) fn new(text: Text, uses_colours: bool, setup: Setup, games: Vec<Unfinished>) -> Self {
        let mut app = Self {
            text,
            uses_colours,
            screen: Screen::Form,
            form: Form::new(setup, text.lang()),
            page: None,
            error: None,
            is_busy: false,
            areas: ClickAreas::default(),
        };
        app.offer_to_resume(games);
        app
    }

    /// Shows the list of unfinished games, or the form for a new game if there are none.
    pub(crate) fn offer_to_resume(&mut self, games: Vec<Unfinished>) {
        if games.is_empty() {
            self.show_form();
        } else {
            self.screen = Screen::Resume(ResumeList { games, cursor: 0, asks_to_give_up: false });
        }
    }

    fn show_form(&mut self) {
        self.form.cursor = Field::Start;
        self.screen = Screen::Form;
    }

    /// Handles an input, and returns the task to start, if any.
    pub(crate) fn handle(&mut self, input: Input) -> Option<Task> {
        self.error = None;
        // In a name, `?` and `q` are letters and not keys.
        let is_typing_name = matches!((&self.screen, self.form.cursor), (Screen::Form, Field::Name(_)));
        match input {
            Input::Quit => return Some(Task::Quit),
            Input::Help => self.toggle_page(Page::Help),
            Input::Char('?') if !is_typing_name => self.toggle_page(Page::Help),
            Input::Rules => self.toggle_page(Page::Rules),
            _ if self.page.is_some() => self.on_page(input),
            Input::Char('q' | 'Q') if !is_typing_name => return Some(Task::Quit),
            _ if self.is_busy => {}
            _ => {
                return match &self.screen {
                    Screen::Resume(_) => self.on_resume(input),
                    Screen::Form => self.on_form(input),
                    Screen::Game(_) => self.on_game(input),
                };
            }
        }
        None
    }

    /// Opens a page at its start, or closes it if it is open.
    fn toggle_page(&mut self, page: Page) {
        let is_open = self.page.is_some_and(|(open_page, _)| open_page == page);
        self.page = (!is_open).then_some((page, 0));
    }

    /// Handles an input while the help or rules page is open: scrolls, switches to the other page, or closes the page.
    fn on_page(&mut self, input: Input) {
        let Some((page, scroll)) = &mut self.page else { return };
        match input {
            Input::Down => *scroll += 1,
            Input::Up => *scroll = scroll.saturating_sub(1),
            Input::ScrollDown => *scroll += 5,
            Input::ScrollUp => *scroll = scroll.saturating_sub(5),
            Input::Left | Input::Right | Input::NextField | Input::PreviousField => {
                *page = if *page == Page::Help { Page::Rules } else { Page::Help };
                *scroll = 0;
            }
            _ => self.page = None,
        }
    }

    /// Handles an input on the list of unfinished games. Its last line is for a new game.
    fn on_resume(&mut self, input: Input) -> Option<Task> {
        let Screen::Resume(ResumeList { games, cursor, asks_to_give_up }) = &mut self.screen else { return None };
        // Any other input than a second undo cancels the question whether to give up a game.
        let was_asked_to_give_up = std::mem::take(asks_to_give_up);
        if let Some(direction) = input.list_direction() {
            *cursor = cycle_index(*cursor, games.len() + 1, direction);
            return None;
        }
        let chosen_line = match input {
            Input::Char(digit @ '1'..='9') => digit as usize - '1' as usize,
            Input::Char('n' | 'N') => games.len(),
            Input::Line(line) => line,
            Input::Enter | Input::Char(' ') => *cursor,
            Input::Undo => {
                let game = games.get(*cursor)?;
                *asks_to_give_up = !was_asked_to_give_up;
                return was_asked_to_give_up.then(|| Task::GiveUp(game.table, game.own_seats.clone()));
            }
            // The first Escape after the question only cancels it.
            Input::Escape if !was_asked_to_give_up => return Some(Task::Quit),
            _ => return None,
        };
        *cursor = chosen_line.min(games.len());
        if let Some(game) = games.get(*cursor) {
            return Some(Task::Resume(game.table, game.own_seats.clone()));
        }
        self.show_form();
        None
    }

    /// Handles an input on the form for a new game.
    fn on_form(&mut self, input: Input) -> Option<Task> {
        let form = &mut self.form;
        match input {
            Input::Char(character) if matches!(form.cursor, Field::Name(_)) => form.type_char(character),
            Input::Field(Field::Start) => return Some(Task::Open(form.setup.clone())),
            Input::Enter | Input::Char(' ') if form.cursor == Field::Start => {
                return Some(Task::Open(form.setup.clone()));
            }
            Input::Up => form.move_row(Direction::Backward),
            Input::Enter | Input::Down => form.move_row(Direction::Forward),
            Input::NextField => form.move_field(Direction::Forward),
            Input::PreviousField => form.move_field(Direction::Backward),
            Input::Left | Input::ScrollUp => form.change_value(Direction::Backward),
            Input::Right | Input::ScrollDown | Input::Char(' ') => form.change_value(Direction::Forward),
            Input::Field(field) => {
                form.cursor = field;
                form.change_value(Direction::Forward);
            }
            Input::Char(digit @ '2'..='5') if form.cursor == Field::Players => {
                form.set_player_count(digit as usize - '0' as usize);
            }
            Input::Undo => form.erase(),
            Input::Escape => return Some(Task::Quit),
            _ => {}
        }
        // The player may have changed the language of the form.
        self.text = Text::of(form.lang);
        None
    }

    /// Handles an input during a game.
    fn on_game(&mut self, input: Input) -> Option<Task> {
        let Screen::Game(game) = &mut self.screen else { return None };
        match (game.scene(), input) {
            (Scene::Reveal, Input::Enter | Input::Char(_) | Input::Escape | Input::Right) => game.continue_reveal(),
            (Scene::Curtain(seat), Input::Enter | Input::Char(' ')) => return Some(Task::ShowHand(seat)),
            (Scene::Table, _) => return game.on_table(input),
            (Scene::End, Input::Char('n' | 'N')) if !game.is_remote => self.show_form(),
            (Scene::End, _) => return game.on_end(input),
            (Scene::Waiting | Scene::Reveal | Scene::Curtain(_), _) => {}
        }
        None
    }
}

impl GameScreen {
    /// Handles an input on the final result.
    fn on_end(&mut self, input: Input) -> Option<Task> {
        if let Some(direction) = input.list_direction() {
            self.move_cursor(direction);
        }
        match input {
            Input::Line(seat_index) => self.cursor = seat_index,
            Input::Char('r' | 'R') | Input::Enter if self.can_rematch() => return Some(Task::Rematch),
            _ => {}
        }
        None
    }

    /// Handles an input at the table: changes the choice, or submits it once it is complete.
    fn on_table(&mut self, input: Input) -> Option<Task> {
        if matches!(input, Input::Char('b' | 'B')) && self.has_stand_in() {
            return self.observer().map(Task::ReturnToSeat);
        }
        let choice = self.choice.as_mut()?;
        match (input, &mut *choice) {
            (Input::Left, _) => choice.move_cursor(Direction::Backward),
            (Input::Right, _) => choice.move_cursor(Direction::Forward),
            (Input::Undo | Input::Down | Input::Escape | Input::Char('u' | 'U'), _) => choice.undo(),
            (Input::Char(digit @ '0'..='9'), _) => choice.type_digit(digit as usize - '0' as usize),
            // The letter of a colour places a jewel. A space does the same as Enter.
            (Input::Char(letter), Choice::Offer(offer)) if letter != ' ' => {
                if let Some(jewel) = Jewel::from_letter(letter.to_ascii_uppercase()) {
                    offer.place_colour(jewel);
                }
            }
            (Input::Item(index), Choice::Bid(bid)) => bid.choose_card(index),
            (Input::Item(index), Choice::Offer(offer)) => offer.place(index),
            (Input::Cushion(cushion), Choice::Bid(bid)) => bid.choose_cushion(cushion),
            // Only the cushion that gets the next jewel can be clicked.
            (Input::Cushion(_), Choice::Offer(_)) | (Input::Up, _) => choice.select(),
            (Input::Enter | Input::Char(' '), _) => match choice.action() {
                Some(action) => return self.act(action),
                None => choice.select(),
            },
            _ => {}
        }
        None
    }
}
