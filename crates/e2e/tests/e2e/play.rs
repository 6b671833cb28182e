//! `sultan play` of the real binary, on a pseudo-terminal and with pipes: whole games, local and on a real server.

mod remote;
mod terminal;
mod tls;

use std::path::Path;
use std::time::Duration;

use pty_process::Size;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::timeout;

use terminal::{TIMEOUT, Terminal, play_plain};

#[tokio::test]
async fn terminal_plays_whole_games_with_two_to_five_players() {
    for players in 2..=5_u8 {
        let home = TempDir::new().unwrap();
        let players = players.to_string();
        let mut terminal = Terminal::start(home.path(), (80, 24), &["--players", &players, "--name", "Ana"]);
        let end = terminal.play().await;
        assert!(end.contains("new treasurer, with") || end.contains("A draw:"), "{end}");
        assert!(end.contains("The points of"), "{end}");
        terminal.press("q").await;
        let (written, code) = terminal.wait_for_exit().await;
        assert_eq!(code, Some(0));
        // This sequence leaves the alternate screen.
        assert!(written.contains("\x1b[?1049l") && !written.contains("The game is saved"));
    }
}

#[tokio::test]
async fn form_opens_a_game_that_can_be_resumed() {
    let home = TempDir::new().unwrap();
    let mut terminal = Terminal::start(home.path(), (100, 30), &["--name", "Ana", "--lang", "de"]);
    terminal.wait_for_screen(|screen| screen.contains("Startspieler") && screen.contains("Los geht’s")).await;
    // Up from the last line over four seats to the line of the first player, then right: seat 1.
    terminal.press("\x1b[A\x1b[A\x1b[A\x1b[A\x1b[A\x1b[C").await;
    terminal.wait_for_screen(|screen| screen.contains("1 · Ana")).await;
    // Up to the line of the language, then left: English. One line further up is the last line again.
    terminal.press("\x1b[A\x1b[A\x1b[A\x1b[A\x1b[D\x1b[A").await;
    terminal.wait_for_screen(|screen| screen.contains("A new game")).await;
    terminal.press("\r").await;
    terminal.wait_for_screen(|screen| screen.contains("which jewel goes on cushion 1")).await;
    // Ctrl+C.
    terminal.press("\x03").await;
    let (written, code) = terminal.wait_for_exit().await;
    assert_eq!(code, Some(0), "{written}");

    let mut terminal =
        Terminal::start(home.path(), (80, 24), &["--new", "--players", "3", "--name", "Ana", "--first", "1"]);
    terminal.wait_for_screen(|screen| screen.contains("which jewel goes on cushion 1")).await;
    // The jewels for the two cushions, by number.
    terminal.press("12\r").await;
    terminal.wait_for_screen(|screen| screen.contains("which card")).await;
    terminal.press("q").await;
    let (written, _) = terminal.wait_for_exit().await;
    assert!(written.contains("The game is saved"), "{written}");

    let mut terminal = Terminal::start(home.path(), (80, 24), &["--name", "Ana"]);
    terminal.wait_for_screen(|screen| screen.contains("2 unfinished games")).await;
    terminal.press("\r").await;
    terminal.wait_for_screen(|screen| screen.contains("which card")).await;
    terminal.play().await;
}

#[tokio::test]
async fn shared_terminal_hides_hands_between_turns() {
    let home = TempDir::new().unwrap();
    let args = ["--people", "2", "--name", "Ana,Bo", "--first", "1"];
    let mut terminal = Terminal::start(home.path(), (80, 24), &args);
    let screen = terminal.wait_for_screen(|screen| screen.contains("It is Ana’s turn to look")).await;
    assert!(!screen.contains("hand"), "{screen}");
    terminal.press("\r").await;
    terminal.wait_for_screen(|screen| screen.contains("Ana: hand")).await;
    let end = terminal.play().await;
    assert!(end.contains("Ana") && end.contains("Bo"), "{end}");
}

