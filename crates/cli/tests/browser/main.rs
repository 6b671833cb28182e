//! Whole games in a real browser, on the real binary: alone and together, by hand and by keyboard, with and without a script.
//!
//! With `SULTAN_PICTURES=FOLDER` the pictures of every page are written there; otherwise they are taken and thrown away.

mod games;
mod hall;
mod newcomer;
mod pictures;
mod play;
mod reach;
mod study;
mod together;
mod weight;

use std::future::Future;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::Result;
use libtest_mimic::{Arguments, Trial, run};
use sultan_testkit::browser::{Browser, HOW_TO_GET_CHROMIUM};
use sultan_testkit::{everything_is_tested, within};

/// A test that is a story.
fn story<F: Future<Output = Result<()>>>(name: &str, tell: impl FnOnce() -> F + Send + 'static) -> Trial {
    // The longest takes two minutes.
    Trial::test(name, move || within(Duration::from_mins(10), tell()))
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Most of a story is waiting, for bots and for cards to turn: more of them than there are cores fit side by side.
    arguments.test_threads = arguments.test_threads.or_else(|| Some(2 * available_parallelism().ok()?.get()));
    let missing = Browser::installed().is_none();
    let must = everything_is_tested();
    if missing {
        eprintln!("\n!!! {HOW_TO_GET_CHROMIUM}\n");
    }
    let trials = vec![
        story("one_person_against_bots", games::one_person_against_bots),
        story("by_keyboard_alone", games::by_keyboard_alone),
        story("on_a_phone", games::on_a_phone),
        story("without_a_script", games::without_a_script),
        story("without_a_socket", games::without_a_socket),
        story("by_dragging", games::by_dragging),
        story("each_language_has_its_table", games::each_language_has_its_table),
        story("two_browsers_against_each_other", together::two_browsers_against_each_other),
        story("three_seats_pass_and_play", together::three_seats_pass_and_play),
        story("the_server_restarts_in_mid_round", together::the_server_restarts_in_mid_round),
        story("a_friend_who_vanishes_is_marked", together::a_friend_who_vanishes_is_marked),
        story("who_comes_while_cards_turn_up_leaves_the_turn_as_it_is", together::who_comes_while_cards_turn_up),
        story("a_spectator_sees_nothing_hidden", together::a_spectator_sees_nothing_hidden),
        story("nothing_stands_in_the_way_of_anybody", reach::nothing_stands_in_the_way_of_anybody),
        story("no_page_is_wider_than_its_window", reach::no_page_is_wider_than_its_window),
        story("a_first_visit_is_light_and_calm", weight::a_first_visit_is_light_and_calm),
        story("what_moves_is_cheap_to_move", weight::what_moves_is_cheap_to_move),
        story("a_finished_game_is_looked_at_again", study::a_finished_game_is_looked_at_again),
        story("a_record_file_is_dropped_on_a_page", study::a_record_file_is_dropped_on_a_page),
        story("a_moment_is_played_on", study::a_moment_is_played_on),
        story("a_coach_is_asked", study::a_coach_is_asked),
        story("nothing_is_asked_while_cards_are_turned_up", newcomer::nothing_is_asked_while_cards_are_turned_up),
        story("the_helper_is_read_whole_on_a_phone", newcomer::the_helper_is_read_whole_on_a_phone),
        story("a_replay_is_seen_whole_on_a_desktop", newcomer::a_replay_is_seen_whole_on_a_desktop),
        story("pictures", pictures::pictures),
    ];
    let trials = trials.into_iter().map(|trial| trial.with_ignored_flag(missing && !must)).collect();
    run(&arguments, trials).exit_code()
}
