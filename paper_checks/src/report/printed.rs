//! What the paper's own tables say on a claim, computed from the printed cells.

use crate::printed::{LearnerCell, Printed, consistency};

/// The printed counterpart of a claim's first value, where the tables have one.
///
/// ```
/// assert!(paper_checks::report::printed_number("table1-ebm-helps").unwrap().starts_with("mean gain"));
/// assert_eq!(paper_checks::report::printed_number("sufficiency"), None);
/// ```
pub fn printed_number(claim: &str) -> Option<String> {
    let printed = Printed::load();
    let table = |name: &str| -> Vec<(LearnerCell, LearnerCell)> {
        let cells: Vec<&LearnerCell> = printed.learners.iter().filter(|c| c.table == name).collect();
        let partner = |c: &LearnerCell| {
            cells.iter().find(|o| {
                (&o.dataset, o.d, o.n, &o.learner, o.with_ebm) == (&c.dataset, c.d, c.n, &c.learner, false)
            })
        };
        cells
            .iter()
            .filter(|c| c.with_ebm)
            .filter_map(|c| Some(((*c).clone(), (**partner(c)?).clone())))
            .collect()
    };
    let mean = |numbers: Vec<f64>| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let won = |pairs: &[(LearnerCell, LearnerCell)]| {
        let lower = pairs.iter().filter(|(with, without)| with.pehe_mean < without.pehe_mean).count();
        format!("{lower} of {} cells", pairs.len())
    };
    match claim {
        "table1-ebm-helps" | "seed-dependence" => {
            let pairs = table("main-table-1");
            let gain = mean(pairs.iter().map(|(with, without)| without.pehe_mean - with.pehe_mean).collect());
            Some(format!("mean gain {gain:.3}, {}", won(&pairs)))
        }
        "table1-r-best" => {
            let pairs = table("main-table-1");
            let level = |learner: &str| {
                mean(pairs.iter().filter(|(w, _)| w.learner == learner).map(|(w, _)| w.pehe_mean).collect())
            };
            Some(format!(
                "R {:.3}, T {:.3}, X {:.3}, DR {:.3}",
                level("R"),
                level("T"),
                level("X"),
                level("DR")
            ))
        }
        "table2-ebm-beats-reductions" => {
            let cells = &printed.reductions;
            let ebm = cells.iter().filter(|c| c.reduction == "EBM");
            let (mut lower, mut all) = (0, 0);
            for e in ebm {
                let row = |c: &&crate::printed::ReductionCell| {
                    (&c.table, &c.dataset, c.d, c.n) == (&e.table, &e.dataset, e.d, e.n)
                        && c.reduction != "EBM"
                };
                all += cells.iter().filter(row).count();
                lower += cells.iter().filter(row).filter(|c| e.pehe_mean < c.pehe_mean).count();
            }
            Some(format!("{lower} of {all} comparisons won"))
        }
        "regressor-agnostic" => {
            let tables = ["power-transform", "polynomial", "ridge"].map(|t| won(&table(t)));
            Some(format!("power {}, polynomial {}, ridge {}", tables[0], tables[1], tables[2]))
        }
        "ihdp" => {
            let pairs: Vec<_> =
                table("main-with-ihdp").into_iter().filter(|(w, _)| w.dataset == "ihdp").collect();
            Some(won(&pairs))
        }
        "printed-consistency" => {
            Some(format!("{} disagreements", consistency::disagreements(&printed).len()))
        }
        _ => None,
    }
}
