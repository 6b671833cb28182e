//! The game as plain lines of text, for screen readers, pipes and scripts: no screen drawing, no animation, no colours.

mod reader;
mod turn;

use std::io::{self, Write};

use sultan_domain::{Bid, ColourScore, Parameters, PlayingTable, Seat, TableView, WaitingTable};
use sultan_text::Text;
use tokio::io::AsyncBufRead;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::connection::{
    LocalPlayers, LocalTable, PlayError, RECONNECT_DELAY, RemoteTable, TableConnection, TableEvent, actions_in,
};
use crate::narration::{narrator, result_sentence, stage_and_round};
use crate::run::{SessionEnd, Start, act, closed_message};
use crate::terminal;
use reader::Reader;
use turn::Command;

/// Blank lines that scroll a hand out of view before the next player looks at the screen.
const CURTAIN_LINES: usize = 50;

/// Plays line by line until the game is over, the input ends, or the process is signalled to stop.
///
/// # Errors
/// If the output cannot be written, or if a remote table cannot be reached at the start.
pub async fn plain(
    start: Start,
    text: Text,
    mut input: impl AsyncBufRead + Unpin,
    out: &mut dyn Write,
) -> io::Result<SessionEnd> {
    let mut reader = Reader::new(&mut input);
    let stop = terminal::stop_signal();
    tokio::pin!(stop);
    let without_table =
        if matches!(start, Start::Local { .. }) { SessionEnd::Unfinished } else { SessionEnd::Finished };
    let connected = tokio::select! {
        connected = connect(start, text, &mut reader, out) => connected?,
        () = &mut stop => None,
    };
    let Some(table) = connected else { return Ok(without_table) };
    let mut game = PlainGame { text, table: &table, reader, out, last_view: None, disconnected: false };
    let over = tokio::select! {
        over = game.play() => over?,
        () = &mut stop => false,
    };
    Ok(if over { SessionEnd::Finished } else { SessionEnd::of_unfinished(&table) })
}

/// Opens or resumes a table. `None` if the input ends before the player chooses one.
async fn connect(
    start: Start,
    text: Text,
    reader: &mut Reader<'_>,
    out: &mut dyn Write,
) -> io::Result<Option<TableConnection>> {
    let (players, setup, new) = match start {
        Start::Remote { link, name, colour } => {
            return Ok(Some(TableConnection::Remote(RemoteTable::join(link, &name, colour).await?)));
        }
        Start::Local { service, visitor, setup, new, skip_form: _ } => (LocalPlayers { service, visitor }, setup, new),
    };
    let mut games = if new { Vec::new() } else { players.unfinished().await? };
    while !games.is_empty() {
        writeln!(out, "{}", text.with("tui-unfinished", &[("count", games.len().into())]))?;
        for (game, number) in games.iter().zip(1..) {
            if let Some(playing) = game.view.playing() {
                let names = narrator(text, playing).names().join(", ");
                writeln!(out, "{number}) {names}. {}", stage_and_round(text, &playing.view))?;
            }
        }
        writeln!(out, "n) {}", text.say("tui-new-game"))?;
        out.flush()?;
        let Some(line) = reader.line().await? else { return Ok(None) };
        match (line.parse::<usize>(), &line.to_lowercase()[..]) {
            (Ok(number), _) if (1..=games.len()).contains(&number) => {
                let game = games.swap_remove(number - 1);
                let local = LocalTable { players, table: game.table, own_seats: game.own_seats };
                return Ok(Some(TableConnection::Local(local)));
            }
            (_, "n") => break,
            (_, "q") => return Ok(None),
            _ => {}
        }
    }
    Ok(Some(TableConnection::Local(players.open(&setup).await?)))
}

/// A game that is played with lines of text.
struct PlainGame<'a> {
    text: Text,
    table: &'a TableConnection,
    reader: Reader<'a>,
    out: &'a mut dyn Write,
    /// The newest view that was written.
    last_view: Option<TableView>,
    /// Whether the loss of the connection was reported.
    disconnected: bool,
}

