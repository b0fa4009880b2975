//! Treated share and overlap of every data set of the tables.

use super::Setting;
use crate::study::Scale;
use crate::study::{Cell, Overlap, Task};
use ebmbook::data::Protocol;

pub(super) fn plan(_: Scale) -> Vec<Cell> {
    let mut cells = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for setting in Setting::all() {
            let data = setting.data(protocol);
            cells.push(Cell {
                study: "imbalance".into(),
                block: setting.block.clone(),
                d: setting.d,
                n: setting.n,
                protocol,
                arm: "data".into(),
                replicate: 0,
                task: Task::Overlap(Overlap { data }),
            });
        }
    }
    cells
}
