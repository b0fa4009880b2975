//! Replicates of the NPCI package, which the authors used for IHDP. They do not ship. If you have them,
//! set `EBMBOOK_NPCI` to their folder, with the files `ihdp_npci_1.csv` to `ihdp_npci_10.csv`.

use super::StudyError;
use ebmbook::data::manifest::sha256_hex;
use ebmbook::data::{Dataset, ihdp::read_npci};
use std::path::PathBuf;

/// The variable that names the folder.
const FOLDER: &str = "EBMBOOK_NPCI";

/// sha256 of the ten replicates as the CEVAE benchmark distributes them: values from other files must not be
/// taken for theirs.
const SHA256: [&str; 10] = [
    "2bdc8b94fdf2f669b1d3d49325fd9359d88418566545003867841312a1653411",
    "36db2f3d002250bc95e5214477718c939fbe7dfe8df573c4050d8b246d314042",
    "bd792ce0642468195b2c3f0cd4c521378d7d52d044f153e844d151a87e067518",
    "ac04602a2f052af1211347bcaff87f7bab356a4a7f42f8c6a81edede51549006",
    "8f9b3ef4b66e8f9dd240c9851233f4fb483c73c25b6d23c6459c666edb9cd691",
    "e05192794201c8a8fe1e4a88f12d3367d3d6b568eadb46365557661bff00712e",
    "246684bfc9e1258e5bdc59c3d1c13c0694a331d1f13026ff79f6c4605e6d3678",
    "6e88b890ee4ed6274b8ea4285500dd0865ab71e17010ee505f7e2a2d507c4511",
    "fe959d86a37be9278ef195fbf139b2b8af1b8246b3518208cd00b295d906a98f",
    "b9bce7e081f245b7689a3c2b5e4ed37162dca8cd596e0998b73ddc0ac92a4919",
];

/// Whether somebody named a folder.
pub fn at_hand() -> bool {
    std::env::var_os(FOLDER).is_some()
}

/// The hash of a replicate, which is known without the file.
pub(super) fn sha256(replicate: u32) -> &'static str {
    replicate.checked_sub(1).and_then(|i| SHA256.get(i as usize)).unwrap_or(&"no such replicate")
}

/// Reads a replicate and makes sure that it is the one meant.
pub(super) fn load(replicate: u32) -> Result<Dataset, StudyError> {
    let problem = |reason: String| StudyError::Npci { replicate, reason };
    let folder = std::env::var_os(FOLDER)
        .ok_or_else(|| problem(format!("{FOLDER} must name the folder of the files, it is not set")))?;
    let path = PathBuf::from(folder).join(format!("ihdp_npci_{replicate}.csv"));
    let bytes =
        std::fs::read(&path).map_err(|e| problem(format!("cannot read `{}`: {e}", path.display())))?;
    let found = sha256_hex(&bytes);
    if found != sha256(replicate) {
        return Err(problem(format!(
            "sha256 of `{}` must be {}, got {found}",
            path.display(),
            sha256(replicate)
        )));
    }
    Ok(read_npci(&path)?)
}
