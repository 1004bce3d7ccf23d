// Following a job or a comparison: a long poll with the version last seen, again and again, to its end.
// A lost connection is reported to the page and retried, at once when the browser is back online.

const WAIT_SECONDS = 20;
const SLOWEST_RETRY_MS = 15000;
const SHORTEST_ROUND_MS = 1000; // a server too busy to hold us answers at once: do not race it
const RUNNING_ROUND_MS = 300; // many workers change a job many times a second, more than eyes see

const pause = (milliseconds) => new Promise((resume) => setTimeout(resume, Math.max(0, milliseconds)));

export class JobWatch {
  /**
   * @param {string} address in the API
   * @param {{onView: (view: object) => void | Promise<void>, onLost: (seconds: number) => void, onBack: () => void,
   *          isOver: (view: object) => boolean}} listener
   */
  constructor(address, listener) {
    this.address = address;
    this.listener = listener;
    this.version = null;
    this.failures = 0;
    this.over = false;
    this.hiddenToo = false;
    // A page out of the back-forward cache has had its requests cut: start again.
    addEventListener("pageshow", (event) => event.persisted && this.start());
    addEventListener("pagehide", () => this.stop());
    addEventListener("online", () => this.failures && this.start());
    document.addEventListener("visibilitychange", () => this.#onVisibility());
  }

  /** Start, or start again. */
  start() {
    this.stop();
    if (!this.over) this.#follow((this.control = new AbortController()));
  }

  stop() {
    this.control?.abort();
    clearTimeout(this.retry);
  }

  /** From now on follow also while nobody sees the page: somebody waits for the end. */
  followHidden() {
    this.hiddenToo = true;
  }

  #onVisibility() {
    if (!document.hidden) this.start();
    else if (!this.hiddenToo) this.stop();
  }

  async #follow(control) {
    while (!this.over && !control.signal.aborted) {
      const begun = performance.now();
      try {
        const view = await this.#ask(control.signal);
        if (this.failures) this.listener.onBack();
        this.failures = 0;
        if (view) {
          await this.listener.onView(view);
          this.over = this.listener.isOver(view);
          if (view.state === "running") await pause(RUNNING_ROUND_MS - (performance.now() - begun));
        } else {
          await pause(SHORTEST_ROUND_MS - (performance.now() - begun));
        }
      } catch (error) {
        if (control.signal.aborted) return;
        this.#tryLater(control);
        return;
      }
    }
  }

  /** One long poll: the new view, or null where nothing has changed. */
  async #ask(signal) {
    // The page's language may have been chosen on it, against that of the browser.
    const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang };
    const address = new URL(this.address, location.href);
    if (this.version) {
      headers["If-None-Match"] = this.version;
      address.searchParams.set("wait", WAIT_SECONDS);
    }
    const answer = await fetch(address, { headers, signal, cache: "no-store" });
    if (answer.status === 304) return null;
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    const view = await answer.json();
    this.version = answer.headers.get("ETag");
    return view;
  }

  #tryLater(control) {
    this.failures += 1;
    this.version = null; // what was missed or half shown comes whole again
    const wait = Math.min(SLOWEST_RETRY_MS, 1000 * 2 ** (this.failures - 1));
    this.listener.onLost(Math.round(wait / 1000));
    this.retry = setTimeout(() => this.#follow(control), wait);
  }
}
