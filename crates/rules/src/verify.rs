//! Verifies a record: that its commitment and first seat match its seeds, and that its actions are legal.

use sultan_domain::{Commitment, FirstSeatBy, Record, Seat};
use thiserror::Error;

use crate::{GameSeed, ReplayError, SeededGame, commitment, replay};

/// An error in a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The server seed does not match the commitment.
    #[error("commitment: the server seed's SHA-256 is {computed}, but {recorded} was promised")]
    Commitment {
        /// The commitment in the record.
        recorded: Commitment,
        /// The commitment computed from the server seed.
        computed: Commitment,
    },
    /// The first seat was chosen at random, but it is not the first seat that the seeds give.
    #[error("first seat: the seeds give seat {computed}, but the record has {recorded}")]
    FirstSeat {
        /// The first seat in the record.
        recorded: Seat,
        /// The first seat computed from the seeds.
        computed: Seat,
    },
    /// The actions cannot be played with the decks and draws that are computed from the seeds.
    #[error("{0}")]
    Replay(ReplayError),
}

/// The result of a verification.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The faults of the record; empty for a valid record.
    pub faults: Vec<Fault>,
    /// The game after all actions of the record, if they can be played.
    pub replay: Option<SeededGame>,
}

/// Checks the seeds and the actions of a record.
#[must_use]
pub fn verify(record: &Record) -> Verdict {
    let mut faults = check_seeds(record);
    let replay = replay(record).map_err(|error| faults.push(Fault::Replay(error))).ok();
    Verdict { faults, replay }
}

/// Compares the commitment and the first seat of a record with the values computed from the seeds, without playing the
/// game.
#[must_use]
pub fn check_seeds(record: &Record) -> Vec<Fault> {
    let mut faults = Vec::new();
    let computed = commitment(&record.server_seed);
    if let Some(recorded) = record.commitment.filter(|&recorded| recorded != computed) {
        faults.push(Fault::Commitment { recorded, computed });
    }
    if record.first_seat_by == Some(FirstSeatBy::Chance) {
        let computed = GameSeed::new(&record.server_seed, &record.client_seeds).first_seat(record.players);
        if record.first_seat != computed {
            faults.push(Fault::FirstSeat { recorded: record.first_seat, computed });
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::{Players, ServerSeed};
    use sultan_testkit::random_record;

    fn record() -> Record {
        random_record(Players::new(4).unwrap(), 3).0
    }

    #[test]
    fn valid_record_has_no_faults() {
        let record = record();
        let verdict = verify(&record);
        assert_eq!(verdict.faults, []);
        assert!(verdict.replay.unwrap().game().outcome().is_some());
        let without_claims = Record { commitment: None, first_seat_by: None, ..record };
        assert_eq!(verify(&without_claims).faults, []);
    }

    #[test]
    fn server_seed_that_does_not_match_the_commitment_is_a_fault() {
        let mut record = record();
        // One bit of the last byte is changed.
        let recorded = &mut record.commitment.as_mut().unwrap().0[31];
        *recorded ^= 1;
        let (recorded, computed) = (record.commitment.unwrap(), commitment(&record.server_seed));
        let verdict = verify(&record);
        assert_eq!(verdict.faults, [Fault::Commitment { recorded, computed }]);
        assert!(verdict.replay.is_some(), "the game can still be played");
        let text = format!("commitment: the server seed's SHA-256 is {computed}, but {recorded} was promised");
        assert_eq!(verdict.faults[0].to_string(), text);
    }

    #[test]
    fn random_first_seat_that_does_not_match_the_seeds_is_a_fault() {
        let valid = record();
        let recorded = valid.first_seat.left_neighbour(valid.players);
        // With another first seat the actions would be illegal, so the record has none.
        let wrong = Record { first_seat: recorded, actions: Vec::new(), ..valid.clone() };
        let fault = Fault::FirstSeat { recorded, computed: valid.first_seat };
        let text = format!("first seat: the seeds give seat {}, but the record has {recorded}", valid.first_seat);
        assert_eq!(fault.to_string(), text);
        assert_eq!(verify(&wrong).faults, [fault]);
        // A host may choose any seat, and in a rematch the first seat depends on the game before.
        assert_eq!(verify(&Record { first_seat_by: Some(FirstSeatBy::Host), ..wrong.clone() }).faults, []);
        assert_eq!(verify(&Record { first_seat_by: Some(FirstSeatBy::Rematch), ..wrong }).faults, []);
    }

    #[test]
    fn verify_reports_all_faults() {
        let mut record = record();
        // Another seed than the promised one, a first seat that this seed does not give, and a bid instead of an offer.
        record.server_seed = ServerSeed([0x5a; 32]);
        record.first_seat = GameSeed::new(&record.server_seed, &record.client_seeds).first_seat(record.players);
        record.first_seat = record.first_seat.left_neighbour(record.players);
        record.actions[0] = "1@1".parse().unwrap();
        let verdict = verify(&record);
        assert!(matches!(
            verdict.faults.as_slice(),
            [Fault::Commitment { .. }, Fault::FirstSeat { .. }, Fault::Replay(ReplayError::Illegal { number: 1, .. })]
        ));
        assert!(verdict.replay.is_none());
    }
}
