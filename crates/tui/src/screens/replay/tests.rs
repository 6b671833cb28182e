//! Positions of a recorded game, drawn to a test backend.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use sultan_domain::Seat;
use sultan_table::{FalseClaim, Replay, records_in};
use sultan_text::{Lang, Text};

use super::super::tests::{SIZES, golden_difference, text};
use super::draw_replay;
use crate::input::Input;
use crate::replay::Replayer;
use crate::styles::Styles;

const RECORD: &str = include_str!("../../../../cli/tests/data/four.sultan.json");

fn replayer(lang: Lang) -> Replayer {
    let records = records_in(RECORD).unwrap();
    let (game, doubts) = Replay::of_record(&records[0]).unwrap();
    Replayer::new(game, &doubts, Text::of(lang), Styles { colours: true })
}

fn drawn(replayer: &mut Replayer, (columns, rows): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| draw_replay(replayer, frame)).unwrap();
    text(terminal.backend())
}

fn at(at: usize, observer: Option<u8>) -> Replayer {
    Replayer { at, observer: observer.and_then(Seat::new), ..replayer(Lang::En) }
}

#[test]
fn frames_equal_the_golden_files() {
    let scenes =
        [("replay-open", at(13, None)), ("replay-eyes", at(13, Some(2))), ("replay-end", at(usize::MAX >> 1, None))];
    let mut wrong = Vec::new();
    for (name, mut replayer) in scenes {
        replayer.at = replayer.at.min(replayer.replay.last());
        for size in SIZES {
            wrong.extend(golden_difference(name, size, &drawn(&mut replayer, size)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn keys_step_and_change_the_observer() {
    let mut replayer = replayer(Lang::En);
    let last = replayer.replay.last();
    for (input, wanted) in [
        (Input::Right, (1, None)),
        (Input::Right, (2, None)),
        (Input::Left, (1, None)),
        (Input::End, (last, None)),
        (Input::Right, (last, None)),
        (Input::Home, (0, None)),
        (Input::Left, (0, None)),
        (Input::Char('3'), (0, Some(2))),
        (Input::Char('5'), (0, Some(2))),
        (Input::Next(true), (0, Some(3))),
        (Input::Next(true), (0, None)),
        (Input::Next(false), (0, Some(3))),
        (Input::Char('0'), (0, None)),
    ] {
        assert!(!replayer.handle(input));
        assert_eq!((replayer.at, replayer.observer.map(Seat::number)), wanted, "{input:?}");
    }
    for stop in [Input::Char('q'), Input::Escape, Input::Quit] {
        assert!(replayer.handle(stop));
    }
}

#[test]
fn playback_ends_at_the_end_or_at_a_key() {
    let mut replayer = replayer(Lang::En);
    assert!(!replayer.tick());
    replayer.handle(Input::Char(' '));
    assert!(drawn(&mut replayer, SIZES[0]).contains("pause"));
    while replayer.tick() {}
    assert_eq!((replayer.at, replayer.is_playing), (replayer.replay.last(), false));
    replayer.handle(Input::Char(' '));
    assert_eq!((replayer.at, replayer.is_playing), (0, true));
    replayer.handle(Input::Right);
    assert!(!replayer.is_playing && replayer.at == 1);
}

#[test]
fn seat_perspective_hides_other_hands() {
    let mut replayer = replayer(Lang::En);
    let own = Seat::new(1).unwrap();
    assert!(drawn(&mut replayer, SIZES[0]).contains("All hands and decks"));
    for at in 0..replayer.replay.last() {
        replayer.at = at;
        replayer.observer = Some(own);
        let hand = replayer.replay.open(at).hands[1];
        let frame = drawn(&mut replayer, SIZES[0]);
        let cards: Vec<String> = frame.lines().rev().skip(2).take(5).map(str::to_owned).collect();
        for card in hand.iter() {
            assert!(
                cards.iter().any(|line| line.contains(&format!("│{:^4}│", card.to_string()))),
                "{at} {card}\n{frame}"
            );
        }
        assert_eq!(frame.matches("╭────╮").count(), hand.iter().count(), "{frame}");
        let others = replayer.replay.open(at).playing.view.bids.iter().filter(|bid| bid.seat() != own).count();
        assert_eq!(frame.matches("▒▒").count(), others, "{at}\n{frame}");
        assert!(!frame.contains("All hands and decks"));
    }
}

#[test]
fn replay_is_drawn_in_every_language_and_size_with_warnings() {
    for lang in Lang::ALL {
        let mut replayer = replayer(lang);
        replayer.warnings = Replayer::new(
            replayer.replay.clone(),
            &[FalseClaim::Commitment, FalseClaim::FirstSeat],
            replayer.text,
            replayer.styles,
        )
        .warnings;
        assert_eq!(replayer.warnings.len(), 2);
        for at in [0, 7, replayer.replay.last()] {
            for size in [(1, 1), (40, 12), (72, 22), (80, 24), (250, 60)] {
                replayer.at = at;
                let frame = drawn(&mut replayer, size);
                assert!(!frame.contains("tui-") && !frame.contains("replay-") && !frame.contains("record-"), "{frame}");
            }
        }
    }
}
