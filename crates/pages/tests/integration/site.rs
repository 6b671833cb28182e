//! The site under test, without limits unless a test sets them.

use std::collections::BTreeMap;
use std::time::Duration;

use sultan_pages::app;
use sultan_server::{AppState, Config};
use sultan_table::Settings;
pub(crate) use sultan_testkit::site::{Answer, Ask, Own, Site};

/// A site with bots that act at once.
pub(crate) async fn new() -> Site {
    with(Config { rate_limits: None, ..Config::default() }).await
}

pub(crate) async fn with(config: Config) -> Site {
    on(Settings { bot_pause: Duration::ZERO, ..Settings::default() }, config).await
}

pub(crate) async fn on(settings: Settings, config: Config) -> Site {
    Site::start(settings, async |service| app(AppState::new(service, config).await.unwrap())).await
}

/// The content of the `main` element.
pub(crate) fn main(page: &str) -> &str {
    let start = page.find("<main").unwrap_or_else(|| panic!("no main part: {page}"));
    page[start..].split("</main>").next().unwrap()
}

/// The texts of a page by language.
#[derive(Default)]
pub(crate) struct Told(BTreeMap<String, &'static str>);

impl Told {
    /// Adds a text and asserts that no other language has the same one: that would be an untranslated page.
    pub(crate) fn add(&mut self, lang: &'static str, text: &str) {
        if let Some(other) = self.0.insert(text.to_owned(), lang) {
            panic!("{lang} says what {other} says: {text}");
        }
    }
}
