import { type RawBuilder, sql } from "kysely";
import type { Purpose } from "~/contract/purposes";
import { done, type Outcome, type Refusal, refused } from "~/contract/refusal.server";
import { SECOND } from "~/platform/time.server";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { keyedHash, sameHash, tokenHash } from "../secrets/keyring.server";
import type { Tx } from "../store/store.server";
import { SMS_ONLY, type ProofOptions } from "../factors/factors.server";
import { type CodeOwner, lockCode, ownerColumns, refusalOfClosed } from "./code-rows.server";
import {
  compareProof,
  type GivenProof,
  isStillRight,
  refusalOfProof,
  type RightProof,
  useUp,
} from "./compare.server";
import type { Prover } from "./tries.server";

/** The fields of a confirm, in schema order. The same payload means the same confirm. */
type Payload = Readonly<Record<string, unknown>>;

/**
 * Holds a right code during work that is too long for a transaction; `takeBackHold` ends the hold. The hold counts as a
 * refusal, so that at most five of fifty simultaneous confirms start the work. Returns false if the code is no longer
 * open or has no refusals left.
 */
async function holdCode(tx: Tx, { limits }: Dependencies, code: RightProof): Promise<boolean> {
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
async function takeBackHold(tx: Tx, deps: Dependencies, code: RightProof): Promise<boolean> {
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
 * Uses up a right proof, in the same transaction as its effect.
 * @throws Error if the code is no longer open, which undoes the effect
 */
async function consumeCode(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  proof: RightProof,
  payload: Payload,
): Promise<void> {
  const now = deps.clock();
  const mac = payloadMac(deps, proof.keyVersion, proof.purpose, payload);
  const used = await tx
    .updateTable("codes")
    .set({ state: "used", used_at: now, payload_mac: mac })
    .where("id", "=", proof.id)
    .where("state", "=", "open")
    .where("ends_at", ">", now)
    .returning("id")
    .executeTakeFirst();
  if (!used) throw new Error("a code that was right is no longer open");
  await useUp(tx, deps, caller, proof);
}

/**
 * Recognises a double submit: finds the code that this browser has just used with the same payload. The session isn't
 * checked, because the first submit may have replaced it.
 */
async function findRepeatedUse(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  purpose: Purpose,
  payload: Payload,
): Promise<RightProof | undefined> {
  const since = deps.clock() - deps.limits.CONFIRM_REPEAT_SECONDS * SECOND;
  const codes = await tx
    .selectFrom("codes")
    .select(["id", "key_version", "subject", "payload_mac"])
    .where((eb) => eb.and({ browser_hash: tokenHash(caller.browser), purpose, state: "used" }))
    .where("used_at", ">", since)
    .execute();
  const usedCode = codes.find(({ key_version, payload_mac }) => {
    const canBeCompared = payload_mac !== null && deps.keyring.versions.includes(key_version);
    return canBeCompared && sameHash(payload_mac, payloadMac(deps, key_version, purpose, payload));
  });
  return (
    usedCode && { id: usedCode.id, keyVersion: usedCode.key_version, purpose, subject: usedCode.subject }
  );
}

/** Keyed hash of a confirm's payload, which contains the code and often a password. */
function payloadMac({ keyring }: Dependencies, version: number, purpose: Purpose, payload: Payload): string {
  const texts = Object.entries(payload)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, typeof value === "string" ? value : JSON.stringify(value)]);
  return keyedHash(keyring, "code", version, ["payload", purpose, JSON.stringify(Object.fromEntries(texts))]);
}

/**
 * The token that a confirm returns. The token is derived from the code, so that a double submit gets the same token,
 * although the database keeps only hashes.
 */
export function tokenOfConfirm(
  { keyring }: Dependencies,
  caller: Caller,
  code: RightProof,
  kind: "session" | "trusted-device",
): string {
  return keyedHash(keyring, "token", code.keyVersion, [kind, code.id, caller.browser, code.purpose]);
}

/** Counts a refusal of a confirm whose code was right. The fifth refusal blocks the code and returns 016. */
async function refuseRightProof(
  tx: Tx,
  deps: Dependencies,
  code: RightProof,
  refusal: Refusal,
): Promise<Refusal> {
  const state = await countRefusal(tx, deps, sql<boolean>`id = ${code.id}`);
  return state === "open" ? refusal : refused("016");
}

/**
 * Counts a confirm with a payload that breaks a rule as a refusal, even if its code is right. The fifth refusal blocks
 * the browser's code and returns 016.
 */
export async function refuseInvalidConfirm(
  tx: Tx,
  deps: Dependencies,
  owner: CodeOwner,
): Promise<Refusal | undefined> {
  const { browser_hash, subject, purpose } = ownerColumns(owner);
  const isCodeOfOwner = sql<boolean>`browser_hash = ${browser_hash} and subject = ${subject} and purpose = ${purpose}`;
  const state = await countRefusal(tx, deps, isCodeOfOwner);
  return state === "blocked" ? refused("016") : undefined;
}

/** Counts a refusal of the code, if it is open. Returns the code's new state; undefined if it was not open. */
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

/** The customer whose code a confirm contains. */
export interface CodeHolder {
  /** The subject of the code's row in `codes`. */
  readonly subject: string;
  readonly accountId?: string | undefined;
  /** Whether the account knows the caller's browser. */
  readonly isKnownBrowser: boolean;
  /** The account's methods of proof, if the customer has a session. Default: only SMS. */
  readonly proofOptions?: ProofOptions | undefined;
}

