//! Verdicts: a pure function of measured values and stated tolerances.
//!
//! A check returns values; nothing in it knows what would be good news. A [`Criterion`] says what
//! the claim demands of one value, with a tolerance and its reason:
//!
//! ```text
//! at-most    value ≤ target + tolerance          at-least    value ≥ target − tolerance
//! within     |value − target| ≤ tolerance
//! ```
//!
//! A value with a standard error passes only if it does so by z_α standard errors (t_α where they rest
//! on few replicates), and breaks the criterion only if it misses by as many; in between it is
//! unclear. So a claim that is true is called false with probability at most α, and the other way
//! round. [`power`] is the probability that a broken variant is called broken. A count ("in every
//! cell") has [`Limits`] in place of a standard error: how many are certain, and how many cannot be
//! excluded.

use super::{Key, Limits, Value, Verdict};
use ebmbook::show::format_number;
use serde::{Deserialize, Serialize};

/// Which way a value has to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// value ≤ target + tolerance
    AtMost,
    /// value ≥ target − tolerance
    AtLeast,
    /// |value − target| ≤ tolerance
    Within,
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
    /// The value it is about.
    pub value: Key,
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
pub(crate) fn default_alpha() -> f64 {
    1e-5
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    Met,
    Broken,
    Unclear,
}

impl Criterion {
    pub(super) fn judge(&self, values: &[Value], scale: f64) -> Judgement {
        let Some(value) = Value::find(values, &self.value) else { return Judgement::Unclear };
        // A number that is none is a failure of ours, and decides nothing.
        if value.estimate.is_nan() {
            return Judgement::Unclear;
        }
        // The largest and the smallest distance beyond the bound that cannot be excluded.
        let [least, most] = match value.limits {
            Some(Limits { low, high, .. }) => {
                let ends = [low, high].map(|end| self.excess(end, scale));
                let inside = self.rule == Rule::Within && (low..=high).contains(&self.target);
                let nearest = if inside { -scale * self.tolerance } else { ends[0].min(ends[1]) };
                [nearest, ends[0].max(ends[1])]
            }
            None => {
                let excess = self.excess(value.estimate, scale);
                let margin = value.se.map_or(0.0, |se| value.quantile(self.alpha) * se);
                [excess - margin, excess + margin]
            }
        };
        if most <= 0.0 {
            Judgement::Met
        } else if least > 0.0 {
            Judgement::Broken
        } else {
            Judgement::Unclear
        }
    }

    /// Where the value must not go beyond: one bound, or two.
    pub fn bounds(&self) -> Vec<f64> {
        let (low, high) = (self.target - self.tolerance, self.target + self.tolerance);
        match self.rule {
            Rule::AtMost => vec![high],
            Rule::AtLeast => vec![low],
            Rule::Within => vec![low, high],
        }
    }

    /// The demand in signs, such as `≤ 0.3`.
    ///
    /// ```
    /// let claim = paper_checks::claims::find("sufficiency").unwrap();
    /// assert_eq!(claim.criteria[0].demand(), "≤ 1e-12");
    /// ```
    pub fn demand(&self) -> String {
        let demand = match self.rule {
            Rule::AtMost => format!("≤ {}", format_number(self.target + self.tolerance)),
            Rule::AtLeast => format!("≥ {}", format_number(self.target - self.tolerance)),
            Rule::Within => format!("{} ± {}", format_number(self.target), format_number(self.tolerance)),
        };
        let scope = if self.scope == Scope::Repaired { " (weaker form)" } else { "" };
        format!("{demand}{scope}")
    }

    /// Distance beyond the bound: positive is bad.
    pub(super) fn excess(&self, value: f64, scale: f64) -> f64 {
        match self.rule {
            Rule::AtMost => value - (self.target + scale * self.tolerance),
            Rule::AtLeast => (self.target - scale * self.tolerance) - value,
            Rule::Within => (value - self.target).abs() - scale * self.tolerance,
        }
    }

