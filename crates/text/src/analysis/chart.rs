//! Everybody's winning chances over a game, as an SVG picture.
//!
//! Written by hand: a few lines need no charting library, and so the picture can be read aloud. It has no style sheet and no style
//! attributes, so that it may also stand in a page whose rules forbid both.

use sultan_domain::{Analysis, ChanceMoment, PlayerColour, Seat};

use crate::Text;
use crate::svg::{FRAME, GRID, INK, PALE_INK, WIDE, line, opening, words};

/// What a chart is drawn on.
struct Sheet {
    /// What tells it from other pictures of the same page.
    id: &'static str,
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// Whether the names stand beside the ends of the lines, and a note below; else the names stand below, two in a row.
    roomy: bool,
}

/// For pages that are wide enough, and for print.
const WIDE_SHEET: Sheet = Sheet {
    id: "chances",
    width: 900.0,
    height: 460.0,
    left: 58.0,
    right: 190.0,
    top: 62.0,
    bottom: 74.0,
    roomy: true,
};
/// For a phone: its letters are as large there as those of the page.
const NARROW_SHEET: Sheet = Sheet {
    id: "chances-narrow",
    width: 360.0,
    height: 400.0,
    left: 46.0,
    right: 14.0,
    top: 24.0,
    bottom: 104.0,
    roomy: false,
};

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
    drawn(&WIDE_SHEET, text, analysis, names, colours)
}

/// The same for a narrow page: without a heading and a note, for which the page itself has more room.
#[must_use]
pub fn narrow_chance_chart(text: Text, analysis: &Analysis, names: &[String], colours: &[PlayerColour]) -> String {
    drawn(&NARROW_SHEET, text, analysis, names, colours)
}

