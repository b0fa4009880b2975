//! Which figures of the studies stand with a claim: those that show what it says.

/// Study and name of the figure, by claim. A claim that is not here has none but its own.
pub(super) const FIGURES: [(&str, &[(&str, &str)]); 16] = [
    (
        "table1-ebm-helps",
        &[
            ("table1", "synthetic-growing-d-learners-kernel-ridge-released"),
            ("table1", "twins-learners-kernel-ridge-released"),
            // Here the untrained network and the constant column stand beside the EBM.
            ("table1", "synthetic-growing-d-r-kernel-ridge-released"),
        ],
    ),
    (
        "table1-printed-digits",
        &[
            ("table1", "synthetic-growing-d-t-kernel-ridge-released"),
            ("table1", "synthetic-growing-d-x-kernel-ridge-released"),
        ],
    ),
    (
        // The blocks in which n alone grows; on Twins over fresh cuts, as it is judged.
        "table1-gain-shrinks",
        &[
            ("table1", "synthetic-d100-learners-kernel-ridge-released"),
            ("seeds", "twins-t-kernel-ridge-released"),
            ("seeds", "twins-r-kernel-ridge-released"),
        ],
    ),
    (
        "table1-gaps-shrink",
        &[
            ("table1", "synthetic-d100-learners-kernel-ridge-released"),
            ("table1", "twins-learners-kernel-ridge-released"),
        ],
    ),
    (
        "table1-r-best",
        &[
            ("table1", "synthetic-growing-d-learners-kernel-ridge-released"),
            ("table1", "synthetic-d100-learners-kernel-ridge-released"),
        ],
    ),
    (
        "table2-ebm-beats-reductions",
        &[
            ("table2", "twins-r-kernel-ridge-released"),
            ("table-a1", "synthetic-d100-r-kernel-ridge-released"),
        ],
    ),
    (
        "regressor-agnostic",
        &[
            ("table1", "synthetic-d100-learners-kernel-ridge-released"),
            ("table-power", "synthetic-d100-learners-power-released"),
            ("table-polynomial", "synthetic-d100-learners-polynomial-released"),
            ("table-ridge", "synthetic-d100-learners-ridge-released"),
        ],
    ),
    ("ihdp", &[("ihdp", "ihdp-learners-kernel-ridge-paper"), ("ihdp", "ihdp-learners-ridge-paper")]),
    (
        "selection-on-test",
        &[
            ("selection", "synthetic-growing-d-r-kernel-ridge-released"),
            ("selection", "synthetic-d100-r-kernel-ridge-released"),
        ],
    ),
    (
        "seed-dependence",
        &[("seeds", "synthetic-d100-r-kernel-ridge-released"), ("seeds", "twins-r-kernel-ridge-released")],
    ),
    (
        "autoencoder-baseline",
        &[
            ("table-a1", "synthetic-growing-d-r-kernel-ridge-released"),
            ("table2", "twins-r-kernel-ridge-released"),
        ],
    ),
    ("fig3-cate-sd", &[("figure3-sd", "sd-of-effects-released"), ("figure3-sd", "sd-of-effects-paper")]),
    ("fig3-mcc", &[("figure3-mcc", "mcc-released"), ("figure3-mcc", "mcc-paper")]),
    ("splitting-variance", &[("splitting", "sd-of-effects-released")]),
    (
        "hyperparameters",
        &[
            ("sensitivity", "synthetic-d100-r-kernel-ridge-released"),
            ("sensitivity", "twins-r-kernel-ridge-released"),
        ],
    ),
    (
        "reduction-helps",
        &[
            ("fair-ladder", "synthetic-d100-t-ridge-released"),
            ("fair-ladder", "synthetic-d100-t-rbf-released"),
        ],
    ),
];

/// The figures of a claim.
pub(super) fn figures_of(claim: &str) -> &'static [(&'static str, &'static str)] {
    FIGURES.iter().find(|(id, _)| *id == claim).map_or(&[], |(_, figures)| *figures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::{EXPERIMENTS, Scale, studies_of};
    use crate::study::{Study, Task};
    use std::collections::BTreeSet;

    /// The names of the figures that the cells of a study give, without computing a value.
    fn names(study: &str, scale: Scale) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for cell in Study::find(study).unwrap().cells(scale) {
            let protocol = cell.protocol;
            if let Task::Effects(task) = &cell.task {
                for fit in &task.fits {
                    names.insert(format!("{}-{}-{}-{protocol}", cell.block, fit.learner, fit.regressor));
                    if task.fits.len() >= 4 {
                        names.insert(format!("{}-learners-{}-{protocol}", cell.block, fit.regressor));
                    }
                }
            } else {
                names.extend(["mcc", "sd-of-effects"].map(|value| format!("{value}-{protocol}")));
            }
        }
        names
    }

    #[test]
    fn every_figure_is_one_of_a_study_that_the_claim_rests_on() {
        for (claim, figures) in FIGURES {
            let mut quick = 0;
            for (study, name) in figures {
                assert!(studies_of(claim).contains(study), "{claim}: {study}");
                assert!(names(study, Scale::Full).contains(*name), "{claim}: {study} has no `{name}`");
                quick += usize::from(names(study, Scale::Quick).contains(*name));
            }
            assert!(quick > 0, "{claim} has no figure at quick scale");
        }
    }

    #[test]
    fn every_claim_about_the_experiments_has_figures_of_its_own() {
        let without = ["imbalance", "printed-consistency"];
        for (claim, _, _) in EXPERIMENTS {
            assert_eq!(figures_of(claim).is_empty(), without.contains(&claim), "{claim}");
        }
        let distinct: BTreeSet<_> = FIGURES.iter().map(|(_, figures)| figures).collect();
        assert_eq!(distinct.len(), FIGURES.len(), "no two claims show the same figures");
    }
}
