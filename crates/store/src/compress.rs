//! Compression of long values that are rarely read.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

pub(crate) fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressed = ZlibEncoder::new(Vec::new(), Compression::best());
    compressed.write_all(bytes)?;
    compressed.finish()
}

pub(crate) fn decompress(compressed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(compressed).read_to_end(&mut bytes)?;
    Ok(bytes)
}
