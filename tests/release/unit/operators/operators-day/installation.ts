import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { until } from "../../../../browsers/until";
import type { DatabaseKind } from "../../../../database";
import { startCommand, type CommandResult } from "../../../../operator-command";
import { outboxOf, startPortal, type Portal } from "../../../../portal";
import { freePort } from "../../../../free-port";
import { withClient } from "../../../../postgres-server";
import { makeBareDatabase, type Database } from "../../../../topology/database";
import { startNginx } from "../../../../topology/nginx";
import { startSmsServer } from "../../../../topology/sms-server";
import type { VisitedPortal } from "../../../../visitor";
import { WAITING_SMS } from "../../../../waiting";
import { makeTablesUpTo } from "../../../../unit/backend/store/previous-release";
import { newDataDir, placeOnSqlite } from "../../../../unit/backend/test-place";

/** An operator's installation: a portal in production mode behind nginx, its database, and a gateway for messages. */
export interface Installation {
  /** The portal, as customers reach it. */
  readonly site: VisitedPortal;
  /** Where the operator keeps files. */
  readonly folder: string;
  /** Set on PostgreSQL. */
  readonly server: Database | undefined;
  /** Runs the build's `portal …` with the portal's variables and `more`. */
  readonly run: (words: readonly string[], more?: Readonly<Record<string, string>>) => Promise<CommandResult>;
  /** Runs a command that must succeed without a complaint. Returns its output. */
  readonly does: (...words: readonly string[]) => Promise<string>;
  /** Makes the tables of an earlier release, up to and including this migration. */
  readonly makeTablesUpTo: (migration: string) => Promise<void>;
  /** Starts a portal, with other keys if some are given. */
  readonly start: (keys?: string) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Runs a statement as the tables' owner. */
  readonly query: (statement: string) => Promise<Record<string, unknown>[]>;
  /** Takes everything away. */
  readonly remove: () => Promise<void>;
}

/** A key as `DATA_KEYS` lists it. */
export const newKey = (version: number) => `${version}:${randomBytes(32).toString("base64")}`;

/** Prepares a machine: a database without tables, nginx, a gateway. No portal runs yet. */
export async function prepare(kind: DatabaseKind, keys: string): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), "operator-"));
  const dataDir = newDataDir();
  const server = kind === "postgres" ? await makeBareDatabase() : undefined;
  const sms = await startSmsServer();
  const [port, httpsPort, httpPort] = [await freePort(), await freePort(), await freePort()];
  const nginx = await startNginx({ folder, httpsPort, httpPort, portals: [port] });
  const origin = `https://127.0.0.1:${httpsPort}`;
  const query = server
    ? (statement: string) => rowsAt(server.ownerUrl, statement)
    : (statement: string) => placeOnSqlite(dataDir).query(statement);
  const outbox = outboxOf(async () => {
    const waiting = () => query(`select id from ${WAITING_SMS}`);
    await until("all messages to be sent", async () => (await waiting()).length === 0);
    return sms.messages();
  });
  let env: Readonly<Record<string, string>> = {
    PORTAL_MODE: "production",
    PUBLIC_ORIGIN: origin,
    TRUSTED_PROXIES: "127.0.0.1",
    SESSION_SECRET: randomBytes(32).toString("base64"),
    DATA_KEYS: keys,
    DATA_DIR: dataDir,
    // A used code stays for the day, however slow the machine is.
    LIMIT_CONFIRM_REPEAT_SECONDS: "600",
    NODE_EXTRA_CA_CERTS: nginx.certificate,
    ...sms.env,
    ...(server && { DATABASE_URL: server.url }),
  };
  let portal: Portal | undefined;
  const stop = async () => {
    await portal?.stop();
    portal = undefined;
  };
  // In processes, as an operator runs them: they trust nginx' certificate only from their start.
  // Beside this one, which answers as the gateway.
  const run: Installation["run"] = (words, more) =>
    startCommand({ ...env, ...server?.forOwner, ...more }, words).ended;
  return {
    site: { origin, port: httpsPort, secure: true, lastCode: outbox.lastCode },
    folder,
    server,
    run,
    query,
    stop,
    makeTablesUpTo: (migration) =>
      makeTablesUpTo({ dataDir, ...(server && { on: { url: server.ownerUrl } }) }, migration),
    does: async (...words) => {
      const { code, stdout, stderr } = await run(words);
      expect([code, stderr], words.join(" ")).toEqual([0, ""]);
      return stdout;
    },
    start: async (given) => {
      await stop();
      env = { ...env, ...(given !== undefined && { DATA_KEYS: given }) };
      portal = await startPortal({ port, dataDir, publicOrigin: origin, env });
    },
    remove: async () => {
      await stop();
      for (const part of [nginx, sms, ...(server ? [server] : [])]) await part.stop();
      for (const used of [folder, dataDir]) await rm(used, { recursive: true, force: true });
    },
  };
}

function rowsAt(url: string, statement: string) {
  return withClient(url, async (client) => {
    const { rows } = await client.query(statement);
    return rows as Record<string, unknown>[];
  });
}
