//! The file format of nets: used by the shipped nets and by `sultan train`.
//!
//! A file has a header (format, version, number of players), then all numbers of the three nets. Each number is stored
//! in 16 bits as a multiple of a scale; each part of a net (weights or biases of one layer) is preceded by its scale.

use std::sync::OnceLock;

use sultan_domain::{Parameters, Players};
use thiserror::Error;

use super::net_set::NetSet;

/// Trained nets for one number of players.
#[derive(Clone, Debug)]
pub struct Nets {
    players: Players,
    /// The nets.
    pub net_set: NetSet,
}

/// The reason why bytes are not a valid file of nets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadNets {
    /// Unknown header.
    #[error("not a file of nets written by `sultan train`")]
    NoNets,
    /// Unsupported version.
    #[error("nets written by another version of `sultan train`")]
    OtherVersion,
    /// Wrong length or invalid content.
    #[error("truncated or damaged nets")]
    Damaged,
}

/// The first bytes of every file of nets.
const MAGIC: &[u8; 12] = b"sultan-nets\n";
/// The version of the file format. Must be increased when the features or the shape of the nets change.
const VERSION: u8 = 2;

impl Nets {
    /// Nets for this number of players.
    #[must_use]
    pub const fn new(players: Players, net_set: NetSet) -> Self {
        Self { players, net_set }
    }

    /// The number of players the nets are for.
    #[must_use]
    pub const fn players(&self) -> Players {
        self.players
    }

    /// The shipped nets.
    #[must_use]
    pub fn shipped(players: Players) -> &'static Self {
        static SHIPPED: [OnceLock<Nets>; 4] = [const { OnceLock::new() }; 4];
        const BYTES: [&[u8]; 4] = [
            include_bytes!("../../../nets/2.nets"),
            include_bytes!("../../../nets/3.nets"),
            include_bytes!("../../../nets/4.nets"),
            include_bytes!("../../../nets/5.nets"),
        ];
        let index = usize::from(players.count() - 2);
        SHIPPED[index].get_or_init(|| Self::from_bytes(BYTES[index]).expect("a test reads the shipped nets"))
    }

    /// `nets` if they are for this number of players, otherwise the shipped ones.
    pub(crate) fn given_or_shipped(nets: Option<&Self>, players: Players) -> &Self {
        nets.filter(|nets| nets.players == players).unwrap_or_else(|| Self::shipped(players))
    }

    /// The nets as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.players.count()]);
        for net in self.net_set.nets() {
            for part in net.shape.parts() {
                let highest =
                    net.numbers[part.clone()].iter().fold(0.0_f32, |highest, number| highest.max(number.abs()));
                let scale = highest.max(f32::MIN_POSITIVE) / f32::from(i16::MAX);
                bytes.extend(scale.to_le_bytes());
                for number in &net.numbers[part] {
                    #[expect(clippy::cast_possible_truncation, reason = "the scale makes it fit")]
                    let multiple = (number / scale).round() as i16;
                    bytes.extend(multiple.to_le_bytes());
                }
            }
        }
        bytes
    }

    /// Reads the output of [`Nets::to_bytes`].
    ///
    /// # Errors
    /// [`BadNets`] if the bytes are not a valid file of nets.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadNets> {
        let bytes = bytes.strip_prefix(MAGIC).ok_or(BadNets::NoNets)?;
        let (&[version, players], mut unread) = bytes.split_first_chunk().ok_or(BadNets::Damaged)?;
        if version != VERSION {
            return Err(BadNets::OtherVersion);
        }
        let players = Players::new(players).ok_or(BadNets::Damaged)?;
        let mut net_set = NetSet::zero(&Parameters::of(players));
        for net in net_set.nets_mut() {
            for part in net.shape.parts() {
                let (scale, after_scale) = unread.split_first_chunk().ok_or(BadNets::Damaged)?;
                let scale = f32::from_le_bytes(*scale);
                let multiples;
                (multiples, unread) = after_scale.split_at_checked(2 * part.len()).ok_or(BadNets::Damaged)?;
                for (number, multiple) in net.numbers[part].iter_mut().zip(multiples.as_chunks().0) {
                    *number = f32::from(i16::from_le_bytes(*multiple)) * scale;
                }
            }
            if !net.numbers.iter().all(|number| number.is_finite()) {
                return Err(BadNets::Damaged);
            }
        }
        if unread.is_empty() { Ok(Self { players, net_set }) } else { Err(BadNets::Damaged) }
    }
}
