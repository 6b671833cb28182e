//! The help and rules pages.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use sultan_domain::Parameters;
use sultan_text::Text;

use super::{Canvas, without_rows};
use crate::app::Page;
use crate::input::Input;
use crate::narration::rules;
use crate::styles::EMPHASIS;
use crate::width::{fit, wrap};

/// Width of the column with the keys.
const KEY_COLUMN: usize = 15;

/// Draws a page, and returns the scroll position, limited to the end of the page.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, page: Page, parameters: &Parameters, scroll: usize) -> usize {
    let text = canvas.text;
    let (title_key, other_title_key, other_page_input, paragraphs) = match page {
        Page::Help => ("tui-key-help", "tui-key-rules", Input::Rules, help(text)),
        Page::Rules => {
            let rules = rules(text, parameters, true).into_iter().map(|rule| ("", rule)).collect();
            ("tui-key-rules", "tui-key-help", Input::Help, rules)
        }
    };
    let title = text.say(title_key);
    canvas.draw_header(area, &format!("Sultan · {title}"));
    let inner = canvas.draw_block(without_rows(area, 1, 1), &title, true);
    // Longer lines are hard to read.
    let columns = usize::from(inner.width).saturating_sub(2).min(96);
    let mut lines = Vec::new();
    for (keys, paragraph) in paragraphs {
        let indent = if keys.is_empty() { 0 } else { KEY_COLUMN };
        for (index, line) in wrap(&paragraph, columns - indent).into_iter().enumerate() {
            let keys = if index == 0 { keys } else { "" };
            let keys = Span::styled(format!(" {}", fit(keys, indent)), EMPHASIS);
            lines.push(Line::from(vec![keys, Span::raw(line)]));
        }
        if page == Page::Rules {
            lines.push(Line::raw(""));
        }
    }
    let scroll = scroll.min(lines.len().saturating_sub(inner.height.into()));
    canvas.draw_lines(inner, lines.split_off(scroll));
    let close = ("Esc", "tui-key-close", Some(Input::Escape));
    let scroll_keys = ("↑↓", "tui-key-scroll", None);
    canvas.draw_footer(area, &[close, scroll_keys, ("Tab", other_title_key, Some(other_page_input))]);
    scroll
}

/// The paragraphs of the help page: the keys (may be empty) and their explanation. `"\n"` is an empty line.
fn help(text: Text) -> Vec<(&'static str, String)> {
    vec![
        ("", text.say("tui-help-intro")),
        ("", String::from("\n")),
        ("0–9", text.say("tui-help-number")),
        ("← →", text.say("tui-help-arrows")),
        ("W R Y G B", text.say("tui-help-letters")),
        ("Enter", text.say("tui-help-enter")),
        ("Backspace, u", text.say("tui-help-undo")),
        ("?, F1", text.say("tui-help-help")),
        ("F2", text.say("tui-help-rules")),
        ("q, Ctrl-C", text.say("tui-help-quit")),
        ("", String::from("\n")),
        ("", text.say("tui-help-mouse")),
        ("", text.say("tui-help-signs")),
        ("", text.say("tui-help-more")),
    ]
}
