//! Every claim has a check, controls that fail, a snapshot and the verdict on record; and a
//! deliberate bug turns something red.

use crate::support::{
    Ran, assert_are_the_snapshots, ebmbook, folder_of, program, read, results, tolerance_of,
};
use ebmbook::theory::saturation::median;
use paper_checks::claims::calibration::{
    UNIFORMITY_ALPHA, gated, on_record, repeated_medians, repetition, uniformity,
};
use paper_checks::claims::{self, Context, Findings, Mutation, Record, Report, Scale, check_of, find};
use paper_checks::registry::{Baseline, Claim, Criterion, Key, Part, Scope, Value, Verdict, ledger};
use regex::Regex;
use rstest::rstest;
use std::collections::BTreeSet;

/// The claims that this file is about.
fn theory() -> impl Iterator<Item = &'static Claim> {
    claims::all().filter(|c| c.part == Part::Theory)
}

/// Every gate of the report with a standard error has p-values on record that are uniform, and so has every
/// median; and every broken variant is caught by one of the gates: by its standard error, and by count.
fn is_calibrated(claim: &Claim, report: &Report) {
    let of = |random: fn(&Value) -> bool| -> BTreeSet<String> {
        let with = |c: &&Criterion| report.findings.values.iter().any(|v| v.key == c.value && random(v));
        claim.criteria.iter().filter(with).map(|c| c.value.to_string()).collect()
    };
    let with_law = of(|v| v.se.is_some());
    let without = of(|v| v.limits.is_some_and(|limits| limits.alpha > 0.0));
    assert_eq!(!without.is_empty(), check_of(claim).replicates.is_some(), "{}", claim.id);
    assert!(report.power.values().all(|power| *power > 0.99), "{}", report.text());
    let Some(record) = on_record(&claim.id) else {
        assert!(with_law.is_empty() && without.is_empty(), "{}", claim.id);
        return;
    };
    assert_eq!(record.claim, claim.id);
    assert!(record.seeds >= 200 && record.uniform, "{}", claim.id);
    let gates: BTreeSet<String> = record.gates.iter().map(|g| g.value.clone()).collect();
    let medians = repeated_medians(claim, record.master_seed, 1).transpose().unwrap().unwrap_or_default();
    assert_eq!(without.is_empty(), medians.is_empty(), "{}", claim.id);
    let demanded = with_law.into_iter().chain(medians.into_iter().map(|m| m.name)).collect();
    assert_eq!(gates, demanded, "{}", claim.id);
    for gate in &record.gates {
        assert_eq!((gate.counts.len(), gate.counts.iter().sum::<usize>()), (10, record.seeds));
        let p = uniformity(&gate.counts);
        assert!((p - gate.p_value).abs() < 1e-9 && p >= UNIFORMITY_ALPHA, "{}: p = {p}", gate.value);
    }
    for control in claim.broken_controls() {
        let best = record.power.iter().filter(|p| p.control == control.id).map(|p| p.power);
        assert!(best.fold(0.0, f64::max) > 0.99, "{}: {}", claim.id, control.id);
        // Counted at reduced size, where a gate sees less: even there the variant is found out as a rule.
        let counted = record.counted.iter().find(|c| c.control == control.id).map(|c| c.fails);
        assert!(counted.is_some_and(|fails| 2 * fails > record.seeds), "{}: {}", claim.id, control.id);
    }
}

fn has_its_baseline(claim: &Claim, findings: &Findings) {
    let mut all = findings.values.iter().chain(&findings.baselines);
    let found = match &claim.baseline {
        None => true,
        Some(Baseline::Like(name)) => all.any(|v| v.key == findings.values[0].key.counterpart(name)),
        Some(Baseline::Value(key)) => all.any(|v| v.key == *key),
        Some(Baseline::Control(id)) => findings.controls.contains_key(id),
    };
    assert!(found, "{}: no {:?}", claim.id, claim.baseline);
}

/// Every key that a check measures has a label, and every label is one of a key that is measured.
#[test]
fn keys_and_labels_are_the_same_set() {
    let folder = results().join(Record::FOLDER);
    let committed = Context {
        scale: Scale::Full,
        studies: paper_checks::study::Studies::Published(results()),
        ..Context::default()
    };
    for claim in claims::all() {
        let findings = match claim.part {
            Part::Theory => Record::read(&folder, claim).unwrap().expect(&claim.id).findings,
            Part::Experiments => claims::run(claim, &committed).unwrap().findings,
        };
        let measured: BTreeSet<&str> = findings.keys().map(Key::name).collect();
        let labelled: BTreeSet<&str> = claim.labels.keys().map(String::as_str).collect();
        let without: Vec<_> = measured.difference(&labelled).collect();
        assert!(without.is_empty(), "{}: no label for {without:?} in claim.toml", claim.id);
        let unknown: Vec<_> = labelled.difference(&measured).collect();
        assert!(unknown.is_empty(), "{}: nothing is measured under {unknown:?}", claim.id);
        has_its_baseline(claim, &findings);
    }
}

