//! Writes the results of a study for people: cells, circumstances, tables and figures.

use super::{Published, Results, Scale, Store, Study, StudyError, pictures, table};
use ebmbook::files::write_atomically;
use std::path::Path;

/// The study with the printed column that was chosen by its test error.
const CHOSEN: &str = "table1";
/// The study that says what choosing is worth.
const SELECTION: &str = "selection";

/// The files of a study that follow from its cells, by name, and from what is published in the same folder: the
/// ten best runs of the study `selection` stand in Table 1, too.
pub fn files(
    study: &Study,
    scale: Scale,
    results: &Results,
    folder: &Path,
) -> Result<Vec<(String, String)>, StudyError> {
    let mut rows = table::rows(study.name, results);
    if study.name == CHOSEN
        && let Some(selection) = published(SELECTION, scale, folder)?
    {
        rows = table::with_ten_best(rows, &table::rows(SELECTION, &selection));
    }
    let mut files = vec![
        ("table.csv".to_owned(), table::csv(&rows)),
        ("table.md".to_owned(), table::markdown(study.about, &rows)),
    ];
    for (name, figure) in pictures::figures(study.name, results) {
        files.push((format!("{name}.svg"), figure.svg() + "\n"));
    }
    Ok(files)
}

/// Results in a folder, if all cells of the study at this scale are there.
fn published(study: &str, scale: Scale, folder: &Path) -> Result<Option<Results>, StudyError> {
    if !Published::path(folder, study).is_file() {
        return Ok(None);
    }
    let published = Published::load(folder, study)?;
    Ok(Results::from_published(Study::find(study)?.cells(scale), &published).ok())
}

/// Writes the cells of a study in `store` and all that follows from them to `folder/STUDY/`.
pub fn publish(study: &Study, scale: Scale, store: &Store, folder: &Path) -> Result<usize, StudyError> {
    let cells = study.cells(scale);
    Published::write(&cells, store, folder, study.name)?;
    let results = Results::from_published(cells, &Published::load(folder, study.name)?)?;
    write_files(study, scale, &results, folder)?;
    if study.name == SELECTION
        && let Some(results) = published(CHOSEN, scale, folder)?
    {
        write_files(&Study::find(CHOSEN)?, scale, &results, folder)?;
    }
    Ok(results.len())
}

fn write_files(study: &Study, scale: Scale, results: &Results, folder: &Path) -> Result<(), StudyError> {
    let to = folder.join(study.name);
    let files = files(study, scale, results, folder)?;
    files.iter().try_for_each(|(name, content)| write_text(&to.join(name), content))
}

/// Writes a text file, whole or not at all.
pub fn write_text(path: &Path, content: &str) -> Result<(), StudyError> {
    write_atomically(path, |w| w.write_all(content.as_bytes()))?;
    Ok(())
}
