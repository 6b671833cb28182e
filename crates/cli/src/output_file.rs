//! Files that a command writes at its end. They are opened before the work, which may take long, to fail early;
//! existing contents stay until the new contents are ready.

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
    /// Whether the file was created by `open` and is still empty.
    empty: bool,
}

impl OutputFile {
    /// Opens or creates a file without changing its contents.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let new = OpenOptions::new().write(true).create_new(true).open(path);
        let (file, empty) = match new {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                (OpenOptions::new().write(true).create(true).truncate(false).open(path), false)
            }
            new => (new, true),
        };
        let file = file.with_context(|| path.display().to_string())?;
        Ok(Self { path: path.to_owned(), file, empty })
    }

    /// Replaces the contents of the file.
    pub(crate) fn write(mut self, contents: &[u8]) -> anyhow::Result<()> {
        self.empty = false;
        let is_file = self.file.metadata().is_ok_and(|about| about.is_file());
        // A device or a pipe has no length.
        let cut = if is_file { self.file.set_len(0) } else { Ok(()) };
        cut.and_then(|()| self.file.write_all(contents)).with_context(|| self.path.display().to_string())
    }
}

/// Removes the file if it was created for work that failed.
impl Drop for OutputFile {
    fn drop(&mut self) {
        if self.empty {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Exits with an error if an option names `-` or if two options name the same file. `read` is the input file, which
/// must not be overwritten either.
pub(crate) fn check(command: &str, read: Option<&Path>, options: &[(&str, Option<&Path>)]) {
    let mut named: Vec<(&str, PathBuf)> = read.map(|path| ("FILE", canonical(path))).into_iter().collect();
    for (option, path) in options {
        let Some(path) = path else { continue };
        if path.as_os_str() == "-" {
            let message = format!("{option} needs a file: standard output is for the results");
            wrong_usage(command, ErrorKind::InvalidValue, &message);
        }
        let path = canonical(path);
        // Devices such as /dev/null may be named twice: they keep no contents.
        let same = named.iter().find(|(_, other)| *other == path && (path.is_file() || !path.exists()));
        if let Some((other, _)) = same {
            let message = format!("{other} and {option} need a file each, but name the same one");
            wrong_usage(command, ErrorKind::ArgumentConflict, &message);
        }
        named.push((option, path));
    }
}

/// The canonical path of a file, even if the file does not exist yet.
fn canonical(path: &Path) -> PathBuf {
    let folder = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let if_new = || Some(folder?.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(if_new).unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_file_stays_until_the_new_file_is_complete() {
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
