//! One story, told to every database: SQLite always, Postgres wherever it is installed.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial, run};
use sultan_testkit::store_story::{Part, parts, parts_for_nodes};
use sultan_testkit::{Backend, on_postgres};

fn tell(part: Part, backend: Backend) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(part(Arc::new(backend)));
    Ok(())
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (name, part) in parts() {
        trials.push(Trial::test(format!("sqlite::{name}"), move || tell(part, Backend::sqlite())));
        trials.push(on_postgres(name, move |server| tell(part, Backend::postgres(server))));
    }
    for (name, part) in parts_for_nodes() {
        trials.push(on_postgres(name, move |server| tell(part, Backend::postgres(server))));
    }
    run(&arguments, trials).exit_code()
}
