//! Every screen, drawn to a test backend and compared with the text files in `tests/frames`. Rewrite these files with
//! `SULTAN_WRITE_GOLDENS=1 cargo test -p sultan-tui frames`.

mod tables;

use std::path::PathBuf;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;
use sultan_domain::{Kind, Observer, Person, PlayerColour, Players, Screens, Seat, View, ViewPhase, WaitingSeat};
use sultan_testkit::Script;
use sultan_text::{Lang, Text};

use self::tables::{playing_table, waiting_table};
use super::draw;
use crate::app::{App, GameScreen, Page, ResumeList, Reveal, Screen};
use crate::connection::Unfinished;
use crate::form::{Field, SeatSetup, Setup};
use crate::input::{ClickAreas, Input, translate};
use crate::styles::Styles;
use crate::width::width;

pub(super) const SIZES: [(u16, u16); 2] = [(80, 24), (120, 40)];

fn people(players: u8) -> Vec<Person> {
    let person = |name: &str, colour| Person { name: name.to_owned(), colour, kind: Kind::Human };
    let bot = |name: &str, colour| Person { name: name.to_owned(), colour, kind: Kind::Bot(name.to_owned()) };
    let all = [
        person("Ana", PlayerColour::Gold),
        bot("merchant", PlayerColour::Violet),
        person("王様の宝石商人", PlayerColour::Green),
        bot("sultan", PlayerColour::Red),
        bot("merchant", PlayerColour::Blue),
    ];
    all.into_iter().take(players.into()).collect()
}

/// All views of one observer in a random game.
fn views(players: u8, screens: Screens, observer: Observer) -> Vec<View> {
    let moments = Script::random(Players::new(players).unwrap(), screens, 7).moments();
    moments.iter().map(|moment| moment.game.view(observer)).collect()
}

/// The first view from stage 2 on that meets a condition.
fn moment(players: u8, observer: Observer, condition: impl Fn(&View) -> bool) -> View {
    let later = |view: &View| view.stage.0 >= 2 && view.drawn.len() > 1;
    views(players, Screens::Closed, observer).into_iter().find(|view| later(view) && condition(view)).unwrap()
}

fn app() -> App {
    let setup = Setup::new(Players::new(4).unwrap(), "Ana", None);
    App::new(Text::of(Lang::En), Styles { colours: true }, setup, Vec::new())
}

fn playing(view: View, own: Vec<Seat>) -> App {
    App { screen: Screen::Game(Box::new(GameScreen::new(own, false, playing_table(view)))), ..app() }
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

const ANA: Observer = Observer::Seat(match Seat::new(0) {
    Some(seat) => seat,
    None => unreachable!(),
});

fn press(mut app: App, keys: &str) -> App {
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

fn form_scene() -> App {
    let mut app = app();
    let form = &mut app.form;
    form.setup.seats[1] = SeatSetup::Person { name: "王様の宝石".to_owned(), colour: Some(PlayerColour::Red) };
    form.setup.seats.push(SeatSetup::Bot("sultan".to_owned()));
    form.setup.first_seat = Some(seat(1));
    form.cursor = Field::Occupant(4);
    app
}

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
    App { screen: Screen::Game(Box::new(game)), ..app() }
}

fn reveal_scene(revealed: usize) -> App {
    let view = moment(5, ANA, |view| view.phase == ViewPhase::Offer);
    let round = view.last_round.unwrap();
    let mut app = playing(view, vec![seat(0)]);
    let Screen::Game(game) = &mut app.screen else { unreachable!() };
    game.reveal = Some(Reveal { round, revealed });
    app
}

fn own_turn(phase: ViewPhase) -> impl Fn(&View) -> bool {
    move |view| view.phase == phase && view.to_act == Some(seat(0))
}

/// Every screen, by its name.
fn scenes() -> Vec<(&'static str, App)> {
    let own = || vec![seat(0)];
    let over = |players| views(players, Screens::Closed, ANA).pop().unwrap();
    let public = moment(3, Observer::Public, |view| view.phase == ViewPhase::Bid && view.to_act == Some(seat(2)));
    let game =
        Unfinished { table: "y20cwaaq261c".parse().unwrap(), own_seats: own(), view: playing_table(public.clone()) };
    let open = views(4, Screens::Open, ANA).into_iter().rev().find(|view| view.phase == ViewPhase::Bid).unwrap();
    let mut help = app();
    help.page = Some((Page::Help, 0));
    let mut rules = app();
    rules.page = Some((Page::Rules, 0));
    let list = ResumeList { games: vec![game.clone(), game], cursor: 1, confirms_give_up: true };
    let resume = Screen::Resume(list);
    vec![
        ("resume", App { screen: resume, ..app() }),
        ("setup", form_scene()),
        ("waiting", waiting_scene()),
        ("table-offer", press(playing(moment(5, ANA, own_turn(ViewPhase::Offer)), own()), "2")),
        ("table-offered", press(playing(moment(4, ANA, own_turn(ViewPhase::Offer)), own()), "423")),
        ("table-card", press(playing(moment(2, ANA, own_turn(ViewPhase::Bid)), own()), ">>")),
        ("table-typed", press(playing(moment(2, ANA, own_turn(ViewPhase::Bid)), own()), "1")),
        ("table-cushion", press(playing(moment(3, ANA, own_turn(ViewPhase::Bid)), own()), "\n>")),
        ("table-confirm", press(playing(moment(5, ANA, own_turn(ViewPhase::Bid)), own()), "\n2")),
        ("table-watching", playing(public.clone(), Vec::new())),
        ("table-open", playing(open, own())),
        ("curtain", playing(public, vec![seat(0), seat(2)])),
        ("reveal-half", reveal_scene(1)),
        ("reveal", reveal_scene(3)),
        ("end", playing(over(5), own())),
        ("end-two", playing(over(2), own())),
        ("help", help),
        ("rules", rules),
    ]
}

fn draw_on_backend(app: &mut App, (columns, rows): (u16, u16)) -> TestBackend {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| draw(app, frame)).unwrap();
    terminal.backend().clone()
}

