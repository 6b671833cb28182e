//! The fuzz target `actions`. Its checks are documented at `sultan_testkit::fuzz::actions`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sultan_testkit::fuzz::actions(bytes));
