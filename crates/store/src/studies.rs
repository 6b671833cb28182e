//! Which node analyses which game.

use sultan_domain::TableId;

use crate::database::{id, key};
use crate::nodes::NodeId;
use crate::postgres::PostgresStore;
use crate::sqlite::SqliteStore;
use crate::store::{Answer, Studies, Study};
use crate::timely::timely;

/// Games that are taken over at a time.
const MOST: i64 = 16;

const STUDY: &str = "INSERT INTO studies (table_id, node, beat_ms, done, steps) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (table_id) DO UPDATE SET node = excluded.node, beat_ms = excluded.beat_ms, done = excluded.done, steps = excluded.steps
WHERE studies.node = excluded.node OR studies.beat_ms < $6";
const OTHERS: &str = "SELECT done, steps FROM studies WHERE table_id = $1 AND node <> $2";
const TAKE_OVER: &str = "UPDATE studies SET node = $1, beat_ms = $2 WHERE table_id IN (
  SELECT table_id FROM studies WHERE node <> $1 AND beat_ms < $3 ORDER BY table_id LIMIT $4
) AND beat_ms < $3 RETURNING table_id";
const END: &str = "DELETE FROM studies WHERE table_id = $1";

/// One text for both databases.
macro_rules! studies {
    ($store:ty) => {
        impl Studies for $store {
            fn study(&self, node: NodeId, mine: Vec<Study>, now_ms: i64, lapsed_ms: i64) -> Answer<'_, Vec<Study>> {
                timely!(self, |connection| {
                    let mut others = Vec::new();
                    for study in mine {
                        let [done, of] = [study.done, study.of].map(|steps| i32::try_from(steps).unwrap_or(i32::MAX));
                        let claim = sqlx::query(STUDY).bind(key(study.table)).bind(node.key()).bind(now_ms);
                        let claim = claim.bind(done).bind(of).bind(lapsed_ms);
                        if claim.execute(&mut *connection).await?.rows_affected() == 0 {
                            let other = sqlx::query_as(OTHERS).bind(key(study.table)).bind(node.key());
                            let other: Option<(i32, i32)> = other.fetch_optional(&mut *connection).await?;
                            others.extend(other.map(|(done, of)| Study {
                                done: done.unsigned_abs(),
                                of: of.unsigned_abs(),
                                ..study
                            }));
                        }
                    }
                    Ok(others)
                })
            }

            fn take_over_studies(&self, node: NodeId, now_ms: i64, lapsed_ms: i64) -> Answer<'_, Vec<TableId>> {
                timely!(self, |connection| {
                    let take = sqlx::query_scalar(TAKE_OVER).bind(node.key()).bind(now_ms).bind(lapsed_ms).bind(MOST);
                    Ok(take.fetch_all(&mut *connection).await?.into_iter().map(id).collect())
                })
            }

            fn end_study(&self, table: TableId) -> Answer<'_, ()> {
                timely!(self, |connection| {
                    sqlx::query(END).bind(key(table)).execute(&mut *connection).await?;
                    Ok(())
                })
            }
        }
    };
}

studies!(SqliteStore);
studies!(PostgresStore);
