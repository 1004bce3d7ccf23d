// The API page: forms that send requests and show the responses.

const MAX_LENGTH = 200_000;

const key = document.getElementById("api-key");
document.getElementById("key-form").addEventListener("submit", (event) => event.preventDefault());

for (const form of document.querySelectorAll(".try")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
openLinkedOperation();
addEventListener("hashchange", openLinkedOperation);

/** Open the operation named in the URL. */
function openLinkedOperation() {
  const operation = document.getElementById(location.hash.slice(1));
  if (operation instanceof HTMLDetailsElement) operation.open = true;
}

async function send(form) {
  const { url, headers } = buildRequest(form);
  const textarea = form.querySelector("textarea");
  const file = form.querySelector('input[type="file"]')?.files[0];
  if (textarea) headers.set("Content-Type", textarea.dataset.type);
  if (file) headers.set("Content-Type", file.type);
  const [status, output, button] = [".try-status", ".response", ".button-main"].map((part) => form.querySelector(part));
  button.disabled = true;
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { method: form.dataset.method, headers, body: file ?? textarea?.value });
    const text = await formatBody(response);
    status.textContent = `${response.status} · ${Math.round(performance.now() - startedAt)} ms · ${url}`;
    output.textContent = text;
    if (response.ok) fillCreatedId(url, text);
  } catch (error) {
    status.textContent = error.message;
    output.textContent = "";
  }
  output.hidden = output.textContent === "";
  button.disabled = false;
}

/** Build the URL and headers from a form's fields; empty fields are left out. */
function buildRequest(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = new Headers();
  if (key.value.trim()) headers.set("Authorization", `Bearer ${key.value.trim()}`);
  for (const field of form.querySelectorAll("[data-location]")) {
    const value = field.value.trim();
    if (field.dataset.location === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(value || "-"));
    else if (value && field.dataset.location === "query") query.set(field.name, value);
    else if (value) headers.set(field.name, value);
  }
  return { url: query.size ? `${path}?${query}` : path, headers };
}

async function formatBody(response) {
  const kind = response.headers.get("Content-Type") ?? "";
  if (kind.startsWith("application/octet-stream")) return `(${(await response.arrayBuffer()).byteLength} bytes)`;
  const text = await (kind.startsWith("text/event-stream") ? readFirstEvents(response) : response.text());
  const formatted = /[/+]json\b/.test(kind) && text ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return formatted.length > MAX_LENGTH ? `${formatted.slice(0, MAX_LENGTH)}\n…` : formatted;
}

/** Read what the server sends at once; the stream stays open for minutes. */
async function readFirstEvents(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.endsWith("\n\n")) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
  await reader.cancel();
  return `${text}…`;
}

/** Fill the ID of a created resource into the fields of the operations that use it. */
function fillCreatedId(url, text) {
  const name = { jobs: "job_id", batches: "batch_id", comparisons: "comparison_id" }[url.split(/[/?]/)[3]];
  if (!name) return;
  let id;
  try {
    ({ id } = JSON.parse(text));
  } catch {
    return;
  }
  for (const field of document.querySelectorAll(`[name="${name}"]`)) if (id) field.value = id;
}
