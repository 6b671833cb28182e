//! Bots decide the same in games that look the same to their seat, so they use neither hidden information nor earlier
//! games.

use sultan_bots::{Bot, LEVELS, Level, WeighedAction};
use sultan_domain::{Action, Observer, Players, Recall, Screens, Seat, View};
use sultan_rules::{Chance, FastRng, Game, imagine};
use sultan_testkit::{Moment, Script, indistinguishable_script, recall, view_text};

/// The results of [`Bot::weigh`] and [`Bot::choose`]. The next random number after each call shows whether the bot drew
/// the same number of random numbers.
#[derive(Debug, PartialEq)]
struct Decision {
    weighed: Vec<WeighedAction>,
    next_number_after_weigh: u32,
    chosen: Option<Action>,
    next_number_after_choose: u32,
}

fn decide(bot: &dyn Bot, (view, recall): &(View, Recall), seed: u64) -> Decision {
    let never_stop = || false;
    let mut rng = FastRng::new(seed);
    let weighed = bot.weigh(view, recall, &mut rng, &never_stop);
    let next_number_after_weigh = rng.below(u32::MAX);
    let mut rng = FastRng::new(seed);
    let chosen = bot.choose(view, recall, &mut rng, &never_stop);
    Decision { weighed, next_number_after_weigh, chosen, next_number_after_choose: rng.below(u32::MAX) }
}

/// The view and recall of a seat at the last of these states.
fn knowledge(moments: &[Moment], seat: Seat) -> (View, Recall) {
    let observer = Observer::Seat(seat);
    (moments.last().unwrap().game.view(observer), recall(moments, observer))
}

/// The view and recall of the seat to act in three games that look the same to this seat:
/// - a random game, up to a random action;
/// - the same game with other hidden cards, played from its start;
/// - a game imagined from the knowledge of the seat.
fn indistinguishable_games(players: Players, screens: Screens, seed: u64) -> [(View, Recall); 3] {
    let script = Script::random(players, screens, seed);
    let moments = script.moments();
    let with_turn: Vec<usize> = (0..moments.len()).filter(|&index| moments[index].game.to_act().is_some()).collect();
    // Another seed than that of the game.
    let mut rng = FastRng::new(!seed);
    let index = with_turn[rng.below(u32::try_from(with_turn.len()).unwrap()) as usize];
    let seat = moments[index].game.to_act().unwrap();
    let (view, recall) = knowledge(&moments[..=index], seat);
    let other = indistinguishable_script(&script, index, Observer::Seat(seat), &mut rng).moments();
    let imagined = imagine(&view, &recall, &mut rng).unwrap();
    let cards = |game: &Game| players.seats().map(|seat| (game.dealt_deck(seat), game.hand(seat))).collect::<Vec<_>>();
    let real_cards = cards(&moments[index].game);
    assert!(real_cards != cards(&other[index].game), "the other game has the same hidden cards as the real game");
    assert!(real_cards != cards(&imagined), "the imagined game has the same hidden cards as the real game");
    let imagined = (imagined.view(Observer::Seat(seat)), recall.clone());
    [(view, recall), knowledge(&other[..=index], seat), imagined]
}

#[test]
fn bots_decide_the_same_in_games_that_look_the_same_to_their_seat() {
    for Level { name, new, cost, .. } in LEVELS.iter().copied() {
        // This bot makes many decisions. It must decide like new bots, which make only one.
        let used_bot = new();
        for (players, screens) in Players::ALL.into_iter().flat_map(|p| [(p, Screens::Closed), (p, Screens::Open)]) {
            for seed in 0..(200 / cost).max(1) {
                let [real, other, imagined] = indistinguishable_games(players, screens, seed);
                let decision = decide(used_bot.as_ref(), &real, seed);
                for game in [other, imagined] {
                    let again = decide(new().as_ref(), &game, seed);
                    assert_eq!(
                        decision,
                        again,
                        "{name}, {players:?}, {screens:?}, seed {seed}: {}",
                        view_text(&real.0)
                    );
                }
            }
        }
    }
}
