//! Golden playthroughs, one per number of players: the draws and actions of a game, each followed by the views and
//! recalls of all observers.
//!
//! A difference means that an observer gets other information. Review it as a possible leak, and only then rewrite the
//! files with `SULTAN_WRITE_GOLDENS=1 cargo test -p sultan-rules playthroughs`.

use std::fmt::Write;
use std::path::PathBuf;

use sultan_rules::domain::{Observer, Players, Screens};
use sultan_testkit::{Input, Script, recall, round_text, view_text};

fn playthrough_text(players: Players, screens: Screens) -> String {
    // The seed 2009 has no special meaning.
    let mut text = format!("# {players} players\n");
    let moments = Script::random(players, screens, 2009).moments();
    for (index, moment) in moments.iter().enumerate() {
        let heading = match moment.input {
            None => "the hands are taken".to_owned(),
            Some(Input::Draw(drawn)) => format!("chance draws {drawn}"),
            Some(Input::Act(seat, action)) => format!("seat {seat} plays {action}"),
        };
        writeln!(text, "\n## {heading}").unwrap();
        for observer in Observer::all(players) {
            writeln!(text, "{}", view_text(&moment.game.view(observer))).unwrap();
            let recall = recall(&moments[..=index], observer);
            if let Some(last) = recall.rounds().last() {
                writeln!(text, "  remembers {} rounds, the last {}", recall.rounds().len(), round_text(last)).unwrap();
            }
        }
    }
    for observer in Observer::all(players) {
        writeln!(text, "\n## at the end {observer:?} remembers").unwrap();
        recall(&moments, observer).rounds().iter().for_each(|round| writeln!(text, "{}", round_text(round)).unwrap());
    }
    text
}

/// Compares a random game with `tests/playthroughs/<players>.txt`, and panics with the first line that differs.
fn check_golden_file(players: u8, screens: Screens) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/playthroughs/{players}.txt"));
    let actual = playthrough_text(Players::new(players).unwrap(), screens);
    if std::env::var_os("SULTAN_WRITE_GOLDENS").is_some() {
        std::fs::write(&path, &actual).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    let difference = golden.lines().zip(actual.lines()).zip(1..).find(|((golden, actual), _)| golden != actual);
    if let Some(((golden, actual), line)) = difference {
        panic!("{}:{line}\n  golden {golden}\n  actual {actual}", path.display());
    }
    assert_eq!(golden.len(), actual.len(), "{} has another length", path.display());
}

#[test]
fn playthrough_of_two_players_with_closed_screens_is_unchanged() {
    check_golden_file(2, Screens::Closed);
}

#[test]
fn playthrough_of_three_players_with_open_screens_is_unchanged() {
    check_golden_file(3, Screens::Open);
}

#[test]
fn playthrough_of_four_players_with_closed_screens_is_unchanged() {
    check_golden_file(4, Screens::Closed);
}

#[test]
fn playthrough_of_five_players_with_open_screens_is_unchanged() {
    check_golden_file(5, Screens::Open);
}
