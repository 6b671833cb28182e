//! The end of a round, of a game, and the rematch.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use sultan_e2e::browser::{Device, User};
use sultan_testkit::FastRng;
use sultan_testkit::http::{Connection, field, random_legal};

use super::play::{ActionInput, ClickInput, Prompt, prompt};
use super::setup::TestSetup;

const SMALL_PHONE: Device = Device { width: 375, height: 667, ..Device::PHONE };

/// JavaScript for each new page: taps the table when a reveal appears, and notes how long each reveal lasts. The notes are
/// in the session storage, because the last reveal ends with the page.
const NOTE_REVEALS: &str = "\
    let start = 0, note = {};\
    const finish = () => { if (!start) return; note.millis = performance.now() - start; start = 0;\
        note.stays = !!document.querySelector('.reveal .is-settled');\
        sessionStorage.reveals = JSON.stringify([...JSON.parse(sessionStorage.reveals ?? '[]'), note]); };\
    new MutationObserver(() => { const reveal = document.querySelector('.reveal');\
        if (reveal && !start) { start = performance.now();\
            const own = document.querySelector('#own');\
            note = { cards: [...document.querySelectorAll('.seat .cards > .num:not(.deck)')].map((count) => +count.textContent),\
                own_opacity: +getComputedStyle(own).opacity };\
            document.querySelector('#board').click(); }\
        if (!reveal) finish(); }).observe(document, { childList: true, subtree: true });\
    addEventListener('pagehide', finish);";

/// What `NOTE_REVEALS` notes about a reveal.
#[derive(Debug, Deserialize)]
struct Reveal {
    /// How long it lasted.
    millis: f64,
    /// Whether it was still on the page when it ended: the page has been replaced.
    stays: bool,
    /// The numbers of cards of the other players at its start.
    cards: Vec<u8>,
    /// The opacity of the player's own area.
    own_opacity: f64,
}

/// The reveals noted so far.
async fn reveals(user: &User) -> Result<Vec<Reveal>> {
    let notes: String = user.evaluate("sessionStorage.reveals ?? '[]'").await?;
    Ok(serde_json::from_str(&notes)?)
}

/// A table of four people. Only Ana, in seat 0, has a page.
struct Table {
    setup: TestSetup,
    connection: Connection,
    id: String,
    tokens: Vec<String>,
}

impl Table {
    /// Opens a table for a game of two rounds. Ana bids last in the first round, Bo in the second.
    async fn open() -> Result<Self> {
        let setup = TestSetup::open().await?;
        let mut connection = Connection::open(setup.server.address).await?;
        let options = json!({"players": 4, "first_seat": 1, "name": "Ana", "parameters": {"stages": 1, "rounds": 2}});
        let mut answer = connection.ask("POST", "/api/v1/tables", None, &options.to_string()).await?.body;
        let id = field(&answer, "table").context("no table")?.to_owned();
        let mut tokens = Vec::new();
        for name in ["Bo", "Cy", "Di", ""] {
            tokens.push(field(&answer, "token").with_context(|| format!("no token in {answer}"))?.to_owned());
            if !name.is_empty() {
                let path = format!("/api/v1/tables/{id}/seats");
                answer = connection.ask("POST", &path, None, &json!({"name": name}).to_string()).await?.body;
            }
        }
        Ok(Self { setup, connection, id, tokens })
    }

    /// Sends a request of a seat to the API.
    async fn ask(&mut self, method: &str, route: &str, seat: usize, body: &str) -> Result<String> {
        let path = format!("/api/v1/tables/{}{route}", self.id);
        Ok(self.connection.ask(method, &path, Some(&self.tokens[seat]), body).await?.body)
    }

    /// Plays for the others until it is Ana's turn, or the game is over.
    async fn play_others(&mut self) -> Result<()> {
        loop {
            let public: Value = serde_json::from_str(&self.ask("GET", "", 0, "").await?)?;
            let Some(seat) = public["to_act"].as_u64().filter(|seat| *seat != 0) else { return Ok(()) };
            let seat = usize::try_from(seat)?;
            let view = self.ask("GET", "", seat, "").await?;
            let action = json!({"action": random_legal(&view, &mut FastRng::new(1))?, "at": public["at"]});
            self.ask("POST", "/actions", seat, &action.to_string()).await?;
        }
    }
}