    /// The probability that this gate calls a variant broken whose true value is the given one and
    /// which is measured with its standard error: P(T > q_α − excess/se). An exact gate has 0 or 1; of a share only
    /// what came out is known, 0 or 1 again.
    ///
    /// ```
    /// use paper_checks::registry::{Criterion, Rule, Scope, Value};
    /// let gate = Criterion {
    ///     value: "error".into(), rule: Rule::AtMost, target: 0.0, tolerance: 1.0,
    ///     reason: "an example".into(), alpha: 0.05, scope: Scope::Stated,
    /// };
    /// assert!((gate.power(&[Value::estimated("error", 1.0, 0.1)]) - 0.05).abs() < 1e-9, "on the bound: α");
    /// assert!(gate.power(&[Value::estimated("error", 2.0, 0.1)]) > 0.999);
    /// ```
    pub fn power(&self, values: &[Value]) -> f64 {
        let Some(value) = Value::find(values, &self.value) else { return 0.0 };
        match value.se {
            Some(se) if se > 0.0 => {
                1.0 - value.cumulative(value.quantile(self.alpha) - self.excess(value.estimate, 1.0) / se)
            }
            _ => f64::from(u8::from(self.judge(values, 1.0) == Judgement::Broken)),
        }
    }
}

/// The probability that at least the best of these gates calls the values broken.
pub fn power(values: &[Value], criteria: &[Criterion]) -> f64 {
    criteria.iter().map(|c| c.power(values)).fold(0.0, f64::max)
}

/// The verdict on these values, with every tolerance multiplied by `scale` (1 is the verdict; ½
/// and 2 say how much it depends on the tolerance).
///
/// ```
/// use paper_checks::registry::{Criterion, Rule, Scope, Value, Verdict, verdict};
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
        (Some(Judgement::Met), Some(Judgement::Met) | None) => Verdict::Holds,
        (Some(Judgement::Broken), Some(Judgement::Met)) => Verdict::HoldsWithCaveat,
        (Some(Judgement::Broken), Some(Judgement::Broken) | None) => Verdict::Fails,
        // What is stated includes its weaker form: a claim does not hold where that is broken.
        (Some(Judgement::Met), Some(Judgement::Broken)) => Verdict::Fails,
        // Broken as stated, with a weaker form that may stand: it fails or it holds with a caveat, and nobody knows which.
        (Some(Judgement::Met | Judgement::Broken), Some(Judgement::Unclear)) => Verdict::Inconclusive,
        (Some(Judgement::Unclear) | None, _) => Verdict::Inconclusive,
    }
}

