//! Whole games of one player against bots.

use anyhow::{Context, Result, ensure};
use sultan_e2e::browser::{Device, Engine, User};

use super::play::{ActionInput, ClickInput, Prompt, play_out, prompt};
use super::setup::TestSetup;

/// The minimum number of actions of a seat in a game of four: a bid in each of the 15 rounds, and an offer in every
/// fourth round.
const MIN_ACTIONS: u32 = 15 + 3;

/// Plays a game against three bots and checks that the page shows a winner and reports no errors.
async fn play_game(engine: Engine, device: Device, input: &impl ActionInput) -> Result<()> {
    let setup = TestSetup::open_in(engine).await?;
    let user = setup.new_player(device).await?;
    let action_count = play_out(&user, input).await?;
    ensure!(action_count >= MIN_ACTIONS, "the player took only {action_count} actions");
    // The page may still be loading.
    user.find("#end #triumph").await.context("no winner is shown")?;
    user.check_log(&setup.authority())?;
    setup.close().await
}

pub(crate) async fn one_player_against_bots() -> Result<()> {
    play_game(Engine::Chromium, Device::DESKTOP, &ClickInput).await
}

pub(crate) async fn game_on_a_phone() -> Result<()> {
    play_game(Engine::Chromium, Device { prefers_reduced_motion: true, ..Device::PHONE }, &ClickInput).await
}

pub(crate) async fn game_without_javascript(engine: Engine) -> Result<()> {
    play_game(engine, Device { has_javascript: false, ..Device::DESKTOP }, &ClickInput).await
}

/// Acts by keyboard only.
struct KeyboardInput;

impl ActionInput for KeyboardInput {
    async fn act(&self, user: &User, prompt: Prompt, _: u32) -> Result<()> {
        let has_focus = |name: &str| format!("document.activeElement?.name === '{name}'");
        let name = if prompt == Prompt::Offer { "back" } else { "card" };
        tab_to(user, &has_focus(name)).await?;
        user.press("ArrowRight").await?;
        if prompt == Prompt::Bid {
            // The number keys choose cushions; the key of a cushion that is not allowed has no effect.
            for number in ["1", "2", "3"] {
                user.press(number).await?;
            }
        }
        user.press("Enter").await
    }
}

/// Presses Tab until the expression, which tests the focused element, is true.
pub(crate) async fn tab_to(user: &User, expression: &str) -> Result<()> {
    for _ in 0..80 {
        if user.evaluate::<bool>(expression).await.unwrap_or(false) {
            return Ok(());
        }
        user.press("Tab").await?;
    }
    anyhow::bail!("80 presses of Tab do not make “{expression}” true")
}

pub(crate) async fn game_by_keyboard(engine: Engine) -> Result<()> {
    let setup = TestSetup::open_in(engine).await?;
    let user = setup.new_visitor(Device { prefers_reduced_motion: true, ..Device::DESKTOP }).await?;
    tab_to(&user, "!!document.activeElement?.closest('#play') && document.activeElement.type === 'submit'").await?;
    user.press("Enter").await?;
    user.find("main#table").await?;
    let action_count = play_out(&user, &KeyboardInput).await?;
    ensure!(action_count >= MIN_ACTIONS, "the player took only {action_count} actions");
    user.check_log(&setup.authority())?;
    setup.close().await
}

/// Acts by dragging cards or jewels onto cushions, then clicking the button.
struct DragInput;

impl ActionInput for DragInput {
    async fn act(&self, user: &User, prompt: Prompt, at: u32) -> Result<()> {
        if prompt == Prompt::Offer {
            // Not in the order of drawing: the first drawn jewel is dragged onto the third cushion, and so on.
            for (jewel, cushion) in [(1, 3), (2, 1), (3, 2)] {
                user.drag(&format!(".drawn li:nth-child({jewel}) label"), &format!("#cushion-{cushion}")).await?;
            }
        } else {
            user.drag("#own .card:first-child", &format!("#cushion-{}", 1 + at % 3)).await?;
        }
        user.click("#confirm").await
    }
}

pub(crate) async fn game_by_dragging(engine: Engine) -> Result<()> {
    play_game(engine, Device { prefers_reduced_motion: true, ..Device::DESKTOP }, &DragInput).await
}

/// If the WebSocket is blocked, the page falls back to polling and still announces changes.
pub(crate) async fn game_without_a_websocket() -> Result<()> {
    let setup = TestSetup::open().await?;
    let user = setup.new_visitor(Device { prefers_reduced_motion: true, ..Device::DESKTOP }).await?;
    let no_websocket = "window.WebSocket = class { constructor() { throw new Error(); } };";
    user.run_before_pages(no_websocket).await?;
    user.click("#play button[type=submit]").await?;
    user.find("main#table").await?;
    user.wait_until("!!document.querySelector('#confirm')").await?;
    let (current, at) = prompt(&user).await?;
    ClickInput.act(&user, current, at).await?;
    user.wait_until("document.querySelector('#announce').textContent !== ''").await?;
    user.check_log(&setup.authority())?;
    setup.close().await
}

pub(crate) async fn table_is_translated() -> Result<()> {
    let setup = TestSetup::open().await?;
    // Some words are without their first letter, which may be a capital.
    for (lang, word) in [("en", "Stage"), ("de", "Durchgang"), ("fr", "anche"), ("nl", "oorgang"), ("hu", "enet")] {
        let user = setup.new_player(Device { lang, ..Device::PHONE }).await?;
        user.find(&format!("html[lang={lang}]"))
            .await
            .with_context(|| format!("the page is not in the language {lang}"))?;
        let clock = user.text("#clock").await?;
        ensure!(clock.contains(word), "the clock in {lang} lacks “{word}”: “{clock}”");
        user.check_log(&setup.authority())?;
    }
    setup.close().await
}
