//! `sultan serve`: opens the store, runs the tables, and serves requests until a signal stops it.

mod browser;
pub(crate) mod data;
pub(crate) mod link;
mod log;

use std::io::{self, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, bail};
use sultan_server::{AppState, Config, ConnectionLimits, Metrics};
use sultan_store::Location;
use sultan_table::{Service, Settings};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::Out;
use crate::args::{LogFormat, ServeArgs};

/// The first port tried.
const PORT: u16 = 8080;
/// The number of ports tried.
const PORTS: u16 = 100;

pub(crate) fn run(args: &ServeArgs, out: Out) -> anyhow::Result<()> {
    log::start(args)?;
    let location = data::located(args.db.as_deref(), args.db_password_file.as_deref())?;
    data::make_private(&location)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(workers()).enable_all().build()?;
    let served = runtime.block_on(serve(args, &location, out));
    // Do not wait for a bot that is still thinking.
    runtime.shutdown_background();
    served
}

/// The number of threads that serve requests: half the cores. The rest is for the database, the bots and the kernel;
/// more threads would mostly wake each other up.
fn workers() -> usize {
    (std::thread::available_parallelism().map_or(1, usize::from) / 2).max(1)
}

async fn serve(args: &ServeArgs, location: &Location, out: Out<'_>) -> anyhow::Result<()> {
    let listener = listen(args)?;
    let metrics = match args.metrics_bind {
        Some(address) => Some((listen_at(address)?, Metrics::start()?)),
        None => None,
    };
    let store = sultan_store::open(location).await;
    let store = store.map_err(|error| data::with_password_hint(error, args.db_password_file.as_deref()));
    let store = store.with_context(|| location.to_string())?;
    let settings = Settings {
        bot_pause: Duration::from_millis(args.bot_pause_ms.into()),
        max_open_tables: args.max_tables,
        ..Settings::default()
    };
    let service = Service::new(store, settings);
    // Join before reading the time: all nodes on a database use the clock of the database.
    service.join().await.with_context(|| location.to_string())?;
    let address = listener.local_addr()?;
    let network = if args.lan { link::network(address) } else { None };
    let state = AppState::new(service.clone(), Config { lan_address: network, ..config(args)? }).await?;

    // Install the signal handlers before announcing the server: from then on a signal may arrive.
    let stop_signal = stop_signal()?;
    announce(args.log_format, (address, network), location, out)?;
    // The socket listens already, so an early request waits until the server accepts it.
    browser::open(&link::home(link::here(address)), args.no_open);

    let (stop, stopped) = watch::channel(false);
    let until = |mut stopped: watch::Receiver<bool>| async move {
        let _ = stopped.wait_for(|stop| *stop).await;
    };
    let driver = tokio::spawn({
        let service = service.clone();
        async move { service.run().await }
    });
    let deletion = tokio::spawn(delete_old_tables(service.clone(), args.forget_after_days));
    let serve_metrics = async {
        if let Some((listener, metrics)) = metrics {
            metrics.serve(listener, &state, until(stopped.clone())).await;
        }
    };
    let signal = async {
        let signalled = stop_signal.await;
        tracing::info!("stopping");
        let _ = stop.send(true);
        signalled
    };
    let app = sultan_pages::app(state.clone());
    let ((), (), signalled) =
        tokio::join!(sultan_server::serve(listener, app, &state, until(stopped.clone())), serve_metrics, signal);
    driver.abort();
    deletion.abort();
    if timeout(Duration::from_secs(1), service.close()).await.is_err() {
        tracing::warn!("the database did not close in time; acknowledged changes are safe");
    }
    Ok(signalled?)
}

/// Prints the address of the server and the location of its database. With `--log-format json`, logs them instead: both
/// outputs often end up in one log, which must be all JSON.
fn announce(
    format: LogFormat,
    (address, network): (SocketAddr, Option<SocketAddr>),
    location: &Location,
    out: Out,
) -> anyhow::Result<()> {
    match format {
        LogFormat::Text => {
            link::show(out, address, network)?;
            writeln!(out, "Everything is kept in {location}")?;
            if address.ip().is_loopback() {
                writeln!(out, "Only this computer can open it; `sultan serve --lan` lets in others in your network.")?;
            }
            if io::stdin().is_terminal() {
                writeln!(out, "Ctrl-C stops the server.")?;
            }
            out.flush()?;
        }
        LogFormat::Json => {
            let link = link::home(network.unwrap_or_else(|| link::here(address)));
            tracing::info!(link, kept_in = %location, "serving");
        }
    }
    Ok(())
}

fn listen_at(address: SocketAddr) -> anyhow::Result<TcpListener> {
    sultan_server::listen(address).with_context(|| format!("cannot listen at {address}"))
}

/// Listens on the given address, otherwise on the first free port.
fn listen(args: &ServeArgs) -> anyhow::Result<TcpListener> {
    if let Some(address) = args.bind {
        return listen_at(address);
    }
    let ip = if args.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
    for port in PORT..PORT + PORTS {
        match sultan_server::listen(SocketAddr::new(IpAddr::V4(ip), port)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => return Err(error).with_context(|| format!("cannot listen at {ip}:{port}")),
        }
    }
    bail!("all ports from {PORT} to {} are in use; choose another with --bind", PORT + PORTS - 1)
}

fn config(args: &ServeArgs) -> anyhow::Result<Config> {
    /// Open files that are not connections: the database, the log, the program itself.
    const OTHER_FILES: usize = 64;
    let files = rlimit::increase_nofile_limit(u64::MAX).context("cannot raise the limit of open files")?;
    let room = usize::try_from(files).unwrap_or(usize::MAX).saturating_sub(OTHER_FILES).max(OTHER_FILES);
    let usual = ConnectionLimits::default();
    let connection_limits = if args.no_rate_limit {
        ConnectionLimits { max_total: room, max_per_address: None, ..usual }
    } else {
        ConnectionLimits { max_total: room.min(usual.max_total), ..usual }
    };
    let mut config = Config { connection_limits, trust_proxy: args.trust_proxy, ..Config::default() };
    config.metrics_enabled = args.metrics_bind.is_some();
    if args.no_rate_limit {
        config.rate_limits = None;
    }
    Ok(config)
}

/// Deletes old tables once an hour.
async fn delete_old_tables(service: Service, after_days: Option<u32>) {
    let Some(days) = after_days else { return };
    let age = Duration::from_hours(24) * days;
    loop {
        match service.delete_older_than(age).await {
            Ok(0) => {}
            Ok(tables) => tracing::info!(tables, "old tables were forgotten"),
            Err(error) => tracing::error!(%error, "old tables could not be forgotten"),
        }
        sleep(Duration::from_hours(1)).await;
    }
}

/// Installs signal handlers; the returned future waits for a signal to stop.
#[cfg(unix)]
fn stop_signal() -> io::Result<impl Future<Output = io::Result<()>>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        Ok(())
    })
}

#[cfg(not(unix))]
fn stop_signal() -> io::Result<impl Future<Output = io::Result<()>>> {
    Ok(tokio::signal::ctrl_c())
}
