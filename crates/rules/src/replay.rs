//! Replays a whole game from its record.

use sultan_domain::{Action, Illegal, Record, Seat};
use thiserror::Error;

use crate::{BadSetup, SeededGame};

/// Why a record cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// No game can start with the record's parameters and first seat.
    #[error(transparent)]
    Setup(#[from] BadSetup),
    /// An action after the end of the game.
    #[error("action {number} “{action}” is after the end of the game (rule {})", Illegal::GameOver.rule())]
    TooMany {
        /// The number of the action, counted from 1.
        number: usize,
        /// The action.
        action: Action,
    },
    /// An illegal action.
    #[error("action {number} “{action}” of seat {seat} is illegal: {illegal} (rule {}, {})", .illegal.rule(), .illegal.code())]
    Illegal {
        /// The number of the action, counted from 1.
        number: usize,
        /// The action.
        action: Action,
        /// The seat to act.
        seat: Seat,
        /// Why the action is illegal.
        illegal: Illegal,
    },
}

/// Plays all actions of a record.
///
/// # Errors
/// [`ReplayError`] names the first action that cannot be played.
pub fn replay(record: &Record) -> Result<SeededGame, ReplayError> {
    replay_with(record, |_, _| {})
}

/// A step of a replay, as passed to the callback of [`replay_with`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayStep {
    /// The hands are dealt; the first draw is due.
    Dealt,
    /// The jewels of a round were drawn.
    Drawn,
    /// This seat is about to play this action: the game is as it was before the action.
    Acting(Seat, Action),
    /// This seat has played this action. If the action finished a round, the next draw is due.
    Acted(Seat, Action),
}

/// Plays all actions of a record, and calls `callback` with the game at each step.
///
/// # Errors
/// [`ReplayError`] names the first action that cannot be played.
pub fn replay_with(
    record: &Record,
    mut callback: impl FnMut(&SeededGame, ReplayStep),
) -> Result<SeededGame, ReplayError> {
    let mut game = SeededGame::from_record(record)?;
    callback(&game, ReplayStep::Dealt);
    draw_if_due(&mut game, &mut callback);
    for (&action, number) in record.actions.iter().zip(1..) {
        let Some(seat) = game.game().to_act() else { return Err(ReplayError::TooMany { number, action }) };
        callback(&game, ReplayStep::Acting(seat, action));
        game.play(action).map_err(|illegal| ReplayError::Illegal { number, action, seat, illegal })?;
        callback(&game, ReplayStep::Acted(seat, action));
        draw_if_due(&mut game, &mut callback);
    }
    Ok(game)
}

