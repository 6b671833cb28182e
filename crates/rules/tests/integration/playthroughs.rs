//! Golden playthroughs, one per number of players: every action, each followed by the views and memories of all
//! observers. A difference means that an observer gets other information: review it as a possible leak, and only then
//! rewrite the files with `SULTAN_WRITE_GOLDENS=1 cargo test -p sultan-rules playthroughs`.

use std::fmt::Write;
use std::path::PathBuf;

use sultan_rules::domain::{Observer, Players, Screens};
use sultan_testkit::{Input, Script, recall};

fn playthrough_text(players: Players, screens: Screens) -> String {
    let mut text = format!("# {players} players\n");
    let moments = Script::random(players, screens, 2009).moments();
    for (at, moment) in moments.iter().enumerate() {
        let heading = match moment.input {
            None => "the hands are taken".to_owned(),
            Some(Input::Draw(drawn)) => format!("chance draws {drawn}"),
            Some(Input::Act(seat, action)) => format!("seat {seat} plays {action}"),
        };
        writeln!(text, "\n## {heading}").unwrap();
        for observer in Observer::all(players) {
            writeln!(text, "{}", moment.game.view(observer)).unwrap();
            let memory = recall(&moments[..=at], observer);
            if let Some(last) = memory.rounds().last() {
                writeln!(text, "  remembers {} rounds, the last {last}", memory.rounds().len()).unwrap();
            }
        }
    }
    for observer in Observer::all(players) {
        writeln!(text, "\n## at the end {observer:?} remembers").unwrap();
        recall(&moments, observer).rounds().iter().for_each(|round| writeln!(text, "{round}").unwrap());
    }
    text
}

fn check_golden_file(count: u8, screens: Screens) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/playthroughs/{count}.txt"));
    let actual = playthrough_text(Players::new(count).unwrap(), screens);
    if std::env::var_os("SULTAN_WRITE_GOLDENS").is_some() {
        std::fs::write(&path, &actual).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    let differs = golden.lines().zip(actual.lines()).zip(1..).find(|((golden, actual), _)| golden != actual);
    if let Some(((golden, actual), line)) = differs {
        panic!(
            "{}:{line}\n  golden {golden}
  actual {actual}",
            path.display()
        );
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
