// Choosing a card and a cushion, or the jewel to put back. The radio buttons of the page hold the choice; this file shows it
// (the card on its cushion, the label of the button) and adds keyboard shortcuts.

const NAMES = ["card", "cushion", "back"];
const chosen = (name) => $(`input[name="${name}"]:checked`);
const inputs = (name) => $$(`input[name="${name}"]`);
const drawn = () => $$(".drawn input[name=back]");
const cushions = () => $$("#board .cushion");

/** Drawn jewel chosen for each cushion; cushions without a choice are filled in order of drawing. */
let laid = [];

const choices = () => Object.fromEntries(NAMES.map((name) => [name, chosen(name)?.value]));

/** Restores a choice after the page has changed, as far as it is still possible. */
function choose(choice) {
  for (const name of NAMES) {
    let found = false;
    for (const input of inputs(name)) {
      // A single card is preselected by the page.
      const meant = choice[name] === undefined ? input.defaultChecked : input.value === choice[name];
      input.checked = !found && meant && !input.disabled;
      found ||= input.checked;
    }
  }
}

/** Clears the choice when a new turn begins. */
function forget() {
  laid = [];
  pending = null;
  choose({});
}

const complete = () => NAMES.every((name) => !inputs(name).length || chosen(name));

/** The hint for the missing part of the choice, from the page. */
const hint = () => $$(".confirm .hint").find((one) => getComputedStyle(one).visibility === "visible")?.textContent;

/** Drawn jewels on each cushion, by number. */
function arrangement() {
  const jewels = drawn();
  const count = cushions().length;
  const putBack = jewels.indexOf(chosen("back"));
  const on = Array.from({ length: count }, (_, i) => (laid[i] === putBack ? undefined : laid[i]));
  const rest = jewels.map((_, i) => i).filter((i) => i !== putBack && !on.includes(i));
  return putBack < 0 ? on : on.map((i) => i ?? rest.shift());
}

/** Puts a drawn jewel on a cushion, exchanging places with the jewel there. */
function lay(jewel, place) {
  const on = arrangement();
  const from = on.indexOf(jewel);
  if (from >= 0) on[from] = on[place];
  on[place] = jewel;
  laid = on;
  const rest = drawn().filter((_, i) => !on.includes(i));
  const full = on.every((i) => i !== undefined);
  for (const input of drawn()) input.checked = full && input === rest[0];
  play("jewel", letter($(".jewel", drawn()[jewel].closest("label"))));
  paint();
}

function unpaint() {
  for (const ghost of $$(".ghost")) ghost.remove();
  for (const one of $$(".laid")) one.classList.remove("laid");
  $("#choice input[name=offer]")?.remove();
}

function paint() {
  unpaint();
  const form = $("#choice");
  const confirm = $("#confirm");
  if (!form || !confirm) return;
  form.noValidate = true;
  if (chosen("card") && chosen("cushion")) paintBid(chosen("card"), chosen("cushion"));
  if (drawn().length) paintOffer(form);
  const label = chosen("back")?.dataset.confirm ?? confirm.dataset.template;
  confirm.dataset.plain ??= confirm.textContent;
  confirm.textContent = label && complete() ? fill(label, choices()) : confirm.dataset.plain;
  confirm.classList.toggle("pending", !!pending);
  confirm.ariaBusy = pending ? "true" : null;
}

/** Preview of the chosen card on its cushion. */
function paintBid(card, cushion) {
  const colour = $("#own").dataset.colour;
  const back = make("span", "back", draw("card-back", "ornament"), draw(`emblem-${colour}`, "emblem"));
  const ghost = make("li", "bid ghost", back, make("b", "value", card.value));
  ghost.dataset.colour = colour;
  ghost.setAttribute("aria-hidden", "true");
  $(".bids", cushion.closest(".cushion"))?.append(ghost);
  card.closest(".card").classList.add("laid");
}

function paintOffer(form) {
  const jewels = drawn();
  const on = arrangement();
  let offer = $("input[name=offer]", form);
  if (!offer) {
    offer = make("input", "");
    offer.type = "hidden";
    offer.name = "offer";
    form.append(offer);
  }
  offer.value = "";
  on.forEach((jewel, i) => {
    if (jewel === undefined) return;
    const svg = $(".jewel", jewels[jewel].closest("label"));
    const ghost = svg.cloneNode(true);
    ghost.classList.add("ghost");
    ghost.dataset.drawn = jewel;
    ghost.removeAttribute("style");
    $(".velvet", cushions()[i])?.after(ghost);
    jewels[jewel].closest("label").classList.add("laid");
    offer.value += letter(svg);
  });
  // Send a complete order or no order: without it the server keeps the order of drawing.
  if (!complete()) offer.value = "";
}

/** The reason given by the page for a disabled choice. */
const reasonDisabled = (place) => place.dataset.why ?? $(".why", place)?.textContent;

/** Chooses a cushion, or shows the reason it is disabled. */
function chooseCushion(cushion) {
  const input = $("input[name=cushion]", cushion);
  if (input?.disabled === false) {
    input.checked = true;
    input.focus({ preventScroll: true });
    paint();
    return true;
  }
  toast(reasonDisabled(cushion));
  return false;
}

function moveByArrow(forward) {
  const group = $$("input[name=card]:enabled, input[name=back]:enabled");
  const at = group.findIndex((input) => input.checked);
  const next = group.at(at < 0 ? (forward ? 0 : -1) : (at + (forward ? 1 : -1)) % group.length);
  next?.focus({ preventScroll: true });
  next?.click();
}

function onKey(event) {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || typing(target) || !$("#choice")) return;
  if (somethingOpen() || revealing) return;
  const number = Number(key) - 1;
  // Elsewhere, letters and digits may belong to voice control or a screen reader.
  if (cushions()[number] && NAMES.includes(target.name)) {
    if (target.name === "back") lay(drawn().indexOf(target), number);
    else chooseCushion(cushions()[number]);
  } else if (key === "Escape" && !pending) {
    forget();
    paint();
  } else if (/^Arrow/.test(key) && target.type !== "radio") {
    if (!$("input[name=card]:enabled, input[name=back]:enabled")) return;
    moveByArrow(key === "ArrowRight" || key === "ArrowDown");
  } else if (key === "Enter" && !target.closest("button, a, summary")) {
    if ($("#confirm")) $("#choice").requestSubmit($("#confirm"));
  } else return;
  event.preventDefault();
}

function startChoosing() {
  let before = [];
  // A second tap clears the choice, which a radio button cannot do alone.
  document.addEventListener("pointerdown", () => (before = NAMES.map(chosen)), true);
  document.addEventListener("click", (event) => {
    const input = event.target.closest("input[type=radio]");
    if (input && before.includes(input) && inputs(input.name).length > 1) {
      input.checked = false;
      before = [];
      paint();
    }
    const choice = event.target.closest(".cushion, .card, .drawn label");
    if (choice && !$("input:enabled", choice)) toast(reasonDisabled(choice));
  });
  document.addEventListener("change", ({ target }) => {
    if (!NAMES.includes(target.name)) return;
    if (target.name === "back") laid = laid.map((i) => (drawn()[i] === target ? undefined : i));
    paint();
  });
  document.addEventListener("keydown", (event) => {
    before = [];
    onKey(event);
  });
  paint();
}
