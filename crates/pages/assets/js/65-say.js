// Announcements for screen readers, the log, reactions, turn notices and clocks.

const sentenceQueue = [];
let announcing = false;

/** Writes sentences into the live region one by one: a sentence replaced too soon is never read out. */
async function announce(sentences) {
  sentenceQueue.push(...sentences.filter(Boolean));
  const box = $("#announce");
  if (announcing || !box) return;
  announcing = true;
  while (sentenceQueue.length) {
    // Join waiting sentences, so that announcements keep up with the game.
    const text = sentenceQueue.splice(0, sentenceQueue.length > 4 ? sentenceQueue.length : 1).join(" ");
    box.textContent = box.textContent === text ? `${text}\u00a0` : text;
    await sleep(500 + 50 * Math.min(text.length, 80));
  }
  announcing = false;
}

function tell({ say }) {
  if (!say?.length) return;
  announce(say);
  const log = $("#log");
  if (!log) return;
  for (const sentence of say) log.append(make("li", "", sentence));
  while (log.children.length > 80) log.firstElementChild.remove();
}

/** Shows a player's reaction as a bubble at their seat. */
function react({ seat, word, say }) {
  announce([say]);
  const place = $(`#seat-${seat}`) ?? $("#own");
  if (!place || document.hidden) return;
  const bubble = make("span", "reaction", word ?? say);
  bubble.setAttribute("aria-hidden", "true");
  const box = place.getBoundingClientRect();
  bubble.style.left = `${box.left + box.width / 2}px`;
  bubble.style.top = `${Math.max(box.top, 60)}px`;
  document.body.append(bubble);
  play("tick");
  setTimeout(() => bubble.remove(), 2600);
}

function callToTurn() {
  play("turn");
  // Before the first touch, browsers refuse to vibrate and log a warning.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([60, 60, 60]);
}

/** Server clock minus device clock, in milliseconds; null until needed. */
let clockOffset = null;

/** Reads the server's time from a response header, in seconds: the clock of a device may be minutes off. */
async function setClock() {
  clockOffset = 0;
  try {
    const requested = Date.now();
    const answer = await fetch("/healthz", { method: "HEAD", cache: "no-store" });
    const serverTime = Date.parse(answer.headers.get("date"));
    // Assume the middle of that second, halfway between request and response.
    if (!Number.isNaN(serverTime)) clockOffset = serverTime + 500 - (requested + Date.now()) / 2;
  } catch {}
}

/** Counts down to the deadline given in the page. */
function tick() {
  for (const time of $$("time.clock[datetime]")) {
    if (clockOffset === null) setClock();
    const left = Math.max(0, Math.round((Date.parse(time.dateTime) - Date.now() - clockOffset) / 1000));
    if (Number.isNaN(left)) continue;
    const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (time.textContent !== text) time.textContent = text;
    time.classList.toggle("hurry", left <= 10);
  }
}

function startTelling() {
  tick();
  setInterval(tick, 500);
}
