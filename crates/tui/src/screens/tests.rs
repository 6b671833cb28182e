//! Every screen, drawn to a test backend and compared with the text files in `tests/frames`. Rewrite these files with
//! `SULTAN_WRITE_GOLDENS=1 cargo test -p sultan-tui frames`.

mod tables;

use std::path::PathBuf;

use crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;
use sultan_domain::{Kind, Observer, Person, PlayerColour, Players, Screens, Seat, View, ViewPhase, WaitingSeat};
use sultan_testkit::Script;
use sultan_text::{Lang, Text};

use self::tables::{playing_table, waiting_table};
use super::draw;
use crate::app::{App, GameScreen, Page, ResumeList, Reveal, Screen, Task};
use crate::connection::Unfinished;
use crate::form::{Field, SeatSetup, Setup};
use crate::input::{ClickAreas, Input, translate};
use crate::width::width;

/// The sizes of the golden frames: columns and rows.
pub(super) const SIZES: [(u16, u16); 2] = [(80, 24), (120, 40)];

/// The players of the games in these tests, in the order of the seats. Ana has seat 0.
fn people(players: u8) -> Vec<Person> {
    let person = |name: &str, colour| Person { name: name.to_owned(), colour, kind: Kind::Human };
    let bot = |name: &str, colour| Person { name: name.to_owned(), colour, kind: Kind::Bot(name.to_owned()) };
    let five_people = [
        person("Ana", PlayerColour::Gold),
        bot("merchant", PlayerColour::Violet),
        person("王様の宝石商人", PlayerColour::Green),
        bot("sultan", PlayerColour::Red),
        bot("merchant", PlayerColour::Blue),
    ];
    five_people.into_iter().take(players.into()).collect()
}

/// All views of one observer in a random game.
fn views_of_game(players: u8, screens: Screens, observer: Observer) -> Vec<View> {
    let moments = Script::random(Players::new(players).unwrap(), screens, 7).moments();
    moments.iter().map(|moment| moment.game.view(observer)).collect()
}

/// The first view of a random game that meets a condition. Only views from stage 2 on count, so that the players have
/// jewels, and only views after the draw of a round.
fn find_view(players: u8, observer: Observer, condition: impl Fn(&View) -> bool) -> View {
    let has_jewels_and_draw = |view: &View| view.stage.0 >= 2 && view.drawn.len() > 1;
    let mut views = views_of_game(players, Screens::Closed, observer).into_iter();
    views.find(|view| has_jewels_and_draw(view) && condition(view)).unwrap()
}

/// The form for a new game.
fn form_app() -> App {
    let setup = Setup::new(Players::new(4).unwrap(), "Ana", None);
    App::new(Text::of(Lang::En), true, setup, Vec::new())
}

