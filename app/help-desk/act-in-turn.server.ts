import { createHash } from "node:crypto";
import type { StaffSource } from "~/backend/audit/audit-event.server";
import { lockCustomer, lockState } from "~/backend/customers/customers.server";
import { lastEvents } from "~/backend/audit/find-events.server";
import type { Reader, Store, Tx } from "~/backend/store/store.server";
import { queuedNotices } from "~/backend/notices/queued-notices.server";
import { noticeTexts } from "~/i18n/sms-texts.server";
import type { Policyholder } from "~/backend/support/account-state.server";
import { type ActName, actOf, type Counts, isGrave } from "~/backend/support/acts.server";
import { type AccountOverview, readOverview } from "~/backend/support/overview.server";
import type { HelpDesk } from "./screen";

/** A press of an act's button. */
export interface Press {
  readonly act: ActName;
  readonly customer: Policyholder;
  /** A hash of the state that the person saw. */
  readonly seen: string;
  /** The last event of this act that they could see; undefined if a second press needs no look. */
  readonly lastEvent?: string | undefined;
  readonly source: StaffSource;
  /** Whether all was asked that a grave act takes. */
  readonly isGrave: boolean;
  /** More that must hold in the act's transaction; false stops it. */
  readonly also?: (tx: Tx) => Promise<boolean>;
}

/** What became of a press. */
export type Pressed =
  | { readonly kind: "done"; readonly counts: Counts }
  | { readonly kind: "nothing" }
  /** The same person has done it since. */
  | { readonly kind: "already" }
  /** The customer is no longer as the person saw them. */
  | { readonly kind: "changed" }
  /** `also` did not hold. */
  | { readonly kind: "stopped" };

/** Thrown to roll the act's transaction back. */
class NotNow extends Error {
  readonly kind: "already" | "changed" | "stopped";

  constructor(kind: NotNow["kind"]) {
    super(kind);
    this.kind = kind;
  }
}

/**
 * Does an act as its command does, in the same transaction. Before it, that transaction locks the customer, and looks
 * whether another press has come first: of fifty at once, one acts.
 */
export async function doInTurn(desk: HelpDesk, press: Press): Promise<Pressed> {
  const { act, customer, source } = press;
  const store = checkedFirst(desk.store, (tx) => refuseOvertaken(tx, desk, press));
  const notices = queuedNotices(desk.keyring, desk.settings, noticeTexts);
  const deps = { ...notices, keyring: desk.keyring, limits: desk.limits, clock: desk.clock, store };
  try {
    const became = await actOf(act).run(deps, { ...customer, source }, {});
    return became.kind === "done" ? became : { kind: "nothing" };
  } catch (error) {
    if (error instanceof NotNow) return { kind: error.kind };
    throw error;
  }
}

/** A store whose transactions begin with a check. */
function checkedFirst(store: Store, check: (tx: Tx) => Promise<void>): Store {
  return {
    read: store.read,
    write: (work) =>
      store.write(async (tx) => {
        await check(tx);
        return work(tx);
      }),
    check: () => store.check(),
    close: () => store.close(),
  };
}

async function refuseOvertaken(tx: Tx, desk: HelpDesk, press: Press): Promise<void> {
  const { act, customer, seen, lastEvent, source } = press;
  const locked = await lockAndRead(tx, desk, customer);
  const last = await lastEventOf(tx, act, customer);
  const isOwn = last?.operator === source.act.operator;
  if (lastEvent !== undefined && isOwn && last.id !== lastEvent) throw new NotNow("already");
  // Before the state: the act of another press has changed it.
  if (press.also && !(await press.also(tx))) throw new NotNow("stopped");
  const state = typeof locked === "string" ? undefined : locked.state;
  if (locked === "gone" || seenIn(locked) !== seen || isGrave(act, state) !== press.isGrave)
    throw new NotNow("changed");
}

/** The last event that only this act has left on an account. */
export async function lastEventOf(reader: Reader, act: ActName, { customerId, accountId }: Policyholder) {
  const { event } = actOf(act);
  if (event === undefined) return undefined;
  const whose = accountId === undefined ? { subjects: [customerId] } : { accountId };
  return (await lastEvents(reader, { ...whose, events: [event] }, 1)).at(0);
}

/** A customer's account as it is now. */
type Locked = AccountOverview | "no account" | "gone";

/** Locks a customer and reads their account. The customer before the account, as an erasure does. */
export async function lockAndRead(
  tx: Tx,
  desk: HelpDesk,
  { customerId, accountId }: Policyholder,
): Promise<Locked> {
  if (!(await lockCustomer(tx, customerId))) return "gone";
  const account = accountId === undefined ? undefined : await lockState(tx, accountId);
  return account ? readOverview(tx, desk, account, 0) : "no account";
}

/**
 * A hash of what only the customer, the insurer or its staff can change. Tries and sessions aren't in it: a stranger who
 * keeps trying must not be able to keep the help desk from acting.
 */
export function seenIn(locked: Locked): string {
  if (typeof locked === "string") return locked;
  const { state, username, phone, newPhone, factors } = locked;
  const seen = [state, username, phone, newPhone?.phone, newPhone?.from, factors];
  // The last use of a factor changes with each sign-in.
  const text = JSON.stringify(seen, (key, value: unknown) => (key === "lastUsedAt" ? undefined : value));
  return createHash("sha256").update(text).digest("base64url");
}
