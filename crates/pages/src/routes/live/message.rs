//! What is sent to a page.

use std::io::Write;

use axum::extract::ws::{Message, Utf8Bytes};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

/// Up to so many bytes a message is not worth packing.
const SHORT: usize = 1024;

/// A part of the page.
#[derive(Serialize)]
pub(super) struct Section<'a> {
    pub(super) id: &'static str,
    pub(super) html: &'a str,
}

/// A table that waits for players has changed.
#[derive(Serialize)]
pub(super) struct Waiting<'a> {
    pub(super) version: u32,
    pub(super) phase: &'static str,
    /// Who has gone, as the page says it when it calls again.
    pub(super) gone: String,
    pub(super) sections: Vec<Section<'a>>,
    pub(super) say: Vec<String>,
}

/// A table in play has changed.
#[derive(Serialize)]
pub(super) struct Change<'a> {
    pub(super) version: u32,
    pub(super) at: u16,
    pub(super) phase: &'static str,
    /// Whether whoever looks is to act.
    pub(super) turn: bool,
    /// The last finished round.
    pub(super) round: String,
    pub(super) gone: String,
    pub(super) sections: Vec<Section<'a>>,
    pub(super) say: Vec<String>,
    pub(super) title: String,
    /// Whether the page is another one now, after what this tells.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) reload: bool,
}

/// Somebody came or went; the table is as it was.
#[derive(Serialize)]
pub(super) struct Presence<'a> {
    pub(super) version: u32,
    /// That it is no change of the table.
    pub(super) passing: bool,
    pub(super) gone: String,
    pub(super) sections: Vec<Section<'a>>,
    pub(super) say: Vec<String>,
}

/// The page is another one now.
#[derive(Serialize)]
pub(super) struct Reload {
    pub(super) version: u32,
    pub(super) reload: bool,
}

/// Somebody gave a sign.
#[derive(Serialize)]
pub(super) struct Sign {
    pub(super) reaction: &'static str,
    pub(super) seat: u8,
    pub(super) word: String,
    pub(super) say: String,
}

/// A message as text.
pub(super) struct Written(Utf8Bytes);

impl Written {
    pub(super) fn new(message: &impl Serialize) -> Self {
        Self(serde_json::to_string(message).expect("a message can be written as JSON").into())
    }

    /// A message as it is sent: the parts of a page repeat themselves, and most pages can unpack them.
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
