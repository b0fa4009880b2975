//! Numbers back into a file, without losing a bit.

use ndarray::ArrayView2;
use std::path::Path;

/// Writes a matrix with a header, each number in the shortest form that reads back to the same
/// bits. The file appears whole or not at all.
///
/// ```
/// let path = tempfile::tempdir()?.keep().join("out.csv");
/// ebmbook::data::csv::write(&path, &["a", "b"], ndarray::array![[0.1, 2.0]].view())?;
/// assert_eq!(std::fs::read_to_string(&path)?, "a,b\n0.1,2.0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    path: &Path,
    header: &[impl AsRef<str>],
    values: ArrayView2<f64>,
) -> Result<(), crate::files::FileError> {
    crate::files::write_atomically(path, |out| {
        let mut head = ::csv::Writer::from_writer(Vec::new());
        head.write_record(header.iter().map(AsRef::as_ref))?;
        out.write_all(&head.into_inner().map_err(|e| e.into_error())?)?;
        let mut number = ryu::Buffer::new();
        let mut line = Vec::with_capacity(values.ncols() * 20);
        for row in values.rows() {
            line.clear();
            for value in row {
                line.extend_from_slice(number.format(*value).as_bytes());
                line.push(b',');
            }
            line.pop();
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    })
}
