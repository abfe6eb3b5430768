import { data } from "@remix-run/node";

/** Statuses that have a page of their own. */
export const PROBLEM_STATUSES = [400, 403, 404, 405, 411, 413, 414, 415, 429, 431, 500, 503] as const;
export type ProblemStatus = (typeof PROBLEM_STATUSES)[number];

/** Any other status has the page of a 500. */
export function problemOf(status: number): ProblemStatus {
  return PROBLEM_STATUSES.find((known) => known === status) ?? 500;
}

/** A problem page to throw; the root shows it. */
export function problem(status: ProblemStatus, headers?: HeadersInit) {
  return data(null, { status, ...(headers && { headers }) });
}
