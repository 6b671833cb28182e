// The check of a deal: fetches the record, computes everything with 84-deal.js, and marks each step. All texts are in the page.

const verifyCell = (row, ...parts) => row.append(make("td", "", ...parts));

function verifyJewels(letters, colours) {
  const list = make("span", "jewels");
  for (const letter of letters ?? []) {
    const drawing = draw(`jewel-${letter.toLowerCase()}`, "jewel");
    drawing.removeAttribute("aria-hidden");
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", colours[DEAL_JEWELS.indexOf(letter)]);
    list.append(drawing);
  }
  return list;
}

function showDeal(main, record, checked) {
  const values = main.querySelector("#values");
  const colours = values.dataset.colours.split("|");
  const rows = Array.from(main.querySelectorAll("#decks [data-seat]"));
  const names = rows.map((row) => row.querySelector(".name").textContent);
  const code = (name, value) => { values.querySelector(`[data-value=${name}]`).textContent = value; };
  code("server", record.server_seed);
  code("promise", checked.computed);
  code("game", checked.gameSeed);
  const { hand, stages, perStage } = checked.numbers;
  rows.forEach((row, seat) => {
    verifyCell(row, record.client_seeds[seat]);
    for (let from = 0; from < stages * hand; from += hand) verifyCell(row, checked.decks[seat].slice(from, from + hand).join(" "));
  });
  const body = main.querySelector("#rounds tbody");
  for (const round of checked.rounds) {
    const row = make("tr", "");
    verifyCell(row, `${(round.stage - 1) * perStage + round.round}`);
    verifyCell(row, names[round.first]);
    verifyCell(row, verifyJewels(round.drawn, colours));
    verifyCell(row, verifyJewels(round.offer, colours));
    verifyCell(row, round.bids.map((bid) => `${names[bid.seat]} ${bid.card}@${bid.cushion}`).join(", "));
    verifyCell(row, (round.winners ?? []).map((seat) => (seat === null ? values.dataset.nobody : names[seat])).join(", "));
    body.append(row);
  }
}

async function verifyDeal(main) {
  const verdict = main.querySelector("#verdict");
  try {
    const answer = await fetch(main.dataset.record, { headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(answer.statusText);
    const record = await answer.json();
    const shown = { commitment: main.dataset.commitment, places: [] };
    for (const { dataset } of main.querySelectorAll("#decks [data-rank]")) {
      shown.places.push({ seat: Number(dataset.seat), points: Number(dataset.points), rank: Number(dataset.rank) });
    }
    // Spectators, and players who left before the start, contributed no seed.
    const noted = main.dataset.seated === undefined ? [] : seedsOf(main.dataset.of);
    const checked = checkDeal(record, noted, shown);
    for (const [name, state] of Object.entries(checked.steps)) {
      const step = main.querySelector(`[data-step=${name}]`);
      step.dataset.state = state === "good" || state === "bad" ? state : "open";
      for (const note of step.querySelectorAll(".note")) note.hidden = note.dataset.if !== state;
    }
    if (checked.fault) {
      const fault = main.querySelector("#fault");
      fault.textContent = fault.dataset.template.replace("{number}", checked.fault.action).replace("{said}", checked.fault.text);
      fault.hidden = false;
    }
    if (checked.rounds) showDeal(main, record, checked);
    verdict.dataset.state = checked.good ? "good" : "bad";
  } catch {
    verdict.dataset.state = "failed";
  }
}

const verifyPage = $("main#verify");
if (verifyPage) verifyDeal(verifyPage);
