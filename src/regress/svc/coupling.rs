//! The iteration that couples pairwise class probabilities (Wu, Lin and Weng 2004), for two
//! classes. Its limit is the given pair; libsvm stops it at a tolerance, so what comes out is
//! close to the pair and not equal to it. scikit-learn does not skip it, so neither do we.

const CLASSES: usize = 2;
const STEPS: usize = 100;
const TOLERANCE: f64 = 0.005 / CLASSES as f64;

/// The coupled probabilities of both classes from that of the first.
pub(super) fn couple(first: f64) -> [f64; CLASSES] {
    // Q_tt = Σ_{j≠t} r_jt²,  Q_tj = −r_jt·r_tj,  with r_01 = first and r_10 = 1 − first
    let (r01, r10) = (first, 1.0 - first);
    let q = [[r10 * r10, -r10 * r01], [-r01 * r10, r01 * r01]];
    let mut p = [0.5; CLASSES];
    for _ in 0..STEPS {
        let mut qp = [0, 1].map(|t: usize| q[t][0] * p[0] + q[t][1] * p[1]);
        let mut pqp = p[0] * qp[0] + p[1] * qp[1];
        if qp.iter().all(|v| (v - pqp).abs() < TOLERANCE) {
            break;
        }
        for t in 0..CLASSES {
            // p_t ← p_t + (pᵀQp − (Qp)_t)/Q_tt, then normalise
            let step = (pqp - qp[t]) / q[t][t];
            p[t] += step;
            pqp = (pqp + step * (step * q[t][t] + 2.0 * qp[t])) / (1.0 + step) / (1.0 + step);
            for j in 0..CLASSES {
                qp[j] = (qp[j] + step * q[t][j]) / (1.0 + step);
                p[j] /= 1.0 + step;
            }
        }
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coupled_probabilities_are_near_the_pair_sum_to_one_and_keep_the_order() {
        let mut last = 0.0;
        for i in 1..100 {
            let first = f64::from(i) / 100.0;
            let [p0, p1] = couple(first);
            assert!((p0 + p1 - 1.0).abs() < 1e-14);
            // Half a per cent: what stopping at 0.0025 can cost.
            assert!((p0 - first).abs() < 5e-3, "{first} {p0}");
            assert!(p0 >= last - 5e-3);
            last = p0;
        }
        assert_eq!(couple(0.5), [0.5, 0.5]);
    }
}
