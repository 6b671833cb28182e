//! The frame of all pages: head, bar, footer.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use sultan_text::{Lang, Text};

use super::art::draw;
use crate::assets::{ICON, PREVIEW, SCRIPT, SPRITE, STYLE, TURN_ICON};
use crate::display::{DEVICE_THEME, DisplaySettings, THEMES};

/// The paces of animations, each with the key of its label.
const PACES: [(&str, &str); 3] = [("calm", "pace-calm"), ("brisk", "pace-brisk"), ("instant", "pace-instant")];

/// The content of a page.
pub(crate) struct Page {
    /// The title of the browser tab.
    pub(crate) title: String,
    /// The class of the `body` element, by which the style sheet and the script recognize the page.
    pub(crate) body_class: &'static str,
    /// The content of the bar, beside the name of the site.
    pub(crate) bar: Markup,
    /// The `main` element.
    pub(crate) body: Markup,
    /// The description in link previews.
    pub(crate) description: String,
}

impl Page {
    /// A page with an empty bar. The title of the browser tab is `title` with the name of the game added.
    pub(crate) fn new(body_class: &'static str, title: &str, description: String, body: Markup) -> Self {
        Self { title: format!("{title} · Sultan"), body_class, bar: html! {}, body, description }
    }
}

/// A table that may be wider than the screen. It can be focused, so that it scrolls with the keyboard too. It is no
/// landmark (such as a region), because the section around it often has the same name.
pub(crate) fn wide_table(label: &str, headings: &[String], rows: &Markup) -> Markup {
    html! {
        div.wide role="group" aria-label=(label) tabindex="0" {
            table {
                thead { tr { @for heading in headings { th scope="col" { (heading) } } } }
                tbody { (rows) }
            }
        }
    }
}

/// The messages with these keys, as the items of a list.
pub(crate) fn items(text: Text, keys: &[&str]) -> Markup {
    html! { @for key in keys { li { (text.say(key)) } } }
}

/// The whole page.
pub(crate) fn page(display: &DisplaySettings, page: &Page) -> Markup {
    let text = display.text;
    html! {
        (DOCTYPE)
        // Without `data-theme`, the style sheet follows the device.
        html lang=(text.lang().code()) data-theme=[Some(display.theme).filter(|theme| *theme != DEVICE_THEME)] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                title { (page.title) }
                meta name="description" content=(page.description);
                // Forms send their origin to this site; other sites get no referrer.
                meta name="referrer" content="same-origin";
                meta name="theme-color" content="#0d1533";
                meta property="og:title" content=(page.title);
                meta property="og:description" content=(page.description);
                meta property="og:type" content="website";
                // Messengers want an absolute address and the format PNG. The picture is the same for all pages, so it
                // shows nothing about a table.
                @if !display.origin.is_empty() {
                    meta property="og:image" content=(format!("{}{PREVIEW}", display.origin));
                    meta name="twitter:card" content="summary_large_image";
                }
                // The script exchanges the icon in a hidden tab, when it is the player's turn.
                link rel="icon" type="image/svg+xml" href=(ICON) data-turn=(TURN_ICON);
                link rel="apple-touch-icon" href=(ICON);
                link rel="manifest" href="/manifest.webmanifest";
                link rel="stylesheet" href=(STYLE);
                script type="module" src=(SCRIPT) {}
            }
            body.(page.body_class) {
                (PreEscaped(SPRITE))
                a.skip href="#main" { (text.say("skip")) }
                header.bar {
                    a.brand href="/" aria-label=(text.labelled("Sultan", &text.say("problem-home"))) { (draw("star", "brand-mark")) span { "Sultan" } }
                    (page.bar)
                    (settings(display))
                }
                (page.body)
                p #announce .visually-hidden role="status" aria-live="polite" {}
            }
        }
    }
}

/// The choice of a pace for the script's animations. The script remembers it in the browser.
pub(crate) fn pace_choice(text: Text) -> Markup {
    html! {
        fieldset.needs-script {
            legend { (text.say("settings-pace")) }
            div.seg {
                @for (pace, label) in PACES {
                    label { input type="radio" name="pace" value=(pace); (text.say(label)) }
                }
            }
        }
    }
}

/// The menu for language, theme, pace and sound.
fn settings(display: &DisplaySettings) -> Markup {
    let text = display.text;
    html! {
        details.settings #settings {
            summary title=(text.say("settings")) {
                (draw("icon-gear", "icon"))
                span.visually-hidden { (text.labelled(&text.say("settings"), "")) }
                span.code { (text.lang().code()) }
            }
            form.panel method="post" action="/settings" {
                input type="hidden" name="to" value=(display.return_path());
                fieldset { legend { (text.say("settings-language")) }
                    @for lang in Lang::ALL {
                        button type="submit" name="lang" value=(lang.code()) lang=(lang.code())
                            aria-pressed=(lang == text.lang()) { (lang.name()) }
                    }
                }
                fieldset { legend { (text.say("settings-theme")) }
                    @for (theme, label) in THEMES {
                        button type="submit" name="theme" value=(theme) aria-pressed=(theme == display.theme) { (text.say(label)) }
                    }
                }
                (pace_choice(text))
                // The state is also visible as text; screen readers get it from the role.
                button #sound .switch.needs-script type="button" role="switch" aria-checked="true" {
                    (draw("icon-sound", "icon")) (text.say("settings-sound"))
                    span.state aria-hidden="true" data-on=(text.say("sound-on")) data-off=(text.say("sound-off")) { (text.say("sound-on")) }
                    span.track aria-hidden="true" {}
                }
            }
        }
    }
}
