//! Error pages.

use maud::{Markup, html};
use sultan_server::WebError;
use sultan_text::Text;

use super::art::draw;
use super::layout::{Page, page};
use crate::display::DisplaySettings;

/// The page that shows an error to people: a sentence with the reason, and a link to the home page.
pub(crate) fn problem(display: &DisplaySettings, error: &WebError) -> Markup {
    let text = display.text;
    let sentence = sentence(text, error);
    let body = html! {
        main #main .page.problem {
            section.panel {
                h1 { (text.say("problem-title")) }
                p.lead { (sentence) }
                p { a.btn.key href="/" { (draw("star", "icon")) (text.say("problem-home")) } }
            }
        }
    };
    page(display, &Page::new("problem-page", &text.say("problem-title"), sentence, body))
}

/// The error as a sentence in the reader's language.
pub(crate) fn sentence(text: Text, error: &WebError) -> String {
    text.error_message(error.code()).unwrap_or_else(|| text.say("refused-other"))
}
