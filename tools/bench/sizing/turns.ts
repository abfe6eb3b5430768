import type { Store } from "~/backend/store/store.server";
import { outboxAt } from "../../../tests/portal";
import type { Running } from "../process";
import { serverUse, type ServerUse } from "./server-use";
import {
  askForCodes,
  browse,
  codesIn,
  confirmCodes,
  newVisitors,
  signInTrusted,
  type Visitors,
} from "./visits";

/** The cost of a piece of work for each visitor. */
export interface Cost {
  readonly requests: number;
  readonly portalMs: number;
  /** Of the database server; `connections`: open at the end. */
  readonly server: ServerUse;
}

/** The cost of each part of a visit: a sign-in with a code, one from a trusted device, and the browsing after it. */
export interface Turns {
  readonly code: Cost;
  readonly trusted: Cost;
  readonly browsing: Cost;
}

/** Where to measure; `store` is a connection beside the portal, if the database allows one. */
export interface Place {
  readonly portal: Running;
  readonly store: Store | undefined;
}

/** Called after all visits of a kind. */
export type AfterTurn = (kind: "warm-up" | "code" | "trusting" | "trusted") => Promise<void>;

/**
 * Lets each visitor visit four times: to warm the portal up, with a code, with a code that ends in trusting the device,
 * and from the trusted device.
 */
export async function takeTurns(place: Place, count: number, after: AfterTurn): Promise<Turns> {
  const visitors = await newVisitors(place.portal, count);
  await visitWithCode(place, visitors, false);
  await after("warm-up");
  const { signIn: code, browsing } = await visitWithCode(place, visitors, false);
  await after("code");
  await visitWithCode(place, visitors, true);
  await after("trusting");
  const trusted = await costOf(place, () => signInTrusted(visitors));
  await browse(visitors);
  await after("trusted");
  const each = (cost: Cost) => perVisitor(cost, count);
  return { code: each(code), trusted: each(trusted), browsing: each(browsing) };
}

async function visitWithCode(place: Place, visitors: Visitors, trust: boolean) {
  const first = await costOf(place, () => askForCodes(visitors));
  // No insurer's customer reads the outbox, so it isn't counted.
  const codes = codesIn(await outboxAt(place.portal.port).outbox());
  const second = await costOf(place, () => confirmCodes(visitors, codes, trust));
  const browsing = await costOf(place, () => browse(visitors));
  return { signIn: together(first, second), browsing };
}

async function costOf({ portal, store }: Place, work: () => Promise<number>): Promise<Cost> {
  const [before, began] = [await serverUse(store), portal.cpuMs()];
  const requests = await work();
  const portalMs = portal.cpuMs() - began;
  const { connections, ...now } = await serverUse(store);
  return {
    requests,
    portalMs,
    server: {
      cpuMs: now.cpuMs - before.cpuMs,
      transactions: now.transactions - before.transactions,
      walBytes: now.walBytes - before.walBytes,
      connections,
    },
  };
}

/** Two pieces of work as one. */
export function together(one: Cost, other: Cost): Cost {
  return {
    requests: one.requests + other.requests,
    portalMs: one.portalMs + other.portalMs,
    server: {
      cpuMs: one.server.cpuMs + other.server.cpuMs,
      transactions: one.server.transactions + other.server.transactions,
      walBytes: one.server.walBytes + other.server.walBytes,
      connections: Math.max(one.server.connections, other.server.connections),
    },
  };
}

function perVisitor({ requests, portalMs, server }: Cost, count: number): Cost {
  return {
    requests,
    portalMs: portalMs / count,
    server: {
      cpuMs: server.cpuMs / count,
      transactions: server.transactions / count,
      walBytes: server.walBytes / count,
      connections: server.connections,
    },
  };
}
