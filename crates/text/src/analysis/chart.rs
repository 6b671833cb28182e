//! Everybody's winning chances over a game, as an SVG picture.
//!
//! Written by hand: a few lines need no charting library, and so the picture can be read aloud. It has no style sheet and no style
//! attributes, so that it may also stand in a page whose rules forbid both.

use std::fmt::Write;

use sultan_domain::{Analysis, ChanceMoment, PlayerColour, Seat};

use crate::Text;
use crate::svg::{FRAME, GRID, INK, PALE_INK, WIDE, line, opening, words};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 58.0;
/// Room for the names at the ends of the lines.
const RIGHT: f64 = 190.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 74.0;

/// A player's colour on white paper, dark enough to be seen.
#[must_use]
pub const fn chart_colour(colour: PlayerColour) -> &'static str {
    match colour {
        PlayerColour::Violet => "#6b2a8f",
        PlayerColour::Gold => "#9a6200",
        PlayerColour::Green => "#0a6b5d",
        PlayerColour::Red => "#b3261e",
        PlayerColour::Blue => "#1f5fa8",
    }
}

/// How each seat's line is broken, for those to whom colours look alike.
const DASHES: [&str; 5] = ["", "10 4", "3 3", "12 3 3 3", "6 6"];

/// How far apart two names are at least.
const NAME: f64 = 17.0;

/// Draws everybody's winning chances over a game, with the names and colours of the seats.
#[must_use]
pub fn chance_chart(text: Text, analysis: &Analysis, names: &[String], colours: &[PlayerColour]) -> String {
    let moments = &analysis.moments;
    let mut svg = head(text, analysis, names);
    for percent in [0_u8, 25, 50, 75, 100] {
        let share = f64::from(percent) / 100.0;
        let y = y_of(share);
        svg += &ruled((LEFT, y), (WIDTH - RIGHT, y), GRID);
        svg += &inked((LEFT - 8.0, y + 4.0), "end", PALE_INK, &text.percent(share, 0));
    }
    svg += &stages(text, moments);
    for seat in analysis.players.seats() {
        svg += &band(moments, seat, ink(colours, seat));
    }
    for seat in analysis.players.seats() {
        svg += &course(moments, seat, ink(colours, seat));
    }
    svg += &named(analysis, names, colours);
    let note = text.say("analysis-chart-note");
    svg + &inked((LEFT, HEIGHT - 18.0), "start", PALE_INK, &note) + "</svg>\n"
}

/// The opening: what it is in words, and the paper.
fn head(text: Text, analysis: &Analysis, names: &[String]) -> String {
    let title = text.say("analysis-chart-title");
    let told: Vec<String> = analysis.players.seats().map(|seat| in_words(text, analysis, seat, names)).collect();
    let heading = format!("font-size=\"19\" font-weight=\"700\" fill=\"{INK}\"");
    opening("chances", (WIDTH, HEIGHT), "", &title, &told.join(" ")) + &words((LEFT, 34.0), "start", &heading, &title)
}

fn in_words(text: Text, analysis: &Analysis, seat: Seat, names: &[String]) -> String {
    let chances = || analysis.moments.iter().map(|moment| moment.chances[seat.index()].value);
    let (low, high) = (chances().fold(1.0, f64::min), chances().fold(0.0, f64::max));
    let [low, high, end] = [low, high, chances().next_back().unwrap_or(0.0)].map(|share| text.percent(share, 0));
    text.with(
        "analysis-chart-player",
        &[
            ("player", name(names, seat).into()),
            ("low", (&low).into()),
            ("high", (&high).into()),
            ("end", (&end).into()),
        ],
    )
}

fn name(names: &[String], seat: Seat) -> &str {
    names.get(seat.index()).map_or("", String::as_str)
}

/// The colour of a seat's line.
fn ink(colours: &[PlayerColour], seat: Seat) -> &'static str {
    chart_colour(colours.get(seat.index()).copied().unwrap_or(PlayerColour::ALL[seat.index()]))
}

