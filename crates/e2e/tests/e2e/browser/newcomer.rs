//! Pages for new players: no text is cut off, and no prompt is shown for a finished action.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use sultan_e2e::browser::{Device, Engine, User};
use tokio::time::sleep;

use super::play::{ActionInput, ClickInput, Prompt, play_out, prompt};
use super::setup::{TestSetup, table_of};

/// A small phone.
const SMALL_PHONE: Device = Device { width: 360, height: 740, ..Device::PHONE };

/// A JavaScript expression: the visible texts below the hand.
const TEXTS_BELOW_HAND: &str = "[...document.querySelectorAll('.confirm > *')]\
    .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))\
    .map((element) => element.textContent.trim())";

/// A JavaScript expression: the number of cards that lie face down but show a part of their face in the middle.
const FACES_OF_CARDS_FACE_DOWN: &str = "[...document.querySelectorAll('.reveal .flip:not(.is-up)')].filter((card) => { \
    const box = card.getBoundingClientRect(); \
    const shown = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2); \
    return shown.some((element) => card.contains(element) && element.closest('.face')); }).length";

pub(crate) async fn reveal_shows_no_prompt_and_no_card_before_its_turn(engine: Engine) -> Result<()> {
    let setup = TestSetup::open_in(engine).await?;
    for device in [SMALL_PHONE, Device { has_view_transitions: false, ..Device::DESKTOP }] {
        let user = setup.new_player(device).await?;
        // The last bid of a round is sometimes from a bot and sometimes from this player.
        for _ in 0..3 {
            play_until_reveal(&user).await?;
            let (texts, status): (Vec<String>, String) =
                user.evaluate(&format!("[{TEXTS_BELOW_HAND}, document.querySelector('#status').textContent]")).await?;
            let visible_faces: u32 = user.evaluate(FACES_OF_CARDS_FACE_DOWN).await?;
            ensure!(visible_faces == 0, "the faces of {visible_faces} cards are visible before they are turned up");
            ensure!(texts == ["All cards are turned up."], "during a reveal the page shows {texts:?}");
            // "Stage 1, round 1", or "Ana takes the red jewel".
            ensure!(status.contains("round") || status.contains("take"), "during a reveal the status is “{status}”");
            user.wait_until("!document.querySelector('.reveal')").await?;
            let texts: Vec<String> = user.evaluate(TEXTS_BELOW_HAND).await?;
            ensure!(
                texts.len() == 1 && texts != ["All cards are turned up."],
                "after a reveal the page shows {texts:?}"
            );
        }
        user.check_log(&setup.authority())?;
    }
    setup.close().await
}

/// Plays until the cards of a round are turned up.
async fn play_until_reveal(user: &User) -> Result<()> {
    let deadline = Instant::now() + Duration::from_mins(1);
    while !user.has(".is-playing").await {
        ensure!(Instant::now() < deadline, "no cards were turned up within a minute");
        if let Ok((current @ (Prompt::Offer | Prompt::Bid), at)) = prompt(user).await {
            // The page may have changed or not be ready; the loop tries again.
            let _ = ClickInput.act(user, current, at).await;
        }
        sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// A JavaScript expression: the overflow of the guide's text in pixels, the height of the board in pixels, and the
/// text.
const GUIDE_TEXT: &str = "(() => { const text = document.querySelector('#guide .said'); \
    return [text.scrollHeight - text.clientHeight, document.querySelector('#board').clientHeight, text.textContent]; })()";

pub(crate) async fn guide_text_fits_on_a_phone() -> Result<()> {
    let setup = TestSetup::open().await?;
    for lang in ["en", "de", "fr", "nl", "hu"] {
        let user = setup.browser.new_user(Device { lang, prefers_reduced_motion: true, ..SMALL_PHONE }).await?;
        user.goto(&setup.url("/learn")).await?;
        user.click("main form button").await?;
        let (mut rounds, mut last_action_at) = (0, None);
        // The texts of the first stage are the longest.
        while rounds < 5 {
            sleep(Duration::from_millis(30)).await;
            let Ok((current @ (Prompt::Offer | Prompt::Bid), at)) = prompt(&user).await else { continue };
            if last_action_at == Some(at) || user.has(".reveal").await {
                continue;
            }
            let (overflow, board_height, text): (f64, f64, String) = user.evaluate(GUIDE_TEXT).await?;
            ensure!(overflow <= 1.0, "in {lang} the text is cut by {overflow} pixels: {text}");
            ensure!(board_height >= 150.0, "in {lang} the board is only {board_height} pixels high beside: {text}");
            if ClickInput.act(&user, current, at).await.is_ok() {
                last_action_at = Some(at);
                rounds += u32::from(current == Prompt::Bid);
            }
        }
        user.check_log(&setup.authority())?;
    }
    setup.close().await
}

/// A JavaScript expression: the elements that are not completely inside the window.
const OUTSIDE_WINDOW: &str = "['#eyes', '#to-first', '#to-last', '#slider', '#seats', '#board', '#own'].filter((selector) => { \
    const element = document.querySelector(selector); if (!element) return false; const box = element.getBoundingClientRect(); \
    return box.top < 0 || box.left < 0 || box.right > innerWidth || box.bottom > innerHeight; })";

/// A JavaScript expression: the parts of a replay on a phone that are outside of the window or below the controls.
const HIDDEN_ON_A_PHONE: &str = "['#happened', '#board', '#to-first', '#play', '#to-last', '#slider', '#when'].filter((selector) => { \
    const [box, controls] = [selector, '#steps'].map((part) => document.querySelector(part).getBoundingClientRect()); \
    const isCovered = selector.match('happened|board') && box.bottom > controls.top; \
    return isCovered || box.top < 0 || box.left < 0 || box.right > innerWidth || box.bottom > innerHeight; })";

pub(crate) async fn replay_fits_on_desktop_and_phone() -> Result<()> {
    let setup = TestSetup::open().await?;
    let device = Device { width: 1280, height: 800, prefers_reduced_motion: true, ..Device::DESKTOP };
    let user = setup.new_player(device).await?;
    play_out(&user, &ClickInput).await?;
    ensure!(user.text("#ranking").await?.contains("You"), "the ranking lacks the player");
    let table = table_of(&user.url().await?)?;
    for lang in ["en", "de", "fr", "nl", "hu"] {
        let reader = setup.browser.new_user(Device { lang, ..device }).await?;
        for eyes in ["0", "all"] {
            reader.goto(&setup.url(&format!("/t/{table}/replay?at=21&eyes={eyes}"))).await?;
            reader.find("#replay #board").await.context("the board is missing")?;
            let outside: Vec<String> = reader.evaluate(OUTSIDE_WINDOW).await?;
            ensure!(outside.is_empty(), "outside of the window ({lang}, eyes={eyes}): {outside:?}");
        }
        reader.set_device(Device { width: 375, height: 667, lang, ..Device::PHONE }).await?;
        // The start, a bid, and the end of a round.
        for query in ["at=0&eyes=0", "at=21&eyes=all", "at=20&eyes=0", "at=20&eyes=all"] {
            reader.goto(&setup.url(&format!("/t/{table}/replay?{query}"))).await?;
            reader.find("#replay #board").await.context("the board is missing")?;
            let hidden: Vec<String> = reader.evaluate(HIDDEN_ON_A_PHONE).await?;
            ensure!(hidden.is_empty(), "not visible on a phone ({lang}, {query}): {hidden:?}");
        }
        reader.check_log(&setup.authority())?;
    }
    setup.close().await
}
