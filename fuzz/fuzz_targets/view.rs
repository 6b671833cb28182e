//! The fuzz target `view`. Its checks are documented at `sultan_testkit::fuzz::view`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sultan_testkit::fuzz::view(bytes));
