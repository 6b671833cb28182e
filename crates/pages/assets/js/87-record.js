// Uploads a record file when it is dropped on the page or chosen.

const recordForm = $("#record-file");

if (recordForm) {
  const input = $("input[type=file]", recordForm);
  input.addEventListener("change", () => input.files.length && recordForm.requestSubmit());
  for (const type of ["dragenter", "dragover"]) {
    document.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      recordForm.classList.add("over");
    });
  }
  // Without a `relatedTarget`, the file has left the window.
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) recordForm.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    recordForm.classList.remove("over");
    // A file input accepts only a list of files: make one with the first dropped file.
    const transfer = new DataTransfer();
    transfer.items.add(file);
    input.files = transfer.files;
    recordForm.requestSubmit();
  });
}
