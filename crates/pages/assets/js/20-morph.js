// Patches the page to match HTML from the server. Unchanged nodes are kept, so that focus,
// scroll position, open dialogs and running animations survive.

const parse = (html) => {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
};

// Attributes set by the user or this script, unknown to the server.
const OWN_ATTRIBUTES = new Set(["style", "open"]);

function morphAttributes(from, to) {
  for (const { name, value } of [...to.attributes]) {
    if (!OWN_ATTRIBUTES.has(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  for (const { name } of [...from.attributes]) {
    if (!OWN_ATTRIBUTES.has(name) && !to.hasAttribute(name)) from.removeAttribute(name);
  }
}

/** Identifies an element among its siblings: its id, or else the choice it represents. */
function keyOf(node) {
  if (node.nodeType !== 1) return null;
  if (node.id) return `#${node.id}`;
  return node.type === "radio" ? `${node.name}=${node.value}` : null;
}

const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && !keyOf(a) && a.classList?.[0] === b.classList?.[0];

function move(parent, node, before) {
  // moveBefore keeps focus and animations. Without it the node loses them, which is acceptable.
  if (parent.moveBefore) parent.moveBefore(node, before);
  else parent.insertBefore(node, before);
}

function morphChildren(from, to) {
  const keyed = new Map();
  for (const child of from.childNodes) {
    const key = keyOf(child);
    if (key) keyed.set(key, child);
  }
  let at = from.firstChild;
  for (const want of [...to.childNodes]) {
    const key = keyOf(want);
    let have = key ? keyed.get(key) : at;
    if (!key) while (have && !alike(have, want)) have = have.nextSibling;
    if (have && have.nodeName === want.nodeName) {
      if (have === at) at = at.nextSibling;
      else move(from, have, at);
      keyed.delete(key);
      morph(have, want);
    } else {
      if (want.nodeType === 1) arrive(want);
      from.insertBefore(want, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Animates new bids and newly drawn jewels (by CSS). The player's own card glides instead. */
function arrive(node) {
  for (const one of [node, ...$$(".bid, .drawn", node)]) {
    if (one.matches(".drawn, .bid:not(:has(.value))")) one.classList.add("new");
  }
}

function morph(from, to) {
  if (from.nodeType !== 1) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  if (from.isEqualNode(to)) return;
  morphAttributes(from, to);
  morphChildren(from, to);
}

function morphSection(to) {
  const from = document.getElementById(to.id);
  if (from?.nodeName === to.nodeName) return morph(from, to);
  const known = new Set($$("[id]", from ?? to).map(({ id }) => id));
  for (const bid of $$(".bid", to)) if (!known.has(bid.id)) arrive(bid);
  from?.replaceWith(to);
}
