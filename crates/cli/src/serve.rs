//! `sultan serve`: opens the database, runs the tables, and serves requests until a signal stops the server.

mod browser;
pub(crate) mod data;
pub(crate) mod link;
mod log;

use std::io::{self, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::ops::RangeInclusive;
use std::time::Duration;

use anyhow::{Context, bail};
use sultan_server::{AppState, Config, Metrics};
use sultan_store::Location;
use sultan_table::{Service, Settings};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::Out;
use crate::args::serve::{LogFormat, ServeArgs};

/// Without a given address, the server listens on the first free port of this range.
const PORTS: RangeInclusive<u16> = 8080..=8179;

pub(crate) fn run(args: &ServeArgs, out: Out) -> anyhow::Result<()> {
    log::start(args)?;
    let location = data::location(args.db.as_deref(), args.db_password_file.as_deref())?;
    data::make_private(&location)?;
    // Half of the cores serve requests. The others are for the database, the bots and the kernel; more threads would
    // mostly wake each other up.
    let threads = (std::thread::available_parallelism().map_or(1, usize::from) / 2).max(1);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    let result = runtime.block_on(serve(args, &location, out));
    // Do not wait for a bot that is still thinking.
    runtime.shutdown_background();
    result
}

async fn serve(args: &ServeArgs, location: &Location, out: Out<'_>) -> anyhow::Result<()> {
    let listener = listen(args)?;
    let listen_for_metrics = |address| anyhow::Ok((listen_at(address)?, Metrics::start()?));
    let metrics = args.metrics_bind.map(listen_for_metrics).transpose()?;
    let store = sultan_store::open(location).await;
    let store = store.map_err(|error| data::with_password_hint(error, args.db_password_file.as_deref()));
    let store = store.with_context(|| location.to_string())?;
    let settings = Settings {
        bot_pause: Duration::from_millis(args.bot_pause_ms.into()),
        max_open_tables: args.max_tables,
        ..Settings::default()
    };
    let service = Service::new(store, settings);
    // Join the other servers on this database before reading the time: all of them use the clock of the database.
    service.join().await.with_context(|| location.to_string())?;
    let address = listener.local_addr()?;
    let lan_address = if args.lan { link::network_address(address.port()) } else { None };
    let state = AppState::new(service.clone(), Config { lan_address, ..config(args)? }).await?;

    // Install the signal handlers before announcing the server: once it is announced, a signal may arrive.
    let stop_signal = stop_signal()?;
    announce(args.log_format, (address, lan_address), location, out)?;
    // The socket listens already, so an early request waits until the server accepts it.
    browser::open(&link::home_page(link::local_address(address)), args.no_open);

    let (stop, stopped) = watch::channel(false);
    let wait_for_stop = |mut stopped: watch::Receiver<bool>| async move {
        let _ = stopped.wait_for(|is_stopped| *is_stopped).await;
    };
    let runner = service.clone();
    let driver = tokio::spawn(async move { runner.run().await });
    let deletion = tokio::spawn(delete_old_tables(service.clone(), args.forget_after_days));
    let serve_metrics = async {
        if let Some((listener, metrics)) = metrics {
            metrics.serve(listener, &state, wait_for_stop(stopped.clone())).await;
        }
    };
    let stop_on_signal = async {
        let signal = stop_signal.await;
        tracing::info!("stopping");
        let _ = stop.send(true);
        signal
    };
    let app = sultan_pages::app(state.clone());
    let serve_app = sultan_server::serve(listener, app, &state, wait_for_stop(stopped.clone()));
    let ((), (), signal) = tokio::join!(serve_app, serve_metrics, stop_on_signal);
    driver.abort();
    deletion.abort();
    if timeout(Duration::from_secs(1), service.close()).await.is_err() {
        tracing::warn!("the database did not close in time; acknowledged changes are safe");
    }
    Ok(signal?)
}

/// Prints the address of the server (`network` is that for other devices) and the location of its database. With
/// `--log-format json`, logs them instead: standard output and the log are often written to the same file, which must
/// be all JSON.
fn announce(
    format: LogFormat,
    (address, network): (SocketAddr, Option<SocketAddr>),
    location: &Location,
    out: Out,
) -> anyhow::Result<()> {
    match format {
        LogFormat::Text => {
            link::print(out, address, network)?;
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
            let link = link::home_page(network.unwrap_or_else(|| link::local_address(address)));
            tracing::info!(link, kept_in = %location, "serving");
        }
    }
    Ok(())
}

fn listen_at(address: SocketAddr) -> anyhow::Result<TcpListener> {
    sultan_server::listen(address).with_context(|| format!("cannot listen at {address}"))
}

/// Listens on the address given with `--bind`, otherwise on the first free port of [`PORTS`].
fn listen(args: &ServeArgs) -> anyhow::Result<TcpListener> {
    if let Some(address) = args.bind {
        return listen_at(address);
    }
    let ip = if args.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
    for port in PORTS {
        match sultan_server::listen(SocketAddr::new(IpAddr::V4(ip), port)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => return Err(error).with_context(|| format!("cannot listen at {ip}:{port}")),
        }
    }
    bail!("all ports from {} to {} are in use; choose another with --bind", PORTS.start(), PORTS.end())
}

/// The settings of the server. Raises the limit of open files of this process, which limits its connections.
fn config(args: &ServeArgs) -> anyhow::Result<Config> {
    /// Open files that are not connections: the database, the log, the program itself.
    const OTHER_FILES: usize = 64;
    let max_files = rlimit::increase_nofile_limit(u64::MAX).context("cannot raise the limit of open files")?;
    let max_files = usize::try_from(max_files).unwrap_or(usize::MAX);
    // At least 64 connections, even if the limit of open files is lower.
    let max_connections = max_files.saturating_sub(OTHER_FILES).max(OTHER_FILES);
    let mut config =
        Config { trust_proxy: args.trust_proxy, metrics_enabled: args.metrics_bind.is_some(), ..Config::default() };
    let limits = &mut config.connection_limits;
    if args.no_rate_limit {
        (limits.max_total, limits.max_per_address) = (max_connections, None);
        config.rate_limits = None;
    } else {
        limits.max_total = limits.max_total.min(max_connections);
    }
    Ok(config)
}

/// Once an hour, deletes tables that have not changed for this number of days. Without a number, does nothing.
async fn delete_old_tables(service: Service, after_days: Option<u32>) {
    let Some(days) = after_days else { return };
    let age = Duration::from_hours(24) * days;
    loop {
        match service.delete_older_than(age).await {
            Ok(0) => {}
            Ok(tables) => tracing::info!(tables, "deleted old tables"),
            Err(error) => tracing::error!(%error, "cannot delete old tables; retrying in an hour"),
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
