// Needs a running server with workers, whose URL is in TILEWORK_URL.
import assert from "node:assert/strict";
import test from "node:test";
import { type Job, ProblemError, type Solution, TileworkClient } from "./index.js";

const URL = process.env["TILEWORK_URL"] ?? "http://127.0.0.1:8000";
const HARDEST_3X3 = "8 6 7 2 5 4 3 0 1";
const HARD_5X5 = "17 20 1 19 22 12 0 24 21 4 16 2 11 10 13 6 3 14 23 5 18 7 9 15 8";

/** Return the board after the moves; each letter is the direction in which a tile moves. */
function replay({ start, moves, width }: Solution): number[] {
  const tiles = start.flat();
  const steps: Record<string, number> = { U: width, D: -width, L: 1, R: -1 };
  for (const letter of moves) {
    const blank = tiles.indexOf(0);
    const cell = blank + (steps[letter] ?? NaN);
    assert.ok(cell in tiles);
    tiles[blank] = tiles[cell] as number;
    tiles[cell] = 0;
  }
  return tiles;
}

function hasCode(code: string, status: number): (error: unknown) => boolean {
  return (error) =>
    error instanceof ProblemError && error.code === code && error.status === status;
}

test("solves a board", async () => {
  const client = new TileworkClient(URL);
  const states: Job["state"][] = [];
  const { job, solution } = await client.solve(
    HARDEST_3X3,
    { target: "optimal", fresh: true },
    { onChange: ({ state }) => states.push(state) },
  );
  assert.equal(states.at(-1), "optimal");
  assert.deepEqual([job.lower_bound, job.upper_bound], [31, 31]);
  assert.equal(solution?.moves.length, 31);
  assert.deepEqual(replay(solution), [1, 2, 3, 4, 5, 6, 7, 8, 0]);
  const { data } = await client.api.POST("/api/v1/boards/check", { body: { board: HARDEST_3X3 } });
  assert.equal(data?.solvable, true);
});

test("polls and cancels a job of the same client", async () => {
  const client = new TileworkClient(URL);
  const job = await client.submit(HARD_5X5);
  assert.equal((await client.poll(job.id)).id, job.id);
  await assert.rejects(new TileworkClient(URL).cancel(job.id), hasCode("foreign-job", 403));
  const versions: string[] = [];
  for await (const { version } of client.follow(job)) {
    versions.push(version);
    await client.cancel(job.id);
  }
  assert.equal(new Set(versions).size, versions.length);
  const ended = await client.poll(job.id, { wait: 20 });
  assert.deepEqual([ended.state, ended.version], ["cancelled", versions.at(-1)]);
});

test("aborts the wait for a job", async () => {
  const client = new TileworkClient(URL);
  const job = await client.submit(HARD_5X5);
  const controller = new AbortController();
  const waiting = client.poll(job.id, { wait: 20, since: job.version }, controller.signal);
  controller.abort();
  await assert.rejects(waiting, { name: "AbortError" });
  await client.cancel(job.id);
});

test("throws problem details", async () => {
  const client = new TileworkClient(URL);
  await assert.rejects(client.solve([1, 2, 3, 4, 5, 6, 7, 8, 8]), hasCode("tiles-repeated", 422));
  await assert.rejects(client.solve("1 2 3 4 5 6 8 7 0"), (error) => {
    assert.ok(hasCode("unsolvable", 422)(error) && error instanceof ProblemError);
    assert.equal(error.problem.type, "urn:tilework:problem:unsolvable");
    assert.equal(typeof error.problem["explanation"], "string");
    return error.message === error.problem.detail;
  });
  const unknownKey = new TileworkClient(URL, { key: "unknown" });
  await assert.rejects(unknownKey.submit(HARDEST_3X3), (error) => {
    return error instanceof ProblemError && error.status === 401;
  });
  const proxy = new TileworkClient(URL, {
    fetch: () => Promise.resolve(new Response("Broken", { status: 500 })),
  });
  await assert.rejects(proxy.submit(HARDEST_3X3), hasCode("not-tilework-status", 500));
});

test("repeats a request while the server is busy, with the same key", async () => {
  const keys: (string | null)[] = [];
  const client = new TileworkClient(URL, {
    fetch: (request) => {
      keys.push(request.headers.get("Idempotency-Key"));
      if (keys.length === 1) return Promise.resolve(new Response("Bad Gateway", { status: 502 }));
      if (keys.length === 2) return Promise.reject(new TypeError("fetch failed"));
      return fetch(request);
    },
  });
  await client.submit(HARDEST_3X3);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  await client.submit(HARDEST_3X3);
  assert.notEqual(keys[2], keys[3]);
});

test("does not repeat what cannot succeed", async () => {
  let requests = 0;
  const quota = { type: "urn:tilework:problem:quota", code: "quota", status: 429, detail: "full" };
  const full = new TileworkClient(URL, {
    fetch: () => {
      requests += 1;
      const headers = { "Content-Type": "application/problem+json" };
      return Promise.resolve(new Response(JSON.stringify(quota), { status: 429, headers }));
    },
  });
  await assert.rejects(full.submit(HARDEST_3X3), hasCode("quota", 429));
  const wrong = new TileworkClient(URL, {
    fetch: () => {
      requests += 1;
      return Promise.reject(new TypeError("fetch failed"));
    },
  });
  await assert.rejects(wrong.submit(HARDEST_3X3), { name: "TypeError" });
  assert.equal(requests, 2);
});
