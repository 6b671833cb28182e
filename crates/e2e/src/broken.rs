//! Nodes that are broken on purpose, so that it is seen that the checker finds it: the real service on a store that lies.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use sultan_domain::{Screens, TableId};
use sultan_server::{AppState, Config, Connections};
use sultan_store::{Append, Change, EventRecord, Location, Store, StoreError, StoreFuture};
use sultan_table::{Service, Settings};
use sultan_testkit::{Meddled, Meddler};
use tokio::sync::mpsc;

/// What the program is told, before the name of a [`Lie`], to be a broken node.
pub const BROKEN_NODE: &str = "--broken-node";

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// A change is acknowledged before it is stored.
    AcknowledgesEarly,
    /// A change is stored, whatever version it was made from.
    IgnoresTheVersion,
    /// Whoever reads a table sees behind all screens.
    LooksBehindScreens,
}

impl Lie {
    /// What it is called on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AcknowledgesEarly => "acknowledges-early",
            Self::IgnoresTheVersion => "ignores-the-version",
            Self::LooksBehindScreens => "looks-behind-screens",
        }
    }
}

impl FromStr for Lie {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> Result<Self> {
        let all = [Self::AcknowledgesEarly, Self::IgnoresTheVersion, Self::LooksBehindScreens];
        all.into_iter().find(|lie| lie.name() == name).context("no such lie")
    }
}

/// Runs a node that is broken so, until it is killed.
///
/// # Errors
/// When it cannot start.
pub fn serve(lie: Lie, args: &[String]) -> Result<()> {
    let value = |name: &str| {
        let place = args.iter().position(|arg| arg == name).with_context(|| format!("{name} is missing"))?;
        args.get(place + 1).with_context(|| format!("{name} has no value"))
    };
    let location: Location = value("--db")?.parse()?;
    let address = value("--bind")?.parse()?;
    tracing_subscriber::fmt().with_max_level(tracing::Level::WARN).with_ansi(false).with_writer(std::io::stderr).init();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let listener = sultan_server::listen(address)?;
        let store = Liar::new(sultan_store::open(&location).await?, lie);
        let service =
            Service::new(Arc::new(Meddled(store)), Settings { bot_pause: Duration::ZERO, ..Settings::default() });
        service.join().await?;
        let connections = Connections { per_address: None, ..Connections::default() };
        let config = Config { rates: None, connections, ..Config::default() };
        let state = AppState::new(service.clone(), config).await?;
        println!("A broken node is at http://{}/", listener.local_addr()?);
        let app = sultan_pages::app(state.clone());
        tokio::join!(service.run(), sultan_server::serve(listener, app, &state, std::future::pending()));
        Ok(())
    })
}

/// A store that does not do what it says.
struct Liar {
    store: Arc<dyn Store>,
    lie: Lie,
    /// What was acknowledged and is to be stored.
    later: mpsc::UnboundedSender<Append>,
}

/// So much later is stored what was acknowledged.
const LATER: Duration = Duration::from_millis(150);

impl Liar {
    fn new(store: Arc<dyn Store>, lie: Lie) -> Self {
        let (later, mut waiting) = mpsc::unbounded_channel();
        let stored = Arc::clone(&store);
        tokio::spawn(async move {
            while let Some(append) = waiting.recv().await {
                tokio::time::sleep(LATER).await;
                // Whoever asked has been told long ago that all is well.
                let _ = stored.append(append).await;
            }
        });
        Self { store, lie, later }
    }

    async fn append_anyway(&self, mut append: Append) -> Result<(), StoreError> {
        loop {
            match self.store.append(append.clone()).await {
                Err(StoreError::Stale) if append.change.version > 1 => {
                    let changes = self.store.load(append.table, append.change.version - 1).await?;
                    append.change.version = changes.last().map_or(append.change.version, |change| change.version + 1);
                }
                done => return done,
            }
        }
    }
}

/// All screens of a table are open.
fn open_screens(mut changes: Vec<Change>) -> Vec<Change> {
    for event in changes.iter_mut().flat_map(|change| &mut change.events) {
        if let EventRecord::Opened(opened) = event {
            opened.options.screens = Screens::Open;
        }
    }
    changes
}

impl Meddler for Liar {
    fn store(&self) -> &dyn Store {
        &*self.store
    }

    fn append(&self, append: Append) -> StoreFuture<'_, ()> {
        match self.lie {
            // That a table is there and who sits at it is stored first, so that there is a game to lose.
            Lie::AcknowledgesEarly if append.listing.is_none() => {
                let sent = self.later.send(append).map_err(|_| StoreError::Closed);
                Box::pin(async { sent })
            }
            Lie::IgnoresTheVersion => Box::pin(self.append_anyway(append)),
            Lie::AcknowledgesEarly | Lie::LooksBehindScreens => self.store.append(append),
        }
    }

    fn load(&self, table: TableId, after: u32) -> StoreFuture<'_, Vec<Change>> {
        Box::pin(async move {
            let changes = self.store.load(table, after).await?;
            Ok(if self.lie == Lie::LooksBehindScreens { open_screens(changes) } else { changes })
        })
    }
}
