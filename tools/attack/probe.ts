import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A visitor with an address of their own, so that an attacker's limits don't count for them. */
export const PROBE_ADDRESS = "127.0.0.2";
const PROBER = fileURLToPath(new URL("../../tools/attack/prober.mjs", import.meta.url));
/** How long any visitor may wait beside an attack (ms). */
const MOST_MS = 1000;
const VISIT = z.object({ at: z.number(), ms: z.number(), failure: z.string().optional() });

/** A server to probe, on a port of 127.0.0.1. */
export interface Probed {
  readonly origin: string;
  readonly port: number;
  readonly secure?: boolean;
}

/** The experience of a visitor who kept loading the sign-in page. */
export interface Probes {
  readonly count: number;
  /** How long each visit took. */
  readonly ms: readonly number[];
  readonly slowestMs: number;
  /** When the slowest visit began, counted from the start of the attack. */
  readonly slowestAtMs: number;
  /** Each failed visit, in words. */
  readonly failures: readonly string[];
}

/** A form that a visitor sends instead of loading the sign-in page. */
export interface SentForm {
  readonly path: string;
  /** Sent one after the other, then from the start again. */
  readonly bodies: readonly string[];
  /** The answer's status if all is well. */
  readonly status: number;
}

/** Lets a visitor load the sign-in page, or send a form, ten times a second at most, while the work runs. */
export async function beside<Value>(
  { origin, port, secure = false }: Probed,
  work: () => Promise<Value>,
  form?: SentForm,
): Promise<{ readonly value: Value; readonly probes: Probes }> {
  const args = [PROBER, String(port), secure ? "tls" : "plain", new URL(origin).host, PROBE_ADDRESS];
  if (form) args.push(JSON.stringify({ ...form, origin }));
  // The prober ends with its stdin, and so with this process at the latest.
  const prober = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = text(prober.stdout);
  const value = await work().finally(() => prober.stdin.end());
  return { value, probes: probesIn(await lines) };
}

function probesIn(lines: string): Probes {
  const visits = lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => VISIT.parse(JSON.parse(line)));
  const [slowest] = visits.toSorted((one, other) => other.ms - one.ms);
  return {
    count: visits.length,
    ms: visits.map(({ ms }) => ms),
    slowestMs: slowest?.ms ?? 0,
    slowestAtMs: slowest?.at ?? 0,
    failures: visits.flatMap(({ failure }) => failure ?? []),
  };
}

/** The problems in a visitor's waits. */
export function probeFindings({ count, slowestMs, failures }: Probes): readonly string[] {
  const slow =
    slowestMs > MOST_MS ? [`a visitor waited ${Math.round(slowestMs)} ms for the sign-in page`] : [];
  const failed =
    failures.length > 0 ? [`${failures.length} of ${count} visits failed, first: ${failures[0] ?? ""}`] : [];
  return [...slow, ...failed, ...(count === 0 ? ["nobody visited during the attack"] : [])];
}

/** The waits in words. */
export function probeNote({ count, slowestMs, slowestAtMs }: Probes): string {
  const when = `${(slowestAtMs / 1000).toFixed(1)} s after the start`;
  return `${count} visits beside it; the slowest, ${when}, took ${Math.round(slowestMs)} ms`;
}
