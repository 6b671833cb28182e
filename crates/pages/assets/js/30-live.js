// Live updates: a WebSocket delivers messages, which are queued and shown in order.

const live = {
  /** The version of the newest received state of the table; -1 before any. */
  version: Number(table?.dataset.version ?? -1),
  /** The number of actions that the page shows. */
  at: table?.dataset.at,
  /** The last finished round whose result was shown; undefined in the lobby. */
  round: table?.dataset.round,
  /** The absent seats, and whether somebody watches. Sent on reconnection, so that the server reports only changes. */
  gone: table?.dataset.gone,
  isOwnTurn: table?.dataset.turn === "true",
  /** The open or opening connection. */
  socket: null,
  hasEverConnected: false,
  failedAttempts: 0,
  reconnectTimer: 0,
  pollTimer: 0,
  lastMessageMs: Date.now(),
};
const messageQueue = [];
let isShowingMessages = false;

/** The format of messages that this script reads. The server lets a page with an older script reload. */
const MESSAGE_FORMAT = 2;

/**
 * Frequent fragments of the HTML in messages. In a message, the first is the control character U+0001, the second U+0002, and so on.
 * The server has the same list, in `fragments.rs`; a change needs a new format.
 */
const FRAGMENTS = [
  '</span>',
  '</svg>',
  '<span class="visually-hidden">',
  '<span class="',
  '<svg class="emblem" aria-hidden="true"><use href="#emblem-',
  '<svg class="jewel" aria-hidden="true"><use href="#jewel-',
  '<svg class="ornament" aria-hidden="true"><use href="#card-',
  '<svg class="velvet" aria-hidden="true"><use href="#cushion"/></svg>',
];

/** Parses a message: a line of JSON, and then the HTML of the sections with codes for its frequent fragments. */
function parseMessage(text) {
  const end = text.search(/\n|$/);
  const html = text.slice(end).replace(/[\x01-\x08]/g, (code) => FRAGMENTS[code.charCodeAt() - 1]);
  return { ...JSON.parse(text.slice(0, end)), sections: [...parseHtml(html).children] };
}

