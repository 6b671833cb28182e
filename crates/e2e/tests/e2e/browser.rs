//! Whole games in real browsers with the real binary: one or several players, mouse or keyboard, with and without
//! JavaScript. Most tests run in Chromium, some also in Firefox.
//!
//! With `SULTAN_PICTURES=FOLDER` the screenshots of every page are written there; otherwise they are discarded.

mod accessibility;
mod ends;
mod games;
mod multiplayer;
mod newcomer;
mod notices;
mod performance;
mod play;
mod review;
mod screenshots;
mod setup;
mod table_use;

use std::time::Duration;

use anyhow::Result;
use sultan_e2e::browser::Engine;
use sultan_e2e::run_with_limit;
use sultan_testkit::skip_or_fail;

use crate::machine;

/// Runs a test with a time limit; skips it if the browser is missing.
fn browser_test(engine: Engine, test: impl Future<Output = Result<()>>) -> Result<()> {
    if engine.installed().is_none() {
        skip_or_fail(engine.missing());
        return Ok(());
    }
    let _lock = machine::lock_shared();
    // The longest test takes two minutes.
    run_with_limit(Duration::from_mins(10), test)
}

/// Declares a test in Chromium for each of these functions.
macro_rules! browser_tests {
    ($($module:ident::$name:ident,)*) => {
        $(
            #[test]
            fn $name() -> Result<()> {
                browser_test(Engine::Chromium, $module::$name())
            }
        )*
    };
}

/// Declares a test in Chromium, and in the module `firefox` a test in Firefox, for each of these functions.
macro_rules! browser_tests_in_both {
    ($($module:ident::$name:ident,)*) => {
        $(
            #[test]
            fn $name() -> Result<()> {
                browser_test(Engine::Chromium, $module::$name(Engine::Chromium))
            }
        )*

        mod firefox {
            use super::*;

            $(
                #[test]
                fn $name() -> Result<()> {
                    browser_test(Engine::Firefox, super::$module::$name(Engine::Firefox))
                }
            )*
        }
    };
}

browser_tests_in_both! {
    games::game_by_keyboard,
    games::game_without_javascript,
    games::game_by_dragging,
    multiplayer::page_reconnects_after_a_server_restart,
    newcomer::reveal_shows_no_prompt_and_no_card_before_its_turn,
}

browser_tests! {
    games::one_player_against_bots,
    games::game_on_a_phone,
    games::game_without_a_websocket,
    games::table_is_translated,
    multiplayer::two_browsers_play_a_whole_game,
    multiplayer::three_seats_share_one_browser,
    multiplayer::absent_player_is_marked,
    multiplayer::return_of_a_player_during_a_reveal_keeps_the_next_turn,
    multiplayer::spectator_receives_no_hidden_cards,
    ends::last_reveal_count_and_rematch,
    ends::hands_on_a_shared_device_are_hidden_at_the_end_of_a_round,
    accessibility::pages_pass_axe,
    accessibility::pages_fit_all_window_widths,
    performance::first_visit_is_small_and_does_not_shift,
    performance::animations_use_only_cheap_properties,
    performance::whole_game_does_not_shift,
    table_use::card_is_prepared_while_others_bid_and_confirmed_by_keyboard,
    table_use::pace_is_remembered_and_log_is_beside_the_board,
    review::finished_game_is_replayed_and_analysed_by_keyboard,
    review::dropped_record_file_is_replayed,
    review::branch_of_a_replay_is_played_to_the_end,
    review::coach_advice_is_shown,
    newcomer::guide_text_fits_on_a_phone,
    newcomer::replay_fits_on_desktop_and_phone,
    notices::turn_in_a_hidden_tab_is_seen_and_heard,
    notices::notices_cover_no_seat_card_or_button,
    screenshots::screenshots,
}
