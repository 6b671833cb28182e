//! The messages to a live page.

use std::io::Write;

use axum::extract::ws::Message;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use crate::html::section::Section;

/// Messages of this size and more are compressed.
const MIN_COMPRESSED_BYTES: usize = 6 * 1024;

/// A change of a table that waits for players.
#[derive(Serialize)]
pub(super) struct Waiting {
    pub(super) version: u32,
    pub(super) phase: &'static str,
    /// The absent seats, in the form that the page sends back when it reconnects.
    pub(super) gone: String,
    pub(super) sections: Vec<Section>,
    pub(super) say: Vec<String>,
}

/// A change of a table in play.
#[derive(Serialize)]
pub(super) struct Change {
    pub(super) version: u32,
    pub(super) at: u16,
    pub(super) phase: &'static str,
    /// Whether the observer is to act.
    pub(super) turn: bool,
    /// The seat to act, which the script marks.
    pub(super) to_act: Option<u8>,
    /// The last finished round.
    pub(super) round: String,
    pub(super) gone: String,
    pub(super) sections: Vec<Section>,
    pub(super) say: Vec<String>,
    pub(super) title: String,
    /// Whether the page must reload after showing this change.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) reload: bool,
}

/// A player connected or disconnected; the table has not changed.
#[derive(Serialize)]
pub(super) struct Presence {
    pub(super) version: u32,
    /// Always true: marks a message that is no change of the table.
    pub(super) passing: bool,
    pub(super) gone: String,
    pub(super) sections: Vec<Section>,
    pub(super) say: Vec<String>,
}

/// The page must reload.
#[derive(Serialize)]
pub(super) struct Reload {
    pub(super) version: u32,
    pub(super) reload: bool,
}

/// A reaction of a player.
#[derive(Serialize)]
pub(super) struct ReactionMessage {
    pub(super) reaction: &'static str,
    pub(super) seat: u8,
    pub(super) word: String,
    pub(super) say: String,
}

/// A message as JSON.
pub(super) fn json(content: &impl Serialize) -> String {
    serde_json::to_string(content).expect("a message can be written as JSON")
}

/// A message as it is sent. Only the longest are compressed, about one per round, and at the fastest level: compressing
/// every message takes more CPU time than everything else together.
pub(super) fn packed(json: String, deflate: bool) -> Message {
    if !deflate || json.len() < MIN_COMPRESSED_BYTES {
        return Message::Text(json.into());
    }
    let mut encoder = DeflateEncoder::new(Vec::with_capacity(json.len() / 3), Compression::fast());
    match encoder.write_all(json.as_bytes()).and_then(|()| encoder.finish()) {
        Ok(packed) => Message::Binary(packed.into()),
        Err(_) => Message::Text(json.into()),
    }
}
