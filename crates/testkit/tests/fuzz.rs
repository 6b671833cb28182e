//! Short runs of the fuzz targets on stable Rust. Long ones: `cargo fuzz run -s none record` (see CONTRIBUTING.md).

use proptest::prelude::*;
use sultan_domain::{Observer, Players};
use sultan_testkit::{fuzz, random_moments, random_record};

/// How one place of a text is changed.
#[derive(Clone, Debug)]
enum Edit {
    Set(usize, u8),
    Insert(usize, u8),
    Remove(usize),
    Cut(usize),
    /// Puts a number where there was another: the edit most likely to be read.
    Digit(usize, u8),
    /// Puts a copy of a piece of the text somewhere else.
    Copy(usize, usize, usize),
}

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

fn edited(text: &str, edits: &[Edit]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for edit in edits {
        let len = bytes.len().max(1);
        match *edit {
            Edit::Set(at, byte) if !bytes.is_empty() => bytes[at % len] = byte,
            Edit::Insert(at, byte) => bytes.insert(at % len, byte),
            Edit::Remove(at) if !bytes.is_empty() => drop(bytes.remove(at % len)),
            Edit::Cut(at) => bytes.truncate(at % len),
            Edit::Digit(at, digit) => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|&place| bytes[place].is_ascii_digit()).collect();
                if !digits.is_empty() {
                    bytes[digits[at % digits.len()]] = digit;
                }
            }
            Edit::Copy(from, to, piece) if !bytes.is_empty() => {
                let from = from % len;
                let piece = bytes[from..(from + piece).min(len)].to_vec();
                let to = to % len;
                bytes.splice(to..to, piece);
            }
            Edit::Set(..) | Edit::Remove(_) | Edit::Copy(..) => {}
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_as_a_record_or_refused(text in ".{0,200}", json in r#"[{}\[\]",:0-9a-z_ \\]{0,200}"#) {
        fuzz::record(text.as_bytes());
        fuzz::record(json.as_bytes());
        fuzz::record(format!(r#"{{"format":"sultan-record","version":1,{json}}}"#).as_bytes());
    }

    #[test]
    fn a_record_with_mistakes_is_read_or_refused(players in 2_u8..=5, number in 0_u64..50, edits in edits()) {
        let (record, _) = random_record(Players::new(players).unwrap(), number);
        fuzz::record(&edited(&serde_json::to_string(&record).unwrap(), &edits));
    }

    #[test]
    fn any_actions_are_played_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        fuzz::actions(&bytes);
    }

    #[test]
    fn a_view_with_mistakes_is_imagined_or_refused(players in 2_u8..=5, number in 0_u64..50, at: usize, who: usize, edits in edits()) {
        let players = Players::new(players).unwrap();
        let moments = random_moments(players, number);
        let observers: Vec<Observer> = Observer::all(players).collect();
        let view = moments[at % moments.len()].game.view(observers[who % observers.len()]);
        fuzz::view(&edited(&serde_json::to_string(&view).unwrap(), &edits));
    }
}
