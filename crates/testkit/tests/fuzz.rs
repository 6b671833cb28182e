//! Short runs of the fuzz targets on stable Rust. Long ones: `cargo fuzz run -s none record` (see docs/testing.md).

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use sultan_domain::{Observer, Players};
use sultan_testkit::{Edit, apply_edits, fuzz, random_moments, random_record};

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Edit::Insert(at, byte)),
        any::<usize>().prop_map(Edit::Remove),
        any::<usize>().prop_map(Edit::Cut),
        (any::<usize>(), b'0'..=b'9').prop_map(|(at, digit)| Edit::Digit(at, digit)),
        (any::<usize>(), any::<usize>(), 1_usize..30).prop_map(|(from, to, len)| Edit::Copy(from, to, len)),
    ];
    proptest::collection::vec(edit, 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_parsed_as_a_record_or_rejected(text in ".{0,200}", json in r#"[{}\[\]",:0-9a-z_ \\]{0,200}"#) {
        fuzz::record(text.as_bytes());
        fuzz::record(json.as_bytes());
        fuzz::record(format!(r#"{{"format":"sultan-record","version":1,{json}}}"#).as_bytes());
    }

    #[test]
    fn edited_record_is_parsed_or_rejected(players in 2_u8..=5, number in 0_u64..50, edits in edits()) {
        let (record, _) = random_record(Players::new(players).unwrap(), number);
        fuzz::record(&apply_edits(&serde_json::to_string(&record).unwrap(), &edits));
    }

    #[test]
    fn any_bytes_are_played_as_actions_or_rejected(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        fuzz::actions(&bytes);
    }

    #[test]
    fn edited_view_is_imagined_or_rejected(players in 2_u8..=5, number in 0_u64..50, at: usize, observer: usize, edits in edits()) {
        let players = Players::new(players).unwrap();
        let moments = random_moments(players, number);
        let observers: Vec<Observer> = Observer::all(players).collect();
        let view = moments[at % moments.len()].game.view(observers[observer % observers.len()]);
        fuzz::view(&apply_edits(&view.to_json(&[], None), &edits));
    }
}

/// The corpus of longer runs: inputs that together reach all the code that the fuzzer has covered so far.
#[test]
fn fuzz_corpus_passes() {
    for name in ["actions", "record", "view"] {
        let target = match name {
            "actions" => fuzz::actions,
            "record" => fuzz::record,
            _ => fuzz::view,
        };
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
        let inputs: Vec<_> =
            fs::read_dir(&corpus).unwrap().map(|input| fs::read(input.unwrap().path()).unwrap()).collect();
        assert!(inputs.len() >= 10, "{name}: {}", inputs.len());
        inputs.iter().for_each(|input| target(input));
    }
}
