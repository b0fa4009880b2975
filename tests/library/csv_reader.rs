//! Whatever bytes come in, the CSV reader answers with a table or a one-line error.

use ebmbook::data::csv::{Roles, Table};
use proptest::prelude::*;
use std::path::Path;

fn check(bytes: &[u8]) {
    match Table::parse(Path::new("any.csv"), bytes) {
        Ok(table) => {
            assert!(table.n() > 0 && table.values().iter().all(|v| v.is_finite()));
            let first = table.names().first().cloned();
            for roles in [
                Roles::default(),
                Roles { treatment: first.clone(), outcome: first.clone(), ..Roles::default() },
                Roles { treatment: first, outcome: table.names().last().cloned(), ..Roles::default() },
            ] {
                if let Err(error) = table.dataset(&roles) {
                    one_line(&error.to_string());
                }
            }
        }
        Err(error) => one_line(&error.to_string()),
    }
}

fn one_line(message: &str) {
    assert!(!message.is_empty() && message.lines().count() == 1, "{message:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_give_a_table_or_a_typed_error(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check(&bytes);
    }

    #[test]
    fn anything_that_looks_like_a_csv_gives_a_table_or_a_typed_error(
        text in "(\u{feff})?[a-c,y01\" ;\t]{0,12}(\r?\n[-+0-9.eNainf,\" ]{0,16}){0,8}"
    ) {
        check(text.as_bytes());
    }

    #[test]
    fn a_well_formed_file_always_reads_back(
        rows in proptest::collection::vec(proptest::collection::vec(proptest::num::f64::NORMAL, 3), 1..20)
    ) {
        let mut text = String::from("a,b,c\n");
        for row in &rows {
            text += &row.iter().map(|v| format!("{v:?}")).collect::<Vec<_>>().join(",");
            text.push('\n');
        }
        let table = Table::parse(Path::new("t.csv"), text.as_bytes()).unwrap();
        for (found, expected) in table.values().iter().zip(rows.iter().flatten()) {
            prop_assert_eq!(found.to_bits(), expected.to_bits());
        }
    }
}
