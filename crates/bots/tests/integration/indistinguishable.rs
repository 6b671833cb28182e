//! Bots decide the same in games that their seat cannot distinguish: they use no hidden information, and no earlier game.

use sultan_bots::{Bot, LEVELS, Level, WeighedAction};
use sultan_domain::{Action, Observer, Players, Recall, Screens, Seat, View};
use sultan_rules::{Chance, Game, Quick, imagine};
use sultan_testkit::{Moment, Script, indistinguishable_script, recall};

/// The results of `weigh` and `choose`, each with the generator's next number after it.
type Answer = (Vec<WeighedAction>, u32, Option<Action>, u32);

fn answer(bot: &dyn Bot, (view, recall): &(View, Recall), seed: u64) -> Answer {
    let never = || false;
    let mut rng = Quick::new(seed);
    let weighed = bot.weigh(view, recall, &mut rng, &never);
    let after_weighing = rng.below(u32::MAX);
    let mut rng = Quick::new(seed);
    let action = bot.choose(view, recall, &mut rng, &never);
    (weighed, after_weighing, action, rng.below(u32::MAX))
}

/// The view and recall of a seat at the last of these positions.
fn knowledge(moments: &[Moment], seat: Seat) -> (View, Recall) {
    let observer = Observer::Seat(seat);
    let game = moments.last().unwrap().game;
    let view = game.view(observer);
    (view, recall(moments, observer))
}

/// Three games that the seat to act cannot distinguish: a random game, up to a random action; the same game with other
/// hidden cards, played from its start; and a game imagined from the knowledge of the seat.
fn indistinguishable(players: Players, screens: Screens, seed: u64) -> [(View, Recall); 3] {
    let script = Script::random(players, screens, seed);
    let moments = script.moments();
    let acting: Vec<usize> = (0..moments.len()).filter(|&at| moments[at].game.to_act().is_some()).collect();
    let mut rng = Quick::new(!seed);
    let at = acting[rng.below(u32::try_from(acting.len()).unwrap()) as usize];
    let seat = moments[at].game.to_act().unwrap();
    let real = knowledge(&moments[..=at], seat);
    let other = indistinguishable_script(&script, at, Observer::Seat(seat), &mut rng).moments();
    let imagined = imagine(&real.0, &real.1, &mut rng).unwrap();
    let hidden = |game: &Game| players.seats().map(|seat| (game.dealt_deck(seat), game.hand(seat))).collect::<Vec<_>>();
    let here = hidden(&moments[at].game);
    assert!(here != hidden(&other[at].game) && here != hidden(&imagined), "the games differ in hidden cards");
    let seen = imagined.view(Observer::Seat(seat));
    let imagined = (seen, real.1.clone());
    [real, knowledge(&other[..=at], seat), imagined]
}

#[test]
fn indistinguishable_games_get_the_same_answer() {
    for Level { name, new, cost, .. } in LEVELS.iter().copied() {
        // One bot makes all decisions; the others are new each time.
        let old = new();
        for (players, screens) in Players::ALL.into_iter().flat_map(|p| [(p, Screens::Closed), (p, Screens::Open)]) {
            for seed in 0..(200 / cost).max(1) {
                let [real, other, imagined] = indistinguishable(players, screens, seed);
                let answers = answer(old.as_ref(), &real, seed);
                for world in [other, imagined] {
                    let again = answer(new().as_ref(), &world, seed);
                    assert_eq!(answers, again, "{name}, {players:?}, {screens:?}, seed {seed}: {}", real.0);
                }
            }
        }
    }
}
