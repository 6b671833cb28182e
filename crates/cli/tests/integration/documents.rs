//! Tests of the documents: links have targets, and the code that they name exists.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "md")
}

/// The paths of all documents, with their text.
fn documents() -> Vec<(PathBuf, String)> {
    let folders = [root(), root().join("docs")];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    files.filter(|path| is_document(path)).map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The part of a link after `#` that leads to a heading.
fn anchor_of(heading: &str) -> String {
    let kept = heading.chars().filter(|character| character.is_alphanumeric() || " -_".contains(*character));
    kept.map(|character| if character == ' ' { '-' } else { character.to_ascii_lowercase() }).collect()
}

fn has_anchor(document: &Path, anchor: &str) -> bool {
    let text = fs::read_to_string(document).unwrap();
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    headings.map(anchor_of).any(|existing| existing == anchor)
}

#[test]
fn links_between_documents_lead_to_existing_files_and_headings() {
    let mut links = 0;
    for (path, text) in documents() {
        // Links have the form `[text](target)`.
        let targets = text.split("](").skip(1).filter_map(|after| after.split_once(')')).map(|(target, _)| target);
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(file.exists(), "{}: no file {target}", path.display());
            let exists = anchor.is_empty() || !is_document(&file) || has_anchor(&file, anchor);
            assert!(exists, "{}: no heading {target}", path.display());
            links += 1;
        }
    }
    assert!(links > 50, "only {links} links found: does this test still find them?");
}

#[test]
fn tests_named_in_the_security_document_exist() {
    let text = fs::read_to_string(root().join("docs/security.md")).unwrap();
    let mut found_tests = 0;
    // In the document, the names of tests precede the file that contains them.
    let mut names = Vec::new();
    // Words of code are between backticks.
    for word in text.split('`').skip(1).step_by(2) {
        if word.contains('/') && Path::new(word).extension().is_some_and(|end| end == "rs") {
            let source = fs::read_to_string(root().join(word)).unwrap_or_else(|_| panic!("no file {word}"));
            for name in names.drain(..) {
                assert!(source.contains(&format!("fn {name}(")), "{word} has no {name}");
                found_tests += 1;
            }
        } else if word.contains('_') && word.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_')) {
            names.push(word);
        }
    }
    assert!(names.is_empty(), "no file after the tests {names:?}");
    assert!(found_tests > 25, "only {found_tests} tests found: does this test still find them?");
}

/// The texts of all Rust files in a folder and its subfolders.
fn sources(folder: &Path) -> Vec<String> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = paths.flat_map(|path| match path.extension() {
        _ if path.is_dir() => sources(&path),
        Some(end) if end == "rs" => vec![fs::read_to_string(&path).unwrap()],
        _ => Vec::new(),
    });
    texts.collect()
}

#[test]
fn code_named_in_the_architecture_exists() {
    let crates = root().join("crates");
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let sources = sources(&crates);
    let has_function = |owner: &str, name: &str| {
        let owners = [format!("impl {owner} {{"), format!("trait {owner}:"), format!("trait {owner} {{")];
        let is_owner = |source: &&String| owners.iter().any(|line| source.contains(line));
        sources.iter().filter(is_owner).any(|source| source.contains(&format!("fn {name}")))
    };
    let (mut files, mut functions) = (0, 0);
    for word in text.split('`').skip(1).step_by(2).filter(|word| !word.contains(char::is_whitespace)) {
        if word.contains('/') && Path::new(word).extension().is_some_and(|end| end == "rs" || end == "js") {
            assert!(crates.join(word).exists(), "no file {word}");
            files += 1;
        } else if let Some((owner, name)) = word.split_once("::") {
            assert!(has_function(owner, name), "no function {word}");
            functions += 1;
        }
    }
    assert!(files > 15 && functions > 15, "only {files} files and {functions} functions found");
}