/** A proof, and the change that a right proof allows. `Work` is the result of work between the check and the change. */
export interface Confirm<Owner extends CodeHolder, Value, Work = undefined> {
  readonly purpose: Purpose;
  readonly proof: GivenProof;
  readonly payload: Payload;
  /** Finds and locks the customer in this transaction, or returns the refusal. */
  readonly findOwner: (tx: Tx) => Promise<Outcome<Owner>>;
  /** The change that a right proof allows. It must refuse before it writes anything. */
  readonly effect: (tx: Tx, owner: Owner, proof: RightProof, work: Work) => Promise<Outcome<Value>>;
  /** Makes the answer to a double submit: the same as the first answer. */
  readonly repeat: (tx: Tx, proof: RightProof) => Promise<Value>;
}

/** Confirms in one transaction: the proof is used up together with its effect, or neither happens. */
export async function confirmAtOnce<Owner extends CodeHolder, Value>(
  deps: Dependencies,
  caller: Caller,
  confirm: Confirm<Owner, Value>,
): Promise<Outcome<Value>> {
  return deps.store.write(async (tx) => {
    const checked = await check(tx, deps, caller, confirm);
    if (checked.kind !== "right") return checked;
    const { owner, proof } = checked;
    const ended = await confirm.effect(tx, owner, proof, undefined);
    return useOrRefuse(tx, deps, caller, confirm, proof, ended);
  });
}

/**
 * Confirms with work too long for a transaction (hashing) between the check and the effect. The proof is held during the
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
      return first.kind !== "right" || (await holdCode(tx, deps, first.proof)) ? first : refused("016");
    });
    if (checked.kind !== "right") return checked;
    const { owner, proof } = checked;
    const worked = await work(owner);
    return deps.store.write((tx) => afterWork(tx, deps, caller, confirm, proof, worked));
  });
}

/** A right proof and its owner; or else the confirm's final answer: to a double submit, or a refusal. */
type Checked<Owner, Value> =
  | { readonly kind: "right"; readonly owner: Owner; readonly proof: RightProof }
  | Outcome<Value>;

/** Compares the proof with the owner's code or factor, after looking for a double submit. */
async function check<Owner extends CodeHolder, Value, Work>(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  confirm: Confirm<Owner, Value, Work>,
): Promise<Checked<Owner, Value>> {
  const { purpose, payload } = confirm;
  const found = await confirm.findOwner(tx);
  const row = found.kind === "done" ? await lockCode(tx, proverOf(caller, purpose, found.value)) : undefined;
  if (row?.state !== "open") {
    // The first request of a double submit may have used the code up, while this request waited for its locks.
    const repeated = await findRepeatedUse(tx, deps, caller, purpose, payload);
    if (repeated) return done(await confirm.repeat(tx, repeated));
  }
  if (found.kind !== "done") return found;
  const prover = proverOf(caller, purpose, found.value);
  const compared = await compareProof(tx, deps, caller, prover, row, confirm.proof);
  return compared.kind === "done" ? { kind: "right", owner: found.value, proof: compared.value } : compared;
}

/** Checks the held proof again, then makes the change or refuses. */
async function afterWork<Owner extends CodeHolder, Value, Work>(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  confirm: Confirm<Owner, Value, Work>,
  proof: RightProof,
  worked: Outcome<Work>,
): Promise<Outcome<Value>> {
  const { purpose, payload } = confirm;
  const found = await confirm.findOwner(tx);
  if (found.kind !== "done") return found;
  const { proofOptions = SMS_ONLY } = found.value;
  const unusable = refusalOfProof(proofOptions, confirm.proof);
  if (unusable) return unusable;
  if (!(await takeBackHold(tx, deps, proof))) {
    const repeated = await findRepeatedUse(tx, deps, caller, purpose, payload);
    if (repeated) return done(await confirm.repeat(tx, repeated));
    return refusalOfClosed(await lockCode(tx, proverOf(caller, purpose, found.value)));
  }
  if (worked.kind !== "done") return useOrRefuse(tx, deps, caller, confirm, proof, worked);
  // Another browser may have used the app's code, the passkey or the recovery code during the work.
  const ended = isStillRight(deps, proofOptions, proof)
    ? await confirm.effect(tx, found.value, proof, worked.value)
    : refused("007");
  return useOrRefuse(tx, deps, caller, confirm, proof, ended);
}

/** Uses up a right proof if the effect has been made; counts a refusal if the effect was refused. */
async function useOrRefuse<Value>(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { payload }: { readonly payload: Payload },
  proof: RightProof,
  ended: Outcome<Value>,
): Promise<Outcome<Value>> {
  switch (ended.kind) {
    case "done":
      await consumeCode(tx, deps, caller, proof, payload);
      return ended;
    case "refused":
    case "invalid":
      return refuseRightProof(tx, deps, proof, ended);
    default:
      return ended;
  }
}

function proverOf({ browser }: Caller, purpose: Purpose, holder: CodeHolder): Prover {
  const { subject, accountId, isKnownBrowser, proofOptions = SMS_ONLY } = holder;
  return { subject, accountId, purpose, browser, isKnownBrowser, proofOptions };
}
