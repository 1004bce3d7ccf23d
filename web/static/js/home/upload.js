// A board out of a file: text goes straight into the field, a NumPy file is read by the server, and a
// picture goes where pictures are read.

import { fill } from "../board/make_board.js";

const LARGEST_MB = 8;

export function setUpUpload(input, field, words, setText, showProblem, readPicture) {
  async function take(file) {
    if (!file) return;
    if (file.type.startsWith("image/")) {
      readPicture(file);
      return;
    }
    const name = file.name;
    if (file.size > LARGEST_MB * 2 ** 20) {
      showProblem(fill(words.too_large, { name, limit: LARGEST_MB }));
      return;
    }
    try {
      setText(name.toLowerCase().endsWith(".npy") ? await readByServer(file) : await file.text());
    } catch (error) {
      showProblem(fill(words.no_file, { name, reason: error.message }));
    }
  }

  async function readByServer(file) {
    const body = new FormData();
    body.append("file", file);
    const answer = await fetch(input.dataset.address, { method: "POST", body });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.message);
    return said.text;
  }

  input.addEventListener("change", async () => {
    await take(input.files[0]);
    input.value = ""; // the same file can be chosen again after it was changed
  });
  field.addEventListener("dragover", (event) => event.preventDefault());
  field.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
}
