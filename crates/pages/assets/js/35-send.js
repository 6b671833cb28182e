// Sends the forms of the page without leaving it. Their effect arrives by WebSocket.

let pending = null;
let retryWaiters = [];

/** Aborts the retry delay of commands that could not be sent. */
function wake() {
  retryWaiters.splice(0).forEach((go) => go());
}

function bodyOf(form, submitter) {
  const data = new FormData(form);
  if (submitter?.name) data.append(submitter.name, submitter.value);
  return new URLSearchParams(data);
}

/**
 * Posts until there is a response. The server applies an action with the same `at` only once, so an action with unknown
 * outcome can be repeated. A request without `at` is sent once.
 */
async function post(path, body) {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(path, { method: "POST", headers: { "x-sultan": "live" }, body }).catch(() => null);
    if (answer && ![502, 503, 504].includes(answer.status)) {
      if (live.worked && !live.socket) reconnect();
      return answer;
    }
    if (!body.has("at")) return answer;
    showLost();
    await Promise.race([sleep(Math.min(8000, 500 * 2 ** tries)), new Promise((go) => retryWaiters.push(go))]);
    if (String(live.at) !== body.get("at")) return null;
  }
}

async function send(form, submitter) {
  const body = bodyOf(form, submitter);
  const path = form.getAttribute("action") || location.href;
  const submission = {};
  if (form.id === "choice") pending = submission;
  form.setAttribute("aria-busy", "true");
  paint();
  const { version } = live;
  const answer = await post(path, body);
  form.removeAttribute("aria-busy");
  if (answer?.ok) {
    form.closest("[popover]")?.hidePopover?.();
    // The WebSocket should deliver the change; if it does not, fetch the page. Reactions change no state.
    await sleep(live.socket ? 4000 : 300);
    if (live.version === version && form.id !== "reactions") await lookAgain();
  } else if (answer) {
    const problem = await answer.json().catch(() => ({}));
    toast(problem.sentence ?? problem.detail ?? problem.title);
    refresh();
  } else if (!body.has("at")) showLost();
  if (pending === submission) pending = null;
  paint();
}

function startSending() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.matches("#choice, #reactions, form[data-live]")) return;
    event.preventDefault();
    if (form.id === "choice" && (pending || !complete())) return pending || toast(hint());
    if (form.getAttribute("aria-busy") === "true") return;
    send(form, event.submitter).catch(() => {});
  });
}
