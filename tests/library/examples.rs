//! Runs every example.

use rstest::rstest;

macro_rules! examples {
    ($($name:ident $file:literal),* $(,)?) => {
        $(#[path = $file] mod $name;)*

        #[rstest]
        $(#[case($file, $name::main)])*
        fn the_example_runs(#[case] file: &str, #[case] main: fn() -> ebmbook::Result<()>) {
            main().unwrap_or_else(|error| panic!("{file}: {error}"));
        }

        #[test]
        fn every_example_is_listed_and_short() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
            let mut found = 0;
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                assert!(std::fs::read_to_string(&path).unwrap().lines().count() < 60, "{}", path.display());
                found += 1;
            }
            assert_eq!(found, [$($file),*].len(), "list every example in tests/library/examples.rs");
        }
    };
}

examples! {
    fit_an_ebm "../../examples/01_fit_an_ebm.rs",
    corrupt_rows "../../examples/02_corrupt_rows.rs",
    posterior_by_hand "../../examples/03_posterior_by_hand.rs",
    recover_f "../../examples/04_recover_f.rs",
    rank_one_limit "../../examples/05_rank_one_limit.rs",
    reduce "../../examples/06_reduce.rs",
    effects "../../examples/07_effects.rs",
    stop_and_resume "../../examples/08_stop_and_resume.rs",
    cross_fit "../../examples/09_cross_fit.rs",
}
