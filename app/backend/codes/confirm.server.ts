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
 * Holds a right code during work that is too long for a transaction; `takeBackHold` ends the hold. It counts as a
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
 * Finds the code that this browser has just used with the same payload: a double submit. The session isn't checked, because
 * the first submit has already replaced it.
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
  const used = codes.find(({ key_version, payload_mac }) => {
    const isKept = payload_mac !== null && deps.keyring.versions.includes(key_version);
    return isKept && sameHash(payload_mac, payloadMac(deps, key_version, purpose, payload));
  });
  return used && { id: used.id, keyVersion: used.key_version, purpose, subject: used.subject };
}

/** Keyed hash of a confirm's payload, which contains the code and often a password. */
function payloadMac({ keyring }: Dependencies, version: number, purpose: Purpose, payload: Payload): string {
  const texts = Object.entries(payload)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, typeof value === "string" ? value : JSON.stringify(value)]);
  return keyedHash(keyring, "code", version, ["payload", purpose, JSON.stringify(Object.fromEntries(texts))]);
}

/**
 * The token that a confirm returns. It is derived, so that a repeat returns the same one although only hashes are
 * stored.
 */
export function tokenOfConfirm(
  { keyring }: Dependencies,
  caller: Caller,
  code: RightProof,
  kind: "session" | "trusted-device",
): string {
  return keyedHash(keyring, "token", code.keyVersion, [kind, code.id, caller.browser, code.purpose]);
}

/** Counts a right code that was refused for another reason. The fifth refusal blocks the code and returns 016. */
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
  /** The account's methods of proof, in a session; without a session there is only SMS. */
  readonly proofOptions?: ProofOptions | undefined;
}

/** A proof, and the change it allows if it is right. `Work` is computed between the check and the change. */
export interface Confirm<Owner extends CodeHolder, Value, Work = undefined> {
  readonly purpose: Purpose;
  readonly proof: GivenProof;
  readonly payload: Payload;
  /** Finds and locks the customer in this transaction, or says why the confirm is refused. */
  readonly findOwner: (tx: Tx) => Promise<Outcome<Owner>>;
  /** The change that a right proof allows. It must refuse before it writes anything. */
  readonly effect: (tx: Tx, owner: Owner, proof: RightProof, work: Work) => Promise<Outcome<Value>>;
  /** Repeats the first answer if the same payload comes again within seconds of its success. */
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

/** A right proof; or the answer already, to a repeated confirm or a refused one. */
type Checked<Owner, Value> =
  | { readonly kind: "right"; readonly owner: Owner; readonly proof: RightProof }
  | Outcome<Value>;

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
    // The first of a double submit may have used it up. It may have held the locks until now.
    const repeated = await findRepeatedUse(tx, deps, caller, purpose, payload);
    if (repeated) return done(await confirm.repeat(tx, repeated));
  }
  if (found.kind !== "done") return found;
  const prover = proverOf(caller, purpose, found.value);
  const compared = await compareProof(tx, deps, caller, prover, row, confirm.proof);
  return compared.kind === "done" ? { kind: "right", owner: found.value, proof: compared.value } : compared;
}

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
  // Another browser may have used it during the work.
  const ended = isStillRight(deps, proofOptions, proof)
    ? await confirm.effect(tx, found.value, proof, worked.value)
    : refused("007");
  return useOrRefuse(tx, deps, caller, confirm, proof, ended);
}

/** Uses a right proof up with its effect; counts it if the effect was refused. */
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
