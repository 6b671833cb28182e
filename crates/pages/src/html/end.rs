//! The page of a finished game: the winner, and the points of each player with their calculation.
//!
//! Its parts are sections like those of the table, so that a live page gets the request for a rematch.
//!
//! When the game ends at a live page, the script opens this page with the fragment `#end`. The style sheet then lets the
//! collections appear from the last place to the first, and the winner at the end. Otherwise all is there at once.

use maud::{Markup, PreEscaped, html};
use sultan_domain::{BranchOrigin, ColourScore, Jewel, Outcome, Place, Seat, WaitingTable};

use super::art::{draw, draw_jewel, emblem, ornament};
use super::guide::guide;
use super::layout::{Page, page};
use super::section::Section;
use super::table::{PageContext, result_in_words};
use crate::display::DisplaySettings;

pub(crate) mod picture;
mod rematch;
#[cfg(test)]
mod tests;

/// The reader of an end page.
#[derive(Clone, Copy)]
pub(crate) struct EndReader<'a> {
    /// The seats of the reader's browser.
    pub(crate) own_seats: &'a [Seat],
    /// The rematch, if one was requested and still waits for players.
    pub(crate) rematch: Option<&'a WaitingTable>,
}

/// The sections of the page.
pub(crate) fn sections(context: PageContext<'_>, reader: EndReader<'_>) -> Vec<Section> {
    let own_seats = reader.own_seats;
    let mut sections = vec![
        Section::new("again", rematch::request(context, reader)),
        Section::new("triumph", winners(context, own_seats)),
    ];
    // In a guided game the guide explains the scoring above the ranking.
    sections.extend(guide(context));
    sections.push(Section::new("ranking", ranking(context, own_seats)));
    sections.push(Section::new("last-round", last_round(context)));
    sections.push(Section::new("after", links(context)));
    sections
}

/// The whole page.
pub(crate) fn end(display: &DisplaySettings, context: PageContext<'_>, reader: EndReader<'_>, version: u32) -> Markup {
    let info = &context.playing.info;
    let body = html! {
        (ornament("girih"))
        main #end data-phase="over" data-players=(context.view().parameters.players) data-table=(info.table)
            data-version=(version) data-round=(context.round_key()) data-live=(context.live_address("end")) {
            span #main .visually-hidden tabindex="-1" { (context.say("end-title")) }
            @for section in sections(context, reader) { (PreEscaped(section.html)) }
            @if context.view().outcome.is_some() { (share_buttons(display, context)) }
        }
    };
    page(display, &Page::new("end-page", &context.say("end-title"), context.say("table-about"), body))
}

/// "You" if this is the browser's only seat, else the player's name.
fn name_or_you(context: PageContext<'_>, own_seats: &[Seat], seat: Seat) -> String {
    if own_seats == [seat] { context.say("table-you") } else { context.name(seat) }
}

/// As [`name_or_you`], but shortened if there is not enough room.
fn short_name_or_you(context: PageContext<'_>, own_seats: &[Seat], seat: Seat) -> Markup {
    if own_seats == [seat] {
        html! { (context.say("table-you")) }
    } else {
        context.short_name(seat)
    }
}

/// The winners with their points, or a note that all players have left the table.
fn winners(context: PageContext<'_>, own_seats: &[Seat]) -> Markup {
    let Some(outcome) = &context.view().outcome else {
        return html! {
            section #triumph .triumph.left {
                h1 { (context.say("end-left-title")) }
                p { (context.say("end-left")) }
            }
        };
    };
    let places = outcome.by_rank();
    let winners: Vec<&Place> = places.iter().filter(|place| place.rank == 1).collect();
    // All winners have equal points and equally many jewels.
    let first_place = places.first().copied().unwrap_or_default();
    let values = [("points", first_place.points.into()), ("jewels", first_place.count.into())];
    html! {
        section #triumph .triumph {
            // Visible only while the collections appear. Screen readers get announcements.
            p.counting aria-hidden="true" { (context.say("end-counting")) }
            div.rays {}
            div.confetti aria-hidden="true" { @for _ in 0..8 { (draw("star", "")) } }
            (draw("crown", "crown"))
            p.gold {
                @if winners.len() == 1 { (context.say("end-treasurer")) } @else { (context.say("end-treasurers")) }
            }
            h1 {
                @for place in &winners {
                    span.winner data-colour=(context.person(place.seat).colour.name()) {
                        span.badge { (emblem(context.person(place.seat).colour)) } (name_or_you(context, own_seats, place.seat))
                    }
                    " "
                }
            }
            p { (context.with("end-points-with", &values)) }
            @if winners.len() > 1 { p { (context.say("end-draw")) } }
            (rematch::button(context, own_seats))
            // On a phone the ranking is below the fold, so its points are here, too.
            ol.standings aria-hidden="true" {
                @for place in &places {
                    @let colour = context.person(place.seat).colour;
                    li data-colour=(colour.name()) {
                        (place.rank) "." span.badge { (emblem(colour)) } b { (short_name_or_you(context, own_seats, place.seat)) }
                        span.num { (place.points) }
                    }
                }
            }
        }
    }
}

/// The scoring of all players by rank, and notes about ties.
fn ranking(context: PageContext<'_>, own_seats: &[Seat]) -> Markup {
    let places = context.view().outcome.as_ref().map(Outcome::by_rank).unwrap_or_default();
    html! {
        section #ranking aria-label=(context.say("end-ranking")) {
            div.ranking { @for place in &places { (tally(context, own_seats, place)) } }
            @for sentence in tie_break_sentences(context, own_seats, &places) { p.decided { (sentence) } }
        }
    }
}

