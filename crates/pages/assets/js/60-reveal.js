// The end of a round: reveals the cards cushion by cushion and moves the jewels to their owners, on top of the board.

let revealing = null;

const middle = (element) => {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

/** Target of a won jewel: the player's screen. */
const treasureOf = (colour) => $(`#own[data-colour="${colour}"] .treasure`) ?? $(`.seat[data-colour="${colour}"] .screen`) ?? $(`[data-colour="${colour}"]`, table);

/** Animates a copy of a jewel. */
function travel(jewel, target) {
  if (!jewel || !target) return;
  const box = jewel.getBoundingClientRect();
  const [x, y] = middle(jewel);
  const [toX, toY] = middle(target);
  const copy = jewel.cloneNode(true);
  copy.classList.add("travel");
  for (const side of ["left", "top", "width", "height"]) copy.style[side] = `${box[side]}px`;
  copy.style.margin = 0;
  copy.style.setProperty("--dx", `${toX - x}px`);
  copy.style.setProperty("--dy", `${toY - y}px`);
  document.body.append(copy);
  jewel.style.visibility = "hidden";
  setTimeout(() => copy.remove(), 760);
}

/** Shows the board of the finished round on top of the current board. Hidden from screen readers, which get announcements. */
function stageOf(source) {
  const stage = source.cloneNode(true);
  stage.classList.add("reveal");
  stage.setAttribute("aria-hidden", "true");
  const pouch = $("#board .pouch");
  if (pouch && !$(".pouch", stage)) {
    const bare = pouch.cloneNode(false);
    bare.append(pouch.firstElementChild.cloneNode(true));
    $(".lay", stage)?.prepend(bare);
  }
  for (const one of [stage, ...$$("[id]", stage)]) one.removeAttribute("id");
  return stage;
}

async function turnUp(cushion, pace, signal, say) {
  for (const flip of $$(".flip", cushion)) {
    flip.classList.add("is-up");
    play("flip");
    await sleep(130 * pace, signal);
  }
  await sleep($(".flip", cushion) ? 480 * pace : 120 * pace, signal);
  if (signal.aborted) return;
  cushion.classList.add("is-settled");
  say();
  const jewel = $(":scope > .jewel", cushion);
  const colour = $(".taker", cushion)?.dataset.colour;
  play(colour ? "jewel" : "drop", jewel && letter(jewel));
  travel(jewel, colour ? treasureOf(colour) : $(".pouch", cushion.closest(".reveal")));
  await sleep(420 * pace, signal);
}

async function reveal(message, speed) {
  const section = message.sections?.find(({ id }) => id === "last-round");
  const source = section && $(".revealed", parse(section.html));
  const board = $("#board");
  if (!source || !board || document.hidden) return;
  const told = $$(".told li", parse(section.html)).map((one) => one.textContent);
  const skip = new AbortController();
  revealing = skip;
  const { signal } = skip;
  const stage = stageOf(source);
  const pace = 1 / speed;
  if (!reduced.matches) {
    stage.classList.add("is-playing");
    for (const cushion of $$(".cushion", stage)) cushion.classList.remove("is-settled");
  }
  board.after(stage);
  const status = $("#status");
  const say = (...texts) => status?.replaceChildren(...texts);
  // The last prompt is answered; until the first cushion is settled, the status line names the round.
  say($("p", parse(section.html))?.textContent ?? "");
  try {
    if (reduced.matches) {
      say(told.join(" "));
      await sleep(2500 * pace, signal);
    } else {
      await sleep(550 * pace, signal);
      for (const [i, cushion] of $$(".cushion", stage).entries()) await turnUp(cushion, pace, signal, () => say(told[i] ?? ""));
      await sleep(1000 * pace, signal);
    }
  } finally {
    revealing = null;
    // Show the newest state underneath first, so that the old board does not reappear.
    setTimeout(() => stage.remove(), 30);
  }
}

function startRevealing() {
  const skip = (event) => {
    if (!revealing) return;
    const wanted = event.type === "click" ? event.target.closest("#table") : ["Enter", " ", "Escape"].includes(event.key);
    if (!wanted || typing(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    revealing.abort();
  };
  addEventListener("click", skip, true);
  addEventListener("keydown", skip, true);
  document.addEventListener("visibilitychange", () => document.hidden && revealing?.abort());
}
