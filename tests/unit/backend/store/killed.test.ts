import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, latestCode } from "../../../contract/browser";
import { ANNA, freshCustomer, type DemoCustomer } from "../../../demo-customers";
import { hasPostgres, settingsOf } from "../../../database";
import { openDatabaseProxy } from "../../../database-proxy";
import { openTestBackend, type TestBackend } from "../test-backend";

const NEITHER = "neither";
const BOTH = "used with its effect";
const NEW_PASSWORD = "Zupełnie-Nowe-1";

/** A journey whose confirm must store both its code and its effect, or neither. */
interface Journey {
  readonly customer: DemoCustomer;
  readonly begin: (browser: Browser) => Promise<unknown>;
  readonly confirm: (browser: Browser, code: string) => Promise<{ status: number }>;
  /** A query that counts the rows of the effect. */
  readonly effect: string;
}

const { policyNo, pid } = freshCustomer(1);
const JOURNEYS: Readonly<Record<string, Journey>> = {
  "a sign-in": {
    customer: ANNA,
    begin: async (browser) => {
      await browser.login(ANNA);
      return browser.askForCode();
    },
    confirm: (browser, code) => browser.confirm(code, "Y"),
    effect: "select count(*) from sessions join trusted_devices using (account_id) where state = 'active'",
  },
  "a registration": {
    customer: freshCustomer(1),
    begin: (browser) => browser.post("/home/api/user/register/init", { policyNo, pid }),
    confirm: (browser, authorizationCode) =>
      browser.post("/home/api/user/register/confirm", {
        authorizationCode,
        password: NEW_PASSWORD,
        pid,
        policyNo,
      }),
    effect:
      "select count(*) from accounts join sessions on account_id = accounts.id where username like 'klient%'",
  },
  "a new password": {
    customer: ANNA,
    begin: (browser) => browser.post(`/home/api/user/${ANNA.username}/password-reset/init`),
    confirm: (browser, authorizationCode) =>
      browser.post(`/home/api/user/${ANNA.username}/password-reset/confirm`, {
        newPassword: NEW_PASSWORD,
        authorizationCode,
      }),
    effect: "select count(*) from password_history join login_passes using (account_id)",
  },
};

it.each(Object.entries(JOURNEYS))(
  "[S103] a confirm of %s, killed anywhere, has stored its code and its effect, or neither",
  async (_, { customer, begin, confirm, effect }) => {
    const way = await openTestBackend();
    const browser = new Browser(way);
    await begin(browser);
    const code = await latestCode(way, customer.phone);

    const seen = new Set<string>();
    way.onClock(() => seen.add(stateAfterKill(way, effect)));
    expect((await confirm(browser, code)).status).toBe(200);
    seen.add(stateAfterKill(way, effect));
    expect([...seen].sort()).toEqual([NEITHER, BOTH]);
    await way.close();
  },
);

describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
  it.each(
    Object.entries(JOURNEYS).flatMap(([name, journey]) =>
      (["before", "after"] as const).map((when) => [name, when, journey] as const),
    ),
  )(
    "[S103] a confirm of %s, cut off anywhere, %s a statement arrives, stores code and effect, or neither",
    async (_, when, { customer, begin, confirm, effect }) => {
      // Each try that is cut off rightly counts against the code, and this test makes many.
      const limits = { ...defaultLimits("demo"), CODE_TRIES: 1000, CODE_REFUSALS: 1000 };
      const { place, backend } = await openTestBackend({ kind: "postgres", limits });
      await backend.close();
      const proxy = await openDatabaseProxy(place.on?.url ?? "");
      const way = await openTestBackend({ place: { ...place, database: settingsOf(proxy.url) }, limits });
      const browser = new Browser(way);
      await begin(browser);
      const code = await latestCode(way, customer.phone);

      const seen: string[] = [];
      for (let nth = 1; seen.at(-1) !== BOTH; nth += 1) {
        proxy.cutAt(nth, when);
        const { status } = await confirm(browser.twin(), code);
        expect([200, 503]).toContain(status);
        seen.push(await stateOnServer(way, effect));
        // Whatever was reported as done must be done.
        if (status === 200) expect(seen.at(-1)).toBe(BOTH);
      }
      expect(new Set(seen)).toEqual(new Set([NEITHER, BOTH]));
      await way.close();
      await proxy.close();
    },
  );
});

async function stateOnServer(way: TestBackend, effect: string): Promise<string> {
  const [row] = await way.query(
    `select (select count(*) from codes where state = 'used') as used, (${effect}) as effects`,
  );
  return inWords(Number(row?.["used"]), Number(row?.["effects"]));
}

/** The state that the next start finds if the process is killed now. */
function stateAfterKill(way: TestBackend, effect: string): string {
  const copy = mkdtempSync(join(tmpdir(), "portal-killed-"));
  cpSync(way.dataDir, copy, { recursive: true });
  const db = new SqliteConnection(join(copy, "portal.db"));
  const used = Number(db.value("select count(*) from codes where state = 'used'"));
  const effects = Number(db.value(effect));
  db.close();
  rmSync(copy, { recursive: true });
  return inWords(used, effects);
}

function inWords(used: number, effects: number): string {
  if (used === 0 && effects === 0) return NEITHER;
  return used === 1 && effects === 1 ? BOTH : JSON.stringify({ used, effects });
}
