// Dragging: cards onto cushions, drawn jewels onto cushions or back to the pouch.

let drag = null;
let clickTarget = null;
let dropWaiters = [];

/** Resolves when no drag is active: a dragged element must not change under the finger. */
const dropped = () => (drag?.lifted ? new Promise((go) => dropWaiters.push(go)) : undefined);

/** The draggable element at this point, and the choice it represents. */
function liftable(target) {
  if (pending || revealing) return null;
  const ghost = target.closest?.(".cushion > .jewel.ghost");
  if (ghost) return { element: ghost, jewel: Number(ghost.dataset.drawn) };
  const label = target.closest?.(".hand label.card, .drawn label");
  const input = label && $("input:enabled", label);
  if (!input) return null;
  return input.name === "card" ? { element: label, card: input } : { element: $(".jewel", label), jewel: drawn().indexOf(input) };
}

function beginDrag(event) {
  let { target } = event;
  clickTarget = null;
  if (gliding) {
    // Elements in a transition cannot be hit: end the transition, look again, and replay the click.
    gliding.skipTransition();
    const under = document.elementFromPoint(event.clientX, event.clientY) ?? target;
    clickTarget = under.closest("label, button, a");
    if (clickTarget?.contains(target)) clickTarget = null;
    target = under;
  }
  if (!event.isPrimary || event.button !== 0 || drag) return;
  const draggable = liftable(target);
  if (draggable) drag = { ...draggable, id: event.pointerId, x: event.clientX, y: event.clientY, dx: 0, dy: 0, lifted: false };
}

function lift() {
  drag.lifted = true;
  document.body.classList.add("dragging");
  drag.element.classList.add("lifted");
  drag.targets = $$("#board .cushion");
  if (drag.jewel !== undefined) drag.targets.push($("#board .pouch"));
  try {
    drag.element.setPointerCapture(drag.id);
  } catch {}
}

function moveDrag(event) {
  if (event.pointerId !== drag?.id) return;
  drag.dx = event.clientX - drag.x;
  drag.dy = event.clientY - drag.y;
  // Small movements still count as a tap.
  if (!drag.lifted && Math.hypot(drag.dx, drag.dy) > 8) lift();
  if (!drag.lifted) return;
  drag.element.style.translate = `${drag.dx}px ${drag.dy}px`;
  const over = drag.targets.find((one) => {
    const box = one.getBoundingClientRect();
    return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  });
  if (over === drag.over) return;
  drag.over?.classList.remove("over");
  over?.classList.toggle("over", accepts(over));
  drag.over = over;
}

/** Whether the dragged element may be dropped here. */
const accepts = (place) => !drag.card || !!$("input[name=cushion]:enabled", place);

function drop(event) {
  if (event.type === "pointerup" && !drag?.lifted) clickTarget?.click();
  if (event.pointerId !== drag?.id) return;
  const { lifted, over, element, card, jewel, dx, dy } = drag;
  if (lifted) {
    const put = event.type === "pointerup" && over;
    document.body.classList.remove("dragging");
    over?.classList.remove("over");
    element.classList.remove("lifted");
    element.style.translate = "";
    swallowClick();
    drag = null;
    const done = put && (card ? chooseCushion(over) : putJewel(jewel, over));
    if (done && card) {
      card.checked = true;
      play("card");
      paint();
    } else if (!done && !reduced.matches) {
      element.animate([{ translate: `${dx}px ${dy}px` }, { translate: "0px 0px" }], { duration: 180, easing: "ease-out" });
    }
  }
  drag = null;
  dropWaiters.splice(0).forEach((go) => go());
}

function putJewel(jewel, place) {
  const i = cushions().indexOf(place);
  if (i >= 0) lay(jewel, i);
  else {
    laid = laid.map((one) => (one === jewel ? undefined : one));
    drawn()[jewel].checked = true;
    play("drop");
    paint();
  }
  return true;
}

/** Suppresses the click at the end of a drag. */
function swallowClick() {
  const stop = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, true), 60);
}

function startDragging() {
  document.addEventListener("pointerdown", beginDrag);
  document.addEventListener("pointermove", moveDrag);
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
  document.addEventListener("dragstart", (event) => event.target.closest?.("#table") && event.preventDefault());
}
