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
    LocalPlayers, LocalTable, PlayError, RECONNECT_DELAY, RemoteTable, TableConnection, TableEvent, action_count,
};
use crate::narration::{narrator, result_sentence, stage_and_round};
use crate::run::{SessionEnd, Start, closed_message};
use crate::terminal;
use reader::Reader;
use turn::Command;

/// The number of blank lines that scroll a hand out of view before the next player looks at the screen.
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
    // If the player leaves before a table is chosen: an unfinished local game can still be resumed.
    let end_without_table =
        if matches!(start, Start::Local { .. }) { SessionEnd::Unfinished } else { SessionEnd::Finished };
    let table = tokio::select! {
        table = choose_table(start, text, &mut reader, out) => table?,
        () = &mut stop => None,
    };
    let Some(table) = table else { return Ok(end_without_table) };
    let mut game = PlainGame { text, table: &table, reader, out, last_view: None, is_disconnected: false };
    let is_over = tokio::select! {
        is_over = game.play() => is_over?,
        () = &mut stop => false,
    };
    Ok(if is_over { SessionEnd::Finished } else { SessionEnd::of_unfinished(&table) })
}

/// Joins a remote table, or lets the player resume an unfinished local game or open a new one. `None` if the player
/// quits or the input ends.
async fn choose_table(
    start: Start,
    text: Text,
    reader: &mut Reader<'_>,
    out: &mut dyn Write,
) -> io::Result<Option<TableConnection>> {
    let (players, setup, skip_unfinished) = match start {
        Start::Remote { link, name, colour } => {
            return Ok(Some(TableConnection::Remote(RemoteTable::join(link, &name, colour).await?)));
        }
        Start::Local { service, visitor, setup, skip_unfinished, skip_form: _ } => {
            (LocalPlayers { service, visitor }, setup, skip_unfinished)
        }
    };
    let mut games = if skip_unfinished { Vec::new() } else { players.unfinished().await? };
    // Show the list again after each line that is not a choice.
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
    /// Whether the connection is lost and the loss was reported.
    is_disconnected: bool,
}

