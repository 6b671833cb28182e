//! The event loop of the screens: handles keys, table events, finished tasks, ticks and signals.

use std::io;
use std::time::Duration;

use sultan_domain::{PlayerColour, Players, Seat, TableView};
use sultan_table::{Service, Visitor};
use sultan_text::Text;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::app::{App, Game, Screen, Task};
use crate::events::{TerminalEvent, TerminalEvents};
use crate::paint::Paint;
use crate::place::{Local, Place, PlayError, Remote, TableEvent, TableLink, Unfinished, only};
use crate::screens;
use crate::setup::Setup;
use crate::terminal;

/// The table to play at.
#[derive(Clone)]
pub enum Start {
    /// A table in this process.
    Here {
        /// The service that runs the table.
        service: Service,
        /// The identity of the players at this terminal.
        visitor: Visitor,
        /// The game to open, or the initial values of the form.
        setup: Setup,
        /// Whether to skip the list of unfinished games.
        new: bool,
        /// Whether to open the game without showing the form.
        at_once: bool,
    },
    /// A table on a running server.
    There {
        /// The link of the table.
        link: TableLink,
        /// The player's name, if a seat is taken.
        name: String,
        /// The player's colour, if a seat is taken.
        colour: Option<PlayerColour>,
    },
}

/// The result of a session, for the closing message to the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// No message.
    Done,
    /// An unfinished local game can be resumed.
    Kept,
    /// The link that returns the player to their seat on the server.
    Link(String),
}

impl Ended {
    /// The result of a session at this table.
    pub(crate) fn at(place: &Place, over: bool) -> Self {
        match place {
            _ if over => Self::Done,
            Place::There(remote) => remote.own_link().map_or(Self::Done, Self::Link),
            Place::Here(_) => Self::Kept,
        }
    }
}

/// The message that the table sends no more events, with the reason.
pub(crate) fn gone(text: Text, trouble: &PlayError) -> String {
    text.with("tui-gone", &[("why", (&trouble.told(text)).into())])
}

/// Delay between two cushions of a reveal.
const TURNING: Duration = Duration::from_millis(500);

/// The result of a [`Task`].
enum Done {
    /// A table to switch to, with its current view.
    At(Place, TableView),
    /// The new view of the current table.
    Told(TableView),
    /// The games that remain unfinished.
    Games(Vec<Unfinished>),
    Failed(PlayError),
}

/// Plays with full-screen output until the player quits or the process is signalled to stop.
///
/// # Errors
/// If the terminal cannot be used, or if a remote table cannot be reached at the start.
pub async fn play(start: Start, text: Text, colours: bool) -> io::Result<Ended> {
    let mut runner = Runner::new(start, text, Paint { colours }).await?;
    let stop = terminal::told_to_stop();
    let mut taken = terminal::take()?;
    let ended = runner.run(&mut taken.screen, TerminalEvents::new(TURNING, stop)).await;
    drop(taken);
    ended.map(|()| runner.last_word())
}

struct Runner {
    app: App,
    /// The service and the visitor for local games.
    home: Option<(Service, Visitor)>,
    place: Option<Place>,
    watching: Option<JoinHandle<()>>,
    news: mpsc::Receiver<TableEvent>,
    done: (mpsc::Sender<Done>, mpsc::Receiver<Done>),
    /// The newest view that arrived while a task was running.
    meanwhile: Option<TableView>,
}

impl Runner {
    async fn new(start: Start, text: Text, paint: Paint) -> io::Result<Self> {
        let nothing = Setup { seats: Vec::new(), ..Setup::usual(Players::ALL[0], "", None) };
        let mut runner = Self {
            app: App::new(text, paint, nothing, Vec::new()),
            home: None,
            place: None,
            watching: None,
            news: mpsc::channel(1).1,
            done: mpsc::channel(8),
            meanwhile: None,
        };
        match start {
            Start::Here { service, visitor, setup, new, at_once } => {
                let games = if new { Vec::new() } else { Local::unfinished(&service, visitor).await? };
                let open = at_once && games.is_empty();
                runner.app = App::new(text, paint, setup.clone(), games);
                runner.home = Some((service, visitor));
                if open {
                    runner.start(Task::Open(setup));
                }
            }
            Start::There { link, name, colour } => {
                let remote = Remote::come(link, &name, colour).await?;
                let place = Place::There(remote);
                let told = place.look(None).await?;
                runner.sit(place, told);
            }
        }
        Ok(runner)
    }

    async fn run(&mut self, screen: &mut terminal::Screen, mut events: TerminalEvents) -> io::Result<()> {
        let mut changed = true;
        loop {
            if changed {
                terminal::whole(screen, |frame| screens::draw(&mut self.app, frame))?;
            }
            changed = true;
            tokio::select! {
                event = events.next(&self.app.hits) => match event? {
                    None => return Ok(()),
                    Some(TerminalEvent::Input(input)) => match self.app.on(input) {
                        Some(Task::Quit) => return Ok(()),
                        Some(task) => self.start(task),
                        None => {}
                    },
                    Some(TerminalEvent::Resized) => {}
                    Some(TerminalEvent::Tick) => changed = self.tick(),
                },
                Some(news) = self.news.recv() => self.news(news),
                Some(done) = self.done.1.recv() => self.done(done),
            }
        }
    }

