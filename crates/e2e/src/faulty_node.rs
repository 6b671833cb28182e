//! Nodes with deliberate faults, to test the checker: the real service on a faulty store.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use sultan_domain::{Screens, TableId};
use sultan_server::{AppState, Config, ConnectionLimits};
use sultan_store::{Append, Change, EventRecord, Location, Store, StoreError, StoreFuture};
use sultan_table::{Service, Settings};
use sultan_testkit::{FaultyStore, StoreOverrides};
use tokio::sync::mpsc;

/// The command-line flag for a faulty node. The name of a [`NodeFault`] follows.
pub const FAULTY_NODE_FLAG: &str = "--faulty-node";

/// A fault of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeFault {
    /// Acknowledges a change before it is stored.
    AcknowledgesEarly,
    /// Stores a change even if it is based on an old version.
    IgnoresVersion,
    /// Reads all tables as if they had open screens.
    RevealsScreens,
}

impl NodeFault {
    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AcknowledgesEarly => "acknowledges-early",
            Self::IgnoresVersion => "ignores-version",
            Self::RevealsScreens => "reveals-screens",
        }
    }
}

impl FromStr for NodeFault {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> Result<Self> {
        let all = [Self::AcknowledgesEarly, Self::IgnoresVersion, Self::RevealsScreens];
        all.into_iter().find(|fault| fault.name() == name).with_context(|| format!("{name} is no fault of a node"))
    }
}

/// Runs a node with this fault until it is killed.
///
/// # Errors
/// If the node does not start.
pub fn serve(fault: NodeFault, args: &[String]) -> Result<()> {
    let value_of = |name: &str| {
        let index = args.iter().position(|arg| arg == name).with_context(|| format!("{name} is missing"))?;
        args.get(index + 1).with_context(|| format!("{name} has no value"))
    };
    let location: Location = value_of("--db")?.parse()?;
    let address = value_of("--bind")?.parse()?;
    tracing_subscriber::fmt().with_max_level(tracing::Level::WARN).with_ansi(false).with_writer(std::io::stderr).init();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let listener = sultan_server::listen(address)?;
        let store = StoreWithFault::new(sultan_store::open(&location).await?, fault);
        let service =
            Service::new(Arc::new(FaultyStore(store)), Settings { bot_pause: Duration::ZERO, ..Settings::default() });
        service.join().await?;
        let connection_limits = ConnectionLimits { max_per_address: None, ..ConnectionLimits::default() };
        let config = Config { rate_limits: None, connection_limits, ..Config::default() };
        let state = AppState::new(service.clone(), config).await?;
        println!("A faulty node listens on http://{}/", listener.local_addr()?);
        let app = sultan_pages::app(state.clone());
        tokio::join!(service.run(), sultan_server::serve(listener, app, &state, std::future::pending()));
        Ok(())
    })
}

/// A store with a fault, in front of a correct store.
struct StoreWithFault {
    store: Arc<dyn Store>,
    fault: NodeFault,
    /// The queue of acknowledged changes that are not stored yet, for [`NodeFault::AcknowledgesEarly`].
    delayed: mpsc::UnboundedSender<Append>,
}

/// The delay between acknowledging and storing a change.
const STORE_DELAY: Duration = Duration::from_millis(150);

impl StoreWithFault {
    fn new(store: Arc<dyn Store>, fault: NodeFault) -> Self {
        let (delayed, mut appends) = mpsc::unbounded_channel();
        let inner = Arc::clone(&store);
        tokio::spawn(async move {
            while let Some(append) = appends.recv().await {
                tokio::time::sleep(STORE_DELAY).await;
                // An error cannot be reported: the change is already acknowledged.
                let _ = inner.append(append).await;
            }
        });
        Self { store, fault, delayed }
    }

    /// Stores a change after the newest change of its table, regardless of the version it is based on.
    async fn append_ignoring_version(&self, mut append: Append) -> Result<(), StoreError> {
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

/// Changes the options of a table to open screens.
fn open_screens(mut changes: Vec<Change>) -> Vec<Change> {
    for event in changes.iter_mut().flat_map(|change| &mut change.events) {
        if let EventRecord::Opened(opened) = event {
            opened.options.screens = Screens::Open;
        }
    }
    changes
}

impl StoreOverrides for StoreWithFault {
    fn store(&self) -> &dyn Store {
        &*self.store
    }

    fn append(&self, append: Append) -> StoreFuture<'_, ()> {
        match self.fault {
            // Opening and sitting down (changes with a listing) are stored at once, so that a game can start.
            NodeFault::AcknowledgesEarly if append.listing.is_none() => {
                let sent = self.delayed.send(append).map_err(|_| StoreError::Closed);
                Box::pin(async { sent })
            }
            NodeFault::IgnoresVersion => Box::pin(self.append_ignoring_version(append)),
            NodeFault::AcknowledgesEarly | NodeFault::RevealsScreens => self.store.append(append),
        }
    }

    fn load(&self, table: TableId, after: u32) -> StoreFuture<'_, Vec<Change>> {
        Box::pin(async move {
            let changes = self.store.load(table, after).await?;
            Ok(if self.fault == NodeFault::RevealsScreens { open_screens(changes) } else { changes })
        })
    }
}
