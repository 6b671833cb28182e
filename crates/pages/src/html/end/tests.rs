//! Tests of the end page: ranks and ties, the calculation of points, links for players and spectators.

use std::sync::Arc;

use sultan_domain::{
    Attendance, Cards, Collection, Drawn, Kind, Observer, Outcome, Parameters, Person, Place, Players, PlayingTable,
    Round, Screens, Seat, SeatView, Stage, TableInfo, TurnClock, View, ViewPhase,
};
use sultan_text::{Lang, Text};

use super::*;

/// A finished game in which the seats have these collections: the numbers of jewels in the order of `Jewel::ALL`.
#[expect(clippy::default_trait_access, reason = "empty lists of any type")]
fn finished_game(collections: &[[u8; 5]]) -> PlayingTable {
    let players = Players::new(u8::try_from(collections.len()).unwrap()).unwrap();
    let parameters = Parameters::of(players);
    let mut places: Vec<Place> =
        players.seats().zip(collections).map(|(seat, counts)| place(&parameters, seat, *counts)).collect();
    let points_and_jewels = |place: &Place| (place.points, place.count);
    let standings: Vec<_> = places.iter().map(points_and_jewels).collect();
    for place in &mut places {
        let better_places = standings.iter().filter(|other| **other > points_and_jewels(place)).count();
        place.rank = 1 + u8::try_from(better_places).unwrap();
    }
    let seat_view = |seat: Seat| SeatView { seat, hand: 0, deck: 0, collection: None, played: None };
    let view = View {
        parameters,
        observer: Observer::Public,
        screens: Screens::Closed,
        phase: ViewPhase::Over,
        action_count: parameters.actions(),
        stage: Stage(3),
        round: Round(parameters.rounds_per_stage),
        first_seat: Seat::default(),
        to_act: None,
        drawn: Drawn::default(),
        offer: Default::default(),
        bids: Default::default(),
        hand: Cards::default(),
        seats: players.seats().map(seat_view).collect(),
        last_round: None,
        outcome: Some(Outcome { places: places.into_iter().collect() }),
    };
    let info = TableInfo {
        table: "000000000000".parse().unwrap(),
        commitment: "00".repeat(32).parse().unwrap(),
        host: Seat::default(),
        ended: false,
        paused: false,
        rematch: None,
        guided: false,
        coach: false,
        branch: None,
    };
    let people = players.seats().map(|seat| Person { name: format!("N{seat}"), ..Person::nameless(seat) }).collect();
    PlayingTable { view, people, clock: TurnClock::default(), info, replayed: false, attendance: Attendance::default() }
}

/// The place of a seat with this collection. Its rank is not set.
fn place(parameters: &Parameters, seat: Seat, counts: [u8; 5]) -> Place {
    sultan_domain::place(parameters, seat, Collection::new(counts).unwrap())
}

/// The HTML of all sections of the end page.
fn render(playing: &PlayingTable, own_seats: &[Seat], lang: Lang) -> String {
    let context = PageContext { text: Text::of(lang), playing, query: "" };
    let reader = EndReader { own_seats, rematch: None };
    sections(context, reader).into_iter().map(|section| section.html).collect()
}

/// The HTML of all sections of the English end page, for a browser with these seats.
fn render_end(playing: &PlayingTable, own_seats: &[Seat]) -> String {
    render(playing, own_seats, Lang::En)
}

/// The seats and their ranks, in the order of the page.
fn seats_and_ranks(html: &str) -> Vec<(&str, &str)> {
    /// The value of the first attribute with this name.
    fn attribute<'a>(article: &'a str, name: &str) -> &'a str {
        let start = format!("{name}=\"");
        article.split_once(&start).and_then(|(_, value)| value.split('"').next()).unwrap()
    }
    let articles = html.split("<article").skip(1);
    articles.map(|article| (attribute(article, "data-seat"), attribute(article, "data-rank"))).collect()
}

#[test]
fn rule_5_5_equal_points_and_jewels_share_the_first_rank() {
    let game = finished_game(&[[1, 0, 0, 0, 0], [0, 1, 0, 0, 1], [0, 1, 0, 0, 1]]);
    let html = render_end(&game, &[]);
    assert_eq!(seats_and_ranks(&html), [("1", "1"), ("2", "1"), ("0", "3")]);
    assert!(html.contains("The sultan’s treasurers") && html.contains("A draw: equal points and equally many jewels."));
    assert_eq!(html.matches("class=\"winner\"").count(), 2);
    assert!(!html.contains("has more jewels"));
}

#[test]
fn rule_5_5_more_jewels_decide_between_equal_points_at_every_rank() {
    // Two players have 7 points, with three and two jewels; the third has 1 point.
    let game = finished_game(&[[0, 1, 0, 0, 1], [2, 0, 0, 0, 1], [1, 0, 0, 0, 0]]);
    let html = render_end(&game, &[]);
    assert_eq!(seats_and_ranks(&html), [("1", "1"), ("0", "2"), ("2", "3")]);
    assert!(html.contains("N1 and N0 have equal points: N1 has more jewels."), "{html}");
    assert!(html.contains("The sultan’s treasurer<") && !html.contains("A draw"));
    let tie_behind_winner = finished_game(&[[0, 0, 0, 0, 3], [0, 1, 0, 0, 0], [2, 0, 0, 0, 0]]);
    assert!(render_end(&tie_behind_winner, &[]).contains("N2 and N1 have equal points: N2 has more jewels."));
}

