//! The files that ship: what each is, where it came from, and whether it is still what it was.

use super::DataError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The name of the list inside the data folder.
pub const MANIFEST: &str = "MANIFEST.toml";

/// One shipped file and its provenance.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Short name, as in `ebmbook data describe NAME`.
    pub name: String,
    /// File name inside the data folder.
    pub path: String,
    /// Expected SHA-256, in hexadecimal.
    pub sha256: String,
    /// Rows below the header.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// What the file holds.
    pub content: String,
    /// Where it came from.
    pub source: String,
    /// Under which terms.
    pub licence: String,
    /// The command that makes it again.
    pub obtain: String,
}

/// The data folder with its list of files.
///
/// ```
/// use ebmbook::data::manifest::Manifest;
/// let manifest = Manifest::find()?;
/// assert_eq!(manifest.entry("ihdp")?.rows, 985);
/// let bytes = manifest.read("ihdp")?; // refuses a file whose hash differs
/// assert!(bytes.starts_with(b"treat,bw,b.head"));
/// # Ok::<(), ebmbook::data::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Manifest {
    folder: PathBuf,
    entries: Vec<Entry>,
    compiled_in: Vec<Entry>,
}

impl Manifest {
    /// The manifest of the data folder: `$EBMBOOK_DATA` if set, else `data` in the current
    /// folder, else the `data` beside the source this was built from.
    pub fn find() -> Result<Self, DataError> {
        if let Some(folder) = std::env::var_os("EBMBOOK_DATA") {
            return Self::load(Path::new(&folder));
        }
        let here = Path::new("data");
        if here.join(MANIFEST).is_file() {
            return Self::load(here);
        }
        Self::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data"))
    }

    /// The manifest of a given folder.
    pub fn load(folder: &Path) -> Result<Self, DataError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            file: Vec<Entry>,
            #[serde(default)]
            compiled_in: Vec<Entry>,
        }
        let path = folder.join(MANIFEST);
        let text = std::fs::read_to_string(&path).map_err(|e| DataError::unreadable(&path, e))?;
        let bad = |reason: String| DataError::BadManifest { path: path.clone(), reason };
        let file: File = toml::from_str(&text).map_err(|e| {
            let line = e.span().map_or(0, |s| text[..s.start].lines().count().max(1));
            bad(format!("line {line}: {}", e.message().lines().collect::<Vec<_>>().join("; ")))
        })?;
        for (i, entry) in file.file.iter().enumerate() {
            if file.file[..i].iter().any(|e| e.name == entry.name) {
                return Err(bad(format!("two files are called `{}`; names must differ", entry.name)));
            }
        }
        Ok(Self { folder: folder.to_owned(), entries: file.file, compiled_in: file.compiled_in })
    }

    /// The data folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The files that are read at run time, in the order of the manifest.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The files that are part of the library itself.
    pub fn compiled_in(&self) -> &[Entry] {
        &self.compiled_in
    }

    /// The file called `name`.
    pub fn entry(&self, name: &str) -> Result<&Entry, DataError> {
        self.entries.iter().find(|e| e.name == name).ok_or_else(|| {
            let known = self.entries.iter().map(|e| format!("`{}`", e.name)).collect::<Vec<_>>().join(", ");
            DataError::UnknownDataset { name: name.into(), known }
        })
    }

    /// Where the file called `name` is.
    pub fn path(&self, name: &str) -> Result<PathBuf, DataError> {
        Ok(self.folder.join(&self.entry(name)?.path))
    }

    /// The bytes of the file called `name`, if they are the ones the manifest promises.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, DataError> {
        let (entry, path) = (self.entry(name)?, self.path(name)?);
        let bytes = std::fs::read(&path).map_err(|e| DataError::unreadable(&path, e))?;
        let found = sha256_hex(&bytes);
        if found != entry.sha256 {
            return Err(DataError::HashMismatch { path, expected: entry.sha256.clone(), found });
        }
        Ok(bytes)
    }
}

/// The SHA-256 of some bytes, in lower-case hexadecimal.
///
/// ```
/// let empty = ebmbook::data::manifest::sha256_hex(b"");
/// assert!(empty.starts_with("e3b0c44298fc1c14"));
/// ```
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_changed_byte_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let manifest = Manifest::find().unwrap();
        std::fs::copy(manifest.folder.join(MANIFEST), dir.path().join(MANIFEST)).unwrap();
        let mut bytes = manifest.read("ihdp").unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(dir.path().join("ihdp_sim.csv"), bytes).unwrap();
        let error = Manifest::load(dir.path()).unwrap().read("ihdp").unwrap_err();
        assert!(matches!(error, DataError::HashMismatch { .. }), "{error}");
    }

    #[test]
    fn what_is_compiled_in_is_what_the_manifest_promises() {
        let manifest = Manifest::find().unwrap();
        let [directions] = manifest.compiled_in() else { panic!("one file") };
        assert_eq!(
            sha256_hex(include_bytes!("../../data/authors_directions.json")),
            directions.sha256,
            "{}",
            directions.path
        );
    }
}
