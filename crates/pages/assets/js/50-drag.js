// Dragging: cards onto cushions, drawn jewels onto cushions or back to the pouch.

/** The pressed element and its movement; null if none is pressed. `isMoving` is false until it has moved far enough. */
let drag = null;
/** The element to click when the pointer is released, because the browser could not hit it during a transition. */
let clickTarget = null;
let dragEndWaiters = [];

/** Resolves when no element is being dragged: messages must not change it under the finger. */
const dragEnd = () => (drag?.isMoving ? new Promise((resolve) => dragEndWaiters.push(resolve)) : undefined);

/** The element to drag from here, with its card input or the index of its jewel; null if it cannot be dragged. */
function draggableAt(target) {
  if (pendingAction || revealing || !$("#confirm")) return null;
  const preview = target.closest?.(".cushion > .jewel.ghost");
  if (preview) return { element: preview, jewel: Number(preview.dataset.drawn) };
  const label = target.closest?.(".hand label.card, .drawn label");
  const input = label && $("input:enabled", label);
  if (!input) return null;
  return input.name === "card" ? { element: label, card: input } : { element: $(".jewel", label), jewel: drawnInputs().indexOf(input) };
}

function onPointerDown(event) {
  let { target } = event;
  clickTarget = null;
  if (runningTransition) {
    // Elements in a transition cannot be hit: end the transition, find the element at this point, and click it on release.
    runningTransition.skipTransition();
    const hit = document.elementFromPoint(event.clientX, event.clientY) ?? target;
    clickTarget = hit.closest("label, button, a");
    if (clickTarget?.contains(target)) clickTarget = null;
    target = hit;
  }
  if (!event.isPrimary || event.button !== 0 || drag) return;
  const draggable = draggableAt(target);
  if (draggable) drag = { ...draggable, id: event.pointerId, x: event.clientX, y: event.clientY, dx: 0, dy: 0, isMoving: false };
}

function startMoving() {
  drag.isMoving = true;
  document.body.classList.add("dragging");
  drag.element.classList.add("lifted");
  drag.targets = cushionElements();
  if (drag.jewel !== undefined) drag.targets.push($("#board .pouch"));
  // Fails if the pointer has been released already, which does no harm.
  try {
    drag.element.setPointerCapture(drag.id);
  } catch {}
}

function onPointerMove(event) {
  if (event.pointerId !== drag?.id) return;
  drag.dx = event.clientX - drag.x;
  drag.dy = event.clientY - drag.y;
  // Small movements still count as a tap.
  if (!drag.isMoving && Math.hypot(drag.dx, drag.dy) > 8) startMoving();
  if (!drag.isMoving) return;
  drag.element.style.translate = `${drag.dx}px ${drag.dy}px`;
  const over = drag.targets.find((target) => {
    const box = target.getBoundingClientRect();
    return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  });
  if (over === drag.over) return;
  drag.over?.classList.remove("over");
  // A card can be dropped only on an enabled cushion, a jewel on all targets.
  over?.classList.toggle("over", !drag.card || !!$("input[name=cushion]:enabled", over));
  drag.over = over;
}

function onPointerEnd(event) {
  if (event.type === "pointerup" && !drag?.isMoving) clickTarget?.click();
  if (event.pointerId !== drag?.id) return;
  const { isMoving, over, element, card, jewel, dx, dy } = drag;
  drag = null;
  if (isMoving) {
    document.body.classList.remove("dragging");
    over?.classList.remove("over");
    element.classList.remove("lifted");
    element.style.translate = "";
    suppressNextClick();
    const isDropped = event.type === "pointerup" && over && (card ? dropCard(card, over) : dropJewel(jewel, over));
    if (!isDropped && !reducedMotion.matches) {
      element.animate([{ translate: `${dx}px ${dy}px` }, { translate: "0px 0px" }], { duration: 180, easing: "ease-out" });
    }
  }
  dragEndWaiters.splice(0).forEach((resolve) => resolve());
}

/** Chooses the card for this cushion. Returns false if the cushion is disabled. */
function dropCard(cardInput, cushion) {
  if (!chooseCushion(cushion)) return false;
  cardInput.checked = true;
  playSound("card");
  showChoice();
  return true;
}

/** Puts a drawn jewel, by index, on this cushion or back into the pouch. */
function dropJewel(jewel, target) {
  const cushion = cushionElements().indexOf(target);
  if (cushion >= 0) placeJewel(jewel, cushion);
  else {
    arrangedJewels = arrangedJewels.map((i) => (i === jewel ? undefined : i));
    drawnInputs()[jewel].checked = true;
    playSound("drop");
    showChoice();
  }
  return true;
}

/** Suppresses the click that the browser sends at the end of a drag. */
function suppressNextClick() {
  const suppress = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", suppress, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", suppress, true), 60);
}

function startDragging() {
  document.addEventListener("pointerdown", onPointerDown);
  document.addEventListener("pointermove", onPointerMove);
  document.addEventListener("pointerup", onPointerEnd);
  document.addEventListener("pointercancel", onPointerEnd);
  // Browsers drag images and links by themselves, which would end our drag.
  document.addEventListener("dragstart", (event) => event.target.closest?.("#table") && event.preventDefault());
}
