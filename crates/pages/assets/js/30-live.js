// The table as it changes: one socket tells what is new, and what it tells waits in line until it is shown.

const live = {
  version: Number(table?.dataset.version ?? -1),
  at: table?.dataset.at,
  round: table?.dataset.round,
  gone: table?.dataset.gone,
  turn: table?.dataset.turn === "true",
  socket: null,
  worked: false,
  tries: 0,
  timer: 0,
  polls: 0,
  heard: Date.now(),
};
const line = [];
let showing = false;

/** Whether this browser reads compressed messages, which come as binary ones. */
const unpacks = (() => {
  try {
    return !!new DecompressionStream("deflate-raw");
  } catch {
    return false;
  }
})();
const unpack = (data) => (data.stream ? new Response(data.stream().pipeThrough(new DecompressionStream("deflate-raw"))).text() : data);

function connect() {
  clearTimeout(live.timer);
  if (live.socket) return;
  const url = new URL(table.dataset.live ?? `/t/${table.dataset.table}/live`, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  if (live.version >= 0) url.searchParams.set("version", live.version);
  if (live.gone) url.searchParams.set("gone", live.gone);
  if (unpacks) url.searchParams.set("deflate", 1);
  let socket;
  try {
    socket = live.socket = new WebSocket(url);
  } catch {
    return lost();
  }
  let settled;
  let order = Promise.resolve();
  socket.onopen = () => {
    live.worked = true;
    // A server that takes the call and hangs up at once is no reason to call again at once.
    settled = setTimeout(() => (live.tries = 0), 4000);
    clearInterval(live.polls);
    live.polls = 0;
    found();
  };
  // Unpacking takes a moment, and no message may overtake another.
  socket.onmessage = ({ data }) => {
    order = order.then(async () => receive(JSON.parse(await unpack(data)))).catch(() => {});
  };
  socket.onclose = () => {
    clearTimeout(settled);
    if (live.socket !== socket) return;
    live.socket = null;
    lost();
  };
}

/** Calls again at once, whatever becomes of the old line. */
function reconnect() {
  const old = live.socket;
  live.socket = null;
  live.tries = 0;
  old?.close();
  connect();
}

let lostTimer = 0;

function lost() {
  live.tries++;
  clearTimeout(live.timer);
  // Half of the wait is left to chance, so that after a restart not all pages come at once.
  const wait = Math.min(15000, 400 * 2 ** live.tries);
  live.timer = setTimeout(connect, wait * (0.5 + Math.random() / 2));
  if (!live.worked && live.tries >= 3) {
    // Something on the way does not let sockets through: ask for the page instead.
    if (!live.polls) live.polls = setInterval(refresh, 4000);
    return;
  }
  lostTimer ||= setTimeout(showLost, 1200);
}

function showLost() {
  let mark = $("#offline");
  if (!mark && table.dataset.offline) {
    mark = make("p", "offline", table.dataset.offline);
    mark.id = "offline";
    mark.setAttribute("role", "status");
    document.body.append(mark);
  }
  if (mark) mark.hidden = false;
}

function found() {
  clearTimeout(lostTimer);
  lostTimer = 0;
  const mark = $("#offline");
  if (mark) mark.hidden = true;
  wake();
}

/** Fetches the page and takes from it what a message would have told. */
async function refresh() {
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = $("main", page);
    found();
    if (main?.dataset.table !== table.dataset.table || main.id !== table.id) return receive({ version: live.version + 1, reload: true });
    const { version, at, phase, round, turn, gone } = main.dataset;
    const parts = $$("main [id], dialog[id], #clock", page).filter((one) => !one.parentElement.closest("[id]:not(main)"));
    const sections = parts.map(({ id, outerHTML: html }) => ({ id, html }));
    // Nobody tells what happened on the way here; who listens hears at least what the table waits for.
    const say = $$("#status > span", page).map((one) => one.textContent.trim());
    receive({ version: Number(version), at, phase, round, turn: turn === "true", gone, title: page.title, sections, say });
  } catch {
    lostTimer ||= setTimeout(showLost, 1200);
  }
}

