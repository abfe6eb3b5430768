import { z } from "zod";

const RESULT = z.object({
  input: z.record(z.string(), z.string()),
  status: z.number(),
  length: z.number(),
  redirectlocation: z.string(),
});
const REPORT = z.object({ results: z.array(RESULT) });

/** An answer that ffuf has kept. */
export interface FfufResult {
  /** The word that ffuf filled in. */
  readonly word: string;
  readonly status: number;
  /** Where a redirect leads, or "". */
  readonly location: string;
}

/** The answers in ffuf's JSON report; none in an empty one. */
export function readFfuf(json: string): readonly FfufResult[] {
  if (json === "") return [];
  return REPORT.parse(JSON.parse(json)).results.map(({ input, status, redirectlocation }) => ({
    word: input["FUZZ"] ?? "",
    status,
    location: redirectlocation,
  }));
}

/** Statuses for: nothing there, no such method, not even an address. */
const NOTHING_THERE = new Set([400, 404, 405, 414]);
const REDIRECTS = new Set([301, 302, 303]);

/** The addresses that may be open to all visitors, and the portal's origin. */
export interface OpenToAll {
  readonly origin: string;
  /** Without a query, and regardless of case and of slashes at the end. */
  readonly paths: readonly string[];
}

/** Hidden addresses that answered with something. */
export function findHidden(results: readonly FfufResult[], { origin, paths }: OpenToAll): readonly string[] {
  const isOpen = (word: string) =>
    paths.includes(
      `/${word}`
        .replace(/[?#].*/, "")
        .replace(/\/+$/, "")
        .toLowerCase(),
    );
  const isOurs = (location: string) => /^\/(?![/\\])/.test(location) || location.startsWith(`${origin}/`);
  return results
    .filter(({ word, status, location }) => {
      if (NOTHING_THERE.has(status)) return false;
      if (REDIRECTS.has(status)) return !isOurs(location);
      return !isOpen(word);
    })
    .map(
      ({ word, status, location }) => `/${word} answers ${status}${location === "" ? "" : ` → ${location}`}`,
    );
}
