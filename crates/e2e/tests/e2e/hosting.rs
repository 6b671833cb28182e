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

async fn serve(db: &str) -> Result<Server> {
    Server::start(SULTAN.as_ref(), db, &[]).await
}

async fn sultan(arguments: &[&str]) -> Result<Output> {
    let mut command = tokio::process::Command::new(SULTAN);
    Ok(command.args(arguments).env_remove("SULTAN_DB").output().await?)
}

fn output_text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Checks that a command succeeded.
fn check_success(output: &Output) -> Result<()> {
    ensure!(output.status.success(), "{}", output_text(output));
    Ok(())
}

/// Checks that a command failed with exit code 1 and one line that contains `with`.
fn check_failure(output: &Output, with: &str) -> Result<()> {
    let text = output_text(output);
    ensure!(output.status.code() == Some(1) && text.lines().count() == 1 && text.contains(with), "{text}");
    Ok(())
}

fn database_in(folder: &TempDir, name: &str) -> (String, String) {
    let path = folder.path().join(name).display().to_string();
    (path.clone(), format!("sqlite:{path}"))
}

/// Continues all games on a server with this database. Some of them must still be running.
async fn finish_games(db: &str, games: &[Game]) -> Result<()> {
    let server = serve(db).await?;
    let mut unfinished = 0;
    for game in games {
        unfinished += usize::from(game.finish(server.address).await?);
    }
    ensure!(games.len() >= 8 && unfinished >= 3, "{unfinished} of {} games were not over", games.len());
    Ok(())
}

/// Plays on a server, makes a copy of its database under load, and continues the games on the copy.
async fn copy_under_load(db: &str, copy: impl AsyncFnOnce() -> Result<String>) -> Result<Vec<Game>> {
    let mut server = serve(db).await?;
    let playing = GameTasks::start(server.address, TABLES);
    playing.wait_for_actions(250).await?;
    playing.slow_down();
    let before = playing.games();
    let copy = copy().await?;
    // Actions were played while the copy was made.
    let after = playing.stop().await?;
    let actions = |games: &[Game]| games.iter().map(Game::actions).sum::<usize>();
    ensure!(actions(&after) > actions(&before), "no action was played while the copy was made");
    server.kill().await?;
    finish_games(&copy, &before).await?;
    Ok(before)
}

async fn back_up_under_load() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (db, backup, restored) =
        (database_in(&folder, "games.db"), database_in(&folder, "backup.db"), database_in(&folder, "new.db"));
    let games = copy_under_load(&db.1, async || {
        check_success(&sultan(&["backup", &backup.0, "--db", &db.1]).await?)?;
        check_failure(&sultan(&["backup", &backup.0, "--db", &db.1]).await?, "already exists")?;
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&Path::new(&backup.0).metadata()?.permissions());
            ensure!(mode & 0o777 == 0o600, "others can read it: {mode:o}");
        }
        // A backup is restored by copying the file.
        std::fs::copy(&backup.0, &restored.0)?;
        Ok(restored.1)
    })
    .await?;
    let left = std::fs::read_dir(folder.path())?.filter_map(|entry| Some(entry.ok()?.file_name()));
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with('.')).collect();
    ensure!(left.is_empty(), "files left behind: {left:?}");
    // The backup also works at the original path, after the old files have been moved away.
    for end in ["", "-wal", "-shm"] {
        let (old, aside) = (format!("{}{end}", db.0), format!("{}{end}", database_in(&folder, "aside.db").0));
        ensure!(end.is_empty() || Path::new(&old).exists(), "a server that was killed leaves all its files: {old}");
        std::fs::rename(old, aside)?;
    }
    std::fs::copy(&backup.0, &db.0)?;
    finish_games(&db.1, &games).await
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

/// A SQLite file with finished, merged, analysed and running games, a browser's seat and a commitment. Its server is
/// still running.
async fn database_with_all_kinds_of_rows(db: &str) -> Result<(Server, Vec<Game>)> {
    let server = serve(db).await?;
    let playing = GameTasks::start(server.address, TABLES);
    playing.wait_for_actions(1200).await?;
    let games = playing.stop().await?;
    let mut connection = Connection::open(server.address).await?;
    ensure!(connection.ask("POST", "/api/v1/commitments", None, "").await?.status == 201, "no commitment");
    let game = games.first().context("games exist")?;
    let link = format!("/t/{}/in/{}", game.table, game.tokens[0].1);
    let entered = connection.ask("GET", &link, None, "").await?;
    ensure!(entered.header("set-cookie").is_some(), "no cookie: {:?}", entered.headers);
    let store = sultan_store::open(&db.parse::<Location>()?).await?;
    ensure!(store.compact(i64::MAX, 1000).await? > 0, "no game is over");
    store.store_analysis(game.table.parse()?, r#"{"all":"well"}"#.to_owned()).await?;
    store.close().await?;
    Ok((server, games))
}

async fn move_to_postgres(postgres: &Postgres) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (_, from) = database_in(&folder, "games.db");
    let (mut server, games) = database_with_all_kinds_of_rows(&from).await?;
    let to = postgres.new_database_url();
    check_failure(&sultan(&["migrate-db", &from, &to]).await?, "is in use")?;
    // The killed server leaves changes in the write-ahead log beside the database file.
    server.kill().await?;
    let moved = sultan(&["migrate-db", &from, &to]).await?;
    check_success(&moved)?;
    let text = output_text(&moved);
    for part in [&format!("{} tables with ", games.len()), " 1 promises, 1 secrets, 1 analyses", "1 seats of browsers"]
    {
        ensure!(text.contains(part), "{text}");
    }
    check_failure(&sultan(&["migrate-db", &from, &to]).await?, "is not empty")?;
    // Migrate back to a SQLite file, from which the games can be continued too.
    let (_, back) = database_in(&folder, "back.db");
    check_success(&sultan(&["migrate-db", &to, &back]).await?)?;
    check_failure(&sultan(&["migrate-db", &to, &back]).await?, "already exists")?;
    let copy = postgres.new_database_url();
    check_success(&sultan(&["migrate-db", &to, &copy]).await?)?;
    for db in [to.as_str(), &copy, &back, &from] {
        finish_games(db, &games).await.with_context(|| format!("on {db}"))?;
    }
    Ok(())
}

