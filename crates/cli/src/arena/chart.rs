//! Draws the results as an SVG chart: for every bot its rating and its share of wins, each with its 95 % interval.
//!
//! The SVG is written without a charting library: two columns of dots need only lines, circles and text, and this way
//! the chart has text alternatives and the fonts of the viewer.

use sultan_lab::arena::Standing;
use sultan_text::svg::{GRID, INTERVAL_ERRORS, PALE_INK, line, svg_start, text_element};

use super::results::Results;

const WIDTH: f64 = 760.0;
const EDGE: f64 = 24.0;
/// The top of the first bot's row, the height of a row, and the space below the last row.
const TOP: f64 = 116.0;
const ROW: f64 = 34.0;
const BOTTOM: f64 = 64.0;
/// The minimum width of the column of names, and the maximum width of a letter in it.
const NAMES: f64 = 96.0;
const LETTER: f64 = 9.0;
/// The width of the column of values to the right of each panel.
const VALUES: f64 = 68.0;
const BETWEEN: f64 = 28.0;

const BAND: &str = "#f8f2e4";
const RATING: &str = "#6b2a8f";
const WON: &str = "#0a6b5d";

/// One dot with its interval.
struct Dot {
    at: f64,
    interval: Option<(f64, f64)>,
    label: String,
}

/// One half of the chart: a scale from left to right, and a dot for every bot.
struct Panel {
    title: &'static str,
    colour: &'static str,
    dots: Vec<Dot>,
    /// The value marked with a dashed line, and its label.
    mark: (f64, String),
    /// The ends of the scale and the step between its numbers.
    scale: (f64, f64, f64),
    tick: fn(f64) -> String,
}

/// Draws the results.
pub(super) fn draw(results: &Results) -> String {
    let ranking = results.ranking();
    let rows = f64::from(u32::try_from(ranking.len()).unwrap_or(u32::MAX));
    let height = TOP + ROW * rows + BOTTOM;
    let longest = ranking.iter().map(|standing| standing.bot.chars().count()).max().unwrap_or(0);
    let names = NAMES.max(LETTER * f64::from(u32::try_from(longest).unwrap_or(u32::MAX)) + 16.0);
    let each = (WIDTH - 2.0 * EDGE - names - BETWEEN) / 2.0;
    let mut svg = head(results, &ranking, height);
    for (row, standing) in ranking.iter().enumerate() {
        let y = row_at(row);
        if row % 2 == 0 {
            svg += &band(y);
        }
        svg += &text_element((EDGE, y + 5.0), "start", "class=\"name\"", standing.bot);
    }
    let left = EDGE + names;
    svg += &ratings(&ranking).draw(left, left + each - VALUES);
    let left = left + each + BETWEEN;
    svg += &won(&ranking, results.players).draw(left, left + each - VALUES);
    let note =
        "Bars: 95 % intervals. Ratings: Bradley–Terry fit of who wins the table; 400 points are odds of 10 to 1.";
    svg + &small((EDGE, height - 16.0), "start", note) + "</svg>\n"
}

/// The start of the SVG: text alternative, background, headings.
fn head(results: &Results, ranking: &[&Standing], height: f64) -> String {
    let title = "Sultan arena: ratings and games won";
    let summary = results.summary();
    let labels: Vec<String> = ranking.iter().map(|standing| in_words(standing)).collect();
    let desc = format!("{summary}. {}.", labels.join("; "));
    let size = format!(" width=\"{WIDTH}\" height=\"{height}\"");
    svg_start("arena", (WIDTH, height), &size, title, &desc)
        + "<style>.name{font-size:14px;font-weight:600}.title{font-size:19px;font-weight:700}\
           .panel{font-weight:600}.small{font-size:12px}</style>\n"
        + &text_element((EDGE, 38.0), "start", "class=\"title\"", "Sultan arena")
        + &text_element((EDGE, 60.0), "start", &format!("fill=\"{PALE_INK}\""), &summary)
}

fn in_words(standing: &Standing) -> String {
    let Standing { bot, rating, low, high, row, .. } = standing;
    let interval = low.zip(*high).map_or_else(String::new, |(low, high)| format!(" ({low:+.0} to {high:+.0})"));
    format!("{bot}: rating {rating:+.0}{interval}, won {:.1} %", 100.0 * row.win_share)
}

