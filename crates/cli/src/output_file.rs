//! Files that a command writes at its end.
//!
//! A file is opened before the work, which may take long: if it cannot be written, the command fails at once. Existing
//! contents stay until the new contents are ready.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::error::ErrorKind;

use crate::args::wrong_usage;

/// A file that will be written.
pub(crate) struct OutputFile {
    path: PathBuf,
    file: File,
    /// Whether `open` created the file and nothing was written to it yet.
    is_new_and_empty: bool,
}

impl OutputFile {
    /// Opens or creates a file without changing its contents.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let created = File::create_new(path);
        let is_new_and_empty = created.is_ok();
        let file = match created {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                OpenOptions::new().write(true).create(true).truncate(false).open(path)
            }
            created => created,
        };
        let file = file.with_context(|| path.display().to_string())?;
        Ok(Self { path: path.to_owned(), file, is_new_and_empty })
    }

    /// Replaces the contents of the file.
    pub(crate) fn write(mut self, contents: &[u8]) -> anyhow::Result<()> {
        self.is_new_and_empty = false;
        let is_regular_file = self.file.metadata().is_ok_and(|metadata| metadata.is_file());
        // A device or a pipe has no length, so it cannot be truncated.
        let truncated = if is_regular_file { self.file.set_len(0) } else { Ok(()) };
        truncated.and_then(|()| self.file.write_all(contents)).with_context(|| self.path.display().to_string())
    }
}

/// Removes a file that `open` created if the work failed before `write`.
impl Drop for OutputFile {
    fn drop(&mut self) {
        if self.is_new_and_empty {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Exits with a usage error if an option names `-`, or if two options name the same file. `options` has the name of
/// each option and the path given with it. The input file must not be overwritten either.
pub(crate) fn check(command: &str, input: Option<&Path>, options: &[(&str, Option<&Path>)]) {
    let mut named_files: Vec<(&str, PathBuf)> = input.map(|path| ("FILE", canonical(path))).into_iter().collect();
    for &(option, path) in options {
        let Some(path) = path else { continue };
        if path.as_os_str() == "-" {
            let message = format!("{option} needs a file: standard output is for the results");
            wrong_usage(command, ErrorKind::InvalidValue, &message);
        }
        let path = canonical(path);
        // Devices such as /dev/null may be named twice: they keep no contents.
        let keeps_contents = path.is_file() || !path.exists();
        let same_file = named_files.iter().find(|(_, other_path)| *other_path == path && keeps_contents);
        if let Some((other_option, _)) = same_file {
            let message = format!("{other_option} and {option} need a file each, but name the same one");
            wrong_usage(command, ErrorKind::ArgumentConflict, &message);
        }
        named_files.push((option, path));
    }
}

/// The canonical path of a file, even if the file does not exist yet.
fn canonical(path: &Path) -> PathBuf {
    let folder = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let canonical_if_new = || Some(folder?.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(canonical_if_new).unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_stay_until_write_and_an_unwritten_new_file_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        std::fs::write(&old, "a long text").unwrap();
        for path in [&old, &new] {
            drop(OutputFile::open(path).unwrap());
        }
        assert_eq!((std::fs::read_to_string(&old).unwrap().as_str(), new.exists()), ("a long text", false));
        for path in [&old, &new] {
            OutputFile::open(path).unwrap().write(b"short").unwrap();
            assert_eq!(std::fs::read(path).unwrap(), b"short");
        }
        assert!(OutputFile::open(folder.path()).is_err() && OutputFile::open(&folder.path().join("no/file")).is_err());
    }
}
