//! Verdicts: a pure function of measured values and stated tolerances.
//!
//! A check returns values; nothing in it knows what would be good news. A [`Criterion`] says what
//! the claim demands of one value, with a tolerance and its reason:
//!
//! ```text
//! at-most    value ≤ target + tolerance          at-least    value ≥ target − tolerance
//! ```
//!
//! A value with a standard error passes only if it does so by z_α standard errors (t_α where they rest
//! on few replicates), and breaks the
//! criterion only if it misses by as many; in between it is unclear. So a claim that is true is
//! called false with probability at most α, and the other way round.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// What the workbook says of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every demand is met.
    Holds,
    /// Not as stated, but in the weaker form that the caveat describes.
    HoldsWithCaveat,
    /// A demand is broken.
    Fails,
    /// The values do not decide it.
    Inconclusive,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Holds => "holds",
            Self::HoldsWithCaveat => "holds-with-caveat",
            Self::Fails => "fails",
            Self::Inconclusive => "inconclusive",
        })
    }
}

/// A measured number. Without a standard error it is exact up to rounding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// What it is, in words; criteria refer to it by this name.
    pub name: String,
    /// The number.
    pub estimate: f64,
    /// Its standard error, if it was estimated from random draws.
    pub se: Option<f64>,
    /// Degrees of freedom behind the standard error; none where there are very many.
    pub freedom: Option<f64>,
}

impl Value {
    /// A number without sampling error.
    pub fn exact(name: &str, estimate: f64) -> Self {
        Self { name: name.into(), estimate, se: None, freedom: None }
    }

    /// An estimate with its standard error.
    pub fn estimated(name: &str, estimate: f64, se: f64) -> Self {
        Self { name: name.into(), estimate, se: Some(se), freedom: None }
    }

    /// The same from few replicates: gates then use Student's t with these degrees of freedom.
    pub fn with_freedom(self, freedom: usize) -> Self {
        Self { freedom: Some(freedom as f64), ..self }
    }

    /// Two-sided 95 % interval: Student's t where the standard error rests on few replicates.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let half = self.se? * self.quantile(0.025);
        Some([self.estimate - half, self.estimate + half])
    }

    /// How many standard errors a gate of error rate α keeps clear of.
    fn quantile(&self, alpha: f64) -> f64 {
        match self.freedom {
            Some(freedom) => {
                StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |t| -t.inverse_cdf(alpha))
            }
            None => -Normal::standard().inverse_cdf(alpha),
        }
    }
}

/// Which way a value has to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// value ≤ target + tolerance
    AtMost,
    /// value ≥ target − tolerance
    AtLeast,
}

/// Whether a criterion is part of the claim as printed or of its weaker form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The claim as the paper states it.
    #[default]
    Stated,
    /// The weaker form under which it still holds.
    Repaired,
}

/// What a claim demands of one value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Name of the value.
    pub value: String,
    /// Direction.
    pub rule: Rule,
    /// The ideal.
    pub target: f64,
    /// How far from the ideal is still good enough.
    pub tolerance: f64,
    /// Why that far.
    pub reason: String,
    /// Error rate of the gate, for values with a standard error.
    #[serde(default = "default_alpha")]
    pub alpha: f64,
    /// Printed form or weaker form.
    #[serde(default)]
    pub scope: Scope,
}

