// Replay of a finished game by slider, keys and autoplay. Each step is a link; this file replaces only the changed parts.

const replayMain = $("main#replay");
const AUTOPLAY_INTERVAL_MS = 1600;
/** The address requested last, the address being loaded, and the timer of autoplay (0 if it is off). */
const replay = { requested: null, loading: null, autoplayTimer: 0 };

/** Shows the step at this address. */
async function stepTo(address) {
  replay.requested = address;
  if (replay.loading) return;
  try {
    // Only the newest request counts: a slider produces many.
    while (replay.requested) {
      const path = (replay.loading = replay.requested);
      replay.requested = null;
      const response = await fetch(path, { headers: { "x-sultan": "live" } });
      if (!response.ok) return location.assign(path);
      const html = await response.text();
      if (replay.requested) continue;
      morph(replayMain, parseHtml(html).firstElementChild);
      updateReplayControls();
      history.replaceState(null, "", path);
    }
  } catch {
    // Let the browser show the error and retry.
    location.assign(replay.requested ?? replay.loading);
  } finally {
    replay.loading = null;
  }
}

const replaySlider = () => $("#slider", replayMain);

/** The address of the step after `at` actions, for the same point of view ("eyes"). */
function stepAddress(at) {
  const eyes = $("#seek [name=eyes]", replayMain).value;
  const record = $("#seek [name=record]", replayMain);
  return `?at=${Math.min(Math.max(at, 0), Number(replaySlider().max))}&eyes=${eyes}${record ? `&record=${record.value}` : ""}`;
}

/** The number of the shown step, or of the step being loaded. */
function currentStep() {
  const address = replay.requested ?? replay.loading;
  return address ? Number(new URLSearchParams(address).get("at")) : Number(replaySlider().value);
}

function stopAutoplay() {
  clearInterval(replay.autoplayTimer);
  replay.autoplayTimer = 0;
}

function pauseReplay() {
  stopAutoplay();
  updateReplayControls();
}

function toggleAutoplay() {
  if (replay.autoplayTimer) return pauseReplay();
  const end = Number(replaySlider().max);
  if (currentStep() >= end) stepTo(stepAddress(0));
  replay.autoplayTimer = setInterval(() => {
    if (replay.loading) return;
    if (currentStep() >= end) return pauseReplay();
    stepTo(stepAddress(currentStep() + 1));
  }, AUTOPLAY_INTERVAL_MS);
  updateReplayControls();
}

/** Sets the state of the controls that the server does not know: autoplay, and that the slider needs no submit button. */
function updateReplayControls() {
  const { play, pause } = $("#steps", replayMain).dataset;
  $("#play", replayMain).textContent = replay.autoplayTimer ? pause : play;
  $("#go", replayMain).hidden = true;
  // A slider that the user has moved ignores a new attribute.
  replaySlider().value = replaySlider().getAttribute("value");
}

function onReplayKey(event) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isDialogOpen()) return;
  const { key, target } = event;
  const isOnSlider = target === replaySlider();
  // Inputs and scrolling areas handle these keys themselves.
  if (!isOnSlider && target.closest("input, select, textarea, .wide")) return;
  const steps = { ArrowLeft: () => currentStep() - 1, ArrowRight: () => currentStep() + 1 };
  // On the slider, the browser handles these two keys.
  if (!isOnSlider) Object.assign(steps, { Home: () => 0, End: () => Number(replaySlider().max) });
  if (Object.hasOwn(steps, key)) {
    event.preventDefault();
    pauseReplay();
    stepTo(stepAddress(steps[key]()));
  } else if (key === " " && (isOnSlider || !target.closest("a, button, summary"))) {
    event.preventDefault();
    toggleAutoplay();
  }
}

if (replayMain) {
  updateReplayControls();
  replayMain.addEventListener("input", ({ target }) => {
    if (target.id !== "slider") return;
    // Without an update of the controls, which would move the slider back.
    stopAutoplay();
    stepTo(stepAddress(target.valueAsNumber));
  });
  replayMain.addEventListener("click", (event) => {
    if (event.target.closest("#play")) return toggleAutoplay();
    const link = event.target.closest("#steps a, #eyes a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.closest("#steps")) pauseReplay();
    // These links lead on from the shown step; after fast clicks, the step being loaded is meant.
    const change = { "to-back": -1, "to-next": 1 }[link.id];
    stepTo(change ? stepAddress(currentStep() + change) : link.getAttribute("href"));
  });
  document.addEventListener("keydown", onReplayKey);
}