function connect() {
  clearTimeout(live.reconnectTimer);
  if (live.socket) return;
  const url = new URL(table.dataset.live ?? `/t/${table.dataset.table}/live`, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  if (live.version >= 0) url.searchParams.set("version", live.version);
  if (live.gone) url.searchParams.set("gone", live.gone);
  url.searchParams.set("format", MESSAGE_FORMAT);
  let socket;
  try {
    socket = live.socket = new WebSocket(url);
  } catch {
    return onDisconnected();
  }
  let stableTimer;
  socket.onopen = () => {
    live.hasEverConnected = true;
    // If the server accepts and closes at once, keep the delay before the next attempt.
    stableTimer = setTimeout(() => (live.failedAttempts = 0), 4000);
    clearInterval(live.pollTimer);
    live.pollTimer = 0;
    onServerReached();
  };
  socket.onmessage = ({ data }) => receive(parseMessage(data));
  socket.onclose = () => {
    clearTimeout(stableTimer);
    // `reconnect` has already replaced this connection.
    if (live.socket !== socket) return;
    live.socket = null;
    onDisconnected();
  };
}

/** Replaces the connection without a delay. */
function reconnect() {
  const old = live.socket;
  live.socket = null;
  live.failedAttempts = 0;
  old?.close();
  connect();
}

let offlineNoticeTimer = 0;

/** Tries to reconnect after a delay, or polls if WebSockets never work. */
function onDisconnected() {
  live.failedAttempts++;
  clearTimeout(live.reconnectTimer);
  // A random factor, so that pages do not all reconnect together after a restart of the server.
  const delay = Math.min(15000, 400 * 2 ** live.failedAttempts);
  live.reconnectTimer = setTimeout(connect, delay * (0.5 + Math.random() / 2));
  if (!live.hasEverConnected && live.failedAttempts >= 3) {
    // A proxy may block WebSockets: fetch the page instead.
    live.pollTimer ||= setInterval(refresh, 4000);
    return;
  }
  scheduleOfflineNotice();
}

/** Shows the offline notice soon, unless the server is reached again before: a short interruption is not worth a notice. */
function scheduleOfflineNotice() {
  offlineNoticeTimer ||= setTimeout(showOfflineNotice, 1200);
}

function showOfflineNotice() {
  if (table.dataset.offline) noticeBox("offline", "status", table.dataset.offline);
}

function onServerReached() {
  clearTimeout(offlineNoticeTimer);
  offlineNoticeTimer = 0;
  const notice = $("#offline");
  if (notice) notice.hidden = true;
  retryPostsNow();
}

/** Fetches the page and makes from it the message that the server would send. */
async function refresh() {
  try {
    const response = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const main = $("main", page);
    onServerReached();
    // Another page has taken the place of this one, for example the game after the lobby.
    if (main?.dataset.table !== table.dataset.table || main.id !== table.id) return receive({ version: live.version + 1, reload: true });
    const { version, at, phase, round, turn, gone } = main.dataset;
    // Every element with an id counts as a section, unless it is inside of such an element.
    const sections = $$("main [id], dialog[id], #clock", page).filter((element) => !element.parentElement.closest("[id]:not(main)"));
    // A fetched page has no sentences about events, so announce at least the seat to act.
    const say = $$("#status > p", page).map((span) => span.textContent.trim());
    receive({ version: Number(version), at, phase, round, turn: turn === "true", gone, title: page.title, sections, say });
  } catch {
    scheduleOfflineNotice();
  }
}

/** Fetches the page, and reconnects if it is newer than the last message: a dead connection may look open for minutes. */
async function refreshAndCheckConnection() {
  const { version } = live;
  await refresh();
  if (live.version !== version && live.hasEverConnected) reconnect();
}

function receive(message) {
  live.lastMessageMs = Date.now();
  if (message.reaction) return showReaction(message);
  // The same state can arrive in several ways, and an older state must not replace a newer one. A message about a player's
  // presence (`passing`) belongs to the current version.
  const isNew = message.passing ? message.version === live.version : message.version > live.version;
  if (!isNew) return;
  live.version = message.version;
  live.gone = message.gone ?? live.gone;
  messageQueue.push(message);
  showQueuedMessages();
}

/** Whether this message finishes a round, so that its cards must be turned up first. */
const finishesRound = ({ round }) => round && live.round !== undefined && round !== live.round;

/** Shows queued messages in order. Of the messages between two reveals only the newest state is shown. */
async function showQueuedMessages() {
  if (isShowingMessages) return;
  isShowingMessages = true;
  const sections = new Map();
  while (messageQueue.length) {
    await dragEnd();
    const message = messageQueue.shift();
    try {
      announce(message.say ?? []);
      const isEndOfRound = finishesRound(message);
      if (isEndOfRound) {
        live.round = message.round;
        // With more finished rounds in the queue, turn the cards up faster. This is the number of these rounds.
        const waitingRounds = new Set(messageQueue.map(({ round }) => round ?? message.round)).add(message.round).size - 1;
        await reveal(message, waitingRounds > 2 ? 3 : 1 + waitingRounds / 3);
      }
      // Not before the cards are turned up: the log on the page tells who takes which jewel.
      addToLog(message, isEndOfRound);
      live.round = message.round ?? live.round;
      // A message contains only changed sections, so a skipped message passes its sections on to the next. A section may be
      // inside another section, so the newest must be last.
      for (const section of message.sections ?? []) {
        sections.delete(section.id);
        sections.set(section.id, section);
      }
      if (messageQueue.length && !message.reload && !finishesRound(messageQueue[0])) {
        // A message about presence has no title and turn: keep the values of the skipped message. Its sentences (`say`) have been
        // announced already.
        messageQueue[0] = { ...message, say: [], ...messageQueue[0] };
        continue;
      }
      await applyMessage(message, [...sections.values()]);
      sections.clear();
      // The end has its own page. Let the fanfare finish first.
      const isSeenEnd = message.reload && message.phase === "over" && !document.hidden;
      if (isSeenEnd) await sleep(1800);
      if (message.reload) (isSeenEnd ? reloadWithCount : reload)(message.version);
    } catch {
      // The page from the server is always right.
      reload(message.version);
    }
  }
  isShowingMessages = false;
}

const countBids = () => $$("#board .bid:not(.ghost)").length;

async function applyMessage(message, sections) {
  const oldBids = countBids();
  const focused = document.activeElement;
  const wasOver = table.dataset.phase === "over";
  await glide(() => {
    removePreviews();
    for (const name of ["version", "at", "phase", "round", "turn"]) if (name in message) table.dataset[name] = message[name];
    // While others act, a prepared card stays chosen.
    const isNextAction = live.isOwnTurn && String(message.at ?? live.at) !== String(live.at);
    if (isNextAction) clearChoice();
    live.at = message.at ?? live.at;
    const choice = currentChoice();
    sections.forEach(morphSection);
    const atField = $("#choice input[name=at]");
    // Before a reload, the form still has the last choice: it must not be sent as another action.
    if (atField && !message.reload) atField.value = live.at;
    if ("to_act" in message) for (const seat of $$(".seat")) seat.classList.toggle("to-act", seat.id === `seat-${message.to_act}`);
    restoreChoice(choice);
    // Update the countdown now instead of at the next half-second tick.
    updateCountdowns();
    restoreFocus(focused, isNextAction);
  }, sections);
  showChoice();
  if (countBids() > oldBids) playSound("card");
  if (message.title) document.title = message.title;
  if (message.turn && !live.isOwnTurn) callToTurn();
  live.isOwnTurn = message.turn ?? live.isOwnTurn;
  updateTabIcon();
  if (message.phase === "over" && !wasOver) playSound("fanfare");
}

/** Keeps keyboard focus near the hand if the focused element was removed, or if a choice had focus and the next action begins. */
function restoreFocus(focused, isNextAction) {
  const isChoice = CHOICES.includes(focused?.name);
  if (!focused || focused === document.body || (focused.isConnected && !(isNextAction && isChoice))) return;
  const replacement = !isNextAction && (focused.id ? document.getElementById(focused.id) : isChoice && $(`input[name="${focused.name}"]:enabled`));
  const target = replacement || $("#own");
  if (target?.id === "own") target.tabIndex = -1;
  target?.focus({ preventScroll: true });
}

/** Reloads the page, but at most once for each version: otherwise a page could reload forever. */
function reload(version) {
  const attempt = `${table.dataset.table} ${version}`;
  if (storedItem("sessionStorage", "reloaded") === attempt) return;
  storeItem("sessionStorage", "reloaded", attempt);
  location.reload();
}

function startLive() {
  connect();
  addEventListener("online", reconnect);
  // The browser has restored the page from its cache, where connections are closed.
  addEventListener("pageshow", ({ persisted }) => persisted && reconnect());
  // Once a minute, check a connection that has been silent.
  setInterval(() => {
    if (!document.hidden && Date.now() - live.lastMessageMs > 60000) refreshAndCheckConnection();
  }, 60000);
  // A connection of a page that was hidden for long may be dead without notice.
  let hiddenSinceMs = 0;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenSinceMs = Date.now();
    else if (!live.socket || Date.now() - hiddenSinceMs > 30000) reconnect();
  });
}
