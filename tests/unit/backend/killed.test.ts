import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { Browser, latestCode } from "../../contract/browser";
import { ANNA, freshCustomer, type DemoCustomer } from "../../demo-customers";
import { openTestBackend, type TestBackend } from "./test-backend";

const NEW_PASSWORD = "Zupełnie-Nowe-1";

/** A confirm whose code and effect must stand or fall together. */
interface Flow {
  readonly customer: DemoCustomer;
  readonly begin: (browser: Browser) => Promise<unknown>;
  readonly confirm: (browser: Browser, code: string) => Promise<{ status: number }>;
  /** Counts the effect's rows. */
  readonly effect: string;
}

const { policyNo, pid } = freshCustomer(1);
const FLOWS: Readonly<Record<string, Flow>> = {
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

it.each(Object.entries(FLOWS))(
  "[S103] killed anywhere between the code of %s and its effect, there are both or neither",
  async (_, { customer, begin, confirm, effect }) => {
    const way = await openTestBackend();
    const browser = new Browser(way);
    await begin(browser);
    const code = await latestCode(way, customer.phone);

    const seen = new Set<string>();
    way.onClock(() => seen.add(stateAfterKill(way, effect)));
    expect((await confirm(browser, code)).status).toBe(200);
    seen.add(stateAfterKill(way, effect));
    expect([...seen].sort()).toEqual(["neither", "used with its effect"]);
    await way.close();
  },
);

/** What the next start finds if the process is killed now. */
function stateAfterKill(way: TestBackend, effect: string): string {
  const copy = mkdtempSync(join(tmpdir(), "portal-killed-"));
  cpSync(way.dataDir, copy, { recursive: true });
  const db = new Database(join(copy, "portal.db"));
  const used = db.prepare("select count(*) from codes where state = 'used'").pluck().get();
  const effects = db.prepare(effect).pluck().get();
  db.close();
  rmSync(copy, { recursive: true });
  if (used === 0 && effects === 0) return "neither";
  return used === 1 && effects === 1 ? "used with its effect" : JSON.stringify({ used, effects });
}
