//! Several players at one table.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use sultan_e2e::browser::{Device, Engine, User};
use sultan_testkit::FastRng;
use sultan_testkit::http::{Connection, Events, field, random_legal};
use tokio::time::sleep;

use super::play::{ActionInput, ClickInput, Prompt, play_out, prompt};
use super::setup::{TestSetup, table_of};

const REDUCED_MOTION: Device = Device { prefers_reduced_motion: true, ..Device::DESKTOP };

/// Opens a table for this number of players with the form for friends.
pub(crate) async fn open_table(user: &User, players: u8) -> Result<String> {
    user.click("#friends > summary").await?;
    user.click(&format!("#friends label:has(input[name=players][value='{players}'])")).await?;
    user.click("#friends button[type=submit]").await?;
    user.find("main[data-phase=waiting]").await?;
    table_of(&user.url().await?)
}

pub(crate) async fn two_browsers_play_a_whole_game() -> Result<()> {
    let setup = TestSetup::open().await?;
    let ana = setup.new_visitor(REDUCED_MOTION).await?;
    let table = open_table(&ana, 2).await?;
    let bo = setup.browser.new_user(Device { prefers_reduced_motion: true, lang: "de", ..Device::PHONE }).await?;
    bo.goto(&setup.url(&format!("/t/{table}"))).await?;
    bo.click("form[action$='/sit'] button[type=submit]").await?;
    for (name, user) in [("the guest", &bo), ("the host", &ana)] {
        user.find("main#table").await.with_context(|| format!("the game does not start for {name}"))?;
    }
    let (actions_of_ana, actions_of_bo) = tokio::join!(play_out(&ana, &ClickInput), play_out(&bo, &ClickInput));
    // Twelve rounds: each player makes two bids per round and six offers in all.
    ensure!(actions_of_ana? == 30 && actions_of_bo? == 30, "not every action was taken once");
    for user in [&ana, &bo] {
        user.check_log(&setup.authority())?;
    }
    setup.close().await
}

pub(crate) async fn absent_player_is_marked() -> Result<()> {
    let setup = TestSetup::open().await?;
    let ana = setup.new_visitor(REDUCED_MOTION).await?;
    let table = open_table(&ana, 2).await?;
    let bo = setup.browser.new_user(Device { prefers_reduced_motion: true, ..Device::PHONE }).await?;
    bo.goto(&setup.url(&format!("/t/{table}"))).await?;
    bo.click("form[action$='/sit'] button[type=submit]").await?;
    ana.find("main#table").await?;
    bo.find("main#table").await?;
    ensure!(!ana.has("#seats .gone").await, "a present player is marked as absent");
    bo.goto("about:blank").await?;
    ana.find("#seats .seat.gone .level").await.context("Bo is not marked as absent")?;
    ana.wait_until("document.querySelector('#log').textContent.includes('is away')").await?;
    // A reloaded page marks Bo at once.
    ana.goto(&setup.url(&format!("/t/{table}"))).await?;
    ensure!(ana.has("#seats .seat.gone").await, "Bo is not marked as absent on a new page");
    bo.goto(&setup.url(&format!("/t/{table}"))).await?;
    ana.wait_until("!document.querySelector('#seats .seat.gone')").await.context("Bo is still marked as absent")?;
    ana.check_log(&setup.authority())?;
    setup.close().await
}

