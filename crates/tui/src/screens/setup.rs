//! The form for a new game.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use sultan_domain::{Kind, Person, Screens};

use super::{Canvas, between, row};
use crate::input::Input;
use crate::narration::{name, screens};
use crate::setup::{Field, Form, SeatSetup};
use crate::width::{cut, fit, width};

/// The column of the values.
const VALUES: u16 = 20;
/// Widths of the columns for the kind of player and for the name.
const WHO: usize = 18;
const NAME: usize = 24;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, form: &Form) {
    let text = canvas.text;
    canvas.head(area, &format!("Sultan · {}", text.say("tui-new-game")));
    let inner = canvas.block(between(area, 1, 2), "", false);
    let rows = [
        (text.say("tui-set-language"), form.lang.name().to_owned(), Field::Language),
        (text.say("tui-set-players"), form.setup.seats.len().to_string(), Field::Players),
        (text.say("tui-set-game"), text.game(game(form)), Field::Game),
        (text.say("tui-set-screens"), screens(text, form.setup.screens), Field::Screens),
        (text.say("tui-set-first"), first(canvas, form), Field::First),
    ];
    for ((label, value, field), line) in rows.into_iter().zip(0..) {
        self::label(canvas, inner, line, &label);
        self::value(canvas, from(inner, line, VALUES), form, &value, field);
    }
    for (place, line) in (0..form.setup.seats.len()).zip(6..) {
        seat(canvas, inner, line, form, place);
    }
    let line = 7 + u16::try_from(form.setup.seats.len()).unwrap_or(5);
    let start = format!("  {}  ", text.say("tui-start"));
    let at = row(inner, line);
    let at = Rect { x: at.x + VALUES, width: u16::try_from(width(&start)).unwrap_or(at.width), ..at };
    let style = if form.at == Field::Start { canvas.paint.cursor() } else { canvas.paint.call() };
    let mark = if form.at == Field::Start { "▸" } else { " " };
    canvas.line(Rect { x: at.x - 2, width: 1, ..at }, Line::raw(mark));
    canvas.line(at, Line::styled(start, style));
    canvas.hits.add(at, Input::Field(Field::Start));
    canvas.prompt(area, &about(canvas, form), canvas.paint.faint());
    keys(canvas, area, form);
}

fn keys(canvas: &mut Canvas, area: Rect, form: &Form) {
    let text = canvas.text;
    let enter = if form.at == Field::Start { text.say("tui-start") } else { text.say("tui-key-next") };
    let change = match form.at {
        Field::Name(_) => ("abc", text.say("tui-key-write"), None),
        _ => ("←→", text.say("tui-key-change"), None),
    };
    canvas.foot(area, &[("Enter", enter, Some(Input::Enter)), ("↑↓ Tab", text.say("tui-key-move"), None), change]);
}

fn first(canvas: &Canvas, form: &Form) -> String {
    let text = canvas.text;
    let Some(seat) = form.setup.first_seat else { return text.say("tui-first-chance") };
    format!("{} · {}", seat.number() + 1, who(canvas, &form.setup.seats[seat.index()], seat.index()))
}

/// The name of the chosen game.
fn game(form: &Form) -> &'static str {
    form.setup.variant.name().unwrap_or_default()
}

/// The name of a seat's player or bot.
fn who(canvas: &Canvas, seat: &SeatSetup, place: usize) -> String {
    let text = canvas.text;
    let seat_number = u8::try_from(place).ok().and_then(sultan_domain::Seat::new).unwrap_or_default();
    let mut person = Person::nameless(seat_number);
    match seat {
        SeatSetup::Person { name, .. } => person.name.clone_from(name),
        SeatSetup::Bot(bot) => person.kind = Kind::Bot(bot.clone()),
    }
    name(text, &person, seat_number)
}

/// The explanation of the field at the cursor.
fn about(canvas: &Canvas, form: &Form) -> String {
    let text = canvas.text;
    match form.at {
        Field::Who(place) => match &form.setup.seats[place] {
            SeatSetup::Bot(bot) => text.labelled(&text.bot(bot), &text.bot_character(bot)),
            SeatSetup::Person { .. } => text.say("tui-about-person"),
        },
        Field::Screens => match form.setup.screens {
            Screens::Closed => text.say("tui-about-closed"),
            Screens::Open => text.say("tui-about-open"),
        },
        Field::Game => text.about_game(game(form)),
        Field::First => text.say("tui-about-first"),
        Field::Colour(_) => text.say("tui-about-colour"),
        Field::Name(_) | Field::Language | Field::Players | Field::Start => String::new(),
    }
}

fn label(canvas: &mut Canvas, inner: Rect, line: u16, said: &str) {
    let area = Rect { x: inner.x + 1, width: VALUES - 2, ..row(inner, line) };
    canvas.line(area, Line::styled(cut(said, area.width.into()), canvas.paint.faint()));
}

/// The part of a row that starts at a column.
fn from(inner: Rect, line: u16, column: u16) -> Rect {
    let area = row(inner, line);
    Rect { x: area.x + column, width: area.width.saturating_sub(column), ..area }
}

/// Draws a value that can be changed.
fn value(canvas: &mut Canvas, room: Rect, form: &Form, said: &str, field: Field) {
    let here = form.at == field;
    let shown = if here { format!("◂ {said} ▸") } else { format!("  {said}  ") };
    let wide = u16::try_from(width(&shown)).unwrap_or(room.width).min(room.width);
    let area = Rect { width: wide, ..room };
    let style = if here { canvas.paint.cursor() } else { ratatui::style::Style::new() };
    canvas.line(area, Line::styled(cut(&shown, wide.into()), style));
    canvas.hits.add(area, Input::Field(field));
}

fn seat(canvas: &mut Canvas, inner: Rect, line: u16, form: &Form, place: usize) {
    let text = canvas.text;
    label(canvas, inner, line, &text.with("tui-seat-number", &[("number", (place + 1).into())]));
    match &form.setup.seats[place] {
        SeatSetup::Bot(bot) => {
            let said = format!("{} · {}", text.say("tui-bot"), text.bot(bot));
            value(canvas, from(inner, line, VALUES), form, &said, Field::Who(place));
        }
        SeatSetup::Person { name, colour } => {
            let said = cut(&text.say("tui-person"), WHO - 4);
            value(canvas, from(inner, line, VALUES), form, &said, Field::Who(place));
            let at = VALUES + u16::try_from(WHO).unwrap_or(0);
            written(canvas, from(inner, line, at), form, name, Field::Name(place));
            let at = at + u16::try_from(NAME).unwrap_or(0) + 2;
            let said = colour.map_or_else(
                || text.say("tui-colour-any"),
                |colour| format!("{} {}", crate::glyph::emblem(colour), text.colour(colour)),
            );
            value(canvas, from(inner, line, at), form, &said, Field::Colour(place));
        }
    }
}

/// Draws a name field. During editing the end of the name stays visible.
fn written(canvas: &mut Canvas, room: Rect, form: &Form, name: &str, field: Field) {
    let here = form.at == field;
    let mut shown = if here { format!("{name}▏") } else { name.to_owned() };
    while here && width(&shown) > NAME {
        shown.remove(0);
    }
    let area = Rect { width: u16::try_from(NAME).unwrap_or(0), ..room };
    let style = if here { canvas.paint.cursor() } else { ratatui::style::Style::new() };
    canvas.line(area, Line::from(Span::styled(fit(&shown, NAME), style)));
    canvas.hits.add(area, Input::Field(field));
}