/// Bids with the page, once it shows this number of actions.
async fn bid(user: &User, at: u32) -> Result<()> {
    user.wait_until(&format!(
        "document.querySelector('main').dataset.at === '{at}' && !!document.querySelector('#confirm')"
    ))
    .await?;
    ClickInput.act(user, Prompt::Bid, at).await
}

/// JavaScript for each new page: notes how the end page starts the count.
const NOTE_COUNT: &str = "\
    window.announced = [];\
    new MutationObserver((changes) => changes.forEach(({ target }) => target.id === 'announce' && announced.push(target.textContent)))\
        .observe(document, { childList: true, subtree: true });\
    addEventListener('DOMContentLoaded', () => {\
        const delay = (element) => parseFloat(getComputedStyle(element).animationDelay) || 0;\
        window.count = { starts: !!document.querySelector('#end.counting'),\
            delays: [...document.querySelectorAll('.tally, #triumph h1')].map(delay) }; });";

pub(crate) async fn last_reveal_count_and_rematch() -> Result<()> {
    let mut table = Table::open().await?;
    let ana = table.setup.browser.new_user(SMALL_PHONE).await?;
    for script in [NOTE_REVEALS, NOTE_COUNT] {
        ana.run_before_pages(script).await?;
    }
    ana.goto(&table.setup.url(&format!("/t/{}/in/{}", table.id, table.tokens[0]))).await?;
    table.play_others().await?;
    // Ana bids last. The tap at the start of the reveal, as by a double tap on the button, does not skip it.
    bid(&ana, 4).await?;
    ana.wait_until("JSON.parse(sessionStorage.reveals ?? '[]').length === 1").await.context("no reveal ends")?;
    let motionless = Device { prefers_reduced_motion: true, ..SMALL_PHONE };
    ana.set_device(motionless).await?;
    table.play_others().await?;
    bid(&ana, 8).await?;
    // The page sends the bid; then Bo can bid.
    ana.wait_until("document.querySelector('main').dataset.turn === 'false'").await?;
    table.play_others().await?;
    ana.find("#end #play-again").await?;
    let [first, last] = &reveals(&ana).await?[..] else { anyhow::bail!("not two reveals") };
    ensure!(first.millis > 1500.0, "the tap skips the reveal: {first:?}");
    ensure!(first.own_opacity > 0.9, "the hand is hidden although only one player uses the browser");
    ensure!(last.millis > 5000.0, "without animations the reveal is too short: {last:?}");
    ensure!(last.stays, "the revealed board does not stay until the end page: {last:?}");
    ensure!(first.cards == [1, 1, 1] && last.cards == [0, 0, 0], "wrong card counts: {first:?}, {last:?}");
    end_page_counts_and_fits(&ana).await?;
    rematch_needs_one_tap(&mut table, &ana).await?;
    ana.check_log(&table.setup.authority())?;
    table.setup.close().await
}

