//! The winning chances of all players over a game as an SVG chart.
//!
//! Written by hand: a few lines need no charting library, and screen readers can read the result. It has no style sheet
//! and no style attributes, so that a page whose content security policy forbids both can embed it.

use sultan_domain::{Analysis, Estimate, PlayerColour, Seat};

use crate::Text;
use crate::svg::{FRAME, GRID, INK, INTERVAL_ERRORS, PALE_INK, line, svg_start, text_element};

/// The sizes of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartSize {
    /// For wide pages and for print.
    Wide,
    /// For phones, with letters as large as the page's text. It has no heading and no note, because the page has more
    /// room for them.
    Narrow,
}

/// The dimensions of a chart.
struct Sheet {
    /// A prefix for element IDs, unique in the page.
    id: &'static str,
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

const WIDE_SHEET: Sheet =
    Sheet { id: "chances", width: 900.0, height: 460.0, left: 58.0, right: 190.0, top: 62.0, bottom: 74.0 };
const NARROW_SHEET: Sheet =
    Sheet { id: "chances-narrow", width: 360.0, height: 400.0, left: 46.0, right: 14.0, top: 24.0, bottom: 104.0 };

/// A player's colour, dark enough for a white background.
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

/// The dash pattern of each seat's line, so that colour is not the only difference.
const DASHES: [&str; 5] = ["none", "10 4", "3 3", "12 3 3 3", "6 6"];

/// Minimum vertical distance between two names.
const NAME_DISTANCE: f64 = 17.0;

/// A chart of all players' winning chances over a game.
#[derive(Clone, Copy, Debug)]
pub struct ChanceChart<'a> {
    /// The language of the chart.
    pub text: Text,
    /// The analysis to draw.
    pub analysis: &'a Analysis,
    /// The names, in the order of the seats.
    pub names: &'a [String],
    /// The colours, in the order of the seats.
    pub colours: &'a [PlayerColour],
}