/// A game on the screen, with these seats played from this terminal.
fn game_app(view: View, own_seats: Vec<Seat>) -> App {
    App { screen: Screen::Game(Box::new(GameScreen::new(own_seats, false, playing_table(view)))), ..form_app() }
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

/// Ana looks at the screen.
const ANA: Observer = Observer::Seat(match Seat::new(0) {
    Some(seat) => seat,
    None => unreachable!(),
});

/// Presses keys that start no task. `<`, `>` and `_` stand for the left, right and down arrow keys.
fn press_keys(mut app: App, keys: &str) -> App {
    for key in keys.chars() {
        let input = match key {
            '\n' => Input::Enter,
            '<' => Input::Left,
            '>' => Input::Right,
            '_' => Input::Down,
            other => Input::Char(other),
        };
        assert_eq!(app.handle(input), None, "{key}");
    }
    app
}

/// The form with two people and three bots.
fn form_scene() -> App {
    let mut app = form_app();
    let form = &mut app.form;
    form.setup.seats[1] = SeatSetup::Person { name: "王様の宝石".to_owned(), colour: Some(PlayerColour::Red) };
    form.setup.seats.push(SeatSetup::Bot("sultan".to_owned()));
    form.setup.first_seat = Some(seat(1));
    form.cursor = Field::Occupant(4);
    app
}

/// A remote table that waits for one player.
fn waiting_scene() -> App {
    let kinds = [Kind::Human, Kind::Open, Kind::Bot("vizier".to_owned())];
    let seats = kinds.into_iter().zip(0..).map(|(kind, number)| WaitingSeat {
        seat: seat(number),
        ready: kind != Kind::Open,
        person: Person {
            name: if number == 0 { "Ana".to_owned() } else { String::new() },
            kind,
            ..Person::nameless(seat(number))
        },
    });
    let game = GameScreen::new(vec![seat(0)], true, waiting_table(seats.collect()));
    App { screen: Screen::Game(Box::new(game)), ..form_app() }
}

/// The end of a round, with this many cushions revealed.
fn reveal_scene(revealed: usize) -> App {
    let view = find_view(5, ANA, |view| view.phase == ViewPhase::Offer && view.last_round.is_some());
    let round = view.last_round.unwrap();
    let mut app = game_app(view, vec![seat(0)]);
    let Screen::Game(game) = &mut app.screen else { unreachable!() };
    game.reveal = Some(Reveal { round, revealed });
    app
}

/// Whether it is Ana's turn in this phase.
fn is_anas_turn(phase: ViewPhase) -> impl Fn(&View) -> bool {
    move |view| view.phase == phase && view.to_act == Some(seat(0))
}

/// A game in which Ana has pressed these keys (see `press_keys`) in her turn.
fn turn_scene(players: u8, phase: ViewPhase, keys: &str) -> App {
    press_keys(game_app(find_view(players, ANA, is_anas_turn(phase)), vec![seat(0)]), keys)
}

/// Every screen, by the name of its golden files.
fn scenes() -> Vec<(&'static str, App)> {
    let own_seats = || vec![seat(0)];
    let final_view = |players| views_of_game(players, Screens::Closed, ANA).pop().unwrap();
    let public_view =
        find_view(3, Observer::Public, |view| view.phase == ViewPhase::Bid && view.to_act == Some(seat(2)));
    let unfinished = Unfinished {
        table: "y20cwaaq261c".parse().unwrap(),
        own_seats: own_seats(),
        view: playing_table(public_view.clone()),
    };
    let mut views_with_open_screens = views_of_game(4, Screens::Open, ANA).into_iter();
    let last_bid = views_with_open_screens.rfind(|view| view.phase == ViewPhase::Bid).unwrap();
    let games = vec![unfinished.clone(), unfinished];
    let resume = Screen::Resume(ResumeList { games, cursor: 1, asks_to_give_up: true });
    vec![
        ("resume", App { screen: resume, ..form_app() }),
        ("setup", form_scene()),
        ("waiting", waiting_scene()),
        ("table-offer", turn_scene(5, ViewPhase::Offer, "2")),
        ("table-offered", turn_scene(4, ViewPhase::Offer, "423")),
        ("table-card", turn_scene(2, ViewPhase::Bid, ">>")),
        ("table-typed", turn_scene(2, ViewPhase::Bid, "1")),
        ("table-cushion", turn_scene(3, ViewPhase::Bid, "\n>")),
        ("table-confirm", turn_scene(5, ViewPhase::Bid, "\n2")),
        ("table-watching", game_app(public_view.clone(), Vec::new())),
        ("table-open", game_app(last_bid, own_seats())),
        ("curtain", game_app(public_view, vec![seat(0), seat(2)])),
        ("reveal-half", reveal_scene(1)),
        ("reveal", reveal_scene(3)),
        ("end", game_app(final_view(5), own_seats())),
        ("end-two", game_app(final_view(2), own_seats())),
        ("help", App { page: Some((Page::Help, 0)), ..form_app() }),
        ("rules", App { page: Some((Page::Rules, 0)), ..form_app() }),
    ]
}

/// Draws the screen to a test backend of this size.
fn draw_app(app: &mut App, (columns, rows): (u16, u16)) -> TestBackend {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| draw(app, frame)).unwrap();
    terminal.backend().clone()
}

/// The contents of a test backend as text. A character that is two columns wide fills two cells of the buffer, of which
/// the second is skipped.
pub(super) fn frame_text(backend: &TestBackend) -> String {
    let buffer = backend.buffer();
    let mut frame = String::new();
    for row in 0..buffer.area.height {
        let mut line = String::new();
        let mut column = 0;
        while column < buffer.area.width {
            let symbol = buffer[(column, row)].symbol();
            line.push_str(symbol);
            column += u16::try_from(width(symbol).max(1)).unwrap();
        }
        frame.push_str(line.trim_end());
        frame.push('\n');
    }
    frame
}

