// Follows a job or a comparison to its end: by server-sent events where they are available, otherwise by long
// polling for a version newer than the last. A lost connection is shown on the page and retried, immediately
// once the browser is back online.

import { gettext } from "../texts.js";

const WAIT_SECONDS = 20;
const MAX_RETRY_MS = 15000;
const MIN_POLL_MS = 1000; // an overloaded server answers immediately; do not flood it
const MIN_RUNNING_POLL_MS = 300; // a job can change many times per second

const pause = (milliseconds) => new Promise((resume) => setTimeout(resume, Math.max(0, milliseconds)));

export class JobPoller {
  /**
   * @param {HTMLElement} root of the page, with a notice for a lost connection
   * @param {string} url URL in the API
   * @param {{onView: (view: object, signal: AbortSignal) => void | Promise<void>, isOver: (view: object) => boolean}} listener
   * @param {string} [eventsUrl] URL of the stream of events with the same documents
   */
  constructor(root, url, listener, eventsUrl) {
    this.notice = root.querySelector('[data-part="connection-lost"]');
    this.url = url;
    this.listener = listener;
    this.eventsUrl = window.EventSource && eventsUrl;
    this.version = null;
    this.failures = 0;
    this.over = false;
    this.isBackground = false;
    // The requests of a page in the back-forward cache were aborted: start again.
    addEventListener("pageshow", (event) => event.persisted && this.start());
    addEventListener("pagehide", () => this.stop());
    addEventListener("offline", () => this.start()); // a poll reports it; a stream would not notice for minutes
    addEventListener("online", () => this.failures && this.start());
    document.addEventListener("visibilitychange", () => this.#onVisibility());
  }

  /** Start, or start again. */
  start() {
    this.stop();
    if (!this.over) this.#pollUntilOver((this.control = new AbortController()));
  }

  stop() {
    this.control?.abort();
    clearTimeout(this.retry);
  }

  /** Continue polling while the page is hidden. */
  pollInBackground() {
    this.isBackground = true;
  }

  #onVisibility() {
    if (!document.hidden) this.start();
    else if (!this.isBackground) this.stop();
  }

  async #pollUntilOver(control) {
    while (!this.over && !control.signal.aborted) {
      const startedAt = performance.now();
      try {
        const view = await this.#poll(control.signal);
        this.notice.hidden = true;
        this.failures = 0;
        if (view) {
          await this.#show(view, control.signal);
          if (this.eventsUrl && !this.over && !control.signal.aborted) await this.#stream(view.version, control.signal);
          else if (view.state === "running") await pause(MIN_RUNNING_POLL_MS - (performance.now() - startedAt));
        } else {
          await pause(MIN_POLL_MS - (performance.now() - startedAt));
        }
      } catch {
        this.version = null; // fetch the whole view again: this one may not have been shown
        if (!control.signal.aborted) this.#scheduleRetry(control);
        return;
      }
    }
  }

  async #show(view, signal) {
    await this.listener.onView(view, signal);
    this.over = this.listener.isOver(view);
  }

  /** Show each newer version until the job is over or the stream fails. */
  #stream(version, signal) {
    const url = new URL(this.eventsUrl, location.href);
    url.searchParams.set("since", version);
    url.searchParams.set("lang", document.documentElement.lang);
    this.version = null; // after the stream, fetch the whole view again
    return new Promise((resume) => {
      const source = new EventSource(url);
      const close = () => {
        source.close();
        resume();
      };
      let isOpen = false;
      let wasOpen = false;
      source.onopen = () => (isOpen = wasOpen = true);
      source.onmessage = async (event) => {
        await this.#show(JSON.parse(event.data), signal);
        if (this.over) close();
      };
      source.onerror = () => {
        if (!wasOpen) this.eventsUrl = null; // it is refused, or blocked on the way
        // The browser reconnects after the end of a stream. If that fails, polls report the lost connection.
        if (!isOpen || source.readyState === EventSource.CLOSED) close();
        isOpen = false;
      };
      signal.addEventListener("abort", close);
    });
  }

  /** Make one long poll; returns the new view, or null if nothing has changed. */
  async #poll(signal) {
    // The page's language can differ from the browser's.
    const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang };
    const url = new URL(this.url, location.href);
    if (this.version) {
      headers["If-None-Match"] = this.version;
      url.searchParams.set("wait", WAIT_SECONDS);
    }
    const response = await fetch(url, { headers, signal, cache: "no-store" });
    if (response.status === 304) return null;
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    const view = await response.json();
    this.version = response.headers.get("ETag");
    return view;
  }

  #scheduleRetry(control) {
    this.failures += 1;
    const delay = Math.min(MAX_RETRY_MS, 1000 * 2 ** (this.failures - 1));
    this.notice.textContent = gettext("Connection lost. Retrying in {seconds} s; the work continues in the meantime.", { seconds: Math.round(delay / 1000) });
    this.notice.hidden = false;
    this.retry = setTimeout(() => this.#pollUntilOver(control), delay);
  }
}

/** Fetch this page again, replace its live parts that have changed, and return the new page. */
export async function refreshLiveParts(root, signal) {
  const response = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store", signal });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const element of root.querySelectorAll("[data-live]")) {
    const replacement = page.querySelector(`[data-live="${element.dataset.live}"]`);
    if (replacement.innerHTML !== element.innerHTML) element.replaceChildren(...document.importNode(replacement, true).childNodes);
    element.hidden = replacement.hidden;
  }
  return page;
}

/** Remove the button that cancels a search, at its end. */
export function removeCancelButton(root) {
  const form = root.querySelector('[data-part="cancel"]');
  // The focus would be lost.
  if (form?.contains(document.activeElement)) document.getElementById("content").focus({ preventScroll: true });
  form?.remove();
}
