//! The state of the screens, and the effect of each key. Key handling never blocks: slow work is returned as a [`Task`]
//! that `run` performs.

mod game;

use sultan_domain::{Jewel, Seat};
use sultan_text::Text;

use crate::choice::Choice;
use crate::input::{Hits, Input};
use crate::paint::Paint;
use crate::place::{PlayError, Unfinished};
use crate::setup::{Field, Form, Setup};

pub(crate) use game::{Game, Reveal, Scene};

/// Work for `run`: a request to the table, or quitting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Quit,
    /// Open a table.
    Open(Setup),
    /// Resume the unfinished game at this index of the list.
    GoOn(usize),
    /// Give up the unfinished game at this index of the list.
    GiveUp(usize),
    /// Submit an action for a seat.
    Act {
        seat: Seat,
        action: String,
        at: u16,
    },
    /// Lift the curtain and show the hand of this seat.
    Lift(Seat),
    /// Take the seat back from its stand-in bot.
    ComeBack(Seat),
    /// Start a rematch.
    OnceMore,
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
    /// The list of unfinished games, the cursor, and whether the next undo key gives up the game at the cursor.
    Resume { games: Vec<Unfinished>, at: usize, sure: bool },
    /// The form for a new game.
    Setup(Form),
    /// A game.
    Game(Box<Game>),
}

/// The state of all screens.
#[derive(Clone, Debug)]
pub(crate) struct App {
    pub(crate) text: Text,
    pub(crate) paint: Paint,
    pub(crate) screen: Screen,
    /// The open help or rules page with its scroll position.
    pub(crate) page: Option<(Page, usize)>,
    /// The error message to show.
    pub(crate) trouble: Option<String>,
    /// Whether a task is running. Most input is ignored then.
    pub(crate) busy: bool,
    /// The clickable areas of the last frame.
    pub(crate) hits: Hits,
    /// The settings of the next new game.
    pub(crate) setup: Setup,
}

impl App {
    pub(crate) fn new(text: Text, paint: Paint, setup: Setup, games: Vec<Unfinished>) -> Self {
        let mut app = Self {
            text,
            paint,
            screen: Screen::Setup(Form::new(setup.clone(), text.lang())),
            page: None,
            trouble: None,
            busy: false,
            hits: Hits::default(),
            setup,
        };
        if !games.is_empty() {
            app.screen = Screen::Resume { games, at: 0, sure: false };
        }
        app
    }

    /// Ends the running task with an error message.
    pub(crate) fn refuse(&mut self, trouble: &PlayError) {
        self.busy = false;
        self.trouble = Some(trouble.told(self.text));
    }

