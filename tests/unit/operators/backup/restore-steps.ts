import { Browser } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { BY_EWA } from "../../../operator-command";
import type { TestBackend } from "../../backend/test-backend";
import { WAITING_SMS } from "../../../waiting";

/** The tables that a restore empties. */
const ENDED = [
  "prepared_factors",
  "sessions",
  "trusted_devices",
  "known_browsers",
  "login_passes",
  "codes",
  "passkey_challenges",
  "passkey_sign_ins",
  "outbox",
  "staff_requests",
  "announcements",
];

/** The number of rows in each table that a restore empties. */
export async function goingOn(way: TestBackend): Promise<Record<string, unknown>> {
  const counts = [...ENDED, WAITING_SMS].map(async (table) => {
    const [row] = await way.query(`select count(*) as rows from ${table}`);
    return [table, Number(row?.["rows"])] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/** Signs Anna in on a trusted device, and has a reset code sent that stays unused. */
export async function trustedAnna(way: TestBackend): Promise<Browser> {
  const browser = new Browser(way);
  await browser.signIn(ANNA, "Y");
  await new Browser(way).post(`/home/api/user/${ANNA.username}/password-reset/init`);
  return browser;
}

/** The events of restores. */
export const restoredEvents = (way: TestBackend) =>
  way.query("select account_id, operator, reason from audit_events where event = ?", "database-restored");
/** These events after one restore with `ACT`. */
export const AUDITED = [{ account_id: null, ...BY_EWA }];
