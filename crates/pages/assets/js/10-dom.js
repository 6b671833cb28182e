// The script of all pages: the files of this folder in the order of their names, joined into one module. This file has the
// helpers that other files share.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** The main element of a table's page (lobby, game, curtain or result); null on other pages. */
const table = $("main[data-live], main[data-table]");

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Resolves after this time, or as soon as the signal is aborted. */
const sleep = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", resolve, { once: true });
  });

/** Creates an SVG element that shows a drawing of the sprite (assets/art/sprite.svg). */
function spriteSvg(drawing, className) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#${drawing}`);
  svg.append(use);
  return svg;
}

function createElement(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

const parseHtml = (html) => {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
};

/** The letter of a jewel's colour (W, R, Y, G or B), read from its SVG element. */
const jewelLetter = (svg) => $("use", svg)?.getAttribute("href")?.match(/^#jewel-(\w)/)?.[1].toUpperCase();

/**
 * Stores a text in `storage` ("localStorage" or "sessionStorage"); null removes it. Some private windows refuse access, and no
 * feature depends on it, so errors are ignored.
 */
function storeItem(storage, key, value) {
  try {
    value === null ? window[storage].removeItem(key) : window[storage].setItem(key, value);
  } catch {}
}

/** The stored text; null if it is absent or access is refused. */
function storedItem(storage, key) {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Replaces `{name}` or `{ $name }` in a text by `values.name`. Names without a value stay. */
const fillTemplate = (template, values) => template.replace(/\{ ?\$?(\w+) ?\}/g, (whole, name) => values[name] ?? whole);

/** The box for notices of one kind. It is created with this text at the end of `place` on first use. */
function noticeBox(id, role, text, place = document.body) {
  let box = $(`#${id}`);
  if (!box) {
    box = createElement("p", id, text);
    box.id = id;
    box.setAttribute("role", role);
    place.append(box);
  }
  box.hidden = false;
  return box;
}

let toastTimer;
/** Shows a short notice and removes it after some seconds, later if the text is longer. At a table it is in the grid, on the board. */
function toast(text) {
  if (!text) return;
  const box = noticeBox("toast", "alert", text, $("main#table") ?? document.body);
  box.onclick = () => (box.hidden = true);
  box.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (box.hidden = true), 3000 + 60 * text.length);
}

/** Whether this element uses key presses itself, as a text field does. */
const handlesKeys = (element) => element.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");
// A browser without popovers rejects a selector with `:popover-open`.
const OPEN_DIALOG = CSS.supports("selector(:popover-open)") ? ":popover-open, dialog[open]" : "dialog[open]";
/** Whether a dialog or the settings menu is open. */
const isDialogOpen = () => $(OPEN_DIALOG) || $("details.settings[open]");
