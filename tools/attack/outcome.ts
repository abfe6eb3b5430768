import { tableLines } from "../../tests/table";
import type { LoggedRequest } from "./traffic";

/** The kind of an attack: `others` must cost no visitor an answer; a `flood` may meet 503 with Retry-After. */
export type Kind = "flood" | "others";

/** The observations of an attack, before its traffic is judged. */
export interface Seen {
  /** Each a line or more, without a full stop. */
  readonly findings: readonly string[];
  readonly notes: readonly string[];
  /** Why the attack never reached its target. */
  readonly notReached?: string;
}

/** The requests of an attack, counted from the server's log. */
export interface Traffic {
  readonly requests: number;
  /** How many answers had each status from 500 on. */
  readonly serverErrors: ReadonlyMap<number, number>;
}

interface Row {
  readonly attack: string;
  readonly traffic: Traffic;
  readonly notes: readonly string[];
}

/** How an attack ended; its kind is the verdict in the table. */
export type Outcome =
  | (Row & { readonly kind: "held" })
  | (Row & { readonly kind: "found"; readonly findings: readonly string[] })
  | (Row & { readonly kind: "not run"; readonly reason: string });

const BUSY = 503;
const FIRST_SERVER_ERROR = 500;
const NO_TRAFFIC: Traffic = { requests: 0, serverErrors: new Map() };

/** Counts requests, and the server errors among them. */
function trafficOf(requests: readonly LoggedRequest[]): Traffic {
  const serverErrors = new Map<number, number>();
  for (const { status } of requests)
    if (status >= FIRST_SERVER_ERROR) serverErrors.set(status, (serverErrors.get(status) ?? 0) + 1);
  return { requests: requests.length, serverErrors };
}

/** Judges an attack. A server error is a finding even where the attack itself did not get far. */
export function outcomeOf(
  attack: string,
  kind: Kind,
  seen: Seen,
  requests: readonly LoggedRequest[],
): Outcome {
  const row = { attack, traffic: trafficOf(requests), notes: seen.notes };
  const findings = [...seen.findings, ...serverErrorFindings(kind, requests)];
  if (findings.length > 0) {
    const missed = seen.notReached === undefined ? [] : [`besides, ${seen.notReached}`];
    return { ...row, notes: [...seen.notes, ...missed], kind: "found", findings };
  }
  if (seen.notReached !== undefined) return { ...row, kind: "not run", reason: seen.notReached };
  return { ...row, kind: "held" };
}

/** An attack that could not begin. */
export function notRun(attack: string, reason: string): Outcome {
  return { kind: "not run", attack, reason, traffic: NO_TRAFFIC, notes: [] };
}

/** A 503 during a flood is by design: the wait for a password's hash is bounded, and so are connections. */
function serverErrorFindings(kind: Kind, requests: readonly LoggedRequest[]): readonly string[] {
  const isDesigned = (status: number) => status === BUSY && kind === "flood";
  return [...trafficOf(requests).serverErrors]
    .filter(([status]) => !isDesigned(status))
    .map(([status, count]) => {
      const first = requests.find((request) => request.status === status);
      return `${count} × status ${status}, first at ${first?.method ?? ""} ${first?.path ?? ""}`;
    });
}

const HEADS = ["attack", "requests", "findings", "5xx", "verdict"];
const ALIGNMENTS = ["left", "right", "right", "right", "left"] as const;

/** Everything that is printed at the end: the table, the notes, and the findings in full. */
export function reportLines(outcomes: readonly Outcome[]): readonly string[] {
  return [
    "",
    ...tableLines(HEADS, outcomes.map(cellsOf), ALIGNMENTS),
    ...section("Notes", outcomes.flatMap(notesOf)),
    ...section(
      "Findings",
      outcomes.flatMap((one) =>
        one.kind === "found" ? one.findings.map((finding) => `${one.attack}: ${finding}`) : [],
      ),
    ),
    "",
    summaryOf(outcomes),
  ];
}

/** 1 if anything was found, or not run: what was not tried has not held. */
export function exitCodeOf(outcomes: readonly Outcome[]): 0 | 1 {
  return outcomes.every(({ kind }) => kind === "held") ? 0 : 1;
}

function cellsOf(outcome: Outcome): readonly string[] {
  const { attack, traffic, kind } = outcome;
  const errors = [...traffic.serverErrors].map(([status, count]) => `${count} × ${status}`).join(", ");
  const findings = kind === "found" ? outcome.findings.length : 0;
  return [attack, String(traffic.requests), String(findings), errors === "" ? "0" : errors, kind];
}

function notesOf(outcome: Outcome): readonly string[] {
  const reason = outcome.kind === "not run" ? [`not run: ${outcome.reason}`] : [];
  return [...reason, ...outcome.notes].map((note) => `${outcome.attack}: ${note}`);
}

function summaryOf(outcomes: readonly Outcome[]): string {
  const count = (kind: Outcome["kind"]) => outcomes.filter((one) => one.kind === kind).length;
  const missing = count("not run");
  const tail = missing === 0 ? "all were run" : `${missing} ${missing === 1 ? "was" : "were"} not run`;
  return `Attacks: ${outcomes.length}; held ${count("held")}, found ${count("found")}; ${tail}.`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`)];
}