/// Probability that chance alone breaks a true claim: the sum of α over its statistical gates. A
/// share that two criteria speak of is one count.
pub fn false_alarm_rate(values: &[Value], criteria: &[Criterion]) -> f64 {
    let gates = values.iter().map(|v| {
        let of_value = criteria.iter().filter(|c| c.value == v.key);
        match (v.limits, v.se) {
            (Some(limits), _) => {
                if of_value.count() > 0 {
                    limits.alpha
                } else {
                    0.0
                }
            }
            (None, Some(_)) => of_value.map(|c| c.alpha).sum(),
            (None, None) => 0.0,
        }
    });
    gates.sum()
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
        let unclear = [Value::exact("printed", 1.0), Value::estimated("mended", 0.0, 1.0)];
        assert_eq!(verdict(&unclear, &criteria, 1.0), Verdict::Inconclusive, "the weaker form may stand");
        let stated_alone = &criteria[..1];
        assert_eq!(verdict(&unclear, stated_alone, 1.0), Verdict::Fails, "there is no weaker form");
    }

    #[test]
    fn a_claim_does_not_hold_while_its_weaker_form_is_broken_or_open() {
        let criteria = [
            criterion("first-gate", Rule::AtMost, 0.0, 1e-12, Scope::Stated),
            criterion("runs-converge", Rule::AtLeast, 1.0, 0.3, Scope::Repaired),
        ];
        let judge = |runs: Value| verdict(&[Value::exact("first-gate", 0.0), runs], &criteria, 1.0);
        assert_eq!(judge(Value::exact("runs-converge", 0.9)), Verdict::Holds);
        assert_eq!(judge(Value::exact("runs-converge", 0.2)), Verdict::Fails);
        assert_eq!(judge(Value::estimated("runs-converge", 0.7, 0.1)), Verdict::Inconclusive);
        assert_eq!(judge(Value::exact("runs-converge", f64::NAN)), Verdict::Inconclusive);
    }

    #[test]
    fn a_missing_value_decides_nothing_and_neither_does_nan() {
        let criteria = [criterion("v", Rule::AtLeast, 1.0, 0.1, Scope::Stated)];
        assert_eq!(verdict(&[], &criteria, 1.0), Verdict::Inconclusive);
        assert_eq!(verdict(&[Value::exact("v", f64::NAN)], &criteria, 1.0), Verdict::Inconclusive);
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
    fn a_share_meets_a_demand_only_by_what_is_certain() {
        let every = [criterion("share", Rule::AtLeast, 1.0, 0.01, Scope::Stated)];
        let certain = |mean: f64| vec![mean - 0.01, mean, mean + 0.01, mean + 0.02];
        let unsure = vec![1.0, -0.9, 0.2, 0.1];
        let judge = |cells: &[Vec<f64>]| verdict(&[Value::share("share", cells, 0.01)], &every, 1.0);
        assert_eq!(judge(&[certain(3.0), certain(2.0)]), Verdict::Holds);
        assert_eq!(
            judge(&[certain(3.0), unsure]),
            Verdict::Inconclusive,
            "the sign of the mean is not enough"
        );
        assert_eq!(judge(&[certain(3.0), certain(-3.0)]), Verdict::Fails, "one certain loss is enough");
        let value = Value::share("share", &[certain(3.0)], 0.01);
        assert_eq!(false_alarm_rate(std::slice::from_ref(&value), &every), 0.01);
        assert_eq!(false_alarm_rate(&[value], &[every[0].clone(), every[0].clone()]), 0.01);
    }

    #[test]
    fn within_looks_both_ways() {
        let criteria = [criterion("slope", Rule::Within, -1.0, 0.1, Scope::Stated)];
        let judge = |estimate| verdict(&[Value::exact("slope", estimate)], &criteria, 1.0);
        assert_eq!([judge(-1.05), judge(-0.95)], [Verdict::Holds; 2]);
        assert_eq!([judge(-1.2), judge(-0.8)], [Verdict::Fails; 2]);
    }

    #[test]
    fn power_is_the_share_of_broken_variants_that_are_called_broken() {
        use ebmbook::seed::Seed;
        use rand_distr::{Distribution, StandardNormal};
        let gate = Criterion { alpha: 0.05, ..criterion("v", Rule::AtMost, 0.0, 0.0, Scope::Stated) };
        let truth = 0.6;
        let mut rng = Seed::new(2).rng();
        let draws = 4000;
        let mut stated = 0.0;
        let mut found = 0.0;
        for _ in 0..draws {
            let sample: Vec<f64> =
                (0..12).map(|_| truth + Distribution::<f64>::sample(&StandardNormal, &mut rng)).collect();
            let value = [Value::mean("v", &sample)];
            found += f64::from(u8::from(gate.judge(&value, 1.0) == Judgement::Broken)) / f64::from(draws);
            let known = Value { estimate: truth, se: Some(12.0_f64.sqrt().recip()), ..value[0].clone() };
            stated += gate.power(&[known]) / f64::from(draws);
        }
        // Standard error of the share .008; a shifted t stands in for the noncentral one, which moves
        // the power by a few hundredths at eleven degrees of freedom.
        assert!((found - stated).abs() < 0.06, "{found} found, {stated} stated");
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
