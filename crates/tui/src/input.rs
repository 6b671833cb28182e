//! From what the terminal reports to what the player means.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::{Position, Rect};
use sultan_domain::Cushion;

use crate::setup::Field;

/// What the player means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    /// The next field, or the one before.
    Next(bool),
    Enter,
    /// Take the last choice back.
    Undo,
    Escape,
    Help,
    Rules,
    Quit,
    Sign(char),
    /// Something on the screen was clicked.
    On(Target),
    /// The wheel was turned, down or up.
    Wheel(bool),
}

/// Something on the screen that can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A drawn jewel, or a card of the hand, by its number from 1.
    Thing(usize),
    Cushion(Cushion),
    Field(Field),
    /// A line of a list.
    Line(usize),
    /// A button: as if its key were pressed.
    Enter,
    Undo,
    Escape,
    Help,
    Rules,
    Quit,
    Sign(char),
}

/// What can be clicked, and where it was drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hits(Vec<(Rect, Target)>);

impl Hits {
    pub(crate) fn add(&mut self, area: Rect, target: Target) {
        self.0.push((area, target));
    }

    /// What lies there; what was drawn last lies on top.
    pub(crate) fn at(&self, column: u16, row: u16) -> Option<Target> {
        let hit = |(area, _): &&(Rect, Target)| area.contains(Position { x: column, y: row });
        self.0.iter().rev().find(hit).map(|&(_, target)| target)
    }
}

/// What an event means; nothing where it means nothing.
pub(crate) fn meaning(event: &Event, hits: &Hits) -> Option<Input> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(key),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => Some(match hits.at(mouse.column, mouse.row)? {
                Target::Enter => Input::Enter,
                Target::Undo => Input::Undo,
                Target::Escape => Input::Escape,
                Target::Help => Input::Help,
                Target::Rules => Input::Rules,
                Target::Quit => Input::Quit,
                Target::Sign(sign) => Input::Sign(sign),
                other => Input::On(other),
            }),
            MouseEventKind::Down(MouseButton::Right) => Some(Input::Undo),
            MouseEventKind::ScrollDown => Some(Input::Wheel(true)),
            MouseEventKind::ScrollUp => Some(Input::Wheel(false)),
            _ => None,
        },
        _ => None,
    }
}

fn of_key(key: &KeyEvent) -> Option<Input> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c' | 'q' | 'd') => Some(Input::Quit),
            KeyCode::Char('z' | 'h') => Some(Input::Undo),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Up => Input::Up,
        KeyCode::Down => Input::Down,
        KeyCode::Left => Input::Left,
        KeyCode::Right => Input::Right,
        KeyCode::Home => Input::Home,
        KeyCode::End => Input::End,
        KeyCode::Tab => Input::Next(true),
        KeyCode::BackTab => Input::Next(false),
        KeyCode::Enter => Input::Enter,
        KeyCode::Backspace | KeyCode::Delete => Input::Undo,
        KeyCode::Esc => Input::Escape,
        KeyCode::F(1) => Input::Help,
        KeyCode::F(2) => Input::Rules,
        KeyCode::PageDown => Input::Wheel(true),
        KeyCode::PageUp => Input::Wheel(false),
        KeyCode::Char(sign) => Input::Sign(sign),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::MouseEvent;

    fn click(column: u16, row: u16, hits: &Hits) -> Option<Input> {
        let kind = MouseEventKind::Down(MouseButton::Left);
        meaning(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }), hits)
    }

    #[test]
    fn topmost_target_is_clicked() {
        let mut hits = Hits::default();
        hits.add(Rect::new(0, 0, 10, 3), Target::Thing(1));
        hits.add(Rect::new(2, 1, 2, 1), Target::Enter);
        assert_eq!(click(0, 0, &hits), Some(Input::On(Target::Thing(1))));
        assert_eq!(click(2, 1, &hits), Some(Input::Enter));
        assert_eq!(click(10, 0, &hits), None);
    }

    #[test]
    fn keys_mean_something() {
        let key = |code, modifiers| meaning(&Event::Key(KeyEvent::new(code, modifiers)), &Hits::default());
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Input::Quit));
        assert_eq!(key(KeyCode::Char('?'), KeyModifiers::SHIFT), Some(Input::Sign('?')));
        assert_eq!(key(KeyCode::Backspace, KeyModifiers::NONE), Some(Input::Undo));
        assert_eq!(key(KeyCode::Home, KeyModifiers::NONE), Some(Input::Home));
        assert_eq!(key(KeyCode::Insert, KeyModifiers::NONE), None);
    }
}
