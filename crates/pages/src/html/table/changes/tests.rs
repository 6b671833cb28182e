//! Plays games and checks that a page that applies the changed sections equals a new page.

use std::sync::Arc;

use sultan_domain::{
    Attendance, BySeat, Chance, Commitment, Kind, Observer, Parameters, Person, Players, PlayingTable, Screens,
    TableId, TableInfo, TurnClock,
};
use sultan_testkit::{FastRng, Script};
use sultan_text::{Lang, Text};

use super::*;

/// The options of a table. A guided table also has a coach, so that both occur.
fn info(guided: bool) -> TableInfo {
    TableInfo {
        table: TableId::new(7),
        commitment: Commitment([0; 32]),
        host: Seat::default(),
        ended: false,
        paused: false,
        rematch: None,
        guided,
        coach: guided,
        branch: None,
    }
}

/// People and bots, with random kinds.
fn people(players: Players, rng: &mut FastRng) -> Arc<[Person]> {
    let person = |seat| {
        let kind = match rng.below(4) {
            0 => Kind::Bot("merchant".to_owned()),
            1 => Kind::StandIn("page".to_owned()),
            _ => Kind::Human,
        };
        Person { kind, ..Person::nameless(seat) }
    };
    players.seats().map(person).collect()
}

/// Random deadlines, and actions that a bot played because a player's time had run out.
fn clock(rng: &mut FastRng) -> TurnClock {
    let mut time = || (rng.below(2) == 0).then(|| format!("2026-11-18T10:00:{:02}.000Z", rng.below(60)));
    let (deadline, stand_in_from) = (time(), time());
    let mut at = || (rng.below(3) == 0).then(|| u16::try_from(rng.below(90)).unwrap());
    TurnClock { deadline, stand_in_from, stand_in: "jeweller".to_owned(), timed_out: BySeat([(); 5].map(|()| at())) }
}

/// The views of an observer after every action of a random game. People, deadlines and absent players change at random.
fn views(parameters: Parameters, screens: Screens, observer: Observer, rng: &mut FastRng) -> Vec<PlayingTable> {
    let mut current_people = people(parameters.players, rng);
    let guided = rng.below(3) == 0;
    let script = Script::random_with(parameters, screens, 3);
    let views = script.moments().into_iter().map(|moment| moment.game.view(observer));
    // A table never shows the moment before the draw of a round, when no seat is to act.
    let views = views.filter(|view| view.to_act.is_some() || view.outcome.is_some());
    let table = |view| {
        if rng.below(20) == 0 {
            current_people = people(parameters.players, rng);
        }
        PlayingTable {
            view,
            people: Arc::clone(&current_people),
            clock: clock(rng),
            info: info(guided),
            replayed: false,
            attendance: Attendance::of_code(["", "", "1", "02"][rng.below(4) as usize]),
        }
    };
    views.map(table).collect()
}

/// Replaces the element with this id.
fn replace_element(page: &str, id: &str, html: &str) -> String {
    let attribute = page.find(&format!(" id=\"{id}\"")).unwrap_or_else(|| panic!("no {id} in {page}"));
    let start = page[..attribute].rfind('<').unwrap();
    let name: String = page[start + 1..].chars().take_while(char::is_ascii_alphanumeric).collect();
    // The element ends with the tag that closes as many elements of this name as have been opened.
    let mut depth = 0;
    let mut end = start;
    loop {
        let tag_start = end + page[end..].find('<').unwrap();
        let tag = &page[tag_start + 1..];
        let has_name = |tag: &str| tag.starts_with(&name) && !tag[name.len()..].starts_with(char::is_alphanumeric);
        depth += i32::from(has_name(tag)) - i32::from(tag.strip_prefix('/').is_some_and(has_name));
        end = tag_start + 1 + tag.find('>').unwrap() + 1;
        if depth == 0 {
            return [&page[..start], html, &page[end..]].concat();
        }
    }
}

/// The HTML of all sections of a new page.
fn render_page(context: PageContext<'_>) -> String {
    let sections: Vec<String> = sections(context).into_iter().map(|section| section.html).collect();
    without_script_parts(&sections.join("\n"))
}

/// The page without the parts that the script sets: the number of actions in the form, and the mark of the seat to act.
fn without_script_parts(page: &str) -> String {
    let page = page.replace("class=\"seat to-act", "class=\"seat");
    let Some((before, after)) = page.split_once("name=\"at\" value=\"") else { return page };
    [before, "name=\"at\" ", after.trim_start_matches(|character: char| character.is_ascii_digit())].concat()
}

/// Updates a page through a game as a live page does, skipping some views, and compares it with new pages. Returns the
/// number of sections sent, and the number of sections that were sent without a change.
fn follow_game(text: Text, views: &[PlayingTable], rng: &mut FastRng) -> (usize, usize) {
    let context = |playing| PageContext { text, playing, query: "?seat=1" };
    let mut before = &views[0];
    let mut page = render_page(context(before));
    let (mut sent, mut unchanged) = (0, 0);
    for (index, now) in views.iter().enumerate() {
        if index + 1 < views.len() && rng.below(4) == 0 {
            continue;
        }
        let is_same_table = same_table(context(before), context(now));
        for Section { id, html } in changed_sections(context(before), context(now)) {
            let updated = without_script_parts(&replace_element(&page, id, &html));
            sent += 1;
            unchanged += usize::from(is_same_table && updated == page);
            page = updated;
        }
        let new_page = render_page(context(now));
        assert!(
            page == new_page,
            "the updated page differs after {} actions:\n{page}\n\n{new_page}",
            now.view.action_count
        );
        before = now;
    }
    (sent, unchanged)
}

#[test]
fn updated_page_equals_a_new_page() {
    let mut rng = FastRng::new(1);
    let (mut sent, mut unchanged) = (0, 0);
    let published = (2..=5).map(|count| Parameters::of(Players::new(count).unwrap()));
    let espresso = Parameters { stages: 1, ..Parameters::of(Players::new(3).unwrap()) };
    for parameters in published.chain([espresso]) {
        for observer in Observer::all(parameters.players) {
            let screens = [Screens::Closed, Screens::Open][rng.below(2) as usize];
            let views = views(parameters, screens, observer, &mut rng);
            let counts = follow_game(
                Text::of(Lang::ALL[rng.below(u32::try_from(Lang::ALL.len()).unwrap()) as usize]),
                &views,
                &mut rng,
            );
            (sent, unchanged) = (sent + counts.0, unchanged + counts.1);
        }
    }
    // At most 5 % of the sections may be sent without a change.
    assert!(sent > 5000 && unchanged * 20 < sent, "{unchanged} of {sent} sent sections had not changed");
}
