// The check of a deal: fetches the record, lets 84-deal.js work everything out, and marks what holds. The page has all the words.

/** What this browser wrote down before it gave its seeds at a table. */
function notedDeals(table) {
  try {
    const noted = JSON.parse(localStorage.getItem(`seed ${table}`)) ?? [];
    return (Array.isArray(noted) ? noted : [noted]).filter((one) => one && typeof one === "object");
  } catch {
    return [];
  }
}

function verifyCell(row, ...parts) {
  const cell = document.createElement("td");
  cell.append(...parts);
  row.append(cell);
}

function verifyJewels(letters, colours) {
  const list = document.createElement("span");
  list.className = "jewels";
  for (const letter of letters ?? []) {
    const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#jewel-${letter.toLowerCase()}`);
    drawing.setAttribute("class", "jewel");
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", colours[DEAL_JEWELS.indexOf(letter)]);
    drawing.append(use);
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
  const { hand, perStage } = checked.numbers;
  rows.forEach((row, seat) => {
    verifyCell(row, record.client_seeds[seat]);
    for (let from = 0; from < checked.decks[seat].length; from += hand) verifyCell(row, checked.decks[seat].slice(from, from + hand).join(" "));
  });
  const body = main.querySelector("#rounds tbody");
  for (const round of checked.rounds) {
    const row = document.createElement("tr");
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
    const checked = checkDeal(record, notedDeals(main.dataset.of), shown);
    for (const [name, state] of Object.entries(checked.steps)) {
      const step = main.querySelector(`[data-step=${name}]`);
      step.dataset.state = state === "good" || state === "bad" ? state : "open";
      for (const note of step.querySelectorAll(".note")) note.hidden = note.dataset.if !== state;
    }
    if (checked.fault) {
      const fault = main.querySelector("#fault");
      fault.textContent = fault.dataset.template.replace("{number}", checked.fault.action).replace("{said}", checked.fault.said);
      fault.hidden = false;
    }
    if (checked.rounds) showDeal(main, record, checked);
    verdict.dataset.state = checked.good ? "good" : "bad";
  } catch {
    verdict.dataset.state = "failed";
  }
}

// Pages without a document, where the arithmetic is tested, have nothing to check here.
const verifyPage = globalThis.document?.querySelector("main#verify");
if (verifyPage) verifyDeal(verifyPage);
