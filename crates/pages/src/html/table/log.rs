//! The log: the results of the last finished round, and the events of this round so far.
//!
//! The live page's script appends new sentences, so that a message never repeats the log. It is a dialog, except on wide
//! pages, which show it beside the board.

use maud::{Markup, html};
use sultan_domain::Screens;

use super::last_round::result_in_words;
use super::{PageContext, dialog_head};
use crate::html::section::Section;

/// The log in its frame.
pub(super) fn log(context: PageContext<'_>) -> Markup {
    html! {
        section #story popover="auto" {
            (dialog_head(context, "story", &context.say("table-story")))
            // The newest sentence is at the bottom. Only a list that has focus scrolls by keyboard.
            div.log tabindex="0" role="region" aria-labelledby="story-title" { (sentences(context)) }
        }
    }
}

/// The list of sentences, for a page that has missed some.
pub(crate) fn log_section(context: PageContext<'_>) -> Section {
    Section::new("log", sentences(context))
}

/// The list of sentences. Results of earlier rounds are hidden (RULES 7): the script removes them, unless the screens are
/// open.
fn sentences(context: PageContext<'_>) -> Markup {
    let view = context.view();
    let results = view.last_round.iter().flat_map(|round| result_in_words(context, round));
    html! {
        ol #log .told data-keeps[view.screens == Screens::Open] {
            @for sentence in results.chain(context.narrator().round(view)) { li { (sentence) } }
        }
    }
}
