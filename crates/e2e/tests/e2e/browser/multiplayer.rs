//! Several players at one table.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use sultan_e2e::browser::{Look, Person};
use sultan_testkit::Quick;
use sultan_testkit::http::{Connection, Events, field, random_legal};
use tokio::time::sleep;

use super::hall::{Hall, table_of};
use super::play::{ByClicks, Waits, play_out, waits};

const CALM: Look = Look { calm: true, ..Look::DESKTOP };

/// Opens a table for this number of players with the form for friends.
pub(crate) async fn open(person: &Person, players: u8) -> Result<String> {
    person.click("#friends > summary").await?;
    person.click(&format!("#friends label:has(input[name=players][value='{players}'])")).await?;
    person.click("#friends button[type=submit]").await?;
    person.find("main[data-phase=waiting]").await?;
    table_of(&person.url().await?)
}

pub(crate) async fn two_browsers_against_each_other() -> Result<()> {
    let hall = Hall::open().await?;
    let ana = hall.guest(CALM).await?;
    let table = open(&ana, 2).await?;
    let bo = hall.browser.person(Look { calm: true, lang: "de", ..Look::PHONE }).await?;
    bo.goto(&hall.at(&format!("/t/{table}"))).await?;
    bo.click("form[action$='/sit'] button[type=submit]").await?;
    for (name, person) in [("the guest", &bo), ("the host", &ana)] {
        person.find("main#table").await.with_context(|| format!("the game does not begin by itself for {name}"))?;
    }
    let (first, second) = tokio::join!(play_out(&ana, &ByClicks), play_out(&bo, &ByClicks));
    // Twelve rounds: each player makes two bids per round and six offers in all.
    ensure!(first? == 30 && second? == 30, "not every action was made once");
    for person in [&ana, &bo] {
        person.all_well(&hall.home())?;
    }
    hall.close().await
}

pub(crate) async fn a_friend_who_vanishes_is_marked() -> Result<()> {
    let hall = Hall::open().await?;
    let ana = hall.guest(CALM).await?;
    let table = open(&ana, 2).await?;
    let bo = hall.browser.person(Look { calm: true, ..Look::PHONE }).await?;
    bo.goto(&hall.at(&format!("/t/{table}"))).await?;
    bo.click("form[action$='/sit'] button[type=submit]").await?;
    ana.find("main#table").await?;
    bo.find("main#table").await?;
    ensure!(!ana.has("#seats .gone").await, "everybody is there");
    bo.goto("about:blank").await?;
    ana.find("#seats .seat.gone .level").await.context("Bo is not marked as absent")?;
    ana.until("document.querySelector('#log').textContent.includes('is away')").await?;
    // A reloaded page shows it at once.
    ana.goto(&hall.at(&format!("/t/{table}"))).await?;
    ensure!(ana.has("#seats .seat.gone").await, "a new page does not show it");
    bo.goto(&hall.at(&format!("/t/{table}"))).await?;
    ana.until("!document.querySelector('#seats .seat.gone')").await.context("Bo is still marked as absent")?;
    ana.all_well(&hall.home())?;
    hall.close().await
}

