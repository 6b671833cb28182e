//! The work of an operator with the real binary: backups during play, and migration to another database. After each,
//! the games are continued.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use sultan_e2e::games::{Game, GameTasks};
use sultan_e2e::run_with_limit;
use sultan_store::Location;
use sultan_testkit::http::Connection;
use sultan_testkit::server::Server;
use sultan_testkit::{Postgres, postgres_or_skip};
use tempfile::TempDir;

use crate::{SULTAN, machine};

/// The number of tables.
const TABLES: u64 = 8;

/// Starts a server with this database.
async fn serve(db: &str) -> Result<Server> {
    Server::start(SULTAN.as_ref(), db, &[]).await
}

/// Runs a command of `sultan` to its end.
async fn sultan(arguments: &[&str]) -> Result<Output> {
    let mut command = tokio::process::Command::new(SULTAN);
    Ok(command.args(arguments).env_remove("SULTAN_DB").output().await?)
}

/// Stdout and stderr of a command.
fn output_text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Checks that a command succeeded.
fn check_success(output: &Output) -> Result<()> {
    ensure!(output.status.success(), "{}", output_text(output));
    Ok(())
}

/// Checks that a command failed with exit code 1 and printed one line with this message.
fn check_failure(output: &Output, message: &str) -> Result<()> {
    let text = output_text(output);
    ensure!(
        output.status.code() == Some(1) && text.lines().count() == 1 && text.contains(message),
        "expected a failure with “{message}”: {text}"
    );
    Ok(())
}

/// A database file in a folder.
struct DatabaseFile {
    path: String,
    /// The value of `--db`.
    location: String,
}

fn database_in(folder: &TempDir, name: &str) -> DatabaseFile {
    let path = folder.path().join(name).display().to_string();
    DatabaseFile { location: format!("sqlite:{path}"), path }
}

/// Plays all games to their end on a server with this database. Some of them must still be running.
async fn finish_games(db: &str, games: &[Game]) -> Result<()> {
    let server = serve(db).await?;
    let mut running = 0;
    for game in games {
        running += usize::from(game.finish(server.address).await?);
    }
    ensure!(games.len() >= 8 && running >= 3, "only {running} of {} games were still running", games.len());
    Ok(())
}

/// Plays on a server, copies its database under load, and continues the games on the copy. `copy_database` returns the
/// location of the copy.
async fn copy_under_load(db: &str, copy_database: impl AsyncFnOnce() -> Result<String>) -> Result<Vec<Game>> {
    let mut server = serve(db).await?;
    let game_tasks = GameTasks::start(server.address, TABLES);
    game_tasks.wait_for_actions(250).await?;
    game_tasks.slow_down();
    let games_before = game_tasks.games();
    let copy = copy_database().await?;
    let games_after = game_tasks.stop().await?;
    let count_actions = |games: &[Game]| games.iter().map(Game::actions).sum::<usize>();
    ensure!(
        count_actions(&games_after) > count_actions(&games_before),
        "no action was played while the database was copied"
    );
    server.kill().await?;
    // Every action that was acknowledged before the copy must be in the copy.
    finish_games(&copy, &games_before).await?;
    Ok(games_before)
}

async fn back_up_under_load() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let [db, backup, restored, aside] =
        ["games.db", "backup.db", "new.db", "aside.db"].map(|name| database_in(&folder, name));
    let games = copy_under_load(&db.location, async || {
        check_success(&sultan(&["backup", &backup.path, "--db", &db.location]).await?)?;
        check_failure(&sultan(&["backup", &backup.path, "--db", &db.location]).await?, "already exists")?;
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&Path::new(&backup.path).metadata()?.permissions());
            ensure!(mode & 0o777 == 0o600, "other users can read the backup: its mode is {mode:o}");
        }
        // A backup is restored by copying the file.
        std::fs::copy(&backup.path, &restored.path)?;
        Ok(restored.location)
    })
    .await?;
    let names = std::fs::read_dir(folder.path())?.filter_map(|entry| Some(entry.ok()?.file_name()));
    let temporary: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with('.')).collect();
    ensure!(temporary.is_empty(), "the backup left temporary files behind: {temporary:?}");
    // The backup also works at the original path, after the old files have been moved away.
    for suffix in ["", "-wal", "-shm"] {
        let old = format!("{}{suffix}", db.path);
        ensure!(Path::new(&old).exists(), "the killed server left no file {old}");
        std::fs::rename(old, format!("{}{suffix}", aside.path))?;
    }
    std::fs::copy(&backup.path, &db.path)?;
    finish_games(&db.location, &games).await
}

