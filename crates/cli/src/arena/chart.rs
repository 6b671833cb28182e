//! Draws the results as an SVG chart: for every bot its rating and its share of wins, each with its 95 % interval.
//!
//! The chart has two panels side by side, one for ratings and one for wins, with one row per bot. The SVG is written
//! without a charting library: panels of dots need only lines, circles and text, and this way the chart has text
//! alternatives and the fonts of the viewer.

use sultan_lab::arena::Standing;
use sultan_text::svg::{GRID, INTERVAL_ERRORS, PALE_INK, line, svg_start, text_element};

use super::results::Results;

// Lengths in SVG units, which are pixels unless the picture is scaled.
const WIDTH: f64 = 760.0;
const MARGIN: f64 = 24.0;
/// The y coordinate at which the first bot's row starts.
const FIRST_ROW_Y: f64 = 116.0;
const ROW_HEIGHT: f64 = 34.0;
const SPACE_BELOW_ROWS: f64 = 64.0;
const MIN_NAME_WIDTH: f64 = 96.0;
const MAX_LETTER_WIDTH: f64 = 9.0;
/// The width of the column of values to the right of each panel.
const VALUE_WIDTH: f64 = 68.0;
const SPACE_BETWEEN_PANELS: f64 = 28.0;

const ROW_COLOUR: &str = "#f8f2e4";
const RATING_COLOUR: &str = "#6b2a8f";
const WINS_COLOUR: &str = "#0a6b5d";

/// A value drawn as a dot, with its interval.
struct Dot {
    value: f64,
    /// The lower and the upper end of the 95 % interval.
    interval: Option<(f64, f64)>,
    /// The value as text, to the right of the panel.
    label: String,
}

/// The values at the ends of a scale, and the step between two numbers on it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

/// One half of the chart: a scale from left to right, and a dot for every bot.
struct Panel {
    title: &'static str,
    colour: &'static str,
    dots: Vec<Dot>,
    /// A label and a value marked with a dashed line.
    mark: (&'static str, f64),
    scale: Scale,
    /// Formats the numbers on the scale.
    format: fn(f64) -> String,
}

/// Draws the results.
pub(super) fn draw(results: &Results) -> String {
    let ranking = results.ranking();
    let height = row_centre(ranking.len()) - ROW_HEIGHT / 2.0 + SPACE_BELOW_ROWS;
    let letters = ranking.iter().map(|standing| standing.bot.chars().count()).max().unwrap_or(0);
    let name_width = MIN_NAME_WIDTH.max(MAX_LETTER_WIDTH * float(letters) + 16.0);
    let panel_width = (WIDTH - 2.0 * MARGIN - name_width - SPACE_BETWEEN_PANELS) / 2.0;
    let mut svg = head(results, &ranking, height);
    for (row, standing) in ranking.iter().enumerate() {
        let y = row_centre(row);
        if row % 2 == 0 {
            svg += &row_background(y);
        }
        svg += &text_element((MARGIN, y + 5.0), "start", "class=\"name\"", standing.bot);
    }
    let left = MARGIN + name_width;
    svg += &rating_panel(&ranking).draw(left, left + panel_width - VALUE_WIDTH);
    let left = left + panel_width + SPACE_BETWEEN_PANELS;
    svg += &wins_panel(&ranking, results.players).draw(left, left + panel_width - VALUE_WIDTH);
    let note =
        "Bars: 95 % intervals. Ratings: Bradley–Terry fit of who wins the table; 400 points are odds of 10 to 1.";
    svg + &small_text((MARGIN, height - 16.0), "start", note) + "</svg>\n"
}

/// The start of the SVG: text alternative, background, headings.
fn head(results: &Results, ranking: &[&Standing], height: f64) -> String {
    let title = "Sultan arena: ratings and games won";
    let summary = results.summary();
    let in_words: Vec<String> = ranking.iter().map(|standing| in_words(standing)).collect();
    let description = format!("{summary}. {}.", in_words.join("; "));
    let size = format!(" width=\"{WIDTH}\" height=\"{height}\"");
    svg_start("arena", (WIDTH, height), &size, title, &description)
        + "<style>.name{font-size:14px;font-weight:600}.title{font-size:19px;font-weight:700}\
           .panel{font-weight:600}.small{font-size:12px}</style>\n"
        + &text_element((MARGIN, 38.0), "start", "class=\"title\"", "Sultan arena")
        + &text_element((MARGIN, 60.0), "start", &format!("fill=\"{PALE_INK}\""), &summary)
}

/// The rating and wins of a bot as text, for screen readers.
fn in_words(standing: &Standing) -> String {
    let Standing { bot, rating, low, high, row, .. } = standing;
    let interval = low.zip(*high).map_or_else(String::new, |(low, high)| format!(" ({low:+.0} to {high:+.0})"));
    format!("{bot}: rating {rating:+.0}{interval}, won {:.1} %", 100.0 * row.win_share)
}

/// The y coordinate of the centre of a row.
fn row_centre(row: usize) -> f64 {
    FIRST_ROW_Y + ROW_HEIGHT * (float(row) + 0.5)
}

/// A number of rows or letters as a float.
fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Small text in a pale colour.
fn small_text(position: (f64, f64), anchor: &str, text: &str) -> String {
    text_element(position, anchor, &format!("class=\"small\" fill=\"{PALE_INK}\""), text)
}

/// A tinted band behind the row with this centre.
fn row_background(centre: f64) -> String {
    let (x, y, width) = (MARGIN - 8.0, centre - ROW_HEIGHT / 2.0, WIDTH - 2.0 * MARGIN + 16.0);
    format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{ROW_HEIGHT:.1}\" rx=\"6\" fill=\"{ROW_COLOUR}\"/>\n"
    )
}

