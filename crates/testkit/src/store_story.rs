//! The contract of a store: tests that run on every kind of database.
#![expect(missing_docs, reason = "the names state the required behaviour")]

pub mod analyses;
pub mod appending;
pub mod lasting;
pub mod lists;
pub mod nodes;
pub mod tidying;

use sultan_domain::{Seat, TableId};
use sultan_store::{Append, Change, EventRecord, ForgetBefore, Listing, TableState, VisitorHash, VisitorSeat};

/// Passes the names of all contract tests to a macro that defines them. Each test needs an empty database.
#[macro_export]
macro_rules! store_story {
    ($tests:ident) => {
        $tests! {
                appending::changes_come_back_in_order,
                appending::only_the_next_version_is_stored,
                appending::a_change_is_stored_whole,
                appending::of_many_at_once_one_wins_every_version,
                appending::thousands_of_changes_at_many_tables,
                appending::two_who_opened_the_store_share_one_history,
                lists::tables_are_listed_the_newest_first,
                lists::tables_that_go_on_by_themselves_come_in_pages,
                lists::tables_are_counted_until_they_are_over,
                lists::seats_are_listed_the_newest_first,
                lists::a_stale_change_is_listed_nowhere,
                lists::a_promise_is_taken_once_and_in_time,
                lists::old_promises_are_forgotten,
                lists::everybody_signs_with_one_secret,
                lists::what_has_not_changed_is_forgotten,
                tidying::merged_tables_are_as_they_were,
                tidying::only_what_is_over_is_merged,
                tidying::merging_while_others_add_changes_nothing,
                tidying::what_changes_just_now_is_not_forgotten,
                analyses::an_analysis_is_kept_once,
                analyses::an_analysis_is_forgotten_with_its_table,
                lasting::what_was_stored_is_there_after_opening_again,
                lasting::many_may_open_it_at_once,
                lasting::nothing_is_stored_after_closing,
                lasting::what_is_under_way_is_stored_before_closing,
                lasting::a_newer_schema_is_refused_in_plain_words,
                lasting::a_schema_that_only_adds_is_used_beside_its_program,
                lasting::what_cannot_be_read_is_said_to_be_so,
        }
    };
}

/// Passes the names of the contract tests for databases that several nodes share.
#[macro_export]
macro_rules! store_story_for_nodes {
    ($tests:ident) => {
        $tests! {
                nodes::nodes_know_who_lives,
                nodes::nodes_hear_of_changes_and_of_nothing_else,
                nodes::many_changes_are_told_together,
                nodes::who_could_not_hear_is_told_to_look,
                nodes::what_others_did_is_read_for_many_tables_at_once,
                nodes::a_stalled_transaction_does_not_hold_up_others,
                nodes::the_line_to_the_server_is_kept_until_it_is_cut,
                nodes::a_change_is_told_until_that_succeeds,
        }
    };
}

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

fn host(number: u8) -> EventRecord {
    EventRecord::Host { seat: seat(number) }
}

/// A minimal change of a table at this version. Its time and its event depend on the version.
fn plain(table: u64, version: u32) -> Append {
    let events = vec![host(u8::try_from(version % 5).expect("a small number"))];
    let at_ms = 1000 + i64::from(version);
    let change = Change { version: version.saturating_add(1), at_ms, events };
    Append { table: TableId::new(table), change, listing: None, visitors: Vec::new() }
}

/// The same change at another time.
fn at(at_ms: i64, append: Append) -> Append {
    Append { change: Change { at_ms, ..append.change }, ..append }
}

/// A change with a listing (state, public, attended).
fn listed(table: u64, version: u32, at_ms: i64, listing: (TableState, bool, bool)) -> Append {
    let (state, public, attended) = listing;
    Append { listing: Some(Listing { state, public, attended }), ..at(at_ms, plain(table, version)) }
}

/// Forgets every table without changes since a time, including tables with bots or clocks.
fn old(ms: i64) -> ForgetBefore {
    ForgetBefore { idle_ms: ms, stalled_ms: ms }
}

fn visitor(table: u64, browser: u8, number: u8) -> VisitorSeat {
    VisitorSeat { visitor: VisitorHash([browser; 32]), table: TableId::new(table), seat: seat(number) }
}
