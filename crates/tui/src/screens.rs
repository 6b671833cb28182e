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
use crate::styles::{EMPHASIS, ERROR, FAINT, TITLE, remove_colours};
use crate::width::{cut, fit_right, width, wrap};

pub(crate) use replay::draw_replay;

/// Minimum width of the terminal.
const MIN_COLUMNS: u16 = 72;
/// Minimum height of the terminal.
const MIN_ROWS: u16 = 22;
/// Maximum height of a cushion in rows.
const MAX_CUSHION_HEIGHT: u16 = 12;
/// Width of the column of a jewel colour.
const JEWEL_COLUMN: usize = 4;
/// Width of a column of numbers.
const NUMBER_COLUMN: usize = 8;

/// Draws the current screen and collects its clickable areas.
pub(crate) fn draw(app: &mut App, frame: &mut Frame) {
    let App { screen, form, page, error, .. } = app;
    app.areas = Canvas::draw(app.text, app.uses_colours, frame, |canvas, area| {
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
            canvas.draw_error(area, error);
        }
    });
}

/// The parameters for the rules page: of the game on the screen, or else of the published game with the number of
/// players in the form.
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

/// A frame that is being drawn, with the language and the clickable areas.
pub(crate) struct Canvas<'a, 'b> {
    text: Text,
    frame: &'a mut Frame<'b>,
    areas: ClickAreas,
}

impl<'a, 'b> Canvas<'a, 'b> {
    /// Draws a screen if the terminal is large enough for it, and returns its clickable areas.
    fn draw(
        text: Text,
        uses_colours: bool,
        frame: &'a mut Frame<'b>,
        draw_screen: impl FnOnce(&mut Self, Rect),
    ) -> ClickAreas {
        let area = frame.area();
        let mut canvas = Self { text, frame, areas: ClickAreas::default() };
        if area.width < MIN_COLUMNS || area.height < MIN_ROWS {
            let size = [("columns", MIN_COLUMNS.into()), ("rows", MIN_ROWS.into())];
            let lines = wrap(&text.with("tui-too-small", &size), area.width.into());
            canvas.draw_lines(area, lines.into_iter().map(Line::raw).collect());
        } else {
            draw_screen(&mut canvas, area);
        }
        if !uses_colours {
            remove_colours(canvas.frame.buffer_mut());
        }
        canvas.areas
    }

    /// Draws an error message in the line above the keys, instead of the prompt.
    fn draw_error(&mut self, area: Rect, error: &str) {
        self.frame.render_widget(Clear, row(area, area.height - 2));
        self.draw_prompt(area, &format!("! {error}"), ERROR);
    }

    /// Draws a line of text.
    fn draw_line<'l>(&mut self, area: Rect, line: impl Into<Line<'l>>) {
        self.frame.render_widget(line.into(), area);
    }

    /// Draws a line of text in the middle of an area's width.
    fn draw_centred_line(&mut self, area: Rect, line: impl Into<Line<'static>>) {
        self.draw_lines(area, vec![line.into().centered()]);
    }

    /// Draws lines of text from the top of an area.
    fn draw_lines(&mut self, area: Rect, lines: Vec<Line>) {
        self.frame.render_widget(Paragraph::new(lines), area);
    }

    /// Draws a border with a title, and returns the area inside. The border of an active block, where the player has
    /// something to choose or to read, is double.
    fn draw_block(&mut self, area: Rect, title: &str, is_active: bool) -> Rect {
        let (border_type, border_style) =
            if is_active { (BorderType::Double, TITLE) } else { (BorderType::Rounded, FAINT) };
        let title = if title.is_empty() { String::new() } else { format!(" {} ", cut(title, area.width.into())) };
        let block =
            Block::bordered().border_type(border_type).border_style(border_style).title(Span::styled(title, TITLE));
        let inner = block.inner(area);
        self.frame.render_widget(block, area);
        inner
    }

    /// Draws the top line: a title, and the keys for help, rules and quitting.
    fn draw_header(&mut self, area: Rect, title: &str) {
        let top = row(area, 0);
        let buttons = [
            ("?", "tui-key-help", Some(Input::Help)),
            ("F2", "tui-key-rules", Some(Input::Rules)),
            ("q", "tui-key-quit", Some(Input::Quit)),
        ];
        // One space between the key and its label, and two behind the label.
        let button_width = |&(key, label, _): &Button| text_width(key) + text_width(&self.text.say(label)) + 3;
        let title_width = top.width.saturating_sub(buttons.iter().map(button_width).sum::<u16>() + 1);
        let title = format!(" {}", cut(title, usize::from(title_width.saturating_sub(1))));
        self.draw_line(top, Line::styled(title, TITLE));
        self.draw_buttons(columns_from(top, title_width), &buttons);
    }

    /// Draws keys with their labels, as many as fit. A key that has an input can be clicked.
    fn draw_buttons(&mut self, area: Rect, buttons: &[Button]) {
        let mut free_area = area;
        for &(key, label, input) in buttons {
            let label = self.text.say(label);
            let width = text_width(key) + text_width(&label) + 1;
            let button_area = Rect { width: width.min(free_area.width), ..free_area };
            let label = Span::raw(cut(&label, free_area.width.into()));
            self.draw_line(button_area, Line::from(vec![Span::styled(key, EMPHASIS), Span::raw(" "), label]));
            if let Some(input) = input.filter(|_| !button_area.is_empty()) {
                self.areas.add(button_area, input);
            }
            free_area = columns_from(free_area, width + 2);
        }
    }

    /// Draws keys in the last line.
    fn draw_footer(&mut self, area: Rect, buttons: &[Button]) {
        self.draw_buttons(columns_from(row(area, area.height - 1), 1), buttons);
    }

    /// Draws a message in the line above the keys.
    fn draw_prompt(&mut self, area: Rect, message: &str, style: Style) {
        let row = row(area, area.height - 2);
        let message = cut(&format!(" {message}"), row.width.into());
        self.draw_line(row, Line::styled(message, style));
    }
}

/// The width of a text in columns.
fn text_width(text: &str) -> u16 {
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

/// An area without this many rows at its top and bottom.
fn without_rows(area: Rect, at_top: u16, at_bottom: u16) -> Rect {
    Rect { y: area.y + at_top.min(area.height), height: area.height.saturating_sub(at_top + at_bottom), ..area }
}

/// The headings of the columns of jewels.
fn jewel_headings() -> String {
    Jewel::ALL.map(|jewel| fit_right(glyph::jewel(jewel), JEWEL_COLUMN)).concat()
}

/// The cushions with their areas, which are side by side.
fn cushion_areas(area: Rect, count: u8) -> impl Iterator<Item = (Cushion, Rect)> {
    let (width, height) = (area.width / u16::from(count.max(1)), area.height.min(MAX_CUSHION_HEIGHT));
    Cushion::first(count)
        .zip(0..)
        .map(move |(cushion, index)| (cushion, Rect { x: area.x + index * width, width, height, ..area }))
}

#[cfg(test)]
mod tests;
