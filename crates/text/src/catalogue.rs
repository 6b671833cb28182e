//! The messages of all languages, read once.

use std::sync::OnceLock;

use fluent_bundle::FluentResource;
use fluent_bundle::concurrent::FluentBundle;
use unic_langid::LanguageIdentifier;

use crate::Lang;

pub(crate) type Bundle = FluentBundle<FluentResource>;

/// All messages of a language.
pub(crate) fn bundle(lang: Lang) -> &'static Bundle {
    static BUNDLES: [OnceLock<Bundle>; Lang::ALL.len()] = [const { OnceLock::new() }; Lang::ALL.len()];
    BUNDLES[lang as usize].get_or_init(|| read(lang))
}

fn read(lang: Lang) -> Bundle {
    let id: LanguageIdentifier = lang.code().parse().expect("two letters are a language");
    let mut bundle = Bundle::new_concurrent(vec![id]);
    // Marks of direction around variables: none of the languages needs them, and texts are compared.
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

/// No line ends between a word and a sign that stands apart from it, as in French, or within a name: catalogues are written
/// with plain blanks and hyphens.
fn kept_together(file: &str) -> String {
    let after = [" :", " ;", " !", " ?", " …", " »"];
    let file = after.iter().fold(file.to_owned(), |file, sign| file.replace(sign, &sign.replace(' ', "\u{a0}")));
    file.replace("« ", "«\u{a0}").replace("± ", "±\u{a0}").replace("SHA-256", "SHA\u{2011}256")
}
