//! The WebSocket messages that the server sends to a live page. Their field names are fixed: the page's script reads
//! them.

use std::io::Write;

use axum::extract::ws::Message;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use crate::html::section::Section;

/// The minimum size of a compressed message, in bytes.
const MIN_COMPRESSED_BYTES: usize = 6 * 1024;

/// The message about a change of a table that waits for players.
#[derive(Serialize)]
pub(super) struct LobbyMessage {
    pub(super) version: u32,
    pub(super) phase: &'static str,
    /// The attendance as a short text. The page sends them back when it reconnects.
    pub(super) gone: String,
    pub(super) sections: Vec<Section>,
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
    pub(super) sections: Vec<Section>,
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
    pub(super) sections: Vec<Section>,
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

/// Builds the WebSocket message with this content, as JSON.
///
/// Only long messages, about one per round, are compressed, and at the fastest level: compressing all messages would
/// take more CPU time than everything else together. Pages that cannot decompress get text.
pub(super) fn message(content: &impl Serialize, can_decompress: bool) -> Message {
    let json = serde_json::to_string(content).expect("a message can be written as JSON");
    if !can_decompress || json.len() < MIN_COMPRESSED_BYTES {
        return Message::Text(json.into());
    }
    let mut encoder = DeflateEncoder::new(Vec::with_capacity(json.len() / 3), Compression::fast());
    match encoder.write_all(json.as_bytes()).and_then(|()| encoder.finish()) {
        Ok(compressed) => Message::Binary(compressed.into()),
        Err(_) => Message::Text(json.into()),
    }
}
