//! Contract tests for lists of tables, the seats of a browser, commitments, the signing secret, and the deletion of
//! tables.

use std::sync::Arc;

use sultan_domain::{Commitment, ServerSeed, TableId};
use sultan_store::TableState::{Over, Playing, Waiting};
use sultan_store::{Append, DeleteBefore, Store, StoredCommitment, TableState, VisitorHash};

use super::{at, listed_append, next_append, visitor_seat};
use crate::Backend;

/// The public tables in this state: number of the table, time of its last listing.
async fn public_tables(store: &dyn Store, state: TableState, limit: u32) -> Vec<(u64, i64)> {
    let tables = store.public_tables(state, limit).await.expect("the read succeeds");
    tables.into_iter().map(|listed| (listed.table.number(), listed.changed_ms)).collect()
}

async fn append(store: &dyn Store, change: Append) {
    store.append(change).await.expect("the version is the next one");
}

pub async fn public_tables_are_listed_newest_first(backend: Arc<Backend>) {
    let store = backend.open().await;
    // Table 4 is not public.
    for (table, at_ms) in [(1, 300), (2, 500), (3, 400), (4, 600)] {
        append(&*store, listed_append(table, 0, at_ms, (Waiting, table != 4, false))).await;
    }
    assert_eq!(public_tables(&*store, Waiting, 9).await, [(2, 500), (3, 400), (1, 300)]);
    assert_eq!(public_tables(&*store, Waiting, 2).await, [(2, 500), (3, 400)]);
    assert_eq!(public_tables(&*store, Playing, 9).await, []);
    // A table moves between lists; a change without a listing does not touch them.
    append(&*store, listed_append(1, 1, 700, (Playing, true, true))).await;
    append(&*store, next_append(3, 1)).await;
    assert_eq!(public_tables(&*store, Waiting, 9).await, [(2, 500), (3, 400)]);
    assert_eq!(public_tables(&*store, Playing, 9).await, [(1, 700)]);
    append(&*store, listed_append(1, 2, 800, (Over, true, true))).await;
    assert_eq!(public_tables(&*store, Playing, 9).await, []);
    assert_eq!(public_tables(&*store, Over, 9).await, [(1, 800)]);
    // Only a table in play can be listed as over afterwards, and only once.
    append(&*store, listed_append(3, 2, 900, (Playing, true, true))).await;
    for (table, at_ms) in [(3, 950), (3, 990), (2, 990), (1, 990), (9, 990)] {
        store.mark_as_over(TableId::new(table), at_ms).await.expect("the call succeeds");
    }
    assert_eq!(public_tables(&*store, Over, 9).await, [(3, 950), (1, 800)]);
    assert_eq!(public_tables(&*store, Waiting, 9).await, [(2, 500)]);
    assert!(store.tables_with_bots_or_clocks(None, 9).await.expect("the read succeeds").is_empty());
}

pub async fn tables_with_bots_or_clocks_are_listed_in_pages(backend: Arc<Backend>) {
    let store = backend.open().await;
    // Of the tables 0 to 9, the even ones have bots or clocks. Then table 8 loses them and table 9 gets them.
    for table in (0..10).rev() {
        append(&*store, listed_append(table, 0, 1, (Playing, false, table % 2 == 0))).await;
    }
    append(&*store, listed_append(20, 0, 1, (Waiting, false, true))).await;
    append(&*store, listed_append(21, 0, 1, (Over, false, true))).await;
    append(&*store, listed_append(8, 1, 2, (Playing, false, false))).await;
    append(&*store, listed_append(9, 1, 2, (Playing, false, true))).await;
    let page = async |after: Option<u64>| {
        let tables = store.tables_with_bots_or_clocks(after.map(TableId::new), 2).await.expect("the read succeeds");
        tables.into_iter().map(TableId::number).collect::<Vec<_>>()
    };
    assert_eq!(page(None).await, [0, 2]);
    assert_eq!(page(Some(0)).await, [2, 4]);
    assert_eq!(page(Some(4)).await, [6, 9]);
    assert!(page(Some(9)).await.is_empty());
}

