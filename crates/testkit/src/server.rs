//! The real server in a process of its own: started, killed, started again, and asked what it uses.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// A running server; ends with this.
#[derive(Debug)]
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    process: Child,
    launch: Launch,
}

/// How a server is started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub binary: PathBuf,
    /// All it is told but where to listen.
    pub args: Vec<String>,
    /// What its environment has besides.
    pub env: Vec<(String, String)>,
    /// Where its log goes; nothing for where this program's goes.
    pub log: Option<PathBuf>,
}

impl Launch {
    /// A server without limits, and without pauses of bots where nobody asks for them.
    #[must_use]
    pub fn new(binary: &Path, db: &str, more: &[&str]) -> Self {
        let mut args = vec!["serve", "--no-open", "--no-rate-limit", "--db", db];
        if !more.contains(&"--bot-pause-ms") {
            args.extend(["--bot-pause-ms", "0"]);
        }
        let args = args.iter().chain(more).map(ToString::to_string).collect();
        Self { binary: binary.to_owned(), args, env: Vec::new(), log: None }
    }
}

impl Server {
    /// Starts a server on a free port, without pauses of bots and without limits.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start(binary: &Path, db: &str, more: &[&str]) -> Result<Self> {
        Self::launch(Launch::new(binary, db, more)).await
    }

    /// Starts a server on a free port, just so.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn launch(launch: Launch) -> Result<Self> {
        let (process, address) = spawn(&launch, "127.0.0.1:0").await?;
        Ok(Self { address, process, launch })
    }

    /// Sends it a signal, by its name.
    ///
    /// # Errors
    /// When it has ended.
    pub async fn signal(&self, name: &str) -> Result<()> {
        let pid = self.process.id().context("the server has ended")?;
        let sent = Command::new("kill").arg(format!("-{name}")).arg(pid.to_string()).status().await?;
        anyhow::ensure!(sent.success(), "no signal could be sent: {sent}");
        Ok(())
    }

    /// Kills it at once: nothing is put in order.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub async fn kill(&mut self) -> Result<()> {
        Ok(self.process.kill().await?)
    }

    /// Starts it again where it was, on the same data.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn restart(&mut self) -> Result<()> {
        (self.process, self.address) = spawn(&self.launch, &self.address.to_string()).await?;
        Ok(())
    }

    /// Waits until it has ended by itself, and gives its exit code.
    ///
    /// # Errors
    /// When it does not end in time.
    pub async fn ended(&mut self, within: Duration) -> Result<Option<i32>> {
        Ok(tokio::time::timeout(within, self.process.wait()).await.context("it does not end")??.code())
    }

    /// The number of its process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.process.id().unwrap_or_default()
    }

    /// CPU time since the start: in the program, and in the kernel for it.
    ///
    /// # Errors
    /// When it has ended.
    pub fn cpu_seconds(&self) -> Result<(f64, f64)> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid()))?;
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        let mut ticks = after_name.split_whitespace().skip(11);
        // Linux counts hundredths of a second for programs.
        let mut seconds =
            || -> Result<f64> { Ok(f64::from(ticks.next().context("a process uses time")?.parse::<u32>()?) / 100.0) };
        Ok((seconds()?, seconds()?))
    }

    /// Memory that it has in use.
    ///
    /// # Errors
    /// When it has ended.
    pub fn memory_mb(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("a process has memory")?;
        let kib: f64 = line.split_whitespace().next().unwrap_or_default().parse()?;
        Ok(kib / 1024.0)
    }
}

/// How long a server may take to say where it is.
const START: Duration = Duration::from_mins(1);

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
    let address =
        tokio::time::timeout(START, said(&mut lines)).await.context("the server does not print its address")??;
    // What else it says must not fill the pipe.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Ok((process, address))
}

/// Where a server says that it is: the line with the link, whatever else stands there.
async fn said(lines: &mut Lines<BufReader<ChildStdout>>) -> Result<SocketAddr> {
    while let Some(line) = lines.next_line().await? {
        let Some((_, rest)) = line.split_once("http://") else { continue };
        let address = rest.split(|sign: char| sign == '/' || sign.is_whitespace()).next().unwrap_or_default();
        return address.parse().with_context(|| format!("no address in “{line}”"));
    }
    anyhow::bail!("the server ended before printing its address")
}