    fn tick(&mut self) -> bool {
        match &mut self.app.screen {
            Screen::Game(game) => game.tick() || screens::runs_down(game),
            Screen::Resume { .. } | Screen::Setup(_) => false,
        }
    }

    fn news(&mut self, news: TableEvent) {
        let text = self.app.text;
        let Screen::Game(game) = &mut self.app.screen else { return };
        match news {
            // The running task returns a view too, which may be older or newer than this one.
            TableEvent::Told(told) if self.app.busy => self.meanwhile = Some(told),
            TableEvent::Told(told) => game.news(told),
            TableEvent::Found => game.lost = None,
            TableEvent::Lost(why) => game.lost = Some(PlayError::Lost(why).told(text)),
            TableEvent::Gone(trouble) => game.lost = Some(gone(text, &trouble)),
        }
    }

    fn done(&mut self, done: Done) {
        self.app.busy = false;
        match done {
            Done::At(place, told) => self.sit(place, told),
            Done::Told(told) => {
                if let Screen::Game(game) = &mut self.app.screen {
                    game.tell(told);
                }
            }
            Done::Games(games) if games.is_empty() => self.app.choose_new(),
            Done::Games(games) => self.app.screen = Screen::Resume { games, at: 0, sure: false },
            Done::Failed(trouble) => self.app.refuse(&trouble),
        }
        if let (Some(told), Screen::Game(game)) = (self.meanwhile.take(), &mut self.app.screen) {
            game.news(told);
        }
    }

    /// Switches to a table and watches it.
    fn sit(&mut self, place: Place, told: TableView) {
        if let Some(watching) = self.watching.take() {
            watching.abort();
        }
        let (sender, news) = mpsc::channel(16);
        self.news = news;
        self.meanwhile = None;
        self.watching = Some(tokio::spawn(place.clone().watch(sender)));
        self.app.screen = Screen::Game(Box::new(Game::new(place.own().to_vec(), place.is_there(), told)));
        self.place = Some(place);
    }

    /// Starts a task in the background.
    fn start(&mut self, task: Task) {
        let games = match &self.app.screen {
            Screen::Resume { games, .. } => games.clone(),
            Screen::Setup(_) | Screen::Game(_) => Vec::new(),
        };
        let (home, place, sender) = (self.home.clone(), self.place.clone(), self.done.0.clone());
        self.app.busy = true;
        tokio::spawn(async move {
            let done = perform(task, home, place, games).await.unwrap_or_else(Done::Failed);
            let _ = sender.send(done).await;
        });
    }

    fn last_word(&self) -> Ended {
        let over = match &self.app.screen {
            Screen::Game(game) => game.told.is_over(),
            Screen::Resume { .. } => false,
            Screen::Setup(_) => true,
        };
        match &self.place {
            Some(place) => Ended::at(place, over),
            None if over => Ended::Done,
            None => Ended::Kept,
        }
    }
}

async fn perform(
    task: Task,
    home: Option<(Service, Visitor)>,
    place: Option<Place>,
    games: Vec<Unfinished>,
) -> Result<Done, PlayError> {
    let nowhere = || PlayError::Lost("there is no table".to_owned());
    match task {
        Task::Quit => Err(nowhere()),
        Task::Open(setup) => {
            let (service, visitor) = home.ok_or_else(nowhere)?;
            arrived(Place::Here(Local::open(&service, visitor, &setup).await?)).await
        }
        Task::GoOn(which) => {
            let (service, visitor) = home.ok_or_else(nowhere)?;
            let game = games.get(which).ok_or_else(nowhere)?;
            arrived(Place::Here(Local::back_to(&service, visitor, game))).await
        }
        Task::GiveUp(which) => {
            let (service, visitor) = home.ok_or_else(nowhere)?;
            let game = games.get(which).ok_or_else(nowhere)?;
            Local::back_to(&service, visitor, game).give_up().await?;
            Local::unfinished(&service, visitor).await.map(Done::Games)
        }
        Task::Act { seat, action, at } => acted(&place.ok_or_else(nowhere)?, seat, &action, at).await.map(Done::Told),
        Task::Lift(seat) => place.ok_or_else(nowhere)?.look(Some(seat)).await.map(Done::Told),
        Task::ComeBack(seat) => place.ok_or_else(nowhere)?.come_back(seat).await.map(Done::Told),
        Task::OnceMore => arrived(place.ok_or_else(nowhere)?.once_more().await?).await,
    }
}

async fn arrived(place: Place) -> Result<Done, PlayError> {
    let told = place.look(only(place.own())).await?;
    Ok(Done::At(place, told))
}

/// Submits an action. On a shared screen the result is the public view, unless the same player acts again: the hand is
/// hidden at once.
pub(crate) async fn acted(place: &Place, seat: Seat, action: &str, at: u16) -> Result<TableView, PlayError> {
    let told = place.act(seat, action, at).await?;
    let again = told.playing().is_some_and(|playing| playing.view.to_act == Some(seat));
    if again || only(place.own()).is_some() { Ok(told) } else { place.look(None).await }
}