/// The digits in a finding are measured, or part of a name.
#[test]
fn every_finding_is_filled_from_what_was_measured_and_no_number_in_it_is_typed() {
    let names =
        Regex::new(r"(Tables?|Figure|Section|Claim|Equation|Lemma|Proposition) \(?[A-Z]?[\d.]+\)?").unwrap();
    for claim in claims::all() {
        let id = &claim.id;
        assert!(!claim.title.is_empty() && !claim.title.ends_with('.'), "{id}: a title without a full stop");
        for finding in [&claim.finding, &claim.short] {
            let typed = |words: &str| names.replace_all(words, "").contains(|c: char| c.is_ascii_digit());
            assert!(finding.text().len() > 20, "{id}: finding and short in claim.toml");
            assert!(!finding.words().any(typed), "{id}: a number is typed in `{}`", finding.text());
            assert!(finding.fill(|_, _| None).is_err(), "{id}: no number in `{}`", finding.text());
            assert!(!finding.text().ends_with('.'), "{id}: no full stop");
        }
    }
}

#[test]
fn every_claim_has_a_check_a_control_a_reason_and_known_deviations() {
    let ids: BTreeSet<&str> = claims::all().map(|c| c.id.as_str()).collect();
    assert_eq!(ids.len(), claims::all().len(), "ids are distinct");
    let known: BTreeSet<String> = ledger().into_iter().map(|d| d.id).collect();
    for claim in claims::all() {
        assert!(folder_of(claim).join("claim.toml").is_file(), "{}: its folder has its name", claim.id);
        assert!(claim.controls.iter().any(|c| c.expect.is_broken()), "{}: a check can fail", claim.id);
        if claim.part == Part::Theory && claim.recorded.is_broken() {
            assert!(claim.controls.iter().any(|c| c.expect.is_met()), "{}: a check can pass", claim.id);
        }
        assert!(!claim.criteria.is_empty(), "{}", claim.id);
        assert!(claim.criteria.iter().all(|c| c.reason.len() > 5 && c.tolerance > 0.0), "{}", claim.id);
        for deviation in &claim.deviations {
            assert!(known.contains(deviation), "{}: no deviation `{deviation}`", claim.id);
        }
        assert!(claim.caveat.as_ref().is_none_or(|id| known.contains(id)), "{}: its caveat", claim.id);
        if claim.recorded.is_weaker() {
            assert!(!claim.deviations.is_empty(), "{}: a caveat is a deviation", claim.id);
        }
    }
}

#[test]
fn verdicts_are_those_on_record_controls_fail_and_numbers_stay() {
    let mut false_alarms = 0.0;
    for claim in theory() {
        let report = claims::run(claim, &Context::default()).unwrap();
        assert_eq!(report.verdict, claim.recorded, "{}", report.text());
        let declared: BTreeSet<&String> = claim.controls.iter().map(|c| &c.id).collect();
        assert_eq!(report.controls.keys().collect::<BTreeSet<_>>(), declared, "{}", claim.id);
        assert!(report.faulty_controls.is_empty(), "{}", report.text());
        // A criterion about a value that the check does not return decides nothing.
        for criterion in &claim.criteria {
            let measured = report.findings.values.iter().any(|v| v.key == criterion.value);
            assert!(measured, "{}: `{}` is not measured", claim.id, criterion.value);
        }
        has_its_baseline(claim, &report.findings);
        is_calibrated(claim, &report);
        assert_eq!(report.unbroken_gates(claim), Vec::<&Key>::new(), "{}", claim.id);
        assert!(report.finding().is_ok(), "{}: its finding asks for {:?}", claim.id, report.finding());
        let text = report.text();
        assert!(text.lines().count() <= 40, "{}", claim.id);
        assert_are_the_snapshots(claim, &report, &Context::default());
        false_alarms += report.false_alarm_rate;
    }
    assert!(false_alarms <= 1e-3, "all gates together: {false_alarms}");
}

/// Whether a run would be red: another verdict, a control that is not what it must be, or no result.
fn is_red(id: &str, context: &Context) -> bool {
    let claim = find(id).unwrap();
    claims::run(claim, context)
        .map_or(true, |report| report.verdict != claim.recorded || !report.faulty_controls.is_empty())
}

