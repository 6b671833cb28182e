// Moves jewels and cards smoothly from their old to their new position, by view transitions. Only moved elements take part:
// an element cannot be clicked during its transition, and the rest of the page must stay usable.

let runningTransition = null;
let transitionCount = 0;

/**
 * The place of each jewel and each of the player's cards, by a key that stays the same when they move: a jewel's letter or a
 * card's value, and a number that distinguishes equal ones. The first word of a place is its area.
 */
function findPlaces(root) {
  const places = new Map();
  const add = (value, place, element) => {
    let number = 0;
    while (places.has(`${value} ${number}`)) number++;
    places.set(`${value} ${number}`, { place, element });
  };
  // A message may contain cushions or cards without the board or the player's area around them.
  const cushions = $$('.cushion[id^="cushion-"]', root);
  cushions.forEach((cushion) => $$(":scope > .jewel", cushion).forEach((svg) => add(jewelLetter(svg), `cushion ${cushion.id}`, svg)));
  $$("#board .drawn .jewel", root).forEach((svg, i) => add(jewelLetter(svg), `drawn ${i}`, svg));
  $$("#pouch-place .jewel", root).forEach((svg) => add(jewelLetter(svg), "pouch", svg));
  // The hand precedes the bids, so that of two equal cards the one that was played leaves the hand. The place has the number of
  // cards too: when a card leaves the hand, all others move.
  const hand = $$("#own-hand .card:not(.laid)", root);
  hand.forEach((card, i) => add(card.dataset.card, `hand ${i}/${hand.length}`, card));
  for (const cushion of cushions) {
    for (const bid of $$(".bid:has(.value)", cushion)) add($(".value", bid).textContent.trim(), `bid ${cushion.id}`, bid);
  }
  return places;
}

/**
 * The areas from which and to which a jewel or card can move. In the opposite direction it would be another jewel or card, of the
 * next round.
 */
const MOVEMENTS = ["drawn cushion", "drawn pouch", "hand hand", "hand bid"];
const areaOf = (place) => place.split(" ")[0];
const isMovement = (from, to) => from !== to && MOVEMENTS.includes(`${areaOf(from)} ${areaOf(to)}`);

/** Calls `changePage`, which shows these sections, with transitions for moved elements. Resolves when the page has changed. */
function glide(changePage, sections) {
  runningTransition?.skipTransition();
  if (document.hidden || reducedMotion.matches || !pace || !document.startViewTransition || isDialogOpen()) return changePage();
  const before = findPlaces(document);
  const incoming = document.createDocumentFragment();
  incoming.append(...sections);
  const after = findPlaces(incoming);
  const movingKeys = [...after.keys()].filter((key) => before.has(key) && isMovement(before.get(key).place, after.get(key).place));
  if (!movingKeys.length) return changePage();
  const root = document.documentElement;
  const prefix = `glide-${++transitionCount}-`;
  let named = [];
  // The browser connects an old and a new element with the same transition name.
  const setTransitionNames = (places) => {
    // Keep names that a newer transition has set.
    for (const { style } of named) if (style.viewTransitionName.startsWith(prefix)) style.viewTransitionName = "";
    named = movingKeys.flatMap((key) => places.get(key)?.element ?? []);
    named.forEach((element, i) => (element.style.viewTransitionName = prefix + i));
  };
  const cleanUp = () => {
    setTransitionNames(new Map());
    if (runningTransition === transition) {
      runningTransition = null;
      root.style.viewTransitionName = "";
    }
  };
  // The page as a whole does not take part.
  root.style.viewTransitionName = "none";
  setTransitionNames(before);
  const transition = document.startViewTransition(() => {
    changePage();
    setTransitionNames(findPlaces(document));
  });
  runningTransition = transition;
  // A skipped transition rejects `ready`, which is no error here.
  transition.ready.catch(() => {});
  transition.finished.then(cleanUp, cleanUp);
  return transition.updateCallbackDone.catch(() => {});
}
