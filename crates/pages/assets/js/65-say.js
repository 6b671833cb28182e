// Announcements for screen readers, the log, reactions, turn notices and countdowns.

const sentenceQueue = [];
let isAnnouncing = false;

/** Writes sentences into the live region one by one: a sentence replaced too soon is never read out. */
async function announce(sentences) {
  sentenceQueue.push(...sentences.filter(Boolean));
  const liveRegion = $("#announce");
  if (isAnnouncing || !liveRegion) return;
  isAnnouncing = true;
  while (sentenceQueue.length) {
    // Join waiting sentences, so that announcements keep up with the game.
    const text = sentenceQueue.splice(0, sentenceQueue.length > 4 ? sentenceQueue.length : 1).join(" ");
    // Screen readers ignore an unchanged text, so a repeated sentence gets a space.
    liveRegion.textContent = liveRegion.textContent === text ? `${text}\u00a0` : text;
    await sleep(500 + 50 * Math.min(text.length, 80));
  }
  isAnnouncing = false;
}

/** Adds the sentences of a message to the log. After a round, its results replace older sentences, unless all screens are open. */
function addToLog({ say, sections, passing }, isEndOfRound) {
  const log = $("#log");
  if (!log || !say?.length) return;
  if (isEndOfRound && !("keeps" in log.dataset)) log.replaceChildren();
  // A prompt is no event. It stands in the status line, too. (Presence messages have no prompts.)
  const status = passing ? "" : parseHtml(sections?.find(({ id }) => id === "status")?.html ?? "").textContent;
  log.append(...say.filter((sentence) => !status.includes(sentence)).map((sentence) => createElement("li", "", sentence)));
  while (log.children.length > 80) log.firstElementChild.remove();
}

/** Shows a player's reaction as a bubble that covers no text: on the picture of their seat, or in a corner of the board. */
function showReaction({ seat, word, say }) {
  announce([say]);
  const picture = $(`#seat-${seat} .screen`);
  const place = picture ?? $("#board");
  if (!place || document.hidden) return;
  const bubble = createElement("span", "reaction", word ?? say);
  bubble.setAttribute("aria-hidden", "true");
  document.body.append(bubble);
  const box = place.getBoundingClientRect();
  const margin = bubble.offsetWidth / 2 + 4;
  // The name may be to the right of the picture.
  const x = Math.min(picture ? box.left + box.width / 2 : Infinity, box.right + 8 - margin);
  bubble.style.left = `${Math.max(x, margin)}px`;
  bubble.style.top = `${picture ? box.top + box.height / 2 : box.top + 26}px`;
  playSound("tick");
  setTimeout(() => bubble.remove(), 2600);
}

/** Tells the player by sound and vibration that it is their turn. */
function callToTurn() {
  playSound("turn");
  // Before the first touch, browsers refuse to vibrate and log a warning.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([60, 60, 60]);
}

/** Marks the icon of the tab while the tab is hidden and it is the player's turn. (The server sends the title of the tab.) */
function updateTabIcon() {
  const icon = $("link[rel=icon]");
  icon.dataset.plain ??= icon.getAttribute("href");
  const href = document.hidden && live.isOwnTurn ? icon.dataset.turn : icon.dataset.plain;
  if (icon.getAttribute("href") !== href) icon.href = href;
}

function startTabIcon() {
  document.addEventListener("visibilitychange", updateTabIcon);
  // The page may have been loaded in a hidden tab, when the game began.
  updateTabIcon();
}

/** Server clock minus device clock, in milliseconds; null until measured. */
let clockOffset = null;

/** Measures the offset by a response's date: the clock of a device may be minutes off. */
async function measureClockOffset() {
  // No longer null, so that only one measurement runs.
  clockOffset = 0;
  try {
    const requested = Date.now();
    const response = await fetch("/healthz", { method: "HEAD", cache: "no-store" });
    const serverTime = Date.parse(response.headers.get("date"));
    // The header has whole seconds: assume the middle of the second, halfway between request and response.
    if (!Number.isNaN(serverTime)) clockOffset = serverTime + 500 - (requested + Date.now()) / 2;
  } catch {}
}

/** Shows the time left until each deadline on the page. */
function updateCountdowns() {
  for (const clock of $$("time.clock[datetime]")) {
    if (clockOffset === null) measureClockOffset();
    const millisecondsLeft = Date.parse(clock.dateTime) - Date.now() - clockOffset;
    if (Number.isNaN(millisecondsLeft)) continue;
    // A form that becomes available. One second later, because the measured offset may be half a second off.
    clock.closest(".remedy")?.classList.toggle("due", millisecondsLeft < -1000);
    const secondsLeft = Math.max(0, Math.round(millisecondsLeft / 1000));
    const minutes = Math.floor(secondsLeft / 60);
    const twoDigits = (number) => String(number).padStart(2, "0");
    // The hours, minutes and seconds left, such as 4:05 or 23:59:09.
    const beforeSeconds = minutes < 60 ? minutes : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}`;
    const text = `${beforeSeconds}:${twoDigits(secondsLeft % 60)}`;
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("hurry", secondsLeft <= 10);
  }
}

function startCountdowns() {
  updateCountdowns();
  setInterval(updateCountdowns, 500);
}
