//! Treated share and overlap of every data set of the tables.

use super::{PROTOCOLS, Setting};
use crate::study::{Arm, Base, Cell, Overlap, Scale, Task};

pub(super) fn plan(_: Scale) -> Vec<Cell> {
    let cell = |setting: Setting, protocol| {
        let task = Task::Overlap(Overlap { data: setting.data(protocol) });
        Cell::new("imbalance", setting.block, Arm::of(Base::Data), 0, task)
    };
    PROTOCOLS.into_iter().flat_map(|p| Setting::all().into_iter().map(move |s| cell(s, p))).collect()
}
