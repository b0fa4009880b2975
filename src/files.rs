//! Files are written whole or not at all: to a temporary name in the same folder, synced, and
//! renamed. A killed program leaves the old file or the new one, never half of either.
//!
//! Many programs may write to one folder, also from several machines. A temporary name says which process writes it, so
//! that what a killed one left can be cleared away and nothing else is.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::LazyLock,
    time::Duration,
};

/// How the names of files that are being written begin.
const TEMPORARY: &str = ".tmp-";
/// Writing a file never takes as long.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 3600);

/// Which running kernel and process namespace this is, in hexadecimal; the same for all processes that see each other.
/// Where the system does not tell, nothing.
static MACHINE: LazyLock<String> = LazyLock::new(|| {
    let boot = std::fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let processes = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    if boot.is_empty() {
        return String::new();
    }
    blake3::hash(&[&boot, processes.as_os_str().as_encoded_bytes()].concat()).to_hex()[..12].to_owned()
});

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
    let mut writer = BufWriter::with_capacity(1 << 16, temporary(folder)?);
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

/// A file in a folder with a name that says which process writes it; dropped, it is gone.
pub fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let prefix = format!("{TEMPORARY}{}-{}-", *MACHINE, std::process::id());
    tempfile::Builder::new().prefix(&prefix).tempfile_in(folder)
}

/// Removes what killed programs left half-written in a folder and below it. Files of a process that may still write
/// them stay.
pub fn clear_abandoned(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            clear_abandoned(&entry.path());
        } else if is_abandoned(&entry) {
            // If it cannot be removed it does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn is_abandoned(entry: &std::fs::DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy().into_owned();
    let Some(writer) = name.strip_prefix(TEMPORARY) else { return false };
    let mut parts = writer.split('-');
    let here = parts.next().is_some_and(|machine| !machine.is_empty() && machine == *MACHINE);
    let gone = |pid: &str| !Path::new("/proc").join(pid).exists();
    let old = || entry.metadata()?.modified()?.elapsed().map_err(io::Error::other);
    (here && parts.next().is_some_and(gone)) || old().is_ok_and(|age| age > ABANDONED_AFTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_dead_process_left_is_cleared_away_and_what_a_living_one_or_another_machine_writes_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let below = dir.path().join("below");
        std::fs::create_dir(&below).unwrap();
        let name = |machine: &str, pid: u32| below.join(format!("{TEMPORARY}{machine}-{pid}-a1b2c3"));
        // No process has a number beyond the kernel's limit of 2^22.
        let (dead, living) = (name(&MACHINE, 1 << 23), name(&MACHINE, std::process::id()));
        let (elsewhere, forgotten) = (name("0123456789ab", 1 << 23), name("0123456789ab", 7));
        for path in [&dead, &living, &elsewhere, &forgotten] {
            std::fs::write(path, "half").unwrap();
        }
        let long_ago = std::time::SystemTime::now() - 2 * ABANDONED_AFTER;
        std::fs::File::options().write(true).open(&forgotten).unwrap().set_modified(long_ago).unwrap();
        clear_abandoned(dir.path());
        let there = [dead, living, elsewhere, forgotten].map(|path| path.exists());
        assert_eq!(there, [false, true, true, false]);
    }

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
