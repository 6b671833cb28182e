//! The help and rules pages.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use sultan_domain::Parameters;
use sultan_text::Text;

use super::{Canvas, between};
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
    let (title, other, other_page, paragraphs) = match page {
        Page::Help => ("tui-key-help", "tui-key-rules", Input::Rules, help(text)),
        Page::Rules => {
            let rules = rules(text, parameters, true).into_iter().map(|rule| ("", rule)).collect();
            ("tui-key-rules", "tui-key-help", Input::Help, rules)
        }
    };
    let title = text.say(title);
    canvas.header(area, &format!("Sultan · {title}"));
    let inner = canvas.block(between(area, 1, 1), &title, true);
    let columns = usize::from(inner.width).saturating_sub(2).min(96);
    let mut lines = Vec::new();
    for (keys, paragraph) in paragraphs {
        let indent = if keys.is_empty() { 0 } else { KEY_COLUMN };
        for (number, line) in wrap(&paragraph, columns - indent).into_iter().enumerate() {
            let keys = if number == 0 { fit(keys, indent) } else { " ".repeat(indent) };
            lines.push(Line::from(vec![Span::styled(format!(" {keys}"), EMPHASIS), Span::raw(line)]));
        }
        if page == Page::Rules {
            lines.push(Line::raw(""));
        }
    }
    let room = usize::from(inner.height);
    let scroll = scroll.min(lines.len().saturating_sub(room));
    let shown: Vec<Line> = lines.into_iter().skip(scroll).take(room).collect();
    canvas.lines(inner, shown);
    let close = ("Esc", "tui-key-close", Some(Input::Escape));
    canvas.footer(area, &[close, ("↑↓", "tui-key-scroll", None), ("Tab", other, Some(other_page))]);
    scroll
}

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
