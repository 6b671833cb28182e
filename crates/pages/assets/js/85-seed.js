// The player's own randomness: a seed made in this browser, submitted only after the server's commitment, and stored, so that
// after the game this browser can prove that the deal used it.
//
// A seed is first kept in the session: the next page (the table) stores it for good if the server has accepted it.

/** Adds a commitment and a seed to the data that this form will send, and keeps both in the session. */
async function addSeed(form) {
  // The server's commitment: from the form or the page with the seat form, or else requested now.
  let commitment = form.dataset.commitment ?? $("code.seal")?.textContent ?? "";
  const sendsCommitment = $("input[name=commitment]", form);
  if (sendsCommitment) {
    try {
      const response = await fetch("/api/v1/commitments", { method: "POST", signal: AbortSignal.timeout?.(3000) });
      commitment = response.ok ? (await response.json()).commitment : "";
    } catch {}
  }
  // Keep a lucky word typed by the player. The fields stay empty, or the back button would restore a used seed.
  const seed = $("input[name=client_seed]", form)?.value || dealHex(crypto.getRandomValues(new Uint8Array(32)));
  const addFields = ({ formData }) => {
    if (sendsCommitment) formData.set("commitment", commitment);
    formData.set("client_seed", seed);
  };
  form.addEventListener("formdata", addFields, { once: true });
  const [, id, route] = new URL(form.action).pathname.match(/^\/t\/(\w+)\/(\w+)$/) ?? [];
  // A rematch or a new game leads to a table that does not exist yet.
  const purpose = route === "rematch" ? { rematch: true } : { table: id };
  storeItem("sessionStorage", "seed", JSON.stringify({ commitment, seed, ...purpose }));
}

/** The notes of the seeds that this browser submitted at a table. */
function seedsOf(id) {
  try {
    const notes = JSON.parse(storedItem("localStorage", `seed ${id}`));
    return (Array.isArray(notes) ? notes : []).filter((note) => note && typeof note === "object");
  } catch {
    return [];
  }
}

/** Stores the seed that the previous page submitted at this table. */
function storeSubmittedSeed() {
  const submitted = storedItem("sessionStorage", "seed");
  if (!submitted) return;
  storeItem("sessionStorage", "seed", null);
  const id = $("main[data-table]")?.dataset.table;
  try {
    const note = JSON.parse(submitted);
    const belongs = dealSeedBelongsToTable(note, { table: id, refused: !!$(".refusal, .alert") });
    if (belongs) storeItem("localStorage", `seed ${id}`, JSON.stringify([...seedsOf(id), note]));
  } catch {}
}

/** Holds back each form with `data-seed` until its seed is added, then submits it. */
function startSeeds() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-seed]") || form.dataset.seed === "added" || event.defaultPrevented) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { submitter } = event;
    const submit = () => {
      form.dataset.seed = "added";
      form.requestSubmit(submitter);
      // After going back to this page, a new game needs a new seed.
      setTimeout(() => (form.dataset.seed = ""), 0);
    };
    // Wait until this submit event has ended: a form ignores requestSubmit while it is submitting.
    const submitLater = () => setTimeout(submit);
    addSeed(form).then(submitLater, submitLater);
  }, true);
  storeSubmittedSeed();
  // A stored seed that was not submitted belongs to no game: forget it when the user comes back here or follows a link.
  const forgetSeed = () => storeItem("sessionStorage", "seed", null);
  addEventListener("pageshow", ({ persisted }) => persisted && forgetSeed());
  document.addEventListener("click", ({ target }) => target.closest?.("a[href]") && forgetSeed());
}