/// The text of the screen, drawn at this size.
fn draw_text(app: &mut App, size: (u16, u16)) -> String {
    frame_text(&draw_app(app, size))
}

/// Compares a frame with its golden file. Returns the name of the file and the frame if they differ.
pub(super) fn golden_difference(name: &str, (columns, rows): (u16, u16), frame: &str) -> Option<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/frames");
    let path = folder.join(format!("{name}-{columns}x{rows}.txt"));
    if std::env::var_os("SULTAN_WRITE_GOLDENS").is_some() {
        std::fs::write(&path, frame).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    (golden != frame).then(|| format!("{}\n{frame}", path.display()))
}

#[test]
fn frames_equal_the_golden_files() {
    let mut wrong = Vec::new();
    for (name, app) in scenes() {
        for size in SIZES {
            wrong.extend(golden_difference(name, size, &draw_text(&mut app.clone(), size)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn monochrome_screens_have_the_same_text_without_colours() {
    for (name, app) in scenes() {
        let mut monochrome_app = App { uses_colours: false, ..app.clone() };
        let coloured = draw_app(&mut app.clone(), SIZES[0]);
        let monochrome = draw_app(&mut monochrome_app, SIZES[0]);
        assert_eq!(frame_text(&coloured), frame_text(&monochrome), "{name}");
        let has_colours = |backend: &TestBackend| {
            backend.buffer().content().iter().any(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset)
        };
        assert!(has_colours(&coloured) && !has_colours(&monochrome), "{name}");
    }
}

#[test]
fn every_screen_is_drawn_at_every_size() {
    for (name, app) in scenes() {
        for columns in [1, 2, 20, 71, 72, 73, 79, 80, 100, 133, 250] {
            for rows in [1, 2, 10, 21, 22, 23, 24, 30, 60] {
                let frame = draw_text(&mut app.clone(), (columns, rows));
                let is_too_small = columns < 72 || rows < 22;
                let has_room_for_message = columns >= 40 && rows >= 10;
                let title_or_message = match (is_too_small, has_room_for_message) {
                    (false, _) => frame.contains("Sultan") || frame.contains("Stage"),
                    (true, true) => frame.contains("too small"),
                    (true, false) => true,
                };
                assert!(title_or_message, "{name} {columns}x{rows}\n{frame}");
            }
        }
    }
}

#[test]
fn every_screen_is_drawn_in_every_language() {
    for lang in Lang::ALL {
        for (name, app) in scenes() {
            let mut app = App { text: Text::of(lang), ..app };
            app.form.lang = lang;
            for size in SIZES {
                assert!(!draw_text(&mut app, size).contains("tui-"), "{name} {}", lang.code());
            }
        }
    }
}

/// The upper edge of a card of the hand.
const TOP_OF_CARD: &str = "╭────╮";

#[test]
fn hand_is_drawn_for_its_player_and_hidden_by_the_curtain() {
    for players in [2, 3, 5] {
        for view in views_of_game(players, Screens::Closed, ANA) {
            // Ana shares the screen with the player of seat 1. The screen shows Ana's view, so the curtain falls when
            // it is the other player's turn.
            let is_curtain_expected = view.to_act == Some(seat(1));
            let (is_over, hand_size) = (view.phase == ViewPhase::Over, view.hand.iter().count());
            let frame = draw_text(&mut game_app(view, vec![seat(0), seat(1)]), SIZES[0]);
            let expected_cards = if is_curtain_expected || is_over { 0 } else { hand_size };
            assert_eq!(frame.matches(TOP_OF_CARD).count(), expected_cards, "{frame}");
            assert_eq!(frame.contains("’s turn to look."), is_curtain_expected, "{frame}");
        }
        for view in views_of_game(players, Screens::Closed, Observer::Public) {
            let frame = draw_text(&mut game_app(view, Vec::new()), SIZES[0]);
            assert!(!frame.contains(TOP_OF_CARD), "a spectator sees a hand: {frame}");
        }
    }
}

#[test]
fn cursor_moves_through_the_ranking_line_by_line() {
    let mut app = game_app(views_of_game(5, Screens::Closed, ANA).pop().unwrap(), vec![seat(0)]);
    let cursor_row = |app: &mut App| {
        let frame = frame_text(&draw_app(app, SIZES[0]));
        frame.lines().position(|line| line.starts_with("│▸")).unwrap_or_else(|| panic!("no cursor in {frame}"))
    };
    let top = cursor_row(&mut app);
    // Below the last of five players, the cursor returns to the top.
    for rows_below_top in [1, 2, 3, 4, 0] {
        assert_eq!(app.handle(Input::Down), None);
        assert_eq!(cursor_row(&mut app), top + rows_below_top);
    }
    for rows_below_top in [4, 3] {
        app.handle(Input::Up);
        assert_eq!(cursor_row(&mut app), top + rows_below_top);
    }
}

#[test]
fn changing_the_player_count_keeps_other_seats() {
    let mut app = form_scene();
    app.form.cursor = Field::Players;
    let seats_before = app.form.setup.seats.clone();
    app = press_keys(app, "4");
    assert_eq!(app.form.setup.seats, seats_before[..4]);
    app = press_keys(app, "345");
    assert_eq!(app.form.setup.seats[..3], seats_before[..3]);
    assert_eq!(app.form.setup.seats.len(), 5);
}

#[test]
fn help_is_closed_with_the_mouse() {
    let mut app = form_app();
    app.handle(Input::Help);
    assert_eq!(click(&mut app, Input::Escape), None);
    assert_eq!(app.page, None);
}

/// Draws the screen, and clicks on the area that has this input.
fn click(app: &mut App, target: Input) -> Option<Task> {
    draw_app(app, SIZES[0]);
    let areas = std::mem::take(&mut app.areas);
    let (column, row) = (0..24)
        .flat_map(|row| (0..80).map(move |column| (column, row)))
        .find(|&(column, row)| areas.input_at(column, row) == Some(target))
        .unwrap_or_else(|| panic!("nothing to click for {target:?}"));
    let kind = MouseEventKind::Down(MouseButton::Left);
    let event = Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
    app.handle(translate(&event, &areas)?)
}

#[test]
fn bid_can_be_made_with_the_mouse() {
    let view = find_view(5, ANA, is_anas_turn(ViewPhase::Bid));
    let card = view.hand.iter().next().unwrap();
    let mut app = game_app(view, vec![seat(0)]);
    let cushion = |number| Input::Cushion(sultan_domain::Cushion::new(number).unwrap());
    // Choose a card, undo the choice, choose another card.
    assert_eq!(click(&mut app, Input::Item(1)), None);
    assert_eq!(click(&mut app, Input::Undo), None);
    assert_eq!(click(&mut app, Input::Item(0)), None);
    assert_eq!(click(&mut app, cushion(3)), None);
    let task = click(&mut app, Input::Enter);
    assert!(matches!(&task, Some(Task::Act { action, .. }) if *action == format!("{card}@3")), "{task:?}");
}

#[test]
fn offer_can_be_made_with_the_mouse() {
    let view = find_view(3, ANA, is_anas_turn(ViewPhase::Offer));
    let drawn_jewels: Vec<_> = view.drawn.iter().collect();
    let mut app = game_app(view, vec![seat(0)]);
    click(&mut app, Input::Item(2));
    click(&mut app, Input::Item(0));
    let task = click(&mut app, Input::Enter);
    let expected = format!("{}{}", drawn_jewels[2], drawn_jewels[0]);
    assert!(matches!(&task, Some(Task::Act { action, .. }) if *action == expected), "{task:?}");
}

#[test]
fn help_opens_on_every_screen_and_closes() {
    for (name, mut app) in scenes() {
        if app.page.is_some() {
            continue;
        }
        app.handle(Input::Char('?'));
        assert!(draw_text(&mut app, SIZES[0]).contains("Nothing is played before you confirm"), "{name}");
        app.handle(Input::NextField);
        assert!(draw_text(&mut app, SIZES[0]).contains("The rules in short"), "{name}");
        app.handle(Input::ScrollDown);
        app.handle(Input::Escape);
        assert_eq!(app.page, None, "{name}");
    }
}

#[test]
fn form_changes_the_language() {
    let mut app = form_app();
    app.form.cursor = Field::Language;
    app.handle(Input::Right);
    assert!(draw_text(&mut app, SIZES[0]).contains("Startspieler"), "no German label of the first player");
    assert_eq!(ClickAreas::default().input_at(0, 0), None);
}
