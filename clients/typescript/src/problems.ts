import type { Middleware } from "openapi-fetch";
import type { components } from "./schema.js";

/** Problem details (RFC 9457). `type` and `code` are for programs, and never change. */
export type Problem = components["schemas"]["ProblemDocument"];

/** The server rejected a request. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";

  constructor(readonly problem: Problem) {
    super(problem.detail);
  }

  get status(): number {
    return this.problem.status;
  }

  get code(): string {
    return this.problem.code;
  }
}

export const throwProblems: Middleware = {
  async onResponse({ request, response }) {
    if (response.status >= 400) {
      throw new ProblemError(await readProblem(request.url, response));
    }
  },
};

export async function isQuota(response: Response): Promise<boolean> {
  return isProblem(response) && (await response.clone().json()).type.endsWith(":quota");
}

function isProblem(response: Response): boolean {
  return !!response.headers.get("Content-Type")?.startsWith("application/problem+json");
}

async function readProblem(url: string, response: Response): Promise<Problem> {
  if (isProblem(response)) {
    return (await response.json()) as Problem;
  }
  // A proxy, or another server
  const { status, statusText } = response;
  return {
    type: "about:blank",
    title: statusText,
    status,
    detail: `${url} responded with ${status} ${statusText}`.trimEnd(),
    code: "not-tilework-status",
    instance: new URL(url).pathname,
  };
}