pub async fn seats_of_a_visitor_are_listed_newest_first(backend: Arc<Backend>) {
    let store = backend.open().await;
    let visit = |table, version, at_ms, visitors| Append { visitors, ..at(at_ms, next_append(table, version)) };
    append(&*store, visit(1, 0, 100, vec![visitor_seat(1, 7, 0), visitor_seat(1, 8, 1)])).await;
    append(&*store, visit(2, 0, 200, vec![visitor_seat(2, 7, 3)])).await;
    append(&*store, visit(3, 0, 200, vec![visitor_seat(3, 7, 2), visitor_seat(3, 7, 1)])).await;
    // A seat that the browser has already is not added again, and keeps its place in the list.
    append(&*store, visit(1, 1, 900, vec![visitor_seat(1, 7, 0)])).await;
    // The seats of this browser, up to a limit.
    let seats =
        async |browser, limit| store.seats_of(VisitorHash([browser; 32]), limit).await.expect("the read succeeds");
    assert_eq!(
        seats(7, 9).await,
        [visitor_seat(2, 7, 3), visitor_seat(3, 7, 1), visitor_seat(3, 7, 2), visitor_seat(1, 7, 0)]
    );
    assert_eq!(seats(7, 2).await, [visitor_seat(2, 7, 3), visitor_seat(3, 7, 1)]);
    assert_eq!(seats(8, 9).await, [visitor_seat(1, 8, 1)]);
    assert_eq!(seats(9, 9).await, []);
}

pub async fn stale_change_does_not_change_lists(backend: Arc<Backend>) {
    let store = backend.open().await;
    append(&*store, listed_append(1, 0, 100, (Waiting, true, false))).await;
    let stale = Append { visitors: vec![visitor_seat(1, 7, 0)], ..listed_append(1, 0, 900, (Over, true, true)) };
    store.append(stale).await.expect_err("the table exists already");
    let gap = Append { visitors: vec![visitor_seat(2, 7, 0)], ..listed_append(2, 4, 900, (Over, true, true)) };
    store.append(gap).await.expect_err("the table does not exist");
    assert_eq!(public_tables(&*store, Waiting, 9).await, [(1, 100)]);
    assert_eq!(public_tables(&*store, Over, 9).await, []);
    assert_eq!(store.seats_of(VisitorHash([7; 32]), 9).await.expect("the read succeeds"), []);
}

fn commitment(number: u8, at_ms: i64) -> StoredCommitment {
    StoredCommitment { commitment: Commitment([number; 32]), server_seed: ServerSeed([!number; 32]), at_ms }
}

pub async fn commitment_is_taken_once_and_before_it_expires(backend: Arc<Backend>) {
    let (store, other) = (backend.open().await, backend.open().await);
    for (number, at_ms) in [(1, 100), (2, 200), (3, 300)] {
        store.store_commitment(commitment(number, at_ms)).await.expect("the write succeeds");
    }
    store.store_commitment(commitment(1, 900)).await.expect_err("the commitment exists already");
    let take = async |store: &dyn Store, number, since| {
        store.take_commitment(Commitment([number; 32]), since).await.expect("the read succeeds")
    };
    assert_eq!(take(&*store, 9, 0).await, None);
    assert_eq!(take(&*store, 2, 200).await, Some(commitment(2, 200)));
    assert_eq!(take(&*other, 2, 0).await, None);
    // An expired commitment is removed when it is requested.
    assert_eq!(take(&*other, 1, 101).await, None);
    assert_eq!(take(&*store, 1, 0).await, None);
    // Only one of several concurrent requests gets the commitment.
    let takers: Vec<_> = (0..10)
        .map(|number| {
            let store = Arc::clone(if number % 2 == 0 { &store } else { &other });
            tokio::spawn(async move { store.take_commitment(Commitment([3; 32]), 0).await.expect("the read succeeds") })
        })
        .collect();
    let mut taken = 0;
    for taker in takers {
        taken += u32::from(taker.await.expect("the task does not panic").is_some());
    }
    assert_eq!(taken, 1);
}

pub async fn expired_commitments_are_deleted(backend: Arc<Backend>) {
    let store = backend.open().await;
    for (number, at_ms) in [(1, 100), (2, 200), (3, 300)] {
        store.store_commitment(commitment(number, at_ms)).await.expect("the write succeeds");
    }
    store.delete_commitments(200).await.expect("the call succeeds");
    store.delete_commitments(200).await.expect("the call succeeds");
    for (number, kept) in [(1, None), (2, Some(commitment(2, 200))), (3, Some(commitment(3, 300)))] {
        assert_eq!(store.take_commitment(Commitment([number; 32]), 0).await.expect("the read succeeds"), kept);
    }
}