fn rating_panel(ranking: &[&Standing]) -> Panel {
    let dot = |standing: &&Standing| Dot {
        value: standing.rating,
        interval: standing.low.zip(standing.high),
        label: signed(standing.rating),
    };
    let dots: Vec<Dot> = ranking.iter().map(dot).collect();
    let (low, high) = lowest_and_highest(&dots);
    // At least from -10 to 10, so that tiny differences do not look large.
    let scale = scale(low.min(-10.0), high.max(10.0));
    Panel { title: "Rating (Elo scale)", colour: RATING_COLOUR, dots, mark: ("mean", 0.0), scale, format: signed }
}

fn wins_panel(ranking: &[&Standing], players: u8) -> Panel {
    let dot = |standing: &&Standing| {
        let value = 100.0 * standing.row.win_share;
        let half_width = standing.row.win_share_error.map(|error| (100.0 * INTERVAL_ERRORS * error).abs());
        let interval = half_width.map(|half| ((value - half).max(0.0), (value + half).min(100.0)));
        Dot { value, interval, label: format!("{value:.1} %") }
    };
    let dots: Vec<Dot> = ranking.iter().map(dot).collect();
    let even_share = 100.0 / f64::from(players);
    let (_, highest) = lowest_and_highest(&dots);
    // The scale reaches beyond the even share, so that its mark is inside the panel.
    let scale = scale(0.0, highest.max(1.2 * even_share));
    let format = |number| format!("{number:.0}");
    Panel { title: "Games won, %", colour: WINS_COLOUR, dots, mark: ("even share", even_share), scale, format }
}

/// An integer with its sign; zero has no sign.
fn signed(number: f64) -> String {
    if number.abs() < 0.5 { "0".to_owned() } else { format!("{number:+.0}").replace('-', "−") }
}

/// The lowest and the highest value of all dots, intervals and 0.
fn lowest_and_highest(dots: &[Dot]) -> (f64, f64) {
    let intervals = dots.iter().map(|dot| dot.interval.unwrap_or((dot.value, dot.value)));
    intervals.fold((0.0, 0.0), |(lowest, highest), (low, high)| (low.min(lowest), high.max(highest)))
}