/// One in a hundred thousand: thirty such gates stay below 1e-3.
fn default_alpha() -> f64 {
    1e-5
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judgement {
    Met,
    Broken,
    Unclear,
}

impl Criterion {
    fn judge(&self, values: &[Value], scale: f64) -> Judgement {
        let Some(value) = values.iter().find(|v| v.name == self.value) else { return Judgement::Unclear };
        if value.estimate.is_nan() {
            return Judgement::Broken;
        }
        // Distance beyond the bound: positive is bad.
        let excess = match self.rule {
            Rule::AtMost => value.estimate - (self.target + scale * self.tolerance),
            Rule::AtLeast => (self.target - scale * self.tolerance) - value.estimate,
        };
        let margin = value.se.map_or(0.0, |se| value.quantile(self.alpha) * se);
        if excess + margin <= 0.0 {
            Judgement::Met
        } else if excess - margin > 0.0 {
            Judgement::Broken
        } else {
            Judgement::Unclear
        }
    }
}

/// The verdict on these values, with every tolerance multiplied by `scale` (1 is the verdict; ½
/// and 2 say how much it depends on the tolerance).
///
/// ```
/// use paper_checks::verdict::{Criterion, Rule, Scope, Value, Verdict, verdict};
/// let criterion = Criterion {
///     value: "error".into(), rule: Rule::AtMost, target: 0.0, tolerance: 0.1,
///     reason: "an example".into(), alpha: 1e-5, scope: Scope::Stated,
/// };
/// let judge = |value| verdict(&[value], std::slice::from_ref(&criterion), 1.0);
/// assert_eq!(judge(Value::exact("error", 0.05)), Verdict::Holds);
/// assert_eq!(judge(Value::exact("error", 0.2)), Verdict::Fails);
/// assert_eq!(judge(Value::estimated("error", 0.05, 0.05)), Verdict::Inconclusive);
/// ```
pub fn verdict(values: &[Value], criteria: &[Criterion], scale: f64) -> Verdict {
    let judge = |scope: Scope| {
        let mut judgements = criteria.iter().filter(|c| c.scope == scope).map(|c| c.judge(values, scale));
        let all: Vec<Judgement> = judgements.by_ref().collect();
        if all.contains(&Judgement::Broken) {
            Some(Judgement::Broken)
        } else if all.contains(&Judgement::Unclear) {
            Some(Judgement::Unclear)
        } else if all.is_empty() {
            None
        } else {
            Some(Judgement::Met)
        }
    };
    match (judge(Scope::Stated), judge(Scope::Repaired)) {
        (Some(Judgement::Met), _) => Verdict::Holds,
        (Some(Judgement::Broken), Some(Judgement::Met)) => Verdict::HoldsWithCaveat,
        (Some(Judgement::Broken), Some(Judgement::Unclear)) => Verdict::Inconclusive,
        (Some(Judgement::Broken), _) => Verdict::Fails,
        (Some(Judgement::Unclear) | None, _) => Verdict::Inconclusive,
    }
}

/// Probability that chance alone breaks a true claim: the sum of α over its statistical gates.
pub fn false_alarm_rate(values: &[Value], criteria: &[Criterion]) -> f64 {
    let statistical = |c: &&Criterion| values.iter().any(|v| v.name == c.value && v.se.is_some());
    criteria.iter().filter(statistical).fold(0.0, |sum, c| sum + c.alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn criterion(value: &str, rule: Rule, target: f64, tolerance: f64, scope: Scope) -> Criterion {
        Criterion { value: value.into(), rule, target, tolerance, reason: "test".into(), alpha: 1e-5, scope }
    }

    #[test]
    fn a_broken_claim_with_a_repair_that_works_holds_with_a_caveat() {
        let criteria = [
            criterion("printed", Rule::AtMost, 0.0, 1e-12, Scope::Stated),
            criterion("mended", Rule::AtMost, 0.0, 1e-12, Scope::Repaired),
        ];
        let values = |printed, mended| [Value::exact("printed", printed), Value::exact("mended", mended)];
        assert_eq!(verdict(&values(0.0, 0.0), &criteria, 1.0), Verdict::Holds);
        assert_eq!(verdict(&values(1.0, 0.0), &criteria, 1.0), Verdict::HoldsWithCaveat);
        assert_eq!(verdict(&values(1.0, 1.0), &criteria, 1.0), Verdict::Fails);
    }

    #[test]
    fn a_missing_value_decides_nothing_and_nan_is_a_failure() {
        let criteria = [criterion("v", Rule::AtLeast, 1.0, 0.1, Scope::Stated)];
        assert_eq!(verdict(&[], &criteria, 1.0), Verdict::Inconclusive);
        assert_eq!(verdict(&[Value::exact("v", f64::NAN)], &criteria, 1.0), Verdict::Fails);
        assert_eq!(verdict(&[Value::exact("v", 0.9)], &[], 1.0), Verdict::Inconclusive);
    }

    #[test]
    fn halving_the_tolerance_can_only_make_a_verdict_stricter() {
        let criteria = [criterion("mcc", Rule::AtLeast, 1.0, 0.05, Scope::Stated)];
        let value = [Value::exact("mcc", 0.96)];
        assert_eq!(verdict(&value, &criteria, 1.0), Verdict::Holds);
        assert_eq!(verdict(&value, &criteria, 0.5), Verdict::Fails);
        assert_eq!(verdict(&value, &criteria, 2.0), Verdict::Holds);
    }

    #[test]
    fn the_gate_has_the_false_alarm_rate_it_states() {
        use ebmbook::seed::Seed;
        use rand_distr::{Distribution, StandardNormal};
        // The truth sits exactly on the bound, the worst case: `fails` should come with α = 5 %.
        let criteria = [Criterion { alpha: 0.05, ..criterion("v", Rule::AtMost, 0.0, 0.0, Scope::Stated) }];
        let mut rng = Seed::new(1).rng();
        let draws = 20_000;
        let alarms = (0..draws).filter(|_| {
            let noise: f64 = StandardNormal.sample(&mut rng);
            verdict(&[Value::estimated("v", noise, 1.0)], &criteria, 1.0) == Verdict::Fails
        });
        let share = alarms.count() as f64 / f64::from(draws);
        // Standard error √(.05·.95/20 000) = .0015; four of them.
        assert!((share - 0.05).abs() < 4.0 * 0.0015, "{share}");
    }
}
