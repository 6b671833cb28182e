//! The WebSocket messages that the server sends to a live page. Their field names are fixed: the page's script reads
//! them.

use axum::extract::ws::Message;
use serde::Serialize;

use super::fragments::push_shortened;
use crate::html::section::Section;

/// The format of the messages, which the script `30-live.js` names when it connects.
///
/// A message is one line of JSON. The HTML of the sections follows on further lines, because JSON would have to escape
/// every quotation mark in it, and with codes for its frequent fragments. (In format 1, which had no number, the sections were part of the JSON.)
pub(super) const FORMAT: u8 = 2;

/// The message about a change of a table that waits for players.
#[derive(Serialize)]
pub(super) struct LobbyMessage {
    pub(super) version: u32,
    pub(super) phase: &'static str,
    /// The attendance as a short text. The page sends them back when it reconnects.
    pub(super) gone: String,
    /// Sentences for screen readers.
    pub(super) say: Vec<String>,
}

/// The message about a change of a table in play. `gone` and `say` are as in [`LobbyMessage`].
#[derive(Serialize)]
pub(super) struct TableMessage {
    pub(super) version: u32,
    /// The number of actions so far.
    pub(super) at: u16,
    pub(super) phase: &'static str,
    /// Whether the observer is to act.
    pub(super) turn: bool,
    /// The seat to act, which the script marks.
    pub(super) to_act: Option<u8>,
    /// An identifier of the last finished round.
    pub(super) round: String,
    pub(super) gone: String,
    pub(super) say: Vec<String>,
    /// The title of the browser tab.
    pub(super) title: String,
    /// Whether the page must reload after showing this change.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) reload: bool,
}

/// The message about connected or disconnected players. Presence does not change the version of the table. `gone` and
/// `say` are as in [`LobbyMessage`].
#[derive(Serialize)]
pub(super) struct PresenceMessage {
    pub(super) version: u32,
    /// Always true. The script recognizes a presence message by this field.
    pub(super) passing: bool,
    pub(super) gone: String,
    pub(super) say: Vec<String>,
}

/// The message that the page must reload, because another page is now at its address.
#[derive(Serialize)]
pub(super) struct ReloadMessage {
    pub(super) version: u32,
    /// Always true.
    pub(super) reload: bool,
}

/// The message about a player's reaction, for example applause.
#[derive(Serialize)]
pub(super) struct ReactionMessage {
    pub(super) reaction: &'static str,
    pub(super) seat: u8,
    /// The text of the reaction.
    pub(super) word: String,
    /// A sentence for screen readers.
    pub(super) say: String,
}

/// Builds the WebSocket message with this content and these sections.
pub(super) fn message(content: &impl Serialize, sections: &[Section]) -> Message {
    let json = serde_json::to_string(content).expect("a message can be written as JSON");
    let html_bytes: usize = sections.iter().map(|section| section.html.len()).sum();
    let mut text = String::with_capacity(json.len() + 1 + html_bytes);
    text.push_str(&json);
    if !sections.is_empty() {
        text.push('\n');
        sections.iter().for_each(|section| push_shortened(&mut text, section));
    }
    Message::Text(text.into())
}
