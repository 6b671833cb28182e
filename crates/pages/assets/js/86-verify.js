// The check of a deal: fetches the record, computes everything with 84-deal.js, and marks each step. All texts are in the page.

const verifyMain = $("main#verify");

/** Drawings of jewels, given by their letters. Screen readers read the names of the colours. */
function jewelDrawings(letters, colourNames) {
  const drawings = Array.from(letters ?? [], (letter) => {
    const svg = spriteSvg(`jewel-${letter.toLowerCase()}`, "jewel");
    svg.removeAttribute("aria-hidden");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", colourNames[DEAL_JEWELS.indexOf(letter)]);
    return svg;
  });
  return createElement("span", "jewels", ...drawings);
}

/** Shows the computed values: seeds, decks and rounds. */
function showComputedValues(record, checked) {
  const values = $("#values", verifyMain);
  const colourNames = values.dataset.colours.split("|");
  const playerRows = $$("#decks [data-seat]", verifyMain);
  const names = playerRows.map((row) => $(".name", row).textContent);
  const addCells = (row, ...contents) => row.append(...contents.map((content) => createElement("td", "", content)));
  const codes = { server: record.server_seed, promise: checked.computed, game: checked.gameSeed };
  for (const [name, text] of Object.entries(codes)) $(`[data-value=${name}]`, values).textContent = text;
  const { hand, stages, perStage } = checked.parameters;
  playerRows.forEach((row, seat) => {
    addCells(row, record.client_seeds[seat]);
    for (let start = 0; start < stages * hand; start += hand) addCells(row, checked.decks[seat].slice(start, start + hand).join(" "));
  });
  for (const round of checked.rounds) {
    const row = createElement("tr", "");
    addCells(
      row,
      `${(round.stage - 1) * perStage + round.round}`,
      names[round.first],
      jewelDrawings(round.drawn, colourNames),
      jewelDrawings(round.offer, colourNames),
      round.bids.map((bid) => `${names[bid.seat]} ${bid.card}@${bid.cushion}`).join(", "),
      (round.winners ?? []).map((seat) => (seat === null ? values.dataset.nobody : names[seat])).join(", "),
    );
    $("#rounds tbody", verifyMain).append(row);
  }
}

function showSteps(steps) {
  for (const [name, state] of Object.entries(steps)) {
    const step = $(`[data-step=${name}]`, verifyMain);
    step.dataset.state = state === "good" || state === "bad" ? state : "open";
    for (const note of $$(".note", step)) note.hidden = note.dataset.if !== state;
  }
}

async function verifyDeal() {
  const verdict = $("#verdict", verifyMain);
  try {
    const response = await fetch(verifyMain.dataset.record, { headers: { accept: "application/json" } });
    if (!response.ok) throw new Error(response.statusText);
    const record = await response.json();
    const places = $$("#decks [data-rank]", verifyMain).map(({ dataset }) => ({
      seat: Number(dataset.seat), points: Number(dataset.points), rank: Number(dataset.rank),
    }));
    // Spectators, and players who left before the start, contributed no seed.
    const noted = verifyMain.dataset.seated === undefined ? [] : seedsOf(verifyMain.dataset.of);
    const checked = checkDeal(record, noted, { commitment: verifyMain.dataset.commitment, places });
    showSteps(checked.steps);
    if (checked.fault) {
      const fault = $("#fault", verifyMain);
      fault.textContent = fillTemplate(fault.dataset.template, { number: checked.fault.action, said: checked.fault.text });
      fault.hidden = false;
    }
    if (checked.rounds) showComputedValues(record, checked);
    verdict.dataset.state = checked.good ? "good" : "bad";
  } catch {
    verdict.dataset.state = "failed";
  }
}

if (verifyMain) verifyDeal();
