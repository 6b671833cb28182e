//! Every numbered rule of docs/rules.md, sections 1 to 7, has a test with its number in the name. (This does not
//! check what the test asserts.)

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

type Number = Vec<u32>;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The numbers of all rules: the numbers in bold type.
fn documented_rules() -> BTreeSet<Number> {
    let text = fs::read_to_string(workspace().join("docs/rules.md")).unwrap();
    let bold = text.split("**").skip(1).step_by(2);
    let numbers = bold.filter_map(|word| word.split('.').map(|part| part.parse().ok()).collect::<Option<Number>>());
    numbers.filter(|number| number[0] <= 7).collect()
}

fn add_sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The numbers of the rules in the name of a test: `rule_4_6_…`, `rule_2_2_and_2_3_…`, `rule_7_1_to_7_4_…`.
fn rule_numbers_of(test: &str) -> Vec<Number> {
    let mut numbers: Vec<Number> = Vec::new();
    let mut this: Number = Vec::new();
    let mut range = false;
    let mut end = |this: &mut Number, range: &mut bool| {
        let number = std::mem::take(this);
        if *range && let Some(from) = numbers.last().cloned() {
            numbers.extend((from[1] + 1..number[1]).map(|item| vec![number[0], item]));
        }
        numbers.push(number);
        *range = false;
    };
    for word in test.strip_prefix("rule_").unwrap().split('_') {
        match word.parse() {
            Ok(part) => this.push(part),
            Err(_) if this.len() < 2 => break,
            Err(_) => {
                end(&mut this, &mut range);
                range = word == "to";
                if word != "to" && word != "and" {
                    break;
                }
            }
        }
    }
    numbers
}

#[test]
fn rule_numbers_are_read_from_test_names() {
    assert_eq!(rule_numbers_of("rule_4_5_1_without_a_card"), [vec![4, 5, 1]]);
    assert_eq!(rule_numbers_of("rule_2_2_and_2_3_sets"), [vec![2, 2], vec![2, 3]]);
    assert_eq!(rule_numbers_of("rule_1_4_and_7_5_to_7_7_closed"), [vec![1, 4], vec![7, 5], vec![7, 6], vec![7, 7]]);
}

#[test]
fn every_rule_has_a_test_that_names_it() {
    let mut files = Vec::new();
    add_sources(&workspace().join("crates"), &mut files);
    let mut tested = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file).unwrap();
        let tests = text.split("fn rule_").skip(1).filter_map(|rest| rest.split('(').next());
        tested.extend(tests.flat_map(|name| rule_numbers_of(&format!("rule_{name}"))));
    }
    let rules = documented_rules();
    assert!(rules.len() >= 45, "the document was read: {}", rules.len());
    let missing: Vec<_> = rules.difference(&tested).collect();
    assert!(missing.is_empty(), "rules without a test: {missing:?}");
    let unknown: Vec<_> = tested.difference(&rules).collect();
    assert!(unknown.is_empty(), "tests of rules that do not exist: {unknown:?}");
}
