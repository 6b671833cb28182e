//! Reads records from a file or from standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use serde_json::value::RawValue;
use sultan_domain::{Record, RecordError};

/// One record of a file, valid or not.
pub(crate) struct Entry {
    /// The number of the record, counted from 1.
    pub(crate) number: usize,
    /// The name of the file and the number of the record, for error messages.
    pub(crate) location: String,
    /// The record, or the reason why it is invalid.
    pub(crate) record: Result<Record, RecordError>,
}

/// Calls `visit` for every record of a file. `-` is standard input. A file without records or with invalid JSON is an
/// error.
///
/// Records are streamed, one in memory at a time; each is a JSON object on one or several lines.
pub(crate) fn for_each(path: &Path, mut visit: impl FnMut(Entry) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let name = display_name(path);
    let reader: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).with_context(|| name.clone())?)
    };
    let mut reader = BufReader::new(reader);
    skip_byte_order_mark(&mut reader).with_context(|| name.clone())?;
    let mut number = 0;
    for text in serde_json::Deserializer::from_reader(reader).into_iter::<Box<RawValue>>() {
        number += 1;
        let location = format!("{name}: record {number}");
        let text = text.map_err(|error| match error.classify() {
            serde_json::error::Category::Io => anyhow!(error).context(name.clone()),
            serde_json::error::Category::Eof => anyhow!("{location}: it is cut off: {error}"),
            _ => anyhow!("{location}: not JSON: {error}"),
        })?;
        visit(Entry { number, location, record: Record::from_json(text.get()) })?;
    }
    if number == 0 {
        bail!("{name}: no record found");
    }
    Ok(())
}

/// The name of a file in messages.
pub(crate) fn display_name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() }
}

/// Skips a byte order mark, which some editors write at the start of a file.
fn skip_byte_order_mark(reader: &mut impl BufRead) -> io::Result<()> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let has_mark = reader.fill_buf()?.starts_with(MARK);
    reader.consume(if has_mark { MARK.len() } else { 0 });
    Ok(())
}
