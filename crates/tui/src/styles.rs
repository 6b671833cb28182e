//! Colours and styles. Only the sixteen standard terminal colours are used, each with its own background, so that they
//! are readable on light and dark terminals.

use std::fmt::Display;

use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::Span;
use sultan_domain::{Jewel, PlayerColour};

use crate::glyph;

/// The style of prompts and keys.
pub(crate) const EMPHASIS: Style = Style::new().add_modifier(Modifier::BOLD);
/// The style of the item at the cursor.
pub(crate) const CURSOR: Style = Style::new().add_modifier(Modifier::REVERSED.union(Modifier::BOLD));

/// The styles that depend on whether colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Styles {
    /// Whether to use colours; false if `NO_COLOR` is set.
    pub(crate) colours: bool,
}

impl Styles {
    fn coloured(self, style: Style) -> Style {
        if self.colours { style } else { Style::new() }
    }

    /// A symbol on a coloured background.
    fn badge(self, symbol: impl Display, background: Color, foreground: Color) -> Span<'static> {
        Span::styled(format!(" {symbol} "), self.coloured(Style::new().bg(background).fg(foreground)))
    }

    /// The symbol of a jewel in its colour.
    pub(crate) fn jewel(self, jewel: Jewel) -> Span<'static> {
        let (background, foreground) = match jewel {
            Jewel::White => (Color::White, Color::Black),
            Jewel::Red => (Color::Red, Color::White),
            Jewel::Yellow => (Color::Yellow, Color::Black),
            Jewel::Green => (Color::Green, Color::Black),
            Jewel::Blue => (Color::Blue, Color::White),
        };
        self.badge(glyph::jewel(jewel), background, foreground).bold()
    }

    /// The emblem of a player in the player's colour.
    pub(crate) fn emblem(self, colour: PlayerColour) -> Span<'static> {
        let (background, foreground) = match colour {
            PlayerColour::Violet => (Color::Magenta, Color::White),
            PlayerColour::Gold => (Color::LightYellow, Color::Black),
            PlayerColour::Green => (Color::LightGreen, Color::Black),
            PlayerColour::Red => (Color::LightRed, Color::Black),
            PlayerColour::Blue => (Color::LightBlue, Color::Black),
        };
        self.badge(glyph::emblem(colour), background, foreground)
    }

    /// The style of less important text.
    pub(crate) fn faint(self) -> Style {
        self.coloured(Style::new().add_modifier(Modifier::DIM))
    }

    /// The style of titles.
    pub(crate) fn title(self) -> Style {
        self.coloured(Style::new().fg(Color::Cyan)).add_modifier(Modifier::BOLD)
    }

    /// The style of error messages.
    pub(crate) fn error(self) -> Style {
        self.coloured(Style::new().fg(Color::Red)).add_modifier(Modifier::BOLD)
    }
}
