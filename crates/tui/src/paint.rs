//! Colours and styles. Only the sixteen standard terminal colours are used, each with its own background, so that they
//! are readable on light and dark terminals.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;
use sultan_domain::{Jewel, PlayerColour};

use crate::glyph;

/// The styles of the screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint {
    /// Whether to use colours; false if `NO_COLOR` is set.
    pub(crate) colours: bool,
}

impl Paint {
    fn coloured(self, style: Style) -> Style {
        if self.colours { style } else { Style::new() }
    }

    /// The symbol of a jewel in its colour.
    pub(crate) fn jewel(self, jewel: Jewel) -> Span<'static> {
        let (on, ink) = match jewel {
            Jewel::White => (Color::White, Color::Black),
            Jewel::Red => (Color::Red, Color::White),
            Jewel::Yellow => (Color::Yellow, Color::Black),
            Jewel::Green => (Color::Green, Color::Black),
            Jewel::Blue => (Color::Blue, Color::White),
        };
        let style = self.coloured(Style::new().bg(on).fg(ink)).add_modifier(Modifier::BOLD);
        Span::styled(format!(" {} ", glyph::jewel(jewel)), style)
    }

    /// The emblem of a player in the player's colour.
    pub(crate) fn emblem(self, colour: PlayerColour) -> Span<'static> {
        let (on, ink) = match colour {
            PlayerColour::Violet => (Color::Magenta, Color::White),
            PlayerColour::Gold => (Color::LightYellow, Color::Black),
            PlayerColour::Green => (Color::LightGreen, Color::Black),
            PlayerColour::Red => (Color::LightRed, Color::Black),
            PlayerColour::Blue => (Color::LightBlue, Color::Black),
        };
        Span::styled(format!(" {} ", glyph::emblem(colour)), self.coloured(Style::new().bg(on).fg(ink)))
    }

    /// The style of less important text.
    pub(crate) fn faint(self) -> Style {
        self.coloured(Style::new().add_modifier(Modifier::DIM))
    }

    /// The style of titles.
    pub(crate) fn title(self) -> Style {
        self.coloured(Style::new().fg(Color::Cyan)).add_modifier(Modifier::BOLD)
    }

    /// The style of prompts and keys.
    #[expect(clippy::unused_self, reason = "same interface as the other styles")]
    pub(crate) fn call(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The style of the item at the cursor.
    #[expect(clippy::unused_self, reason = "same interface as the other styles")]
    pub(crate) fn cursor(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD)
    }

    /// The style of error messages.
    pub(crate) fn trouble(self) -> Style {
        self.coloured(Style::new().fg(Color::Red)).add_modifier(Modifier::BOLD)
    }

    /// The style of a frame; `active` for the frame that the player is choosing from.
    pub(crate) fn frame(self, active: bool) -> Style {
        if active { self.title() } else { self.faint() }
    }
}
