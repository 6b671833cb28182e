//! JSON forms of types that are one number or one string, the same as in text.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Action, Commitment, Cushion, Kind, MoneyCard, Players, Seat, TableId};

/// Writes a type as a number, in text and JSON. `$number` is the method that returns the number, `new` checks a number
/// that is read, and `$error` is the message for an invalid number.
macro_rules! as_number {
    ($type:ident, $number:ident, $error:literal) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.$number().fmt(f)
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u8(self.$number())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let number = u8::deserialize(deserializer)?;
                Self::new(number).ok_or_else(|| de::Error::custom(format!($error, number)))
            }
        }
    };
}

as_number!(Cushion, number, "there is no cushion {}");
as_number!(MoneyCard, value, "there is no money card {}");
as_number!(Players, count, "Sultan is for 2 to 5 players, not {}");
as_number!(Seat, number, "there is no seat {}");

/// Writes a type to JSON as a string with `Display`, and reads it with `FromStr`.
macro_rules! as_text {
    ($type:ident) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    };
}

as_text!(Action);
as_text!(Commitment);
as_text!(Kind);
as_text!(TableId);