pub async fn open_tables_are_counted_until_over(backend: Arc<Backend>) {
    let store = backend.open().await;
    let open_tables = async |limit| store.count_open_tables(limit).await.expect("the read succeeds");
    assert_eq!(open_tables(9).await, 0);
    for (table, state) in [(1, Waiting), (2, Playing), (3, Over), (4, Waiting)] {
        append(&*store, listed_append(table, 0, 100, (state, table % 2 == 0, false))).await;
    }
    assert_eq!((open_tables(9).await, open_tables(3).await, open_tables(2).await), (3, 3, 2));
    append(&*store, listed_append(1, 1, 200, (Playing, false, true))).await;
    append(&*store, listed_append(4, 1, 200, (Over, true, false))).await;
    assert_eq!(open_tables(9).await, 2);
    store.mark_as_over(TableId::new(1), 300).await.expect("the call succeeds");
    assert_eq!(open_tables(9).await, 1);
}

pub async fn secret_is_the_same_for_all_stores(backend: Arc<Backend>) {
    let (store, other) = (backend.open().await, backend.open().await);
    // The first call stores its secret. Later calls return it, and ignore their own.
    assert_eq!(store.cookie_secret([1; 64]).await.expect("the read succeeds"), [1; 64]);
    assert_eq!(other.cookie_secret([2; 64]).await.expect("the read succeeds"), [1; 64]);
    assert_eq!(backend.open().await.cookie_secret([3; 64]).await.expect("the read succeeds"), [1; 64]);
}

pub async fn idle_tables_are_deleted(backend: Arc<Backend>) {
    let store = backend.open().await;
    let visited = |table, change| Append { visitors: vec![visitor_seat(table, 7, 0)], ..change };
    // For the tables 1 to 4: the state, whether it is public, and whether it has bots or clocks.
    let states = [(Waiting, true, false), (Playing, true, false), (Over, true, true), (Playing, true, true)];
    for (table, listing) in (1..).zip(states) {
        append(&*store, visited(table, listed_append(table, 0, 100, listing))).await;
    }
    // Table 5 has an old listing but a recent change.
    append(&*store, visited(5, listed_append(5, 0, 100, (Playing, true, false)))).await;
    append(&*store, at(500, next_append(5, 1))).await;
    append(&*store, visited(6, listed_append(6, 0, 300, (Over, true, false)))).await;
    store.store_commitment(commitment(1, 100)).await.expect("the write succeeds");
    store.store_commitment(commitment(2, 300)).await.expect("the write succeeds");
    // Deletes at most two tables. Returns the number of deleted tables.
    let delete = async |idle_ms, stalled_ms| {
        store.delete_tables(DeleteBefore { idle_ms, stalled_ms }, 2).await.expect("the call succeeds")
    };
    assert_eq!(delete(100, 100).await, 0);
    // The tables 1, 2 and 3 are old enough. Table 4 is in play with bots or clocks, and its last change is not before
    // 100.
    assert_eq!(delete(300, 100).await, 2);
    assert_eq!(delete(300, 100).await, 1);
    assert_eq!(delete(300, 100).await, 0);
    let mut kept = Vec::new();
    for table in 1..=6 {
        let changes = store.load(TableId::new(table), 0).await.expect("the read succeeds");
        kept.extend((!changes.is_empty()).then_some(table));
    }
    // Tables with bots or clocks and recently changed tables are kept.
    assert_eq!(kept, [4, 5, 6]);
    let seats = store.seats_of(VisitorHash([7; 32]), 9).await.expect("the read succeeds");
    assert_eq!(seats, [visitor_seat(6, 7, 0), visitor_seat(4, 7, 0), visitor_seat(5, 7, 0)]);
    assert_eq!(public_tables(&*store, Over, 9).await, [(6, 300)]);
    assert_eq!(public_tables(&*store, Waiting, 9).await, []);
    assert_eq!(store.take_commitment(Commitment([1; 32]), 0).await.expect("the read succeeds"), None);
    assert_eq!(
        store.take_commitment(Commitment([2; 32]), 0).await.expect("the read succeeds"),
        Some(commitment(2, 300))
    );
    // Tables with bots or clocks are deleted once they have stalled for too long.
    assert_eq!(delete(300, 101).await, 1);
    assert_eq!(store.load(TableId::new(4), 0).await.expect("the read succeeds"), []);
}
