//! The game as plain lines of text, for screen readers, pipes and scripts: no screen drawing, no animation, no colours.

mod reader;
mod turn;

use std::io::{self, Write};

use sultan_domain::{Bid, ColourScore, Parameters, PlayingTable, Round, Seat, Stage, TableView, View};
use sultan_text::Text;
use tokio::io::AsyncBufRead;
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::narration::{clock, narrator, verdict};
use crate::place::{AGAIN, Local, Place, PlayError, Remote, TableEvent};
use crate::run::{Ended, Start, acted, gone};
use crate::terminal;
use reader::Reader;

/// Blank lines that scroll a hand out of view before the next player looks at the screen.
const CURTAIN: usize = 50;

/// Plays line by line until the game is over, the input ends, or the process is signalled to stop.
///
/// # Errors
/// If the output cannot be written, or if a remote table cannot be reached at the start.
pub async fn plain(
    start: Start,
    text: Text,
    input: impl AsyncBufRead + Unpin,
    out: &mut dyn Write,
) -> io::Result<Ended> {
    let mut reader = Reader::new(input);
    let stop = terminal::told_to_stop();
    tokio::pin!(stop);
    // The result if no table was reached.
    let nowhere = if matches!(start, Start::Here { .. }) { Ended::Kept } else { Ended::Done };
    let arrived = tokio::select! {
        arrived = arrive(start, text, &mut reader, out) => arrived?,
        () = &mut stop => None,
    };
    let Some(place) = arrived else { return Ok(nowhere) };
    let over = tokio::select! {
        over = Teller::new(text, &place, out).play(&mut reader) => over?,
        () = &mut stop => false,
    };
    Ok(Ended::at(&place, over))
}

/// Opens or resumes a table. `None` if the input ends before the player chooses one.
async fn arrive<R: AsyncBufRead + Unpin>(
    start: Start,
    text: Text,
    reader: &mut Reader<R>,
    out: &mut dyn Write,
) -> io::Result<Option<Place>> {
    let (service, visitor, setup, new) = match start {
        Start::There { link, name, colour } => {
            return Ok(Some(Place::There(Remote::come(link, &name, colour).await?)));
        }
        Start::Here { service, visitor, setup, new, at_once: _ } => (service, visitor, setup, new),
    };
    let games = if new { Vec::new() } else { Local::unfinished(&service, visitor).await? };
    while !games.is_empty() {
        writeln!(out, "{}", text.with("tui-unfinished", &[("count", games.len().into())]))?;
        for (game, number) in games.iter().zip(1..) {
            if let Some(playing) = game.told.playing() {
                let names = narrator(text, playing).names().join(", ");
                writeln!(out, "{number}) {names}. {}", clock(text, &playing.view))?;
            }
        }
        writeln!(out, "n) {}", text.say("tui-new-game"))?;
        out.flush()?;
        let Some(line) = reader.line().await? else { return Ok(None) };
        let which = line.parse::<usize>().ok().and_then(|number| games.get(number.wrapping_sub(1)));
        match (which, &line.to_lowercase()[..]) {
            (Some(game), _) => return Ok(Some(Place::Here(Local::back_to(&service, visitor, game)))),
            (None, "n") => break,
            (None, "q") => return Ok(None),
            _ => {}
        }
    }
    Ok(Some(Place::Here(Local::open(&service, visitor, &setup).await?)))
}

/// Writes a game as lines of text, and remembers which parts it has written.
struct Teller<'a> {
    text: Text,
    place: &'a Place,
    out: &'a mut dyn Write,
    /// The last finished round that was written.
    seen: Option<(Stage, Round)>,
    /// The current round, and the number of its lines already written.
    told: Option<((Stage, Round), usize)>,
    /// The number of missing players as last written.
    waiting: Option<usize>,
    /// The number of actions in the last view written.
    at: u16,
    /// Whether the loss of the connection was reported.
    lost: bool,
    /// Whether a view of the table was written.
    told_any: bool,
    /// The parameters of the game, once it has started.
    parameters: Option<Parameters>,
}

impl<'a> Teller<'a> {
    fn new(text: Text, place: &'a Place, out: &'a mut dyn Write) -> Self {
        Self {
            text,
            place,
            out,
            seen: None,
            told: None,
            waiting: None,
            at: 0,
            lost: false,
            told_any: false,
            parameters: None,
        }
    }

