//! A file that gets its name only when it is complete.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempDir, TempPath};

use super::CopyError;

/// A file in its own temporary folder next to its target. Only its owner can read it. Unless [`PendingFile::publish`]
/// succeeds, dropping it deletes the folder, with the file and all files that SQLite has put next to it.
pub(super) struct PendingFile {
    file: TempPath,
    folder: TempDir,
    target: PathBuf,
}

impl PendingFile {
    /// Creates an empty file for a target that does not exist yet.
    pub(super) fn new(target: &Path) -> Result<Self, CopyError> {
        // A symbolic link counts as existing, even if the file that it names is missing.
        if target.symlink_metadata().is_ok() {
            return Err(CopyError::Exists(target.to_owned()));
        }
        let parent = parent(target);
        let folder = Builder::new().prefix(".sultan-copy-").tempdir_in(parent);
        let folder = folder.map_err(|error| match error.kind() {
            ErrorKind::NotFound => CopyError::NoFolder(parent.to_owned()),
            // The user has not chosen the name of the temporary folder, so the error names its parent.
            kind => CopyError::file(parent)(kind.into()),
        })?;
        // `tempfile` creates files that only their owner can read. The name has no random part, because `publish` looks
        // for the log files, whose names begin with it.
        let file = Builder::new().prefix("copy.db").rand_bytes(0).tempfile_in(&folder);
        let file = file.map_err(CopyError::file(folder.path()))?.into_temp_path();
        Ok(Self { file, folder, target: target.to_owned() })
    }

    pub(super) fn path(&self) -> &Path {
        &self.file
    }

    /// Flushes the file to disk, and moves it to its target, unless a file exists there.
    pub(super) fn publish(self) -> Result<(), CopyError> {
        // Closing a SQLite database reports no write errors. But if closing fails, the log file of SQLite remains, with
        // a part of the data.
        for log in ["copy.db-wal", "copy.db-journal"].map(|name| self.folder.path().join(name)) {
            if log.exists() {
                return Err(CopyError::file(&log)(Error::other("SQLite has not written the whole copy into its file")));
            }
        }
        let target = &self.target;
        File::open(&self.file).and_then(|file| file.sync_all()).map_err(CopyError::file(&self.file))?;
        self.file.persist_noclobber(target).map_err(|error| match error.error.kind() {
            ErrorKind::AlreadyExists => CopyError::Exists(target.clone()),
            _ => CopyError::file(target)(error.error),
        })?;
        // Makes the new name durable. On systems other than Unix a folder cannot be opened, and its entries need no
        // flush.
        #[cfg(unix)]
        File::open(parent(target)).and_then(|folder| folder.sync_all()).map_err(CopyError::file(target))?;
        Ok(())
    }
}

/// The folder of a path: `.` for a plain file name.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| parent.as_os_str() != OsStr::new("")).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pending_file_gets_its_name_by_publish_and_never_replaces_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("x.db");
        let count_entries = || std::fs::read_dir(folder.path()).unwrap().count();
        drop(PendingFile::new(&target).unwrap());
        assert_eq!(count_entries(), 0, "an unpublished file is deleted");
        let (complete, late) = (PendingFile::new(&target).unwrap(), PendingFile::new(&target).unwrap());
        std::fs::write(complete.path(), "complete").unwrap();
        let incomplete = PendingFile::new(&target).unwrap();
        // As if SQLite had left its log file `copy.db-wal` next to the copy.
        std::fs::write(incomplete.path().with_extension("db-wal"), "rest").unwrap();
        let result = incomplete.publish();
        assert!(matches!(result, Err(CopyError::File { .. })), "a part of the database is in the log: {result:?}");
        complete.publish().unwrap();
        assert!(matches!(late.publish(), Err(CopyError::Exists(_))), "the target exists, and is not replaced");
        assert!(matches!(PendingFile::new(&target), Err(CopyError::Exists(_))));
        // No temporary folder is left.
        assert_eq!((count_entries(), &std::fs::read(&target).unwrap()[..]), (1, &b"complete"[..]));
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&target.metadata().unwrap().permissions());
            // Only the owner can read and write the file.
            assert_eq!(mode & 0o777, 0o600);
        }
        let error_for = |path: &str| PendingFile::new(&folder.path().join(path)).err().unwrap().to_string();
        let missing_folder = folder.path().join("none");
        assert_eq!(error_for("none/x.db"), format!("folder {} not found", missing_folder.display()));
        let file_as_folder = error_for("x.db/y.db");
        assert!(!file_as_folder.contains(".sultan-copy-"), "the error names the temporary folder: {file_as_folder}");
    }
}
