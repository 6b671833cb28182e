// Changes the page to match HTML from the server. Unchanged nodes are kept, so that focus, scroll position, open dialogs and
// running animations survive.

/** Attributes that the user or this script changes. They stay as they are, whatever the server's HTML has. */
const CLIENT_ATTRIBUTES = new Set(["style", "open"]);

function morphAttributes(element, target) {
  for (const { name, value } of [...target.attributes]) {
    if (!CLIENT_ATTRIBUTES.has(name) && element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
  for (const { name } of [...element.attributes]) {
    if (!CLIENT_ATTRIBUTES.has(name) && !target.hasAttribute(name)) element.removeAttribute(name);
  }
}

/** Identifies an element among its siblings: by its id, or a radio button by its name and value. Other nodes have no key. */
function keyOf(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return null;
  if (node.id) return `#${node.id}`;
  return node.type === "radio" ? `${node.name}=${node.value}` : null;
}

/** Whether `a` can be changed into `b`, which has no key: `a` has no key either, and the same tag and first class. */
const isSimilar = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && !keyOf(a) && a.classList?.[0] === b.classList?.[0];

function moveBefore(parent, node, successor) {
  // Element.moveBefore keeps focus and animations. A browser without it loses them, which is acceptable.
  if (parent.moveBefore) parent.moveBefore(node, successor);
  else parent.insertBefore(node, successor);
}

function morphChildren(parent, target) {
  const keyedChildren = new Map();
  for (const child of parent.childNodes) {
    const key = keyOf(child);
    if (key) keyedChildren.set(key, child);
  }
  // All children before `next` already match the target.
  let next = parent.firstChild;
  for (const wanted of [...target.childNodes]) {
    const key = keyOf(wanted);
    let match = key ? keyedChildren.get(key) : next;
    if (!key) while (match && !isSimilar(match, wanted)) match = match.nextSibling;
    if (match && match.nodeName === wanted.nodeName) {
      if (match === next) next = next.nextSibling;
      else moveBefore(parent, match, next);
      keyedChildren.delete(key);
      morph(match, wanted);
    } else {
      if (wanted.nodeType === Node.ELEMENT_NODE) animateNewBidsAndJewels(wanted);
      parent.insertBefore(wanted, next);
    }
  }
  while (next) {
    const removed = next;
    next = next.nextSibling;
    removed.remove();
  }
}

/**
 * Lets CSS animate bids and drawn jewels that are new on the page. A bid with a visible card is the player's own: 25-glide.js moves
 * it.
 */
function animateNewBidsAndJewels(root) {
  for (const element of [root, ...$$(".bid, .drawn", root)]) {
    if (element.matches(".drawn, .bid:not(:has(.value))")) element.classList.add("new");
  }
}

/** Changes a node and its descendants to match `target`, which must have the same node name. */
function morph(node, target) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.nodeValue !== target.nodeValue) node.nodeValue = target.nodeValue;
    return;
  }
  if (node.isEqualNode(target)) return;
  morphAttributes(node, target);
  morphChildren(node, target);
}

/**
 * Changes the section of the page with the same id. A section with another tag is replaced (a cushion is a label only while it can
 * be chosen), and only its new bids are animated. A section that the page does not have is ignored.
 */
function morphSection(target) {
  const section = document.getElementById(target.id);
  if (section?.nodeName === target.nodeName) return morph(section, target);
  const oldIds = new Set($$("[id]", section ?? target).map(({ id }) => id));
  for (const bid of $$(".bid", target)) if (!oldIds.has(bid.id)) animateNewBidsAndJewels(bid);
  section?.replaceWith(target);
}