#[tokio::test]
async fn replay_is_controlled_by_keys() {
    let home = TempDir::new().unwrap();
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/data/four.sultan.json");
    let record = record.to_str().unwrap();
    let mut terminal = Terminal::run("replay", home.path(), (80, 24), &[record]);
    terminal.wait_for_screen(|screen| screen.contains("Move 0 of 75") && screen.contains("All hands")).await;
    // The right arrow, twice.
    terminal.press("\x1b[C\x1b[C").await;
    terminal.wait_for_screen(|screen| screen.contains("Move 2 of 75")).await;
    // The left arrow, then the view of the first player.
    terminal.press("\x1b[D1").await;
    terminal.wait_for_screen(|screen| screen.contains("Move 1 of 75") && screen.contains("Seen by: Ana")).await;
    // The key End.
    terminal.press("\x1b[F").await;
    terminal.wait_for_screen(|screen| screen.contains("Move 75 of 75") && screen.contains("treasurer")).await;
    // The key Home, then Space to start autoplay.
    terminal.press("\x1b[H ").await;
    terminal.wait_for_screen(|screen| screen.contains("Move 1 of 75") && screen.contains("pause")).await;
    terminal.press("q").await;
    let (written, code) = terminal.wait_for_exit().await;
    assert_eq!(code, Some(0));
    assert!(written.contains("\x1b[?1049l"));
    // In another language.
    let mut terminal = Terminal::run("replay", home.path(), (120, 40), &[record, "--lang", "de"]);
    terminal.wait_for_screen(|screen| screen.contains("Zug 0 von 75")).await;
    terminal.press("\x03").await;
    assert_eq!(terminal.wait_for_exit().await.1, Some(0));
    // `--print` does not use the alternate screen.
    let terminal = Terminal::run("replay", home.path(), (80, 24), &[record, "--print"]);
    let (written, code) = terminal.wait_for_exit().await;
    assert_eq!(code, Some(0));
    assert!(written.contains("4 players") && !written.contains("\x1b[?1049h"), "{written}");
}

