//! See `sultan_testkit::fuzz::record`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sultan_testkit::fuzz::record(bytes));
