//! The site under test, without limits unless a test sets them.

use std::collections::BTreeMap;
use std::time::Duration;

use sultan_pages::app;
use sultan_server::{AppState, Config};
use sultan_table::Settings;
pub(crate) use sultan_testkit::site::{Answer, PreparedRequest, SeatedPlayer, Site};

/// A site with bots that act at once.
pub(crate) async fn new() -> Site {
    with_config(unlimited_config()).await
}

/// A configuration without rate limits.
pub(crate) fn unlimited_config() -> Config {
    Config { rate_limits: None, ..Config::default() }
}

/// A site with bots that act at once, and this configuration.
pub(crate) async fn with_config(config: Config) -> Site {
    with_settings(Settings { bot_pause: Duration::ZERO, ..Settings::default() }, config).await
}

/// A site with these settings of its tables, and this configuration.
pub(crate) async fn with_settings(settings: Settings, config: Config) -> Site {
    Site::start(settings, async |service| app(AppState::new(service, config).await.unwrap())).await
}

/// The `main` element of a page.
pub(crate) fn main_element(page: &str) -> &str {
    let start = page.find("<main").unwrap_or_else(|| panic!("no main element: {page}"));
    page[start..].split("</main>").next().unwrap()
}

/// The texts of a page in different languages.
#[derive(Default)]
pub(crate) struct Translations(BTreeMap<String, &'static str>);

impl Translations {
    /// Adds a text and asserts that no other language has the same text, which would be an untranslated page.
    pub(crate) fn add(&mut self, lang: &'static str, text: &str) {
        if let Some(other_lang) = self.0.insert(text.to_owned(), lang) {
            panic!("{lang} and {other_lang} have the same text: {text}");
        }
    }
}
