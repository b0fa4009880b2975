//! The loss of sixteen groups at a time; [`Objective`] has the equations for one.

use super::{LANES, Lanes, Objective, Real};
use crate::network::lanes::{exp, log_1p, sum};
use multiversion::multiversion;

/// Sixteen groups in a block.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub chunk: usize,
    /// Lanes that hold the originals of the block.
    pub chunks: usize,
    /// b + 1
    pub size: usize,
}

/// Room for one piece of work.
pub(super) struct Work<T> {
    k: usize,
    /// β of each group (or candidate), coordinate by coordinate.
    beta: Vec<Lanes<T>>,
    energies: Vec<Lanes<T>>,
    by_energy: Vec<Lanes<T>>,
}

impl<T: Real> Work<T> {
    pub fn new(size: usize, k: usize) -> Self {
        let zeros = vec![[T::of(0.0); LANES]; size];
        Self { k, beta: Vec::new(), energies: zeros.clone(), by_energy: zeros }
    }

    /// Takes over the direction of each group, or of `own` candidates of each.
    pub fn gather<'a>(&mut self, own: usize, groups: usize, direction: impl Fn(usize, usize) -> &'a [T])
    where
        T: 'a,
    {
        self.beta.clear();
        self.beta.resize(own * self.k, [T::of(0.0); LANES]);
        for (a, beta) in self.beta.chunks_exact_mut(self.k).enumerate() {
            for v in 0..groups {
                let direction = direction(a, v);
                for (beta, b) in beta.iter_mut().zip(direction) {
                    beta[v] = *b;
                }
            }
        }
    }
}

/// The loss of sixteen groups, each times its share; adds ∂loss/∂f to `gradient`.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+avx512dq+avx2+fma+bmi2", "x86_64+avx2+fma+bmi2"))]
pub(super) fn chunk<T: Real>(
    objective: Objective,
    at: Place,
    weights: &[Lanes<T>],
    shares: Lanes<T>,
    f: &[Lanes<T>],
    work: &mut Work<T>,
    gradient: &mut [Lanes<T>],
) -> f64 {
    let Work { k, beta, energies, by_energy } = work;
    let (k, all) = (*k, at.size * at.chunks);
    let of = |a: usize| if beta.len() > k { a * k } else { 0 };
    for a in 0..at.size {
        // e_a = β_jᵀ f(v_a)
        let mut energy = [T::of(0.0); LANES];
        for (i, beta) in beta[of(a)..of(a) + k].iter().enumerate() {
            let f = &f[i * all + a * at.chunks + at.chunk];
            for v in 0..LANES {
                energy[v] = beta[v].fused(f[v], energy[v]);
            }
        }
        energies[a] = energy;
    }
    let weight = |a: usize| weights.get(a * at.chunks + at.chunk);
    let loss = match objective {
        Objective::Pairwise => pairwise(energies, by_energy),
        Objective::EnergyOnly => softmax(T::of(-1.0), energies, |_| None, by_energy),
        Objective::Ranking | Objective::RankingExact => softmax(T::of(-1.0), energies, weight, by_energy),
        Objective::ReleasedProgram => softmax(T::of(1.0), energies, weight, by_energy),
    };
    for a in 0..at.size {
        let mut slope = by_energy[a];
        for v in 0..LANES {
            slope[v] *= shares[v];
        }
        for (i, beta) in beta[of(a)..of(a) + k].iter().enumerate() {
            // ∂loss/∂f(v_a) = ∂loss/∂e_a · β_j
            let slot = &mut gradient[i * all + a * at.chunks + at.chunk];
            for v in 0..LANES {
                slot[v] = slope[v].fused(beta[v], slot[v]);
            }
        }
    }
    let mut total = [T::of(0.0); LANES];
    for v in 0..LANES {
        total[v] = shares[v] * loss[v];
    }
    sum(total).wide()
}

/// b⁻¹ Σ softplus(e_0 − e_a)
#[inline(always)]
fn pairwise<T: Real>(energies: &[Lanes<T>], by_energy: &mut [Lanes<T>]) -> Lanes<T> {
    let (zero, one) = (T::of(0.0), T::of(1.0));
    let share = T::of(1.0 / (energies.len() - 1) as f64);
    let (mut loss, mut of_original) = ([zero; LANES], [zero; LANES]);
    for a in 1..energies.len() {
        for v in 0..LANES {
            let t = energies[0][v] - energies[a][v];
            let positive = t > zero;
            // softplus(t) = max(t, 0) + log(1 + e^{−|t|}), finite for every finite t
            let small = exp(if positive { -t } else { t });
            let part = if positive { t } else { zero } + log_1p(small);
            loss[v] = share.fused(part, loss[v]);
            // softplus′ = σ(t)
            let sigma = share * (if positive { one } else { small } / (one + small));
            of_original[v] += sigma;
            by_energy[a][v] = -sigma;
        }
    }
    by_energy[0] = of_original;
    loss
}

