//! A page that applies the changed sections equals a new page.

use std::sync::Arc;

use sultan_domain::{
    AbsentSeats, Chance, Commitment, Kind, Observer, Parameters, Person, Players, PlayingTable, Screens, TableId,
    TableInfo,
};
use sultan_testkit::{Quick, Script};
use sultan_text::{Lang, Text};

use super::*;

fn info(guided: bool) -> TableInfo {
    TableInfo {
        table: TableId::new(7),
        commitment: Commitment([0; 32]),
        host: Seat::default(),
        ended: false,
        rematch: None,
        guided,
        coach: guided,
        branch: None,
    }
}

/// People and bots, with random kinds.
fn people(players: Players, chance: &mut Quick) -> Arc<[Person]> {
    let person = |seat| {
        let kind = match chance.below(4) {
            0 => Kind::Bot("merchant".to_owned()),
            1 => Kind::StandIn("page".to_owned()),
            _ => Kind::Human,
        };
        Person { kind, ..Person::nameless(seat) }
    };
    players.seats().map(person).collect()
}

/// The views of an observer after every action of a random game, with random absences and deadlines.
fn views(parameters: Parameters, screens: Screens, observer: Observer, chance: &mut Quick) -> Vec<PlayingTable> {
    let mut current_people = people(parameters.players, chance);
    let guided = chance.below(3) == 0;
    let script = Script::random_with(parameters, screens, 3);
    let views = script.moments().into_iter().map(|moment| moment.game.view(observer));
    let views = views.filter(|view| view.to_act.is_some() || view.outcome.is_some());
    let table = |view| {
        if chance.below(20) == 0 {
            current_people = people(parameters.players, chance);
        }
        PlayingTable {
            view,
            people: Arc::clone(&current_people),
            deadline: (chance.below(2) == 0).then(|| format!("2026-11-18T10:00:{:02}.000Z", chance.below(60))),
            info: info(guided),
            replayed: false,
            absent: AbsentSeats::of_digits(["", "", "1", "02"][chance.below(4) as usize]),
        }
    };
    views.map(table).collect()
}

/// Replaces the element with this id.
fn replace(page: &str, id: &str, html: &str) -> String {
    let attribute = page.find(&format!(" id=\"{id}\"")).unwrap_or_else(|| panic!("no {id} in {page}"));
    let start = page[..attribute].rfind('<').unwrap();
    let name: String = page[start + 1..].chars().take_while(char::is_ascii_alphanumeric).collect();
    let mut depth = 0;
    let mut end = start;
    loop {
        let next = end + page[end..].find('<').unwrap();
        let tag = &page[next + 1..];
        let is_same = |tag: &str| tag.starts_with(&name) && !tag[name.len()..].starts_with(char::is_alphanumeric);
        depth += i32::from(is_same(tag)) - i32::from(tag.strip_prefix('/').is_some_and(is_same));
        end = next + 1 + tag.find('>').unwrap() + 1;
        if depth == 0 {
            return [&page[..start], html, &page[end..]].concat();
        }
    }
}

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

/// Follows a game as a page does, skipping some states. Returns the number of parts sent, and of those that were the
/// same as before.
fn follow(text: Text, views: &[PlayingTable], chance: &mut Quick) -> (usize, usize) {
    let context = |playing| PageContext { text, playing, query: "?seat=1" };
    let mut shown = &views[0];
    let mut page = render_page(context(shown));
    let (mut sent, mut unchanged) = (0, 0);
    for (index, now) in views.iter().enumerate() {
        if index + 1 < views.len() && chance.below(4) == 0 {
            continue;
        }
        let same_table = same_table(context(shown), context(now));
        for Section { id, html } in changed_sections(context(shown), context(now)) {
            let patched = without_script_parts(&replace(&page, id, &html));
            sent += 1;
            unchanged += usize::from(same_table && patched == page);
            page = patched;
        }
        assert!(page == render_page(context(now)), "at {}:\n{page}\n\n{}", now.view.at, render_page(context(now)));
        shown = now;
    }
    (sent, unchanged)
}

#[test]
fn patched_page_equals_a_new_page() {
    let mut chance = Quick::new(1);
    let (mut sent, mut unchanged) = (0, 0);
    let published = (2..=5).map(|count| Parameters::of(Players::new(count).unwrap()));
    let espresso = Parameters { stages: 1, ..Parameters::of(Players::new(3).unwrap()) };
    for parameters in published.chain([espresso]) {
        for observer in Observer::all(parameters.players) {
            let screens = [Screens::Closed, Screens::Open][chance.below(2) as usize];
            let views = views(parameters, screens, observer, &mut chance);
            let parts = follow(Text::of(Lang::ALL[chance.below(5) as usize]), &views, &mut chance);
            (sent, unchanged) = (sent + parts.0, unchanged + parts.1);
        }
    }
    assert!(sent > 5000 && unchanged * 20 < sent, "{unchanged} of {sent} parts had not changed");
}
