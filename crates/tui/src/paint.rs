//! Colours, where they are wanted: only the sixteen that every terminal has, each with the background it needs, so that they can be
//! read on light and on dark.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;
use sultan_domain::{Jewel, PlayerColour};

use crate::glyph;

/// How things are painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint {
    /// Whether there are colours at all (`NO_COLOR`).
    pub(crate) colours: bool,
}

impl Paint {
    fn coloured(self, style: Style) -> Style {
        if self.colours { style } else { Style::new() }
    }

    /// A jewel, as a stone of its own colour.
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

    /// A player's emblem.
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

    /// What is less important.
    pub(crate) fn faint(self) -> Style {
        self.coloured(Style::new().add_modifier(Modifier::DIM))
    }

    /// Titles.
    pub(crate) fn title(self) -> Style {
        self.coloured(Style::new().fg(Color::Cyan)).add_modifier(Modifier::BOLD)
    }

    /// What waits for the player.
    #[expect(clippy::unused_self, reason = "same interface as the other styles")]
    pub(crate) fn call(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What the cursor is at.
    #[expect(clippy::unused_self, reason = "same interface as the other styles")]
    pub(crate) fn cursor(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD)
    }

    /// What did not work.
    pub(crate) fn trouble(self) -> Style {
        self.coloured(Style::new().fg(Color::Red)).add_modifier(Modifier::BOLD)
    }

    /// The frame of what is being chosen from, or of something else.
    pub(crate) fn frame(self, active: bool) -> Style {
        if active { self.title() } else { self.faint() }
    }
}
