//! What a verdict lacks: which demands the values leave open, and what would close them.

use super::verdict::Judgement;
use super::{Claim, Criterion, Key, Limits, Scope, Value};

use serde::{Deserialize, Serialize};

/// Beyond this many times the runs nobody would go on.
const MOST_RUNS: f64 = 1000.0;

/// A demand that the values neither meet nor break beyond doubt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// The value it is about; none where the whole claim was not measured.
    pub value: Option<Key>,
    /// What people call it: the label of the value, or the claim.
    pub label: String,
    /// What would decide it.
    pub lacks: String,
    /// Whether time ran out before it could be measured.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub out_of_time: bool,
}

impl Open {
    /// A claim that was not measured.
    pub fn not_measured(claim: &Claim, why: &str, out_of_time: bool) -> Self {
        Self { value: None, label: claim.id.clone(), lacks: why.to_owned(), out_of_time }
    }

    /// Called as its claim calls the value.
    pub fn labelled(self, claim: &Claim) -> Self {
        Self { label: self.value.as_ref().map_or(self.label, |key| claim.label(key)), ..self }
    }
}

impl std::fmt::Display for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.label, self.lacks)
    }
}

/// The demands that stand between these values and another verdict: those of an inconclusive claim, or
/// of the weaker form of one that is decided as stated. None if all is decided.
///
/// ```
/// use paper_checks::registry::{Criterion, Rule, Scope, Value, open};
/// let gate = Criterion {
///     value: "error".into(), rule: Rule::AtMost, target: 0.0, tolerance: 1.0,
///     reason: "an example".into(), alpha: 1e-5, scope: Scope::Stated,
/// };
/// // Three standard errors below the bound; a gate of 1e-5 asks for 4.26, and (4.26 / 3)² is 2.0.
/// let said = open(&[Value::estimated("error", 0.7, 0.1)], std::slice::from_ref(&gate));
/// assert_eq!(said[0].lacks, "about 2.0 times the runs would decide it, if it stays 0.3 on the good side of its bound 1");
/// assert!(open(&[Value::exact("error", 0.8)], &[gate]).is_empty());
/// ```
pub fn open(values: &[Value], criteria: &[Criterion]) -> Vec<Open> {
    let of = |scope: Scope| criteria.iter().filter(move |c| c.scope == scope);
    let broken = of(Scope::Stated).any(|c| c.judge(values, 1.0) == Judgement::Broken);
    let met = of(Scope::Stated).all(|c| c.judge(values, 1.0) == Judgement::Met);
    // A claim that is decided as stated waits for its weaker form alone.
    let scope = if broken || met { Scope::Repaired } else { Scope::Stated };
    let decided = (broken || met) && of(scope).any(|c| c.judge(values, 1.0) == Judgement::Broken);
    let unclear = of(scope).filter(|c| !decided && c.judge(values, 1.0) == Judgement::Unclear);
    let of = |c: &Criterion| Open {
        value: Some(c.value.clone()),
        label: c.value.to_string(),
        lacks: c.lacks(values),
        out_of_time: false,
    };
    unclear.map(of).collect()
}

impl Criterion {
    fn lacks(&self, values: &[Value]) -> String {
        let Some(value) = Value::find(values, &self.value) else {
            return "it was not measured".into();
        };
        if let Some(Limits { low, high, .. }) = value.limits {
            return format!("it is certain only to lie between {low:.3} and {high:.3}");
        }
        let excess = self.excess(value.estimate, 1.0);
        let side = if excess > 0.0 { "bad" } else { "good" };
        let nearest = |a: &f64, b: &f64| (a - value.estimate).abs().total_cmp(&(b - value.estimate).abs());
        let bound = self.bounds().into_iter().min_by(nearest).expect("a rule has a bound");
        let [distance, bound] = [excess.abs(), bound].map(ebmbook::show::format_number);
        match self.runs_needed(value) {
            Some(times) => format!(
                "about {times:.1} times the runs would decide it, if it stays {distance} on the {side} side of its bound {bound}"
            ),
            None => format!(
                "it is {distance} from its bound {bound}: a thousand times the runs would not decide it"
            ),
        }
    }

    /// The least m for which m times as many runs clear the gate from where the estimate is now:
    /// t_α(m (ν + 1) − 1) · se / √m ≤ |excess|.
    fn runs_needed(&self, value: &Value) -> Option<f64> {
        let distance = self.excess(value.estimate, 1.0).abs();
        let clears = |times: f64| {
            let freedom = value.freedom.map(|nu| times * (nu + 1.0) - 1.0);
            let margin = Value { freedom, ..value.clone() }.quantile(self.alpha) * value.se.unwrap_or(0.0);
            margin / times.sqrt() <= distance
        };
        let (mut low, mut high) = (1.0, MOST_RUNS);
        if !clears(high) {
            return None;
        }
        // Halving on the logarithm: the margin falls as m grows, and a hundredth is close enough.
        while high / low > 1.01 {
            let middle = (low * high).sqrt();
            if clears(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Rule;

    fn gate(value: &str, scope: Scope) -> Criterion {
        let (rule, reason) = (Rule::AtLeast, "test".into());
        Criterion { value: value.into(), rule, target: 0.0, tolerance: 0.1, reason, alpha: 1e-5, scope }
    }

    #[test]
    fn as_many_runs_as_it_says_clear_the_gate_and_fewer_do_not() {
        let now = Value::estimated("v", 0.3, 0.2).with_freedom(9);
        let gate = gate("v", Scope::Stated);
        let times = gate.runs_needed(&now).unwrap();
        let with = |times: f64| {
            let freedom = Some(10.0 * times - 1.0);
            let later = Value { se: Some(0.2 / times.sqrt()), freedom, ..now.clone() };
            gate.judge(&[later], 1.0)
        };
        assert_eq!([with(times), with(0.95 * times)], [Judgement::Met, Judgement::Unclear]);
    }

    #[test]
    fn a_claim_that_is_decided_as_stated_waits_for_its_weaker_form_alone() {
        let criteria = [gate("stated", Scope::Stated), gate("weaker", Scope::Repaired)];
        let values =
            |stated: f64| [Value::estimated("stated", stated, 0.1), Value::estimated("weaker", 0.0, 0.1)];
        let named =
            |stated: f64| open(&values(stated), &criteria).iter().map(Open::to_string).collect::<String>();
        assert!(named(-2.0).starts_with("weaker: about"), "{}", named(-2.0));
        assert!(named(0.0).starts_with("stated: about") && !named(0.0).contains("weaker"));
        assert!(named(2.0).starts_with("weaker: about"), "what is stated includes it");
        let on_the_bound = open(&[Value::estimated("stated", -0.1, 0.1)], &criteria[..1]);
        assert!(on_the_bound[0].lacks.contains("would not decide"), "{on_the_bound:?}");
        assert_eq!(open(&[], &criteria[..1])[0].to_string(), "stated: it was not measured");
    }

    #[test]
    fn a_share_says_what_is_certain_of_it() {
        let cells = [vec![3.0, 3.1, 2.9], vec![0.1, -0.2, 0.3]];
        let share = Value::share("stated", &cells, 0.05);
        let every = Criterion { target: 1.0, ..gate("stated", Scope::Stated) };
        let said = open(&[share], &[every]);
        assert_eq!(said[0].lacks, "it is certain only to lie between 0.500 and 1.000");
    }
}