/// The vertical centre of a row.
fn row_at(row: usize) -> f64 {
    TOP + ROW * (f64::from(u32::try_from(row).unwrap_or(u32::MAX)) + 0.5)
}

/// Small text in a pale colour.
fn small(at: (f64, f64), anchor: &str, text: &str) -> String {
    text_element(at, anchor, &format!("class=\"small\" fill=\"{PALE_INK}\""), text)
}

/// A tinted band behind a row.
fn band(y: f64) -> String {
    let (x, y, width) = (EDGE - 8.0, y - ROW / 2.0, WIDTH - 2.0 * EDGE + 16.0);
    format!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{ROW:.1}\" rx=\"6\" fill=\"{BAND}\"/>\n")
}

fn ratings(ranking: &[&Standing]) -> Panel {
    let dot = |standing: &&Standing| Dot {
        at: standing.rating,
        interval: standing.low.zip(standing.high),
        label: signed(standing.rating),
    };
    let dots: Vec<Dot> = ranking.iter().map(dot).collect();
    let (low, high) = span(&dots);
    let scale = scale(low.min(-10.0), high.max(10.0));
    Panel { title: "Rating (Elo scale)", colour: RATING, dots, mark: (0.0, "mean".to_owned()), scale, tick: signed }
}

fn won(ranking: &[&Standing], players: u8) -> Panel {
    let dot = |standing: &&Standing| {
        let at = 100.0 * standing.row.win_share;
        let interval = standing.row.win_share_error.map(|error| (100.0 * INTERVAL_ERRORS * error).abs());
        let interval = interval.map(|wide| ((at - wide).max(0.0), (at + wide).min(100.0)));
        Dot { at, interval, label: format!("{at:.1} %") }
    };
    let dots: Vec<Dot> = ranking.iter().map(dot).collect();
    let even = 100.0 / f64::from(players);
    let scale = scale(0.0, span(&dots).1.max(1.2 * even));
    Panel { title: "Games won, %", colour: WON, dots, mark: (even, "even share".to_owned()), scale, tick: plain }
}

/// A number rounded to an integer.
fn plain(number: f64) -> String {
    format!("{number:.0}")
}

fn signed(number: f64) -> String {
    // Zero has no sign.
    if number.abs() < 0.5 { "0".to_owned() } else { format!("{number:+.0}").replace('-', "−") }
}

/// The lowest and the highest value of all dots, intervals and 0.
fn span(dots: &[Dot]) -> (f64, f64) {
    let ends = dots.iter().flat_map(|dot| {
        let (low, high) = dot.interval.unwrap_or((dot.at, dot.at));
        [low, high]
    });
    ends.fold((0.0, 0.0), |(low, high), end| (end.min(low), end.max(high)))
}

/// A scale that contains both ends, in about four steps of 1, 2, 2.5 or 5 times a power of ten, all integers.
fn scale(low: f64, high: f64) -> (f64, f64, f64) {
    let rough = (high - low).max(4.0) / 4.0;
    let power = 10.0_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|times| times * power);
    let step = steps.into_iter().find(|&step| step >= rough && step.fract() < 1e-9).unwrap_or(10.0 * power);
    ((low / step).floor() * step, (high / step).ceil() * step, step)
}

impl Panel {
    /// Draws the panel between the x coordinates `left` and `right`, and the values to the right of it.
    fn draw(&self, left: f64, right: f64) -> String {
        let (low, high, step) = self.scale;
        let x = |value: f64| left + (value - low) / (high - low) * (right - left);
        let (top, end) = (TOP, row_at(self.dots.len()) - ROW / 2.0);
        let titled = format!("class=\"panel\" fill=\"{}\"", self.colour);
        let mut svg = text_element((left, TOP - 26.0), "start", &titled, self.title);
        let mut tick = low;
        while tick <= high + step / 2.0 {
            svg += &line((x(tick), top), (x(tick), end), &format!("stroke=\"{GRID}\""));
            svg += &small((x(tick), end + 18.0), "middle", &(self.tick)(tick));
            tick += step;
        }
        let (mark, called) = &self.mark;
        let dashed = format!("stroke=\"{PALE_INK}\" stroke-dasharray=\"4 3\"");
        svg += &line((x(*mark), top - 4.0), (x(*mark), end), &dashed);
        svg += &small((x(*mark), top - 9.0), "middle", called);
        for (row, dot) in self.dots.iter().enumerate() {
            svg += &self.dot(dot, row_at(row), x);
            svg += &text_element((right + VALUES, row_at(row) + 5.0), "end", "", &dot.label);
        }
        svg
    }

