// Lets jewels and cards glide from where they were to where they are now, by view transitions. Only what moves takes part:
// a named element cannot be touched while it glides, and all others shall stay in reach.

let gliding = null;
let glides = 0;

/** Where jewels and own cards lie: by a name that stays the same when they move. */
function places(root) {
  const found = new Map();
  const put = (kind, what, place, element) => {
    let n = 0;
    while (found.has(`${kind}-${what}-${n}`)) n++;
    found.set(`${kind}-${what}-${n}`, { place, element });
  };
  $$("#board .cushion", root).forEach((cushion, i) => $$(":scope > .jewel", cushion).forEach((svg) => put("jewel", letter(svg), `c${i}`, svg)));
  $$("#board .drawn .jewel", root).forEach((svg, i) => put("jewel", letter(svg), `d${i}`, svg));
  $$("#board .pouch .jewel", root).forEach((svg) => put("jewel", letter(svg), "p", svg));
  // The hand comes before the cushions, so that of two equal cards the one played is the one that leaves.
  const hand = $$("#own .hand .card:not(.laid)", root);
  hand.forEach((card, i) => put("card", card.dataset.card, `h${i}/${hand.length}`, card));
  $$("#board .cushion", root).forEach((cushion, i) =>
    $$(".bid:has(.value)", cushion).forEach((bid) => put("card", $(".value", bid).textContent.trim(), `b${i}`, bid)),
  );
  return found;
}

// Drawn jewels go to cushions and pouch, cards within the hand or onto cushions; never back: that is another jewel, another round.
const goes = (from, to) => from !== to && ["dc", "dp", "hh", "hb"].includes(from[0] + to[0]);

/** Makes a change of the page, gliding where something moved. Done when the page is changed. */
function glide(change, sections) {
  gliding?.skipTransition();
  if (still() || !document.startViewTransition || somethingOpen()) return change();
  const before = places(document);
  const incoming = document.createDocumentFragment();
  incoming.append(...sections);
  const after = places(incoming);
  const moving = [...after.keys()].filter((key) => before.has(key) && goes(before.get(key).place, after.get(key).place));
  if (!moving.length) return change();
  const root = document.documentElement;
  const mine = `glide-${++glides}-`;
  let named = [];
  const name = (found) => {
    // Not those that the next glide has named anew.
    for (const { style } of named) if (style.viewTransitionName.startsWith(mine)) style.viewTransitionName = "";
    named = moving.flatMap((key) => found.get(key)?.element ?? []);
    named.forEach((element, i) => (element.style.viewTransitionName = mine + i));
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