fn drawn(sheet: &Sheet, text: Text, analysis: &Analysis, names: &[String], colours: &[PlayerColour]) -> String {
    let moments = &analysis.moments;
    let mut svg = sheet.head(text, analysis, names);
    for percent in [0_u8, 25, 50, 75, 100] {
        let share = f64::from(percent) / 100.0;
        let y = sheet.y_of(share);
        svg += &ruled((sheet.left, y), (sheet.width - sheet.right, y), GRID);
        svg += &inked((sheet.left - 8.0, y + 4.0), "end", PALE_INK, &text.percent(share, 0));
    }
    svg += &sheet.stages(text, moments);
    for seat in analysis.players.seats() {
        svg += &sheet.band(moments, seat, ink(colours, seat));
    }
    for seat in analysis.players.seats() {
        svg += &sheet.course(moments, seat, ink(colours, seat));
    }
    if sheet.roomy {
        svg += &sheet.named_beside(analysis, names, colours);
        svg += &inked((sheet.left, sheet.height - 18.0), "start", PALE_INK, &text.say("analysis-chart-note"));
    } else {
        svg += &sheet.named_below(analysis, names, colours);
    }
    svg + "</svg>\n"
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

/// A piece of a seat's line, and its name.
fn named((x, y): (f64, f64), seat: Seat, names: &[String], colours: &[PlayerColour]) -> String {
    let (colour, dashes) = (ink(colours, seat), DASHES[seat.index()]);
    let piece = format!(
        "<line x1=\"{x:.1}\" y1=\"{0:.1}\" x2=\"{1:.1}\" y2=\"{0:.1}\" stroke=\"{colour}\" stroke-width=\"2.2\" stroke-dasharray=\"{2}\"/>\n",
        y - 4.0,
        x + 26.0,
        if dashes.is_empty() { "none" } else { dashes },
    );
    let short: String = name(names, seat).chars().take(16).collect();
    piece + &inked((x + 32.0, y), "start", colour, &short)
}

impl Sheet {
    /// The opening: what it is in words, and the paper.
    fn head(&self, text: Text, analysis: &Analysis, names: &[String]) -> String {
        let title = text.say("analysis-chart-title");
        let told: Vec<String> = analysis.players.seats().map(|seat| in_words(text, analysis, seat, names)).collect();
        let opening = opening(self.id, (self.width, self.height), "", &title, &told.join(" "));
        if !self.roomy {
            return opening;
        }
        let heading = format!("font-size=\"19\" font-weight=\"700\" fill=\"{INK}\"");
        opening + &words((self.left, 34.0), "start", &heading, &title)
    }

    /// Where each stage begins, and which it is.
    fn stages(&self, text: Text, moments: &[ChanceMoment]) -> String {
        let mut svg = String::new();
        let mut last = None;
        for (place, moment) in moments.iter().enumerate().filter(|(_, moment)| moment.round.0 == 1) {
            if last == Some(moment.stage) {
                continue;
            }
            last = Some(moment.stage);
            let x = self.x_of(place, moments.len());
            svg += &ruled((x, self.top), (x, self.height - self.bottom), FRAME);
            let stage = text.with("analysis-stage", &[("stage", moment.stage.0.into())]);
            svg += &inked((x + 5.0, self.height - self.bottom + 20.0), "start", PALE_INK, &stage);
        }
        svg
    }

    /// Between which chances a seat's line most likely lies.
    fn band(&self, moments: &[ChanceMoment], seat: Seat, colour: &str) -> String {
        let edge = |sign: f64| {
            moments.iter().enumerate().map(move |(place, moment)| {
                let chance = moment.chances[seat.index()];
                let share = (chance.value + sign * WIDE * chance.error).clamp(0.0, 1.0);
                (self.x_of(place, moments.len()), self.y_of(share))
            })
        };
        let around: Vec<(f64, f64)> = edge(1.0).chain(edge(-1.0).collect::<Vec<_>>().into_iter().rev()).collect();
        format!("<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.15\"/>\n", points(around.into_iter()))
    }

    fn course(&self, moments: &[ChanceMoment], seat: Seat, colour: &str) -> String {
        let at = |(place, moment): (usize, &ChanceMoment)| {
            (self.x_of(place, moments.len()), self.y_of(moment.chances[seat.index()].value))
        };
        let dashes = DASHES[seat.index()];
        let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
        let points = points(moments.iter().enumerate().map(at));
        format!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\" stroke-linejoin=\"round\"{dashes}/>\n"
        )
    }

    /// The names at the ends of the lines, moved apart where they would lie on each other.
    fn named_beside(&self, analysis: &Analysis, names: &[String], colours: &[PlayerColour]) -> String {
        let end = |seat: Seat| analysis.moments.last().map_or(0.0, |last| last.chances[seat.index()].value);
        let mut seats: Vec<Seat> = analysis.players.seats().collect();
        seats.sort_by(|&a, &b| end(b).total_cmp(&end(a)).then(a.cmp(&b)));
        // From the bottom up, so that none falls off it.
        let mut lowest = self.height - self.bottom + 5.0;
        let mut svg = String::new();
        for &seat in seats.iter().rev() {
            let y = (self.y_of(end(seat)) + 4.0).min(lowest);
            lowest = y - NAME;
            svg += &named((self.width - self.right + 8.0, y), seat, names, colours);
        }
        svg
    }

    /// The names below the lines, two in a row, in the order of the seats.
    fn named_below(&self, analysis: &Analysis, names: &[String], colours: &[PlayerColour]) -> String {
        let columns = [14.0, self.width / 2.0 + 6.0];
        let rows =
            (0_u8..).flat_map(|row| columns.map(|x| (x, self.height - self.bottom + 46.0 + 21.0 * f64::from(row))));
        analysis.players.seats().zip(rows).map(|(seat, place)| named(place, seat, names, colours)).collect()
    }

    #[expect(clippy::cast_precision_loss, reason = "a game has few steps")]
    fn x_of(&self, place: usize, all: usize) -> f64 {
        self.left + (self.width - self.right - self.left) * place as f64 / all.saturating_sub(1).max(1) as f64
    }

    fn y_of(&self, share: f64) -> f64 {
        self.top + (self.height - self.bottom - self.top) * (1.0 - share)
    }
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