impl ChanceChart<'_> {
    /// Returns the chart as SVG.
    #[must_use]
    pub fn draw(&self, size: ChartSize) -> String {
        let sheet = match size {
            ChartSize::Wide => &WIDE_SHEET,
            ChartSize::Narrow => &NARROW_SHEET,
        };
        let title = self.text.say("analysis-chart-title");
        let seats = || self.analysis.players.seats();
        let descriptions: Vec<String> = seats().map(|seat| self.description(seat)).collect();
        let mut svg = svg_start(sheet.id, (sheet.width, sheet.height), "", &title, &descriptions.join(" "));
        if size == ChartSize::Wide {
            let heading = format!("font-size=\"19\" font-weight=\"700\" fill=\"{INK}\"");
            svg += &text_element((sheet.left, 34.0), "start", &heading, &title);
        }
        for percent in [0_u8, 25, 50, 75, 100] {
            let share = f64::from(percent) / 100.0;
            let y = sheet.y_of(share);
            svg += &coloured_line((sheet.left, y), (sheet.width - sheet.right, y), GRID);
            svg += &coloured_text((sheet.left - 8.0, y + 4.0), "end", PALE_INK, &self.text.percent(share, 0));
        }
        svg += &self.stages(sheet);
        svg.extend(seats().map(|seat| self.band(sheet, seat)));
        svg.extend(seats().map(|seat| self.curve(sheet, seat)));
        match size {
            ChartSize::Wide => {
                svg += &self.legend_beside(sheet);
                let note = self.text.say("analysis-chart-note");
                svg += &coloured_text((sheet.left, sheet.height - 18.0), "start", PALE_INK, &note);
            }
            ChartSize::Narrow => svg += &self.legend_below(sheet),
        }
        svg + "</svg>\n"
    }

    fn description(&self, seat: Seat) -> String {
        let chances = || self.chances(seat).map(|chance| chance.value);
        let (low, high) = (chances().fold(1.0, f64::min), chances().fold(0.0, f64::max));
        let share = |share: f64| self.text.percent(share, 0).into();
        self.text.with(
            "analysis-chart-player",
            &[
                ("player", self.name(seat).into()),
                ("low", share(low)),
                ("high", share(high)),
                ("end", share(self.end(seat))),
            ],
        )
    }

    /// A seat's winning chances over the game.
    fn chances(&self, seat: Seat) -> impl DoubleEndedIterator<Item = Estimate> {
        self.analysis.moments.iter().map(move |moment| moment.chances[seat.index()])
    }

    /// A seat's winning chance at the end.
    fn end(&self, seat: Seat) -> f64 {
        self.chances(seat).next_back().map_or(0.0, |chance| chance.value)
    }

    fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("", String::as_str)
    }

    /// The colour of a seat's line.
    fn line_colour(&self, seat: Seat) -> &'static str {
        chart_colour(self.colours.get(seat.index()).copied().unwrap_or(PlayerColour::ALL[seat.index()]))
    }

    /// The start of each stage, with its label.
    fn stages(&self, sheet: &Sheet) -> String {
        let moments = &self.analysis.moments;
        let mut svg = String::new();
        let mut last = None;
        for (index, moment) in moments.iter().enumerate().filter(|(_, moment)| moment.round.0 == 1) {
            if last.replace(moment.stage) == Some(moment.stage) {
                continue;
            }
            let x = sheet.x_of(index, moments.len());
            let floor = sheet.height - sheet.bottom;
            svg += &coloured_line((x, sheet.top), (x, floor), FRAME);
            let stage = self.text.with("analysis-stage", &[("stage", moment.stage.0.into())]);
            svg += &coloured_text((x + 5.0, floor + 20.0), "start", PALE_INK, &stage);
        }
        svg
    }

    /// The points of a line that is `errors` standard errors above a seat's chances, from left to right.
    fn points(&self, sheet: &Sheet, seat: Seat, errors: f64) -> Vec<String> {
        let at = |(index, chance): (usize, Estimate)| {
            let share = (chance.value + errors * chance.error).clamp(0.0, 1.0);
            format!("{:.1},{:.1}", sheet.x_of(index, self.analysis.moments.len()), sheet.y_of(share))
        };
        self.chances(seat).enumerate().map(at).collect()
    }

    /// The 95 % confidence band of a seat's line.
    fn band(&self, sheet: &Sheet, seat: Seat) -> String {
        let mut outline = self.points(sheet, seat, INTERVAL_ERRORS);
        outline.extend(self.points(sheet, seat, -INTERVAL_ERRORS).into_iter().rev());
        let (points, colour) = (outline.join(" "), self.line_colour(seat));
        format!("<polygon points=\"{points}\" fill=\"{colour}\" fill-opacity=\"0.15\"/>\n")
    }

    fn curve(&self, sheet: &Sheet, seat: Seat) -> String {
        let (points, stroke) = (self.points(sheet, seat, 0.0).join(" "), self.stroke(seat));
        format!("<polyline points=\"{points}\" fill=\"none\" {stroke} stroke-linejoin=\"round\"/>\n")
    }

    /// The SVG attributes of a seat's line.
    fn stroke(&self, seat: Seat) -> String {
        let (colour, dashes) = (self.line_colour(seat), DASHES[seat.index()]);
        format!("stroke=\"{colour}\" stroke-width=\"2.2\" stroke-dasharray=\"{dashes}\"")
    }

    /// A legend entry: a piece of the seat's line, and the name.
    fn legend_entry(&self, (x, y): (f64, f64), seat: Seat) -> String {
        let short: String = self.name(seat).chars().take(16).collect();
        line((x, y - 4.0), (x + 26.0, y - 4.0), &self.stroke(seat))
            + &coloured_text((x + 32.0, y), "start", self.line_colour(seat), &short)
    }

    /// The names at the right ends of the lines, moved apart if they would overlap.
    fn legend_beside(&self, sheet: &Sheet) -> String {
        let mut seats: Vec<Seat> = self.analysis.players.seats().collect();
        seats.sort_by(|&a, &b| self.end(b).total_cmp(&self.end(a)).then(a.cmp(&b)));
        // From the bottom up, so that no name is pushed below the chart.
        let mut lowest = sheet.height - sheet.bottom + 5.0;
        let mut svg = String::new();
        for &seat in seats.iter().rev() {
            let y = (sheet.y_of(self.end(seat)) + 4.0).min(lowest);
            lowest = y - NAME_DISTANCE;
            svg += &self.legend_entry((sheet.width - sheet.right + 8.0, y), seat);
        }
        svg
    }

    /// The names below the chart, two per row, in the order of the seats.
    fn legend_below(&self, sheet: &Sheet) -> String {
        let columns = [14.0, sheet.width / 2.0 + 6.0];
        let top = sheet.height - sheet.bottom + 46.0;
        let rows = (0_u8..).flat_map(|row| columns.map(|x| (x, top + 21.0 * f64::from(row))));
        self.analysis.players.seats().zip(rows).map(|(seat, position)| self.legend_entry(position, seat)).collect()
    }
}

impl Sheet {
    #[expect(clippy::cast_precision_loss, reason = "a game has few steps")]
    fn x_of(&self, index: usize, count: usize) -> f64 {
        self.left + (self.width - self.right - self.left) * index as f64 / count.saturating_sub(1).max(1) as f64
    }

    fn y_of(&self, share: f64) -> f64 {
        self.top + (self.height - self.bottom - self.top) * (1.0 - share)
    }
}

/// A line in a colour.
fn coloured_line(from: (f64, f64), to: (f64, f64), colour: &str) -> String {
    line(from, to, &format!("stroke=\"{colour}\""))
}

/// A text in a colour.
fn coloured_text(at: (f64, f64), anchor: &str, colour: &str, text: &str) -> String {
    text_element(at, anchor, &format!("fill=\"{colour}\""), text)
}
