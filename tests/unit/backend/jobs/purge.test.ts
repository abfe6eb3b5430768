import { expect, it } from "vitest";
import { join } from "node:path";
import { KEY_FILE, readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { takeBackPolicy } from "~/backend/documents/take-back.server";
import type { Store } from "~/backend/store/store.server";
import { purge } from "~/backend/jobs/upkeep.server";
import { REGISTRY } from "~/backend/store/registry.server";
import { defaultLimits, LIMITS } from "~/platform/config/limits";
import { Browser, latestCode, wrongCode } from "../../../contract/browser";
import { ANNA, JAN, PIOTR } from "../../../demo-customers";
import { onAnyDatabase } from "../../../database";
import { addPasskey, atLocalhost } from "../../../passkey-device";
import { addApp, appCode, bodyOf } from "../../../factor-steps";
import { NOON, openTestBackend, type TestBackend } from "../test-backend";
import { openStoreAt } from "../test-place";
import { WAITING_SMS } from "../../../waiting";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** How long each row stays, from its last use on, and not a moment longer (docs/operations/retention.md). */
const KEPT: Readonly<Record<string, number>> = {
  login_passes: LIMITS.LOGIN_PASS_SECONDS * SECOND,
  sessions: LIMITS.SESSION_IDLE_SECONDS * SECOND,
  prepared_factors: LIMITS.FACTOR_PREPARED_SECONDS * SECOND,
  passkey_challenges: LIMITS.PASSKEY_CHALLENGE_SECONDS * SECOND,
  passkey_sign_ins: LIMITS.PASSKEY_CHALLENGE_SECONDS * SECOND,
  announcements: 80 * MINUTE,
  staff_requests: 15 * MINUTE,
  attempts: DAY,
  windows: DAY,
  outbox: DAY,
  portal_clocks: DAY,
  messages: LIMITS.MESSAGE_DAYS * DAY,
  codes: DAY + 10 * MINUTE,
  username_changes: LIMITS.USERNAME_CHANGE_DAYS * DAY,
  trusted_devices: LIMITS.TRUSTED_DEVICE_DAYS * DAY,
  restorable: LIMITS.RESTORE_DAYS * DAY,
  known_browsers: LIMITS.KNOWN_BROWSER_DAYS * DAY,
};
/** Rows that never expire: they go with the account, and there are at most four earlier passwords. */
const STAYS: Readonly<Record<string, number>> = {
  password_history: 4,
  document_passwords: 1,
  accounts: 6,
  factors: 1,
  passkeys: 1,
  factor_settings: 1,
  // Keeps the policy or document out of imports.
  taken_back: 1,
};
const TABLES = ["sessions", "codes", "trusted_devices", "windows", "attempts", "outbox"];

it("[S91] the registry says of these tables, and of no others, that their rows expire", () => {
  const expiring = Object.entries(REGISTRY).filter(([, entry]) => "expires" in entry);
  expect(expiring.map(([table]) => table).toSorted()).toEqual(Object.keys(KEPT).toSorted());
});

async function takeBackSomething({ dataDir }: TestBackend, store: Store): Promise<void> {
  const keyring = readOrMakeKeyFile(join(dataDir, KEY_FILE), true);
  await store.write(async (tx) => {
    const policy = await tx.selectFrom("policies").selectAll().limit(1).executeTakeFirstOrThrow();
    await takeBackPolicy(
      tx,
      { keyring, limits: LIMITS, now: NOON },
      { ...policy, policy_no: "POL-GONE", id: "gone" },
    );
  });
}

onAnyDatabase((kind) => {
  it("[S30, S91] a purge deletes rows that have expired, and no others", async () => {
    const first = await openTestBackend({ kind });
    const browser = new Browser(first);
    await browser.signIn(ANNA, "Y");
    const other = new Browser(first);
    await other.login(PIOTR);
    await other.askForCode();
    await other.confirm(wrongCode(await latestCode(first, PIOTR.phone)));
    await other.login({ ...PIOTR, password: "Nie-To-Haslo-1" });
    await first.backend.close();

    const left = async (later: number) => {
      const store = await openStoreAt(first.place);
      const told = new Map<string, number>();
      const deleted = await purge(store, defaultLimits("demo"), NOON + later, (table, rows) =>
        told.set(table, rows),
      );
      expect(told).toEqual(deleted);
      const counts: number[] = [];
      for (const table of TABLES)
        counts.push(Number((await first.query(`select count(*) as n from ${table}`))[0]?.n));
      await store.close();
      return counts;
    };
    expect(await left(9_000)).toEqual([2, 2, 1, expect.any(Number), 4, 2]);
    expect(await left(10_000)).toEqual([2, 1, 1, expect.any(Number), 4, 2]);
    expect(await left(LIMITS.SESSION_IDLE_SECONDS * SECOND)).toEqual([0, 1, 1, expect.any(Number), 4, 2]);
    expect(await left(DAY + 10 * MINUTE)).toEqual([0, 0, 1, 0, 0, 0]);
    expect(await left(LIMITS.TRUSTED_DEVICE_DAYS * DAY)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("[S91] each kind of row is there until its time is over, and is gone then", async () => {
    const way = await openTestBackend({ kind });
    const browser = new Browser(way);
    await browser.signIn(ANNA, "Y");
    const app = await addApp(way, browser, ANNA, NOON);
    const proof = { authorizationCode: appCode(app, NOON), method: "app" };
    bodyOf(await browser.put("/cp/api/factors/app/prepare", proof));
    const { local } = await addPasskey(way, browser, ANNA, "Telefon");
    bodyOf(await local.put("/cp/api/factors/init", { method: "passkey" }));
    bodyOf(await new Browser(atLocalhost(way)).post("/home/api/auth/passkey/init"));
    await browser.login({ ...PIOTR, password: "Nie-To-Haslo-1" });
    const path = `/home/api/user/${JAN.username}/password-reset`;
    for (let nth = 1; nth <= 6; nth += 1) {
      await browser.post(`${path}/init`, { resend: true });
      const payload = {
        newPassword: `Nowe-Haslo-202${nth}`,
        authorizationCode: await latestCode(way, JAN.phone),
      };
      expect((await browser.post(`${path}/confirm`, payload)).status).toBe(200);
    }
    await browser.post(`${path}/init`, { resend: true });
    await way.change("update username_changes set changed_at = ?", NOON);
    await way.change(
      `insert into messages (id, purpose, state, text_sealed, due_at, written_at, changed_at, ends_at)
      values ('1', 'login', 'waiting', 'waits', ?, ?, 0, ?)`,
      NOON,
      NOON,
      NOON + 10 * MINUTE,
    );
    await way.change(
      "insert into announcements (kind, text_pl, text_en, ends_at) values ('maintenance', '', '', ?)",
      NOON + 80 * MINUTE,
    );
    await way.change(
      `insert into staff_requests (id, customer_id, act, asker, operator, reason, seen, ends_at)
      select '1', min(id), 'enable', '', '', '', '', ? from customers`,
      NOON + 15 * MINUTE,
    );
    await way.change(
      "insert into portal_clocks (portal, ahead_ms, seen_at) values ('portal-1:3000', 0, ?)",
      NOON,
    );
    await way.backend.close();

    const store = await openStoreAt(way.place);
    await takeBackSomething(way, store);
    const count = async (table: string) =>
      Number((await way.query(`select count(*) as n from ${table}`))[0]?.n);
    const audited = await count("audit_events");
    const kept: typeof KEPT = { ...KEPT, [WAITING_SMS]: 70 * MINUTE };
    for (const time of [...new Set(Object.values(kept))].sort((one, other) => one - other)) {
      const tables = Object.keys(kept).filter((table) => kept[table] === time);
      await purge(store, defaultLimits("demo"), NOON + time - 1);
      for (const table of tables) expect(await count(table), `${table}, before`).toBeGreaterThan(0);
      await purge(store, defaultLimits("demo"), NOON + time);
      for (const table of tables) expect(await count(table), `${table}, after`).toBe(0);
    }
    await purge(store, defaultLimits("demo"), NOON + 3650 * DAY);
    for (const [table, left] of Object.entries(STAYS)) expect(await count(table), table).toBe(left);
    // Customers see ninety days of it; the audit keeps it.
    expect(await count("audit_events")).toBe(audited);
    await store.close();
    await way.close();
  });
});