/// Runs a Postgres program.
async fn run_program(command: Command) -> Result<()> {
    check_success(&tokio::process::Command::from(command).output().await?)
}

async fn dump_and_restore_under_load(server: &Postgres) -> Result<()> {
    let (db, restored) = (server.new_database_url(), server.new_database_url());
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("sultan.dump");
    copy_under_load(&db, async || {
        let mut dump = server.program("pg_dump");
        dump.args(["--format=custom", "--dbname", &db, "--file"]).arg(&file);
        run_program(dump).await?;
        let mut restore = server.program("pg_restore");
        restore.args(["--no-owner", "--exit-on-error", "--single-transaction", "--dbname", &restored]).arg(&file);
        run_program(restore).await?;
        Ok(restored)
    })
    .await?;
    Ok(())
}

/// Fills a database with finished, compacted, analysed and running games, a browser's seat and a commitment. Its server
/// is still running.
async fn database_with_all_kinds_of_rows(db: &str) -> Result<(Server, Vec<Game>)> {
    let server = serve(db).await?;
    let game_tasks = GameTasks::start(server.address, TABLES);
    // Enough actions for several finished games.
    game_tasks.wait_for_actions(1200).await?;
    let games = game_tasks.stop().await?;
    let mut connection = Connection::open(server.address).await?;
    ensure!(
        connection.ask("POST", "/api/v1/commitments", None, "").await?.status == 201,
        "the server made no commitment"
    );
    let game = games.first().context("no game was played")?;
    let (_, token) = &game.tokens[0];
    let link = format!("/t/{}/in/{token}", game.table);
    let entered = connection.ask("GET", &link, None, "").await?;
    ensure!(entered.header("set-cookie").is_some(), "the seat link set no cookie: {:?}", entered.headers);
    let store = sultan_store::open(&db.parse::<Location>()?).await?;
    ensure!(store.compact(i64::MAX, 1000).await? > 0, "no game is over, so none was compacted");
    store.store_analysis(game.table.parse()?, r#"{"all":"well"}"#.to_owned()).await?;
    store.close().await?;
    Ok((server, games))
}

async fn move_to_postgres(postgres: &Postgres) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let from = database_in(&folder, "games.db").location;
    let (mut server, games) = database_with_all_kinds_of_rows(&from).await?;
    let to = postgres.new_database_url();
    check_failure(&sultan(&["migrate-db", &from, &to]).await?, "is in use")?;
    // The killed server leaves changes in the write-ahead log beside the database file.
    server.kill().await?;
    let moved = sultan(&["migrate-db", &from, &to]).await?;
    check_success(&moved)?;
    let text = output_text(&moved);
    // The promises are commitments.
    for part in [&format!("{} tables with ", games.len()), " 1 promises, 1 secrets, 1 analyses", "1 seats of browsers"]
    {
        ensure!(text.contains(part), "no “{part}” in the output of migrate-db: {text}");
    }
    check_failure(&sultan(&["migrate-db", &from, &to]).await?, "is not empty")?;
    // Migrate back to a SQLite file, from which the games can be continued too.
    let back = database_in(&folder, "back.db").location;
    check_success(&sultan(&["migrate-db", &to, &back]).await?)?;
    check_failure(&sultan(&["migrate-db", &to, &back]).await?, "already exists")?;
    let copy = postgres.new_database_url();
    check_success(&sultan(&["migrate-db", &to, &copy]).await?)?;
    for db in [to.as_str(), &copy, &back, &from] {
        finish_games(db, &games).await.with_context(|| format!("cannot continue the games on {db}"))?;
    }
    Ok(())
}