#[test]
fn a_deliberate_bug_turns_a_verdict_red() {
    for (mutation, expected) in [
        (
            Mutation::EnergySign,
            vec!["identifiability", "population-optimum", "population-optimum-continuous"],
        ),
        (Mutation::MissingKernelTerm, vec!["population-optimum", "population-optimum-continuous"]),
        (Mutation::DirectionsNotOrthogonal, vec!["identifiability", "random-directions"]),
    ] {
        let context = Context { mutation: Some(mutation), ..Context::default() };
        for id in expected {
            assert!(is_red(id, &context), "{mutation:?} leaves {id} green");
        }
    }
}

#[test]
fn a_wrong_sign_in_the_training_objective_turns_consistency_red() {
    // At reduced size, where distances have hardly begun to fall, but chance covers the rest. The runs alone: the
    // counterexample on a compact X trains nothing.
    let mut claim = find("consistency").unwrap().clone();
    claim.criteria.retain(|c| c.scope == Scope::Repaired);
    claim.criteria.iter_mut().for_each(|c| c.scope = Scope::Stated);
    let judge = |mutation| {
        let context = Context { mutation, reduced: true, ..Context::default() };
        claim.judge(&claims::run(&claim, &context).unwrap().findings.values, 1.0)
    };
    assert_eq!(judge(Some(Mutation::EnergySign)), Verdict::Fails);
    assert_ne!(judge(None), Verdict::Fails);
}

#[test]
fn runs_that_do_not_converge_do_not_read_holds_though_the_first_gate_is_met() {
    let claim = find("consistency").unwrap();
    let record = Record::read(&results().join(Record::FOLDER), claim).unwrap().unwrap();
    let with_the_gate_met = |values: &[Value]| {
        let mut values = values.to_vec();
        values.iter_mut().filter(|v| v.key == "compact".into()).for_each(|v| v.estimate = 0.0);
        claim.judge(&values, 1.0)
    };
    assert_eq!(with_the_gate_met(&record.findings.values), Verdict::Holds);
    assert_eq!(with_the_gate_met(&record.findings.controls["no-growth"]), Verdict::Fails);
}

#[test]
fn a_deliberate_bug_in_a_metric_turns_a_snapshot_red() {
    for (mutation, id, line) in [
        // Far from 1, where a square would look like its root.
        (
            Mutation::PeheSquared,
            "cate-consistency",
            "value: PEHE on a trained f, randomised, effect a function of p_X",
        ),
        (Mutation::MccWithMatching, "consistency", "value: rise of MCC"),
    ] {
        let claim = find(id).unwrap();
        let context = Context { mutation: Some(mutation), ..Context::default() };
        let text = claims::run(claim, &context).unwrap().text();
        let snapshot = read(folder_of(claim).join("values.snap"));
        let numbers = tolerance_of(claim);
        let of = |text: &str| text.lines().find(|l| l.starts_with(line)).unwrap().to_owned();
        let difference = numbers.difference(&of(&snapshot), &of(&text));
        assert!(difference.is_some(), "{mutation:?} leaves {id} green");
    }
}

#[test]
fn another_seed_gives_the_same_verdicts() {
    let context = Context { seed: ebmbook::seed::Seed::new(7), ..Context::default() };
    for claim in theory() {
        let report = claims::run(claim, &context).unwrap();
        assert_eq!(report.verdict, claim.recorded, "{}", report.text());
        assert!(report.faulty_controls.is_empty(), "{}", report.text());
    }
}

#[test]
fn a_repetition_on_record_comes_out_the_same_again() {
    let medians = |claim: &&Claim| check_of(claim).replicates.is_some();
    for (claim, record) in theory().filter(|c| !medians(c)).filter_map(|c| Some((c, on_record(&c.id)?))) {
        let again = repetition(claim, record.master_seed, 1).unwrap().unwrap();
        for (gate, value) in record.gates.iter().zip(gated(claim, &again)) {
            let [estimate, se] = gate.first[1];
            assert_eq!(gate.value, value.key.to_string());
            // In standard errors: what another instruction set may change is far below one.
            let moved = (value.estimate - estimate).abs() / se;
            assert!(moved < 0.2, "{}: {} was {estimate}", gate.value, value.estimate);
        }
    }
    for claim in theory().filter(medians) {
        let record = on_record(&claim.id).unwrap();
        let again = repeated_medians(claim, record.master_seed, 1).unwrap().unwrap();
        assert_eq!(record.gates.len(), again.len());
        for (gate, replicates) in record.gates.iter().zip(again) {
            let ([was, above], now) = (gate.first[1], median(&replicates.numbers));
            // Exponents of ten, or shares of a peak: another instruction set changes neither by a hundredth.
            assert!((now - was).abs() < 0.01 * was.abs().max(1.0), "{}: {now} was {was}", gate.value);
            // Equal numbers count on either side.
            let beyond = replicates.numbers.iter().filter(|v| **v > gate.truth).count() as f64;
            let tied = replicates.numbers.iter().filter(|v| **v == gate.truth).count() as f64;
            assert!(beyond - 1.0 <= above && above <= beyond + tied + 1.0, "{}: {beyond}", gate.value);
        }
    }
}

