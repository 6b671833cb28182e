// Choosing a card and a cushion, or the jewel to put back. The radio buttons of the page hold the choice; this file shows it
// (the card on its cushion, the label of the button) and adds keyboard shortcuts. A card can also be prepared, that is, chosen
// while others bid; there is no button then, so nothing can be sent.

/** The names of the radio buttons. "back" is the drawn jewel that is put back into the pouch. */
const CHOICES = ["card", "cushion", "back"];
const chosenInput = (name) => $(`input[name="${name}"]:checked`);
const inputsNamed = (name) => $$(`input[name="${name}"]`);
const drawnInputs = () => $$(".drawn input[name=back]");
const cushionElements = () => $$("#board .cushion");

/** For each cushion, the index of the drawn jewel that the player put there; undefined without a choice. */
let arrangedJewels = [];

const currentChoice = () => Object.fromEntries(CHOICES.map((name) => [name, chosenInput(name)?.value]));

/**
 * Lets the player prepare a card. The server's cards are disabled until the player's turn, because without a script a prepared
 * card would be lost with the next page.
 */
function enablePreparing() {
  if ($("#choice") && !$("#confirm")) for (const input of inputsNamed("card")) input.disabled = false;
}

/** Restores a choice after the page has changed, if it is still possible. */
function restoreChoice(choice) {
  enablePreparing();
  for (const name of CHOICES) {
    let isRestored = false;
    for (const input of inputsNamed(name)) {
      // Without a choice, the server's default applies: a single card is preselected.
      const isChosen = choice[name] === undefined ? input.defaultChecked : input.value === choice[name];
      input.checked = !isRestored && isChosen && !input.disabled;
      isRestored ||= input.checked;
    }
  }
}

/** Clears the choice, for example when the next action begins. */
function clearChoice() {
  arrangedJewels = [];
  pendingAction = null;
  restoreChoice({});
}

/** Whether everything is chosen that the current action needs. The page has radio buttons only for this action. */
const isChoiceComplete = () => CHOICES.every((name) => !inputsNamed(name).length || chosenInput(name));

/** The page's hint for the missing part of the choice. CSS shows the right one of several. */
const visibleHint = () => $$(".confirm .hint").find((hint) => getComputedStyle(hint).visibility === "visible")?.textContent;

/**
 * The index of the drawn jewel on each cushion, as the player arranged them. Once the jewel to put back is chosen, the remaining
 * jewels fill the free cushions in the order of drawing.
 */
function currentArrangement() {
  const jewels = drawnInputs();
  const putBack = jewels.indexOf(chosenInput("back"));
  const arrangement = cushionElements().map((_, i) => (arrangedJewels[i] === putBack ? undefined : arrangedJewels[i]));
  if (putBack < 0) return arrangement;
  const remaining = jewels.map((_, i) => i).filter((i) => i !== putBack && !arrangement.includes(i));
  return arrangement.map((jewel) => jewel ?? remaining.shift());
}

/** Puts a drawn jewel on a cushion (both by index), exchanging places with the jewel there. */
function placeJewel(jewel, cushion) {
  const arrangement = currentArrangement();
  const oldCushion = arrangement.indexOf(jewel);
  if (oldCushion >= 0) arrangement[oldCushion] = arrangement[cushion];
  arrangement[cushion] = jewel;
  arrangedJewels = arrangement;
  // Once every cushion has a jewel, the jewel left over is the one to put back.
  const leftOver = drawnInputs().find((_, i) => !arrangement.includes(i));
  const isFull = arrangement.every((i) => i !== undefined);
  for (const input of drawnInputs()) input.checked = isFull && input === leftOver;
  playSound("jewel", jewelLetter($(".jewel", drawnInputs()[jewel].closest("label"))));
  showChoice();
}

/** Removes the previews of the choice, and the hidden field with the previewed offer. */
function removePreviews() {
  for (const preview of $$(".ghost")) preview.remove();
  for (const original of $$(".laid")) original.classList.remove("laid");
  $("#choice input[name=offer]")?.remove();
}

/** Shows the choice: previews on the cushions, and the label and state of the button. */
function showChoice() {
  removePreviews();
  const form = $("#choice");
  const button = $("#confirm");
  if (!form || !button) return;
  // Tab leads from the card to its cushion.
  for (const input of inputsNamed("cushion")) input.tabIndex = -1;
  // The page has its own hints, so the browser must not show others.
  form.noValidate = true;
  if (chosenInput("card") && chosenInput("cushion")) previewBid(chosenInput("card"), chosenInput("cushion"));
  if (drawnInputs().length) previewOffer(form);
  const label = chosenInput("back")?.dataset.confirm ?? button.dataset.template;
  button.dataset.plain ??= button.textContent;
  button.textContent = label && isChoiceComplete() ? fillTemplate(label, currentChoice()) : button.dataset.plain;
  button.classList.toggle("pending", !!pendingAction);
  button.ariaBusy = pendingAction ? "true" : null;
}

/** Shows the chosen card, face down with its value, on the chosen cushion. */
function previewBid(cardInput, cushionInput) {
  const colour = $("#own").dataset.colour;
  const back = createElement("span", "back", spriteSvg("card-back", "ornament"), spriteSvg(`emblem-${colour}`, "emblem"));
  const preview = createElement("li", "bid ghost", back, createElement("b", "value", cardInput.value));
  preview.dataset.colour = colour;
  preview.setAttribute("aria-hidden", "true");
  $(".bids", cushionInput.closest(".cushion"))?.append(preview);
  cardInput.closest(".card").classList.add("laid");
}

