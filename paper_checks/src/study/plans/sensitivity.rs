//! One hyper-parameter at a time, over the ranges the paper searched (b 1–10, k 3–25, 2–6 layers,
//! q 0.2–0.8), around the printed setting; and the scale of the noise, which it did not vary.

use super::{Arm, Setting};
use crate::checks::Scale;
use crate::study::{Cell, Fit};
use ebmbook::data::Protocol;
use ebmbook::ebm::{EbmParams, Objective};

pub(super) fn plan(scale: Scale) -> Vec<Cell> {
    let (at, runs): (&[(&str, usize)], _) = match scale {
        Scale::Full => (&[("synthetic-d100", 500), ("synthetic-d100", 1500), ("twins", 1500)], 8),
        Scale::Quick => (&[("synthetic-d100", 500)], 6),
    };
    let fits = [Fit::new("t", "kernel-ridge"), Fit::new("r", "kernel-ridge")];
    let mut cells = Vec::new();
    // Representations are standardised (the text), on the authors' data where digits are known.
    let protocol = Protocol::Released;
    for setting in Setting::all().iter().filter(|s| at.contains(&(s.block.as_str(), s.n))) {
        for (name, params) in variants(setting) {
            let arm = Arm::trained(&name, params, Protocol::Paper);
            cells.extend(
                (0..runs).map(|r| arm.cell("sensitivity", setting, setting.data(protocol), &fits, r)),
            );
        }
    }
    cells
}

/// `b 3`, `k 10`, …: the printed setting with one thing changed.
fn variants(setting: &Setting) -> Vec<(String, EbmParams)> {
    let base = || setting.ebm(Protocol::Paper, Objective::Pairwise);
    let at = |k: usize| {
        // k is part of the parameters from the start; the rest is the printed setting.
        setting.ebm_with_k(k)
    };
    let mut all = Vec::new();
    all.extend([1, 3, 5, 10].map(|b| (format!("b {b}"), base().copies(b))));
    all.extend([3, 5, 10, 15, 25].map(|k| (format!("k {k}"), at(k))));
    all.extend([2, 3, 4, 6].map(|layers| (format!("layers {layers}"), base().hidden(&vec![20; layers]))));
    all.extend([0.2, 0.35, 0.5, 0.65, 0.8].map(|q| (format!("q {q}"), base().corruption(q))));
    all.extend([0.1, 0.3, 1.0].map(|sd| (format!("noise {sd}"), base().noise_sd(sd))));
    all
}
