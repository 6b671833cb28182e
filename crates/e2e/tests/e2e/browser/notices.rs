//! Notices: the turn of a player in a hidden tab, the switch for sound, and messages above the table.

use anyhow::{Context, Result, ensure};
use sultan_e2e::browser::{Device, User};
use sultan_testkit::FastRng;
use sultan_testkit::http::{Connection, field, random_legal};

use super::setup::{TestSetup, table_of};

/// A JavaScript expression: counts the tones that the page plays from now on.
const COUNT_TONES: &str = "(() => { window.tones = 0; const create = AudioContext.prototype.createOscillator; \
     AudioContext.prototype.createOscillator = function () { window.tones++; return create.call(this); }; return true; })()";

/// Hides or shows the page, as if the user changed to another tab and back.
async fn set_hidden(user: &User, hidden: bool) -> Result<()> {
    let script = format!(
        "Object.defineProperty(document, 'hidden', {{ configurable: true, get: () => {hidden} }}), \
         document.dispatchEvent(new Event('visibilitychange'))"
    );
    user.evaluate::<bool>(&script).await?;
    Ok(())
}

/// Waits until the tab has this icon: `icon`, or `turn` with a mark.
async fn wait_for_icon(user: &User, name: &str) -> Result<()> {
    let has_icon = format!("document.querySelector('link[rel=icon]').getAttribute('href').startsWith('/a/{name}.')");
    user.wait_until(&has_icon).await.with_context(|| format!("the tab does not get the icon {name}"))
}

/// Sets the switch for sound. The settings must be open.
async fn switch_sound(user: &User, on: bool) -> Result<()> {
    user.click("#sound").await?;
    user.find(&format!("#sound[aria-checked='{on}']")).await?;
    Ok(())
}

pub(crate) async fn turn_in_a_hidden_tab_is_seen_and_heard() -> Result<()> {
    let setup = TestSetup::open().await?;
    let mut connection = Connection::open(setup.server.address).await?;
    let mut ask = async |method: &str, path: &str, token: Option<&str>, body: &str| -> Result<String> {
        Ok(connection.ask(method, &format!("/api/v1/tables{path}"), token, body).await?.body)
    };
    let field_of = |answer: &str, name: &str| {
        field(answer, name).map(ToOwned::to_owned).with_context(|| format!("no {name} in {answer}"))
    };
    let opened = ask("POST", "", None, r#"{"players":2,"first_seat":1,"name":"Ana"}"#).await?;
    let table = field_of(&opened, "table")?;
    let ana_token = field_of(&opened, "token")?;
    let bo_token = field_of(&ask("POST", &format!("/{table}/seats"), None, r#"{"name":"Bo"}"#).await?, "token")?;
    let mut act = async |token: &str, at: u32| -> Result<()> {
        let view = ask("GET", &format!("/{table}"), Some(token), "").await?;
        let action = random_legal(&view, &mut FastRng::new(1))?;
        let body = format!(r#"{{"action":"{action}","at":{at}}}"#);
        ask("POST", &format!("/{table}/actions"), Some(token), &body).await?;
        Ok(())
    };
    let ana = setup.browser.new_user(Device { prefers_reduced_motion: true, ..Device::DESKTOP }).await?;
    ana.goto(&setup.url(&format!("/t/{table}/in/{ana_token}"))).await?;
    // The switch is on at first, and remembered.
    ana.click("#settings > summary").await?;
    switch_sound(&ana, false).await?;
    ana.goto(&setup.url(&format!("/t/{table}"))).await?;
    ana.click("#settings > summary").await?;
    ana.find("#sound[aria-checked='false']").await.context("the switch is forgotten")?;
    switch_sound(&ana, true).await?;
    ana.evaluate::<bool>(COUNT_TONES).await?;

    set_hidden(&ana, true).await?;
    act(&bo_token, 0).await?;
    wait_for_icon(&ana, "icon").await?;
    act(&bo_token, 1).await?;
    ana.wait_until("document.title.startsWith('●')").await?;
    wait_for_icon(&ana, "turn").await?;
    ana.wait_until("window.tones === 2").await.context("the turn is not heard in a hidden tab")?;
    set_hidden(&ana, false).await?;
    wait_for_icon(&ana, "icon").await?;
    set_hidden(&ana, true).await?;
    wait_for_icon(&ana, "turn").await?;
    act(&ana_token, 2).await?;
    wait_for_icon(&ana, "icon").await?;
    ana.check_log(&setup.authority())?;
    setup.close().await
}

/// A JavaScript expression: the seats, cards and button that a notice covers, after it has been shown with a long text.
///
/// The page follows a change of the window's size within two frames; before, its sizes belong to different windows.
const COVERED: &str = "(async () => { \
     for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame); \
     document.querySelector('#choice').requestSubmit(); \
     const toast = document.querySelector('#toast'); \
     toast.textContent = 'This number is much longer than the longest message of the server, but nothing important may be covered by it. Try again: nothing will happen twice.'; \
     const offline = document.createElement('p'); \
     offline.className = 'offline'; \
     offline.textContent = 'La connexion est perdue, et sera bientôt rétablie. Nouvel essai…'; \
     document.body.append(offline); \
     const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; \
     const boxes = [toast, offline].map((notice) => notice.getBoundingClientRect()); \
     const covered = [...document.querySelectorAll('.seat, #own .card, .confirm')] \
         .filter((part) => boxes.some((box) => covers(box, part.getBoundingClientRect()))); \
     offline.remove(); \
     return boxes.some((box) => !box.height) ? ['no notice is visible'] : covered.map((part) => part.outerHTML.slice(0, 80)); })()";

pub(crate) async fn notices_cover_no_seat_card_or_button() -> Result<()> {
    let setup = TestSetup::open().await?;
    let device = Device { prefers_reduced_motion: true, ..Device::DESKTOP };
    let mut faults = Vec::new();
    for bots in [1, 4] {
        let user = setup.new_visitor(device).await?;
        user.click(&format!("#play label:has(input[name=bots][value='{bots}'])")).await?;
        user.click("#play button[type=submit]").await?;
        user.find("#confirm").await?;
        // Before the script runs, the browser itself would submit the form.
        user.find("html.js").await?;
        let table = table_of(&user.url().await?)?;
        for (width, height) in [(320, 568), (375, 667), (568, 320), (768, 1024), (844, 390), (1280, 800), (1920, 1080)]
        {
            user.set_device(Device { width, height, ..device }).await?;
            let covered: Vec<String> = user.evaluate(COVERED).await?;
            faults.extend(covered.into_iter().map(|part| format!("{table}, {width}×{height}: {part}")));
        }
    }
    ensure!(faults.is_empty(), "notices cover parts of the table: {faults:#?}");
    setup.close().await
}
