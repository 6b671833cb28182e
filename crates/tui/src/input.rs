//! Translates terminal events to inputs.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::{Position, Rect};
use sultan_domain::Cushion;

use crate::form::Field;

/// An input of the player: a key or a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    /// Tab.
    NextField,
    /// Shift and Tab.
    PreviousField,
    Enter,
    /// Undo the last step.
    Undo,
    Escape,
    Help,
    Rules,
    Quit,
    Char(char),
    ScrollDown,
    ScrollUp,
    /// A click on a drawn jewel or a card of the hand, by its index.
    Item(usize),
    /// A click on a cushion.
    Cushion(Cushion),
    /// A click on a field of the form.
    Field(Field),
    /// A click on a line of a list, by the index of its game or seat.
    Line(usize),
}

/// The direction in which a cursor moves, or in which a value changes within a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

impl Input {
    /// The direction in which this input moves the cursor of a vertical list.
    pub(crate) const fn list_direction(self) -> Option<Direction> {
        match self {
            Self::Down | Self::NextField | Self::ScrollDown => Some(Direction::Forward),
            Self::Up | Self::PreviousField | Self::ScrollUp => Some(Direction::Backward),
            _ => None,
        }
    }
}

/// The clickable areas of a frame, each with the input of a click on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClickAreas(Vec<(Rect, Input)>);

impl ClickAreas {
    pub(crate) fn add(&mut self, area: Rect, input: Input) {
        self.0.push((area, input));
    }

    /// The input of the area at a position. If areas overlap, the area that was added last wins.
    pub(crate) fn input_at(&self, column: u16, row: u16) -> Option<Input> {
        let position = Position { x: column, y: row };
        self.0.iter().rev().find(|(area, _)| area.contains(position)).map(|&(_, input)| input)
    }
}

/// The input for a terminal event. `None` if the event has no meaning.
pub(crate) fn translate(event: &Event, areas: &ClickAreas) -> Option<Input> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => translate_key(key),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => areas.input_at(mouse.column, mouse.row),
            MouseEventKind::Down(MouseButton::Right) => Some(Input::Undo),
            MouseEventKind::ScrollDown => Some(Input::ScrollDown),
            MouseEventKind::ScrollUp => Some(Input::ScrollUp),
            _ => None,
        },
        _ => None,
    }
}

fn translate_key(key: &KeyEvent) -> Option<Input> {
    let has_control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c' | 'q' | 'd') if has_control => Input::Quit,
        // Some terminals send Ctrl-H for Backspace.
        KeyCode::Char('z' | 'h') if has_control => Input::Undo,
        _ if has_control => return None,
        KeyCode::Up => Input::Up,
        KeyCode::Down => Input::Down,
        KeyCode::Left => Input::Left,
        KeyCode::Right => Input::Right,
        KeyCode::Home => Input::Home,
        KeyCode::End => Input::End,
        KeyCode::Tab => Input::NextField,
        KeyCode::BackTab => Input::PreviousField,
        KeyCode::Enter => Input::Enter,
        KeyCode::Backspace | KeyCode::Delete => Input::Undo,
        KeyCode::Esc => Input::Escape,
        KeyCode::F(1) => Input::Help,
        KeyCode::F(2) => Input::Rules,
        KeyCode::PageDown => Input::ScrollDown,
        KeyCode::PageUp => Input::ScrollUp,
        KeyCode::Char(character) => Input::Char(character),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::MouseEvent;

    fn click(column: u16, row: u16, areas: &ClickAreas) -> Option<Input> {
        let kind = MouseEventKind::Down(MouseButton::Left);
        translate(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }), areas)
    }

    #[test]
    fn click_on_overlapping_areas_reaches_the_last_added_area() {
        let mut areas = ClickAreas::default();
        areas.add(Rect::new(0, 0, 10, 3), Input::Item(1));
        areas.add(Rect::new(2, 1, 2, 1), Input::Enter);
        assert_eq!(click(0, 0, &areas), Some(Input::Item(1)));
        assert_eq!(click(2, 1, &areas), Some(Input::Enter));
        assert_eq!(click(10, 0, &areas), None);
    }

    #[test]
    fn keys_are_translated() {
        let key = |code, modifiers| translate(&Event::Key(KeyEvent::new(code, modifiers)), &ClickAreas::default());
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Input::Quit));
        assert_eq!(key(KeyCode::Char('?'), KeyModifiers::SHIFT), Some(Input::Char('?')));
        assert_eq!(key(KeyCode::Backspace, KeyModifiers::NONE), Some(Input::Undo));
        assert_eq!(key(KeyCode::Home, KeyModifiers::NONE), Some(Input::Home));
        assert_eq!(key(KeyCode::Insert, KeyModifiers::NONE), None);
    }
}