/// Sentences about players with equal points and different numbers of jewels, which decide their ranks (RULES 5.5).
/// `places` are sorted by rank.
fn tie_break_sentences(context: PageContext<'_>, own_seats: &[Seat], places: &[Place]) -> Vec<String> {
    let neighbours = places.iter().zip(places.iter().skip(1));
    let by_jewels = neighbours.filter(|(ahead, behind)| ahead.points == behind.points && ahead.rank != behind.rank);
    let sentences = by_jewels.map(|(ahead, behind)| {
        let key = match own_seats {
            [own_seat] if *own_seat == ahead.seat => "end-decided-you",
            [own_seat] if *own_seat == behind.seat => "end-decided-against-you",
            _ => "end-decided",
        };
        context.with(key, &[("first", context.name(ahead.seat).into()), ("second", context.name(behind.seat).into())])
    });
    sentences.collect()
}

/// The scoring of one player's collection.
fn tally(context: PageContext<'_>, own_seats: &[Seat], place: &Place) -> Markup {
    let text = context.text;
    let is_winner = place.rank == 1;
    html! {
        article.tally.first[is_winner] data-colour=(context.person(place.seat).colour.name())
            data-seat=(place.seat) data-rank=(place.rank) data-points=(place.points) {
            h2 {
                span.rank aria-hidden="true" { (place.rank) "." }
                // A label without a value: the rank, and a colon as the language writes it.
                span.visually-hidden { (text.labelled(&text.with("end-rank", &[("rank", place.rank.into())]), "")) }
                span.badge { (emblem(context.person(place.seat).colour)) }
                b { (short_name_or_you(context, own_seats, place.seat)) }
                @if is_winner { (draw("crown", "crown")) }
            }
            ul { @for jewel in Jewel::ALL { (colour_score(context, place, jewel)) } }
            p.total {
                span { (text.with("end-jewels", &[("count", place.count.into())])) }
                b.num aria-hidden="true" { (place.points) }
                span.visually-hidden { (text.with("end-total", &[("points", place.points.into())])) }
            }
        }
    }
}

/// The jewels of one colour: their number, their points, and the bonus for this number.
fn colour_score(context: PageContext<'_>, place: &Place, jewel: Jewel) -> Markup {
    let text = context.text;
    let count = place.jewels.count(jewel);
    let ColourScore { points, bonus, .. } = context.view().parameters.score(place.jewels)[jewel as usize];
    let values = [("colour", text.jewel(jewel).into()), ("count", count.into()), ("points", jewel.points().into())];
    html! {
        li.none[count == 0] {
            (draw_jewel(jewel))
            span {
                span aria-hidden="true" { (count) " × " (jewel.points()) }
                span.visually-hidden { (text.with("end-line", &values)) ", " }
            }
            @if bonus > 0 {
                span.bonus {
                    span aria-hidden="true" { "+" (bonus) }
                    span.visually-hidden { (text.with("end-bonus", &[("points", bonus.into())])) ", " }
                }
            }
            span.num {
                span aria-hidden="true" { (points + bonus) }
                span.visually-hidden { (text.with("end-together", &[("points", (points + bonus).into())])) }
            }
        }
    }
}

/// The last round of the game, in words.
fn last_round(context: PageContext<'_>) -> Markup {
    html! {
        details #last-round .last-words {
            summary { (context.say("end-last-round")) }
            @if let Some(round) = &context.view().last_round {
                ul.told { @for sentence in result_in_words(context, round) { li { (sentence) } } }
            }
        }
    }
}

/// The address of the replay position from which a branch (a table that plays on from a position) was opened.
pub(crate) fn branch_origin_address(branch: BranchOrigin) -> String {
    format!("/t/{}/replay?at={}", branch.table, branch.at)
}

/// Links to the replay, the analysis, the verification and the record.
fn links(context: PageContext<'_>) -> Markup {
    let info = &context.playing.info;
    let address = |path: &str| format!("/t/{}/{path}", info.table);
    html! {
        nav #after .after aria-label=(context.say("end-after")) {
            a.btn href=(address("replay")) { (draw("icon-eye", "icon")) (context.say("replay-title")) }
            @match info.branch {
                Some(branch) => {
                    a.btn href=(branch_origin_address(branch)) { (context.say("branch-origin")) }
                    p.soft.branch-note { (context.say("branch-note")) }
                }
                None => {
                    a.btn href=(address("analysis")) { (draw("icon-rules", "icon")) (context.say("analysis-title")) }
                    a.btn href=(address("verify")) { (draw("icon-check", "icon")) (context.say("verify-title")) }
                    a.btn href=(address("record.sultan.json")) download="" { (draw("icon-history", "icon")) (context.say("end-record")) }
                }
            }
            a.btn.quiet href="/" { (draw("star", "icon")) (context.say("problem-home")) }
        }
    }
}

/// The link to the result and a picture of it, to copy, share or download.
fn share_buttons(display: &DisplaySettings, context: PageContext<'_>) -> Markup {
    let path = format!("/t/{}", context.playing.info.table);
    let link = format!("{}{path}", display.origin);
    let picture = format!("{path}/result.svg");
    html! {
        div.after {
            button.btn.needs-script type="button" data-share=(link) data-title=(context.title()) data-picture=(picture) {
                (draw("icon-link", "icon")) (context.say("lobby-share-link"))
            }
            button.btn.needs-script type="button" data-copy=(link) data-done=(context.say("lobby-link-copied")) {
                (draw("icon-copy", "icon")) (context.say("lobby-copy-link"))
            }
            // The script downloads a PNG instead, which messengers accept.
            a.btn href=(picture) download=(format!("{}.svg", context.playing.info.table)) { (draw("crown", "icon")) (context.say("end-picture")) }
        }
    }
}