    fn dot(&self, dot: &Dot, y: f64, x: impl Fn(f64) -> f64) -> String {
        let stroke = format!("stroke=\"{}\" stroke-width=\"2\" stroke-linecap=\"round\"", self.colour);
        let ends = dot.interval.map_or_else(String::new, |(low, high)| {
            let (low, high) = (x(low), x(high));
            let whisker = |at: f64| line((at, y - 6.0), (at, y + 6.0), &stroke);
            line((low, y), (high, y), &stroke) + &whisker(low) + &whisker(high)
        });
        let circle = format!("<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{}\"/>\n", x(dot.at), self.colour);
        ends + &circle
    }
}

#[cfg(test)]
mod tests {
    use super::super::results::sample;
    use super::*;

    const MANY: [&str; 6] = ["sultan", "merchant", "vizier", "<thief & guard>", "\"guard\"", "random"];

    /// The numeric values of an attribute of all elements with this tag.
    fn numbers(svg: &str, tag: &str, attribute: &str) -> Vec<f64> {
        let tree = roxmltree::Document::parse(svg).unwrap();
        let found = tree.descendants().filter(|node| node.has_tag_name(tag));
        found.map(|node| node.attribute(attribute).unwrap().parse().unwrap()).collect()
    }

    #[test]
    fn svg_is_well_formed_and_has_text_alternatives() {
        for names in [&["random"][..], &["strong", "weak"], &MANY] {
            let svg = draw(&sample(names));
            let tree = roxmltree::Document::parse(&svg).unwrap();
            let root = tree.root_element();
            assert_eq!((root.tag_name().name(), root.attribute("role")), ("svg", Some("img")));
            let words = |tag: &str| root.children().find(|node| node.has_tag_name(tag)).and_then(|node| node.text());
            assert!(words("title").unwrap().starts_with("Sultan arena"));
            assert!(names.iter().all(|&name| words("desc").unwrap().contains(name)), "{:?}", words("desc"));
            let shown: Vec<&str> =
                tree.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
            assert!(names.iter().all(|name| shown.contains(name)), "{shown:?}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }

    #[test]
    fn chart_dots_follow_the_ranking_and_stay_inside() {
        let svg = draw(&sample(&MANY));
        let (x, y) = (numbers(&svg, "circle", "cx"), numbers(&svg, "circle", "cy"));
        assert_eq!(x.len(), 12);
        for panel in [0..6, 6..12] {
            assert!(x[panel.clone()].is_sorted_by(|a, b| a > b) && y[panel].is_sorted_by(|a, b| a < b));
        }
        let lines = [numbers(&svg, "line", "x1"), numbers(&svg, "line", "x2"), x].concat();
        assert!(lines.iter().all(|x| (EDGE..WIDTH - EDGE).contains(x)), "{lines:?}");
    }

    #[test]
    fn extreme_ratings_stay_inside_the_chart() {
        let mut results = sample(&["all", "nothing"]);
        for (standing, (rating, won)) in results.ratings.iter_mut().zip([(1900.0, 1.0), (-1900.0, 0.0)]) {
            (standing.rating, standing.row.win_share, standing.row.win_share_error) = (rating, won, None);
            (standing.low, standing.high) = (None, None);
        }
        let x = numbers(&draw(&results), "circle", "cx");
        assert!(x.iter().all(|x| (EDGE..WIDTH - EDGE).contains(x)) && x[0] > x[1] && x[2] > x[3]);
    }

    #[test]
    fn scales_hold_their_ends_in_round_steps() {
        for (low, high) in [(-10.0, 10.0), (-437.0, 437.0), (0.0, 47.4), (0.0, 100.0), (-3000.0, 17.0), (0.0, 24.0)] {
            let (from, to, step) = scale(low, high);
            assert!(from <= low && to >= high && (to - from) / step < 6.5, "{low} {high}: {from} {to} {step}");
        }
        assert_eq!(scale(0.0, 47.0), (0.0, 60.0, 20.0));
        assert_eq!(scale(0.0, 100.0), (0.0, 100.0, 25.0));
        assert_eq!(scale(0.0, 9.0), (0.0, 10.0, 5.0));
    }
}
