// What is told besides what is seen: announcements for those who listen, the log, reactions, whose turn it is, the clock.

const words = [];
let speaking = false;

/** Puts sentences into the live region one after the other: one that is replaced too soon is never read. */
async function announce(sentences) {
  words.push(...sentences.filter(Boolean));
  const box = $("#announce");
  if (speaking || !box) return;
  speaking = true;
  while (words.length) {
    // Who listens shall not fall behind the game: many sentences are read as one.
    const text = words.splice(0, words.length > 4 ? words.length : 1).join(" ");
    box.textContent = box.textContent === text ? `${text}\u00a0` : text;
    await sleep(500 + 50 * Math.min(text.length, 80));
  }
  speaking = false;
}

function tell({ say }) {
  if (!say?.length) return;
  announce(say);
  const log = $("#log");
  if (!log) return;
  for (const sentence of say) log.append(make("li", "", sentence));
  while (log.children.length > 80) log.firstElementChild.remove();
}

/** A reaction of somebody at the table: a bubble at the place where they sit. */
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
  // Browsers refuse to vibrate before the page was touched, and say so in the console.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([60, 60, 60]);
}

/** By how much the server's clock is ahead of this device's, in milliseconds; not known before it matters. */
let ahead = null;

/** Asks the server what time it is, to the second: a device's own clock may be minutes off. */
async function setClock() {
  ahead = 0;
  try {
    const asked = Date.now();
    const answer = await fetch("/healthz", { method: "HEAD", cache: "no-store" });
    const said = Date.parse(answer.headers.get("date"));
    // In the middle of the second that was named, and half way between question and answer.
    if (!Number.isNaN(said)) ahead = said + 500 - (asked + Date.now()) / 2;
  } catch {}
}

/** Time limits run on: the page says until when, this says how long. */
function tick() {
  for (const time of $$("time.clock[datetime]")) {
    if (ahead === null) setClock();
    const left = Math.max(0, Math.round((Date.parse(time.dateTime) - Date.now() - ahead) / 1000));
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
