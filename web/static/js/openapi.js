// The page of the API: forms that send what they say and show what comes back.

const LONGEST = 200_000;

const key = document.getElementById("api-key");
document.getElementById("key-form").addEventListener("submit", (event) => event.preventDefault());

for (const form of document.querySelectorAll(".try")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
openNamed();
addEventListener("hashchange", openNamed);

/** Open the operation that the address names. */
function openNamed() {
  const named = document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLDetailsElement) named.open = true;
}

async function send(form) {
  const { url, headers } = request(form);
  const written = form.querySelector("textarea");
  const file = form.querySelector('input[type="file"]')?.files[0];
  if (written) headers.set("Content-Type", written.dataset.type);
  if (file) headers.set("Content-Type", file.type);
  const [said, shown, button] = [".said", ".answer", ".button-main"].map((part) => form.querySelector(part));
  button.disabled = true;
  const began = performance.now();
  try {
    const answer = await fetch(url, { method: form.dataset.method, headers, body: file ?? written?.value });
    const text = await readable(answer);
    said.textContent = `${answer.status} · ${Math.round(performance.now() - began)} ms · ${url}`;
    shown.textContent = text;
    if (answer.ok) rememberNames(url, text);
  } catch (error) {
    said.textContent = error.message;
    shown.textContent = "";
  }
  shown.hidden = shown.textContent === "";
  button.disabled = false;
}

/** The address and headers that a form's fields say; an empty field is left out. */
function request(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = new Headers();
  if (key.value.trim()) headers.set("Authorization", `Bearer ${key.value.trim()}`);
  for (const field of form.querySelectorAll("[data-place]")) {
    const value = field.value.trim();
    if (field.dataset.place === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(value || "-"));
    else if (value && field.dataset.place === "query") query.set(field.name, value);
    else if (value) headers.set(field.name, value);
  }
  return { url: query.size ? `${path}?${query}` : path, headers };
}

async function readable(answer) {
  const kind = answer.headers.get("Content-Type") ?? "";
  if (kind.startsWith("application/octet-stream")) return `(${(await answer.arrayBuffer()).byteLength} bytes)`;
  const text = await answer.text();
  const whole = /[/+]json\b/.test(kind) && text ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST)}\n…` : whole;
}

/** Put the name of what was made into the fields of the operations that read it. */
function rememberNames(url, text) {
  const made = { jobs: "job_id", batches: "batch_id", comparisons: "comparison_id" }[url.split(/[/?]/)[3]];
  if (!made) return;
  let id;
  try {
    ({ id } = JSON.parse(text));
  } catch {
    return;
  }
  for (const field of document.querySelectorAll(`[name="${made}"]`)) if (id) field.value = id;
}
