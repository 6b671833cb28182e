// Moves jewels and cards smoothly from their old to their new position, by view transitions. Only moved elements take part:
// an element cannot be clicked during its transition, and all the rest must stay usable.

let gliding = null;
let glides = 0;

/** Positions of jewels and own cards, by a name that stays the same when they move. */
function places(root) {
  const found = new Map();
  const put = (kind, what, place, element) => {
    let n = 0;
    while (found.has(`${kind}-${what}-${n}`)) n++;
    found.set(`${kind}-${what}-${n}`, { place, element });
  };
  // Sections may come without the board or the own area around them.
  const cushions = $$('.cushion[id^="cushion-"]', root);
  cushions.forEach((cushion) => $$(":scope > .jewel", cushion).forEach((svg) => put("jewel", letter(svg), `c${cushion.id}`, svg)));
  $$("#board .drawn .jewel", root).forEach((svg, i) => put("jewel", letter(svg), `d${i}`, svg));
  $$("#pouch-place .jewel", root).forEach((svg) => put("jewel", letter(svg), "p", svg));
  // The hand precedes the cushions, so that of two equal cards the played card is the one that leaves the hand.
  const hand = $$("#own-hand .card:not(.laid)", root);
  hand.forEach((card, i) => put("card", card.dataset.card, `h${i}/${hand.length}`, card));
  for (const cushion of cushions) {
    for (const bid of $$(".bid:has(.value)", cushion)) put("card", $(".value", bid).textContent.trim(), `b${cushion.id}`, bid);
  }
  return found;
}

// Allowed: drawn jewels to cushions and pouch, cards within the hand or onto cushions. The reverse would be a new jewel or round.
const isMovement = (from, to) => from !== to && ["dc", "dp", "hh", "hb"].includes(from[0] + to[0]);

/** Changes the page, with transitions for moved elements. Resolves when the page has changed. */
function glide(change, sections) {
  gliding?.skipTransition();
  if (still() || !document.startViewTransition || somethingOpen()) return change();
  const before = places(document);
  const incoming = document.createDocumentFragment();
  incoming.append(...sections);
  const after = places(incoming);
  const moving = [...after.keys()].filter((key) => before.has(key) && isMovement(before.get(key).place, after.get(key).place));
  if (!moving.length) return change();
  const root = document.documentElement;
  const prefix = `glide-${++glides}-`;
  let named = [];
  const name = (found) => {
    // Skip names that a newer transition has assigned.
    for (const { style } of named) if (style.viewTransitionName.startsWith(prefix)) style.viewTransitionName = "";
    named = moving.flatMap((key) => found.get(key)?.element ?? []);
    named.forEach((element, i) => (element.style.viewTransitionName = prefix + i));
  };
  const end = () => {
    name(new Map());
    if (gliding === transition) {
      gliding = null;
      root.style.viewTransitionName = "";
    }
  };
  root.style.viewTransitionName = "none";
  name(before);
  const transition = document.startViewTransition(() => {
    change();
    name(places(document));
  });
  gliding = transition;
  transition.ready.catch(() => {});
  transition.finished.then(end, end);
  return transition.updateCallbackDone.catch(() => {});
}