#[tokio::test]
async fn mouse_movement_does_not_delay_autoplay() {
    let home = TempDir::new().unwrap();
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/data/four.sultan.json");
    let mut terminal = Terminal::run("replay", home.path(), (80, 24), &[record.to_str().unwrap()]);
    terminal.wait_for_screen(|screen| screen.contains("Move 0 of 75")).await;
    // Space starts autoplay.
    terminal.press(" ").await;
    let send_mouse_movements = async {
        loop {
            // A movement without a pressed button.
            terminal.keys.write_all(b"\x1b[<35;10;10M").await.unwrap();
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let mut shown = terminal.shown.clone();
    let advanced = timeout(TIMEOUT, shown.wait_for(|shown| shown.screen.contains("Move 3 of 75")));
    tokio::select! {
        result = advanced => assert!(result.is_ok_and(|shown| shown.is_ok()), "the replay does not advance"),
        () = send_mouse_movements => {}
    }
}

#[tokio::test]
async fn signal_restores_the_terminal() {
    for signal in ["-TERM", "-INT", "-HUP"] {
        let home = TempDir::new().unwrap();
        let mut terminal = Terminal::start(home.path(), (80, 24), &["--players", "4"]);
        terminal.wait_for_screen(|screen| screen.contains("Stage 1 of 3")).await;
        let pid = terminal.child.id().unwrap().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().await.unwrap().success());
        let (written, code) = terminal.wait_for_exit().await;
        assert_eq!(code, Some(0), "{signal}");
        let last_position = |sequence: &str| {
            written.rfind(sequence).unwrap_or_else(|| panic!("after {signal}, {sequence:?} was not written"))
        };
        let is_off = |on: &str, off: &str| last_position(on) < last_position(off);
        assert!(is_off("\x1b[?1049h", "\x1b[?1049l"), "{signal} does not leave the alternate screen");
        assert!(is_off("\x1b[?1000h", "\x1b[?1000l"), "{signal} does not end mouse reports");
        // The cursor is shown again.
        last_position("\x1b[?25h");
    }
}

#[tokio::test]
async fn terminal_can_be_resized_during_a_turn() {
    let home = TempDir::new().unwrap();
    let mut terminal = Terminal::start(home.path(), (80, 24), &["--players", "5", "--first", "1"]);
    terminal.wait_for_screen(|screen| screen.contains("Your turn")).await;
    for (columns, rows) in [(30, 8), (1, 1), (200, 60), (72, 22), (80, 24)] {
        terminal.keys.resize(Size::new(rows, columns)).unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    terminal.press("1").await;
    terminal.wait_for_screen(|screen| screen.contains("goes on cushion 2")).await;
}

#[tokio::test]
async fn plain_mode_plays_whole_games() {
    for players in ["2", "3", "4", "5"] {
        let home = TempDir::new().unwrap();
        let (output, code) = play_plain(home.path(), &["--players", players, "--name", "Ana"], &"1\n".repeat(80)).await;
        assert_eq!(code, Some(0), "{output}");
        assert!(output.contains("new treasurer, with") || output.contains("A draw:"), "{output}");
        assert!(output.contains("\n1. ") && !output.contains('\x1b'), "{output}");
    }
}

#[tokio::test]
async fn plain_mode_saves_the_game_at_the_end_of_input() {
    let home = TempDir::new().unwrap();
    let args = ["--new", "--players", "2", "--name", "Ana", "--first", "1"];
    // An impossible action, help, the rules, two invalid lines, then the first legal offer and bid.
    let (output, code) = play_plain(home.path(), &args, "99@9\n?\nrules\n\nnonsense\n1\n1\n").await;
    assert_eq!(code, Some(0), "{output}");
    for part in
        ["Stage 1 of 3, round 1 of 4.", "Drawn: ", "! ", "The rules in short, for 2 players", "The game is saved"]
    {
        assert!(output.contains(part), "no “{part}” in {output}");
    }
    let (output, code) = play_plain(home.path(), &[], &format!("1\n{}", "1\n".repeat(60))).await;
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("An unfinished game") && output.contains("points, "), "{output}");
    let (output, _) = play_plain(home.path(), &["--lang", "hu"], "").await;
    assert!(output.contains("Menet: 1/3") && output.contains("A játék megmarad."), "{output}");
}

#[tokio::test]
async fn shared_plain_terminal_keeps_hands_secret() {
    let home = TempDir::new().unwrap();
    let args = ["--people", "2", "--name", "Ana,Bo", "--first", "1"];
    let (output, code) = play_plain(home.path(), &args, &"1\n".repeat(200)).await;
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("It is Ana’s turn to look.") && output.contains("It is Bo’s turn to look."), "{output}");
    // After every printed hand, enough lines follow to scroll the hand away before the next player's turn.
    for after_hand in output.split("Your hand: ").skip(1) {
        if let Some((before_next_player, _)) = after_hand.split_once("’s turn to look.") {
            assert!(before_next_player.matches('\n').count() > 40, "the hand stays visible: {before_next_player}");
        }
    }
}

#[tokio::test]
async fn invalid_options_are_reported_on_one_line() {
    let home = TempDir::new().unwrap();
    // Exit code 2 is for invalid arguments, 1 for a server that cannot be reached.
    for (args, expected_code, message) in [
        (&["--players", "2", "--bots", "page,page,page"][..], 2, "that does not fit"),
        (&["--players", "2", "--first", "3"], 2, "there is no seat 3"),
        (&["--people", "5", "--bots", "page"], 2, "2 to 5 can play"),
        (&["--people", "2", "--name", "Ana,Bo,Chen"], 2, "3 names for 2"),
        (&["http://127.0.0.1:1/t/y20cwaaq261c"], 1, "127.0.0.1:1"),
        (&["https://127.0.0.1:1/t/y20cwaaq261c"], 1, "127.0.0.1:1"),
        (&["http://x/y"], 2, "a table's link is"),
        (&["--bots", "nobody"], 2, "possible values"),
        (&["--lang", "xx"], 2, "a language is"),
        (&["--colour", "pink"], 2, "violet, gold, green, red or blue"),
    ] {
        let (output, code) = play_plain(home.path(), args, "").await;
        assert_eq!(code, Some(expected_code), "{args:?}: {output}");
        assert!(output.contains(message), "{args:?}: {output}");
    }
}