impl PlainGame<'_> {
    fn is_screen_shared(&self) -> bool {
        self.table.own_seats().len() > 1
    }

    /// Whether a newer view was already written. (The view returned for an action may be newer than the view of the
    /// next event.)
    fn is_outdated(&self, view: &TableView) -> bool {
        self.last_view.as_ref().is_some_and(|last| action_count(view) < action_count(last))
    }

    /// Plays until the game or the input ends. Returns whether the game is over.
    async fn play(&mut self) -> io::Result<bool> {
        let (sender, mut events) = mpsc::channel(16);
        // Dropping the set at the end of this function aborts the task that watches the table.
        let mut watch = JoinSet::new();
        watch.spawn(self.table.clone().watch(sender));
        loop {
            let event = tokio::select! {
                // Handle a new view before an input line.
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
                Some(TableEvent::Connected) => self.is_disconnected = false,
                Some(TableEvent::Closed(error)) => return Err(io::Error::other(closed_message(self.text, &error))),
                Some(TableEvent::Disconnected(reason)) => self.report_disconnected(reason)?,
                Some(TableEvent::View(view)) if self.is_outdated(&view) => {}
                Some(TableEvent::View(view)) => {
                    if let Some(is_over) = self.play_turns(view).await? {
                        return Ok(is_over);
                    }
                }
            }
        }
    }

    /// Writes a view, and plays as long as it is the turn of a player at this terminal. Returns `Some(true)` if the
    /// game is over, `Some(false)` if the player quits, and `None` if it is the turn of a player elsewhere.
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

    /// Handles a line that arrives during other players' turns, or the end of the input (`None`). Returns whether the
    /// player quits.
    fn handle_early_line(&mut self, line: Option<String>) -> io::Result<bool> {
        // If the input ends in a local game, the program continues until the player's next turn: the bots act soon, and
        // piped input shows the results of all its lines. On a server the other players may take long, so the player
        // quits at once.
        let Some(line) = line else { return Ok(self.table.is_remote()) };
        let playing = self.last_view.as_ref().and_then(TableView::playing);
        match (turn::parse_command(&line), playing.map(|playing| playing.view.parameters)) {
            (Some(Command::Quit), _) => return Ok(true),
            (Some(Command::Help), _) => writeln!(self.out, "{}", self.text.say("tui-plain-help"))?,
            (Some(Command::Rules), Some(parameters)) => self.write_rules(&parameters)?,
            // An empty line repeats the prompt, but during other players' turns no prompt is shown. On a shared screen
            // the line is kept, because it confirms that the next player looks at the screen.
            (Some(Command::Repeat), _) if !self.is_screen_shared() => {}
            // A spectator never has a turn in which the line could be used.
            _ if self.table.own_seats().is_empty() => {}
            _ => self.reader.keep(line),
        }
        self.out.flush()?;
        Ok(false)
    }

    /// Reports a lost connection, but only once: the connection is retried every second.
    fn report_disconnected(&mut self, reason: String) -> io::Result<()> {
        if std::mem::replace(&mut self.is_disconnected, true) {
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
                    self.is_disconnected = false;
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
            // The number of missing players was already written.
            (TableView::Waiting(waiting), Some(TableView::Waiting(last)))
                if count_missing_players(waiting) == count_missing_players(last) => {}
            // `write_result` reports the end of the table.
            (TableView::Waiting(waiting), _) if waiting.ended => {}
            (TableView::Waiting(waiting), _) => {
                let count = count_missing_players(waiting).into();
                writeln!(self.out, "{}", self.text.with("tui-waiting", &[("count", count)]))?;
            }
        }
        // Keep the newer of the two views.
        self.last_view = last.filter(|last| action_count(last) > action_count(view)).or_else(|| Some(view.clone()));
        self.out.flush()
    }

    /// Writes the result of the last finished round and the lines of the current round, except for lines that were
    /// already written with the view `last`.
    fn write_game(&mut self, playing: &PlayingTable, last: Option<&PlayingTable>) -> io::Result<()> {
        let (text, view, last) = (self.text, &playing.view, last.map(|last| &last.view));
        let narrator = narrator(text, playing);
        // When a player resumes a game, this also writes the round that was finished before.
        if let Some(round) = view.last_round.filter(|_| last.is_none_or(|last| last.last_round != view.last_round)) {
            let bid_line = |bid: &Bid| format!("{} {}@{}", narrator.name(bid.seat), bid.card, bid.cushion);
            writeln!(self.out, "{}", round.bids.iter().map(bid_line).collect::<Vec<_>>().join(", "))?;
            self.write_lines(narrator.settled(&round, view.parameters.ties))?;
        }
        if view.outcome.is_some() {
            return Ok(());
        }
        let last_of_this_round = last.filter(|last| (last.stage, last.round) == (view.stage, view.round));
        if last_of_this_round.is_none() {
            writeln!(self.out, "\n{}.", stage_and_round(text, view))?;
        }
        let written_lines = last_of_this_round.map_or(0, |last| narrator.round(last).len());
        self.write_lines(narrator.round(view).into_iter().skip(written_lines))
    }

    fn write_lines(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        lines.into_iter().try_for_each(|line| writeln!(self.out, "{line}"))
    }

    fn write_rules(&mut self, parameters: &Parameters) -> io::Result<()> {
        self.write_lines(crate::narration::rules(self.text, parameters, false))
    }

    /// Lets a player act, and returns the view after the action (the same view if the player is not to act any more).
    /// `None` if the input ended or the player quits.
    async fn play_turn(&mut self, seat: Seat) -> io::Result<Option<TableView>> {
        let text = self.text;
        if self.is_screen_shared() {
            let public = self.fetch_view(None).await?;
            if let Some(playing) = public.playing() {
                let narrator = narrator(text, playing);
                let name = [("name", narrator.name(seat).into())];
                writeln!(self.out, "{}", text.with("tui-curtain", &name))?;
                writeln!(self.out, "{}", text.with("tui-curtain-lift", &name))?;
                self.out.flush()?;
            }
            // Any line lifts the curtain.
            if self.reader.line().await?.is_none() {
                return Ok(None);
            }
        }
        let view = self.fetch_view(Some(seat)).await?;
        let Some(playing) = view.playing().filter(|playing| playing.view.to_act == Some(seat)) else {
            return Ok(Some(view));
        };
        let view_after_action = self.choose_action(seat, playing).await?;
        if self.is_screen_shared() && view_after_action.is_some() {
            write!(self.out, "{}", "\n".repeat(CURTAIN_LINES))?;
        }
        Ok(view_after_action)
    }

    /// Reads lines until one is an action that the table accepts, and returns the view after the action. `None` if the
    /// input ended or the player quits.
    async fn choose_action(&mut self, seat: Seat, playing: &PlayingTable) -> io::Result<Option<TableView>> {
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
                Command::Act(action) => match self.table.act(seat, &action, view.action_count).await {
                    Ok(view_after_action) => return Ok(Some(view_after_action)),
                    // The game continued without this player, for example because the time limit expired.
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
            let scores = view.parameters.score(place.jewels).into_iter().filter(|score| score.count > 0);
            for ColourScore { jewel, count, points, bonus } in scores {
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

/// The number of players that are still missing at a waiting table.
fn count_missing_players(waiting: &WaitingTable) -> usize {
    waiting.seats.iter().filter(|seat| !seat.ready).count()
}
