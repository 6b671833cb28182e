//! Whole games of one player against bots.

use anyhow::{Context, Result, ensure};
use sultan_e2e::browser::{Look, Person};

use super::hall::Hall;
use super::play::{Act, ByClicks, Waits, play_out, waits};

/// The minimum number of actions of a seat in a game of four: a bid in each of the 15 rounds, and every fourth offer.
const AT_LEAST: u32 = 15 + 3;

async fn a_game(look: Look, by: &impl Act) -> Result<()> {
    let hall = Hall::open().await?;
    let person = hall.player(look).await?;
    let own = play_out(&person, by).await?;
    ensure!(own >= AT_LEAST, "only {own} actions");
    // The page may still be loading.
    person.find("#end #triumph").await.context("no winner is shown")?;
    person.all_well(&hall.home())?;
    hall.close().await
}

pub(crate) async fn one_person_against_bots() -> Result<()> {
    a_game(Look::DESKTOP, &ByClicks).await
}

pub(crate) async fn on_a_phone() -> Result<()> {
    a_game(Look { calm: true, ..Look::PHONE }, &ByClicks).await
}

pub(crate) async fn without_a_script() -> Result<()> {
    a_game(Look { script: false, ..Look::DESKTOP }, &ByClicks).await
}

/// Acts by keyboard only.
struct ByKeys;

impl Act for ByKeys {
    async fn act(&self, person: &Person, waits: Waits, _: u32) -> Result<()> {
        let focused = |name: &str| format!("document.activeElement?.name === '{name}'");
        let name = if waits == Waits::Offer { "back" } else { "card" };
        tab_to(person, &focused(name)).await?;
        person.press("ArrowRight").await?;
        if waits == Waits::Bid {
            // The number keys choose cushions; the key of a cushion that is not allowed has no effect.
            for number in ["1", "2", "3"] {
                person.press(number).await?;
            }
        }
        person.press("Enter").await
    }
}

/// Presses Tab until the expression, which tests the focused element, is true.
pub(crate) async fn tab_to(person: &Person, expression: &str) -> Result<()> {
    for _ in 0..80 {
        if person.ask::<bool>(expression).await.unwrap_or(false) {
            return Ok(());
        }
        person.press("Tab").await?;
    }
    anyhow::bail!("Tab does not lead to “{expression}”")
}

pub(crate) async fn by_keyboard_alone() -> Result<()> {
    let hall = Hall::open().await?;
    let person = hall.guest(Look { calm: true, ..Look::DESKTOP }).await?;
    tab_to(&person, "!!document.activeElement?.closest('#play') && document.activeElement.type === 'submit'").await?;
    person.press("Enter").await?;
    person.find("main#table").await?;
    let own = play_out(&person, &ByKeys).await?;
    ensure!(own >= AT_LEAST, "only {own} actions");
    person.all_well(&hall.home())?;
    hall.close().await
}

/// Acts by dragging cards or jewels onto cushions, then clicking the button.
struct ByDragging;

impl Act for ByDragging {
    async fn act(&self, person: &Person, waits: Waits, at: u32) -> Result<()> {
        if waits == Waits::Offer {
            // Changes the order: the first drawn jewel onto the third cushion, and so on.
            for (jewel, cushion) in [(1, 3), (2, 1), (3, 2)] {
                person.drag(&format!(".drawn li:nth-child({jewel}) label"), &format!("#cushion-{cushion}")).await?;
            }
        } else {
            person.drag("#own .card:first-child", &format!("#cushion-{}", 1 + at % 3)).await?;
        }
        person.click("#confirm").await
    }
}

pub(crate) async fn by_dragging() -> Result<()> {
    a_game(Look { calm: true, ..Look::DESKTOP }, &ByDragging).await
}

/// If the WebSocket is blocked, the page falls back to polling and still announces changes.
pub(crate) async fn without_a_socket() -> Result<()> {
    let hall = Hall::open().await?;
    let person = hall.guest(Look { calm: true, ..Look::DESKTOP }).await?;
    let none = "window.WebSocket = class { constructor() { throw new Error(); } };";
    person.page().evaluate_on_new_document(none).await?;
    person.click("#play button[type=submit]").await?;
    person.find("main#table").await?;
    person.until("!!document.querySelector('#confirm')").await?;
    let (wanted, at) = waits(&person).await?;
    ByClicks.act(&person, wanted, at).await?;
    person.until("document.querySelector('#announce').textContent !== ''").await?;
    person.all_well(&hall.home())?;
    hall.close().await
}

pub(crate) async fn each_language_has_its_table() -> Result<()> {
    let hall = Hall::open().await?;
    for (lang, word) in [("en", "Stage"), ("de", "Durchgang"), ("fr", "anche"), ("nl", "oorgang"), ("hu", "enet")] {
        let person = hall.player(Look { lang, ..Look::PHONE }).await?;
        person.find(&format!("html[lang={lang}]")).await.context("another language")?;
        let clock = person.text("#clock").await?;
        ensure!(clock.contains(word), "{lang}: “{clock}”");
        person.all_well(&hall.home())?;
    }
    hall.close().await
}