fn draw_if_due(game: &mut SeededGame, callback: &mut impl FnMut(&SeededGame, ReplayStep)) {
    if game.draw().expect("a seed draws from the pouch") {
        callback(game, ReplayStep::Drawn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::Players;
    use sultan_testkit::random_record;

    fn record(players: u8) -> Record {
        random_record(Players::new(players).unwrap(), 5).0
    }

    #[test]
    fn illegal_action_is_reported_with_its_number() {
        let valid = record(3);
        for number in [1, 2, 30, 60] {
            // With three players a round has four actions: an offer and three bids.
            let (round_index, action_index) = ((number - 1) / 4, (number - 1) % 4);
            let (wrong_action, illegal) =
                if action_index == 0 { ("1@1", Illegal::OfferDue) } else { ("WR", Illegal::BidDue) };
            let mut record = valid.clone();
            let action: Action = wrong_action.parse().unwrap();
            record.actions[number - 1] = action;
            // The first player offers and bids first. Each later bid of a round is made one seat further to the left,
            // and each later round begins one seat further to the left.
            let steps_to_the_left = round_index + action_index.saturating_sub(1);
            let seat_number = (usize::from(valid.first_seat.number()) + steps_to_the_left) % 3;
            let seat = Seat::new(u8::try_from(seat_number).unwrap()).unwrap();
            let error = replay(&record).unwrap_err();
            assert_eq!(error, ReplayError::Illegal { number, action, seat, illegal });
            let text = format!(
                "action {number} “{action}” of seat {seat} is illegal: {illegal} (rule {}, {})",
                illegal.rule(),
                illegal.code()
            );
            assert_eq!(error.to_string(), text);
        }
    }

    #[test]
    fn action_after_the_end_is_reported_with_its_number() {
        for players in 2..=5 {
            let mut record = record(players);
            let (number, action) = (record.actions.len() + 1, "1@1".parse().unwrap());
            record.actions.push(action);
            let error = replay(&record).unwrap_err();
            assert_eq!(error, ReplayError::TooMany { number, action });
            let text = format!("action {number} “1@1” is after the end of the game (rule 5.1)");
            assert_eq!(error.to_string(), text);
        }
    }

    #[test]
    fn record_with_a_first_seat_not_at_the_table_is_rejected() {
        let first_seat = Seat::new(3).unwrap();
        let record = Record { first_seat, ..record(3) };
        assert_eq!(replay(&record).unwrap_err(), ReplayError::Setup(BadSetup::FirstSeat(first_seat)));
    }

    #[test]
    fn full_game_of_an_unfinished_record_contains_the_current_round() {
        // With four players a round has five actions, and a game has 75.
        let mut record = record(4);
        // After the last action of a round the next round is drawn too, so five actions give two rounds.
        for (actions, rounds, bids_of_last_round) in
            [(75, 15, 4), (74, 15, 3), (71, 15, 0), (70, 15, 0), (5, 2, 0), (0, 1, 0)]
        {
            record.actions.truncate(actions);
            let replayed = replay(&record).unwrap();
            assert_eq!(replayed.rounds().len(), actions / 5);
            let full_game = replayed.full_game();
            let last = full_game.rounds.last().unwrap();
            assert_eq!((full_game.rounds.len(), last.bids.len()), (rounds, bids_of_last_round));
            let is_complete = actions == 75;
            assert_eq!((full_game.complete, full_game.outcome.is_some()), (is_complete, is_complete));
            assert_eq!(last.winners.is_some(), is_complete);
            assert_eq!(last.offer.is_some(), is_complete || actions % 5 > 0);
            assert_eq!((full_game.players, full_game.first_seat), (record.players, record.first_seat));
            assert!(full_game.decks.len() == 4 && full_game.decks.iter().all(|deck| deck.len() == 15));
        }
    }

    #[test]
    fn replay_reports_each_step_once_in_order() {
        let record = record(3);
        let (mut steps, mut finished_rounds) = (Vec::new(), 0);
        replay_with(&record, |game, step| {
            steps.push(step);
            match step {
                ReplayStep::Dealt => assert!(game.game().drawn().is_empty()),
                ReplayStep::Drawn => assert!(!game.game().drawn().is_empty() && game.game().offer().is_empty()),
                ReplayStep::Acting(seat, _) => assert_eq!(game.game().to_act(), Some(seat)),
                ReplayStep::Acted(..) => finished_rounds = game.rounds().len(),
            }
        })
        .unwrap();
        assert_eq!(finished_rounds, 15);
        assert_eq!(steps[..2], [ReplayStep::Dealt, ReplayStep::Drawn]);
        assert_eq!(steps.iter().filter(|&&step| step == ReplayStep::Drawn).count(), 15);
        let action_of = |step: &ReplayStep| if let ReplayStep::Acted(_, action) = step { Some(*action) } else { None };
        assert!(steps.iter().filter_map(action_of).eq(record.actions.iter().copied()));
        // Each `Acting` is followed by its `Acted`.
        let starts_with_acting = |pair: &&[ReplayStep]| matches!(pair[0], ReplayStep::Acting(..));
        assert!(steps.windows(2).filter(starts_with_acting).all(|pair| matches!(pair[1], ReplayStep::Acted(..))));
    }
}
