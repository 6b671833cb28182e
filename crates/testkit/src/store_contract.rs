//! The contract of a store: tests that run on every kind of database.
#![expect(missing_docs, reason = "the names state the required behaviour")]

pub mod analyses;
pub mod appending;
pub mod durability;
pub mod lists;
pub mod merging;
pub mod nodes;

use sultan_domain::{Seat, TableId};
use sultan_store::{Append, Change, DeleteBefore, EventRecord, Listing, TableState, VisitorHash, VisitorSeat};

/// Passes the names of all contract tests to a macro that defines them. Each test needs an empty database.
#[macro_export]
macro_rules! store_contract {
    ($tests:ident) => {
        $tests! {
                appending::changes_are_loaded_in_order,
                appending::append_accepts_only_the_next_version,
                appending::append_stores_all_events_and_text_unchanged,
                appending::concurrent_appends_have_one_winner_per_version,
                appending::concurrent_appends_at_many_tables_are_all_stored,
                appending::concurrent_appends_of_two_stores_have_one_winner_per_version,
                lists::public_tables_are_listed_newest_first,
                lists::tables_with_bots_or_clocks_are_listed_in_pages,
                lists::open_tables_are_counted_until_over,
                lists::seats_of_a_visitor_are_listed_newest_first,
                lists::stale_change_does_not_change_lists,
                lists::commitment_is_taken_once_and_before_it_expires,
                lists::expired_commitments_are_deleted,
                lists::secret_is_the_same_for_all_stores,
                lists::idle_tables_are_deleted,
                merging::merged_table_loads_and_appends_as_before,
                merging::merge_skips_tables_that_are_not_over,
                merging::merge_during_appends_loses_no_change,
                merging::table_changed_during_deletion_is_kept_whole_or_deleted_whole,
                analyses::first_stored_analysis_is_kept,
                analyses::analysis_is_deleted_with_its_table,
                durability::stored_changes_survive_reopening,
                durability::concurrent_first_opens_succeed,
                durability::closed_store_rejects_all_calls,
                durability::close_waits_for_pending_appends,
                durability::newer_schema_is_rejected_with_its_version,
                durability::compatible_newer_schema_is_accepted,
                durability::unreadable_change_is_reported_without_its_content,
        }
    };
}

/// Passes the names of the contract tests for databases that several nodes share.
#[macro_export]
macro_rules! store_contract_for_nodes {
    ($tests:ident) => {
        $tests! {
                nodes::heartbeat_returns_living_nodes,
                nodes::nodes_are_notified_of_changes_and_signals_only,
                nodes::concurrent_changes_share_notifications,
                nodes::lost_listen_connection_is_reported_as_missed_notifications,
                nodes::changes_of_many_tables_are_loaded_in_one_call,
                nodes::stalled_transaction_blocks_only_its_table,
                nodes::connection_is_reused_until_it_breaks,
                nodes::failed_notification_is_retried,
        }
    };
}

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

/// A short event that depends on a number: the host changes to this seat.
fn host_changed(number: u8) -> EventRecord {
    EventRecord::HostChanged { seat: seat(number) }
}

/// A minimal change that makes the next version of a table, which has this version (0: no change yet). The time and the
/// event of the change depend on the version.
fn next_append(table: u64, version: u32) -> Append {
    let events = vec![host_changed(u8::try_from(version % 5).expect("a small number"))];
    let at_ms = 1000 + i64::from(version);
    let change = Change { version: version.saturating_add(1), at_ms, events };
    Append { table: TableId::new(table), change, listing: None, visitors: Vec::new() }
}

/// The same change with another time.
fn at(at_ms: i64, append: Append) -> Append {
    Append { change: Change { at_ms, ..append.change }, ..append }
}

/// A minimal change that also updates the listing of the table: its state, whether it is public, and whether it has
/// bots or clocks, in this order.
fn listed_append(table: u64, version: u32, at_ms: i64, listing: (TableState, bool, bool)) -> Append {
    let (state, public, has_bots_or_clocks) = listing;
    Append { listing: Some(Listing { state, public, has_bots_or_clocks }), ..at(at_ms, next_append(table, version)) }
}

/// For deleting every table without changes since this time, whether it has bots or clocks or not.
fn idle_before(ms: i64) -> DeleteBefore {
    DeleteBefore { idle_ms: ms, stalled_ms: ms }
}

/// A seat that a numbered browser has taken.
fn visitor_seat(table: u64, browser: u8, number: u8) -> VisitorSeat {
    VisitorSeat { visitor: VisitorHash([browser; 32]), table: TableId::new(table), seat: seat(number) }
}
