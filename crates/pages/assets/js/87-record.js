// Uploads a record file when it is dropped on the page or chosen.

const recordFile = $("#record-file");

if (recordFile) {
  const input = $("input[type=file]", recordFile);
  input.addEventListener("change", () => input.files.length && recordFile.requestSubmit());
  for (const over of ["dragenter", "dragover"]) {
    document.addEventListener(over, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      recordFile.classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) recordFile.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    recordFile.classList.remove("over");
    const only = new DataTransfer();
    only.items.add(file);
    input.files = only.files;
    recordFile.requestSubmit();
  });
}
