//! Secrets: the token of a seat and the identity of a browser ([`Visitor`]). Only their hashes are stored.

use std::fmt;
use std::str::FromStr;

use hex::FromHex;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use sultan_store::{TokenHash, VisitorHash};

/// Unpredictable bytes.
///
/// # Panics
/// If the machine has no source of randomness: without it no game is fair.
pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the machine has a source of randomness");
    bytes
}

/// Defines a type for one kind of secret. The two kinds are separate types, so that they cannot be confused.
macro_rules! secret {
    ($(#[$doc:meta])* $name:ident, $hash:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name([u8; 32]);

        impl $name {
            /// A new random secret.
            #[must_use]
            pub fn random() -> Self {
                Self(random_bytes())
            }

            /// A secret with these bytes.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The secret as text, for its owner only.
            #[must_use]
            pub fn reveal(&self) -> String {
                hex::encode(self.0)
            }

            pub(crate) fn hash(&self) -> $hash {
                $hash(Sha256::digest(self.0).into())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(hidden)"))
            }
        }

        impl FromStr for $name {
            type Err = hex::FromHexError;

            fn from_str(text: &str) -> Result<Self, hex::FromHexError> {
                FromHex::from_hex(text).map(Self)
            }
        }
    };
}

secret! {
    /// The secret that proves that a caller has a seat: 256 random bits.
    SeatToken, TokenHash
}
secret! {
    /// The secret that identifies a browser: 256 random bits.
    Visitor, VisitorHash
}

/// Returns whether two hashes are equal. Takes the same time for all hashes, so the time reveals no part of a hash.
pub(crate) fn equal_in_constant_time(left: &[u8; 32], right: &[u8; 32]) -> bool {
    left.ct_eq(right).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_round_trip_as_text_and_debug_hides_them() {
        let token = SeatToken::random();
        let text = token.reveal();
        assert_eq!(text.len(), 64);
        assert!(equal_in_constant_time(&text.parse::<SeatToken>().unwrap().hash().0, &token.hash().0));
        assert!(!equal_in_constant_time(&SeatToken::random().hash().0, &token.hash().0));
        assert_eq!(format!("{token:?}"), "SeatToken(hidden)");
        // Too short, and not hexadecimal.
        for wrong in ["", "00", &text[1..], &text.replace(|_| true, "x")] {
            assert!(wrong.parse::<SeatToken>().is_err(), "“{wrong}” was accepted as a token");
        }
    }
}
