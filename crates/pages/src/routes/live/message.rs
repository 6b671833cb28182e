//! The messages to a live page.

use std::io::Write;

use axum::extract::ws::{Message, Utf8Bytes};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

/// The maximum size of messages that are not worth compressing, in bytes.
const SHORT: usize = 1024;

/// A section of the page.
#[derive(Serialize)]
pub(super) struct Section<'a> {
    pub(super) id: &'static str,
    pub(super) html: &'a str,
}

/// A change of a table that waits for players.
#[derive(Serialize)]
pub(super) struct Waiting<'a> {
    pub(super) version: u32,
    pub(super) phase: &'static str,
    /// The absent seats, in the form that the page sends back when it reconnects.
    pub(super) gone: String,
    pub(super) sections: Vec<Section<'a>>,
    pub(super) say: Vec<String>,
}

/// A change of a table in play.
#[derive(Serialize)]
pub(super) struct Change<'a> {
    pub(super) version: u32,
    pub(super) at: u16,
    pub(super) phase: &'static str,
    /// Whether the observer is to act.
    pub(super) turn: bool,
    /// The last finished round.
    pub(super) round: String,
    pub(super) gone: String,
    pub(super) sections: Vec<Section<'a>>,
    pub(super) say: Vec<String>,
    pub(super) title: String,
    /// Whether the page must reload after showing this change.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) reload: bool,
}

/// A player connected or disconnected; the table has not changed.
#[derive(Serialize)]
pub(super) struct Presence<'a> {
    pub(super) version: u32,
    /// Always true: marks a message that is no change of the table.
    pub(super) passing: bool,
    pub(super) gone: String,
    pub(super) sections: Vec<Section<'a>>,
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
pub(super) struct Sign {
    pub(super) reaction: &'static str,
    pub(super) seat: u8,
    pub(super) word: String,
    pub(super) say: String,
}

/// A message as JSON text.
pub(super) struct Written(Utf8Bytes);

impl Written {
    pub(super) fn new(message: &impl Serialize) -> Self {
        Self(serde_json::to_string(message).expect("a message can be written as JSON").into())
    }

    /// The message as it is sent, compressed if that is worth it: sections contain many repetitions.
    pub(super) fn packed(self, deflate: bool) -> Message {
        let deflated = || {
            let mut encoder = DeflateEncoder::new(Vec::with_capacity(self.0.len() / 4), Compression::new(6));
            encoder.write_all(self.0.as_bytes()).ok()?;
            encoder.finish().ok()
        };
        let packed = if deflate && self.0.len() > SHORT { deflated() } else { None };
        match packed {
            Some(packed) => Message::Binary(packed.into()),
            None => Message::Text(self.0),
        }
    }
}