    /// The seat to act, if it is played from this terminal.
    fn own_turn(&self, view: &View) -> Option<Seat> {
        view.to_act.filter(|seat| self.place.own().contains(seat))
    }

    fn is_shared(&self) -> bool {
        self.place.own().len() > 1
    }

    /// Plays until the game or the input ends. Returns whether the game is over.
    async fn play<R: AsyncBufRead + Unpin>(mut self, reader: &mut Reader<R>) -> io::Result<bool> {
        let (sender, mut news) = mpsc::channel(16);
        let watching = tokio::spawn(self.place.clone().watch(sender));
        let ended = loop {
            let news = tokio::select! {
                biased;
                news = news.recv() => news,
                // Handle no input before the first view is written.
                line = reader.early(), if self.told_any => {
                    if self.meanwhile(line?, reader)? {
                        break false;
                    }
                    continue;
                }
            };
            let told = match news {
                None => break false,
                Some(TableEvent::Found) => {
                    self.lost = false;
                    continue;
                }
                Some(TableEvent::Gone(trouble)) => return Err(io::Error::other(gone(self.text, &trouble))),
                Some(TableEvent::Lost(why)) => {
                    self.lost(why)?;
                    continue;
                }
                Some(TableEvent::Told(told)) => told,
            };
            // The view returned for an action may be newer than this event.
            let old = told.playing().is_some_and(|playing| playing.view.at < self.at);
            let mut now = Some(told).filter(|_| !old);
            let mut left = false;
            while let Some(told) = now.take() {
                self.tell(&told)?;
                self.told_any = true;
                if told.is_over() {
                    self.end(&told)?;
                    watching.abort();
                    return Ok(true);
                }
                let Some(playing) = told.playing() else { continue };
                if let Some(seat) = self.own_turn(&playing.view) {
                    match self.turn(seat, reader).await? {
                        Some(next) => now = Some(next),
                        None => left = true,
                    }
                }
            }
            if left {
                break false;
            }
        };
        watching.abort();
        Ok(ended)
    }

    /// Handles a line that arrives during other players' turns. Returns whether the player quits.
    fn meanwhile<R>(&mut self, line: Option<String>, reader: &mut Reader<R>) -> io::Result<bool> {
        // At the end of the input a local game continues: bots act soon, and piped input should see the results of its
        // lines. On a server the other players may take long, so the player quits.
        let Some(line) = line else { return Ok(self.place.is_there()) };
        match (turn::word(&line), self.parameters) {
            (Some(turn::Said::Quit), _) => return Ok(true),
            (Some(turn::Said::Help), _) => writeln!(self.out, "{}", self.text.say("tui-plain-help"))?,
            (Some(turn::Said::Rules), Some(parameters)) => self.rules(&parameters)?,
            // An empty line is kept on a shared screen: it lifts the curtain.
            (Some(turn::Said::Again), _) if !self.is_shared() => {}
            // A spectator never has a turn that could use the line.
            _ if self.place.own().is_empty() => {}
            _ => reader.keep(line),
        }
        self.out.flush()?;
        Ok(false)
    }

    /// Reports a lost connection, but only once, as it is retried every second.
    fn lost(&mut self, why: String) -> io::Result<()> {
        if std::mem::replace(&mut self.lost, true) {
            return Ok(());
        }
        writeln!(self.out, "{}", PlayError::Lost(why).told(self.text))?;
        self.out.flush()
    }

    /// The current view of a player. Retries until the remote table can be reached.
    async fn look(&mut self, eyes: Option<Seat>) -> io::Result<TableView> {
        loop {
            match self.place.look(eyes).await {
                Ok(told) => {
                    self.lost = false;
                    return Ok(told);
                }
                Err(PlayError::Lost(why)) if self.place.is_there() => self.lost(why)?,
                Err(trouble) => return Err(trouble.into()),
            }
            sleep(AGAIN).await;
        }
    }

