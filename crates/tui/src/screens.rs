//! Drawing. Each screen is a module; the shared parts are here.

mod board;
mod curtain;
mod end;
mod form;
mod hand;
mod page;
mod replay;
mod resume;
mod reveal;
mod seats;
mod table;
mod waiting;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};
use sultan_domain::{Cushion, Jewel, Parameters, TableView};
use sultan_text::Text;

use crate::app::{App, Scene, Screen};
use crate::form::Form;
use crate::glyph;
use crate::input::{ClickAreas, Input};
use crate::styles::{EMPHASIS, Styles};
use crate::width::{cut, fit_right, width, wrap};

pub(crate) use replay::draw_replay;

/// Minimum size of the terminal.
const MIN_SIZE: (u16, u16) = (72, 22);
/// Maximum height of a cushion in rows.
const MAX_CUSHION_HEIGHT: u16 = 12;
/// Width of the column of a jewel colour.
const JEWEL_COLUMN: usize = 4;
/// Width of a column of numbers.
const NUMBER_COLUMN: usize = 8;

/// Draws the current screen and collects its clickable areas.
pub(crate) fn draw(app: &mut App, frame: &mut Frame) {
    let App { screen, form, page, error, .. } = app;
    app.areas = Canvas::draw(app.text, app.styles, frame, |canvas, area| {
        if let Some((page, scroll)) = page {
            *scroll = page::draw(canvas, area, *page, &parameters_of(screen, form), *scroll);
            return;
        }
        match screen {
            Screen::Resume(list) => resume::draw(canvas, area, list),
            Screen::Form => form::draw(canvas, area, form),
            Screen::Game(game) => match game.scene() {
                Scene::Waiting => waiting::draw(canvas, area, game),
                Scene::Curtain(seat) => curtain::draw(canvas, area, game, seat),
                Scene::Reveal => reveal::draw(canvas, area, game),
                Scene::Table => table::draw(canvas, area, game),
                Scene::End => end::draw(canvas, area, game),
            },
        }
        if let Some(error) = error {
            canvas.error(area, error);
        }
    });
}

fn parameters_of(screen: &Screen, form: &Form) -> Parameters {
    match screen {
        Screen::Game(game) => match &game.table {
            TableView::Playing(playing) => playing.view.parameters,
            TableView::Waiting(waiting) => Parameters::of(waiting.players).with(&waiting.variant),
        },
        Screen::Form | Screen::Resume(_) => Parameters::of(form.setup.players()),
    }
}

/// A key, the message that labels it, and the input of a click on it.
type Button<'a> = (&'a str, &'a str, Option<Input>);

/// A frame that is being drawn, with the language, the styles and the clickable areas.
pub(crate) struct Canvas<'a, 'b> {
    text: Text,
    styles: Styles,
    frame: &'a mut Frame<'b>,
    areas: ClickAreas,
}

impl<'a, 'b> Canvas<'a, 'b> {
    /// Draws a screen if the terminal is large enough for it, and returns its clickable areas.
    fn draw(text: Text, styles: Styles, frame: &'a mut Frame<'b>, screen: impl FnOnce(&mut Self, Rect)) -> ClickAreas {
        let area = frame.area();
        let mut canvas = Self { text, styles, frame, areas: ClickAreas::default() };
        if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
            let size = [("columns", MIN_SIZE.0.into()), ("rows", MIN_SIZE.1.into())];
            let lines = wrap(&text.with("tui-too-small", &size), area.width.into());
            canvas.lines(area, lines.into_iter().map(Line::raw).collect());
        } else {
            screen(&mut canvas, area);
        }
        canvas.areas
    }

    /// Draws an error message in the line above the keys.
    fn error(&mut self, area: Rect, error: &str) {
        let row = row(area, area.height.saturating_sub(2));
        self.frame.render_widget(Clear, row);
        self.prompt(area, &format!("! {error}"), self.styles.error());
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
            .border_style(if active { self.styles.title() } else { self.styles.faint() })
            .title(Span::styled(title, self.styles.title()));
        let inner = block.inner(area);
        self.frame.render_widget(block, area);
        inner
    }

    /// Draws the top line: a title, and the keys for help, rules and quitting.
    fn header(&mut self, area: Rect, title: &str) {
        let top = row(area, 0);
        let buttons = [
            ("?", "tui-key-help", Some(Input::Help)),
            ("F2", "tui-key-rules", Some(Input::Rules)),
            ("q", "tui-key-quit", Some(Input::Quit)),
        ];
        let columns = |&(key, label, _): &Button| columns(key) + columns(&self.text.say(label)) + 3;
        let room = top.width.saturating_sub(buttons.iter().map(columns).sum::<u16>() + 1);
        let title = format!(" {}", cut(title, usize::from(room.saturating_sub(1))));
        self.line(top, Line::styled(title, self.styles.title()));
        self.buttons(Rect { x: top.x + room, width: top.width - room, ..top }, &buttons);
    }

    /// Draws keys with their labels. A key that has an input can be clicked.
    fn buttons(&mut self, area: Rect, buttons: &[Button]) {
        let mut rest = area;
        for &(key, label, input) in buttons {
            let label = self.text.say(label);
            let width = columns(key) + columns(&label) + 1;
            let button = Rect { width: width.min(rest.width), ..rest };
            let label = Span::raw(cut(&label, rest.width.into()));
            self.line(button, Line::from(vec![Span::styled(key, EMPHASIS), Span::raw(" "), label]));
            if let Some(input) = input.filter(|_| !button.is_empty()) {
                self.areas.add(button, input);
            }
            rest = columns_from(rest, width + 2);
        }
    }

    /// Draws keys in the last line.
    fn footer(&mut self, area: Rect, buttons: &[Button]) {
        self.buttons(columns_from(row(area, area.height - 1), 1), buttons);
    }

    /// Draws a message in the line above the keys.
    fn prompt(&mut self, area: Rect, message: &str, style: Style) {
        let row = row(area, area.height - 2);
        let message = cut(&format!(" {message}"), row.width.into());
        self.line(row, Line::styled(message, style));
    }
}

/// The width of a text.
fn columns(text: &str) -> u16 {
    u16::try_from(width(text)).unwrap_or(u16::MAX)
}

/// One row of an area.
fn row(area: Rect, number: u16) -> Rect {
    let number = number.min(area.height.saturating_sub(1));
    Rect { y: area.y + number, height: area.height.min(1), ..area }
}

/// An area without the columns to the left of `column`.
fn columns_from(area: Rect, column: u16) -> Rect {
    let column = column.min(area.width);
    Rect { x: area.x + column, width: area.width - column, ..area }
}

/// An area without the rows above and below.
fn between(area: Rect, above: u16, below: u16) -> Rect {
    Rect { y: area.y + above.min(area.height), height: area.height.saturating_sub(above + below), ..area }
}

/// The headings of the columns of jewels.
fn jewel_headings() -> String {
    Jewel::ALL.map(|jewel| fit_right(glyph::jewel(jewel), JEWEL_COLUMN)).concat()
}

/// The cushions with their areas, side by side.
fn cushion_areas(area: Rect, count: u8) -> impl Iterator<Item = (Cushion, Rect)> {
    let (width, height) = (area.width / u16::from(count.max(1)), area.height.min(MAX_CUSHION_HEIGHT));
    Cushion::first(count)
        .zip(0..)
        .map(move |(cushion, index)| (cushion, Rect { x: area.x + index * width, width, height, ..area }))
}

#[cfg(test)]
mod tests;