#[test]
fn the_program_checks_explains_and_lists() {
    let text = ebmbook(&["check", "cross-entropy-lemma", "partition-cancels"]).ok();
    assert!(text.contains("2 ✔ holds; 2 controls run"), "{text}");
    let listed = ebmbook(&["claims", "--json"]).json();
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), claims::all().len());
    let mut kinds: Vec<&str> = listed.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    kinds.dedup();
    assert_eq!(kinds, ["claim", "question", "theorem"]);
    for row in listed {
        let claim = find(row["claim"].as_str().unwrap()).unwrap();
        assert_eq!(row["place"], claim.place);
        let explained = ebmbook(&["explain", &claim.id, "--json"]).json();
        assert_eq!(explained["statement"], claim.statement);
        assert_eq!(explained["verdict"], claim.recorded_at(Scale::Full).to_string(), "{}", claim.id);
        let text = Ran::of(program().args(["explain", &claim.id]).env("COLUMNS", "80")).ok();
        assert!(text.lines().count() < 40, "{text}");
        // A letter with an accent of its own, as θ̂, takes one column.
        assert!(text.lines().all(|line| console::measure_text_width(line) <= 80), "{text}");
        assert!(text.contains(explained["finding"].as_str().unwrap().split(' ').next().unwrap()), "{text}");
    }
}

/// `ebmbook check --part theory --scale full --to paper_checks/results/theory` keeps what it found; judged
/// again by the criteria as they are now, that must give the verdicts on record.
#[test]
fn findings_at_full_scale_give_the_verdicts_on_record_and_the_committed_text() {
    let folder = results().join(Record::FOLDER);
    for claim in theory() {
        let record = Record::read(&folder, claim).unwrap().unwrap_or_else(|| panic!("{}", claim.id));
        assert_eq!((record.scale, record.master_seed), (Scale::Full, 2022), "{}", claim.id);
        let report = record.report(claim);
        assert_eq!(report.verdict, claim.recorded_at(Scale::Full), "{}", report.text());
        assert!(report.faulty_controls.is_empty(), "{}", report.text());
        assert!(report.finding().is_ok(), "{}: its finding asks for {:?}", claim.id, report.finding());
        let file = folder.join(format!("{}.txt", claim.id));
        if std::env::var_os("UPDATE_RECORDS").is_some() {
            std::fs::write(&file, report.text() + "\n").unwrap();
        }
        assert_eq!(
            read(&file).trim_end(),
            report.text(),
            "run this test with UPDATE_RECORDS=1: {}",
            claim.id
        );
    }
}

#[test]
fn a_damaged_record_is_named_and_an_absent_one_is_none() {
    let (folder, claim) = (tempfile::tempdir().unwrap(), find("shift-indifference").unwrap());
    assert!(Record::read(folder.path(), claim).unwrap().is_none());
    std::fs::write(folder.path().join("shift-indifference.json"), "{\n \"claim\": 3\n}").unwrap();
    let said = Record::read(folder.path(), claim).unwrap_err().to_string();
    assert!(said.contains("shift-indifference.json`, line 2: invalid type"), "{said}");
}

#[rstest]
#[case(&["partition-cancels"], "claim `partition-cancels` must be one with statistical gates")]
#[case(&["dr-rate", "--seeds", "10"], "number of seeds must be at least 50, got 10")]
#[case(&["nonsense"], "no claim is called `nonsense`")]
fn calibration_refuses_exact_claims_and_few_seeds(#[case] args: &[&str], #[case] said: &str) {
    ebmbook(&[&["calibrate"], args].concat()).refused(said);
}

#[test]
fn results_do_not_depend_on_threads() {
    // The claims that train dozens of networks are compared at reduced size below.
    let heavy =
        |id: &str| ["consistency", "limit-rank-one", "cate-consistency", "mended-in-samples"].contains(&id);
    let ids: Vec<&str> = theory().map(|c| c.id.as_str()).filter(|id| !heavy(id)).collect();
    let run = |threads: &str| {
        let mut command = program();
        command.arg("check").args(&ids).arg("--json").env("RAYON_NUM_THREADS", threads);
        let said = Ran::of(&mut command).json();
        let reports: Vec<_> = said.as_array().unwrap().iter().map(|r| r["report"].clone()).collect();
        assert_eq!(reports.len(), ids.len());
        reports
    };
    assert_eq!(run("1"), run("2"));
    let repeat = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let all = theory().filter(|c| heavy(&c.id));
        pool.install(|| all.map(|c| repetition(c, 1, 0).unwrap().unwrap().values).collect::<Vec<_>>())
    };
    assert_eq!(repeat(1), repeat(2));
}
