//! Reading records, one or many, from a file or from standard input.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::value::RawValue;
use sultan_domain::Record;

/// Hands every record of a file to `each`, with its number from 1. A file with none is refused.
///
/// Records are read one after the other, however many there are; each is a JSON object, on one line or on several.
pub(crate) fn for_each(path: &Path, mut each: impl FnMut(usize, Record) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let standard_input = path.as_os_str() == "-";
    let name = if standard_input { "standard input".to_owned() } else { path.display().to_string() };
    let reader: Box<dyn Read> = if standard_input {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).with_context(|| name.clone())?)
    };
    let texts = serde_json::Deserializer::from_reader(BufReader::new(reader)).into_iter::<Box<RawValue>>();
    let mut count = 0;
    for text in texts {
        count += 1;
        let place = || format!("{name}: record {count}");
        let text =
            text.map_err(|error| if error.is_io() { error.into() } else { not_json(&error) }).with_context(place)?;
        let record = Record::from_json(text.get()).with_context(place)?;
        each(count, record).with_context(place)?;
    }
    if count == 0 {
        bail!("{name}: there is no record in it");
    }
    Ok(())
}

fn not_json(error: &serde_json::Error) -> anyhow::Error {
    if error.is_eof() { anyhow::anyhow!("it is cut off: {error}") } else { anyhow::anyhow!("not JSON: {error}") }
}
