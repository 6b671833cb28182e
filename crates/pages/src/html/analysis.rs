//! The analysis page of a finished game: the same numbers as `sultan analyze`, with links to the replay of each
//! decision.

use maud::{Markup, PreEscaped, html};
use sultan_domain::{Analysis, Decision, PlayerColour, Seat};
use sultan_table::{AnalysisProgress, AnalysisState};
use sultan_text::{ChanceChart, ChartSize, Text};

use super::art::{draw, emblem};
use super::layout::{Page, page, wide_table};
use super::table::PageContext;
use crate::display::DisplaySettings;

/// The whole page.
///
/// The player of the seat `you` is addressed as "you".
pub(crate) fn analysis(
    display: &DisplaySettings,
    context: PageContext<'_>,
    state: &AnalysisState,
    you: Option<Seat>,
) -> Markup {
    let text = display.text;
    let (title, about) = (text.say("analysis-title"), text.say("study-about"));
    page(display, &Page::new("analysis-page", &title, about, body(context, state, you)))
}

/// The `main` element, which the page's script loads alone until the analysis is done.
pub(crate) fn body(context: PageContext<'_>, state: &AnalysisState, you: Option<Seat>) -> Markup {
    let address = |path: &str| format!("/t/{}{path}", context.playing.info.table);
    html! {
        main #analysis .page data-running[matches!(state, AnalysisState::Underway(_))] {
            h1 #main tabindex="-1" { (context.say("analysis-title")) }
            @match state {
                AnalysisState::Underway(progress) => (progress_section(context, *progress)),
                AnalysisState::Done(analysis) => (results(context, analysis, you)),
            }
            nav.after aria-label=(context.say("end-after")) {
                a.btn href=(address("/replay")) { (draw("icon-eye", "icon")) (context.say("replay-title")) }
                a.btn href=(address("/record.sultan.json")) download="" { (draw("icon-history", "icon")) (context.say("end-record")) }
                a.btn href=(address("")) { (context.say("verify-back")) }
            }
        }
    }
}

/// The share of the work that is done, in percent; 0 before the analysis has started, when `total` is 0.
fn percent(progress: AnalysisProgress) -> usize {
    (100 * progress.done).checked_div(progress.total).unwrap_or(0)
}

/// The progress of a running analysis. Without a script the page reloads every 3 seconds.
fn progress_section(context: PageContext<'_>, progress: AnalysisProgress) -> Markup {
    let percent = percent(progress);
    html! {
        section #progress .panel {
            noscript { meta http-equiv="refresh" content="3"; }
            p role="status" {
                @if progress.ahead > 0 { (context.with("study-waits", &[("ahead", progress.ahead.into())])) }
                @else { (context.say("study-running")) }
            }
            progress max="100" value=(percent) aria-label=(context.say("study-progress")) { (percent) " %" }
            p.soft.small { (context.say("study-leave")) }
        }
    }
}

/// The result in a sentence, the chart of the players' chances, their results, and all decisions with their cost.
fn results(context: PageContext<'_>, analysis: &Analysis, you: Option<Seat>) -> Markup {
    let text = context.text;
    let names: Vec<String> = analysis.players.seats().map(|seat| context.name(seat)).collect();
    let colours: Vec<PlayerColour> = context.playing.people.iter().map(|person| person.colour).collect();
    let players = analysis.players.seats().map(|seat| player(context, seat));
    let chart = ChanceChart { text, analysis, names: &names, colours: &colours };
    html! {
        @if let Some(verdict) = text.verdict(analysis, &names, you) { p.verdict { (verdict) } }
        @if !analysis.complete { p { strong { (text.say("analysis-unfinished")) } } }
        // The style sheet shows one of the two: the labels of the wide chart would be too small on a phone.
        figure.chart.roomy { (PreEscaped(chart.draw(ChartSize::Wide))) }
        figure.chart.narrow {
            figcaption { (text.say("analysis-chart-title")) }
            (PreEscaped(chart.draw(ChartSize::Narrow)))
            p.soft.small { (text.say("analysis-chart-note")) }
        }
        details.panel { summary { (text.say("analysis-chart-chances")) } (chances(text, analysis, &names)) }
        section.panel aria-labelledby="split-title" {
            h2 #split-title { (text.say("analysis-players")) }
            (text_table(&text.say("analysis-players"), &text.player_table(analysis, &names), players))
            p.soft { (text.sum_note(analysis)) }
        }
        section.panel aria-labelledby="worst-title" {
            h2 #worst-title { (text.say("analysis-worst")) }
            @for seat in analysis.players.seats() { (worst_decisions(context, analysis, seat, &names)) }
        }
        section.panel aria-labelledby="decisions-title" {
            h2 #decisions-title { (text.say("analysis-decisions")) }
            @for seat in analysis.players.seats() {
                details.of-seat { summary { (player(context, seat)) } (all_decisions(context, analysis, seat)) }
            }
        }
        p.soft.small { (text.with("analysis-method", &[("seed", analysis.seed.to_string().into())])) }
    }
}