/// Equation (7) for each group: −log q(0 | V) with the posterior of Equation (6),
/// q(a | V) = softmax_a(sign·e_a + w_a).
#[inline(always)]
fn softmax<'a, T: Real>(
    sign: T,
    energies: &mut [Lanes<T>],
    weight: impl Fn(usize) -> Option<&'a Lanes<T>>,
    by_energy: &mut [Lanes<T>],
) -> Lanes<T> {
    let zero = T::of(0.0);
    let mut highest = [T::neg_infinity(); LANES];
    for a in 0..energies.len() {
        let weight = weight(a).copied().unwrap_or([zero; LANES]);
        for v in 0..LANES {
            // s_a
            let score = sign.fused(energies[a][v], weight[v]);
            energies[a][v] = score;
            highest[v] = if score > highest[v] { score } else { highest[v] };
        }
    }
    // The rivals' share, summed apart from the original's own term: when the original wins by far,
    // 1 − posterior is this sum, which the difference of two rounded numbers would lose.
    let mut rivals = [zero; LANES];
    for a in 1..energies.len() {
        for v in 0..LANES {
            let power = exp(energies[a][v] - highest[v]);
            by_energy[a][v] = power;
            rivals[v] += power;
        }
    }
    let mut loss = [zero; LANES];
    // log(1 + s) = 2ʳ log(1 + s′) with r square roots in a row, and s′ ≤ 1.
    let roots = (energies.len() as f64).log2().log2().ceil().max(0.0) as i32;
    for v in 0..LANES {
        let own = exp(energies[0][v] - highest[v]);
        let scale = sign / (own + rivals[v]);
        for a in 1..energies.len() {
            // ∂loss/∂s_a = posterior_a − 1{a = 0}
            by_energy[a][v] *= scale;
        }
        by_energy[0][v] = -scale * rivals[v];
        // log Σ exp(s_a − s_0) = max − s_0 + log(1 + s)
        let s = (own - T::of(1.0)) + rivals[v];
        let mut root = T::of(1.0) + s;
        for _ in 0..roots {
            root = root.sqrt();
        }
        let log =
            if s > T::of(1.0) { T::of(f64::from(1 << roots)) * log_1p(root - T::of(1.0)) } else { log_1p(s) };
        loss[v] = highest[v] - energies[0][v] + log;
    }
    loss
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use rand::Rng;
    use strum::IntoEnumIterator;

    #[test]
    fn sixteen_groups_have_the_losses_and_gradients_of_each_alone() {
        let mut rng = Seed::new(1).rng();
        for (objective, size) in Objective::iter().flat_map(|o| [2, 3, 6, 11].map(|size| (o, size))) {
            // k = 1 and β = 1, so that f is the energy.
            let mut work = Work::<f64>::new(size, 1);
            work.gather(1, LANES, |_, _| &[1.0]);
            let mut numbers = |scale: f64| -> Vec<Lanes<f64>> {
                (0..size).map(|_| std::array::from_fn(|_| rng.random_range(-scale..scale))).collect()
            };
            let (energies, mut weights) = (numbers(5.0), numbers(30.0));
            weights[0] = [0.0; LANES];
            weights[1][3] = f64::NEG_INFINITY;
            let mut gradient = vec![[0.0; LANES]; size];
            let at = Place { chunk: 0, chunks: 1, size };
            let used = if objective.is_weighted() { &weights[..] } else { &[] };
            let total = chunk(objective, at, used, [1.0; LANES], &energies, &mut work, &mut gradient);
            let mut expected = 0.0;
            for v in 0..LANES {
                let of = |lanes: &[Lanes<f64>]| lanes.iter().map(|l| l[v]).collect::<Vec<_>>();
                let mut slopes = vec![0.0; size];
                expected += objective.loss_and_gradient(&of(&energies), &of(used), &mut slopes);
                for (ours, right) in of(&gradient).iter().zip(&slopes) {
                    assert!(
                        (ours - right).abs() <= 1e-14 * (1.0 + right.abs()),
                        "{objective}: {ours} {right}"
                    );
                }
            }
            assert!((total - expected).abs() < 1e-13 * expected, "{objective}, {size}: {total} {expected}");
        }
    }
}