/// The page delays the next turn while cards are turned up. The return of an absent player must not discard it.
pub(crate) async fn who_comes_while_cards_turn_up_leaves_the_turn_as_it_is() -> Result<()> {
    let hall = Hall::open().await?;
    let mut connection = Connection::open(hall.server.address).await?;
    let mut ask = async |method: &str, path: &str, token: Option<&str>, body: &str| -> Result<String> {
        Ok(connection.ask(method, &format!("/api/v1/tables{path}"), token, body).await?.body)
    };
    let told = |answer: &str, name: &str| field(answer, name).map(ToOwned::to_owned).context("no table");
    let opened = ask("POST", "", None, r#"{"players":3,"first_seat":2,"name":"Ana"}"#).await?;
    let table = told(&opened, "table")?;
    let mut tokens = vec![told(&opened, "token")?];
    for name in ["Bo", "Cy"] {
        let seated = ask("POST", &format!("/{table}/seats"), None, &format!(r#"{{"name":"{name}"}}"#)).await?;
        tokens.push(told(&seated, "token")?);
    }
    let ana = hall.browser.person(Look::DESKTOP).await?;
    ana.goto(&hall.at(&format!("/t/{table}/in/{}", tokens[0]))).await?;
    let cy = async || -> Result<Events> {
        let mut events = Events::open(hall.server.address, &table, Some(&tokens[2]), None).await?;
        events.next().await?;
        Ok(events)
    };
    drop(cy().await?);
    ana.find("#seat-2.gone").await?;
    // Cy's offer and bid, then the bids of Ana and Bo: the round is over, and Ana begins the next one.
    for (at, seat) in [2, 2, 0, 1].into_iter().enumerate() {
        let view = ask("GET", &format!("/{table}"), Some(&tokens[seat]), "").await?;
        let action = random_legal(&view, &mut Quick::new(1))?;
        let body = format!(r#"{{"action":"{action}","at":{at}}}"#);
        ask("POST", &format!("/{table}/actions"), Some(&tokens[seat]), &body).await?;
    }
    let _back = cy().await?;
    ana.until("!document.querySelector('#seats .seat.gone')").await?;
    ana.until("document.querySelector('main').dataset.phase === 'offer'").await.context("the page waits for a bid")?;
    ana.until("document.querySelector('main').dataset.turn === 'true' && document.title.startsWith('●')").await?;
    ana.click(".drawn label").await.context("no choice is possible")?;
    ana.click("#confirm").await.context("the button is disabled")?;
    hall.close().await
}

pub(crate) async fn three_seats_pass_and_play() -> Result<()> {
    let hall = Hall::open().await?;
    let person = hall.guest(CALM).await?;
    person.click("#pass > summary").await?;
    person.click("#pass label:has(input[name=people][value='3'])").await?;
    person.click("#pass button[type=submit]").await?;
    let mut own = 0;
    loop {
        match person.either(&["#lift", "#confirm", "#end"]).await? {
            0 => {
                let html = person.html().await?;
                ensure!(!html.contains("data-card"), "a hand is seen through the curtain");
                person.click("#lift").await?;
            }
            1 => {
                let (waits, at) = waits(&person).await?;
                if matches!(waits, Waits::Offer | Waits::Bid)
                    && super::play::Act::act(&ByClicks, &person, waits, at).await.is_ok()
                {
                    own += 1;
                    while super::play::waits(&person).await.is_ok_and(|now| now == (waits, at)) {
                        sleep(Duration::from_millis(30)).await;
                    }
                }
            }
            _ => break,
        }
    }
    ensure!(own == 15 * 4, "{own} actions instead of {}", 15 * 4);
    person.all_well(&hall.home())?;
    hall.close().await
}

pub(crate) async fn the_server_restarts_in_mid_round() -> Result<()> {
    let mut hall = Hall::open().await?;
    let person = hall.player(CALM).await?;
    // Play into the second round.
    let mut done = None;
    while done.is_none_or(|at| at < 7) {
        match waits(&person).await {
            Ok((waits @ (Waits::Offer | Waits::Bid), at)) if done != Some(at) => {
                if super::play::Act::act(&ByClicks, &person, waits, at).await.is_ok() {
                    done = Some(at);
                }
            }
            _ => sleep(Duration::from_millis(30)).await,
        }
    }
    hall.server.kill().await?;
    person
        .until("document.querySelector('#offline')?.hidden === false")
        .await
        .context("the lost connection is not shown")?;
    hall.server.restart().await?;
    person
        .until("document.querySelector('#offline')?.hidden !== false")
        .await
        .context("the page does not reconnect")?;
    play_out(&person, &ByClicks).await?;
    hall.close().await
}

pub(crate) async fn a_spectator_sees_nothing_hidden() -> Result<()> {
    let hall = Hall::open().await?;
    let player = hall.player(CALM).await?;
    let table = table_of(&player.url().await?)?;
    let watcher = hall.browser.person(CALM).await?;
    watcher.goto(&hall.at(&format!("/t/{table}"))).await?;
    watcher.find("main#table").await?;
    let part: f64 = watcher.ask("document.querySelector('#board').offsetWidth / innerWidth").await?;
    ensure!(part > 0.8, "the board has only {part} of a spectator's window");
    let mut compared = 0;
    while compared < 12 {
        let Ok((now @ (Waits::Offer | Waits::Bid), at)) = waits(&player).await else {
            sleep(Duration::from_millis(30)).await;
            continue;
        };
        ensure!(!watcher.has("#own .card").await && !watcher.has("#confirm").await, "a spectator has a hand");
        let html = watcher.html().await?;
        ensure!(!html.contains("data-card=") && !html.contains("name=\"card\""), "a hand is in the spectator's page");
        compared += 1;
        if super::play::Act::act(&ByClicks, &player, now, at).await.is_ok() {
            while waits(&player).await.is_ok_and(|later| later == (now, at)) {
                sleep(Duration::from_millis(30)).await;
            }
        }
    }
    // The hidden cards are not in any received message either.
    let heard = watcher.heard().clone();
    ensure!(!heard.messages.is_empty(), "nothing was sent");
    for text in &heard.texts {
        ensure!(!text.contains("data-card="), "a hand was sent: {text}");
    }
    watcher.all_well(&hall.home())?;
    hall.close().await
}