/// The page delays the next turn while cards are turned up. The return of an absent player must not discard it.
pub(crate) async fn return_of_a_player_during_a_reveal_keeps_the_next_turn() -> Result<()> {
    let setup = TestSetup::open().await?;
    let mut connection = Connection::open(setup.server.address).await?;
    let mut ask = async |method: &str, path: &str, token: Option<&str>, body: &str| -> Result<String> {
        Ok(connection.ask(method, &format!("/api/v1/tables{path}"), token, body).await?.body)
    };
    let field_of = |answer: &str, name: &str| {
        field(answer, name).map(ToOwned::to_owned).with_context(|| format!("no {name} in {answer}"))
    };
    let opened = ask("POST", "", None, r#"{"players":3,"first_seat":2,"name":"Ana"}"#).await?;
    let table = field_of(&opened, "table")?;
    let mut tokens = vec![field_of(&opened, "token")?];
    for name in ["Bo", "Cy"] {
        let seated = ask("POST", &format!("/{table}/seats"), None, &format!(r#"{{"name":"{name}"}}"#)).await?;
        tokens.push(field_of(&seated, "token")?);
    }
    let ana = setup.browser.new_user(Device::DESKTOP).await?;
    ana.goto(&setup.url(&format!("/t/{table}/in/{}", tokens[0]))).await?;
    let connect_cy = async || -> Result<Events> {
        let mut events = Events::open(setup.server.address, &table, Some(&tokens[2]), None).await?;
        events.next().await?;
        Ok(events)
    };
    drop(connect_cy().await?);
    ana.find("#seat-2.gone").await?;
    // Cy's offer and bid, then the bids of Ana and Bo: the round is over, and Ana begins the next one.
    for (at, seat) in [2, 2, 0, 1].into_iter().enumerate() {
        let view = ask("GET", &format!("/{table}"), Some(&tokens[seat]), "").await?;
        let action = random_legal(&view, &mut FastRng::new(1))?;
        let body = format!(r#"{{"action":"{action}","at":{at}}}"#);
        ask("POST", &format!("/{table}/actions"), Some(&tokens[seat]), &body).await?;
    }
    let _cy_is_back = connect_cy().await?;
    ana.wait_until("!document.querySelector('#seats .seat.gone')").await?;
    ana.wait_until("document.querySelector('main').dataset.phase === 'offer'")
        .await
        .context("the page does not show the next round")?;
    ana.wait_until("document.querySelector('main').dataset.turn === 'true' && document.title.startsWith('●')").await?;
    ana.click(".drawn label").await.context("no jewel can be chosen")?;
    ana.click("#confirm").await.context("the offer cannot be confirmed")?;
    setup.close().await
}

pub(crate) async fn three_seats_share_one_browser() -> Result<()> {
    let setup = TestSetup::open().await?;
    let user = setup.new_visitor(REDUCED_MOTION).await?;
    user.click("#pass > summary").await?;
    user.click("#pass label:has(input[name=people][value='3'])").await?;
    user.click("#pass button[type=submit]").await?;
    let mut action_count = 0;
    loop {
        match user.find_any(&["#lift", "#confirm", "#end"]).await? {
            0 => {
                let html = user.html().await?;
                ensure!(!html.contains("data-card"), "the page hides the hand only with the curtain");
                user.click("#lift").await?;
            }
            1 => {
                let (prompt, at) = prompt(&user).await?;
                if matches!(prompt, Prompt::Offer | Prompt::Bid) && ClickInput.act(&user, prompt, at).await.is_ok() {
                    action_count += 1;
                    while super::play::prompt(&user).await.is_ok_and(|current| current == (prompt, at)) {
                        sleep(Duration::from_millis(30)).await;
                    }
                }
            }
            _ => break,
        }
    }
    // In 15 rounds, three bids and one offer each.
    ensure!(action_count == 15 * 4, "{action_count} actions were taken instead of {}", 15 * 4);
    user.check_log(&setup.authority())?;
    setup.close().await
}

pub(crate) async fn page_reconnects_after_a_server_restart(engine: Engine) -> Result<()> {
    let mut setup = TestSetup::open_in(engine).await?;
    let user = setup.new_player(REDUCED_MOTION).await?;
    // Play into the second round.
    let mut last_action_at = None;
    while last_action_at.is_none_or(|at| at < 7) {
        match prompt(&user).await {
            Ok((prompt @ (Prompt::Offer | Prompt::Bid), at)) if last_action_at != Some(at) => {
                if ClickInput.act(&user, prompt, at).await.is_ok() {
                    last_action_at = Some(at);
                }
            }
            _ => sleep(Duration::from_millis(30)).await,
        }
    }
    setup.server.kill().await?;
    user.wait_until("document.querySelector('#offline')?.hidden === false")
        .await
        .context("the lost connection is not shown")?;
    setup.server.restart().await?;
    user.wait_until("document.querySelector('#offline')?.hidden !== false")
        .await
        .context("the page does not reconnect")?;
    play_out(&user, &ClickInput).await?;
    setup.close().await
}

pub(crate) async fn spectator_receives_no_hidden_cards() -> Result<()> {
    let setup = TestSetup::open().await?;
    let player = setup.new_player(REDUCED_MOTION).await?;
    let table = table_of(&player.url().await?)?;
    let spectator = setup.browser.new_user(REDUCED_MOTION).await?;
    spectator.goto(&setup.url(&format!("/t/{table}"))).await?;
    spectator.find("main#table").await?;
    let width_share: f64 = spectator.evaluate("document.querySelector('#board').offsetWidth / innerWidth").await?;
    ensure!(width_share > 0.8, "the board has only {width_share} of the width of a spectator's window");
    let mut checked_pages = 0;
    while checked_pages < 12 {
        let Ok((current @ (Prompt::Offer | Prompt::Bid), at)) = prompt(&player).await else {
            sleep(Duration::from_millis(30)).await;
            continue;
        };
        ensure!(!spectator.has("#own .card").await && !spectator.has("#confirm").await, "a spectator has a hand");
        let html = spectator.html().await?;
        ensure!(!html.contains("data-card=") && !html.contains("name=\"card\""), "a hand is in the spectator's page");
        checked_pages += 1;
        if ClickInput.act(&player, current, at).await.is_ok() {
            while prompt(&player).await.is_ok_and(|later| later == (current, at)) {
                sleep(Duration::from_millis(30)).await;
            }
        }
    }
    // The hidden cards are not in any received message either.
    let log = spectator.log().clone();
    ensure!(!log.message_sizes.is_empty(), "the spectator received no messages");
    for text in &log.received {
        ensure!(!text.contains("data-card="), "a hand was sent to the spectator: {text}");
    }
    spectator.check_log(&setup.authority())?;
    setup.close().await
}
