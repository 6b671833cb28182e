//! The form for a new game.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use sultan_domain::{Kind, Person, Screens};

use super::{Canvas, columns_from, row, text_width, without_rows};
use crate::form::{Field, Form, SeatSetup};
use crate::glyph;
use crate::input::Input;
use crate::narration::player_name;
use crate::styles::{CURSOR, EMPHASIS, FAINT};
use crate::width::{cut, fit, width};

/// The first column of the values.
const VALUE_COLUMN: u16 = 20;
/// The first column of a player's name.
const NAME_COLUMN: u16 = VALUE_COLUMN + 18;
/// Width of a player's name.
const NAME_WIDTH: u16 = 24;
/// The first column of a player's colour.
const COLOUR_COLUMN: u16 = NAME_COLUMN + NAME_WIDTH + 2;

/// Draws the settings of the game, the seats and the button that starts the game.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, form: &Form) {
    let (text, setup) = (canvas.text, &form.setup);
    canvas.draw_header(area, &format!("Sultan · {}", text.say("tui-new-game")));
    let inner = canvas.draw_block(without_rows(area, 1, 2), "", false);
    let screens = match setup.screens {
        Screens::Closed => "tui-screens-closed",
        Screens::Open => "tui-screens-open",
    };
    let rows = [
        ("tui-set-language", form.lang.name().to_owned(), Field::Language),
        ("tui-set-players", setup.seats.len().to_string(), Field::Players),
        ("tui-set-game", text.game(variant_name(form)), Field::Variant),
        ("tui-set-screens", text.say(screens), Field::Screens),
        ("tui-set-first", first_seat(canvas, form), Field::FirstSeat),
    ];
    for ((label, value, field), row_number) in rows.into_iter().zip(0..) {
        let row = row(inner, row_number);
        draw_label(canvas, row, &text.say(label));
        draw_value(canvas, columns_from(row, VALUE_COLUMN), form, &value, field);
    }
    // An empty row separates the settings from the seats, another one the seats from the start button.
    for (seat_index, row_number) in (0..setup.seats.len()).zip(6..) {
        draw_seat(canvas, row(inner, row_number), form, seat_index);
    }
    let start = format!("  {}  ", text.say("tui-start"));
    let start_row = row(inner, 7 + u16::from(setup.players().count()));
    let start_area = Rect { width: text_width(&start), ..columns_from(start_row, VALUE_COLUMN) };
    let (mark, style) = if form.cursor == Field::Start { ("▸", CURSOR) } else { (" ", EMPHASIS) };
    canvas.draw_line(Rect { x: start_area.x - 2, width: 1, ..start_area }, Line::raw(mark));
    canvas.draw_line(start_area, Line::styled(start, style));
    canvas.areas.add(start_area, Input::Field(Field::Start));
    canvas.draw_prompt(area, &explanation(canvas, form), FAINT);
    draw_keys(canvas, area, form);
}

/// Draws the keys for the field at the cursor.
fn draw_keys(canvas: &mut Canvas, area: Rect, form: &Form) {
    let enter = if form.cursor == Field::Start { "tui-start" } else { "tui-key-next" };
    let change = match form.cursor {
        Field::Name(_) => ("abc", "tui-key-write", None),
        _ => ("←→", "tui-key-change", None),
    };
    canvas.draw_footer(area, &[("Enter", enter, Some(Input::Enter)), ("↑↓ Tab", "tui-key-move", None), change]);
}

/// The number and the name of the first player, or that chance decides.
fn first_seat(canvas: &Canvas, form: &Form) -> String {
    let Some(seat) = form.setup.first_seat else { return canvas.text.say("tui-first-chance") };
    let mut person = Person::nameless(seat);
    match &form.setup.seats[seat.index()] {
        SeatSetup::Person { name, .. } => person.name.clone_from(name),
        SeatSetup::Bot(bot) => person.kind = Kind::Bot(bot.clone()),
    }
    format!("{} · {}", seat.number() + 1, player_name(canvas.text, &person, seat))
}

