//! The variables of messages.

use std::borrow::Cow;
use std::fmt::Write;

/// A variable of a message: a text, or a number, which selects plural forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A text.
    Text(Cow<'a, str>),
    /// A whole number.
    Number(i64),
}

impl Value<'_> {
    /// Appends the value to a formatted message.
    pub(crate) fn push_to(&self, message: &mut String) {
        match self {
            Self::Text(text) => message.push_str(text),
            Self::Number(number) => write!(message, "{number}").expect("writing to a string cannot fail"),
        }
    }
}

/// Implements `From` for the types that convert losslessly into the content of a variant.
macro_rules! impl_from {
    ($($variant:ident($($source:ty),+)),+) => {
        $($(impl<'a> From<$source> for Value<'a> {
            fn from(value: $source) -> Self {
                Self::$variant(value.into())
            }
        })+)+
    };
}

impl_from!(Text(&'a str, &'a String, String), Number(u8, u16, u32));

impl From<usize> for Value<'_> {
    fn from(number: usize) -> Self {
        Self::Number(number.try_into().unwrap_or(i64::MAX))
    }
}
