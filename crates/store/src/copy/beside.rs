//! A file that comes to its name when it is whole, and not before.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use tempfile::{TempDir, TempPath};

use super::CopyError;

/// A private file in a folder of its own, on the same disk as where it shall be. Gone with all that SQLite puts beside it, unless it is
/// shown.
pub(super) struct Beside {
    folder: TempDir,
    target: PathBuf,
}

impl Beside {
    /// Makes an empty file for a target that is not there yet.
    pub(super) fn new(target: &Path) -> Result<Self, CopyError> {
        if target.symlink_metadata().is_ok() {
            return Err(CopyError::Exists(target.to_owned()));
        }
        let parent = parent(target);
        let folder = tempfile::Builder::new().prefix(".sultan-copy-").tempdir_in(parent);
        let folder = folder.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => CopyError::NoFolder(parent.to_owned()),
            // Nobody asked for the name that this one would have had.
            kind => CopyError::file(parent)(kind.into()),
        })?;
        let beside = Self { folder, target: target.to_owned() };
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(beside.path()).map_err(CopyError::file(&beside.path()))?;
        Ok(beside)
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("copy.db")
    }

    /// Waits until the disk has it, and gives it its name, if that is still free.
    pub(super) fn show(self) -> Result<(), CopyError> {
        let (path, target) = (self.path(), &self.target);
        // Closing a SQLite file does not say whether everything came into it.
        for rest in ["copy.db-wal", "copy.db-journal"].map(|name| self.folder.path().join(name)) {
            if rest.exists() {
                return Err(CopyError::file(&rest)(std::io::Error::other("a part of the copy is not in its file")));
            }
        }
        File::open(&path).and_then(|file| file.sync_all()).map_err(CopyError::file(&path))?;
        let file = TempPath::try_from_path(&path).map_err(CopyError::file(&path))?;
        let named = file.persist_noclobber(target);
        named.map_err(|error| match error.error.kind() {
            std::io::ErrorKind::AlreadyExists => CopyError::Exists(target.clone()),
            _ => CopyError::File { path: target.clone(), error: error.error },
        })?;
        // On some systems a folder cannot be opened; there its entries need no such care.
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
    fn a_file_has_its_name_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("x.db");
        let entries = || std::fs::read_dir(folder.path()).unwrap().count();
        drop(Beside::new(&target).unwrap());
        assert_eq!(entries(), 0, "what is not shown is gone");
        let (first, second) = (Beside::new(&target).unwrap(), Beside::new(&target).unwrap());
        std::fs::write(first.path(), "first").unwrap();
        let torn = Beside::new(&target).unwrap();
        std::fs::write(torn.path().with_extension("db-wal"), "rest").unwrap();
        assert!(matches!(torn.show(), Err(CopyError::File { .. })), "some of it is elsewhere");
        first.show().unwrap();
        assert!(matches!(second.show(), Err(CopyError::Exists(_))), "the name is taken meanwhile");
        assert!(matches!(Beside::new(&target), Err(CopyError::Exists(_))));
        assert_eq!((entries(), &std::fs::read(&target).unwrap()[..]), (1, &b"first"[..]));
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&target.metadata().unwrap().permissions());
            assert_eq!(mode & 0o777, 0o600);
        }
        let told = |path: &str| Beside::new(&folder.path().join(path)).err().unwrap().to_string();
        let none = folder.path().join("none");
        assert_eq!(told("none/x.db"), format!("there is no folder {}", none.display()));
        assert!(!told("x.db/y.db").contains(".sultan-copy-"), "{}", told("x.db/y.db"));
    }
}
