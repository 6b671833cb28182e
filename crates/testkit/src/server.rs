//! The real server in a child process: start, kill, restart, and measure its CPU time and memory.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// A running server. It is killed when this is dropped.
#[derive(Debug)]
pub struct Server {
    /// The address it listens on.
    pub address: SocketAddr,
    process: Child,
    launch: Launch,
}

/// The command line and environment of a server.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub binary: PathBuf,
    /// All arguments except `--bind`.
    pub args: Vec<String>,
    /// Additional environment variables.
    pub env: Vec<(String, String)>,
    /// The log file; `None` for the stderr of the test.
    pub log: Option<PathBuf>,
}

impl Launch {
    /// A server without rate limits, and without pauses of bots unless `more_args` sets them.
    #[must_use]
    pub fn new(binary: &Path, db: &str, more_args: &[&str]) -> Self {
        let mut args = vec!["serve", "--no-open", "--no-rate-limit", "--db", db];
        if !more_args.contains(&"--bot-pause-ms") {
            args.extend(["--bot-pause-ms", "0"]);
        }
        let args = args.iter().chain(more_args).map(ToString::to_string).collect();
        Self { binary: binary.to_owned(), args, env: Vec::new(), log: None }
    }
}

impl Server {
    /// Starts a server on a free port, with the arguments of [`Launch::new`].
    ///
    /// # Errors
    /// If the server does not start.
    pub async fn start(binary: &Path, db: &str, more_args: &[&str]) -> Result<Self> {
        Self::launch(Launch::new(binary, db, more_args)).await
    }

    /// Starts a server on a free port.
    ///
    /// # Errors
    /// If the server does not start.
    pub async fn launch(launch: Launch) -> Result<Self> {
        let (process, address) = spawn(&launch, "127.0.0.1:0").await?;
        Ok(Self { address, process, launch })
    }

    /// Sends a signal by its name, such as `TERM`.
    ///
    /// # Errors
    /// If the process has ended.
    pub async fn signal(&self, name: &str) -> Result<()> {
        let pid = self.process.id().context("the server has ended")?;
        let status = Command::new("kill").arg(format!("-{name}")).arg(pid.to_string()).status().await?;
        anyhow::ensure!(status.success(), "kill -{name} {pid} failed: {status}");
        Ok(())
    }

    /// Kills the process with `SIGKILL`.
    ///
    /// # Errors
    /// If the process cannot be killed.
    pub async fn kill(&mut self) -> Result<()> {
        Ok(self.process.kill().await?)
    }

    /// Starts the server again on the same address and database.
    ///
    /// # Errors
    /// If the server does not start.
    pub async fn restart(&mut self) -> Result<()> {
        (self.process, self.address) = spawn(&self.launch, &self.address.to_string()).await?;
        Ok(())
    }

    /// Waits until the process exits, and returns its exit code.
    ///
    /// # Errors
    /// If the process does not exit in time.
    pub async fn wait_for_exit(&mut self, limit: Duration) -> Result<Option<i32>> {
        Ok(tokio::time::timeout(limit, self.process.wait()).await.context("the server does not exit")??.code())
    }

    /// The process ID; 0 if the process has ended.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.process.id().unwrap_or_default()
    }

    /// The CPU time since the start in seconds: in user mode, and in the kernel.
    ///
    /// # Errors
    /// If the process has ended.
    pub fn cpu_seconds(&self) -> Result<(f64, f64)> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid()))?;
        // The second field, the name in parentheses, may contain spaces, so it is skipped first. The CPU times are the
        // fields 14 and 15.
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        let mut ticks = after_name.split_whitespace().skip(11);
        // Linux reports CPU time in hundredths of a second.
        let mut seconds =
            || -> Result<f64> { Ok(f64::from(ticks.next().context("a process uses time")?.parse::<u32>()?) / 100.0) };
        Ok((seconds()?, seconds()?))
    }

    /// The resident memory in megabytes.
    ///
    /// # Errors
    /// If the process has ended.
    pub fn memory_mb(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("a process has memory")?;
        let kib: f64 = line.split_whitespace().next().unwrap_or_default().parse()?;
        Ok(kib / 1024.0)
    }
}

/// Time limit for printing the address after the start.
const START_TIMEOUT: Duration = Duration::from_mins(1);

async fn spawn(launch: &Launch, bind: &str) -> Result<(Child, SocketAddr)> {
    let mut command = Command::new(&launch.binary);
    command.args(&launch.args).args(["--bind", bind]).env("SULTAN_LOG", "warn").envs(launch.env.iter().cloned());
    if let Some(log) = &launch.log {
        command.stderr(std::fs::OpenOptions::new().create(true).append(true).open(log)?);
    }
    let process = command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn();
    let mut process = process.with_context(|| format!("{} does not start", launch.binary.display()))?;
    let output = process.stdout.take().context("a server has an output")?;
    let mut lines = BufReader::new(output).lines();
    let address = tokio::time::timeout(START_TIMEOUT, read_address(&mut lines))
        .await
        .context("the server does not print its address")??;
    // Read further output, so that the pipe never fills up.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Ok((process, address))
}

/// Reads the server's address from the first line with a link.
async fn read_address(lines: &mut Lines<BufReader<ChildStdout>>) -> Result<SocketAddr> {
    while let Some(line) = lines.next_line().await? {
        let Some((_, link)) = line.split_once("http://") else { continue };
        let address = link.split(|c: char| c == '/' || c.is_whitespace()).next().unwrap_or_default();
        return address.parse().with_context(|| format!("no address in {line:?}"));
    }
    anyhow::bail!("the server ended before it printed its address")
}
