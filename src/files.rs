//! Files are written whole or not at all: to a temporary name in the same folder, synced, and
//! renamed. A killed program leaves the old file or the new one, never half of either.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// A file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {reason}", path.display())]
pub struct FileError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// What the operating system said.
    pub reason: io::Error,
}

/// Creates the parent folder if needed, lets `fill` write, and moves the result into place.
///
/// ```
/// let dir = tempfile::tempdir()?;
/// let path = dir.path().join("new/folder/answer.txt");
/// ebmbook::files::write_atomically(&path, |w| write!(w, "42"))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "42");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    try_write(path, fill).map_err(|reason| FileError { path: path.to_owned(), reason })
}

fn try_write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if let Some(file) = folder.ancestors().find(|a| a.is_file()) {
        return Err(io::Error::other(format!("`{}` is a file, not a folder", file.display())));
    }
    std::fs::create_dir_all(folder)?;
    let mut writer = BufWriter::with_capacity(1 << 16, tempfile::NamedTempFile::new_in(folder)?);
    fill(&mut writer)?;
    let file = writer.into_inner().map_err(|e| e.into_error())?;
    file.as_file().sync_all()?;
    // A temporary file is private to its owner; a result is not.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path).map(drop).map_err(|e| e.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("kept.txt");
        write_atomically(&path, |w| write!(w, "old")).unwrap();
        let error = write_atomically(&path, |w| {
            write!(w, "half of the n")?;
            Err(io::Error::other("power cut"))
        })
        .unwrap_err();
        assert!(error.to_string().contains("power cut"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
