import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import { customerNumber, PASSWORD, seedCustomers } from "../bench/accounts";
import { ADDRESS_RATES_LIFTED, SHIPPED } from "../bench/looseness";
import { percentile } from "../bench/percentile";
import { peakMbOf, residentMbOf } from "../bench/process";
import type { Topology } from "../../tests/topology/topology";
import { Visitor } from "../../tests/visitor";
import { seedLetters, type Addressee } from "./letters";
import type { Outcome, Seen } from "./outcome";
import { atTopology, attackThroughNginx } from "./place";
import { beside, type SentForm } from "./probe";

const AT_ONCE = 50;
const PAUSED = 40;
/** How many of the readers download while the others pause. */
const OTHERS = AT_ONCE - PAUSED;
/** Further accounts, whose owners sign in meanwhile: each may ask for only a few codes. */
const SIGN_INS = 100;
const MOST_MB = 150;
const MOST_OF_USUAL = 3;
const QUIET_MS = 5000;
const GIVE_UP_MS = 120_000;
const BUSY = 503;

interface Download {
  readonly visitor: Visitor;
  readonly path: string;
}

/** The outcome of one reader's download, with how often the reader was told to come back. */
interface Arrived {
  readonly bytes: number;
  readonly declared: number;
  readonly comeBacks: number;
  /** How often no time was given. */
  readonly silent: number;
}

/**
 * Fifty customers who ask for a letter of 4.9 MB at once, and forty who ask and don't read, at one portal on PostgreSQL
 * behind nginx. Meanwhile, other customers sign in.
 */
export function attackWithDocuments(): Promise<readonly Outcome[]> {
  let addressees: readonly Addressee[] = [];
  const options = {
    portals: 1,
    env: {
      ...SHIPPED,
      ...ADDRESS_RATES_LIFTED,
      DATABASE_POOL: "10",
      NODE_OPTIONS: "--max-semi-space-size=8",
    },
    seed: async (stored: Parameters<typeof seedLetters>[0]) => {
      await seedCustomers(stored, { customers: AT_ONCE + SIGN_INS, accounts: AT_ONCE + SIGN_INS });
      addressees = await seedLetters(stored, AT_ONCE);
    },
  };
  return atTopology(options, async (topology) => {
    const downloads: Download[] = [];
    for (const addressee of addressees) {
      const visitor = new Visitor(topology);
      await visitor.signIn(addressee);
      downloads.push({ visitor, path: `/cp/document/${addressee.letterId}` });
    }
    const form = { path: "/home?index", bodies: signIns(), status: 303 };
    const usual = (await beside(topology, () => wait(QUIET_MS), form)).probes.ms;
    const idleMb = residentMbOf(topology.members[0].pid());
    const measured = (attack: string, run: () => Promise<Seen>) =>
      attackThroughNginx(topology, { attack, kind: "flood" }, () =>
        withSignIns(topology, form, { usual, idleMb }, run),
      );
    return [
      await measured(`${AT_ONCE} letters at once`, () => atOnce(topology, downloads.slice(0, AT_ONCE))),
      await measured(`${PAUSED} paused readers`, () => pausedReaders(topology, downloads)),
    ];
  });
}

function signIns(): readonly string[] {
  return Array.from({ length: SIGN_INS }, (_, nth) => {
    const { username } = customerNumber(AT_ONCE + nth);
    return new URLSearchParams({ username, password: PASSWORD }).toString();
  });
}

/** Measurements without downloads: the times of sign-ins (ms), and the portal's memory. */
interface Usual {
  readonly usual: readonly number[];
  readonly idleMb: number;
}

