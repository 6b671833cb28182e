//! Positions of a recorded game, drawn to a test backend.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use sultan_domain::Seat;
use sultan_table::{FalseClaim, Replay, records_in};
use sultan_text::{Lang, Text};

use super::super::tests::{SIZES, otherwise_than, text};
use super::replay;
use crate::input::Input;
use crate::paint::Paint;
use crate::replaying::Show;

const RECORD: &str = include_str!("../../../../cli/tests/data/four.sultan.json");

fn show(lang: Lang) -> Show {
    let records = records_in(RECORD).unwrap();
    let (game, doubts) = Replay::of_record(&records[0]).unwrap();
    Show::new(game, &doubts, Text::of(lang), Paint { colours: true })
}

fn drawn(show: &mut Show, (columns, rows): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| replay(show, frame)).unwrap();
    text(terminal.backend())
}

fn at(at: usize, eyes: Option<u8>) -> Show {
    Show { at, eyes: eyes.and_then(Seat::new), ..show(Lang::En) }
}

#[test]
fn frames_are_as_they_were() {
    let scenes =
        [("replay-open", at(13, None)), ("replay-eyes", at(13, Some(2))), ("replay-end", at(usize::MAX >> 1, None))];
    let mut wrong = Vec::new();
    for (name, mut show) in scenes {
        show.at = show.at.min(show.replay.last());
        for size in SIZES {
            wrong.extend(otherwise_than(name, size, &drawn(&mut show, size)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn keys_step_and_change_the_eyes() {
    let mut show = show(Lang::En);
    let last = show.replay.last();
    for (input, wanted) in [
        (Input::Right, (1, None)),
        (Input::Right, (2, None)),
        (Input::Left, (1, None)),
        (Input::End, (last, None)),
        (Input::Right, (last, None)),
        (Input::Home, (0, None)),
        (Input::Left, (0, None)),
        (Input::Sign('3'), (0, Some(2))),
        (Input::Sign('5'), (0, Some(2))),
        (Input::Next(true), (0, Some(3))),
        (Input::Next(true), (0, None)),
        (Input::Next(false), (0, Some(3))),
        (Input::Sign('0'), (0, None)),
    ] {
        assert!(!show.on(input));
        assert_eq!((show.at, show.eyes.map(Seat::number)), wanted, "{input:?}");
    }
    for stop in [Input::Sign('q'), Input::Escape, Input::Quit] {
        assert!(show.on(stop));
    }
}

#[test]
fn it_plays_by_itself_until_the_end_or_until_a_key_is_pressed() {
    let mut show = show(Lang::En);
    assert!(!show.tick());
    show.on(Input::Sign(' '));
    assert!(drawn(&mut show, SIZES[0]).contains("pause"));
    while show.tick() {}
    assert_eq!((show.at, show.plays), (show.replay.last(), false));
    show.on(Input::Sign(' '));
    assert_eq!((show.at, show.plays), (0, true));
    show.on(Input::Right);
    assert!(!show.plays && show.at == 1);
}

#[test]
fn seat_perspective_hides_other_hands() {
    let mut show = show(Lang::En);
    let own = Seat::new(1).unwrap();
    assert!(drawn(&mut show, SIZES[0]).contains("All hands and decks"));
    for at in 0..show.replay.last() {
        show.at = at;
        show.eyes = Some(own);
        let hand = show.replay.open(at).hands[1];
        let said = drawn(&mut show, SIZES[0]);
        let cards: Vec<String> = said.lines().rev().skip(2).take(5).map(str::to_owned).collect();
        for card in hand.iter() {
            assert!(
                cards.iter().any(|line| line.contains(&format!("│{:^4}│", card.to_string()))),
                "{at} {card}\n{said}"
            );
        }
        assert_eq!(said.matches("╭────╮").count(), hand.iter().count(), "{said}");
        let others = show.replay.open(at).playing.view.bids.iter().filter(|bid| bid.seat() != own).count();
        assert_eq!(said.matches("▒▒").count(), others, "{at}\n{said}");
        assert!(!said.contains("All hands and decks"));
    }
}

#[test]
fn every_language_size_and_note_can_be_drawn() {
    for lang in Lang::ALL {
        let mut show = show(lang);
        show.notes =
            Show::new(show.replay.clone(), &[FalseClaim::Commitment, FalseClaim::FirstSeat], show.text, show.paint)
                .notes;
        assert_eq!(show.notes.len(), 2);
        for at in [0, 7, show.replay.last()] {
            for size in [(1, 1), (40, 12), (72, 22), (80, 24), (250, 60)] {
                show.at = at;
                let said = drawn(&mut show, size);
                assert!(!said.contains("tui-") && !said.contains("replay-") && !said.contains("record-"), "{said}");
            }
        }
    }
}
