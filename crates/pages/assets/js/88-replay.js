// Replay of a finished game by slider, keys and autoplay. Each step is a link; this file replaces only the changed parts.

const replayMain = $("main#replay");
const REPLAY_PAUSE = 1600;
/** The requested step, the step being loaded, and the autoplay timer. */
const stepping = { wanted: null, loading: null, timer: 0 };

async function stepTo(address) {
  stepping.wanted = address;
  if (stepping.loading) return;
  try {
    // Only the newest request counts: a slider produces many.
    while (stepping.wanted) {
      const path = (stepping.loading = stepping.wanted);
      stepping.wanted = null;
      const answer = await fetch(path, { headers: { "x-sultan": "live" } });
      if (!answer.ok) return location.assign(path);
      const html = await answer.text();
      if (stepping.wanted) continue;
      morph(replayMain, parse(html).firstElementChild);
      updateReplayControls();
      history.replaceState(null, "", path);
    }
  } catch {
    // Let the browser show the error and retry.
    location.assign(stepping.wanted ?? stepping.loading);
  } finally {
    stepping.loading = null;
  }
}

const replaySlider = () => $("#slider", replayMain);
const stepAddress = (at) => {
  const { max } = replaySlider();
  const eyes = $("#seek [name=eyes]", replayMain).value;
  const record = $("#seek [name=record]", replayMain);
  return `?at=${Math.min(Math.max(at, 0), Number(max))}&eyes=${eyes}${record ? `&record=${record.value}` : ""}`;
};
/** The step being loaded, if any. */
const currentStep = () => Number(new URLSearchParams(stepping.wanted ?? stepping.loading ?? stepAddress(Number(replaySlider().value))).get("at"));

function pauseReplay() {
  clearInterval(stepping.timer);
  stepping.timer = 0;
  updateReplayControls();
}

function playReplay() {
  const end = Number(replaySlider().max);
  if (currentStep() >= end) stepTo(stepAddress(0));
  stepping.timer = setInterval(() => {
    if (stepping.loading) return;
    if (currentStep() >= end) return pauseReplay();
    stepTo(stepAddress(currentStep() + 1));
  }, REPLAY_PAUSE);
  updateReplayControls();
}

/** State unknown to the server: autoplay, and that the slider needs no submit button. */
function updateReplayControls() {
  const { play, pause } = $("#steps", replayMain).dataset;
  $("#play", replayMain).textContent = stepping.timer ? pause : play;
  $("#go", replayMain).hidden = true;
  replaySlider().value = replaySlider().getAttribute("value");
}

function replayKey(event) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || somethingOpen()) return;
  const onSlider = event.target === replaySlider();
  // Inputs and scrolling areas handle these keys themselves.
  if (!onSlider && event.target.closest("input, select, textarea, .wide")) return;
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  if (event.key in steps) {
    event.preventDefault();
    pauseReplay();
    stepTo(stepAddress(currentStep() + steps[event.key]));
  } else if (event.key === " " && (onSlider || !event.target.closest("a, button, summary"))) {
    event.preventDefault();
    stepping.timer ? pauseReplay() : playReplay();
  } else if ((event.key === "Home" || event.key === "End") && !onSlider) {
    event.preventDefault();
    pauseReplay();
    stepTo(stepAddress(event.key === "Home" ? 0 : Number(replaySlider().max)));
  }
}

if (replayMain) {
  updateReplayControls();
  replayMain.addEventListener("input", ({ target }) => {
    if (target.id !== "slider") return;
    const at = target.valueAsNumber;
    if (stepping.timer) {
      clearInterval(stepping.timer);
      stepping.timer = 0;
    }
    stepTo(stepAddress(at));
  });
  replayMain.addEventListener("click", (event) => {
    if (event.target.closest("#play")) return stepping.timer ? pauseReplay() : playReplay();
    const link = event.target.closest("#steps a, #eyes a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.closest("#steps")) pauseReplay();
    // Links continue from the displayed step; after fast clicks the step being loaded is meant.
    const by = { "to-back": -1, "to-next": 1 }[link.id];
    stepTo(by ? stepAddress(currentStep() + by) : link.getAttribute("href"));
  });
  document.addEventListener("keydown", replayKey);
}
