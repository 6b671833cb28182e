//! Asserts that every numbered rule of docs/rules.md, sections 1 to 7, has a test with its number in the name, and that
//! every number in the name of a test is that of a rule.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of a rule: `[4, 5, 1]` for rule 4.5.1.
type RuleNumber = Vec<u32>;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The numbers of the rules of sections 1 to 7. In docs/rules.md they are in bold type: `**4.5.1**`.
fn documented_rules() -> BTreeSet<RuleNumber> {
    let text = fs::read_to_string(workspace().join("docs/rules.md")).unwrap();
    let bold_texts = text.split("**").skip(1).step_by(2);
    let parse = |bold: &str| bold.split('.').map(|part| part.parse().ok()).collect::<Option<RuleNumber>>();
    bold_texts.filter_map(parse).filter(|number| number[0] <= 7).collect()
}

fn add_source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_source_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The rule numbers in the name of a test: `rule_4_6_…`, `rule_2_2_and_2_3_…` or `rule_7_1_to_7_4_…`.
fn rule_numbers_in(test_name: &str) -> Vec<RuleNumber> {
    let words: Vec<&str> = test_name.strip_prefix("rule_").unwrap().split('_').collect();
    let mut numbers: Vec<RuleNumber> = Vec::new();
    let mut is_end_of_range = false;
    let mut position = 0;
    loop {
        let number: RuleNumber = words[position..].iter().map_while(|word| word.parse().ok()).collect();
        if number.len() < 2 {
            return numbers;
        }
        position += number.len();
        if is_end_of_range && let Some(start) = numbers.last().cloned() {
            numbers.extend((start[1] + 1..number[1]).map(|between| vec![number[0], between]));
        }
        numbers.push(number);
        // Another number follows only after `and` or `to`.
        match words.get(position) {
            Some(&"and") => is_end_of_range = false,
            Some(&"to") => is_end_of_range = true,
            _ => return numbers,
        }
        position += 1;
    }
}

#[test]
fn rule_numbers_are_read_from_test_names() {
    assert_eq!(rule_numbers_in("rule_4_5_1_without_a_card"), [vec![4, 5, 1]]);
    assert_eq!(rule_numbers_in("rule_2_2_and_2_3_sets"), [vec![2, 2], vec![2, 3]]);
    assert_eq!(rule_numbers_in("rule_1_4_and_7_5_to_7_7_closed"), [vec![1, 4], vec![7, 5], vec![7, 6], vec![7, 7]]);
}

#[test]
fn every_rule_has_a_test_that_names_it() {
    let mut files = Vec::new();
    add_source_files(&workspace().join("crates"), &mut files);
    let mut tested_rules = BTreeSet::new();
    for file in files {
        let source = fs::read_to_string(file).unwrap();
        let name_ends = source.split("fn rule_").skip(1).filter_map(|after| after.split('(').next());
        tested_rules.extend(name_ends.flat_map(|name_end| rule_numbers_in(&format!("rule_{name_end}"))));
    }
    let rules = documented_rules();
    assert!(rules.len() >= 45, "docs/rules.md has at least 45 rules, but only {} were found", rules.len());
    let untested: Vec<_> = rules.difference(&tested_rules).collect();
    assert!(untested.is_empty(), "rules without a test: {untested:?}");
    let unknown: Vec<_> = tested_rules.difference(&rules).collect();
    assert!(unknown.is_empty(), "tests of rules that do not exist: {unknown:?}");
}
