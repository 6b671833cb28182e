//! How nodes hear of each other's changes: Postgres passes on which table is at which version, and nothing else.
//!
//! What is stored is told afterwards, many tables at once: while one message is on its way, the next one gathers. A node that is
//! killed in between tells nothing; the others see that it has died, and look for themselves.

use std::collections::BTreeMap;
use std::time::Duration;

use sqlx::Error;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sultan_domain::TableId;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

use crate::nodes::News;
use crate::postgres::Line;
use crate::timely::{PATIENCE, late};

const CHANGES: &str = "sultan_changes";
const SIGNS: &str = "sultan_signs";
/// Told where too much has changed to name it.
const EVERYTHING: &str = "*";
/// Postgres passes on messages of less than 8000 bytes.
const LONGEST: usize = 7900;
/// More tables than this are not named one by one.
const MOST: usize = 20_000;
/// News that may wait to be worked off.
const WAITING: usize = 10_000;
/// Who hears nothing for so long, not even a beat, is cut off.
const SILENCE: Duration = Duration::from_secs(4);
/// So long one waits before trying again.
const AGAIN: Duration = Duration::from_millis(250);

/// So long a program that ends waits until the others are told what it did last; otherwise they find it by looking.
const LAST_WORDS: Duration = Duration::from_millis(500);

enum Told {
    Changed(TableId, u32),
    Sign(TableId, String),
    /// Everything before this was told.
    All(oneshot::Sender<()>),
}

/// The way to all nodes. Copies are the same way; it ends with the last of them.
#[derive(Clone)]
pub(crate) struct Courier(mpsc::UnboundedSender<Told>);

impl Courier {
    pub(crate) fn start(line: Line) -> Self {
        let (sender, told) = mpsc::unbounded_channel();
        tokio::spawn(carry(line, told));
        Self(sender)
    }

    pub(crate) fn changed(&self, table: TableId, version: u32) {
        // Nobody carries it where the program ends.
        let _ = self.0.send(Told::Changed(table, version));
    }

    pub(crate) fn sign(&self, table: TableId, sign: String) {
        let _ = self.0.send(Told::Sign(table, sign));
    }

    /// Waits until everything is told, but not for long.
    pub(crate) async fn finish(&self) {
        let (done, told) = oneshot::channel();
        let _ = self.0.send(Told::All(done));
        if timeout(LAST_WORDS, told).await.is_err() {
            tracing::warn!("other nodes could not be told of the last changes; they will look for themselves");
        }
    }
}

const TELL: &str = "SELECT pg_notify(channel, message) FROM unnest($1::text[], $2::text[]) AS told (channel, message)";

async fn tell(line: &mut Line, channels: Vec<&'static str>, messages: Vec<String>) -> Result<(), Error> {
    let mut connection = line.take().await?;
    let tell = sqlx::query(TELL).bind(channels).bind(messages).execute(&mut connection);
    timeout(PATIENCE, tell).await.map_err(|_| late())??;
    line.keep(connection);
    Ok(())
}

async fn carry(mut line: Line, mut told: mpsc::UnboundedReceiver<Told>) {
    let mut changed = BTreeMap::new();
    let mut some = Vec::new();
    while told.recv_many(&mut some, MOST).await > 0 {
        let (mut signs, mut finished) = (Vec::new(), Vec::new());
        loop {
            for one in some.drain(..) {
                match one {
                    Told::Changed(table, version) => {
                        let last = changed.entry(table).or_insert(version);
                        *last = version.max(*last);
                    }
                    Told::Sign(table, sign) => signs.push(format!("{table}:{sign}")),
                    Told::All(done) => finished.push(done),
                }
            }
            if changed.is_empty() && signs.is_empty() {
                break;
            }
            let messages = messages(&changed);
            let channels = messages.iter().map(|_| CHANGES).chain(signs.iter().map(|_| SIGNS)).collect();
            match tell(&mut line, channels, messages.into_iter().chain(signs.drain(..)).collect()).await {
                Ok(()) => break,
                // Changes are told until it succeeds. Signs are not: they have passed by then, or are told anew when something is heard
                // again of whom they are about.
                Err(error) => tracing::warn!(%error, "other nodes could not be told of changes; trying again"),
            }
            sleep(AGAIN).await;
            while let Ok(one) = told.try_recv() {
                some.push(one);
            }
            if told.is_closed() && told.is_empty() && some.is_empty() {
                return;
            }
        }
        changed.clear();
        for done in finished {
            let _ = done.send(());
        }
    }
}

