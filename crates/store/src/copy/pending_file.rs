//! A file that gets its name only when it is complete.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempDir, TempPath};

use super::CopyError;

/// A file that only its owner can read, in its own temporary folder, on the same disk as its target. Unless it is
/// published, it is deleted, with all files that SQLite puts next to it.
pub(super) struct PendingFile {
    file: TempPath,
    folder: TempDir,
    target: PathBuf,
}

impl PendingFile {
    /// Makes an empty file for a target that does not exist yet.
    pub(super) fn new(target: &Path) -> Result<Self, CopyError> {
        if target.symlink_metadata().is_ok() {
            return Err(CopyError::Exists(target.to_owned()));
        }
        let parent = parent(target);
        let folder = Builder::new().prefix(".sultan-copy-").tempdir_in(parent);
        let folder = folder.map_err(|error| match error.kind() {
            ErrorKind::NotFound => CopyError::NoFolder(parent.to_owned()),
            // The user does not know the name of the temporary folder, so the error names its parent.
            kind => CopyError::file(parent)(kind.into()),
        })?;
        // Only its owner can read it, as with all temporary files.
        let file = Builder::new().prefix("copy.db").rand_bytes(0).tempfile_in(&folder);
        let file = file.map_err(CopyError::file(folder.path()))?.into_temp_path();
        Ok(Self { file, folder, target: target.to_owned() })
    }

    pub(super) fn path(&self) -> &Path {
        &self.file
    }

    /// Flushes the file to disk, and gives it its name, if no file has that name yet.
    pub(super) fn publish(self) -> Result<(), CopyError> {
        // Closing a SQLite file does not report write errors.
        for log in ["copy.db-wal", "copy.db-journal"].map(|name| self.folder.path().join(name)) {
            if log.exists() {
                return Err(CopyError::file(&log)(Error::other("a part of the copy is not in its file")));
            }
        }
        let target = &self.target;
        File::open(&self.file).and_then(|file| file.sync_all()).map_err(CopyError::file(&self.file))?;
        self.file.persist_noclobber(target).map_err(|error| match error.error.kind() {
            ErrorKind::AlreadyExists => CopyError::Exists(target.clone()),
            _ => CopyError::file(target)(error.error),
        })?;
        // On other systems a folder cannot be opened, and its entries need no flush.
        #[cfg(unix)]
        File::open(parent(target)).and_then(|folder| folder.sync_all()).map_err(CopyError::file(target))?;
        Ok(())
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| parent.as_os_str() != OsStr::new("")).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_gets_its_name_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("x.db");
        let entries = || std::fs::read_dir(folder.path()).unwrap().count();
        drop(PendingFile::new(&target).unwrap());
        assert_eq!(entries(), 0, "an unpublished file is deleted");
        let (first, second) = (PendingFile::new(&target).unwrap(), PendingFile::new(&target).unwrap());
        std::fs::write(first.path(), "first").unwrap();
        let incomplete = PendingFile::new(&target).unwrap();
        std::fs::write(incomplete.path().with_extension("db-wal"), "rest").unwrap();
        assert!(matches!(incomplete.publish(), Err(CopyError::File { .. })), "a part of the database is in its log");
        first.publish().unwrap();
        assert!(matches!(second.publish(), Err(CopyError::Exists(_))), "another file has the name");
        assert!(matches!(PendingFile::new(&target), Err(CopyError::Exists(_))));
        assert_eq!((entries(), &std::fs::read(&target).unwrap()[..]), (1, &b"first"[..]));
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&target.metadata().unwrap().permissions());
            assert_eq!(mode & 0o777, 0o600);
        }
        let error = |path: &str| PendingFile::new(&folder.path().join(path)).err().unwrap().to_string();
        let none = folder.path().join("none");
        assert_eq!(error("none/x.db"), format!("folder {} not found", none.display()));
        assert!(!error("x.db/y.db").contains(".sultan-copy-"), "{}", error("x.db/y.db"));
    }
}
