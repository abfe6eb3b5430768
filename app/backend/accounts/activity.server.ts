import type { CallResponse } from "~/contract/calls.server";
import { type ActivityEvent, detailOf, SIGN_IN_WAYS } from "~/contract/customer-area.server";
import { DAY } from "~/platform/time.server";
import { done, type Outcome } from "~/contract/refusal.server";
import type { AuditEventName, Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { tokenHash } from "../secrets/keyring.server";
import type { Reader } from "../store/store.server";
import type { ActiveSession } from "../sign-in/sessions.server";

/** Events that need a right password, code or cookie, or a support act. */
const OWN: Partial<Record<AuditEventName, ActivityEvent>> = {
  "signed-in": "signed-in",
  "password-changed": "password-changed",
  "password-reset": "password-reset",
  "username-changed": "username-changed",
  "document-password-set": "document-password-changed",
  "device-trusted": "device-trusted",
  "devices-forgotten": "device-removed",
  "device-replayed": "device-removed",
  "factor-added": "factor-added",
  "factor-removed": "factor-removed",
  "factors-reset": "factor-removed",
  "recovery-code-used": "recovery-code-used",
  "recovery-code-new": "recovery-code-new",
  "sms-at-sign-in": "sms-at-sign-in",
  "factor-guessed": "factor-guessed",
};

/** Events that strangers can cause. */
const REFUSED: Partial<Record<AuditEventName, ActivityEvent>> = {
  "password-wrong": "sign-in-refused",
  "sign-in-refused-by-state": "sign-in-refused",
  "sign-in-locked": "locked",
};

/** Events that a stranger in the account can cause without end. */
const DOWNLOADED: typeof OWN = { "document-downloaded": "document-downloaded" };

/**
 * At most this share of the events shown may be refusals, and as many downloads, so that strangers can't push the other
 * events off the list.
 */
const SHARE_OF_OTHERS = 0.4;

interface Recent {
  readonly accountId: string;
  /** In ms since 1970. */
  readonly since: number;
  readonly most: number;
}

function lastEvents(reader: Reader, which: typeof OWN, { accountId, since, most }: Recent) {
  return reader
    .selectFrom("audit_events")
    .select(["id", "happened_at", "event", "subject", "device_name", "address", "reason", "operator"])
    .where("account_id", "=", accountId)
    .where("happened_at", ">", since)
    .where("event", "in", Object.keys(which))
    .orderBy("happened_at", "desc")
    .orderBy("id", "desc")
    .limit(most)
    .execute();
}

/** The account's last events, newest first (contract: customer area). */
export async function activity(
  { store, limits, clock }: Dependencies,
  caller: Caller,
  _payload: unknown,
  { accountId }: ActiveSession,
): Promise<Outcome<CallResponse<"activity">>> {
  const recent = { accountId, since: clock() - limits.ACTIVITY_DAYS * DAY, most: limits.ACTIVITY_EVENTS };
  const few = { ...recent, most: Math.floor(recent.most * SHARE_OF_OTHERS) };
  const found = await Promise.all([
    lastEvents(store.read, OWN, recent),
    lastEvents(store.read, REFUSED, few),
    lastEvents(store.read, DOWNLOADED, few),
  ]);
  const newest = found
    .flat()
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, recent.most);
  return done({
    events: newest.map(({ event, happened_at, subject, device_name, address, reason, operator }) => {
      const detail = detailOf(event, reason);
      const isSameDevice = device_name === caller.deviceName && address === caller.address;
      const way = event === "signed-in" ? SIGN_IN_WAYS.find((known) => known === reason) : undefined;
      return {
        at: new Date(happened_at).toISOString(),
        event: { ...OWN, ...REFUSED, ...DOWNLOADED }[event as AuditEventName],
        // Of staff, the device is no device of the customer.
        deviceName: operator === null ? device_name : "",
        sameDevice: isSameDevice,
        // Neither earlier releases nor staff say which browser it was; only staff surely had another. A removal has the
        // hash of a passkey instead of the browser's.
        ...((subject !== null || operator !== null) && {
          here:
            subject === tokenHash(caller.browser) ||
            (event === "factor-removed" && operator === null && isSameDevice),
        }),
        ...(way && { way }),
        ...(detail && { detail }),
      };
    }),
  });
}

/** The last sign-in before this moment (ms), with this browser if one is named, if activity still goes back that far. */
export async function lastSignInBefore(
  reader: Reader,
  { limits, clock }: Pick<Dependencies, "limits" | "clock">,
  accountId: string,
  before: number,
  browser?: string,
): Promise<CallResponse<"profile">["lastSignIn"]> {
  const since = clock() - limits.ACTIVITY_DAYS * DAY;
  const row = await reader
    .selectFrom("audit_events")
    .select(["happened_at", "device_name"])
    .where("account_id", "=", accountId)
    .where("event", "=", "signed-in")
    .where("happened_at", "<", before)
    .where("happened_at", ">", since)
    .$if(browser !== undefined, (query) => query.where("subject", "=", tokenHash(browser ?? "")))
    .orderBy("happened_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { at: new Date(row.happened_at).toISOString(), deviceName: row.device_name };
}
