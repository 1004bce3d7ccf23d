import { isQuota } from "./problems.js";

const RETRIES_MS = [200, 500, 1_000, 2_000, 5_000];
/** Those of a wait, which survives the restart of its server. */
const PATIENT_RETRIES_MS = [...RETRIES_MS, 10_000, 20_000, 30_000, 30_000];
const MAX_RETRY_AFTER_S = 60;
const BUSY_STATUSES = [429, 502, 503, 504];

type Fetch = (request: Request) => Promise<Response>;

/**
 * Repeat requests while the server is busy or starting, or the connection breaks. A repeated
 * submission has the same idempotency key, so that the server accepts it once.
 */
export function repeat(fetch: Fetch): Fetch {
  let hasAnswered = false;
  return async (request) => {
    if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", crypto.randomUUID());
    }
    const isWait = request.method === "GET" && new URL(request.url).searchParams.has("wait");
    for (let pause of isWait ? PATIENT_RETRIES_MS : RETRIES_MS) {
      try {
        const response = await fetch(request.clone());
        hasAnswered = true;
        // A quota is free again when the user's own jobs have ended, which can take hours.
        if (!BUSY_STATUSES.includes(response.status) || (await isQuota(response))) {
          return response;
        }
        const after = Number(response.headers.get("Retry-After")) || 0;
        pause = Math.max(pause, 1_000 * Math.min(after, MAX_RETRY_AFTER_S));
        await response.body?.cancel();
      } catch (error) {
        // An address where nothing has answered yet is probably wrong.
        if (!hasAnswered || request.signal.aborted) {
          throw error;
        }
      }
      await sleep(pause, request.signal);
    }
    return fetch(request);
  };
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
  });
}
