import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultLimits, SETTABLE_LIMITS } from "~/platform/config/limits";
import { until } from "../browsers/until";
import { freePort } from "../free-port";
import { hasPostgres } from "../postgres-server";
import { outboxOf, type PublicPortal } from "../portal";
import { PATIENT } from "../portal-process";
import { makeDatabase, type Database } from "./database";
import { startMember, type Member } from "./member";
import { HAS_NGINX, startNginx, type Nginx, type RequestRate } from "./nginx";
import { randomDataKeys, seedCustomers, type Stored } from "./seeding";
import { startSmsServer, type SmsServer } from "./sms-server";
import { WAITING_SMS } from "../waiting";

/** Options for a topology. */
export interface TopologyOptions {
  /** The number of portals. Default: 2. */
  readonly portals?: number;
  /** More environment variables for all portals. */
  readonly env?: Readonly<Record<string, string>>;
  /** How many requests of one client nginx lets through. Default: more than any test sends. */
  readonly requestRate?: RequestRate;
  /** Adds rows to the database, before the portals start. */
  readonly seed?: (stored: Stored) => Promise<void>;
}

/**
 * A deployment as operators run it: portals in production mode on one PostgreSQL, behind nginx with TLS. Visitors see
 * one portal like any other. The customers are the demo's, and messages go to the tests' own server.
 */
export interface Topology extends PublicPortal {
  readonly secure: true;
  /** The port where nginx redirects http to https. */
  readonly httpPort: number;
  readonly members: readonly [Member, ...Member[]];
  readonly nginx: Nginx;
  readonly database: Database;
  readonly sms: SmsServer;
  /** The portals' output so far. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

/** Whether everything a topology needs is installed. If not, `npm test` says so loudly. */
export const CAN_START = HAS_NGINX && hasPostgres;

/** Few enough to run several topologies on one server. */
const CONNECTIONS = "5";

/** The demo's limits: production's would treat repeated tests from one address as an attack. */
const DEMO_LIMITS = Object.fromEntries(
  SETTABLE_LIMITS.map((name) => [`LIMIT_${name}`, String(defaultLimits("demo")[name])]),
);

/**
 * Starts the topology of deploy/ without containers, on free ports of 127.0.0.1.
 * @throws Error with the output of the part that does not start
 */
export async function startTopology(options: TopologyOptions = {}): Promise<Topology> {
  const parts: { readonly stop: () => Promise<void> }[] = [];
  const stop = async () => {
    for (const part of parts.reverse()) await part.stop();
  };
  const keep = <Part extends { readonly stop: () => Promise<void> }>(part: Part): Part => {
    parts.push(part);
    return part;
  };
  try {
    return { ...(await startParts(options, keep)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Keep = <Part extends { readonly stop: () => Promise<void> }>(part: Part) => Part;

async function startParts(
  { portals: count = 2, env: more = {}, requestRate, seed }: TopologyOptions,
  keep: Keep,
): Promise<Omit<Topology, "stop">> {
  const [{ folder }, sms, database] = await Promise.all([
    freshFolder().then(keep),
    startSmsServer().then(keep),
    makeDatabase().then(keep),
  ]);
  const [httpsPort, httpPort] = [await freePort(), await freePort()];
  const origin = `https://127.0.0.1:${httpsPort}`;
  const env = {
    PORTAL_MODE: "production",
    PUBLIC_ORIGIN: origin,
    TRUSTED_PROXIES: "127.0.0.1",
    SESSION_SECRET: randomBytes(32).toString("base64"),
    DATA_KEYS: randomDataKeys(),
    DATABASE_URL: database.url,
    DATABASE_POOL: CONNECTIONS,
    ...DEMO_LIMITS,
    // Instead of the demo's: a busy machine is slow.
    ...PATIENT,
    ...sms.env,
    ...more,
  };
  await seedCustomers(env, seed);
  const startOne = () => startMember(database, { publicOrigin: origin, env }).then(keep);
  const [first, ...others] = await Promise.all(Array.from({ length: count }, startOne));
  if (!first) throw new Error("a topology has at least one portal");
  const members: Topology["members"] = [first, ...others];
  const ports = members.map(({ port }) => port);
  const nginx = keep(await startNginx({ folder, httpsPort, httpPort, portals: ports, requestRate }));
  return {
    origin,
    port: httpsPort,
    secure: true,
    httpPort,
    members,
    nginx,
    database,
    sms,
    ...outboxOf(async () => {
      // A message is queued before its page is answered, and leaves the queue once the server has it.
      await until("all messages to be sent", async () => (await database.count(WAITING_SMS)) === 0);
      return sms.messages();
    }),
    log: () => members.map(({ log }) => log()).join("\n"),
  };
}

async function freshFolder() {
  const folder = await mkdtemp(join(tmpdir(), "topology-"));
  return { folder, stop: () => rm(folder, { recursive: true, force: true }) };
}
