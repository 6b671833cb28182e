//! The page to open a record file (a finished game as JSON), and error messages about such files.

use maud::{Markup, html};
use sultan_domain::Observer;
use sultan_table::{BadFile, FalseClaim, Replay};
use sultan_text::Text;

use crate::display::DisplaySettings;
use crate::html::layout::{Page, page};
use crate::html::table::PageContext;

/// The page to choose a record file. `result` is the response to a previous upload: an error, or a list of its games.
pub(crate) fn choose_file(display: &DisplaySettings, result: &Markup) -> Markup {
    let text = display.text;
    let body = html! {
        main #main .page.open-record {
            section.panel {
                h1 { (text.say("record-title")) }
                (result)
                form.form #record-file method="post" action="/replay" enctype="multipart/form-data" {
                    p { (text.say("record-lead")) " " span.needs-script { (text.say("record-drop")) } }
                    label.field { span { (text.say("record-choose")) }
                        input.input type="file" name="record" accept=".json,.jsonl,application/json" required;
                    }
                    button.btn.key type="submit" { (text.say("record-go")) }
                }
                form.form method="post" action="/replay" {
                    label.field { span { (text.say("record-paste")) }
                        textarea.input name="record" rows="4" spellcheck="false" autocomplete="off" required {}
                    }
                    button.btn type="submit" { (text.say("record-go")) }
                }
            }
        }
    };
    page(display, &Page::new("record-page", &text.say("record-title"), text.say("record-about"), body))
}

/// The reason why an upload was rejected.
pub(crate) fn rejection(reason: &str) -> Markup {
    html! { p.refusal role="alert" { (reason) } }
}

/// Links to the games of an upload. Each game has the address of its replay.
pub(crate) fn game_list(text: Text, games: &[(Replay, String)]) -> Markup {
    html! {
        p role="status" { (text.say("record-several")) }
        ol.games {
            @for ((game, address), number) in games.iter().zip(1_usize..) {
                @let playing = game.view_at(0, Observer::Public);
                @let context = PageContext { text, playing: &playing, query: "" };
                @let names = playing.view.seats.iter().map(|seat| context.name(seat.seat)).collect::<Vec<_>>().join(", ");
                li { a href=(address) { (text.with("record-game", &[("number", number.into()), ("names", names.into())])) } }
            }
        }
    }
}

/// Warnings about a game from a file: claims of the record that its seeds contradict, and that the game is unfinished.
pub(super) fn warnings(text: Text, replay: &Replay, false_claims: &[FalseClaim]) -> Markup {
    html! {
        @for claim in false_claims {
            p.refusal role="note" {
                @match claim {
                    FalseClaim::Commitment => (text.say("record-doubt-promise")),
                    FalseClaim::FirstSeat => (text.say("record-doubt-first")),
                }
            }
        }
        @if !replay.is_complete() { p.soft { (text.say("record-unfinished")) } }
    }
}

/// The reason why a file has no readable game, in the reader's language.
pub(crate) fn rejection_reason(text: Text, error: &BadFile) -> String {
    match error {
        BadFile::Empty => text.say("record-empty"),
        BadFile::CutOff => text.say("record-cut-off"),
        BadFile::NoRecord => text.say("record-none"),
        BadFile::Newer(version) => text.with("record-newer", &[("version", version.to_string().into())]),
        BadFile::Faulty(_) => text.say("record-faulty"),
        BadFile::Impossible { number, .. } => text.with("record-impossible", &[("number", (*number).into())]),
    }
}
