import { randomBytes, randomUUID } from "node:crypto";
import type { PasskeyAnswer, RequestOptions } from "~/contract/factors.server";
import { SECOND } from "~/platform/time.server";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import {
  type Cell,
  keyedHash,
  type Keyring,
  open,
  sameHash,
  seal,
  tokenHash,
} from "../secrets/keyring.server";
import type { Reader, Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import { type CodeOwner, ownerColumns } from "../codes/code-rows.server";
import type { Factors } from "./factors.server";
import type { RelyingParty } from "./relying-party.server";
import {
  challengeIn,
  checkPasskeyAnswer,
  knownTransports,
  type KnownPasskey,
  type SignedAnswer,
} from "./webauthn.server";

/** A passkey's row. */
export type Passkey = Tables["passkeys"];

/** Where a passkey's key is stored: moved to another account or row, it doesn't open. */
export function publicKeyCell({ account_id, id }: Pick<Passkey, "account_id" | "id">): Cell {
  return { table: "passkeys", column: "public_key_sealed", row: `${account_id}|${id}` };
}

/** The key of a passkey under the current key (S84). */
export function rewrapPublicKey(keyring: Keyring, passkey: Passkey): string {
  const cell = publicKeyCell(passkey);
  return seal(keyring, cell, open(keyring, cell, passkey.public_key_sealed));
}

/** A passkey as the options of a browser name it. */
export function descriptorOf({ credential_id, transports }: Passkey) {
  return {
    id: credential_id,
    type: "public-key" as const,
    transports: [...knownTransports(transports.split(","))],
  };
}

/**
 * What an account's passkeys call it; undefined if it never had one. It outlives the last one: a device replaces a passkey
 * of the same handle, and can be signalled that none is left.
 */
export async function userHandleOf(
  reader: Reader,
  { accountId, passkeys: [passkey] }: Pick<Factors, "accountId" | "passkeys">,
): Promise<string | undefined> {
  if (passkey) return passkey.user_handle;
  const account = await reader
    .selectFrom("accounts")
    .select("passkey_user_handle")
    .where("id", "=", accountId)
    .executeTakeFirst();
  return account?.passkey_user_handle ?? undefined;
}

/** The account as its passkeys name it to the customer. */
export function passkeyUser(userHandle: string, username: string) {
  return { id: userHandle, name: username, displayName: username };
}

/** A passkey's assertion, checked before the transaction that compares its challenge. */
export interface CheckedAnswer {
  readonly challenge: string | undefined;
  /** Undefined if the answer is wrong, or of no passkey of the account. */
  readonly right: (SignedAnswer & { readonly passkeyId: string }) | undefined;
}

/** Checks everything about an answer but its challenge, which only a transaction can use up. */
export async function checkAnswer(
  deps: Dependencies,
  rp: RelyingParty | undefined,
  accountId: string,
  answer: PasskeyAnswer,
): Promise<CheckedAnswer> {
  const challenge = await challengeIn(answer);
  const passkey = await findPasskey(deps.store.read, answer.id);
  if (passkey?.account_id !== accountId || !rp) return { challenge, right: undefined };
  const signed = await checkPasskeyAnswer(answer, asKnown(deps, passkey), rp);
  return { challenge, right: signed && { ...signed, passkeyId: passkey.id } };
}

function asKnown({ keyring }: Dependencies, passkey: Passkey): KnownPasskey {
  return {
    credentialId: passkey.credential_id,
    publicKey: open(keyring, publicKeyCell(passkey), passkey.public_key_sealed),
    userHandle: passkey.user_handle,
  };
}

/** The passkey with this credential id, of any account. */
export function findPasskey(reader: Reader, credentialId: string): Promise<Passkey | undefined> {
  return reader
    .selectFrom("passkeys")
    .selectAll()
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
}

/**
 * Whether a passkey was removed here or never was. Not one that a restore took away: its device would delete it for good.
 */
export async function isUnknown(tx: Tx, credentialId: string): Promise<boolean> {
  const events = tx.selectFrom("audit_events").select("id");
  const isOf = { event: "factor-removed", subject: tokenHash(credentialId) } as const;
  if (await events.where((eb) => eb.and(isOf)).executeTakeFirst()) return true;
  const restores = events.where("account_id", "is", null).where("event", "=", "database-restored");
  return (await restores.executeTakeFirst()) === undefined;
}

/** A passkey that signs in, and its assertion; undefined if that is wrong. */
export interface SigningIn {
  readonly passkey: Passkey;
  readonly signed: SignedAnswer | undefined;
}

/** The key of the test vector none.ES256 (W3C, WebAuthn Level 3). */
const DECOY_KEY =
  "pQECAyYgASFYIK_voW-XypstI-uGzLZAmNINuQhWBi6yScM6m2cvJt9hIlggkwpWuHovymYzSwNFir-HlxfBLMaO1zKQry4mZHlrkiA";

/**
 * Finds the passkey that signs in, and checks everything but the challenge. Undefined if no account has it; then a decoy's
 * key is compared, so that the answer takes as long. The account must be named by the passkey's own handle, and the device
 * must have asked who uses it.
 */
export async function checkSignIn(
  deps: Dependencies,
  rp: RelyingParty,
  answer: PasskeyAnswer,
): Promise<SigningIn | undefined> {
  const { userHandle } = answer.response;
  const passkey = await findPasskey(deps.store.read, answer.id);
  const decoy = { credentialId: answer.id, publicKey: DECOY_KEY, userHandle: userHandle ?? "" };
  const signed = await checkPasskeyAnswer(answer, passkey ? asKnown(deps, passkey) : decoy, rp);
  if (!passkey) return undefined;
  return { passkey, signed: userHandle && signed?.userVerified ? signed : undefined };
}

const NONCE_BYTES = 32;

/**
 * Draws a challenge for this browser, account and purpose, and returns what to ask a passkey for. It replaces an earlier
 * one. A challenge carries a hash of its owner, so a used, replaced or deleted challenge is still recognised as ours.
 */
export async function askPasskeys(
  tx: Tx,
  deps: Dependencies,
  owner: CodeOwner,
  { id: rpId }: RelyingParty,
  passkeys: readonly Passkey[],
): Promise<RequestOptions> {
  const { clock, keyring, limits } = deps;
  const nonce = randomBytes(NONCE_BYTES);
  const mac = Buffer.from(macOf(keyring, keyring.current, owner, nonce), "base64url");
  const challenge = Buffer.concat([nonce, mac]).toString("base64url");
  const { subject, ...columns } = ownerColumns(owner);
  const values = {
    id: randomUUID(),
    challenge,
    ends_at: clock() + limits.PASSKEY_CHALLENGE_SECONDS * SECOND,
  };
  await tx
    .insertInto("passkey_challenges")
    .values({ ...columns, account_id: subject, ...values })
    .onConflict((conflict) => conflict.columns(["browser_hash", "account_id", "purpose"]).doUpdateSet(values))
    .execute();
  return {
    challenge,
    rpId,
    timeout: limits.PASSKEY_CHALLENGE_SECONDS * SECOND,
    allowCredentials: passkeys.map(descriptorOf),
    userVerification: "preferred",
  };
}

function macOf(keyring: Keyring, version: number, owner: CodeOwner, nonce: Buffer): string {
  const { browser_hash, subject, purpose } = ownerColumns(owner);
  const parts = ["passkey-challenge", browser_hash, subject, purpose, nonce.toString("base64url")];
  return keyedHash(keyring, "token", version, parts);
}

/** Whether an answer is to the current challenge, to an earlier one, or to another browser's or account's. */
export type Challenged = "valid" | "over" | "foreign";

/** Compares the challenge of an answer. */
export async function compareChallenge(
  tx: Tx,
  { clock, keyring }: Dependencies,
  owner: CodeOwner,
  challenge = "",
): Promise<Challenged> {
  const row = await challengeOf(tx, owner).executeTakeFirst();
  if (row && sameHash(row.challenge, challenge)) return row.ends_at > clock() ? "valid" : "over";
  const bytes = Buffer.from(challenge, "base64url");
  const [nonce, mac] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES).toString("base64url")];
  const isOurs = keyring.versions.some((version) => sameHash(macOf(keyring, version, owner, nonce), mac));
  return isOurs ? "over" : "foreign";
}

