//! The fuzz target `record`. Its checks are documented at `sultan_testkit::fuzz::record`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sultan_testkit::fuzz::record(bytes));
