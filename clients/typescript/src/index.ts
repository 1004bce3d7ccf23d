export { TileworkClient } from "./client.js";
export type { Board, ClientOptions, Job, JobOptions, Solution } from "./client.js";
export { ProblemError } from "./problems.js";
export type { Problem } from "./problems.js";
export type { components, paths } from "./schema.js";