/// The contents of a test backend as text.
pub(super) fn text(backend: &TestBackend) -> String {
    let buffer = backend.buffer();
    let mut all = String::new();
    for row in 0..buffer.area.height {
        let mut line = String::new();
        let mut column = 0;
        while column < buffer.area.width {
            let symbol = buffer[(column, row)].symbol();
            line.push_str(symbol);
            column += u16::try_from(width(symbol).max(1)).unwrap();
        }
        all.push_str(line.trim_end());
        all.push('\n');
    }
    all
}

/// Compares a frame with its stored file, and returns a description if they differ.
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
            wrong.extend(golden_difference(name, size, &text(&draw_on_backend(&mut app.clone(), size))));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn monochrome_screens_have_the_same_text_without_colours() {
    for (name, app) in scenes() {
        let mut plain = App { styles: Styles { colours: false }, ..app.clone() };
        let (with, without) = (draw_on_backend(&mut app.clone(), SIZES[0]), draw_on_backend(&mut plain, SIZES[0]));
        assert_eq!(text(&with), text(&without), "{name}");
        let coloured = |backend: &TestBackend| {
            backend.buffer().content().iter().any(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset)
        };
        assert!(coloured(&with) && !coloured(&without), "{name}");
    }
}

#[test]
fn every_screen_is_drawn_at_every_size() {
    for (name, app) in scenes() {
        for columns in [1, 2, 20, 71, 72, 73, 79, 80, 100, 133, 250] {
            for rows in [1, 2, 10, 21, 22, 23, 24, 30, 60] {
                let frame = text(&draw_on_backend(&mut app.clone(), (columns, rows)));
                let small = columns < 72 || rows < 22;
                assert!(
                    small || frame.contains("Sultan") || frame.contains("Stage"),
                    "{name} {columns}x{rows}\n{frame}"
                );
                assert!(!small || columns < 40 || rows < 10 || frame.contains("too small"), "{name} {columns}x{rows}");
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
                assert!(!text(&draw_on_backend(&mut app, size)).contains("tui-"), "{name} {}", lang.code());
            }
        }
    }
}

#[test]
fn hand_is_drawn_for_its_player_and_hidden_by_the_curtain() {
    for players in [2, 3, 5] {
        for view in views(players, Screens::Closed, ANA) {
            // The screen shows Ana's view, so the curtain falls when it is the second player's turn.
            let curtain = view.to_act == Some(seat(1));
            let (over, hand) = (view.phase == ViewPhase::Over, view.hand.iter().count());
            let frame = text(&draw_on_backend(&mut playing(view, vec![seat(0), seat(1)]), SIZES[0]));
            let shown = if curtain || over { 0 } else { hand };
            assert_eq!(frame.matches("╭────╮").count(), shown, "{frame}");
            assert_eq!(frame.contains("’s turn to look."), curtain, "{frame}");
        }
        for view in views(players, Screens::Closed, Observer::Public) {
            assert!(!text(&draw_on_backend(&mut playing(view, Vec::new()), SIZES[0])).contains("╭────╮"));
        }
    }
}