/** Asks for the page, and calls again if it knew more than the line: a dead line may look alive for minutes. */
async function lookAgain() {
  const { version } = live;
  await refresh();
  if (live.version !== version && live.worked) reconnect();
}

function receive(message) {
  live.heard = Date.now();
  if (message.reaction) return react(message);
  // The same state comes by more than one way; nothing older than what is known is ever shown. Who comes and goes changes no state.
  const news = message.passing ? message.version === live.version : message.version > live.version;
  if (!news) return;
  live.version = message.version;
  live.gone = message.gone ?? live.gone;
  line.push(message);
  show();
}

const isReveal = ({ round }) => round && live.round !== undefined && round !== live.round;

/** Shows what waits in line, one after the other. Between reveals only the newest state counts. */
async function show() {
  if (showing) return;
  showing = true;
  const sections = new Map();
  while (line.length) {
    await dropped();
    const message = line.shift();
    try {
      tell(message);
      if (isReveal(message)) {
        live.round = message.round;
        const waiting = new Set(line.map(({ round }) => round ?? message.round)).add(message.round).size - 1;
        await reveal(message, waiting > 2 ? 3 : 1 + waiting / 3);
      }
      live.round = message.round ?? live.round;
      // A message holds only what changed, so one that is skipped leaves its sections to the next.
      for (const section of message.sections ?? []) sections.set(section.id, section);
      if (line.length && !message.reload && !isReveal(line[0])) {
        // Who comes and goes is told without what the table waits for: that stays as it was told before.
        line[0] = { ...message, say: [], ...line[0] };
        continue;
      }
      await apply(message, [...sections.values()]);
      sections.clear();
      // The end has a page of its own; the fanfare is not cut off.
      if (message.reload && message.phase === "over" && !document.hidden) await sleep(1800);
      if (message.reload) reload(message.version);
    } catch {
      // Whatever went wrong here, the server's own page is right.
      reload(message.version);
    }
  }
  showing = false;
}

async function apply(message, sections) {
  const elements = sections.map(({ html }) => parse(html).firstElementChild).filter(Boolean);
  const bids = $$("#board .bid:not(.ghost)").length;
  const focused = document.activeElement;
  const over = table.dataset.phase === "over";
  await glide(() => {
    unpaint();
    for (const name of ["version", "at", "phase", "round", "turn"]) if (name in message) table.dataset[name] = message[name];
    const next = String(message.at ?? live.at) !== String(live.at);
    if (next) forget();
    live.at = message.at ?? live.at;
    const choice = choices();
    elements.forEach(morphSection);
    choose(choice);
    // The page says until when; for the countdown nobody shall wait half a second.
    tick();
    keepFocus(focused, next);
  }, elements);
  paint();
  if ($$("#board .bid:not(.ghost)").length > bids) play("card");
  if (message.title) document.title = message.title;
  if (message.turn && !live.turn) callToTurn();
  live.turn = message.turn ?? live.turn;
  if (message.phase === "over" && !over) play("fanfare");
}

/** Whoever plays by keyboard stays near the hand: when what had the focus is gone, and when the next turn begins with the cards. */
function keepFocus(focused, next) {
  const choosing = NAMES.includes(focused?.name);
  if (!focused || focused === document.body || (focused.isConnected && !(next && choosing))) return;
  const same = !next && (focused.id ? document.getElementById(focused.id) : choosing && $(`input[name="${focused.name}"]:enabled`));
  const target = same || $("#own");
  if (target?.id === "own") target.tabIndex = -1;
  target?.focus({ preventScroll: true });
}

function reload(version) {
  // Never twice for one version: a page that asks for itself would do so for ever.
  const mark = `${table.dataset.table} ${version}`;
  if (kept("sessionStorage", "reloaded") === mark) return;
  keep("sessionStorage", "reloaded", mark);
  location.reload();
}

function startLive() {
  connect();
  addEventListener("online", reconnect);
  addEventListener("pageshow", ({ persisted }) => persisted && reconnect());
  setInterval(() => {
    if (!document.hidden && Date.now() - live.heard > 60000) lookAgain();
  }, 60000);
  let since = 0;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) since = Date.now();
    else if (!live.socket || Date.now() - since > 30000) reconnect();
  });
}
