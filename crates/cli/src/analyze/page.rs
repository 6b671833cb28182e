//! An analysis as a self-contained HTML page without scripts.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use sultan_domain::{Analysis, PlayerColour, Seat};
use sultan_text::{ChanceChart, ChartSize, Text, chart_colour};

const STYLE: &str = include_str!("page.css");

/// Renders the analysis of this chart as a page.
pub(super) fn page(chart: &ChanceChart) -> String {
    let ChanceChart { text, analysis, names, .. } = *chart;
    let title = format!("{} · Sultan", text.say("analysis-title"));
    let seed = analysis.seed.to_string();
    let markup = html! {
        (DOCTYPE)
        html lang=(text.lang().code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (text.say("analysis-title")) }
                    p { (names.join(", ")) }
                    @if let Some(verdict) = text.verdict(analysis, names, None) { p { strong { (verdict) } } }
                    @if !analysis.complete { p { strong { (text.say("analysis-unfinished")) } } }
                    figure { (PreEscaped(chart.draw(ChartSize::Wide))) }
                    details {
                        summary { (text.say("analysis-chart-chances")) }
                        (table(&text.say("analysis-chart-title"), &text.chance_table(analysis, names), &[]))
                    }
                    h2 { (text.say("analysis-players")) }
                    (table(&text.say("analysis-players"), &text.player_table(analysis, names), &[]))
                    p { (text.sum_note(analysis)) }
                    h2 { (text.say("analysis-worst")) }
                    @for (seat, name) in analysis.players.seats().zip(names) { (worst_decisions(text, analysis, seat, name, names)) }
                    h2 { (text.say("analysis-decisions")) }
                    @for (seat, name) in analysis.players.seats().zip(names) {
                        details { summary { (name) } (all_decisions(text, analysis, seat, name)) }
                    }
                    footer { p { (text.with("analysis-method", &[("seed", (&seed).into())])) } }
                }
            }
        }
    };
    markup.into_string()
}

/// Renders a table. The first row is the heading; `text_columns` are the columns with words instead of numbers. The
/// table may be wider than the screen, so it is focusable: keyboard users can scroll it.
fn table(label: &str, rows: &[Vec<String>], text_columns: &[usize]) -> Markup {
    let (heading, rows) = rows.split_first().map_or((&[][..], &[][..]), |(heading, rows)| (heading.as_slice(), rows));
    html! {
        div.wide role="region" aria-label=(label) tabindex="0" {
            table {
                thead { tr { @for cell in heading { th scope="col" { (cell) } } } }
                tbody {
                    @for row in rows {
                        tr { @for (column, cell) in row.iter().enumerate() {
                            @if column == 0 { th scope="row" { (cell) } }
                            @else { td class=[text_columns.contains(&column).then_some("words")] { (cell) } }
                        } }
                    }
                }
            }
        }
    }
}

/// Renders the decisions of a seat that cost most, or a note that there are none.
fn worst_decisions(text: Text, analysis: &Analysis, seat: Seat, name: &str, names: &[String]) -> Markup {
    html! {
        h3 { svg.key viewBox="0 0 10 10" aria-hidden="true" { circle cx="5" cy="5" r="5" fill=(chart_colour(PlayerColour::ALL[seat.index()])) {} } (name) }
        @if analysis.worst_decisions(seat).next().is_none() { p { (text.say("analysis-worst-none")) } }
        @else {
            ol {
                @for decision in analysis.worst_decisions(seat) {
                    li {
                        p { strong { (text.decision(decision)) ". " } (text.loss(decision)) "." }
                        @if let Some(reason) = text.decision_reason(decision, names) { p { (reason) } }
                    }
                }
            }
        }
    }
}

/// Renders a table of all decisions of a seat.
fn all_decisions(text: Text, analysis: &Analysis, seat: Seat, name: &str) -> Markup {
    let decisions = analysis.decisions.iter().filter(|decision| decision.seat == seat);
    let rows = decisions.map(|decision| text.decision_row(decision).to_vec());
    let rows: Vec<Vec<String>> = std::iter::once(text.decision_headings().to_vec()).chain(rows).collect();
    // The chosen and the best action are words.
    table(name, &rows, &[1, 5])
}