    /// Handles an input, and returns the task to start, if any.
    pub(crate) fn on(&mut self, input: Input) -> Option<Task> {
        self.trouble = None;
        let writing = matches!(&self.screen, Screen::Setup(form) if matches!(form.at, Field::Name(_)));
        match input {
            Input::Quit => return Some(Task::Quit),
            Input::Help => return self.open_page(Page::Help),
            Input::Rules => return self.open_page(Page::Rules),
            Input::Sign('?') if !writing => return self.open_page(Page::Help),
            _ => {}
        }
        if self.page.is_some() {
            self.on_page(input);
            return None;
        }
        if matches!(input, Input::Sign('q' | 'Q')) && !writing {
            return Some(Task::Quit);
        }
        if self.busy {
            return None;
        }
        match &mut self.screen {
            Screen::Resume { .. } => self.on_resume(input),
            Screen::Setup(_) => self.on_setup(input),
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
        let Screen::Resume { games, at, sure } = &mut self.screen else { return None };
        let lines = games.len() + 1;
        let was_sure = std::mem::take(sure);
        match input {
            Input::Down | Input::Next(true) | Input::Wheel(true) => *at = (*at + 1) % lines,
            Input::Up | Input::Next(false) | Input::Wheel(false) => *at = (*at + lines - 1) % lines,
            Input::Sign(digit @ '1'..='9') => {
                *at = (digit as usize - '1' as usize).min(lines - 1);
                return self.resume();
            }
            Input::Sign('n' | 'N') => {
                *at = lines - 1;
                return self.resume();
            }
            Input::Line(line) => {
                *at = line.min(lines - 1);
                return self.resume();
            }
            Input::Enter | Input::Sign(' ') => return self.resume(),
            Input::Undo if *at < games.len() && was_sure => return Some(Task::GiveUp(*at)),
            Input::Undo if *at < games.len() => *sure = true,
            Input::Escape if !was_sure => return Some(Task::Quit),
            _ => {}
        }
        None
    }

    fn resume(&mut self) -> Option<Task> {
        let Screen::Resume { games, at, .. } = &self.screen else { return None };
        if *at < games.len() {
            return Some(Task::GoOn(*at));
        }
        self.choose_new();
        None
    }

    /// Shows the form for a new game.
    pub(crate) fn choose_new(&mut self) {
        self.screen = Screen::Setup(Form::new(self.setup.clone(), self.text.lang()));
    }

    fn on_setup(&mut self, input: Input) -> Option<Task> {
        let Screen::Setup(form) = &mut self.screen else { return None };
        match input {
            Input::Up => form.row(false),
            Input::Next(forward) => form.next(forward),
            Input::Left | Input::Wheel(false) => form.change(false),
            Input::Right | Input::Wheel(true) => form.change(true),
            Input::Undo => form.erase(),
            Input::Sign(sign) if matches!(form.at, Field::Name(_)) => form.write(sign),
            Input::Sign(' ') if form.at != Field::Start => form.change(true),
            Input::Sign(digit @ '2'..='5') if form.at == Field::Players => {
                form.resize(digit as usize - '0' as usize);
            }
            Input::Field(Field::Start) => return Some(self.open()),
            Input::Field(field) => {
                form.at = field;
                form.change(true);
            }
            Input::Enter | Input::Sign(' ') if form.at == Field::Start => return Some(self.open()),
            Input::Enter | Input::Down => form.row(true),
            Input::Escape => return Some(Task::Quit),
            _ => {}
        }
        self.text = Text::of(form.lang);
        None
    }

    fn open(&mut self) -> Task {
        if let Screen::Setup(form) = &self.screen {
            self.setup = form.setup.clone();
        }
        Task::Open(self.setup.clone())
    }

    fn on_game(&mut self, input: Input) -> Option<Task> {
        let Screen::Game(game) = &mut self.screen else { return None };
        match game.scene() {
            Scene::Waiting => None,
            Scene::Reveal => {
                if matches!(input, Input::Enter | Input::Sign(_) | Input::Escape | Input::Right) {
                    game.turn_on();
                }
                None
            }
            Scene::Curtain(seat) => matches!(input, Input::Enter | Input::Sign(' ')).then_some(Task::Lift(seat)),
            Scene::End => self.on_end(input),
            Scene::Table => game.on_table(input),
        }
    }

    fn on_end(&mut self, input: Input) -> Option<Task> {
        let Screen::Game(game) = &mut self.screen else { return None };
        match input {
            Input::Down | Input::Next(true) | Input::Wheel(true) => game.next_place(true),
            Input::Up | Input::Next(false) | Input::Wheel(false) => game.next_place(false),
            Input::Line(seat) => game.line = seat,
            Input::Sign('r' | 'R') | Input::Enter if game.can_play_once_more() => return Some(Task::OnceMore),
            Input::Sign('n' | 'N') if !game.there => self.choose_new(),
            _ => {}
        }
        None
    }
}

impl Game {
    fn on_table(&mut self, input: Input) -> Option<Task> {
        let seat = self.told.playing()?.view.observer.seat();
        if let (Input::Sign('b' | 'B'), Some(seat), true) = (input, seat, self.is_stood_in()) {
            return Some(Task::ComeBack(seat));
        }
        let choice = self.choice.as_mut()?;
        match (input, &mut *choice) {
            (Input::Left, _) => choice.step(false),
            (Input::Right, _) => choice.step(true),
            (Input::Undo | Input::Down | Input::Escape | Input::Sign('u' | 'U'), _) => {
                choice.undo();
            }
            (Input::Sign(digit @ '0'..='9'), _) => choice.pick(digit as usize - '0' as usize),
            (Input::Sign(letter), Choice::Offer(offer)) if letter != ' ' => {
                if let Some(jewel) = Jewel::from_letter(letter.to_ascii_uppercase()) {
                    offer.pick_jewel(jewel);
                }
            }
            (Input::Thing(number), Choice::Bid(bid)) => bid.pick_card(number - 1),
            (Input::Thing(number), Choice::Offer(_)) => choice.pick(number),
            (Input::Cushion(cushion), Choice::Bid(bid)) => bid.pick_cushion(cushion),
            (Input::Cushion(_), Choice::Offer(_)) | (Input::Up, _) => choice.take(),
            (Input::Enter | Input::Sign(' '), _) => match choice.action() {
                Some(action) => return self.act(&action.to_string()),
                None => choice.take(),
            },
            _ => {}
        }
        None
    }
}
