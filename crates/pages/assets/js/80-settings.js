// Shared by all pages: menus that close, links to copy and share.

/** Closes the settings menu by Escape or a press outside. */
function startMenus() {
  const openMenusOutside = (target) => $$("details.settings[open]").filter((menu) => !menu.contains(target));
  document.addEventListener("pointerdown", ({ target }) => openMenusOutside(target).forEach((menu) => (menu.open = false)));
  document.addEventListener("keydown", (event) => {
    // No menu contains null, so this finds any open menu.
    const menu = event.key === "Escape" && openMenusOutside(null)[0];
    if (!menu) return;
    menu.open = false;
    $("summary", menu)?.focus();
    event.preventDefault();
  }, true);
}

/** Copies text, also on plain http, which has no clipboard API. Returns whether it succeeded. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = createElement("textarea", "visually-hidden");
    box.value = text;
    document.body.append(box);
    box.select();
    const isCopied = document.execCommand("copy");
    box.remove();
    return isCopied;
  }
}

/** Starts the buttons that copy or share a link. */
function startSharing() {
  for (const button of $$("[data-share]")) button.hidden = !navigator.share;
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.("[data-copy], [data-share]");
    if (!button) return;
    const { share, title, copy, done } = button.dataset;
    if (share) return navigator.share?.({ title, url: share }).catch(() => {});
    const isCopied = await copyText(copy);
    button.focus();
    if (isCopied) toast(done);
    // The user can copy the selected text by hand.
    else $("input", button.parentElement).select();
  });
}
