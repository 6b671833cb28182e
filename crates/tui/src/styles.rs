//! Colours and styles. Only the sixteen standard terminal colours are used. Jewels and emblems have a background colour
//! of their own, so that they are readable on light and dark terminals.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::Span;
use sultan_domain::{Jewel, PlayerColour};

use crate::glyph;

/// The style of prompts and keys.
pub(crate) const EMPHASIS: Style = Style::new().add_modifier(Modifier::BOLD);
/// The style of the item at the cursor.
pub(crate) const CURSOR: Style = Style::new().add_modifier(Modifier::REVERSED.union(Modifier::BOLD));

/// The style of less important text.
pub(crate) const FAINT: Style = Style::new().add_modifier(Modifier::DIM);
/// The style of titles.
pub(crate) const TITLE: Style = EMPHASIS.fg(Color::Cyan);
/// The style of error messages.
pub(crate) const ERROR: Style = EMPHASIS.fg(Color::Red);

/// The symbol of a jewel in its colour.
pub(crate) fn jewel_badge(jewel: Jewel) -> Span<'static> {
    let (background, foreground) = match jewel {
        Jewel::White => (Color::White, Color::Black),
        Jewel::Red => (Color::Red, Color::White),
        Jewel::Yellow => (Color::Yellow, Color::Black),
        Jewel::Green => (Color::Green, Color::Black),
        Jewel::Blue => (Color::Blue, Color::White),
    };
    format!(" {} ", glyph::jewel(jewel)).bg(background).fg(foreground).bold()
}

/// The emblem of a player in the player's colour.
pub(crate) fn emblem_badge(colour: PlayerColour) -> Span<'static> {
    let (background, foreground) = match colour {
        PlayerColour::Violet => (Color::Magenta, Color::White),
        PlayerColour::Gold => (Color::LightYellow, Color::Black),
        PlayerColour::Green => (Color::LightGreen, Color::Black),
        PlayerColour::Red => (Color::LightRed, Color::Black),
        PlayerColour::Blue => (Color::LightBlue, Color::Black),
    };
    format!(" {} ", glyph::emblem(colour)).bg(background).fg(foreground)
}

/// Makes a drawn frame monochrome: removes colours and dimming, which some terminals show as a colour.
pub(crate) fn remove_colours(frame: &mut Buffer) {
    for cell in &mut frame.content {
        (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
        cell.modifier.remove(Modifier::DIM);
    }
}
