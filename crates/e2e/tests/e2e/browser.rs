//! Whole games in a real browser with the real binary: one or several players, mouse or keyboard, with and without
//! JavaScript.
//!
//! With `SULTAN_PICTURES=FOLDER` the screenshots of every page are written there; otherwise they are discarded.

mod games;
mod hall;
mod newcomer;
mod pictures;
mod play;
mod reach;
mod study;
mod together;
mod weight;

use std::time::Duration;

use anyhow::Result;
use sultan_e2e::browser::{Browser, HOW_TO_GET_CHROMIUM};
use sultan_e2e::within;
use sultan_testkit::skip_or_fail;

use crate::machine;

fn story(told: impl Future<Output = Result<()>>) -> Result<()> {
    if Browser::installed().is_none() {
        skip_or_fail(HOW_TO_GET_CHROMIUM);
        return Ok(());
    }
    let _machine = machine::shared();
    // The longest test takes two minutes.
    within(Duration::from_mins(10), told)
}

macro_rules! stories {
    ($($module:ident::$name:ident,)*) => {
        $(
            #[test]
            fn $name() -> Result<()> {
                story($module::$name())
            }
        )*
    };
}

stories! {
    games::one_person_against_bots,
    games::by_keyboard_alone,
    games::on_a_phone,
    games::without_a_script,
    games::without_a_socket,
    games::by_dragging,
    games::each_language_has_its_table,
    together::two_browsers_against_each_other,
    together::three_seats_pass_and_play,
    together::the_server_restarts_in_mid_round,
    together::a_friend_who_vanishes_is_marked,
    together::who_comes_while_cards_turn_up_leaves_the_turn_as_it_is,
    together::a_spectator_sees_nothing_hidden,
    reach::nothing_stands_in_the_way_of_anybody,
    reach::no_page_is_wider_than_its_window,
    weight::a_first_visit_is_light_and_calm,
    weight::what_moves_is_cheap_to_move,
    study::a_finished_game_is_looked_at_again,
    study::a_record_file_is_dropped_on_a_page,
    study::a_moment_is_played_on,
    study::a_coach_is_asked,
    newcomer::nothing_is_asked_while_cards_are_turned_up,
    newcomer::the_helper_is_read_whole_on_a_phone,
    newcomer::a_replay_is_seen_whole_on_a_desktop,
    pictures::pictures,
}
