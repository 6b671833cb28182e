//! The state of the screens, and the effect of each key. Key handling never blocks: slow work is returned as a [`Task`]
//! that `run` performs.

mod game;

use sultan_domain::{Jewel, Seat, TableId};
use sultan_text::Text;

use crate::choice::Choice;
use crate::connection::Unfinished;
use crate::form::{Field, Form, Setup, cycle_index};
use crate::input::{ClickAreas, Input};
use crate::styles::Styles;

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
    /// Submit an action for a seat.
    Act {
        seat: Seat,
        action: String,
        at: u16,
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
    pub(crate) cursor: usize,
    /// Whether the next undo key gives up the game at the cursor.
    pub(crate) confirms_give_up: bool,
}

/// The state of all screens.
#[derive(Clone, Debug)]
pub(crate) struct App {
    pub(crate) text: Text,
    pub(crate) styles: Styles,
    pub(crate) screen: Screen,
    /// The settings of the next new game.
    pub(crate) form: Form,
    /// The open help or rules page with its scroll position.
    pub(crate) page: Option<(Page, usize)>,
    /// The error message to show.
    pub(crate) error: Option<String>,
    /// Whether a task is running. Most input is ignored then.
    pub(crate) busy: bool,
    /// The clickable areas of the last frame.
    pub(crate) areas: ClickAreas,
}

impl App {
    pub(crate) fn new(text: Text, styles: Styles, setup: Setup, games: Vec<Unfinished>) -> Self {
        let mut app = Self {
            text,
            styles,
            screen: Screen::Form,
            form: Form::new(setup, text.lang()),
            page: None,
            error: None,
            busy: false,
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
            self.screen = Screen::Resume(ResumeList { games, cursor: 0, confirms_give_up: false });
        }
    }

    fn show_form(&mut self) {
        self.form.cursor = Field::Start;
        self.screen = Screen::Form;
    }

    /// Handles an input, and returns the task to start, if any.
    pub(crate) fn handle(&mut self, input: Input) -> Option<Task> {
        self.error = None;
        let is_typing = matches!((&self.screen, self.form.cursor), (Screen::Form, Field::Name(_)));
        match input {
            Input::Quit => return Some(Task::Quit),
            Input::Help => return self.open_page(Page::Help),
            Input::Rules => return self.open_page(Page::Rules),
            Input::Char('?') if !is_typing => return self.open_page(Page::Help),
            _ => {}
        }
        if self.page.is_some() {
            self.on_page(input);
            return None;
        }
        if matches!(input, Input::Char('q' | 'Q')) && !is_typing {
            return Some(Task::Quit);
        }
        if self.busy {
            return None;
        }
        match &mut self.screen {
            Screen::Resume(_) => self.on_resume(input),
            Screen::Form => self.on_form(input),
            Screen::Game(_) => self.on_game(input),
        }
    }

    fn open_page(&mut self, page: Page) -> Option<Task> {
        let same = self.page.is_some_and(|(open, _)| open == page);
        self.page = (!same).then_some((page, 0));
        None
    }

    fn on_page(&mut self, input: Input) {
        let Some((page, scroll)) = &mut self.page else { return };
        match input {
            Input::Down => *scroll += 1,
            Input::Up => *scroll = scroll.saturating_sub(1),
            Input::Wheel(true) => *scroll += 5,
            Input::Wheel(false) => *scroll = scroll.saturating_sub(5),
            Input::Left | Input::Right | Input::Next(_) => {
                *page = if *page == Page::Help { Page::Rules } else { Page::Help };
                *scroll = 0;
            }
            _ => self.page = None,
        }
    }