/** Shows the arranged jewels on the cushions, and adds their order to the form. */
function previewOffer(form) {
  const jewels = drawnInputs();
  const offer = createElement("input", "");
  offer.type = "hidden";
  offer.name = "offer";
  form.append(offer);
  currentArrangement().forEach((jewel, i) => {
    if (jewel === undefined) return;
    const label = jewels[jewel].closest("label");
    const svg = $(".jewel", label);
    const preview = svg.cloneNode(true);
    preview.classList.add("ghost");
    preview.dataset.drawn = jewel;
    preview.removeAttribute("style");
    $(".velvet", cushionElements()[i])?.after(preview);
    label.classList.add("laid");
    offer.value += jewelLetter(svg);
  });
  // Send a complete order or no order: without it the server keeps the order of drawing.
  if (!isChoiceComplete()) offer.value = "";
}

/** The reason that the page gives for a disabled card, cushion or jewel. */
const reasonDisabled = (element) => element.dataset.why ?? $(".why", element)?.textContent;

/** Chooses a cushion and returns true. For a disabled cushion, shows the reason and returns false. */
function chooseCushion(cushion) {
  const input = $("input[name=cushion]", cushion);
  if (input?.disabled === false) {
    input.checked = true;
    input.focus({ preventScroll: true });
    showChoice();
    return true;
  }
  toast(reasonDisabled(cushion));
  return false;
}

/**
 * Chooses the next card or jewel (`step` 1) or the previous one (-1), as the arrow keys do when one of them has focus. Without a
 * choice it begins at the first or last one. `at` counts a negative index from the end.
 */
function chooseNeighbour(step) {
  const inputs = $$("input[name=card]:enabled, input[name=back]:enabled");
  const current = inputs.findIndex((input) => input.checked);
  const next = inputs.at(current < 0 ? Math.min(step, 0) : (current + step) % inputs.length);
  next?.focus({ preventScroll: true });
  next?.click();
}

/**
 * Tab leads from the card to the cushion and from there to the button. The page has the cushions first, so they are left out of the
 * browser's own order (see `showChoice`).
 */
function onTab(event) {
  const { target, shiftKey } = event;
  const stops = ["card", "cushion"].map((name) => chosenInput(name) ?? $(`input[name=${name}]:enabled`));
  if (isChoiceComplete()) stops.push($("#confirm"));
  const position = stops.findIndex((stop) => stop && (stop === target || (target.name && stop.name === target.name)));
  const next = position < 0 ? null : stops[position + (shiftKey ? -1 : 1)];
  if (next) {
    next.focus({ preventScroll: true });
    event.preventDefault();
  } else if (target.name === "cushion") {
    // The browser goes on from what has focus now.
    const end = $("#own-treasure");
    end.tabIndex = -1;
    end.focus({ preventScroll: true });
  }
}

function onChoiceKey(event) {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || handlesKeys(target) || !$("#choice")) return;
  if (isDialogOpen() || revealing) return;
  if (key === "Tab") return onTab(event);
  // The index of a cushion, if the key is a digit; otherwise NaN, for which there is no cushion.
  const number = Number(key) - 1;
  // Only when a choice has focus: elsewhere, digits may belong to voice control or a screen reader.
  if (cushionElements()[number] && CHOICES.includes(target.name)) {
    if (target.name === "back") placeJewel(drawnInputs().indexOf(target), number);
    else chooseCushion(cushionElements()[number]);
  } else if (key === "Escape" && !pendingAction) {
    clearChoice();
    showChoice();
  } else if (/^Arrow/.test(key) && target.type !== "radio") {
    if (!$("input[name=card]:enabled, input[name=back]:enabled")) return;
    chooseNeighbour(key === "ArrowRight" || key === "ArrowDown" ? 1 : -1);
  } else if (key === "Enter" && !target.closest("button, a, summary")) {
    if ($("#confirm")) $("#choice").requestSubmit($("#confirm"));
  } else return;
  event.preventDefault();
}

function startChoosing() {
  // A second tap clears the choice, which a radio button cannot do alone.
  let chosenBeforeTap = [];
  document.addEventListener("pointerdown", () => (chosenBeforeTap = CHOICES.map(chosenInput)), true);
  document.addEventListener("click", (event) => {
    const input = event.target.closest("input[type=radio]");
    if (input && chosenBeforeTap.includes(input) && inputsNamed(input.name).length > 1) {
      input.checked = false;
      chosenBeforeTap = [];
      showChoice();
    }
    const choice = event.target.closest(".cushion, .card, .drawn label");
    if (choice && !$("input:enabled", choice)) toast(reasonDisabled(choice));
  });
  document.addEventListener("change", ({ target }) => {
    if (!CHOICES.includes(target.name)) return;
    if (target.name === "back") arrangedJewels = arrangedJewels.map((i) => (drawnInputs()[i] === target ? undefined : i));
    showChoice();
  });
  document.addEventListener("keydown", (event) => {
    chosenBeforeTap = [];
    onChoiceKey(event);
  });
  enablePreparing();
  showChoice();
}
