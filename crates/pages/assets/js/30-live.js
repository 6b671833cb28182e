// Live updates: one WebSocket delivers messages, which are queued and shown in order.

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

/** Whether this browser can decompress messages, which arrive as binary frames. */
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
  socket.onopen = () => {
    live.worked = true;
    // If the server accepts and closes at once, do not reconnect at once.
    settled = setTimeout(() => (live.tries = 0), 4000);
    clearInterval(live.polls);
    live.polls = 0;
    found();
  };
  // Decompression is asynchronous; this chain keeps messages in order.
  let order = Promise.resolve();
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

/** Reconnects at once, whatever happens to the old connection. */
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
  // Random jitter of one half, so that pages do not all reconnect together after a restart.
  const wait = Math.min(15000, 400 * 2 ** live.tries);
  live.timer = setTimeout(connect, wait * (0.5 + Math.random() / 2));
  if (!live.worked && live.tries >= 3) {
    // A proxy may block WebSockets: fetch the page instead.
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

/** Fetches the page and extracts the state that a message would contain. */
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
    // A fetched page has no sentences about events, so announce at least whose turn it is.
    const say = $$("#status > span", page).map((one) => one.textContent.trim());
    receive({ version: Number(version), at, phase, round, turn: turn === "true", gone, title: page.title, sections, say });
  } catch {
    lostTimer ||= setTimeout(showLost, 1200);
  }
}

/** Fetches the page, and reconnects if it is newer than the last message: a dead connection may look open for minutes. */
async function lookAgain() {
  const { version } = live;
  await refresh();
  if (live.version !== version && live.worked) reconnect();
}

function receive(message) {
  live.heard = Date.now();
  if (message.reaction) return react(message);
  // The same state can arrive in several ways. Never show an older state. (Presence changes have no version.)
  const news = message.passing ? message.version === live.version : message.version > live.version;
  if (!news) return;
  live.version = message.version;
  live.gone = message.gone ?? live.gone;
  line.push(message);
  show();
}

const isReveal = ({ round }) => round && live.round !== undefined && round !== live.round;

/** Shows queued messages in order. Between reveals only the newest state counts. */
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
      // A message contains only changed sections, so a skipped message passes its sections on to the next. A section may be
      // inside of another one, so the newest comes last.
      for (const section of message.sections ?? []) {
        sections.delete(section.id);
        sections.set(section.id, section);
      }
      if (line.length && !message.reload && !isReveal(line[0])) {
        // Presence messages carry no turn announcement: keep the last.
        line[0] = { ...message, say: [], ...line[0] };
        continue;
      }
      await apply(message, [...sections.values()]);
      sections.clear();
      // The end has its own page. Let the fanfare finish first.
      if (message.reload && message.phase === "over" && !document.hidden) await sleep(1800);
      if (message.reload) reload(message.version);
    } catch {
      // After any error here, reload: the page from the server is right.
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
    const at = $("#choice input[name=at]");
    // Before a reload, the form still has the last choice: it must not be sent as another action.
    if (at && !message.reload) at.value = live.at;
    if ("to_act" in message) for (const seat of $$(".seat")) seat.classList.toggle("to-act", seat.id === `seat-${message.to_act}`);
    choose(choice);
    // Update the countdown now instead of at the next half-second tick.
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

/** Keeps keyboard focus near the hand: when the focused element is removed, and when the next turn begins. */
function keepFocus(focused, next) {
  const choosing = NAMES.includes(focused?.name);
  if (!focused || focused === document.body || (focused.isConnected && !(next && choosing))) return;
  const same = !next && (focused.id ? document.getElementById(focused.id) : choosing && $(`input[name="${focused.name}"]:enabled`));
  const target = same || $("#own");
  if (target?.id === "own") target.tabIndex = -1;
  target?.focus({ preventScroll: true });
}

function reload(version) {
  // At most one reload per version, or a page could reload for ever.
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