impl PlainGame<'_> {
    fn is_shared(&self) -> bool {
        self.table.own_seats().len() > 1
    }

    /// Whether a newer view was written. (The view returned for an action may be newer than the next event.)
    fn is_old(&self, view: &TableView) -> bool {
        self.last_view.as_ref().is_some_and(|last| actions_in(view) < actions_in(last))
    }

    /// Plays until the game or the input ends. Returns whether the game is over.
    async fn play(&mut self) -> io::Result<bool> {
        let (sender, mut events) = mpsc::channel(16);
        // Aborts the task when it is dropped.
        let mut watch = JoinSet::new();
        watch.spawn(self.table.clone().watch(sender));
        loop {
            let event = tokio::select! {
                biased;
                event = events.recv() => event,
                // Handle no input before the first view is written.
                line = self.reader.early_line(), if self.last_view.is_some() => {
                    if self.handle_early_line(line?)? {
                        return Ok(false);
                    }
                    continue;
                }
            };
            match event {
                None => return Ok(false),
                Some(TableEvent::Connected) => self.disconnected = false,
                Some(TableEvent::Closed(error)) => return Err(io::Error::other(closed_message(self.text, &error))),
                Some(TableEvent::Disconnected(reason)) => self.report_disconnected(reason)?,
                Some(TableEvent::View(view)) if self.is_old(&view) => {}
                Some(TableEvent::View(view)) => {
                    if let Some(over) = self.play_turns(view).await? {
                        return Ok(over);
                    }
                }
            }
        }
    }

    /// Writes a view, and plays as long as it is the turn of a player at this terminal. Returns whether the game is over
    /// if it is or if the player quits, and `None` if it is another player's turn.
    async fn play_turns(&mut self, mut view: TableView) -> io::Result<Option<bool>> {
        loop {
            self.write_view(&view)?;
            if view.is_over() {
                self.write_result(&view)?;
                return Ok(Some(true));
            }
            let to_act = view.playing().and_then(|playing| playing.view.to_act);
            let Some(seat) = to_act.filter(|seat| self.table.own_seats().contains(seat)) else { return Ok(None) };
            match self.play_turn(seat).await? {
                Some(next) => view = next,
                None => return Ok(Some(false)),
            }
        }
    }

    /// Handles a line that arrives during other players' turns. Returns whether the player quits.
    fn handle_early_line(&mut self, line: Option<String>) -> io::Result<bool> {
        // At the end of the input a local game continues: bots act soon, and piped input should see the results of its
        // lines. On a server the other players may take long, so the player quits.
        let Some(line) = line else { return Ok(self.table.is_remote()) };
        let playing = self.last_view.as_ref().and_then(TableView::playing);
        match (turn::parse_command(&line), playing.map(|playing| playing.view.parameters)) {
            (Some(Command::Quit), _) => return Ok(true),
            (Some(Command::Help), _) => writeln!(self.out, "{}", self.text.say("tui-plain-help"))?,
            (Some(Command::Rules), Some(parameters)) => self.write_rules(&parameters)?,
            // An empty line is kept on a shared screen: it lifts the curtain.
            (Some(Command::Repeat), _) if !self.is_shared() => {}
            // A spectator never has a turn that could use the line.
            _ if self.table.own_seats().is_empty() => {}
            _ => self.reader.keep(line),
        }
        self.out.flush()?;
        Ok(false)
    }

    /// Reports a lost connection, but only once, as it is retried every second.
    fn report_disconnected(&mut self, reason: String) -> io::Result<()> {
        if std::mem::replace(&mut self.disconnected, true) {
            return Ok(());
        }
        writeln!(self.out, "{}", PlayError::Unreachable(reason).message(self.text))?;
        self.out.flush()
    }

    /// The current view of a player. Retries until the remote table can be reached.
    async fn fetch_view(&mut self, seat: Option<Seat>) -> io::Result<TableView> {
        loop {
            match self.table.view(seat).await {
                Ok(view) => {
                    self.disconnected = false;
                    return Ok(view);
                }
                Err(PlayError::Unreachable(reason)) if self.table.is_remote() => self.report_disconnected(reason)?,
                Err(error) => return Err(error.into()),
            }
            sleep(RECONNECT_DELAY).await;
        }
    }

    /// Writes the parts of a view that were not written yet.
    fn write_view(&mut self, view: &TableView) -> io::Result<()> {
        let last = self.last_view.take();
        match (view, &last) {
            (TableView::Playing(playing), _) => {
                self.write_game(playing, last.as_ref().and_then(TableView::playing))?;
            }
            (TableView::Waiting(waiting), Some(TableView::Waiting(last)))
                if count_missing(waiting) == count_missing(last) => {}
            (TableView::Waiting(waiting), _) if waiting.ended => {}
            (TableView::Waiting(waiting), _) => {
                let count = count_missing(waiting).into();
                writeln!(self.out, "{}", self.text.with("tui-waiting", &[("count", count)]))?;
            }
        }
        self.last_view = last.filter(|last| actions_in(last) > actions_in(view)).or_else(|| Some(view.clone()));
        self.out.flush()
    }

    /// Writes the end of the last round and the lines of the current round, unless they were written with `last`.
    fn write_game(&mut self, playing: &PlayingTable, last: Option<&PlayingTable>) -> io::Result<()> {
        let (text, view, last) = (self.text, &playing.view, last.map(|last| &last.view));
        let narrator = narrator(text, playing);
        // After a return to a game this also writes the last finished round.
        if let Some(round) = view.last_round.filter(|_| last.is_none_or(|last| last.last_round != view.last_round)) {
            let card = |bid: &Bid| format!("{} {}@{}", narrator.name(bid.seat), bid.card, bid.cushion);
            writeln!(self.out, "{}", round.bids.iter().map(card).collect::<Vec<_>>().join(", "))?;
            self.write_lines(narrator.settled(&round, view.parameters.ties))?;
        }
        if view.outcome.is_some() {
            return Ok(());
        }
        let last = last.filter(|last| (last.stage, last.round) == (view.stage, view.round));
        if last.is_none() {
            writeln!(self.out, "\n{}.", stage_and_round(text, view))?;
        }
        let written = last.map_or(0, |last| narrator.round(last).len());
        self.write_lines(narrator.round(view).into_iter().skip(written))
    }

    fn write_lines(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        lines.into_iter().try_for_each(|line| writeln!(self.out, "{line}"))
    }

    fn write_rules(&mut self, parameters: &Parameters) -> io::Result<()> {
        self.write_lines(crate::narration::rules(self.text, parameters, false))
    }

    /// Lets a player act, and returns the view after it. `None` if the input ended or the player quits.
    async fn play_turn(&mut self, seat: Seat) -> io::Result<Option<TableView>> {
        let text = self.text;
        if self.is_shared() {
            let public = self.fetch_view(None).await?;
            if let Some(playing) = public.playing() {
                let narrator = narrator(text, playing);
                let name = [("name", narrator.name(seat).into())];
                writeln!(self.out, "{}", text.with("tui-curtain", &name))?;
                writeln!(self.out, "{}", text.with("tui-curtain-lift", &name))?;
                self.out.flush()?;
            }
            if self.reader.line().await?.is_none() {
                return Ok(None);
            }
        }
        let view = self.fetch_view(Some(seat)).await?;
        let Some(playing) = view.playing().filter(|playing| playing.view.to_act == Some(seat)) else {
            return Ok(Some(view));
        };
        let next = self.choose(seat, playing).await?;
        if self.is_shared() && next.is_some() {
            write!(self.out, "{}", "\n".repeat(CURTAIN_LINES))?;
        }
        Ok(next)
    }

    /// Reads lines until one is an action that the table accepts, and returns the view after it. `None` if the input
    /// ended or the player quits.
    async fn choose(&mut self, seat: Seat, playing: &PlayingTable) -> io::Result<Option<TableView>> {
        let (text, view) = (self.text, &playing.view);
        turn::write_prompt(text, playing, self.out)?;
        loop {
            self.out.flush()?;
            let Some(line) = self.reader.line().await? else { return Ok(None) };
            match turn::parse(&line, view) {
                Command::Quit => return Ok(None),
                Command::Repeat => turn::write_prompt(text, playing, self.out)?,
                Command::Help => writeln!(self.out, "{}", text.say("tui-plain-help"))?,
                Command::Rules => self.write_rules(&view.parameters)?,
                Command::Act(action) => match act(self.table, seat, &action, view.at).await {
                    Ok(next) => return Ok(Some(next)),
                    Err(PlayError::Rejected { code, .. }) if code == "action/not-now" => {
                        return self.fetch_view(None).await.map(Some);
                    }
                    Err(error) => writeln!(self.out, "! {}", error.message(text))?,
                },
            }
        }
    }

    /// Writes the final scores.
    fn write_result(&mut self, view: &TableView) -> io::Result<()> {
        let text = self.text;
        let Some(playing) = view.playing() else {
            writeln!(self.out, "{}", text.say("table-ended"))?;
            return self.out.flush();
        };
        let (view, narrator) = (&playing.view, narrator(text, playing));
        writeln!(self.out, "\n{}", result_sentence(text, playing))?;
        for place in view.outcome.iter().flat_map(sultan_domain::Outcome::by_rank) {
            writeln!(self.out, "\n{}. {}", place.rank, narrator.name(place.seat))?;
            let score = view.parameters.score(place.jewels).into_iter().filter(|colour| colour.count > 0);
            for ColourScore { jewel, count, points, bonus } in score {
                let sum = text.labelled(&text.jewel(jewel), &format!("{count} x {} = {points}", jewel.points()));
                let bonus = match bonus {
                    0 => String::new(),
                    bonus => format!(", {}", text.with("tui-points-bonus", &[("bonus", bonus.into())])),
                };
                writeln!(self.out, "{sum}{bonus}")?;
            }
            writeln!(self.out, "{}", text.score(&place))?;
        }
        self.out.flush()
    }
}

/// The number of seats for which the table still waits.
fn count_missing(waiting: &WaitingTable) -> usize {
    waiting.seats.iter().filter(|seat| !seat.ready).count()
}
