//! A real Postgres server for tests, started from the installed programs in a temporary folder.

use std::fs;
use std::io;
use std::net::Ipv4Addr;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::skip_or_fail;
use crate::tls::Identity;

/// The message for a missing Postgres.
const POSTGRES_MISSING: &str = "Postgres is not installed: apt-get install postgresql (or set PG_BINDIR)";

/// A Postgres server that listens on a socket in its folder. It stops when this is dropped or the test process ends,
/// even by a crash.
#[derive(Debug)]
pub struct Postgres {
    /// The folder of the installed programs.
    programs: PathBuf,
    /// The folder of the server, with its data and its socket.
    folder: PathBuf,
    /// The IDs of the user and the group that run the server; `None` for the IDs of the test process.
    user: Option<(u32, u32)>,
    /// The number of databases created.
    databases: AtomicU32,
    /// The process of the script [`GUARD`].
    guard: Mutex<Child>,
}

/// A shutdown mode.
#[derive(Clone, Copy, Debug)]
pub enum StopMode {
    /// Disconnects all clients (`pg_ctl stop -m fast`).
    Fast,
    /// Stops as in a power failure (`pg_ctl stop -m immediate`).
    Immediate,
}

/// A shell script that waits for the end of the test process (its stdin closes), then stops the server and deletes its
/// folder.
const GUARD: &str = r#"cat > /dev/null; "$1" -D "$2/data" -m immediate stop > /dev/null 2>&1; rm -rf "$2""#;

impl Postgres {
    /// The folder of the Postgres programs: `PG_BINDIR`, or the newest installed version.
    fn installed() -> Option<PathBuf> {
        if let Some(folder) = std::env::var_os("PG_BINDIR") {
            return Some(folder.into());
        }
        let version = |folder: &PathBuf| folder.file_name()?.to_str()?.parse::<u32>().ok();
        let folders = fs::read_dir("/usr/lib/postgresql").ok()?.filter_map(|entry| Some(entry.ok()?.path()));
        let newest = folders.filter(|folder| folder.join("bin/initdb").exists()).max_by_key(version)?;
        Some(newest.join("bin"))
    }

