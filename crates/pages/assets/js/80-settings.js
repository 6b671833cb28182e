// Shared by all pages: menus that close, the pace of animations, links to copy and share.

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

/** The durations of animations, as a factor. An instant pace has none. */
const PACES = { calm: 1, brisk: 0.5, instant: 0 };
/** The chosen factor. The style sheet reads it as the variable `--pace`. */
let pace = 1;

/** Applies the remembered pace, and starts the buttons that choose another: in the settings, and in the menu of a table. */
function startPace() {
  const choose = (name) => {
    pace = PACES[name];
    // Without the variable the factor is 1. Setting it is not free: the browser computes the styles of the whole page again.
    if (pace === 1) document.documentElement.style.removeProperty("--pace");
    else document.documentElement.style.setProperty("--pace", pace);
    for (const input of $$("input[name=pace]")) input.checked = input.value === name;
  };
  const stored = storedItem("localStorage", "pace");
  choose(stored in PACES ? stored : "calm");
  document.addEventListener("change", ({ target }) => {
    if (target.name !== "pace") return;
    storeItem("localStorage", "pace", target.value);
    choose(target.value);
  });
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

/** The SVG at this address as a PNG, which messengers accept. */
async function pngFile(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d").drawImage(image, 0, 0);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve));
  return new File([blob], "sultan.png", { type: blob.type });
}

/** Shares a link, with a picture if there is one and the device accepts it. */
async function shareLink({ share: url, title, picture }) {
  const files = picture ? await pngFile(picture).then((file) => [file], () => []) : [];
  const withPicture = { title, url, files };
  await navigator.share(files.length && navigator.canShare?.(withPicture) ? withPicture : { title, url });
}

/** Downloads a picture as a PNG; if that fails, as the SVG that the link leads to. */
async function downloadPicture({ href, download }) {
  const file = await pngFile(href).catch(() => null);
  const link = createElement("a", "");
  link.href = file ? URL.createObjectURL(file) : href;
  link.download = file ? download.replace(/svg$/, "png") : download;
  link.click();
}

/** Starts the buttons that copy or share a link, or download a picture. */
function startSharing() {
  for (const button of $$("[data-share]")) button.hidden = !navigator.share;
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy], [data-share], a[download$='.svg']");
    if (!button) return;
    const { share, copy, done } = button.dataset;
    if (share) return shareLink(button.dataset).catch(() => {});
    if (button.href) {
      event.preventDefault();
      return downloadPicture(button);
    }
    const isCopied = await copyText(copy);
    button.focus();
    if (isCopied) toast(done);
    // The user can copy the selected text by hand.
    else $("input", button.parentElement).select();
  });
}