/// The emblem and the name of a player.
fn player(context: PageContext<'_>, seat: Seat) -> Markup {
    let colour = context.person(seat).colour;
    html! { span.of data-colour=(colour.name()) { span.badge { (emblem(colour)) } (context.short_name(seat)) } }
}

/// The address of a decision in the replay, seen by the seat that made it.
fn replay_address(context: PageContext<'_>, decision: &Decision) -> String {
    format!("/t/{}/replay?at={}&eyes={}", context.playing.info.table, decision.at, decision.seat)
}

/// The chances of all players after each round as a table, for screen readers, which cannot read the chart.
fn chances(text: Text, analysis: &Analysis, names: &[String]) -> Markup {
    let rows = text.chance_table(analysis, names);
    // Row 0 has the headings. Every other row starts with its round.
    let rounds = rows.iter().skip(1).map(|row| html! { @if let Some(round) = row.first() { (round) } });
    text_table(&text.say("analysis-chart-title"), &rows, rounds)
}

/// A table of text. The first of the `rows` has the headings of the columns. In the other rows, `row_headings` replace
/// the first cell.
fn text_table(label: &str, rows: &[Vec<String>], row_headings: impl Iterator<Item = Markup>) -> Markup {
    let Some((headings, rows)) = rows.split_first().filter(|(headings, _)| !headings.is_empty()) else {
        return html! {};
    };
    let rows = html! {
        @for (heading, row) in row_headings.zip(rows) {
            tr { th scope="row" { (heading) } (labelled_cells(&headings[1..], &row[1..])) }
        }
    };
    wide_table(label, headings, &rows)
}

/// Cells of a table row with the headings of their columns, which a phone shows beside each cell.
fn labelled_cells(headings: &[String], cells: &[String]) -> Markup {
    html! { @for (heading, cell) in headings.iter().zip(cells) { td data-label=(heading) { (cell) } } }
}

/// A player's decisions with the greatest cost, and the reason for each if one is known.
fn worst_decisions(context: PageContext<'_>, analysis: &Analysis, seat: Seat, names: &[String]) -> Markup {
    let text = context.text;
    html! {
        h3 { (player(context, seat)) }
        @if analysis.worst_decisions(seat).next().is_none() { p.soft { (text.say("analysis-worst-none")) } }
        @else {
            ol.worst {
                @for decision in analysis.worst_decisions(seat) {
                    li {
                        a href=(replay_address(context, decision)) { (text.decision(decision)) }
                        ". " (text.loss(decision)) "."
                        @if let Some(reason) = text.decision_reason(decision, names) { p.soft { (reason) } }
                    }
                }
            }
        }
    }
}

/// All decisions of a player, as a table.
fn all_decisions(context: PageContext<'_>, analysis: &Analysis, seat: Seat) -> Markup {
    let text = context.text;
    let headings = text.decision_headings();
    let rows = html! {
        @for decision in analysis.decisions.iter().filter(|decision| decision.seat == seat) {
            @let [round, other_cells @ ..] = text.decision_row(decision);
            tr.lost[decision.loss > 0.0] {
                th scope="row" { a href=(replay_address(context, decision)) { (round) } }
                (labelled_cells(&headings[1..], &other_cells))
            }
        }
    };
    wide_table(&context.name(seat), &headings, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_shown_in_percent() {
        for (done, total, expected) in [(0, 0, 0), (0, 8, 0), (1, 8, 12), (6, 8, 75), (8, 8, 100)] {
            assert_eq!(percent(AnalysisProgress { ahead: 0, done, total }), expected, "{done} of {total}");
        }
    }
}