/// Checks the count on the end page, and its layout.
async fn end_page_counts_and_fits(user: &User) -> Result<()> {
    ensure!(user.evaluate::<bool>("count.starts").await?, "the end page does not start the count");
    user.wait_until("announced.join(' ').includes('treasurer')").await.context("the winner is not announced")?;
    // Players with equal results share a place.
    let places: Vec<u8> =
        user.evaluate("[...announced.join(' ').matchAll(/Place (\\d)/g)].map((found) => +found[1])").await?;
    let is_last_first = places.len() == 4 && places.is_sorted_by(|a, b| a >= b);
    ensure!(is_last_first, "the places are not announced from the last to the first: {places:?}");
    for (width, height) in [(375, 667), (1280, 800)] {
        user.set_device(Device { width, height, ..SMALL_PHONE }).await?;
        let bottom: f64 = user.evaluate("document.querySelector('#play-again').getBoundingClientRect().bottom").await?;
        ensure!(bottom <= f64::from(height), "at {width}×{height}, “Play again” is {bottom} pixels down");
    }
    for width in [768, 834] {
        user.set_device(Device { width, height: 1024, ..SMALL_PHONE }).await?;
        let rows: Vec<f64> = user
            .evaluate("[...document.querySelectorAll('.tally')].map((card) => card.getBoundingClientRect().top)")
            .await?;
        let is_same_row = |a: f64, b: f64| (a - b).abs() < 1.0;
        let has_two_rows = is_same_row(rows[0], rows[1]) && is_same_row(rows[2], rows[3]) && rows[1] + 1.0 < rows[2];
        ensure!(has_two_rows, "at {width}, the cards are at {rows:?}");
    }
    // The order of the count is that of the delays: the fourth place first, the winner's name at the end.
    ensure!(user.evaluate::<bool>("location.hash = '#end', location.reload(), true").await?);
    user.wait_until("window.count?.starts && count.delays.length === 5 && count.delays[0] > 0").await?;
    let delays: Vec<f64> = user.evaluate("count.delays").await?;
    ensure!(delays[0] > delays[1] && delays[1..].is_sorted_by(|a, b| a > b), "wrong order of the count: {delays:?}");
    user.click("#triumph h1").await?;
    user.wait_until("document.querySelector('#end.counted') && location.hash === ''").await.context("no skip")?;
    Ok(())
}

/// Checks that Ana agrees to Bo's request for a rematch with one tap, and gets to the new table by itself.
async fn rematch_needs_one_tap(table: &mut Table, ana: &User) -> Result<()> {
    ana.set_device(Device { prefers_reduced_motion: true, ..SMALL_PHONE }).await?;
    let answer = table.ask("POST", "/rematch", 1, "{}").await?;
    let rematch = field(&answer, "table").context("no rematch")?.to_owned();
    let text = ana.text("#again p").await?;
    ensure!(text.contains("Bo wants to play again"), "{text}");
    let bottom: f64 = ana.evaluate("document.querySelector('#again button').getBoundingClientRect().bottom").await?;
    ensure!(bottom < 200.0, "the button is {bottom} pixels down");
    ana.click("#again button").await?;
    let seats = ana.text("#places .centre p").await?;
    ensure!(seats.contains("2 of 4"), "{seats}");
    table.id = rematch;
    for seat in [2, 3] {
        table.ask("PUT", &format!("/seats/{seat}"), seat, "{\"client_seed\":\"\"}").await?;
    }
    ana.find("main#table").await.context("the page does not go to the new table")?;
    Ok(())
}

pub(crate) async fn hands_on_a_shared_device_are_hidden_at_the_end_of_a_round() -> Result<()> {
    let setup = TestSetup::open().await?;
    let user = setup.new_visitor(SMALL_PHONE).await?;
    user.run_before_pages(NOTE_REVEALS).await?;
    user.click("#pass > summary").await?;
    user.click("#pass label:has(input[name=people][value='2'])").await?;
    user.click("#pass button[type=submit]").await?;
    // The curtain falls between the players until the end of the round.
    loop {
        let found = user.find_any(&["#lift", "#confirm", ".reveal"]).await?;
        // The page cannot be asked while it loads.
        let Ok(noted) = reveals(&user).await else { continue };
        if !noted.is_empty() {
            break;
        }
        if found == 0 {
            user.click("#lift").await?;
        } else if let Ok((current, at)) = prompt(&user).await {
            // The page may turn cards up or load again; the loop tries again.
            let _ = ClickInput.act(&user, current, at).await;
        }
    }
    let [reveal] = &reveals(&user).await?[..] else { anyhow::bail!("not one reveal") };
    ensure!(reveal.own_opacity < 0.1, "a hand is visible to everybody: {reveal:?}");
    ensure!(reveal.stays && reveal.millis > 1500.0, "the curtain does not wait for the reveal: {reveal:?}");
    user.find("#curtain .carpet").await.context("the curtain does not show the result")?;
    user.check_log(&setup.authority())?;
    setup.close().await
}