/// A scale that contains both values, in about four steps of 1, 2, 2.5 or 5 times a power of ten, all integers.
fn scale(low: f64, high: f64) -> Scale {
    let quarter = (high - low).max(4.0) / 4.0;
    let power_of_ten = 10.0_f64.powf(quarter.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * power_of_ten);
    let step = steps.into_iter().find(|&step| step >= quarter && step.fract() < 1e-9).unwrap_or(10.0 * power_of_ten);
    Scale { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
}

impl Panel {
    /// Draws the panel between the x coordinates `left` and `right`, and the values to the right of it.
    fn draw(&self, left: f64, right: f64) -> String {
        let Scale { low, high, step } = self.scale;
        let x = |value: f64| left + (value - low) / (high - low) * (right - left);
        let (top, bottom) = (FIRST_ROW_Y, row_centre(self.dots.len()) - ROW_HEIGHT / 2.0);
        let title_style = format!("class=\"panel\" fill=\"{}\"", self.colour);
        let mut svg = text_element((left, top - 26.0), "start", &title_style, self.title);
        let mut number = low;
        while number <= high + step / 2.0 {
            svg += &line((x(number), top), (x(number), bottom), &format!("stroke=\"{GRID}\""));
            svg += &small_text((x(number), bottom + 18.0), "middle", &(self.format)(number));
            number += step;
        }
        let (mark_label, marked_value) = self.mark;
        let mark = x(marked_value);
        let dashed = format!("stroke=\"{PALE_INK}\" stroke-dasharray=\"4 3\"");
        svg += &line((mark, top - 4.0), (mark, bottom), &dashed);
        svg += &small_text((mark, top - 9.0), "middle", mark_label);
        for (row, dot) in self.dots.iter().enumerate() {
            svg += &self.draw_dot(dot, row_centre(row), x);
            svg += &text_element((right + VALUE_WIDTH, row_centre(row) + 5.0), "end", "", &dot.label);
        }
        svg
    }

    /// Draws a dot and its interval, a line with a short vertical line at each end.
    fn draw_dot(&self, dot: &Dot, y: f64, x: impl Fn(f64) -> f64) -> String {
        let stroke = format!("stroke=\"{}\" stroke-width=\"2\" stroke-linecap=\"round\"", self.colour);
        let interval = dot.interval.map_or_else(String::new, |(low, high)| {
            let (low, high) = (x(low), x(high));
            let end = |x: f64| line((x, y - 6.0), (x, y + 6.0), &stroke);
            line((low, y), (high, y), &stroke) + &end(low) + &end(high)
        });
        let (x, colour) = (x(dot.value), self.colour);
        interval + &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{colour}\"/>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::sample;
    use super::*;

    // Two of the names have characters that must be escaped in SVG.
    const SIX_NAMES: [&str; 6] = ["sultan", "merchant", "vizier", "<thief & guard>", "\"guard\"", "random"];

    /// The numeric values of an attribute of all elements with this tag.
    fn attributes(svg: &str, tag: &str, attribute: &str) -> Vec<f64> {
        let tree = roxmltree::Document::parse(svg).unwrap();
        let elements = tree.descendants().filter(|node| node.has_tag_name(tag));
        elements.map(|node| node.attribute(attribute).unwrap().parse().unwrap()).collect()
    }

    #[test]
    fn svg_is_well_formed_and_has_text_alternatives() {
        for names in [&["random"][..], &["strong", "weak"], &SIX_NAMES] {
            let svg = draw(&sample(names));
            let tree = roxmltree::Document::parse(&svg).unwrap();
            let root = tree.root_element();
            assert_eq!((root.tag_name().name(), root.attribute("role")), ("svg", Some("img")));
            let text_of = |tag: &str| root.children().find(|node| node.has_tag_name(tag)).and_then(|node| node.text());
            assert!(text_of("title").unwrap().starts_with("Sultan arena"));
            let description = text_of("desc").unwrap();
            assert!(names.iter().all(|&name| description.contains(name)), "{description}");
            let visible_texts: Vec<&str> =
                tree.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
            assert!(names.iter().all(|name| visible_texts.contains(name)), "{visible_texts:?}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }

    #[test]
    fn chart_dots_follow_the_ranking_and_stay_inside() {
        let svg = draw(&sample(&SIX_NAMES));
        let (x, y) = (attributes(&svg, "circle", "cx"), attributes(&svg, "circle", "cy"));
        // Six dots in each of the two panels.
        assert_eq!(x.len(), 12);
        for panel in [0..6, 6..12] {
            // From row to row, the dots are further to the left (weaker) and further down.
            assert!(x[panel.clone()].is_sorted_by(|a, b| a > b) && y[panel].is_sorted_by(|a, b| a < b));
        }
        let all_x = [attributes(&svg, "line", "x1"), attributes(&svg, "line", "x2"), x].concat();
        assert!(all_x.iter().all(|x| (MARGIN..WIDTH - MARGIN).contains(x)), "{all_x:?}");
    }

    #[test]
    fn extreme_ratings_stay_inside_the_chart() {
        let mut results = sample(&["undefeated", "winless"]);
        for (standing, (rating, win_share)) in results.ratings.iter_mut().zip([(1900.0, 1.0), (-1900.0, 0.0)]) {
            (standing.rating, standing.row.win_share, standing.row.win_share_error) = (rating, win_share, None);
            (standing.low, standing.high) = (None, None);
        }
        // The first two dots are ratings, the last two are shares of wins.
        let x = attributes(&draw(&results), "circle", "cx");
        assert!(x.iter().all(|x| (MARGIN..WIDTH - MARGIN).contains(x)) && x[0] > x[1] && x[2] > x[3]);
    }

    #[test]
    fn scale_contains_both_values_in_few_round_steps() {
        for (low, high) in [(-10.0, 10.0), (-437.0, 437.0), (0.0, 47.4), (0.0, 100.0), (-3000.0, 17.0), (0.0, 24.0)] {
            let scale = scale(low, high);
            let steps = (scale.high - scale.low) / scale.step;
            // At most six steps.
            assert!(scale.low <= low && scale.high >= high && steps < 6.5, "{low} to {high}: {scale:?}");
        }
        assert_eq!(scale(0.0, 47.0), Scale { low: 0.0, high: 60.0, step: 20.0 });
        assert_eq!(scale(0.0, 100.0), Scale { low: 0.0, high: 100.0, step: 25.0 });
        assert_eq!(scale(0.0, 9.0), Scale { low: 0.0, high: 10.0, step: 5.0 });
    }
}
