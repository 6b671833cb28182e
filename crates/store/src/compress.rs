//! Compression of long texts that are rarely read.

use std::io::{self, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

pub(crate) fn compress(text: &str) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes())?;
    encoder.finish()
}

pub(crate) fn decompress(compressed: &[u8]) -> io::Result<String> {
    io::read_to_string(ZlibDecoder::new(compressed))
}
