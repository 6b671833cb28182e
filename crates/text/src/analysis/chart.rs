//! The winning chances of all players over a game as an SVG chart.
//!
//! Written by hand: a few lines need no charting library, and screen readers can read the result. It has no style sheet
//! and no style attributes, so that a page whose content security policy forbids both can embed it.

use sultan_domain::{Analysis, Estimate, PlayerColour, Seat};

use crate::svg::{FRAME, GRID, INK, INTERVAL_ERRORS, PALE_INK, line, svg_start, text_element};
use crate::{Text, short_names};

/// The sizes of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartSize {
    /// For wide pages and for print.
    Wide,
    /// For phones, with letters as large as the page's text. It has no heading and no note, because the page has more
    /// room for them.
    Narrow,
}

/// The dimensions of a chart: the size of the picture (`width`, `height`), and the edges of the plot area (`left` to
/// `bottom`), which is the part with the lines.
struct Layout {
    /// A prefix for element IDs, unique in the page.
    id: &'static str,
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

const WIDE_LAYOUT: Layout =
    Layout { id: "chances", width: 900.0, height: 460.0, left: 58.0, right: 710.0, top: 62.0, bottom: 386.0 };
const NARROW_LAYOUT: Layout =
    Layout { id: "chances-narrow", width: 360.0, height: 400.0, left: 46.0, right: 346.0, top: 24.0, bottom: 296.0 };

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
const DASH_PATTERNS: [&str; 5] = ["none", "10 4", "3 3", "12 3 3 3", "6 6"];

/// The longest name beside or below the chart, in characters.
const MAX_NAME_CHARS: usize = 16;

/// Minimum vertical distance between two names.
const MIN_NAME_DISTANCE: f64 = 17.0;

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
        let layout = match size {
            ChartSize::Wide => &WIDE_LAYOUT,
            ChartSize::Narrow => &NARROW_LAYOUT,
        };
        let title = self.text.say("analysis-chart-title");
        let seats = || self.analysis.players.seats();
        let descriptions: Vec<String> = seats().map(|seat| self.description(seat)).collect();
        let mut svg = svg_start(layout.id, (layout.width, layout.height), "", &title, &descriptions.join(" "));
        if size == ChartSize::Wide {
            let heading = format!("font-size=\"19\" font-weight=\"700\" fill=\"{INK}\"");
            svg += &text_element((layout.left, 34.0), "start", &heading, &title);
        }
        for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let y = layout.y_of(share);
            svg += &line((layout.left, y), (layout.right, y), &format!("stroke=\"{GRID}\""));
            svg += &coloured_text((layout.left - 8.0, y + 4.0), "end", PALE_INK, &self.text.percent(share, 0));
        }
        svg += &self.stage_lines(layout);
        svg.extend(seats().map(|seat| self.confidence_band(layout, seat)));
        svg.extend(seats().map(|seat| self.curve(layout, seat)));
        match size {
            ChartSize::Wide => {
                svg += &self.legend_beside(layout);
                let note = self.text.say("analysis-chart-note");
                svg += &coloured_text((layout.left, layout.height - 18.0), "start", PALE_INK, &note);
            }
            ChartSize::Narrow => svg += &self.legend_below(layout),
        }
        svg + "</svg>\n"
    }

    /// Describes a seat's line for screen readers: the lowest, the highest and the final chance.
    fn description(&self, seat: Seat) -> String {
        let chances = || self.chances(seat).map(|chance| chance.value);
        let (lowest, highest) = (chances().fold(1.0, f64::min), chances().fold(0.0, f64::max));
        let percent = |share: f64| self.text.percent(share, 0).into();
        let name = ("player", self.name(seat).into());
        let (low, high) = (("low", percent(lowest)), ("high", percent(highest)));
        self.text.with("analysis-chart-player", &[name, low, high, ("end", percent(self.final_chance(seat)))])
    }

    /// A seat's winning chances over the game.
    fn chances(&self, seat: Seat) -> impl DoubleEndedIterator<Item = Estimate> {
        self.analysis.moments.iter().map(move |moment| moment.chances[seat.index()])
    }

    /// A seat's winning chance at the end.
    fn final_chance(&self, seat: Seat) -> f64 {
        self.chances(seat).next_back().map_or(0.0, |chance| chance.value)
    }

    fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("", String::as_str)
    }

    /// The colour of a seat's line.
    fn line_colour(&self, seat: Seat) -> &'static str {
        chart_colour(self.colours.get(seat.index()).copied().unwrap_or(PlayerColour::ALL[seat.index()]))
    }

    /// A vertical line at the start of each stage, with its label.
    fn stage_lines(&self, layout: &Layout) -> String {
        let moments = &self.analysis.moments;
        let mut svg = String::new();
        let mut last_stage = None;
        for (index, moment) in moments.iter().enumerate().filter(|(_, moment)| moment.round.0 == 1) {
            if last_stage.replace(moment.stage) == Some(moment.stage) {
                continue;
            }
            let x = layout.x_of(index, moments.len());
            svg += &line((x, layout.top), (x, layout.bottom), &format!("stroke=\"{FRAME}\""));
            let label = self.text.with("analysis-stage", &[("stage", moment.stage.0.into())]);
            svg += &coloured_text((x + 5.0, layout.bottom + 20.0), "start", PALE_INK, &label);
        }
        svg
    }

    /// The points of a line that is `errors` standard errors above a seat's chances, from left to right.
    fn points(&self, layout: &Layout, seat: Seat, errors: f64) -> Vec<String> {
        let point = |(index, chance): (usize, Estimate)| {
            let share = (chance.value + errors * chance.error).clamp(0.0, 1.0);
            format!("{:.1},{:.1}", layout.x_of(index, self.analysis.moments.len()), layout.y_of(share))
        };
        self.chances(seat).enumerate().map(point).collect()
    }

    /// The 95 % confidence band around a seat's line: along its upper edge to the right, and along its lower edge back.
    fn confidence_band(&self, layout: &Layout, seat: Seat) -> String {
        let mut outline = self.points(layout, seat, INTERVAL_ERRORS);
        outline.extend(self.points(layout, seat, -INTERVAL_ERRORS).into_iter().rev());
        let (points, colour) = (outline.join(" "), self.line_colour(seat));
        format!("<polygon points=\"{points}\" fill=\"{colour}\" fill-opacity=\"0.15\"/>\n")
    }

    /// A seat's line.
    fn curve(&self, layout: &Layout, seat: Seat) -> String {
        let (points, stroke) = (self.points(layout, seat, 0.0).join(" "), self.stroke_attributes(seat));
        format!("<polyline points=\"{points}\" fill=\"none\" {stroke} stroke-linejoin=\"round\"/>\n")
    }

    /// The SVG attributes of a seat's line.
    fn stroke_attributes(&self, seat: Seat) -> String {
        let (colour, dashes) = (self.line_colour(seat), DASH_PATTERNS[seat.index()]);
        format!("stroke=\"{colour}\" stroke-width=\"2.2\" stroke-dasharray=\"{dashes}\"")
    }

    /// A legend entry: a piece of the seat's line, and the name, shortened if it is long.
    fn legend_entry(&self, (x, y): (f64, f64), seat: Seat) -> String {
        let short_names = short_names(self.names, MAX_NAME_CHARS);
        let short_name = short_names.get(seat.index()).map_or("", String::as_str);
        line((x, y - 4.0), (x + 26.0, y - 4.0), &self.stroke_attributes(seat))
            + &coloured_text((x + 32.0, y), "start", self.line_colour(seat), short_name)
    }

    /// The names at the right ends of the lines, moved apart if they would overlap.
    fn legend_beside(&self, layout: &Layout) -> String {
        let mut seats: Vec<Seat> = self.analysis.players.seats().collect();
        seats.sort_by(|&a, &b| self.final_chance(b).total_cmp(&self.final_chance(a)).then(a.cmp(&b)));
        // From the bottom up, so that no name is pushed below the chart. The y axis points down.
        let mut max_y = layout.bottom + 5.0;
        let mut svg = String::new();
        for &seat in seats.iter().rev() {
            let y = (layout.y_of(self.final_chance(seat)) + 4.0).min(max_y);
            max_y = y - MIN_NAME_DISTANCE;
            svg += &self.legend_entry((layout.right + 8.0, y), seat);
        }
        svg
    }

    /// The names below the chart, two per row, in the order of the seats.
    fn legend_below(&self, layout: &Layout) -> String {
        let columns = [14.0, layout.width / 2.0 + 6.0];
        let first_row = layout.bottom + 46.0;
        let positions = (0_u8..).flat_map(|row| columns.map(|x| (x, first_row + 21.0 * f64::from(row))));
        self.analysis.players.seats().zip(positions).map(|(seat, position)| self.legend_entry(position, seat)).collect()
    }
}

impl Layout {
    /// The x coordinate of the point with this index of `count` points. A single point is at the left edge.
    #[expect(clippy::cast_precision_loss, reason = "a game has few steps")]
    fn x_of(&self, index: usize, count: usize) -> f64 {
        self.left + (self.right - self.left) * index as f64 / count.saturating_sub(1).max(1) as f64
    }

    /// The y coordinate of a winning chance.
    fn y_of(&self, share: f64) -> f64 {
        self.top + (self.bottom - self.top) * (1.0 - share)
    }
}

/// A text in a colour.
fn coloured_text(at: (f64, f64), anchor: &str, colour: &str, text: &str) -> String {
    text_element(at, anchor, &format!("fill=\"{colour}\""), text)
}