#[test]
fn cursor_moves_through_the_ranking_line_by_line() {
    let mut app = playing(views(5, Screens::Closed, ANA).pop().unwrap(), vec![seat(0)]);
    let cursor_row = |app: &mut App| {
        let frame = text(&draw_on_backend(app, SIZES[0]));
        frame.lines().position(|line| line.starts_with("│▸")).unwrap_or_else(|| panic!("no cursor in {frame}"))
    };
    let top = cursor_row(&mut app);
    for below in [1, 2, 3, 4, 0] {
        assert_eq!(app.handle(Input::Down), None);
        assert_eq!(cursor_row(&mut app), top + below);
    }
    for above in [4, 3] {
        app.handle(Input::Up);
        assert_eq!(cursor_row(&mut app), top + above);
    }
}

#[test]
fn changing_the_player_count_keeps_other_seats() {
    let mut app = form_scene();
    app.form.cursor = Field::Players;
    let before = app.form.setup.seats.clone();
    app = press(app, "4");
    assert_eq!(app.form.setup.seats, before[..4]);
    app = press(app, "345");
    assert_eq!(app.form.setup.seats[..3], before[..3]);
    assert_eq!(app.form.setup.seats.len(), 5);
}

#[test]
fn help_is_closed_with_the_mouse() {
    let mut app = app();
    app.handle(Input::Help);
    assert_eq!(click(&mut app, Input::Escape), None);
    assert_eq!(app.page, None);
}

/// Clicks on the area of an input.
fn click(app: &mut App, target: Input) -> Option<crate::app::Task> {
    draw_on_backend(app, SIZES[0]);
    let areas = std::mem::take(&mut app.areas);
    let (column, row) = (0..24)
        .flat_map(|row| (0..80).map(move |column| (column, row)))
        .find(|&(column, row)| areas.input_at(column, row) == Some(target))
        .unwrap_or_else(|| panic!("nothing to click for {target:?}"));
    let kind = crossterm::event::MouseEventKind::Down(crossterm::event::MouseButton::Left);
    let modifiers = crossterm::event::KeyModifiers::NONE;
    let event = crossterm::event::Event::Mouse(crossterm::event::MouseEvent { kind, column, row, modifiers });
    app.handle(translate(&event, &areas)?)
}

#[test]
fn bid_can_be_made_with_the_mouse() {
    let view = moment(5, ANA, own_turn(ViewPhase::Bid));
    let card = view.hand.iter().next().unwrap();
    let mut app = playing(view, vec![seat(0)]);
    let cushion = |number| Input::Cushion(sultan_domain::Cushion::new(number).unwrap());
    assert_eq!(click(&mut app, Input::Item(1)), None);
    assert_eq!(click(&mut app, Input::Undo), None);
    assert_eq!(click(&mut app, Input::Item(0)), None);
    assert_eq!(click(&mut app, cushion(3)), None);
    let task = click(&mut app, Input::Enter);
    assert!(matches!(&task, Some(crate::app::Task::Act { action, .. }) if *action == format!("{card}@3")), "{task:?}");
}

#[test]
fn offer_can_be_made_with_the_mouse() {
    let view = moment(3, ANA, own_turn(ViewPhase::Offer));
    let drawn_jewels: Vec<_> = view.drawn.iter().collect();
    let mut app = playing(view, vec![seat(0)]);
    click(&mut app, Input::Item(2));
    click(&mut app, Input::Item(0));
    let task = click(&mut app, Input::Enter);
    let wanted = format!("{}{}", drawn_jewels[2], drawn_jewels[0]);
    assert!(matches!(&task, Some(crate::app::Task::Act { action, .. }) if *action == wanted), "{task:?}");
}

#[test]
fn help_opens_on_every_screen_and_closes() {
    for (name, mut app) in scenes() {
        if app.page.is_some() {
            continue;
        }
        app.handle(Input::Char('?'));
        assert!(text(&draw_on_backend(&mut app, SIZES[0])).contains("Nothing is played before you confirm"), "{name}");
        app.handle(Input::Next(true));
        assert!(text(&draw_on_backend(&mut app, SIZES[0])).contains("The rules in short"), "{name}");
        app.handle(Input::Wheel(true));
        app.handle(Input::Escape);
        assert_eq!(app.page, None, "{name}");
    }
}

#[test]
fn form_changes_the_language() {
    let mut app = app();
    app.form.cursor = Field::Language;
    app.handle(Input::Right);
    assert!(text(&draw_on_backend(&mut app, SIZES[0])).contains("Startspieler"));
    assert_eq!(ClickAreas::default().input_at(0, 0), None);
}
