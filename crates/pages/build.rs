//! Builds the assets of the pages: concatenates and compresses them and puts a content hash into their names, so that
//! browsers can cache them forever.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=assets");
    println!("cargo::rerun-if-changed=build.rs");
    let out_folder = PathBuf::from(env::var("OUT_DIR")?);
    let icon = fs::read_to_string("assets/icon.svg")?;
    // For each asset: the Rust constant with its address, the name and extension of its file, content type, contents.
    let assets = [
        (
            "STYLE",
            "style",
            "css",
            "text/css; charset=utf-8",
            copy_light_theme_for_devices(&tighten(&minify(&concatenate("assets/css", "css")?)))?,
        ),
        (
            "SCRIPT",
            "script",
            "js",
            "text/javascript; charset=utf-8",
            minify(&concatenate("assets/js", "js")?).into_bytes(),
        ),
        ("API_STYLE", "api", "css", "text/css; charset=utf-8", fs::read("assets/api.css")?),
        ("ICON", "icon", "svg", "image/svg+xml", icon.clone().into_bytes()),
        ("TURN_ICON", "turn", "svg", "image/svg+xml", mark(&icon)?.into_bytes()),
        ("PREVIEW", "preview", "png", "image/png", fs::read("assets/art/preview.png")?),
    ];
    let mut code = String::new();
    let mut asset_list = String::new();
    for (constant, name, extension, content_type, plain) in assets {
        // 12 of the 64 digits are enough to distinguish the versions of an asset.
        let hash = blake3::hash(&plain).to_hex();
        let name = format!("{name}.{}.{extension}", &hash.as_str()[..12]);
        let file = out_folder.join(&name);
        let compressed_file = out_folder.join(format!("{name}.br"));
        fs::write(&file, &plain)?;
        fs::write(&compressed_file, compress(&plain)?)?;
        writeln!(code, "pub(crate) const {constant}: &str = \"/a/{name}\";")?;
        writeln!(
            asset_list,
            "Asset {{ name: {name:?}, content_type: {content_type:?}, plain: include_bytes!({:?}), brotli: \
             include_bytes!({:?}) }},",
            file.display().to_string(),
            compressed_file.display().to_string(),
        )?;
    }
    writeln!(code, "static ASSETS: &[Asset] = &[{asset_list}];")?;
    fs::write(out_folder.join("assets.rs"), code)?;
    Ok(())
}

/// Concatenates all files of a folder with this extension, in the order of their names.
fn concatenate(folder: &str, extension: &str) -> Result<String, Box<dyn Error>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    let mut files: Vec<_> =
        entries.into_iter().filter(|path| path.extension() == Some(Path::new(extension).as_os_str())).collect();
    files.sort();
    let mut contents = String::new();
    for file in files {
        contents += &fs::read_to_string(file)?;
        contents.push('\n');
    }
    Ok(contents)
}

/// Removes indentation and the lines of comments, which are a fifth of the compressed size. A comment after code on the
/// same line stays; code after a comment on the same line would be lost. No string in the assets spans several lines,
/// so every line can be trimmed.
fn minify(source: &str) -> String {
    let mut in_comment = false;
    let mut kept = String::with_capacity(source.len());
    for line in source.lines().map(str::trim) {
        in_comment |= line.starts_with("/*");
        if !in_comment && !line.is_empty() && !line.starts_with("//") {
            kept += line;
            kept.push('\n');
        }
        in_comment &= !line.ends_with("*/");
    }
    kept
}

/// Removes the white space around the punctuation of a style sheet, except in front of colons, where it is a part of the
/// selector. No string in the style sheets has a space beside such a character.
fn tighten(css: &str) -> String {
    let mut tight = String::with_capacity(css.len());
    for character in css.chars() {
        if "{};,>".contains(character) {
            tight.truncate(tight.trim_end().len());
        } else if character.is_whitespace() && tight.ends_with(['{', '}', ';', ',', '>', ':']) {
            continue;
        }
        tight.push(character);
    }
    tight
}

/// Copies the rules of the light theme into a media query, so that they also apply if the user chose no theme and the
/// device has a light one. The source file has these rules only once.
fn copy_light_theme_for_devices(css: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    const LIGHT_THEME_START: &str = ":root[data-theme=\"light\"]{";
    let (before, from_rules) = css.split_once(LIGHT_THEME_START).ok_or("there is no light theme")?;
    let (rules, after) = from_rules.split_once('}').ok_or("the light theme has no end")?;
    let device = format!("@media (prefers-color-scheme:light){{:root:not([data-theme=\"dark\"]){{{rules}}}}}");
    Ok(format!("{before}{LIGHT_THEME_START}{rules}}}{device}{after}").into_bytes())
}

/// Adds a bright dot to the icon of the site. Tabs show it while it is the player's turn.
fn mark(icon: &str) -> Result<String, Box<dyn Error>> {
    const DOT: &str = r##"<circle cx="48" cy="16" r="14" fill="#ffd768" stroke="#0a1030" stroke-width="4"/></svg>"##;
    let drawing = icon.trim_end().strip_suffix("</svg>").ok_or("the icon does not end with </svg>")?;
    Ok(format!("{drawing}{DOT}"))
}

/// Compresses an asset with Brotli at the highest level, which is slow but done only once.
fn compress(plain: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut brotli = Vec::new();
    let params = brotli::enc::BrotliEncoderParams { quality: 11, ..Default::default() };
    brotli::BrotliCompress(&mut &plain[..], &mut brotli, &params)?;
    Ok(brotli)
}
