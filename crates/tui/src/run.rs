//! The event loop of the screens: handles keys, table events, finished tasks, ticks and signals.

use std::io;
use std::time::Duration;

use sultan_domain::{PlayerColour, Players, TableView};
use sultan_table::{Service, Visitor};
use sultan_text::Text;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::app::{App, GameScreen, Screen, Task};
use crate::connection::{
    LocalPlayers, LocalTable, PlayError, RemoteTable, TableConnection, TableEvent, TableLink, Unfinished, only_seat,
};
use crate::events::{TerminalEvent, TerminalEvents};
use crate::form::Setup;
use crate::screens;
use crate::terminal;

/// The table to play at.
#[derive(Clone)]
pub enum Start {
    /// A table in this process.
    Local {
        /// The service that runs the table.
        service: Service,
        /// The identity of the players at this terminal.
        visitor: Visitor,
        /// The game to open, or the initial values of the form.
        setup: Setup,
        /// Whether to skip the list of unfinished games.
        skip_unfinished: bool,
        /// Whether to open the game without showing the form.
        skip_form: bool,
    },
    /// A table on a running server.
    Remote {
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
pub enum SessionEnd {
    /// The game is finished: no message.
    Finished,
    /// An unfinished local game can be resumed.
    Unfinished,
    /// The link that returns the player to their seat on the server.
    SeatLink(String),
}

impl SessionEnd {
    /// The result of leaving an unfinished game at this table.
    pub(crate) fn of_unfinished(table: &TableConnection) -> Self {
        match table {
            // A spectator has no seat to return to.
            TableConnection::Remote(remote) => remote.seat_link().map_or(Self::Finished, Self::SeatLink),
            TableConnection::Local(_) => Self::Unfinished,
        }
    }
}

/// The message that the table sends no more events, with the reason.
pub(crate) fn closed_message(text: Text, error: &PlayError) -> String {
    text.with("tui-gone", &[("why", error.message(text).into())])
}

/// Delay between two cushions of a reveal.
const REVEAL_INTERVAL: Duration = Duration::from_millis(500);

/// The result of a [`Task`].
enum TaskResult {
    /// A table to switch to, with its current view.
    Table(TableConnection, TableView),
    /// The new view of the current table.
    View(TableView),
    /// The games that remain unfinished.
    Games(Vec<Unfinished>),
}

/// Plays with full-screen output until the player quits or the process is signalled to stop.
///
/// # Errors
/// If the terminal cannot be used, or if a remote table cannot be reached at the start.
pub async fn play(start: Start, text: Text, uses_colours: bool) -> io::Result<SessionEnd> {
    let mut runner = Runner::new(start, text, uses_colours).await?;
    let stop = terminal::stop_signal();
    let mut raw_terminal = terminal::enter()?;
    let result = runner.run(&mut raw_terminal.screen, TerminalEvents::new(REVEAL_INTERVAL, stop)).await;
    drop(raw_terminal);
    // Let the running task continue after the runner is dropped, so that an action that was submitted just before the
    // end still reaches the table.
    runner.task.detach_all();
    result.map(|()| runner.session_end())
}

/// The screens with the table on them and the work in the background.
struct Runner {
    app: App,
    /// The players at this terminal; `None` at a remote table.
    players: Option<LocalPlayers>,
    table: Option<TableConnection>,
    /// The task that watches the table and sends `table_events`. Dropping the set aborts it.
    watch: JoinSet<()>,
    table_events: mpsc::Receiver<TableEvent>,
    /// The running [`Task`], if any.
    task: JoinSet<Result<TaskResult, PlayError>>,
    /// The newest view that arrived while a task was running. It is shown when the task ends.
    postponed_view: Option<TableView>,
}

impl Runner {
    /// Prepares the first screen: the list of unfinished games, the form, or the remote table.
    async fn new(start: Start, text: Text, uses_colours: bool) -> io::Result<Self> {
        let mut runner = Self {
            // A placeholder that both kinds of start replace.
            app: App::new(text, uses_colours, Setup::new(Players::TWO, "", None), Vec::new()),
            players: None,
            table: None,
            watch: JoinSet::new(),
            // Without a table, this has no sender and never yields an event.
            table_events: mpsc::channel(1).1,
            task: JoinSet::new(),
            postponed_view: None,
        };
        match start {
            Start::Local { service, visitor, setup, skip_unfinished, skip_form } => {
                let players = LocalPlayers { service, visitor };
                let games = if skip_unfinished { Vec::new() } else { players.unfinished().await? };
                let opens_at_once = skip_form && games.is_empty();
                runner.app = App::new(text, uses_colours, setup.clone(), games);
                runner.players = Some(players);
                if opens_at_once {
                    runner.start(Task::Open(setup));
                }
            }
            Start::Remote { link, name, colour } => {
                let table = TableConnection::Remote(RemoteTable::join(link, &name, colour).await?);
                let view = table.view(None).await?;
                runner.switch_to(table, view);
            }
        }
        Ok(runner)
    }

    /// Handles events until the player quits or the process is signalled to stop.
    async fn run(&mut self, screen: &mut terminal::Screen, mut terminal_events: TerminalEvents) -> io::Result<()> {
        let mut needs_redraw = true;
        loop {
            if needs_redraw {
                terminal::draw(screen, |frame| screens::draw(&mut self.app, frame))?;
            }
            needs_redraw = true;
            tokio::select! {
                event = terminal_events.next(&self.app.areas) => match event? {
                    None => return Ok(()),
                    Some(TerminalEvent::Input(input)) => match self.app.handle(input) {
                        Some(Task::Quit) => return Ok(()),
                        Some(task) => self.start(task),
                        None => {}
                    },
                    Some(TerminalEvent::Resized) => {}
                    Some(TerminalEvent::Tick) => needs_redraw = self.game().is_some_and(GameScreen::tick),
                },
                Some(event) = self.table_events.recv() => self.on_table_event(event),
                Some(Ok(result)) = self.task.join_next() => self.on_task_result(result),
            }
        }
    }

    /// The game, if it is on the screen.
    fn game(&mut self) -> Option<&mut GameScreen> {
        if let Screen::Game(game) = &mut self.app.screen { Some(game) } else { None }
    }

    /// Handles an event of the table that is on the screen.
    fn on_table_event(&mut self, event: TableEvent) {
        let (text, is_busy) = (self.app.text, self.app.is_busy);
        let Some(game) = self.game() else { return };
        match event {
            // The running task returns a view too, which may be older or newer than the view of the event. Wait for it.
            TableEvent::View(view) if is_busy => self.postponed_view = Some(view),
            TableEvent::View(view) => game.receive(view),
            TableEvent::Connected => game.connection_error = None,
            TableEvent::Disconnected(reason) => {
                game.connection_error = Some(PlayError::Unreachable(reason).message(text));
            }
            TableEvent::Closed(error) => game.connection_error = Some(closed_message(text, &error)),
        }
    }

    /// Handles the end of the running task: shows its result, and then the view that was postponed because of it.
    fn on_task_result(&mut self, result: Result<TaskResult, PlayError>) {
        self.app.is_busy = false;
        match result {
            Ok(TaskResult::Table(table, view)) => self.switch_to(table, view),
            Ok(TaskResult::View(view)) => {
                if let Some(game) = self.game() {
                    game.show(view);
                }
            }
            Ok(TaskResult::Games(games)) => self.app.offer_to_resume(games),
            Err(error) => self.app.error = Some(error.message(self.app.text)),
        }
        if let (Some(view), Some(game)) = (self.postponed_view.take(), self.game()) {
            game.receive(view);
        }
    }

    /// Switches to a table and watches it.
    fn switch_to(&mut self, table: TableConnection, view: TableView) {
        let (sender, table_events) = mpsc::channel(16);
        self.table_events = table_events;
        self.postponed_view = None;
        self.watch = JoinSet::new();
        self.watch.spawn(table.clone().watch(sender));
        self.app.screen = Screen::Game(Box::new(GameScreen::new(table.own_seats().to_vec(), table.is_remote(), view)));
        self.table = Some(table);
    }

    /// Starts a task in the background.
    fn start(&mut self, task: Task) {
        self.app.is_busy = true;
        self.task.spawn(perform(task, self.players.clone(), self.table.clone()));
    }

    /// The result if the player quits now.
    fn session_end(&self) -> SessionEnd {
        match (&self.app.screen, &self.table) {
            (Screen::Form, _) => SessionEnd::Finished,
            (Screen::Game(game), _) if game.table.is_over() => SessionEnd::Finished,
            (_, Some(table)) => SessionEnd::of_unfinished(table),
            // The list of unfinished games is shown, and none was resumed.
            (_, None) => SessionEnd::Unfinished,
        }
    }
}

/// Performs a task for the players at this terminal or at the current table. A task fails if it needs a table or
/// players that are missing.
async fn perform(
    task: Task,
    players: Option<LocalPlayers>,
    table: Option<TableConnection>,
) -> Result<TaskResult, PlayError> {
    match (task, players, table) {
        (Task::Open(setup), Some(players), _) => with_view(TableConnection::Local(players.open(&setup).await?)).await,
        (Task::Resume(table, own_seats), Some(players), _) => {
            with_view(TableConnection::Local(LocalTable { players, table, own_seats })).await
        }
        (Task::GiveUp(table, own_seats), Some(players), _) => {
            LocalTable { players: players.clone(), table, own_seats }.give_up().await?;
            players.unfinished().await.map(TaskResult::Games)
        }
        (Task::Act { seat, action, action_count }, _, Some(table)) => {
            table.act(seat, &action, action_count).await.map(TaskResult::View)
        }
        (Task::ShowHand(seat), _, Some(table)) => table.view(Some(seat)).await.map(TaskResult::View),
        (Task::ReturnToSeat(seat), _, Some(table)) => table.return_to_seat(seat).await.map(TaskResult::View),
        (Task::Rematch, _, Some(table)) => with_view(table.rematch().await?).await,
        _ => Err(PlayError::Unreachable("there is no table".to_owned())),
    }
}

/// A table to switch to, with its current view.
async fn with_view(table: TableConnection) -> Result<TaskResult, PlayError> {
    let view = table.view(only_seat(table.own_seats())).await?;
    Ok(TaskResult::Table(table, view))
}
