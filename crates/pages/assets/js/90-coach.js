// The coach: shows its advice in a dialog.

/** The dialog with this title. It is created on first use, with `close` as the label of its button. */
function coachDialog({ title, close }) {
  let dialog = $("#coach-says");
  if (!dialog) {
    const button = createElement("button", "icon-btn", spriteSvg("icon-close", "icon"));
    button.type = "button";
    button.setAttribute("aria-label", close);
    const head = createElement("div", "dialog-head", createElement("h2", ""), button);
    dialog = createElement("dialog", "", head, createElement("div", "says"));
    dialog.id = "coach-says";
    dialog.setAttribute("popover", "auto");
    button.addEventListener("click", () => dialog.hidePopover());
    document.body.append(dialog);
  }
  dialog.setAttribute("aria-label", title);
  $("h2", dialog).textContent = title;
  return dialog;
}

async function askCoach(event) {
  event.preventDefault();
  const form = event.target;
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(form.action, { method: "POST", headers: { "x-sultan": "live" }, body: new URLSearchParams() });
    if (!response.ok) return toast((await response.json()).sentence);
    const dialog = coachDialog(form.dataset);
    $(".says", dialog).replaceChildren(parseHtml(await response.text()));
    dialog.showPopover();
    $("button", dialog).focus();
  } catch {
    toast(table?.dataset.offline);
  } finally {
    form.removeAttribute("aria-busy");
  }
}

document.addEventListener("submit", (event) => event.target.matches("form[data-coach]") && askCoach(event));
