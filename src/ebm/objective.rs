//! The objectives. In: the energies of a group of candidates. Out: the loss of the group and its
//! gradient.
//!
//! A group is `v_0 = x_i` and b corrupted copies `v_1 … v_b`, with energies `e_a = β_jᵀ f_θ(v_a)`
//! and, where the objective uses them, log-weights
//!
//! ```text
//! w_a = Σ_{a'≠a} log p̃(v_{a'} | v_a)
//! ```
//!
//! A constant added to all energies of a group changes nothing: the partition function cancels.

use strum::{Display, EnumIter, EnumString, VariantNames};

/// What training minimises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[derive(Display, EnumIter, EnumString, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = super::EbmError, parse_err_fn = unknown)]
pub enum Objective {
    /// The paper's posterior, Equation (6), and objective, Equation (7): which of the b + 1 candidates
    /// is the original?
    ///
    /// ```text
    /// loss = −log softmax_a(−e_a + w_a)[0]
    /// ```
    ///
    /// For continuous features with q < 1 and b ≥ 2 it is not consistent, and from about ten
    /// features on the weights alone answer the question, so that nothing is left to learn.
    Ranking,
    /// `Ranking` with weight −∞ for candidates that cannot be the original because of the atom of
    /// the continuous kernel. Consistent for every b.
    RankingExact,
    /// Conditional noise contrast (Ceylan & Gutmann 2018): original against one copy at a time.
    /// The kernel is symmetric, so its terms cancel. Equal to `Ranking` at b = 1.
    ///
    /// ```text
    /// loss = b⁻¹ Σ_{a≥1} log(1 + exp(e_0 − e_a))
    /// ```
    #[default]
    Pairwise,
    /// softmax over −e_a with no kernel terms. Not consistent for b > 1; it shows what the kernel
    /// terms do.
    EnergyOnly,
    /// What the authors' public program minimises, with scores s = +βᵀf (each candidate with the
    /// β of its own cluster) and its own weights for the copies:
    ///
    /// ```text
    /// loss = −[s_0 − log(exp s_0 + Σ_{a≥1} exp(s_a)/p̃_a)]
    /// ```
    ReleasedProgram,
}

fn unknown(text: &str) -> super::EbmError {
    let rule = "must be `ranking`, `ranking-exact`, `pairwise`, `energy-only` or `released-program`";
    super::EbmError::parameter("objective", text, rule)
}

impl Objective {
    /// Whether the objective uses log-weights.
    pub fn is_weighted(self) -> bool {
        matches!(self, Self::Ranking | Self::RankingExact | Self::ReleasedProgram)
    }

    /// The loss of one group; `log_weights` is empty or has one number for each candidate.
    ///
    /// ```
    /// use ebmbook::ebm::Objective;
    /// // Equal energies and one copy: a coin flip.
    /// assert_eq!(Objective::Pairwise.loss(&[3.0, 3.0], &[]), 2.0_f64.ln());
    /// // Energies far apart stay finite.
    /// assert_eq!(Objective::EnergyOnly.loss(&[1e4, -1e4], &[]), 2e4);
    /// ```
    pub fn loss(self, energies: &[f64], log_weights: &[f64]) -> f64 {
        self.loss_and_gradient(energies, log_weights, &mut vec![0.0; energies.len()])
    }

    /// The loss of one group; ∂loss/∂e_a is written to `gradient`.
    ///
    /// # Panics
    /// If there are fewer than two candidates, or weights for some of them only.
    pub fn loss_and_gradient(self, energies: &[f64], log_weights: &[f64], gradient: &mut [f64]) -> f64 {
        assert!(energies.len() >= 2, "a group is an original and at least one copy");
        match self {
            Self::Pairwise => pairwise(energies, gradient),
            Self::ReleasedProgram => softmax(1.0, energies, log_weights, gradient),
            Self::EnergyOnly => softmax(-1.0, energies, &[], gradient),
            Self::Ranking | Self::RankingExact => softmax(-1.0, energies, log_weights, gradient),
        }
    }
}

/// b⁻¹ Σ softplus(e_0 − e_a)
fn pairwise(energies: &[f64], gradient: &mut [f64]) -> f64 {
    let (original, copies) = energies.split_first().expect("checked");
    let share = 1.0 / copies.len() as f64;
    let mut loss = 0.0;
    let mut of_original = 0.0;
    for (energy, slot) in copies.iter().zip(&mut gradient[1..]) {
        let difference = original - energy;
        // softplus(t) = max(t, 0) + log(1 + e^{−|t|}), finite for every finite t
        let small = (-difference.abs()).exp();
        loss += share * (difference.max(0.0) + small.ln_1p());
        // softplus′ = σ(t)
        let sigma = if difference >= 0.0 { 1.0 / (1.0 + small) } else { small / (1.0 + small) };
        of_original += share * sigma;
        *slot = -share * sigma;
    }
    gradient[0] = of_original;
    loss
}

/// Equation (7) for one group: −log q(0 | V) with the posterior of Equation (6),
/// q(a | V) = softmax_a(sign·e_a + w_a).
fn softmax(sign: f64, energies: &[f64], log_weights: &[f64], gradient: &mut [f64]) -> f64 {
    assert!(log_weights.is_empty() || log_weights.len() == energies.len(), "a weight for each candidate");
    let weight = |a: usize| if log_weights.is_empty() { 0.0 } else { log_weights[a] };
    let score = |a: usize| sign * energies[a] + weight(a);
    let first = score(0);
    let highest = (1..energies.len()).map(score).fold(first, f64::max);
    // The rivals' share, summed apart from the original's own term: when the original wins by far,
    // 1 − posterior is this sum, which the difference of two rounded numbers would lose.
    let mut rivals = 0.0;
    for a in 1..energies.len() {
        gradient[a] = (score(a) - highest).exp();
        rivals += gradient[a];
    }
    let own = (first - highest).exp();
    let total = own + rivals;
    // ∂loss/∂s_a = posterior_a − 1{a = 0}
    gradient[1..].iter_mut().for_each(|g| *g *= sign / total);
    gradient[0] = -sign * rivals / total;
    // log Σ exp(s_a − s_0)
    if own == 1.0 { rivals.ln_1p() } else { highest - first + total.ln() }
}
