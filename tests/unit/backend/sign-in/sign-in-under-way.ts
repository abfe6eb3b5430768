import { expect, vi } from "vitest";
import type { Answer } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { connectTo } from "../../../postgres-server";
import type { TestBackend } from "../test-backend";
import { trustedBrowser } from "./trusted-browser";

const WAIT_MS = 300_000;

/**
 * Runs work on PostgreSQL while a customer's sign-in has locked the account and goes no further. The work has to wait
 * for that lock; then both finish.
 * @returns what the work returned, and the sign-in's browser and answer
 */
export async function duringSignIn<Value>(way: TestBackend, work: () => Promise<Value>) {
  const browser = await trustedBrowser(way);
  // The sign-in needs this row after it has locked the account.
  const other = await connectTo(way.place.on?.url ?? "");
  await other.query("begin");
  await other.query("select * from trusted_devices for update");
  const signingIn: Promise<Answer> = browser.login(ANNA);
  await waitingForLocks(way, 1);
  const working = work();
  await waitingForLocks(way, 2);
  await other.query("commit");
  await other.end();
  return { browser, signedIn: await signingIn, value: await working };
}

async function waitingForLocks(way: TestBackend, count: number): Promise<void> {
  const waiting =
    "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await vi.waitFor(async () => {
    expect(await way.query(waiting)).toHaveLength(count);
  }, WAIT_MS);
}