/// Which tables are at which versions, in as few messages as can be.
fn messages(changed: &BTreeMap<TableId, u32>) -> Vec<String> {
    if changed.len() > MOST {
        return vec![EVERYTHING.to_owned()];
    }
    let mut messages: Vec<String> = Vec::new();
    for (table, version) in changed {
        let one = format!("{table}:{version}");
        match messages.last_mut() {
            Some(last) if last.len() + one.len() < LONGEST => {
                last.push(',');
                last.push_str(&one);
            }
            _ => messages.push(one),
        }
    }
    messages
}

/// What a message says. Nobody but nodes writes any; what cannot be read is from a newer one, and better looked for than missed.
fn read(channel: &str, message: &str) -> Vec<News> {
    fn one(text: &str) -> Option<(TableId, &str)> {
        let (table, rest) = text.split_once(':')?;
        Some((table.parse().ok()?, rest))
    }
    let changed = |text| one(text).and_then(|(table, version)| Some(News::Changed(table, version.parse().ok()?)));
    match channel {
        CHANGES if message.is_empty() => Vec::new(),
        CHANGES => message.split(',').map(|text| changed(text).unwrap_or(News::Missed)).collect(),
        _ => one(message).map(|(table, sign)| News::Sign(table, sign.to_owned())).into_iter().collect(),
    }
}

/// Listens for as long as somebody wants to hear.
pub(crate) fn listen(options: PgConnectOptions) -> mpsc::Receiver<News> {
    let (news, heard) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        while !news.is_closed() {
            if let Err(error) = hear(&options, &news).await {
                tracing::warn!(%error, "news of other nodes are not heard; trying again");
            }
            sleep(AGAIN).await;
        }
    });
    heard
}

/// Passes on what is heard, until the connection is lost or nobody wants to hear any more.
async fn hear(options: &PgConnectOptions, news: &mpsc::Sender<News>) -> Result<(), Error> {
    // A pool of its own: a listener that is given up takes its connection with it.
    let pool = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
    let pool = pool.acquire_timeout(SILENCE).connect_lazy_with(options.clone());
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.eager_reconnect(false);
    timeout(SILENCE, listener.listen_all([CHANGES, SIGNS])).await.map_err(|_| late())??;
    // Whatever happened until now was not heard.
    let _ = news.send(News::Missed).await;
    loop {
        let told = tokio::select! {
            told = timeout(SILENCE, listener.try_recv()) => told.map_err(|_| late())??,
            () = news.closed() => return Ok(()),
        };
        let Some(told) = told else { return Err(late()) };
        for one in read(told.channel(), told.payload()) {
            if news.send(one).await.is_err() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_read_again() {
        let changed: BTreeMap<TableId, u32> = (1..=2000_u32).map(|n| (TableId::new(u64::from(n) << 40), n)).collect();
        let messages = messages(&changed);
        assert!(messages.len() > 1 && messages.iter().all(|message| message.len() <= LONGEST));
        // In as few as can be: another table would not have fitted.
        assert!(messages.iter().rev().skip(1).all(|message| message.len() > LONGEST - 30), "{}", messages.len());
        let read: Vec<News> = messages.iter().flat_map(|message| read(CHANGES, message)).collect();
        let told: Vec<News> = changed.into_iter().map(|(table, version)| News::Changed(table, version)).collect();
        assert_eq!(read, told);
    }

    #[test]
    fn a_beat_is_no_news_and_what_cannot_be_read_is_looked_for() {
        assert_eq!(read(CHANGES, ""), []);
        assert_eq!(read(CHANGES, EVERYTHING), [News::Missed]);
        assert_eq!(read(CHANGES, "something newer"), [News::Missed]);
        let table = TableId::new(7);
        assert_eq!(read(SIGNS, &format!("{table}:0:laugh")), [News::Sign(table, "0:laugh".to_owned())]);
        assert_eq!(read(SIGNS, "something newer"), []);
    }

    #[tokio::test]
    async fn the_courier_ends_with_the_last_who_could_send_him() {
        let (sender, told) = mpsc::unbounded_channel();
        drop(sender);
        let ended = timeout(PATIENCE, carry(Line::to(&PgConnectOptions::new_without_pgpass()), told)).await;
        assert!(ended.is_ok(), "there is nothing more to carry");
    }

    #[test]
    fn too_many_tables_are_not_named() {
        let mut changed: BTreeMap<_, _> = (0..MOST).map(|n| (TableId::new(n as u64), 1)).collect();
        assert!(messages(&changed).len() > 1);
        changed.insert(TableId::new(MOST as u64), 1);
        assert_eq!(messages(&changed), [EVERYTHING]);
    }
}