#[test]
fn reader_is_addressed_as_you_in_every_language() {
    // Seats 0 and 1 have 7 points, seat 1 with more jewels. Seat 2 has 1 point.
    let game = finished_game(&[[0, 1, 0, 0, 1], [2, 0, 0, 0, 1], [1, 0, 0, 0, 0]]);
    let [second, winner, third] = [0, 1, 2].map(|number| Seat::new(number).unwrap());
    for lang in Lang::ALL {
        let you = Text::of(lang).say("table-you");
        for seat in [second, winner, third] {
            let (html, name) = (render(&game, &[seat], lang), format!("N{seat}"));
            assert!(html.contains(&format!("<b>{you}</b>")) && !html.contains(&name), "{}: {html}", lang.code());
        }
        // The winner's heading also has "You".
        let html = render(&game, &[winner], lang);
        assert!(html.split("</section>").next().unwrap().contains(&format!("</span>{you}</span>")), "{you}");
        // Spectators and players of a shared browser see names.
        for own_seats in [&[][..], &[second, winner]] {
            assert!(!render(&game, own_seats, lang).contains(&format!("<b>{you}</b>")));
        }
    }
    assert!(render_end(&game, &[winner]).contains("You and N0 have equal points: you have more jewels."));
    assert!(render_end(&game, &[second]).contains("You and N1 have equal points: N1 has more jewels."));
}

#[test]
fn rule_5_6_example_is_scored_line_by_line() {
    // The jewels are worth 18 points. The bonus is 12 with four players, and 5 with two.
    let four_players = render_end(&finished_game(&[[3, 5, 0, 0, 1], [0; 5], [0; 5], [0; 5]]), &[]);
    assert!(four_players.contains("data-points=\"30\"") && four_players.contains("30 points with 9 jewels"));
    for line in ["white: 3 at 1", "bonus 2", "total 5", "red: 5 at 2", ">+10<", "bonus 10", "total 20", "blue: 1 at 5"]
    {
        assert!(four_players.contains(line), "{line}");
    }
    let two_players = render_end(&finished_game(&[[3, 5, 0, 0, 1], [0; 5]]), &[]);
    assert!(two_players.contains("data-points=\"23\""));
}

#[test]
fn round_title_is_previous_during_the_game_and_last_after_it() {
    let mut game = finished_game(&[[1, 0, 0, 0, 0], [0; 5]]);
    assert!(render_end(&game, &[]).contains("The last round"));
    let title =
        |playing: &PlayingTable| PageContext { text: Text::of(Lang::En), playing, query: "" }.last_round_title();
    assert_eq!(title(&game), "The last round");
    game.view.phase = ViewPhase::Offer;
    assert_eq!(title(&game), "The previous round");
}

#[test]
fn colon_spacing_follows_the_language() {
    let game = finished_game(&[[1, 0, 0, 0, 0], [0; 5]]);
    for (lang, rank) in [(Lang::En, ">Place 1: <"), (Lang::Fr, ">Rang 1\u{a0}: <")] {
        assert!(render(&game, &[], lang).contains(rank), "{rank}");
    }
}

#[test]
fn rematch_button_is_shown_to_players_only() {
    let mut game = finished_game(&[[1, 0, 0, 0, 0], [0; 5]]);
    let seat = Seat::new(1).unwrap();
    assert!(!render_end(&game, &[]).contains("rematch"), "spectators get no rematch button");
    let button = render_end(&game, &[seat]);
    assert!(button.contains("action=\"/t/000000000000/rematch?seat=1\"") && button.contains(">Play again together<"));
    // Without other people, the rematch starts at once.
    assert!(render_end(&game, &[Seat::default(), seat]).contains(">Play again<"));
    Arc::make_mut(&mut game.people)[0].kind = Kind::Bot("page".to_owned());
    assert!(render_end(&game, &[seat]).contains(">Play again<"));
    game.info.rematch = Some("111111111111".parse().unwrap());
    for own_seats in [&[][..], &[seat]] {
        let html = render_end(&game, own_seats);
        assert!(html.contains("href=\"/t/111111111111\"") && !html.contains("<form"), "{html}");
    }
    game.info = TableInfo { ended: true, rematch: None, ..game.info };
    game.view.outcome = None;
    let html = render_end(&game, &[seat]);
    assert!(html.contains("Everybody has left this table.") && !html.contains("<form") && !html.contains("<article"));
}

#[test]
fn picture_shows_all_players_and_escapes_their_names() {
    let mut game = finished_game(&[[3, 5, 0, 0, 1], [3, 0, 0, 0, 0], [0; 5], [0; 5], [0; 5]]);
    Arc::make_mut(&mut game.people)[0].name = "<A & B> with a long name".to_owned();
    let picture = |game: &PlayingTable| {
        let context = PageContext { text: Text::of(Lang::En), playing: game, query: "" };
        picture::result_picture(context).map(Markup::into_string)
    };
    let svg = picture(&game).unwrap();
    assert!(
        svg.contains("&lt;A &amp; B&gt; wi") && svg.contains("…<") && svg.contains(">30<") && svg.contains(">N4<"),
        "{svg}"
    );
    assert!(svg.contains("30 points with 9 jewels") && svg.contains("<symbol id=\"crown\""));
    // Every drawing that the picture refers to is part of it.
    for reference in svg.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(svg.contains(&format!("<symbol id=\"{reference}\"")), "{reference}");
    }
    game.view.outcome = None;
    assert_eq!(picture(&game), None, "a game that all players have left has no result");
}

#[test]
fn live_address_names_the_seat_and_the_page() {
    let game = finished_game(&[[1, 0, 0, 0, 0], [0; 5]]);
    let live_address = |query| PageContext { text: Text::of(Lang::En), playing: &game, query }.live_address("end");
    assert_eq!(live_address(""), "/t/000000000000/live?page=end");
    assert_eq!(live_address("?seat=1"), "/t/000000000000/live?seat=1&page=end");
}
