// The coach: shows its advice in a dialog.

function coachDialog({ title, close }) {
  const existing = $("#coach-says");
  if (existing) {
    existing.setAttribute("aria-label", title);
    $("h2", existing).textContent = title;
    return existing;
  }
  const dialog = make("dialog", "");
  dialog.id = "coach-says";
  dialog.setAttribute("popover", "auto");
  dialog.setAttribute("aria-label", title);
  const button = make("button", "icon-btn", draw("icon-close", "icon"));
  button.type = "button";
  button.setAttribute("aria-label", close);
  button.addEventListener("click", () => dialog.hidePopover());
  dialog.append(make("div", "dialog-head", make("h2", "", title), button), make("div", "says"));
  document.body.append(dialog);
  return dialog;
}

async function askCoach(event) {
  event.preventDefault();
  const form = event.target;
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", headers: { "x-sultan": "live" }, body: new URLSearchParams() });
    if (!answer.ok) return toast((await answer.json()).sentence);
    const dialog = coachDialog(form.dataset);
    $(".says", dialog).replaceChildren(parse(await answer.text()));
    dialog.showPopover();
    $("button", dialog).focus();
  } catch {
    toast(table?.dataset.offline);
  } finally {
    form.removeAttribute("aria-busy");
  }
}

document.addEventListener("submit", (event) => event.target.matches("form[data-coach]") && askCoach(event));