/// The name of the variant in the form. The form offers only variants with a name.
fn variant_name(form: &Form) -> &'static str {
    form.setup.variant.name().unwrap_or_default()
}

/// The explanation of the field at the cursor.
fn explanation(canvas: &Canvas, form: &Form) -> String {
    let text = canvas.text;
    match form.cursor {
        Field::Occupant(index) => match &form.setup.seats[index] {
            SeatSetup::Bot(bot) => text.labelled(&text.bot(bot), &text.bot_character(bot)),
            SeatSetup::Person { .. } => text.say("tui-about-person"),
        },
        Field::Screens => match form.setup.screens {
            Screens::Closed => text.say("tui-about-closed"),
            Screens::Open => text.say("tui-about-open"),
        },
        Field::Variant => text.about_game(variant_name(form)),
        Field::FirstSeat => text.say("tui-about-first"),
        Field::Colour(_) => text.say("tui-about-colour"),
        Field::Name(_) | Field::Language | Field::Players | Field::Start => String::new(),
    }
}

fn draw_label(canvas: &mut Canvas, row: Rect, label: &str) {
    let area = Rect { x: row.x + 1, width: VALUE_COLUMN - 2, ..row };
    canvas.draw_line(area, Line::styled(cut(label, area.width.into()), FAINT));
}

/// Draws the row of a seat: its bot, or its person with a name and a colour.
fn draw_seat(canvas: &mut Canvas, row: Rect, form: &Form, seat_index: usize) {
    let text = canvas.text;
    draw_label(canvas, row, &text.with("tui-seat-number", &[("number", (seat_index + 1).into())]));
    let occupant_area = columns_from(row, VALUE_COLUMN);
    match &form.setup.seats[seat_index] {
        SeatSetup::Bot(level) => {
            let bot = format!("{} · {}", text.say("tui-bot"), text.bot(level));
            draw_value(canvas, occupant_area, form, &bot, Field::Occupant(seat_index));
        }
        SeatSetup::Person { name, colour } => {
            // Two columns on each side are for the arrows at the cursor.
            let person = cut(&text.say("tui-person"), usize::from(NAME_COLUMN - VALUE_COLUMN - 4));
            draw_value(canvas, occupant_area, form, &person, Field::Occupant(seat_index));
            draw_name(canvas, columns_from(row, NAME_COLUMN), form, name, Field::Name(seat_index));
            let colour = match *colour {
                Some(colour) => format!("{} {}", glyph::emblem(colour), text.colour(colour)),
                None => text.say("tui-colour-any"),
            };
            draw_value(canvas, columns_from(row, COLOUR_COLUMN), form, &colour, Field::Colour(seat_index));
        }
    }
}

/// Draws a value that the left and right arrow keys change. At the cursor it has arrows on both sides.
fn draw_value(canvas: &mut Canvas, area: Rect, form: &Form, value: &str, field: Field) {
    let value = if form.cursor == field { format!("◂ {value} ▸") } else { format!("  {value}  ") };
    let width = text_width(&value).min(area.width);
    draw_field(canvas, Rect { width, ..area }, form, &value, field);
}

/// Draws a name field. At the cursor it shows a text cursor after the name, and cuts a long name at its start.
fn draw_name(canvas: &mut Canvas, area: Rect, form: &Form, name: &str, field: Field) {
    let mut name = name.to_owned();
    if form.cursor == field {
        name.push('▏');
        while width(&name) > NAME_WIDTH.into() {
            name.remove(0);
        }
    }
    let name = fit(&name, NAME_WIDTH.into());
    draw_field(canvas, Rect { width: NAME_WIDTH, ..area }, form, &name, field);
}

/// Draws the content of a field, which can be clicked.
fn draw_field(canvas: &mut Canvas, area: Rect, form: &Form, content: &str, field: Field) {
    let style = if form.cursor == field { CURSOR } else { Style::new() };
    canvas.draw_line(area, Line::styled(cut(content, area.width.into()), style));
    canvas.areas.add(area, Input::Field(field));
}
