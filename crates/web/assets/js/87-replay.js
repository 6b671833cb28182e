// A finished game, stepped through by slider, keys and by itself. Every step is a link; here the page stays while its parts change.

const replayed = globalThis.document?.querySelector("main#replay");
const REPLAY_PAUSE = 1600;
const stepping = { wanted: null, busy: false, timer: 0 };

async function stepTo(address) {
  stepping.wanted = address;
  if (stepping.busy) return;
  stepping.busy = true;
  try {
    // Only the newest wish counts: a slider has many on its way.
    while (stepping.wanted) {
      const path = stepping.wanted;
      stepping.wanted = null;
      const answer = await fetch(path, { headers: { "x-sultan": "live" } });
      if (!answer.ok) return location.assign(path);
      const html = await answer.text();
      if (stepping.wanted) continue;
      morph(replayed, parse(html).firstElementChild);
      dressReplay();
      history.replaceState(null, "", path);
    }
  } catch {
    if (stepping.wanted) location.assign(stepping.wanted);
  } finally {
    stepping.busy = false;
  }
}

const replaySlider = () => $("#slider", replayed);
const momentAt = (at) => {
  const { max } = replaySlider();
  const eyes = $("#seek [name=eyes]", replayed).value;
  const record = $("#seek [name=record]", replayed);
  return `?at=${Math.min(Math.max(at, 0), Number(max))}&eyes=${eyes}${record ? `&record=${record.value}` : ""}`;
};
/** Where the reader is going, if not there yet. */
const momentNow = () => Number(new URLSearchParams(stepping.wanted ?? momentAt(Number(replaySlider().value))).get("at"));

function pauseReplay() {
  clearInterval(stepping.timer);
  stepping.timer = 0;
  dressReplay();
}

function playReplay() {
  const end = Number(replaySlider().max);
  if (momentNow() >= end) stepTo(momentAt(0));
  stepping.timer = setInterval(() => {
    if (stepping.busy) return;
    if (momentNow() >= end) return pauseReplay();
    stepTo(momentAt(momentNow() + 1));
  }, REPLAY_PAUSE);
  dressReplay();
}

/** What the server does not know: whether it plays by itself; and that the slider needs no button. */
function dressReplay() {
  const { play, pause } = $("#steps", replayed).dataset;
  $("#play", replayed).textContent = stepping.timer ? pause : play;
  $("#go", replayed).hidden = true;
  replaySlider().value = replaySlider().getAttribute("value");
}

function replayKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || somethingOpen()) return;
  const onSlider = event.target === replaySlider();
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  if (event.key in steps) {
    event.preventDefault();
    pauseReplay();
    stepTo(momentAt(momentNow() + steps[event.key]));
  } else if (event.key === " " && (onSlider || !event.target.closest("a, button, summary, input"))) {
    event.preventDefault();
    stepping.timer ? pauseReplay() : playReplay();
  } else if ((event.key === "Home" || event.key === "End") && !onSlider) {
    event.preventDefault();
    pauseReplay();
    stepTo(momentAt(event.key === "Home" ? 0 : Number(replaySlider().max)));
  }
}

if (replayed) {
  dressReplay();
  replayed.addEventListener("input", ({ target }) => {
    if (target.id !== "slider") return;
    const at = target.valueAsNumber;
    if (stepping.timer) {
      clearInterval(stepping.timer);
      stepping.timer = 0;
    }
    stepTo(momentAt(at));
  });
  replayed.addEventListener("click", (event) => {
    if (event.target.closest("#play")) return stepping.timer ? pauseReplay() : playReplay();
    const link = event.target.closest("#steps a, #eyes a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.closest("#steps")) pauseReplay();
    stepTo(link.getAttribute("href"));
  });
  document.addEventListener("keydown", replayKey);
}