/// Where each stage begins, and which it is.
fn stages(text: Text, moments: &[ChanceMoment]) -> String {
    let mut svg = String::new();
    let mut last = None;
    for (place, moment) in moments.iter().enumerate().filter(|(_, moment)| moment.round.0 == 1) {
        if last == Some(moment.stage) {
            continue;
        }
        last = Some(moment.stage);
        let x = x_of(place, moments.len());
        svg += &ruled((x, TOP), (x, HEIGHT - BOTTOM), FRAME);
        let stage = text.with("analysis-stage", &[("stage", moment.stage.0.into())]);
        svg += &inked((x + 5.0, HEIGHT - BOTTOM + 20.0), "start", PALE_INK, &stage);
    }
    svg
}

/// Between which chances a seat's line most likely lies.
fn band(moments: &[ChanceMoment], seat: Seat, colour: &str) -> String {
    let edge = |sign: f64| {
        moments.iter().enumerate().map(move |(place, moment)| {
            let chance = moment.chances[seat.index()];
            (x_of(place, moments.len()), y_of((chance.value + sign * WIDE * chance.error).clamp(0.0, 1.0)))
        })
    };
    let around: Vec<(f64, f64)> = edge(1.0).chain(edge(-1.0).collect::<Vec<_>>().into_iter().rev()).collect();
    format!("<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.15\"/>\n", points(around.into_iter()))
}

fn course(moments: &[ChanceMoment], seat: Seat, colour: &str) -> String {
    let along = moments.iter().enumerate();
    let along = along.map(|(place, moment)| (x_of(place, moments.len()), y_of(moment.chances[seat.index()].value)));
    let dashes = DASHES[seat.index()];
    let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
    let points = points(along);
    format!(
        "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\" stroke-linejoin=\"round\"{dashes}/>\n"
    )
}

/// The names at the ends of the lines, moved apart where they would lie on each other, each with a piece of its line.
fn named(analysis: &Analysis, names: &[String], colours: &[PlayerColour]) -> String {
    let end = |seat: Seat| analysis.moments.last().map_or(0.0, |last| last.chances[seat.index()].value);
    let mut seats: Vec<Seat> = analysis.players.seats().collect();
    seats.sort_by(|&a, &b| end(b).total_cmp(&end(a)).then(a.cmp(&b)));
    // From the bottom up, so that none falls off it.
    let mut lowest = HEIGHT - BOTTOM + 5.0;
    let mut svg = String::new();
    for &seat in seats.iter().rev() {
        let y = (y_of(end(seat)) + 4.0).min(lowest);
        lowest = y - NAME;
        let (x, colour, dashes) = (WIDTH - RIGHT + 8.0, ink(colours, seat), DASHES[seat.index()]);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{0:.1}\" x2=\"{1:.1}\" y2=\"{0:.1}\" stroke=\"{colour}\" stroke-width=\"2.2\" stroke-dasharray=\"{2}\"/>",
            y - 4.0,
            x + 26.0,
            if dashes.is_empty() { "none" } else { dashes },
        );
        let short: String = name(names, seat).chars().take(16).collect();
        svg += &inked((x + 32.0, y), "start", colour, &short);
    }
    svg
}

#[expect(clippy::cast_precision_loss, reason = "a game has few moments")]
fn x_of(place: usize, all: usize) -> f64 {
    LEFT + (WIDTH - RIGHT - LEFT) * place as f64 / all.saturating_sub(1).max(1) as f64
}

fn y_of(share: f64) -> f64 {
    TOP + (HEIGHT - BOTTOM - TOP) * (1.0 - share)
}

fn points(all: impl Iterator<Item = (f64, f64)>) -> String {
    all.map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// A line of a colour.
fn ruled(from: (f64, f64), to: (f64, f64), colour: &str) -> String {
    line(from, to, &format!("stroke=\"{colour}\""))
}

/// Words of a colour.
fn inked(at: (f64, f64), anchor: &str, colour: &str, said: &str) -> String {
    words(at, anchor, &format!("fill=\"{colour}\""), said)
}
