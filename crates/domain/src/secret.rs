//! The seeds of a game, and the commitment to the server's seed.
//!
//! The module `chance` of `sultan-rules` computes all decks and draws of a game from the seeds. docs/fairness.md
//! explains why: the commitment is published first, so the server cannot choose its seed after it has received the
//! players' seeds.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a text is no seed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SeedError {
    /// Not 32 bytes in hexadecimal digits.
    #[error("64 hexadecimal digits are needed")]
    NotHex,
    /// A client seed of this many bytes.
    #[error("a client seed has at most 255 bytes, not {0}")]
    TooLong(usize),
}

fn bytes_from_hex(text: &str) -> Result<[u8; 32], SeedError> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| SeedError::NotHex)?;
    Ok(bytes)
}

/// The server's seed: 32 random bytes, secret until the game is over.
///
/// `Debug` is redacted, and only a [`crate::Record`] can serialize it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ServerSeed(pub [u8; 32]);

impl ServerSeed {
    /// The seed as 64 hexadecimal digits. Call it only for records of finished games.
    #[must_use]
    pub fn reveal(&self) -> String {
        hex::encode(self.0)
    }
}

impl fmt::Debug for ServerSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerSeed(hidden)")
    }
}

impl FromStr for ServerSeed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        bytes_from_hex(text).map(Self)
    }
}

/// SHA-256 of the server seed, published before players send their seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment(pub [u8; 32]);

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for Commitment {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        bytes_from_hex(text).map(Self)
    }
}

/// A player's seed: any text of up to 255 bytes, possibly empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct ClientSeed(String);

impl ClientSeed {
    /// The maximum length in bytes.
    pub const MAX_BYTES: usize = 255;

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Fails with [`SeedError::TooLong`] over 255 bytes.
impl TryFrom<String> for ClientSeed {
    type Error = SeedError;

    fn try_from(text: String) -> Result<Self, SeedError> {
        if text.len() > Self::MAX_BYTES { Err(SeedError::TooLong(text.len())) } else { Ok(Self(text)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_of_a_server_seed_is_redacted() {
        let seed = ServerSeed([0xab; 32]);
        assert_eq!(format!("{seed:?}"), "ServerSeed(hidden)");
        assert_eq!(seed.reveal().parse::<ServerSeed>(), Ok(seed));
        // Capital digits are accepted too.
        assert_eq!(seed.reveal().to_uppercase().parse::<ServerSeed>(), Ok(seed));
    }

    #[test]
    fn seeds_of_a_wrong_length_are_refused() {
        assert_eq!("ab".parse::<Commitment>(), Err(SeedError::NotHex));
        assert_eq!("zz".repeat(32).parse::<Commitment>(), Err(SeedError::NotHex));
        // `é` has two bytes: the limit is in bytes, not in characters.
        assert!(ClientSeed::try_from("é".repeat(127)).is_ok());
        assert_eq!(ClientSeed::try_from("é".repeat(128)), Err(SeedError::TooLong(256)));
    }

    #[test]
    fn commitments_and_client_seeds_round_trip_as_text() {
        let hex = "00112233445566778899aabbccddeeff".repeat(2);
        let commitment: Commitment = hex.parse().unwrap();
        assert_eq!((commitment.0[0], commitment.0[17], commitment.to_string()), (0x00, 0x11, hex.clone()));
        let json = serde_json::to_string(&commitment).unwrap();
        assert_eq!(json, format!("\"{hex}\""));
        assert_eq!(serde_json::from_str::<Commitment>(&json).unwrap(), commitment);
        assert!(serde_json::from_str::<Commitment>("\"00\"").is_err());
        let seed: ClientSeed = serde_json::from_str("\"tulip\"").unwrap();
        assert_eq!((seed.as_str(), serde_json::to_string(&seed).unwrap()), ("tulip", "\"tulip\"".to_owned()));
        assert!(ClientSeed::try_from("t".repeat(255)).is_ok());
        assert!(serde_json::from_str::<ClientSeed>(&format!("\"{}\"", "t".repeat(256))).is_err());
    }
}
