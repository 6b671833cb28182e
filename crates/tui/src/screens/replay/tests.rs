//! Positions of a recorded game, drawn to a test backend.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use sultan_domain::Seat;
use sultan_table::{FalseClaim, Replay, records_in};
use sultan_text::{Lang, Text};

use super::super::tests::{SIZES, frame_text, golden_difference};
use super::draw_replay;
use crate::input::Input;
use crate::replay::Replayer;

const RECORD: &str = include_str!("../../../../cli/tests/data/four.sultan.json");

fn replayer(lang: Lang) -> Replayer {
    let records = records_in(RECORD).unwrap();
    let (game, false_claims) = Replay::of_record(&records[0]).unwrap();
    Replayer::new(game, &false_claims, Text::of(lang), true)
}

/// The text of the replay screen, drawn at this size.
fn draw_text(replayer: &mut Replayer, (columns, rows): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| draw_replay(replayer, frame)).unwrap();
    frame_text(terminal.backend())
}

fn replayer_at(position: usize, observer: Option<u8>) -> Replayer {
    Replayer { position, observer: observer.and_then(Seat::new), ..replayer(Lang::En) }
}

#[test]
fn frames_equal_the_golden_files() {
    let last = replayer(Lang::En).replay.last();
    // After 13 actions, the third round has an offer and two bids: each round of four players has five actions.
    let scenes = [
        ("replay-open", replayer_at(13, None)),
        ("replay-eyes", replayer_at(13, Some(2))),
        ("replay-end", replayer_at(last, None)),
    ];
    let mut differences = Vec::new();
    for (name, mut replayer) in scenes {
        for size in SIZES {
            differences.extend(golden_difference(name, size, &draw_text(&mut replayer, size)));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn keys_step_and_change_the_observer() {
    let mut replayer = replayer(Lang::En);
    let last = replayer.replay.last();
    for (input, (expected_position, expected_observer)) in [
        (Input::Right, (1, None)),
        (Input::Right, (2, None)),
        (Input::Left, (1, None)),
        (Input::End, (last, None)),
        (Input::Right, (last, None)),
        (Input::Home, (0, None)),
        (Input::Left, (0, None)),
        (Input::Char('3'), (0, Some(2))),
        // The game has no fifth seat.
        (Input::Char('5'), (0, Some(2))),
        (Input::NextField, (0, Some(3))),
        (Input::NextField, (0, None)),
        (Input::PreviousField, (0, Some(3))),
        (Input::Char('0'), (0, None)),
    ] {
        assert!(!replayer.handle(input));
        assert_eq!(replayer.position, expected_position, "{input:?}");
        assert_eq!(replayer.observer.map(Seat::number), expected_observer, "{input:?}");
    }
    for quitting_input in [Input::Char('q'), Input::Escape, Input::Quit] {
        assert!(replayer.handle(quitting_input));
    }
}

#[test]
fn playback_ends_at_the_end_or_at_a_key() {
    let mut replayer = replayer(Lang::En);
    assert!(!replayer.tick());
    replayer.handle(Input::Char(' '));
    assert!(draw_text(&mut replayer, SIZES[0]).contains("pause"));
    while replayer.tick() {}
    assert_eq!((replayer.position, replayer.is_playing), (replayer.replay.last(), false));
    replayer.handle(Input::Char(' '));
    assert_eq!((replayer.position, replayer.is_playing), (0, true), "playback starts again at the beginning");
    replayer.handle(Input::Right);
    assert!(!replayer.is_playing && replayer.position == 1);
}

#[test]
fn replay_as_seen_by_a_seat_hides_other_hands_and_bids() {
    let mut replayer = replayer(Lang::En);
    let observer = Seat::new(1).unwrap();
    assert!(draw_text(&mut replayer, SIZES[0]).contains("All hands and decks"));
    replayer.observer = Some(observer);
    for position in 0..replayer.replay.last() {
        replayer.position = position;
        let open = replayer.replay.open(position);
        let hand = open.hands[observer.index()];
        let frame = draw_text(&mut replayer, SIZES[0]);
        // The hand is in the five rows above the two rows with the prompt and the keys.
        let hand_rows: Vec<&str> = frame.lines().rev().skip(2).take(5).collect();
        for card in hand.iter() {
            let middle_of_card = format!("│{:^4}│", card.to_string());
            assert!(
                hand_rows.iter().any(|row| row.contains(&middle_of_card)),
                "card {card} is missing at position {position}\n{frame}"
            );
        }
        assert_eq!(frame.matches("╭────╮").count(), hand.iter().count(), "number of cards shown\n{frame}");
        let bids_of_others = open.playing.view.bids.iter().filter(|bid| bid.seat() != observer).count();
        assert_eq!(frame.matches("▒▒").count(), bids_of_others, "face-down bids at position {position}\n{frame}");
        assert!(!frame.contains("All hands and decks"));
    }
}

#[test]
fn replay_is_drawn_in_every_language_and_size_with_warnings() {
    for lang in Lang::ALL {
        let mut replayer = replayer(lang);
        let false_claims = [FalseClaim::Commitment, FalseClaim::FirstSeat];
        replayer = Replayer::new(replayer.replay, &false_claims, replayer.text, true);
        assert_eq!(replayer.warnings.len(), 2);
        for position in [0, 7, replayer.replay.last()] {
            for size in [(1, 1), (40, 12), (72, 22), (80, 24), (250, 60)] {
                replayer.position = position;
                let frame = draw_text(&mut replayer, size);
                assert!(!frame.contains("tui-") && !frame.contains("replay-") && !frame.contains("record-"), "{frame}");
            }
        }
    }
}
