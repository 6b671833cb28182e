// The end of a round: turns the cards up cushion by cushion and moves the jewels to their owners, on top of the board.

/** Aborts the running reveal; null if none is running. */
let revealing = null;
let revealStartMs = 0;

/** A reveal cannot be skipped before this time, so that a double tap on the last bid does not hide it. */
const MIN_REVEAL_MS = 700;
/** Without animations, all cards are turned up at once and stay for this time, shorter at a brisk pace. A tap ends it. */
const STILL_REVEAL_MS = 5000;
/** The same for a player who chose an instant pace: just enough to see the result. */
const INSTANT_REVEAL_MS = 1500;

const centreOf = (element) => {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

/** The element that a won jewel moves to: the treasure or screen of the player with this colour. */
const treasureOf = (colour) => $(`#own[data-colour="${colour}"] .treasure`) ?? $(`.seat[data-colour="${colour}"] .screen`) ?? $(`[data-colour="${colour}"]`, table);

/** Moves a copy of a jewel to the target (by CSS), and hides the jewel. */
function animateJewel(jewel, target) {
  if (!jewel || !target) return;
  const box = jewel.getBoundingClientRect();
  const [x, y] = centreOf(jewel);
  const [targetX, targetY] = centreOf(target);
  const copy = jewel.cloneNode(true);
  copy.classList.add("travel");
  for (const side of ["left", "top", "width", "height"]) copy.style[side] = `${box[side]}px`;
  copy.style.margin = 0;
  copy.style.setProperty("--dx", `${targetX - x}px`);
  copy.style.setProperty("--dy", `${targetY - y}px`);
  document.body.append(copy);
  jewel.style.visibility = "hidden";
  setTimeout(() => copy.remove(), 760 * pace);
}

/** A copy of the finished round's board, to be shown on top of the board. Hidden from screen readers, which get announcements. */
function createRevealBoard(finishedBoard) {
  const board = finishedBoard.cloneNode(true);
  board.classList.add("reveal");
  board.setAttribute("aria-hidden", "true");
  // Jewels without a bid move to the pouch, which the finished round's board does not have.
  const pouch = $("#board .pouch");
  if (pouch && !$(".pouch", board)) {
    const pouchDrawing = pouch.cloneNode(false);
    pouchDrawing.append(pouch.firstElementChild.cloneNode(true));
    $(".lay", board)?.prepend(pouchDrawing);
  }
  for (const element of [board, ...$$("[id]", board)]) element.removeAttribute("id");
  return board;
}

/** Turns up the cards on a cushion and moves its jewel. Times are multiplied by `slowness`. */
async function revealCushion(cushion, slowness, signal, announceResult) {
  const cards = $$(".flip", cushion);
  for (const card of cards) {
    card.classList.add("is-up");
    playSound("flip");
    await sleep(130 * slowness, signal);
  }
  await sleep((cards.length ? 480 : 120) * slowness, signal);
  if (signal.aborted) return;
  cushion.classList.add("is-settled");
  announceResult();
  const jewel = $(":scope > .jewel", cushion);
  const winner = $(".taker", cushion)?.dataset.colour;
  playSound(winner ? "jewel" : "drop", jewel && jewelLetter(jewel));
  animateJewel(jewel, winner ? treasureOf(winner) : $(".pouch", cushion.closest(".reveal")));
  await sleep(420 * slowness, signal);
}

/** Takes the last bid's card from the hand of its player, who is still marked as to act: the page shows the state before the bid. */
function removeLastCardFromHand() {
  const cards = $(".seat.to-act .cards");
  if (!cards) return;
  $(".backs > i", cards)?.remove();
  const count = $(".num", cards);
  count.textContent = Math.max(0, count.textContent - 1);
}

/**
 * Shows the finished round in this message. Resolves when all cushions are settled or the user skips the rest. The normal `speed`
 * is 1.
 */
async function reveal(message, speed) {
  const lastRound = message.sections?.find(({ id }) => id === "last-round");
  const finishedBoard = lastRound && $(".revealed", lastRound);
  const board = $("#board");
  if (!finishedBoard || !board || document.hidden) return;
  const results = $$(".told li", lastRound).map((item) => item.textContent);
  const revealBoard = createRevealBoard(finishedBoard);
  const slowness = pace / speed;
  const isStill = reducedMotion.matches || !pace;
  if (!isStill) {
    revealBoard.classList.add("is-playing");
    for (const cushion of $$(".cushion", revealBoard)) cushion.classList.remove("is-settled");
  }
  board.after(revealBoard);
  removeLastCardFromHand();
  const setStatus = (text) => $("#status")?.replaceChildren(text);
  // The last prompt is out of date; until the first cushion is settled, the status line names the round.
  setStatus($("p", lastRound)?.textContent ?? "");
  revealing = new AbortController();
  revealStartMs = performance.now();
  const { signal } = revealing;
  try {
    if (isStill) {
      // All results together would need several lines, and the board would shift. The board names the winners.
      await sleep(pace ? STILL_REVEAL_MS * slowness : INSTANT_REVEAL_MS / speed, signal);
    } else {
      await sleep(550 * slowness, signal);
      for (const [i, cushion] of $$(".cushion", revealBoard).entries()) {
        await revealCushion(cushion, slowness, signal, () => setStatus(results[i] ?? ""));
      }
      await sleep(1000 * slowness, signal);
    }
  } finally {
    revealing = null;
    // Show the newest state underneath first, so that the old board does not reappear. Before a reload there is no newer board;
    // the time limit is for a reload that does not come.
    setTimeout(() => revealBoard.remove(), message.reload ? 10000 : 30);
  }
}

/** A click on the table, or one of these keys, skips the rest of a reveal. */
function startRevealing() {
  const skip = (event) => {
    if (!revealing) return;
    const isSkip = event.type === "click" ? event.target.closest("#table") : ["Enter", " ", "Escape"].includes(event.key);
    if (!isSkip || handlesKeys(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    if (performance.now() - revealStartMs >= MIN_REVEAL_MS) revealing.abort();
  };
  addEventListener("click", skip, true);
  addEventListener("keydown", skip, true);
  document.addEventListener("visibilitychange", () => document.hidden && revealing?.abort());
}
