// The player's own part in chance: a seed made here, given only after the server has committed itself to its own, and kept,
// so that after the game this browser can show that the deal was made with it.

async function prepare(form) {
  // What the server has promised: on the page where somebody sits down, or else now.
  let commitment = $("code.seal")?.textContent ?? "";
  const asks = $("input[name=commitment]", form);
  if (asks) {
    try {
      const answer = await fetch("/api/v1/commitments", { method: "POST", signal: AbortSignal.timeout?.(3000) });
      commitment = answer.ok ? (await answer.json()).commitment : "";
    } catch {}
  }
  // A lucky word of the player's own stays. Nothing is written into the fields, where a way back would find it used.
  const seed = $("input[name=client_seed]", form)?.value || dealHex(crypto.getRandomValues(new Uint8Array(32)));
  const give = ({ formData }) => {
    if (asks) formData.set("commitment", commitment);
    formData.set("client_seed", seed);
  };
  form.addEventListener("formdata", give, { once: true });
  const [, at, what] = new URL(form.action).pathname.match(/^\/t\/(\w+)\/(\w+)$/) ?? [];
  const given = what === "rematch" ? { rematch: true } : { table: at };
  keep("sessionStorage", "seed", JSON.stringify({ commitment, seed, ...given }));
}

/** Which seeds this browser has given at a table. */
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
    const again = () => {
      form.dataset.seed = "made";
      form.requestSubmit(submitter);
      // Coming back to this page, a new game needs a new seed.
      setTimeout(() => (form.dataset.seed = ""), 0);
    };
    // Not before this submitting is over: a form that is being submitted does not hear that it should be.
    const later = () => setTimeout(again);
    prepare(form).then(later, later);
  }, true);
  noteSeed();
  // Who comes back, or goes elsewhere, has given nothing by the form that was left.
  addEventListener("pageshow", ({ persisted }) => persisted && keep("sessionStorage", "seed", null));
  document.addEventListener("click", ({ target }) => target.closest?.("a[href]") && keep("sessionStorage", "seed", null));
}

/** Writes down what was given at this table by the page before. */
function noteSeed() {
  const given = kept("sessionStorage", "seed");
  if (!given) return;
  keep("sessionStorage", "seed", null);
  const id = $("main[data-table]")?.dataset.table;
  try {
    const one = JSON.parse(given);
    if (dealIsGiven(one, { table: id, refused: !!$(".refusal, .alert") })) keep("localStorage", `seed ${id}`, JSON.stringify([...seedsOf(id), one]));
  } catch {}
}
