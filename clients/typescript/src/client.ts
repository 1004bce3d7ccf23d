import createClient, { type Client } from "openapi-fetch";
import { keepCookies } from "./cookies.js";
import { throwProblems } from "./problems.js";
import { repeat } from "./retries.js";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];

/** A board as text in any format, as a flat list of tiles, or as a list of rows; 0 is the blank. */
export type Board = Schemas["JobRequest"]["board"];

/** The goal, the target, limits and other options of a job. */
export type JobOptions = Omit<Schemas["JobRequest"], "board">;

/** A job, without its boards. */
export type Job = Schemas["JobView"];

/** The best solution of a job so far. */
export type Solution =
  paths["/api/v1/jobs/{job_id}/solution"]["get"]["responses"][200]["content"]["application/json"];

export interface ClientOptions {
  /** An API key. Without one, each client is a new user, who can cancel only its own jobs. */
  key?: string;
  /** A replacement for the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

const MAX_POLL_S = 20;
const MIN_POLL_INTERVAL_MS = 200;

/**
 * A client for a server. Its methods throw a `ProblemError` if the server rejects a request. They
 * repeat a request while the server is busy or starting, or the connection breaks.
 */
export class TileworkClient {
  /** All requests of the API, by path. They throw the same errors as the methods. */
  readonly api: Client<paths>;

  /** @param url The URL of the server, such as `http://127.0.0.1:8000` */
  constructor(url: string, { key, fetch }: ClientOptions = {}) {
    this.api = createClient<paths>({
      baseUrl: url,
      ...(key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } }),
      fetch: repeat(fetch ?? ((request) => globalThis.fetch(request))),
    });
    this.api.use(throwProblems, keepCookies());
  }

  /**
   * Submit a board, wait until its job has ended, and return the job with its best solution.
   *
   * A job that was cancelled, expired or failed may have no solution. Aborting stops the wait, not
   * the job.
   */
  async solve(
    board: Board,
    options: JobOptions = {},
    { signal, onChange }: { signal?: AbortSignal; onChange?: (job: Job) => void } = {},
  ): Promise<{ job: Job; solution: Solution | null }> {
    let job = await this.submit(board, options, signal);
    for await (job of this.follow(job, signal)) {
      onChange?.(job);
    }
    const solution = job.upper_bound === null ? null : await this.solution(job.id, signal);
    return { job, solution };
  }

  /** Submit a board. If the answer is known, the job has already ended. */
  async submit(board: Board, options: JobOptions = {}, signal?: AbortSignal): Promise<Job> {
    return read(
      this.api.POST("/api/v1/jobs", {
        params: { query: { brief: true } },
        body: { ...options, board },
        signal: signal ?? null,
      }),
    );
  }

  /** Yield a job now and after every change, until it has ended. */
  async *follow(job: Job, signal?: AbortSignal): AsyncGenerator<Job, void> {
    yield job;
    while (job.finished_at === null) {
      const requested = Date.now();
      const next = await this.poll(job.id, { wait: MAX_POLL_S, since: job.version }, signal);
      if (next.version !== job.version) {
        yield (job = next);
      } else {
        // The server responds immediately if too many clients are waiting.
        const pause = requested + MIN_POLL_INTERVAL_MS - Date.now();
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  /** Return a job, after at most `wait` seconds (up to 20) if its version is still `since`. */
  async poll(
    id: string,
    options: { wait?: number; since?: string } = {},
    signal?: AbortSignal,
  ): Promise<Job> {
    return read(
      this.api.GET("/api/v1/jobs/{job_id}", {
        params: { path: { job_id: id }, query: { brief: true, ...options } },
        signal: signal ?? null,
      }),
    );
  }

  /** Cancel one of this client's jobs; a job that has ended does not change. */
  async cancel(id: string): Promise<Job> {
    return read(
      this.api.DELETE("/api/v1/jobs/{job_id}", {
        params: { path: { job_id: id }, query: { brief: true } },
      }),
    );
  }

  /** Return the best solution of a job so far. */
  async solution(id: string, signal?: AbortSignal): Promise<Solution> {
    const solution = await read(
      this.api.GET("/api/v1/jobs/{job_id}/solution", {
        params: { path: { job_id: id } },
        signal: signal ?? null,
      }),
    );
    return solution as Solution;
  }
}

/** Return the body of a successful response; for others, the request throws. */
async function read<Body>(request: Promise<{ data?: Body }>): Promise<Body> {
  return (await request).data as Body;
}