function challengeOf(tx: Tx, owner: CodeOwner) {
  const { browser_hash, subject, purpose } = ownerColumns(owner);
  return tx
    .selectFrom("passkey_challenges")
    .select(["id", "challenge", "ends_at"])
    .where((eb) => eb.and({ browser_hash, account_id: subject, purpose }));
}

/** Uses up the challenge of an owner, if there is one. */
export async function consumeChallenge(tx: Tx, owner: CodeOwner): Promise<void> {
  const { browser_hash, subject, purpose } = ownerColumns(owner);
  await tx
    .deleteFrom("passkey_challenges")
    .where((eb) => eb.and({ browser_hash, account_id: subject, purpose }))
    .execute();
}

/** Ends every challenge for an account in a browser, for all purposes. */
export async function forgetChallenges(tx: Tx, accountId: string, browser: string): Promise<void> {
  await tx
    .deleteFrom("passkey_challenges")
    .where("account_id", "=", accountId)
    .where("browser_hash", "=", tokenHash(browser))
    .execute();
}

/**
 * Notes that a passkey was used. A counter that runs back may mean a copied key; operators find it in the log.
 * @param found whether its device has found it without its id: then it is discoverable
 */
export async function usePasskey(
  tx: Tx,
  { clock, log }: Dependencies,
  { requestId }: Pick<Caller, "requestId">,
  { id, account_id, counter: before }: Passkey,
  { counter, userVerified, backedUp }: SignedAnswer,
  found = false,
): Promise<void> {
  if ((before > 0 || counter > 0) && counter <= before)
    log.warn({ event: "passkey-counter-back", accountId: account_id, requestId }, "passkey counter ran back");
  await tx
    .updateTable("passkeys")
    .set({
      last_used_at: clock(),
      counter,
      user_verified: userVerified ? 1 : 0,
      backed_up: backedUp ? 1 : 0,
      ...(found && { discoverable: 1 }),
    })
    .where("id", "=", id)
    .execute();
}
