import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { archiveMonths } from "~/backend/services/audit/archive-months.server";
import { sealEvents } from "~/backend/services/audit/seal-events.server";
import type { Store } from "~/backend/store/store.server";
import type { Thoroughness } from "./bench";
import { onPostgresAsOwner, onSqlite, type Home } from "./home";
import { thisMachine } from "./this-machine";
import type { Row } from "./row";
import { tableBytes, wholeSize } from "./sizing/database-size";
import { rowsOf, type SizingFigures } from "./sizing/figures";
import { measureOn, type Amount } from "./sizing/measure";
import { together } from "./sizing/turns";

/** This much later the audit's present month may be archived. */
const LATER_MS = 100 * 86_400_000;
const POLL_MS = 50;
const MOST_DUMP_BYTES = 2 ** 30;

type Shared = Pick<SizingFigures, "postgres" | "server" | "requests" | "messages" | "events">;

/** The cost of customers, visits and the audit in processor time, memory and bytes: docs/performance.md. */
export async function benchSizing({ quick }: Thoroughness): Promise<readonly Row[]> {
  const amount: Amount = quick
    ? { visits: 30, imported: 5000, hashSeconds: 2 }
    : { visits: 100, imported: 20_000, hashSeconds: 4 };
  const shared = await onPostgresAsOwner((home) => onServer(home, amount));
  const alone = await onSqlite(async (home) => {
    const { figures } = await measureOn(home, amount, undefined);
    return { sqlite: figures, archivedEventBytes: await archivedBytes(home) };
  });
  const { visits, imported } = amount;
  const load = loadavg()[2] ?? NaN;
  return rowsOf({
    at: new Date().toISOString(),
    machine: thisMachine(),
    load,
    quick,
    visits,
    imported,
    ...shared,
    ...alone,
  });
}

async function onServer(home: Home, amount: Amount): Promise<Shared> {
  const store = await home.openStore();
  const counts = new Map<string, { readonly events: number; readonly messages: number }>();
  const { figures, turns } = await measureOn(home, amount, store, async (kind) => {
    counts.set(kind, await countsIn(store));
  });
  const backupShare = dumpBytes(home) / wholeSize(await tableBytes(store));
  await store.close();
  const grown = (what: "events" | "messages", from: string, to: string) =>
    ((counts.get(to)?.[what] ?? NaN) - (counts.get(from)?.[what] ?? NaN)) / amount.visits;
  const { transactions, walBytes, connections } = together(turns.code, turns.browsing).server;
  return {
    postgres: figures,
    server: { transactions, walBytes, connections, backupShare },
    requests: {
      code: turns.code.requests,
      trusted: turns.trusted.requests,
      browsing: turns.browsing.requests,
    },
    messages: { code: grown("messages", "warm-up", "code"), trusting: grown("messages", "code", "trusting") },
    events: { code: grown("events", "warm-up", "code"), trusted: grown("events", "trusting", "trusted") },
  };
}

/** Counts events and delivered messages, once no message is waiting. */
async function countsIn(store: Store) {
  for (;;) {
    const { rows } = await sql<{ events: string; messages: string; waiting: string }>`
      select (select count(*) from audit_events) as events, (select count(*) from outbox) as messages,
        (select count(*) from messages where due_at is not null) as waiting`.execute(store.read);
    const { events, messages, waiting } = rows[0] ?? {};
    if (Number(waiting) === 0) return { events: Number(events), messages: Number(messages) };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function dumpBytes({ env }: Home): number {
  const words = ["--format=custom", env["DATABASE_URL"] ?? ""];
  const { status, stdout, stderr } = spawnSync("pg_dump", words, { maxBuffer: MOST_DUMP_BYTES });
  if (status !== 0) throw new Error(`pg_dump failed: ${stderr.toString("utf8")}`);
  return stdout.byteLength;
}

/** Bytes of an event in an archived month. The present month is archived as if it were some months later. */
async function archivedBytes(home: Home): Promise<number> {
  const { keyring, env } = home;
  const store = await home.openStore();
  await sealEvents(store, keyring, Date.now);
  const folder = join(env["DATA_DIR"] ?? "", "audit");
  const archives = await archiveMonths(store, keyring, { folder, keepMonths: 1, now: Date.now() + LATER_MS });
  await store.close();
  const bytes = archives.map(({ file }) => statSync(join(folder, file)).size);
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  return total(bytes) / total(archives.map(({ events }) => events));
}
