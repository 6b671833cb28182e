// Submits the forms of a table without leaving the page. Their effect arrives by WebSocket.

/** Identifies the last submission of the form for the player's action; null if none is waiting for a response. */
let pendingAction = null;
let retryWaiters = [];

/** Ends the retry delays of requests that could not be sent. */
function retryPostsNow() {
  retryWaiters.splice(0).forEach((resolve) => resolve());
}

/**
 * Posts until there is a response. The server applies an action with the same `at` (number of earlier actions) only once, so an
 * action with unknown outcome can be repeated. A request without `at` is sent once.
 */
async function post(path, body) {
  for (let tries = 0; ; tries++) {
    const response = await fetch(path, { method: "POST", headers: { "x-sultan": "live" }, body }).catch(() => null);
    // These are the statuses of a proxy without a server, and of a server without its database.
    if (response && ![502, 503, 504].includes(response.status)) {
      // The server can be reached again, so do not wait for the next attempt to reconnect.
      if (live.hasEverConnected && !live.socket) reconnect();
      return response;
    }
    if (!body.has("at")) return response;
    showOfflineNotice();
    await Promise.race([sleep(Math.min(8000, 500 * 2 ** tries)), new Promise((resolve) => retryWaiters.push(resolve))]);
    // Meanwhile the action may have been applied, or a clock may have acted for the player.
    if (String(live.at) !== body.get("at")) return null;
  }
}

async function submitForm(form, submitter) {
  const body = new URLSearchParams(new FormData(form));
  if (submitter?.name) body.append(submitter.name, submitter.value);
  const path = form.getAttribute("action") || location.href;
  const submission = {};
  if (form.id === "choice") pendingAction = submission;
  form.setAttribute("aria-busy", "true");
  showChoice();
  const { version } = live;
  const response = await post(path, body);
  form.removeAttribute("aria-busy");
  if (response?.ok) {
    form.closest("[popover]")?.hidePopover?.();
    // The WebSocket should deliver the change; if it does not, fetch the page. Reactions do not change the version.
    await sleep(live.socket ? 4000 : 300);
    if (live.version === version && form.id !== "reactions") await refreshAndCheckConnection();
  } else if (response) {
    const problem = await response.json().catch(() => ({}));
    toast(problem.sentence ?? problem.detail ?? problem.title);
    refresh();
  } else if (!body.has("at")) showOfflineNotice();
  if (pendingAction === submission) pendingAction = null;
  showChoice();
}

function startSending() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.matches("#choice, #reactions, form[data-live]")) return;
    event.preventDefault();
    // Without the button it is not the player's turn: a prepared card must not be sent.
    if (form.id === "choice" && !$("#confirm")) return;
    if (form.id === "choice" && (pendingAction || !isChoiceComplete())) return pendingAction || toast(visibleHint());
    if (form.getAttribute("aria-busy") === "true") return;
    submitForm(form, event.submitter).catch(() => {});
  });
}
