import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { archiveMonths } from "~/backend/audit/archive-months.server";
import { sealEvents } from "~/backend/audit/seal-events.server";
import type { Store } from "~/backend/store/store.server";
import type { Thoroughness } from "./bench";
import { onPostgresAsOwner, onSqlite, type Home } from "./home";
import type { Row } from "./row";
import { tableBytes, wholeSize } from "./sizing/database-size";
import { figureRows } from "./sizing/figures";
import { measureOn, type Amount } from "./sizing/measure";
import { together } from "./sizing/turns";

/** This much later the audit's present month may be archived. */
const LATER_MS = 100 * 86_400_000;
const POLL_MS = 50;
const MOST_DUMP_BYTES = 2 ** 30;

/** The cost of customers, visits and the audit in processor time, memory and bytes: docs/performance.md, "Sizing". */
export async function benchSizing({ quick }: Thoroughness): Promise<readonly Row[]> {
  const amount: Amount = quick
    ? { visits: 30, imported: 5000, hashSeconds: 2 }
    : { visits: 100, imported: 20_000, hashSeconds: 4 };
  return [
    ...(await onPostgresAsOwner((home) => rowsOnServer(home, amount))),
    ...(await onSqlite(async (home) => {
      const { figures } = await measureOn(home, amount, undefined);
      return [
        ...figureRows("SQLite", figures),
        row("an event in an archived month, packed", await archivedBytes(home), "B"),
      ];
    })),
  ];
}

async function rowsOnServer(home: Home, amount: Amount): Promise<readonly Row[]> {
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
  return [
    ...figureRows("PostgreSQL", figures),
    row("requests of a sign-in with a code", turns.code.requests),
    row("requests of a sign-in from a trusted device", turns.trusted.requests),
    row("requests of browsing", turns.browsing.requests),
    row("text messages of a sign-in with a code", grown("messages", "warm-up", "code")),
    row("text messages, if the device is trusted then", grown("messages", "code", "trusting")),
    row("events of the audit, a visit with a code", grown("events", "warm-up", "code")),
    row("events of the audit, a visit from a trusted device", grown("events", "trusting", "trusted")),
    row("write-ahead log, a visit with a code", walBytes, "B"),
    row("transactions, a visit with a code", transactions),
    row("connections a portal held", connections),
    row("pg_dump --format=custom, share of the database", backupShare),
  ];
}

function row(what: string, measured: number, unit: Row["unit"] = ""): Row {
  return { name: `sizing: ${what}`, unit, measured };
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
