// The player's own randomness: a seed made in this browser, submitted only after the server's commitment, and kept, so that
// after the game this browser can prove that the deal used it.

async function addSeed(form) {
  // The server's commitment: from the page with the seat form, or else requested now.
  let commitment = $("code.seal")?.textContent ?? "";
  const asks = $("input[name=commitment]", form);
  if (asks) {
    try {
      const answer = await fetch("/api/v1/commitments", { method: "POST", signal: AbortSignal.timeout?.(3000) });
      commitment = answer.ok ? (await answer.json()).commitment : "";
    } catch {}
  }
  // Keep a lucky word typed by the player. The fields stay empty, or the back button would restore a used seed.
  const seed = $("input[name=client_seed]", form)?.value || dealHex(crypto.getRandomValues(new Uint8Array(32)));
  const addFields = ({ formData }) => {
    if (asks) formData.set("commitment", commitment);
    formData.set("client_seed", seed);
  };
  form.addEventListener("formdata", addFields, { once: true });
  const [, at, what] = new URL(form.action).pathname.match(/^\/t\/(\w+)\/(\w+)$/) ?? [];
  const given = what === "rematch" ? { rematch: true } : { table: at };
  keep("sessionStorage", "seed", JSON.stringify({ commitment, seed, ...given }));
}

/** Seeds that this browser submitted at a table. */
function seedsOf(id) {
  try {
    const noted = JSON.parse(kept("localStorage", `seed ${id}`));
    return (Array.isArray(noted) ? noted : []).filter((one) => one && typeof one === "object");
  } catch {
    return [];
  }
}

function startSeeds() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-seed]") || form.dataset.seed === "made" || event.defaultPrevented) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { submitter } = event;
    const submit = () => {
      form.dataset.seed = "made";
      form.requestSubmit(submitter);
      // After going back to this page, a new game needs a new seed.
      setTimeout(() => (form.dataset.seed = ""), 0);
    };
    // Wait until this submit event has ended: a form ignores requestSubmit while it is submitting.
    const submitLater = () => setTimeout(submit);
    addSeed(form).then(submitLater, submitLater);
  }, true);
  storeSubmittedSeed();
  // If the user navigates away, the abandoned form has submitted no seed.
  addEventListener("pageshow", ({ persisted }) => persisted && keep("sessionStorage", "seed", null));
  document.addEventListener("click", ({ target }) => target.closest?.("a[href]") && keep("sessionStorage", "seed", null));
}

/** Stores the seed that the previous page submitted at this table. */
function storeSubmittedSeed() {
  const given = kept("sessionStorage", "seed");
  if (!given) return;
  keep("sessionStorage", "seed", null);
  const id = $("main[data-table]")?.dataset.table;
  try {
    const one = JSON.parse(given);
    if (dealSeedBelongsToTable(one, { table: id, refused: !!$(".refusal, .alert") })) keep("localStorage", `seed ${id}`, JSON.stringify([...seedsOf(id), one]));
  } catch {}
}
