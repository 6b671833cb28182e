//! The messages of all languages, parsed once.

use std::sync::OnceLock;

use fluent_bundle::FluentResource;
use fluent_bundle::concurrent::FluentBundle;
use unic_langid::LanguageIdentifier;

use crate::Lang;

pub(crate) type Bundle = FluentBundle<FluentResource>;

/// The messages of a language.
pub(crate) fn bundle(lang: Lang) -> &'static Bundle {
    static BUNDLES: [OnceLock<Bundle>; Lang::ALL.len()] = [const { OnceLock::new() }; Lang::ALL.len()];
    BUNDLES[lang as usize].get_or_init(|| read(lang))
}

fn read(lang: Lang) -> Bundle {
    let id: LanguageIdentifier = lang.code().parse().expect("two letters are a language");
    let mut bundle = Bundle::new_concurrent(vec![id]);
    // No Unicode direction marks around variables: none of the languages needs them, and tests compare texts.
    bundle.set_use_isolating(false);
    for file in lang.catalogue() {
        let resource = FluentResource::try_new(kept_together(file))
            .unwrap_or_else(|(_, errors)| panic!("a catalogue of {} is faulty: {errors:?}", lang.code()));
        if let Err(errors) = bundle.add_resource(resource) {
            panic!("a catalogue of {} is faulty: {errors:?}", lang.code());
        }
    }
    bundle
}

/// Inserts no-break spaces and hyphens, so that no line breaks before spaced punctuation (as in French) or within a
/// name. Catalogues are written with plain spaces and hyphens.
fn kept_together(file: &str) -> String {
    let after = [" :", " ;", " !", " ?", " …", " »"];
    let file = after.iter().fold(file.to_owned(), |file, sign| file.replace(sign, &sign.replace(' ', "\u{a0}")));
    file.replace("« ", "«\u{a0}").replace("± ", "±\u{a0}").replace("SHA-256", "SHA\u{2011}256")
}