async function withSignIns(
  topology: Topology,
  form: SentForm,
  { usual, idleMb }: Usual,
  run: () => Promise<Seen>,
): Promise<Seen> {
  const { value: seen, probes } = await beside(topology, run, form);
  const grown = Math.round((peakMbOf(topology.members[0].pid()) ?? 0) - idleMb);
  const [before, meanwhile] = [median(usual), median(probes.ms)];
  const failed = probes.failures.map((failure) => `a sign-in failed: ${failure}`);
  return {
    findings: [
      ...seen.findings,
      ...failed.slice(0, 1),
      ...(grown > MOST_MB ? [`the portal took ${grown} MB more`] : []),
      ...(meanwhile > MOST_OF_USUAL * before
        ? [`a sign-in took ${(meanwhile / before).toFixed(1)} times as long`]
        : []),
    ],
    notes: [
      ...seen.notes,
      `at most ${grown} MB above ${Math.round(idleMb)} MB`,
      `${probes.ms.length} sign-ins beside it took ${inWords(probes.ms)}; usually ${inWords(usual)}`,
    ],
  };
}

const median = (ms: readonly number[]) => percentile(ms, 50);
const inWords = (ms: readonly number[]) =>
  `${median(ms).toFixed(0)} ms (p95 ${percentile(ms, 95).toFixed(0)} ms)`;

async function atOnce(topology: Topology, downloads: readonly Download[]): Promise<Seen> {
  const began = performance.now();
  const arrived = await Promise.all(downloads.map((download) => arrive(topology, download)));
  return seenOf(arrived, performance.now() - began);
}

async function pausedReaders(topology: Topology, downloads: readonly Download[]): Promise<Seen> {
  const paused = downloads.slice(OTHERS, AT_ONCE).map((download) => begin(topology, download));
  for (const answer of paused) void answer.then((message) => message.pause());
  await Promise.race(paused);
  const began = performance.now();
  const arrived = await Promise.all(downloads.slice(0, OTHERS).map((download) => arrive(topology, download)));
  const seen = seenOf(arrived, performance.now() - began);
  const statuses = (await Promise.all(paused)).map((answer) => {
    answer.destroy();
    return answer.statusCode;
  });
  const served = statuses.filter((status) => status === 200).length;
  return { ...seen, notes: [...seen.notes, `${served} of ${PAUSED} paused readers had an answer`] };
}

function seenOf(arrived: readonly Arrived[], ms: number): Seen {
  const broken = arrived.filter(({ bytes, declared }) => bytes === 0 || bytes !== declared).length;
  const silent = arrived.reduce((sum, one) => sum + one.silent, 0);
  const comeBacks = arrived.reduce((sum, { comeBacks: one }) => sum + one, 0);
  return {
    findings: [
      ...(broken > 0 ? [`${broken} of ${arrived.length} downloads did not arrive`] : []),
      ...(silent > 0 ? [`${silent} answers with 503 don't say when to come back`] : []),
    ],
    notes: [
      `${arrived.length} downloads arrived within ${(ms / 1000).toFixed(1)} s, after ${comeBacks} requests to come back`,
    ],
  };
}

/** Downloads a document, and comes back when told to. */
async function arrive(topology: Topology, download: Download): Promise<Arrived> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  let [comeBacks, silent] = [0, 0];
  while (performance.now() < giveUpAt) {
    const answer = await begin(topology, download);
    const bytes = await lengthOf(answer);
    const { "content-length": declared, "retry-after": again } = answer.headers;
    if (answer.statusCode !== BUSY)
      return { bytes: answer.statusCode === 200 ? bytes : 0, declared: Number(declared), comeBacks, silent };
    comeBacks += 1;
    if (again === undefined) silent += 1;
    await wait(Number(again ?? 1) * 1000);
  }
  return { bytes: 0, declared: 0, comeBacks, silent };
}

/** The answer to a download, unread. */
function begin({ port, origin }: Topology, { visitor, path }: Download): Promise<IncomingMessage> {
  const headers = {
    Host: new URL(origin).host,
    Cookie: [...visitor.cookies].map((pair) => pair.join("=")).join("; "),
  };
  const where = { host: "127.0.0.1", port, path, headers, agent: false, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    request(where, resolve).on("error", reject).end();
  });
}

async function lengthOf(answer: IncomingMessage): Promise<number> {
  let length = 0;
  try {
    for await (const piece of answer) length += (piece as Buffer).byteLength;
  } catch {
    // The answer broke off, which shows in its length.
  }
  return length;
}
