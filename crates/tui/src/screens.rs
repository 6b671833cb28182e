//! Drawing. Each screen is a module; the shared parts are here.

mod board;
mod curtain;
mod end;
mod hand;
mod page;
mod replaying;
mod resume;
mod reveal;
mod seats;
mod setup;
mod table;
mod waiting;

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};
use sultan_text::Text;

use crate::app::{App, Game, Scene, Screen};
use crate::input::{Hits, Input};
use crate::paint::Paint;
use crate::width::{cut, width, wrap};

pub(crate) use replaying::replay;

/// Minimum size of the terminal.
const SMALLEST: (u16, u16) = (72, 22);

/// Draws the current screen and collects its clickable areas.
pub(crate) fn draw(app: &mut App, frame: &mut Frame) {
    let area = frame.area();
    let mut canvas = Canvas { text: app.text, paint: app.paint, frame, hits: Hits::default() };
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        canvas.too_small(area);
    } else if let Some((page, scroll)) = &mut app.page {
        let parameters = parameters_of(&app.screen, &app.setup);
        *scroll = page::draw(&mut canvas, area, *page, &parameters, *scroll);
    } else {
        match &app.screen {
            Screen::Resume { games, at, sure } => resume::draw(&mut canvas, area, games, *at, *sure),
            Screen::Setup(form) => setup::draw(&mut canvas, area, form),
            Screen::Game(game) => match game.scene() {
                Scene::Waiting => waiting::draw(&mut canvas, area, game),
                Scene::Curtain(seat) => curtain::draw(&mut canvas, area, game, seat),
                Scene::Reveal => reveal::draw(&mut canvas, area, game),
                Scene::Table => table::draw(&mut canvas, area, game),
                Scene::End => end::draw(&mut canvas, area, game),
            },
        }
        if let Some(trouble) = &app.trouble {
            canvas.trouble(area, trouble);
        }
    }
    app.hits = canvas.hits;
}

fn parameters_of(screen: &Screen, setup: &crate::setup::Setup) -> sultan_domain::Parameters {
    use sultan_domain::{Parameters, Players, TableView};
    let of = |seats: usize| Parameters::of(u8::try_from(seats).ok().and_then(Players::new).unwrap_or(Players::ALL[0]));
    match screen {
        Screen::Game(game) => match &game.told {
            TableView::Playing(playing) => playing.view.parameters,
            TableView::Waiting(waiting) => Parameters::of(waiting.players).with(&waiting.variant),
        },
        Screen::Setup(form) => of(form.setup.seats.len()),
        Screen::Resume { .. } => of(setup.seats.len()),
    }
}

/// Whether the screen shows a countdown.
pub(crate) fn runs_down(game: &Game) -> bool {
    let playing = game.told.playing();
    playing.is_some_and(|playing| playing.deadline.is_some())
}

/// A key, its label, and the input of a click on it.
type Button<'a> = (&'a str, String, Option<Input>);

/// A frame that is being drawn, with the language, the styles and the clickable areas.
pub(crate) struct Canvas<'a, 'b> {
    text: Text,
    paint: Paint,
    frame: &'a mut Frame<'b>,
    hits: Hits,
}

impl Canvas<'_, '_> {
    fn too_small(&mut self, area: Rect) {
        let text = self.text;
        let size = [("columns", SMALLEST.0.into()), ("rows", SMALLEST.1.into())];
        let lines = wrap(&text.with("tui-too-small", &size), area.width.into());
        let lines: Vec<Line> = lines.into_iter().map(Line::raw).collect();
        self.frame.render_widget(Paragraph::new(lines), area);
    }

    /// Draws an error message in the line above the keys.
    fn trouble(&mut self, area: Rect, trouble: &str) {
        let row = row(area, area.height.saturating_sub(2));
        self.frame.render_widget(Clear, row);
        let said = cut(&format!(" ! {trouble}"), row.width.into());
        self.line(row, Line::styled(said, self.paint.trouble()));
    }

    fn line<'l>(&mut self, area: Rect, line: impl Into<Line<'l>>) {
        self.frame.render_widget(line.into(), area);
    }

    fn lines(&mut self, area: Rect, lines: Vec<Line>) {
        self.frame.render_widget(Paragraph::new(lines), area);
    }

    /// Draws a frame with a title, and returns its inner area.
    fn block(&mut self, area: Rect, title: &str, active: bool) -> Rect {
        let kind = if active { BorderType::Double } else { BorderType::Rounded };
        let title = if title.is_empty() { String::new() } else { format!(" {} ", cut(title, area.width.into())) };
        let block = Block::bordered()
            .border_type(kind)
            .border_style(self.paint.frame(active))
            .title(Span::styled(title, self.paint.title()));
        let inner = block.inner(area);
        self.frame.render_widget(block, area);
        inner
    }

    /// Draws the top line: a title, and the keys for help, rules and quitting.
    fn head(&mut self, area: Rect, title: &str) {
        let text = self.text;
        let top = row(area, 0);
        let buttons = [
            ("?", text.say("tui-key-help"), Some(Input::Help)),
            ("F2", text.say("tui-key-rules"), Some(Input::Rules)),
            ("q", text.say("tui-key-quit"), Some(Input::Quit)),
        ];
        let taken: usize = buttons.iter().map(|(key, label, _)| width(key) + width(label) + 3).sum();
        let room = usize::from(top.width).saturating_sub(taken + 1);
        self.line(top, Line::styled(format!(" {}", cut(title, room.saturating_sub(1))), self.paint.title()));
        let start = top.x + u16::try_from(room).unwrap_or(0);
        self.buttons(Rect { x: start, width: top.width - (start - top.x), ..top }, &buttons);
    }

    /// Draws keys with their labels. A key that has an input can be clicked.
    fn buttons(&mut self, area: Rect, buttons: &[Button]) {
        let mut at = area.x;
        for (key, label, target) in buttons {
            let wide = u16::try_from(width(key) + width(label) + 1).unwrap_or(u16::MAX);
            let left = area.right().saturating_sub(at);
            if left == 0 {
                return;
            }
            let place = Rect { x: at, width: wide.min(left), ..area };
            let key = Span::styled((*key).to_owned(), self.paint.call());
            self.line(place, Line::from(vec![key, Span::raw(" "), Span::raw(cut(label, usize::from(left)))]));
            if let Some(target) = target {
                self.hits.add(place, *target);
            }
            at = at.saturating_add(wide + 2);
        }
    }

    /// Draws keys in the last line.
    fn foot(&mut self, area: Rect, buttons: &[Button]) {
        let last = row(area, area.height - 1);
        self.buttons(Rect { x: last.x + 1, width: last.width - 1, ..last }, buttons);
    }

    /// Draws a message in the line above the keys.
    fn prompt(&mut self, area: Rect, said: &str, style: Style) {
        let row = row(area, area.height - 2);
        let said = cut(&format!(" {said}"), row.width.into());
        self.line(row, Line::styled(said, style));
    }

    fn centred(&mut self, area: Rect, lines: Vec<Line>) {
        self.frame.render_widget(Paragraph::new(lines).alignment(Alignment::Center), area);
    }
}

/// One row of an area.
fn row(area: Rect, number: u16) -> Rect {
    let number = number.min(area.height.saturating_sub(1));
    Rect { y: area.y + number, height: area.height.min(1), ..area }
}

/// An area without the rows above and below.
fn between(area: Rect, above: u16, below: u16) -> Rect {
    Rect { y: area.y + above.min(area.height), height: area.height.saturating_sub(above + below), ..area }
}

#[cfg(test)]
mod tests;
