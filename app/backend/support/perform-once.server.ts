import { createHash } from "node:crypto";
import type { StaffSource } from "../audit/audit-event.server";
import { lastEvents } from "../audit/find-events.server";
import { lockCustomer, lockState } from "../customers/customers.server";
import type { NoticeDependencies } from "../notices/notices.server";
import type { Reader, Store, Tx } from "../store/store.server";
import type { CustomerIds, SupportDependencies } from "./account-state.server";
import { type ActName, actOf, type Counts, isGrave } from "./acts.server";
import { type AccountOverview, readOverview } from "./overview.server";

/** A member of staff asks for an act on the state of a customer that they saw. */
export interface ActRequest {
  readonly act: ActName;
  readonly customer: CustomerIds;
  /** A hash of the state that the person saw (`CustomerToActOn`). */
  readonly seen: string;
  /** The last event of this act that they could see; undefined if a double submit needs no check. */
  readonly lastEvent?: string | undefined;
  readonly source: StaffSource;
  /** Whether the steps of a grave act were taken: a fresh sign-on, or a second person. */
  readonly isGrave: boolean;
  /** A further precondition, checked in the act's transaction. */
  readonly precondition?: (tx: Tx) => Promise<boolean>;
}

/**
 * Why an act was not performed. `already`: the same person has performed it since they saw the page. `changed`: the
 * customer has changed since. `precondition`: it failed.
 */
type Conflict = "already" | "changed" | "precondition";

/** The outcome of a request. */
export type RequestOutcome =
  | { readonly kind: "done"; readonly counts: Counts }
  | { readonly kind: "nothing" | Conflict };

/** Thrown to roll the act's transaction back. */
class ConflictError extends Error {
  readonly conflict: Conflict;

  constructor(conflict: Conflict) {
    super(conflict);
    this.conflict = conflict;
  }
}

/**
 * Performs an act as its command does, in the same transaction. Before it, that transaction locks the customer, and
 * checks whether another request has come first: of fifty at once, one acts.
 */
export async function performOnce(
  deps: SupportDependencies & NoticeDependencies,
  request: ActRequest,
): Promise<RequestOutcome> {
  const { act, customer, source } = request;
  const store = withPrecheck(deps.store, (tx) => refuseConflict(tx, deps, request));
  try {
    const outcome = await actOf(act).run({ ...deps, store }, { ...customer, source }, {});
    return outcome.kind === "done" ? outcome : { kind: "nothing" };
  } catch (error) {
    if (error instanceof ConflictError) return { kind: error.conflict };
    throw error;
  }
}

/** A store whose transactions begin with a check. */
function withPrecheck(store: Store, check: (tx: Tx) => Promise<void>): Store {
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

async function refuseConflict(tx: Tx, deps: SupportDependencies, request: ActRequest): Promise<void> {
  const { act, customer, seen, lastEvent, source } = request;
  const locked = await lockAndRead(tx, deps, customer);
  const last = await lastEventOf(tx, act, customer);
  const isOwn = last?.operator === source.act.operator;
  if (lastEvent !== undefined && isOwn && last.id !== lastEvent) throw new ConflictError("already");
  // Before the state: the act of another request has changed it.
  if (request.precondition && !(await request.precondition(tx))) throw new ConflictError("precondition");
  const state = typeof locked === "string" ? undefined : locked.state;
  if (locked === "gone" || seenIn(locked) !== seen || isGrave(act, state) !== request.isGrave)
    throw new ConflictError("changed");
}

/** The last event that only this act has left on an account. */
async function lastEventOf(reader: Reader, act: ActName, { customerId, accountId }: CustomerIds) {
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
  deps: SupportDependencies,
  { customerId, accountId }: CustomerIds,
): Promise<Locked> {
  if (!(await lockCustomer(tx, customerId))) return "gone";
  const account = accountId === undefined ? undefined : await lockState(tx, accountId);
  return account ? readOverview(tx, deps, account, 0) : "no account";
}

/**
 * A hash of what only the customer, the insurer or its staff can change. Attempts and sessions aren't in it: a stranger
 * who keeps trying must not be able to keep the help desk from acting.
 */
export function seenIn(locked: Locked): string {
  if (typeof locked === "string") return locked;
  const { state, username, phone, newPhone, factors } = locked;
  const seen = [state, username, phone, newPhone?.phone, newPhone?.from, factors];
  // The last use of a factor changes with each sign-in.
  const text = JSON.stringify(seen, (key, value: unknown) => (key === "lastUsedAt" ? undefined : value));
  return createHash("sha256").update(text).digest("base64url");
}

/** A customer on whom a member of staff is about to act. */
export interface CustomerToActOn {
  /** Undefined without an account. */
  readonly overview: AccountOverview | undefined;
  /** For `ActRequest`. */
  readonly seen: string;
  readonly lastEvent: string | undefined;
}

/** Reads the state that a page shows before an act. */
export function readToAct(
  deps: SupportDependencies,
  act: ActName,
  customer: CustomerIds,
): Promise<CustomerToActOn> {
  return deps.store.write(async (tx) => {
    const locked = await lockAndRead(tx, deps, customer);
    const overview = typeof locked === "string" ? undefined : locked;
    const lastEvent = (await lastEventOf(tx, act, customer))?.id;
    return { overview, seen: seenIn(locked), lastEvent };
  });
}
