// The script of all pages: the files in order of their names, joined into one module. This file has shared helpers.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** The table on this page (game or lobby); null on other pages. */
const table = $("main[data-live], main[data-table]");

const reduced = matchMedia("(prefers-reduced-motion: reduce)");
/** True if the page is hidden or the user prefers reduced motion. */
const still = () => document.hidden || reduced.matches;

/** Waits; resolves early, without an error, when the signal aborts. */
const sleep = (ms, signal) =>
  new Promise((done) => {
    if (signal?.aborted) return done();
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
  });

/** A drawing of the sprite. */
function draw(id, className) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#${id}`);
  svg.append(use);
  return svg;
}

function make(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

/** The jewel of a drawing, as its letter in notation. */
const letter = (svg) => $("use", svg)?.getAttribute("href")?.match(/^#jewel-(\w)/)?.[1].toUpperCase();

// Some private windows refuse storage. No feature depends on it.
function keep(storage, key, value) {
  try {
    value === null ? window[storage].removeItem(key) : window[storage].setItem(key, value);
  } catch {}
}
function kept(storage, key) {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

const fill = (template, values) => template.replace(/\{ ?\$?(\w+) ?\}/g, (whole, name) => values[name] ?? whole);

let toastTimer;
/** Shows a short notice (toast) and removes it after some seconds. */
function toast(text) {
  if (!text) return;
  let box = $("#toast");
  if (!box) {
    box = make("p", "toast");
    box.id = "toast";
    box.setAttribute("role", "alert");
    box.addEventListener("click", () => (box.hidden = true));
    document.body.append(box);
  }
  box.hidden = false;
  box.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (box.hidden = true), 3000 + 60 * text.length);
}

/** Whether the focused element handles this key press itself. */
const typing = (target) => target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");
const OPEN = CSS.supports("selector(:popover-open)") ? ":popover-open, dialog[open]" : "dialog[open]";
const somethingOpen = () => $(OPEN) || $("details.settings[open]");