async fn find_a_difference(postgres: &Postgres) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let from = database_in(&folder, "games.db").location;
    // Dropping the server kills it.
    drop(database_with_all_kinds_of_rows(&from).await?);
    let to = postgres.new_database_url();
    let execute_sql = async |sql: &str| -> Result<()> {
        let mut psql = postgres.program("psql");
        psql.args(["--quiet", "--set=ON_ERROR_STOP=1", "--dbname", &to, "--command", sql]);
        run_program(psql).await
    };
    // Create the database tables, which the trigger needs.
    sultan_store::open(&to.parse::<Location>()?).await?.close().await?;
    // A trigger simulates data corruption: the time of a change is lost.
    execute_sql(
        "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.at_ms := 0; RETURN NEW; END';
         CREATE TRIGGER lose BEFORE INSERT ON changes FOR EACH ROW WHEN (NEW.version = 5) EXECUTE FUNCTION lose()",
    )
    .await?;
    check_failure(
        &sultan(&["migrate-db", &from, &to]).await?,
        "the copy differs from the original in changes of table",
    )?;
    execute_sql("DO 'BEGIN ASSERT (SELECT count(*) FROM changes) + (SELECT count(*) FROM secrets) = 0; END'").await?;
    // Without the trigger the migration succeeds: the failed one left nothing behind.
    execute_sql("DROP TRIGGER lose ON changes").await?;
    check_success(&sultan(&["migrate-db", &from, &to]).await?)
}

async fn reject_invalid_databases() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let DatabaseFile { path, location: db } = database_in(&folder, "games.db");
    let DatabaseFile { path: other, location: other_db } = database_in(&folder, "other.db");
    // The database is missing, then it is a text file, then an empty file.
    check_failure(&sultan(&["backup", &other, "--db", &db]).await?, "not found")?;
    check_failure(&sultan(&["migrate-db", &db, &other_db]).await?, "not found")?;
    let missing_folder = folder.path().join("nowhere/x.db").display().to_string();
    std::fs::write(&path, "this is no database, but it is long enough to look into".repeat(100))?;
    check_failure(&sultan(&["backup", &other, "--db", &db]).await?, "not a database")?;
    check_failure(&sultan(&["migrate-db", &db, &other_db]).await?, "not a database")?;
    std::fs::write(&path, "")?;
    check_failure(&sultan(&["backup", &other, "--db", &db]).await?, "not a database of sultan")?;
    check_failure(&sultan(&["migrate-db", &db, &other_db]).await?, "not a database of sultan")?;
    ensure!(
        !Path::new(&other).exists() && std::fs::read_dir(folder.path())?.count() == 1,
        "failed commands left files behind"
    );
    sultan_store::open(&Location::Sqlite(other.clone().into())).await?.close().await?;
    check_failure(&sultan(&["backup", &missing_folder, "--db", &other_db]).await?, "nowhere not found")?;
    check_failure(&sultan(&["migrate-db", &db, &db]).await?, "both")?;
    // No server listens on port 1.
    let postgres = "postgres://ana:secret@127.0.0.1:1/x";
    for output in [sultan(&["migrate-db", postgres, &db]).await?, sultan(&["backup", &other, "--db", postgres]).await?]
    {
        ensure!(!output_text(&output).contains("secret"), "the password is printed: {}", output_text(&output));
        check_failure(&output, "127.0.0.1")?;
    }
    check_failure(&sultan(&["backup", &other, "--db", postgres]).await?, "pg_dump --format=custom")
}

fn run_test(test: impl Future<Output = Result<()>>) -> Result<()> {
    let _lock = machine::lock_shared();
    run_with_limit(Duration::from_mins(10), test)
}

#[test]
fn backup_and_migration_reject_invalid_databases() -> Result<()> {
    run_test(reject_invalid_databases())
}

#[test]
fn games_continue_from_a_backup_made_under_load() -> Result<()> {
    run_test(back_up_under_load())
}

#[test]
fn games_continue_from_a_dump_made_under_load() -> Result<()> {
    let Some(server) = postgres_or_skip() else { return Ok(()) };
    run_test(dump_and_restore_under_load(server))
}

#[test]
fn games_continue_after_migration_to_postgres_and_back() -> Result<()> {
    let Some(server) = postgres_or_skip() else { return Ok(()) };
    run_test(move_to_postgres(server))
}

#[test]
fn migration_finds_a_difference_between_copy_and_original() -> Result<()> {
    let Some(server) = postgres_or_skip() else { return Ok(()) };
    run_test(find_a_difference(server))
}
