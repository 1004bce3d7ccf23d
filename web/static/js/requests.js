// Requests to the API.

/** The server rejected the request; the message is in the visitor's language. */
export class RequestRejected extends Error {}

/** Send a JSON document; return the one that the server responds with. */
export async function postJson(url, content, signal) {
  const headers = { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(content), signal });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new RequestRejected(body.detail ?? body.title ?? `${response.status} ${response.statusText}`);
  return body;
}
