// Shared by all pages: menus that close, links to copy and share.

function startMenus() {
  const others = (target) => $$("details[open][class]").filter((one) => one.matches(".settings, .menu") && !one.contains(target));
  document.addEventListener("pointerdown", ({ target }) => others(target).forEach((one) => (one.open = false)));
  document.addEventListener("keydown", (event) => {
    const one = event.key === "Escape" && others(null)[0];
    if (!one) return;
    one.open = false;
    $("summary", one)?.focus();
    event.preventDefault();
  }, true);
}

/** Copies text, also on plain http, which has no clipboard API. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = make("textarea", "visually-hidden");
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }
}

function startSharing() {
  for (const button of $$("[data-share]")) button.hidden = !navigator.share;
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.("[data-copy], [data-share]");
    if (!button) return;
    if (button.matches("[data-share]")) {
      const url = new URL(button.dataset.share || location.href, location.href).href;
      navigator.share?.({ title: button.dataset.title ?? document.title, url }).catch(() => {});
      return;
    }
    const field = button.parentElement.querySelector("input");
    const done = await copy(button.dataset.copy || field?.value || location.href);
    button.focus();
    if (done) toast(button.dataset.done);
    else field?.select();
  });
}
