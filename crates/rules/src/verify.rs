//! Whether a record holds: its chance, the legality of its actions, its result.

use sultan_domain::{Commitment, FirstSeatBy, Record, Seat};
use thiserror::Error;

use crate::{GameSeed, Replay, ReplayError, commitment, replay};

/// Something about a record that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The server seed is not the one that was promised.
    #[error("commitment: the server seed's SHA-256 is {computed}, but {given} was promised")]
    Commitment {
        /// What the record says was promised.
        given: Commitment,
        /// What the seed gives.
        computed: Commitment,
    },
    /// The first seat is not the one that chance gives.
    #[error("first seat: chance gives seat {computed}, but the record says {given}")]
    FirstSeat {
        /// What the record says.
        given: Seat,
        /// What the seeds give.
        computed: Seat,
    },
    /// The actions cannot be played on the deal that the seeds give.
    #[error("{0}")]
    Replay(ReplayError),
}

/// What was found about a record.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// What does not hold; empty for a good record.
    pub faults: Vec<Fault>,
    /// The game, where it can be played.
    pub replay: Option<Replay>,
}

/// Recomputes everything that a record claims.
#[must_use]
pub fn verify(record: &Record) -> Verdict {
    let mut faults = Vec::new();
    let computed = commitment(&record.server_seed);
    if let Some(given) = record.commitment.filter(|&given| given != computed) {
        faults.push(Fault::Commitment { given, computed });
    }
    if record.first_seat_by == Some(FirstSeatBy::Chance) {
        let computed = GameSeed::new(&record.server_seed, &record.client_seeds).first_seat(record.players);
        if record.first_seat != computed {
            faults.push(Fault::FirstSeat { given: record.first_seat, computed });
        }
    }
    let replay = replay(record).map_err(|error| faults.push(Fault::Replay(error))).ok();
    Verdict { faults, replay }
}
