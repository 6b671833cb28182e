//! Tests of the documents: links have targets, and the code that they name exists.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "md")
}

/// All documents with their text.
fn documents() -> Vec<(PathBuf, String)> {
    let folders = [root(), root().join("docs")];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    files.filter(|path| is_document(path)).map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
    kept.map(|sign| if sign == ' ' { '-' } else { sign.to_ascii_lowercase() }).collect()
}

fn has_heading(document: &Path, wanted: &str) -> bool {
    let text = fs::read_to_string(document).unwrap();
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    headings.map(anchor).any(|anchor| anchor == wanted)
}

#[test]
fn every_link_leads_somewhere() {
    let mut links = 0;
    for (path, text) in documents() {
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(file.exists(), "{}: {target}", path.display());
            let there = heading.is_empty() || !is_document(&file) || has_heading(&file, heading);
            assert!(there, "{}: no heading {target}", path.display());
            links += 1;
        }
    }
    assert!(links > 50, "links are found: {links}");
}

#[test]
fn tests_named_in_the_security_document_exist() {
    let text = fs::read_to_string(root().join("docs/security.md")).unwrap();
    let mut named = 0;
    // The names of tests precede the file that contains them.
    let mut names = Vec::new();
    for word in text.split('`').skip(1).step_by(2) {
        if word.contains('/') && Path::new(word).extension().is_some_and(|end| end == "rs") {
            let source = fs::read_to_string(root().join(word)).unwrap_or_else(|_| panic!("no file {word}"));
            for name in names.drain(..) {
                assert!(source.contains(&format!("fn {name}(")), "{word} has no {name}");
                named += 1;
            }
        } else if word.contains('_') && word.chars().all(|sign| matches!(sign, 'a'..='z' | '0'..='9' | '_')) {
            names.push(word);
        }
    }
    assert!(names.is_empty(), "no file for {names:?}");
    assert!(named > 25, "tests are found: {named}");
}

/// The text of all Rust files in a folder.
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
    assert!(files > 15 && functions > 15, "names are found: {files} files, {functions} functions");
}
