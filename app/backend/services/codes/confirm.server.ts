import { type RawBuilder, sql } from "kysely";
import type { Purpose } from "~/contract/purposes";
import { done, type Outcome, type Refusal, refused } from "~/contract/refusal.server";
import { SECOND } from "~/platform/time.server";
import type { Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import { keyedHash, sameHash, tokenHash } from "../../secrets/keyring.server";
import type { Tx } from "../../store/store.server";
import {
  type CodeOwner,
  type RightCode,
  UsedMeanwhile,
  checkCode,
  isOpen,
  lockCode,
  ownerColumns,
  refusalOfClosed,
} from "./code-rows.server";

/** The fields of a confirm, in schema order. The same payload means the same confirm. */
export type Payload = Readonly<Record<string, string>>;

/**
 * Holds a right code during work that is too long for a transaction; `takeBackHold` ends the hold. It counts as a
 * refusal, so that at most five of fifty simultaneous confirms start the work. Returns false if the code is no longer
 * open or has no refusals left.
 */
export async function holdCode(tx: Tx, { limits }: Dependencies, code: RightCode): Promise<boolean> {
  const held = await tx
    .updateTable("codes")
    .set({ refusals: sql<number>`refusals + 1` })
    .where("id", "=", code.id)
    .where("state", "=", "open")
    .where("refusals", "<", limits.CODE_REFUSALS)
    .returning("id")
    .executeTakeFirst();
  return held !== undefined;
}

/** Ends a hold. Returns false if the code was used, replaced or blocked meanwhile, or has expired. */
export async function takeBackHold(tx: Tx, deps: Dependencies, code: RightCode): Promise<boolean> {
  const open = await tx
    .updateTable("codes")
    .set({ refusals: sql<number>`refusals - 1` })
    .where("id", "=", code.id)
    .where("state", "=", "open")
    .where("ends_at", ">", deps.clock())
    .returning("id")
    .executeTakeFirst();
  return open !== undefined;
}

/**
 * Uses up a right code, in the same transaction as its effect.
 * @throws Error if the code is no longer open, which undoes the effect
 */
export async function consumeCode(
  tx: Tx,
  deps: Dependencies,
  code: RightCode,
  payload: Payload,
): Promise<void> {
  const now = deps.clock();
  const mac = payloadMac(deps, code.keyVersion, code.purpose, payload);
  const used = await tx
    .updateTable("codes")
    .set({ state: "used", used_at: now, payload_mac: mac })
    .where("id", "=", code.id)
    .where("state", "=", "open")
    .where("ends_at", ">", now)
    .returning("id")
    .executeTakeFirst();
  if (!used) throw new Error("a code that was right is no longer open");
  await code.spend?.(tx);
}

/**
 * Finds the code that this browser has just used with the same payload: a doubled submit. The session doesn't matter:
 * both were sent with the same one, and the first submit has ended it.
 */
export async function findRepeatedUse(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  purpose: Purpose,
  payload: Payload,
): Promise<RightCode | undefined> {
  const since = deps.clock() - deps.limits.CONFIRM_REPEAT_SECONDS * SECOND;
  const codes = await tx
    .selectFrom("codes")
    .select(["id", "key_version", "subject", "payload_mac"])
    .where((eb) => eb.and({ browser_hash: tokenHash(caller.browser), purpose, state: "used" }))
    .where("used_at", ">", since)
    .execute();
  const used = codes.find(({ key_version, payload_mac }) => {
    const isKept = payload_mac !== null && deps.keyring.versions.includes(key_version);
    return isKept && sameHash(payload_mac, payloadMac(deps, key_version, purpose, payload));
  });
  return used && { id: used.id, keyVersion: used.key_version, purpose, subject: used.subject };
}

/** Keyed hash of a confirm's payload, which contains the code and often a password. */
export function payloadMac(
  { keyring }: Dependencies,
  version: number,
  purpose: Purpose,
  payload: Payload,
): string {
  return keyedHash(keyring, "code", version, ["payload", purpose, JSON.stringify(payload)]);
}

/**
 * The token that a confirm returns. It is derived, so that a repeat returns the same one although only hashes are
 * stored.
 */
export function tokenOfConfirm(
  { keyring }: Dependencies,
  caller: Caller,
  code: RightCode,
  kind: "session" | "trusted-device",
): string {
  return keyedHash(keyring, "token", code.keyVersion, [kind, code.id, caller.browser, code.purpose]);
}

/** Counts a right code that was refused for another reason. The fifth refusal blocks the code and returns 016. */
export async function refuseRightCode(
  tx: Tx,
  deps: Dependencies,
  code: RightCode,
  refusal: Refusal,
): Promise<Refusal> {
  const state = await countRefusal(tx, deps, sql<boolean>`id = ${code.id}`);
  return state === "open" ? refusal : refused("016");
}

/**
 * Counts a confirm with a payload that breaks a rule, whatever code it contains. The fifth blocks the browser's code
 * and returns 016.
 */
export async function refuseInvalidConfirm(
  tx: Tx,
  deps: Dependencies,
  owner: CodeOwner,
): Promise<Refusal | undefined> {
  const { browser_hash, subject, purpose } = ownerColumns(owner);
  const isOwners = sql<boolean>`browser_hash = ${browser_hash} and subject = ${subject} and purpose = ${purpose}`;
  const state = await countRefusal(tx, deps, isOwners);
  return state === "blocked" ? refused("016") : undefined;
}

async function countRefusal(tx: Tx, deps: Dependencies, whichCode: RawBuilder<boolean>) {
  const isLast = sql<boolean>`refusals + 1 >= ${deps.limits.CODE_REFUSALS}`;
  const counted = await tx
    .updateTable("codes")
    .set({
      refusals: sql<number>`refusals + 1`,
      state: sql<"open" | "blocked">`case when ${isLast} then 'blocked' else 'open' end`,
    })
    .where(whichCode)
    .where("state", "=", "open")
    .where("ends_at", ">", deps.clock())
    .returning("state")
    .executeTakeFirst();
  return counted?.state;
}

/** The customer a confirm is about. */
export interface CodeHolder {
  /** The subject that the code is kept under. */
  readonly subject: string;
  readonly accountId?: string | undefined;
  /** Whether the account knows the caller's browser. */
  readonly isKnownBrowser: boolean;
  /** Whether wrong codes by SMS count with those of the account's factors: whoever types them has its password. */
  readonly countsGuesses?: boolean;
}

/** A code, and the change it allows if it is right. `Work` is computed between the check and the change. */
export interface Confirm<Owner extends CodeHolder, Value, Work = undefined> {
  readonly purpose: Purpose;
  readonly code: string;
  readonly payload: Payload;
  /** Finds and locks the customer in this transaction, or says why the confirm is refused. */
  readonly findOwner: (tx: Tx) => Promise<Outcome<Owner>>;
  /** The change that a right code allows. It must refuse before it writes anything. */
  readonly effect: (tx: Tx, owner: Owner, code: RightCode, work: Work) => Promise<Outcome<Value>>;
  /** Compares a factor's code, instead of a code by SMS. */
  readonly compare?: ((tx: Tx, owner: Owner) => Promise<Outcome<RightCode>>) | undefined;
  /** Repeats the first answer if the same payload comes again within seconds of its success. */
  readonly repeat: (tx: Tx, code: RightCode) => Promise<Value>;
}

/** Confirms in one transaction: the code is used up together with its effect, or neither happens. */
export async function confirmAtOnce<Owner extends CodeHolder, Value>(
  deps: Dependencies,
  caller: Caller,
  confirm: Confirm<Owner, Value>,
): Promise<Outcome<Value>> {
  return deps.store.write(async (tx) => {
    const checked = await check(tx, deps, caller, confirm);
    if (checked.kind === "repeated") return done(checked.value);
    if (checked.kind !== "right") return checked;
    const { owner, code } = checked;
    return finishCode(tx, deps, confirm, code, await confirm.effect(tx, owner, code, undefined));
  });
}

/**
 * Confirms with work too long for a transaction (hashing) between the check and the effect. The code is held during the
 * work, then checked again and used up in the transaction of the effect.
 */
export async function confirmWithWork<Owner extends CodeHolder, Value, Work>(
  deps: Dependencies,
  caller: Caller,
  confirm: Confirm<Owner, Value, Work>,
  work: (owner: Owner) => Promise<Outcome<Work>>,
): Promise<Outcome<Value>> {
  const mac = payloadMac(deps, deps.keyring.current, confirm.purpose, confirm.payload);
  return deps.inFlightConfirms.join(`${caller.browser}|${mac}`, async () => {
    const checked = await deps.store.write(async (tx) => {
      const first = await check(tx, deps, caller, confirm);
      return first.kind !== "right" || (await holdCode(tx, deps, first.code)) ? first : refused("016");
    });
    if (checked.kind === "repeated") return done(checked.value);
    if (checked.kind !== "right") return checked;
    const { owner, code } = checked;
    const worked = await work(owner);
    try {
      return await deps.store.write((tx) => finish(tx, deps, caller, confirm, code, worked));
    } catch (error) {
      // Another browser has used the code during the work; nothing was written.
      if (error instanceof UsedMeanwhile) return refused("007");
      throw error;
    }
  });
}

type Checked<Owner, Value> =
  | { readonly kind: "right"; readonly owner: Owner; readonly code: RightCode }
  | { readonly kind: "repeated"; readonly value: Value }
  | Refusal;

async function check<Owner extends CodeHolder, Value, Work>(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  confirm: Confirm<Owner, Value, Work>,
): Promise<Checked<Owner, Value>> {
  const found = await confirm.findOwner(tx);
  if (found.kind === "done" && confirm.compare) {
    // A used time step or challenge is refused, so this comes first.
    const repeated = await findRepeatedUse(tx, deps, caller, confirm.purpose, confirm.payload);
    if (repeated) return { kind: "repeated", value: await confirm.repeat(tx, repeated) };
    const right = await confirm.compare(tx, found.value);
    return right.kind === "done" ? { kind: "right", owner: found.value, code: right.value } : right;
  }
  const code =
    found.kind === "done" ? await lockCode(tx, ownerOf(caller, confirm.purpose, found.value)) : undefined;
  if (found.kind === "done" && isOpen(code, deps.clock())) {
    const owner = ownerOf(caller, confirm.purpose, found.value);
    const right = await checkCode(tx, deps, caller, owner, confirm.code);
    return right.kind === "done" ? { kind: "right", owner: found.value, code: right.value } : right;
  }
  // The first of a doubled submit has used the code, so it isn't open. It may have held the locks until now.
  const repeated = await findRepeatedUse(tx, deps, caller, confirm.purpose, confirm.payload);
  if (repeated) return { kind: "repeated", value: await confirm.repeat(tx, repeated) };
  return found.kind === "done" ? refusalOfClosed(code) : found;
}

async function finish<Owner extends CodeHolder, Value, Work>(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  confirm: Confirm<Owner, Value, Work>,
  code: RightCode,
  worked: Outcome<Work>,
): Promise<Outcome<Value>> {
  const found = await confirm.findOwner(tx);
  if (found.kind !== "done") return found;
  if (!(await takeBackHold(tx, deps, code))) {
    const repeated = await findRepeatedUse(tx, deps, caller, confirm.purpose, confirm.payload);
    if (repeated) return done(await confirm.repeat(tx, repeated));
    const owner = ownerOf(caller, confirm.purpose, found.value);
    return refusalOfClosed(await lockCode(tx, owner));
  }
  const ended = worked.kind === "done" ? await confirm.effect(tx, found.value, code, worked.value) : worked;
  return finishCode(tx, deps, confirm, code, ended);
}

async function finishCode<Value>(
  tx: Tx,
  deps: Dependencies,
  { payload }: { readonly payload: Payload },
  code: RightCode,
  ended: Outcome<Value>,
): Promise<Outcome<Value>> {
  switch (ended.kind) {
    case "done":
      await consumeCode(tx, deps, code, payload);
      return ended;
    case "refused":
    case "invalid":
      return refuseRightCode(tx, deps, code, ended);
    default:
      return ended;
  }
}

function ownerOf({ browser }: Caller, purpose: Purpose, holder: CodeHolder) {
  const { subject, accountId, isKnownBrowser, countsGuesses = false } = holder;
  const guesser =
    countsGuesses && accountId !== undefined ? { accountId, browser, isKnownBrowser } : undefined;
  return { subject, accountId, purpose, browser, isKnownBrowser, guesser };
}