    /// Writes the parts of a view that were not written yet.
    fn tell(&mut self, told: &TableView) -> io::Result<()> {
        let text = self.text;
        let playing = match told {
            TableView::Waiting(waiting) if waiting.ended => return Ok(()),
            TableView::Waiting(waiting) => {
                let missing = waiting.seats.iter().filter(|seat| !seat.ready).count();
                if self.waiting.replace(missing) != Some(missing) {
                    writeln!(self.out, "{}", text.with("tui-waiting", &[("count", missing.into())]))?;
                }
                return self.out.flush();
            }
            TableView::Playing(playing) => playing,
        };
        let view = &playing.view;
        (self.at, self.parameters) = (view.at, Some(view.parameters));
        let narrator = narrator(text, playing);
        let last = view.last_round.map(|round| (round.stage, round.round));
        if let Some(round) = view.last_round.filter(|_| last != self.seen) {
            // After a return to a game this also writes the last finished round.
            let card = |bid: &Bid| format!("{} {}@{}", narrator.name(bid.seat), bid.card, bid.cushion);
            writeln!(self.out, "{}", round.bids.iter().map(card).collect::<Vec<_>>().join(", "))?;
            for line in narrator.settled(&round, view.parameters.ties) {
                writeln!(self.out, "{line}")?;
            }
            self.seen = last;
        }
        if view.outcome.is_some() {
            return self.out.flush();
        }
        let current = (view.stage, view.round);
        let done = match self.told {
            Some((told, lines)) if told == current => lines,
            _ => {
                writeln!(self.out, "\n{}.", clock(text, view))?;
                0
            }
        };
        let lines = narrator.round(view);
        for line in lines.iter().skip(done) {
            writeln!(self.out, "{line}")?;
        }
        self.told = Some((current, lines.len().max(done)));
        self.out.flush()
    }

    /// Lets a player act, and returns the view after it. `None` if the input ended or the player quits.
    async fn turn<R: AsyncBufRead + Unpin>(
        &mut self,
        seat: Seat,
        reader: &mut Reader<R>,
    ) -> io::Result<Option<TableView>> {
        let text = self.text;
        if self.is_shared() {
            let public = self.look(None).await?;
            if let Some(playing) = public.playing() {
                let narrator = narrator(text, playing);
                let name = [("name", narrator.name(seat).into())];
                writeln!(self.out, "{}", text.with("tui-curtain", &name))?;
                writeln!(self.out, "{}", text.with("tui-curtain-lift", &name))?;
                self.out.flush()?;
            }
            if reader.line().await?.is_none() {
                return Ok(None);
            }
        }
        let told = self.look(Some(seat)).await?;
        let Some(playing) = told.playing() else { return Ok(Some(told)) };
        if playing.view.to_act != Some(seat) {
            return Ok(Some(told));
        }
        let acted = self.choose(seat, playing, reader).await?;
        if self.is_shared() && acted.is_some() {
            write!(self.out, "{}", "\n".repeat(CURTAIN))?;
        }
        Ok(acted)
    }

    async fn choose<R: AsyncBufRead + Unpin>(
        &mut self,
        seat: Seat,
        playing: &PlayingTable,
        reader: &mut Reader<R>,
    ) -> io::Result<Option<TableView>> {
        let (text, view) = (self.text, &playing.view);
        turn::ask(text, playing, self.out)?;
        loop {
            self.out.flush()?;
            let Some(line) = reader.line().await? else { return Ok(None) };
            let action = match turn::read(&line, view) {
                turn::Said::Action(action) => action,
                turn::Said::Quit => return Ok(None),
                turn::Said::Again => {
                    turn::ask(text, playing, self.out)?;
                    continue;
                }
                turn::Said::Help => {
                    writeln!(self.out, "{}", text.say("tui-plain-help"))?;
                    continue;
                }
                turn::Said::Rules => {
                    self.rules(&view.parameters)?;
                    continue;
                }
            };
            match acted(self.place, seat, &action, view.at).await {
                Ok(told) => return Ok(Some(told)),
                Err(PlayError::Refused { code, .. }) if code == "action/not-now" => {
                    return self.look(None).await.map(Some);
                }
                Err(trouble) => writeln!(self.out, "! {}", trouble.told(text))?,
            }
        }
    }

    fn rules(&mut self, parameters: &Parameters) -> io::Result<()> {
        let mut rules = crate::narration::rules(self.text, parameters, false).into_iter();
        rules.try_for_each(|rule| writeln!(self.out, "{rule}"))
    }

    /// Writes the final scores.
    fn end(&mut self, told: &TableView) -> io::Result<()> {
        let text = self.text;
        let Some(playing) = told.playing() else {
            writeln!(self.out, "{}", text.say("table-ended"))?;
            return self.out.flush();
        };
        let (view, narrator) = (&playing.view, narrator(text, playing));
        writeln!(self.out, "\n{}", verdict(text, playing))?;
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
