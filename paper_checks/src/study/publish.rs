//! Writes the results of a study for people: cells, circumstances, tables and figures.

use super::summary::summary;
use super::{Published, Results, Store, Study, StudyError, pictures, table};
use crate::checks::Scale;
use ebmbook::files::write_atomically;
use std::path::Path;

/// The files of a study that follow from its cells, by name.
pub fn files(study: &Study, results: &Results) -> Vec<(String, String)> {
    let rows = table::rows(study.name, results);
    let mut files = vec![
        ("table.csv".to_owned(), table::csv(&rows)),
        ("table.md".to_owned(), table::markdown(study.about, &rows)),
    ];
    for (name, figure) in pictures::figures(study.name, results) {
        files.push((format!("{name}.svg"), figure.svg() + "\n"));
    }
    files
}

/// Writes the cells of a study in `store` and all that follows from them to `folder/STUDY/`.
pub fn publish(study: &Study, scale: Scale, store: &Store, folder: &Path) -> Result<usize, StudyError> {
    let cells = study.cells(scale);
    Published::write(&cells, store, folder, study.name)?;
    let results = Results::from_published(cells, &Published::load(folder, study.name)?)?;
    let files = files(study, &results);
    for (name, content) in &files {
        write_text(&folder.join(study.name).join(name), content)?;
    }
    Ok(results.len())
}

/// Writes the page `SUMMARY.md` of a folder of full-scale results.
pub fn write_summary(folder: &Path) -> Result<(), StudyError> {
    let text = summary(folder)?;
    write_text(&folder.join("SUMMARY.md"), &text)
}

fn write_text(path: &Path, content: &str) -> Result<(), StudyError> {
    write_atomically(path, |w| w.write_all(content.as_bytes()))?;
    Ok(())
}