async fn find_a_difference(postgres: &Postgres) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (_, from) = database_in(&folder, "games.db");
    drop(database_with_all_kinds_of_rows(&from).await?);
    let to = postgres.new_database_url();
    let execute = async |sql: &str| -> Result<()> {
        let mut psql = postgres.program("psql");
        psql.args(["--quiet", "--set=ON_ERROR_STOP=1", "--dbname", &to, "--command", sql]);
        run_program(psql).await
    };
    sultan_store::open(&to.parse::<Location>()?).await?.close().await?;
    // A trigger simulates data corruption: the time of a change is lost.
    execute(
        "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.at_ms := 0; RETURN NEW; END';
         CREATE TRIGGER lose BEFORE INSERT ON changes FOR EACH ROW WHEN (NEW.version = 5) EXECUTE FUNCTION lose()",
    )
    .await?;
    check_failure(
        &sultan(&["migrate-db", &from, &to]).await?,
        "the copy differs from the original in changes of table",
    )?;
    execute("DO 'BEGIN ASSERT (SELECT count(*) FROM changes) + (SELECT count(*) FROM secrets) = 0; END'").await?;
    // Without the trigger the migration succeeds: the failed one left nothing behind.
    execute("DROP TRIGGER lose ON changes").await?;
    check_success(&sultan(&["migrate-db", &from, &to]).await?)
}

async fn reject_invalid_databases() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let ((path, db), (other, other_db)) = (database_in(&folder, "games.db"), database_in(&folder, "other.db"));
    check_failure(&sultan(&["backup", &other, "--db", &db]).await?, "not found")?;
    check_failure(&sultan(&["migrate-db", &db, &other_db]).await?, "not found")?;
    let missing_folder = folder.path().join("nowhere/x.db").display().to_string();
    std::fs::write(&path, "this is no database, but it is long enough to look into".repeat(100))?;
    check_failure(&sultan(&["backup", &other, "--db", &db]).await?, "not a database")?;
    check_failure(&sultan(&["migrate-db", &db, &other_db]).await?, "not a database")?;
    std::fs::write(&path, "")?;
    check_failure(&sultan(&["backup", &other, "--db", &db]).await?, "not a database of sultan")?;
    check_failure(&sultan(&["migrate-db", &db, &other_db]).await?, "not a database of sultan")?;
    ensure!(!Path::new(&other).exists() && std::fs::read_dir(folder.path())?.count() == 1, "files left behind");
    sultan_store::open(&Location::Sqlite(other.clone().into())).await?.close().await?;
    check_failure(&sultan(&["backup", &missing_folder, "--db", &other_db]).await?, "nowhere not found")?;
    check_failure(&sultan(&["migrate-db", &db, &db]).await?, "both")?;
    let postgres = "postgres://ana:secret@127.0.0.1:1/x";
    for output in [sultan(&["migrate-db", postgres, &db]).await?, sultan(&["backup", &other, "--db", postgres]).await?]
    {
        ensure!(!output_text(&output).contains("secret"), "{}", output_text(&output));
        check_failure(&output, "127.0.0.1")?;
    }
    check_failure(&sultan(&["backup", &other, "--db", postgres]).await?, "pg_dump --format=custom")
}

fn test(body: impl Future<Output = Result<()>>) -> Result<()> {
    let _machine = machine::shared();
    run_with_limit(Duration::from_mins(10), body)
}

#[test]
fn nonsense_is_check_failure() -> Result<()> {
    test(reject_invalid_databases())
}

#[test]
fn games_continue_from_a_backup_made_under_load() -> Result<()> {
    test(back_up_under_load())
}

#[test]
fn games_continue_from_a_dump_made_under_load() -> Result<()> {
    let Some(server) = postgres_or_skip() else { return Ok(()) };
    test(dump_and_restore_under_load(server))
}

#[test]
fn games_continue_after_migration_to_postgres_and_back() -> Result<()> {
    let Some(server) = postgres_or_skip() else { return Ok(()) };
    test(move_to_postgres(server))
}

#[test]
fn migration_finds_a_difference_between_copy_and_original() -> Result<()> {
    let Some(server) = postgres_or_skip() else { return Ok(()) };
    test(find_a_difference(server))
}