    /// The server shared by all tests of this process; `None` if Postgres is not installed. It runs without `fsync`.
    #[must_use]
    pub fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Postgres>> = OnceLock::new();
        let start =
            |programs| Self::start(programs, "fsync = off\n").expect("Postgres is installed, so it can be started");
        SHARED.get_or_init(|| Self::installed().map(start)).as_ref()
    }

    /// Starts another server, with `fsync`.
    ///
    /// # Errors
    /// If the server does not start.
    pub fn start_another(&self) -> io::Result<Self> {
        Self::start(self.programs.clone(), "")
    }

    /// Starts another server that counts statements (`pg_stat_statements`).
    ///
    /// # Errors
    /// If the server does not start.
    pub fn start_with_statistics(&self) -> io::Result<Self> {
        Self::start(self.programs.clone(), "shared_preload_libraries = 'pg_stat_statements'\n")
    }

    /// Starts another server that also listens on two [loopback addresses](loopback_addresses), where it requires TLS.
    ///
    /// # Errors
    /// If the server does not start.
    pub fn start_with_tls(&self, addresses: [Ipv4Addr; 2], identity: &Identity) -> io::Result<Self> {
        let [first, second] = addresses;
        let settings = format!("fsync = off\nlisten_addresses = '{first}, {second}'\nssl = on\n");
        let server = Self::prepare(self.programs.clone(), &settings)?;
        let data = server.folder.join("data");
        for (name, content) in [("server.crt", &identity.certificate), ("server.key", &identity.key)] {
            let file = data.join(name);
            fs::write(&file, content)?;
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600))?;
            if let Some((user, group)) = server.user {
                chown(&file, Some(user), Some(group))?;
            }
        }
        fs::write(data.join("pg_hba.conf"), "local all all trust\nhostssl all all 127.0.0.0/8 trust\n")?;
        server.pg_ctl_start()?;
        Ok(server)
    }

    /// Starts a server with additional settings. `fsync` is on unless they turn it off.
    fn start(programs: PathBuf, extra_settings: &str) -> io::Result<Self> {
        let server = Self::prepare(programs, extra_settings)?;
        server.pg_ctl_start()?;
        Ok(server)
    }

    /// Initializes a server without starting it.
    fn prepare(programs: PathBuf, extra_settings: &str) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("sultan-pg").tempdir()?.keep();
        // Postgres refuses to run as root.
        let user = if is_root()? { Some((id_of_postgres("-u")?, id_of_postgres("-g")?)) } else { None };
        if let Some((user, group)) = user {
            chown(&folder, Some(user), Some(group))?;
        }
        let mut guard = Command::new("sh");
        // `$0`, `$1` and `$2` of the script are `sh`, `pg_ctl` and the folder.
        guard.args(["-c", GUARD, "sh"]).arg(programs.join("pg_ctl")).arg(&folder);
        // In its own process group, so that Ctrl+C ends only the tests, and the script can stop the server.
        guard.stdin(Stdio::piped()).stdout(Stdio::null()).process_group(0).current_dir("/");
        let guard = as_user(&mut guard, user).spawn()?;
        let server = Self { programs, folder, user, databases: AtomicU32::new(0), guard: Mutex::new(guard) };
        let data = server.folder.join("data");
        let options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D"];
        server.run(server.program("initdb").args(options).arg(&data))?;
        let mut settings = format!("listen_addresses = ''\nunix_socket_directories = '{}'\n", server.folder.display());
        settings.push_str("max_connections = 200\nshared_buffers = '32MB'\n");
        settings.push_str(extra_settings);
        fs::write(data.join("postgresql.auto.conf"), settings)?;
        Ok(server)
    }

    /// Creates an empty database and returns its connection URL.
    ///
    /// # Panics
    /// If the database cannot be created.
    #[must_use]
    pub fn new_database_url(&self) -> String {
        self.database_url(&self.new_database())
    }

    /// Creates an empty database and returns its name.
    ///
    /// # Panics
    /// If the database cannot be created.
    #[must_use]
    pub fn new_database(&self) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut create = self.program("createdb");
        create.arg("-h").arg(&self.folder).args(["-U", "postgres", &name]);
        self.run(&mut create).expect("createdb succeeds");
        name
    }

    /// The connection URL of a database.
    #[must_use]
    pub fn database_url(&self, name: &str) -> String {
        format!("postgres:///{name}?host={}&user=postgres", self.folder.display())
    }

    /// The socket on which the server listens.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// Stops the server and starts it again.
    ///
    /// # Panics
    /// If the server does not start again.
    pub fn restart(&self, mode: StopMode) {
        self.pg_ctl_stop(match mode {
            StopMode::Fast => "fast",
            StopMode::Immediate => "immediate",
        });
        self.start_again();
    }

    /// Stops the server and disconnects all clients.
    ///
    /// # Panics
    /// If the server does not stop.
    pub fn stop(&self) {
        self.pg_ctl_stop("fast");
    }

    /// Starts the server again.
    ///
    /// # Panics
    /// If the server does not start.
    pub fn start_again(&self) {
        self.pg_ctl_start().expect("the server starts again");
    }

    fn pg_ctl_stop(&self, mode: &str) {
        let mut stop = self.program("pg_ctl");
        stop.arg("-D").arg(self.folder.join("data")).args(["-w", "-m", mode, "stop"]);
        self.run(&mut stop).expect("the server can be stopped");
    }

    fn pg_ctl_start(&self) -> io::Result<()> {
        let log = self.folder.join("log");
        self.run(
            self.program("pg_ctl").arg("-D").arg(self.folder.join("data")).arg("-l").arg(log).args(["-w", "start"]),
        )
    }

    /// One of the installed programs, such as `pg_dump`.
    #[must_use]
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// Runs a program as the user of the server.
    fn run(&self, command: &mut Command) -> io::Result<()> {
        // Stderr is a file and not a pipe: the server would inherit the pipe, and reading would block until it stops.
        let errors = tempfile::tempfile()?;
        let status = as_user(command, self.user).stderr(errors.try_clone()?).status()?;
        if status.success() {
            return Ok(());
        }
        let mut errors = io::BufReader::new(errors);
        io::Seek::rewind(&mut errors)?;
        Err(io::Error::other(format!("{command:?}: {status}: {}", io::read_to_string(errors)?)))
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let guard = self.guard.get_mut().unwrap_or_else(PoisonError::into_inner);
        drop(guard.stdin.take());
        // An error while stopping does not change the result of the test.
        let _ = guard.wait();
    }
}

/// The server shared by all tests of this process. If Postgres is not installed, prints a message and returns `None`.
///
/// # Panics
/// If Postgres is not installed and `CI` is `true`.
#[must_use]
pub fn postgres_or_skip() -> Option<&'static Postgres> {
    if Postgres::installed().is_none() {
        skip_or_fail(POSTGRES_MISSING);
    }
    Postgres::shared()
}

/// Two loopback addresses derived from the process ID, so that servers of several test processes can all use the
/// default port.
#[must_use]
pub fn loopback_addresses() -> [Ipv4Addr; 2] {
    let [_, high, middle, low] = std::process::id().to_be_bytes();
    // Process IDs have at most 22 bits, so the two highest bits of the second byte can distinguish the two addresses.
    [64, 128].map(|bit| Ipv4Addr::new(127, bit | high, middle, low))
}

fn as_user(command: &mut Command, user: Option<(u32, u32)>) -> &mut Command {
    match user {
        Some((user, group)) => command.uid(user).gid(group),
        None => command,
    }
}

fn is_root() -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::uid(&fs::metadata(Path::new("/proc/self"))?) == 0)
}

/// The user ID (flag `-u`) or the group ID (flag `-g`) of the user `postgres`.
fn id_of_postgres(flag: &str) -> io::Result<u32> {
    let output = Command::new("id").args([flag, "postgres"]).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim()
        .parse()
        .map_err(|_| io::Error::other("the user `postgres` does not exist, and Postgres cannot run as root"))
}