    fn on_resume(&mut self, input: Input) -> Option<Task> {
        let Screen::Resume(ResumeList { games, cursor, confirms_give_up }) = &mut self.screen else { return None };
        let confirmed = std::mem::take(confirms_give_up);
        let chosen = match input {
            Input::Char(digit @ '1'..='9') => digit as usize - '1' as usize,
            Input::Char('n' | 'N') => games.len(),
            Input::Line(line) => line,
            Input::Enter | Input::Char(' ') => *cursor,
            Input::Down | Input::Next(true) | Input::Wheel(true) => {
                *cursor = cycle_index(*cursor, games.len() + 1, true);
                return None;
            }
            Input::Up | Input::Next(false) | Input::Wheel(false) => {
                *cursor = cycle_index(*cursor, games.len() + 1, false);
                return None;
            }
            Input::Undo => {
                let game = games.get(*cursor)?;
                *confirms_give_up = !confirmed;
                return confirmed.then(|| Task::GiveUp(game.table, game.own_seats.clone()));
            }
            Input::Escape if !confirmed => return Some(Task::Quit),
            _ => return None,
        };
        *cursor = chosen.min(games.len());
        if let Some(game) = games.get(*cursor) {
            return Some(Task::Resume(game.table, game.own_seats.clone()));
        }
        self.show_form();
        None
    }

    fn on_form(&mut self, input: Input) -> Option<Task> {
        let form = &mut self.form;
        match input {
            Input::Up => form.move_row(false),
            Input::Next(forward) => form.move_field(forward),
            Input::Left | Input::Wheel(false) => form.change(false),
            Input::Right | Input::Wheel(true) => form.change(true),
            Input::Undo => form.erase(),
            Input::Char(character) if matches!(form.cursor, Field::Name(_)) => form.type_char(character),
            Input::Char(' ') if form.cursor != Field::Start => form.change(true),
            Input::Char(digit @ '2'..='5') if form.cursor == Field::Players => {
                form.resize(digit as usize - '0' as usize);
            }
            Input::Field(Field::Start) => return Some(Task::Open(form.setup.clone())),
            Input::Field(field) => {
                form.cursor = field;
                form.change(true);
            }
            Input::Enter | Input::Char(' ') if form.cursor == Field::Start => {
                return Some(Task::Open(form.setup.clone()));
            }
            Input::Enter | Input::Down => form.move_row(true),
            Input::Escape => return Some(Task::Quit),
            _ => {}
        }
        self.text = Text::of(form.lang);
        None
    }

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
    fn on_end(&mut self, input: Input) -> Option<Task> {
        match input {
            Input::Down | Input::Next(true) | Input::Wheel(true) => self.move_cursor(true),
            Input::Up | Input::Next(false) | Input::Wheel(false) => self.move_cursor(false),
            Input::Line(seat) => self.cursor = seat,
            Input::Char('r' | 'R') | Input::Enter if self.can_rematch() => return Some(Task::Rematch),
            _ => {}
        }
        None
    }

    fn on_table(&mut self, input: Input) -> Option<Task> {
        let seat = self.observer();
        if let (Input::Char('b' | 'B'), Some(seat), true) = (input, seat, self.has_stand_in()) {
            return Some(Task::ReturnToSeat(seat));
        }
        let choice = self.choice.as_mut()?;
        match (input, &mut *choice) {
            (Input::Left, _) => choice.move_cursor(false),
            (Input::Right, _) => choice.move_cursor(true),
            (Input::Undo | Input::Down | Input::Escape | Input::Char('u' | 'U'), _) => choice.undo(),
            (Input::Char(digit @ '0'..='9'), _) => choice.type_digit(digit as usize - '0' as usize),
            (Input::Char(letter), Choice::Offer(offer)) if letter != ' ' => {
                if let Some(jewel) = Jewel::from_letter(letter.to_ascii_uppercase()) {
                    offer.place_colour(jewel);
                }
            }
            (Input::Item(index), Choice::Bid(bid)) => bid.choose_card(index),
            (Input::Item(index), Choice::Offer(offer)) => offer.place(index),
            (Input::Cushion(cushion), Choice::Bid(bid)) => bid.choose_cushion(cushion),
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
