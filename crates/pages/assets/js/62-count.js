// The count at the end of a game: the style sheet (60-end.css) shows the collections from the last place to the first, and then the
// winner.

/** The fragment with which the style sheet plays the count. */
const COUNT = "#end";

/** Opens the result of the game with the count. */
function reloadWithCount(version) {
  history.replaceState(null, "", COUNT);
  // Otherwise the browser would scroll to where the table was.
  history.scrollRestoration = "manual";
  reload(version);
}

/** The results of the players from the last place to the first, then the winner, as sentences for screen readers. */
function countedResults(end) {
  const texts = (root, selector) => $$(selector, root).map(({ textContent }) => textContent.trim()).join(" ");
  const results = $$(".tally", end).map((tally) => texts(tally, "h2 .visually-hidden, h2 b, .total .visually-hidden"));
  return [...results.reverse(), texts($("#triumph", end), ".gold, h1, h1 ~ p")];
}

/** Announces the result in the order of the count. A click or a key shows all at once. */
function startCount() {
  const end = $("#end");
  if (!end || location.hash !== COUNT) return;
  end.classList.add("counting");
  const finish = () => {
    end.classList.add("counted");
    history.replaceState(null, "", location.pathname + location.search);
    history.scrollRestoration = "auto";
  };
  addEventListener("click", finish, { once: true });
  addEventListener("keydown", finish, { once: true });
  // The style sheet needs 1.5 s for each player.
  setTimeout(finish, 2000 + 1500 * $$(".tally", end).length);
  announce(countedResults(end));
}
