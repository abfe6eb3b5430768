import { randomBytes, randomUUID } from "node:crypto";
import type { PasskeyAnswer, RequestOptions } from "~/contract/factors.server";
import { SECOND } from "~/platform/time.server";
import type { Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import {
  type Cell,
  keyedHash,
  type Keyring,
  open,
  sameHash,
  seal,
  tokenHash,
} from "../../secrets/keyring.server";
import type { Tx } from "../../store/store.server";
import type { Tables } from "../../store/tables.server";
import { type CodeOwner, ownerColumns } from "../codes/code-rows.server";
import type { RelyingParty } from "./relying-party.server";
import { challengeIn, checkPasskeyAnswer, knownTransports, type SignedAnswer } from "./webauthn.server";

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

/** What a passkey says, checked before the transaction that compares its challenge. */
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
  const passkey = await deps.store.read
    .selectFrom("passkeys")
    .selectAll()
    .where("credential_id", "=", answer.id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!passkey || !rp) return { challenge, right: undefined };
  const known = {
    credentialId: passkey.credential_id,
    publicKey: open(deps.keyring, publicKeyCell(passkey), passkey.public_key_sealed),
    userHandle: passkey.user_handle,
  };
  const signed = await checkPasskeyAnswer(answer, known, rp);
  return { challenge, right: signed && { ...signed, passkeyId: passkey.id } };
}

const NONCE_BYTES = 32;

/**
 * Draws a challenge for this browser, account and purpose, and returns what to ask a passkey for. It replaces an earlier
 * one. A challenge carries a hash of whose it is: one that has been used, replaced or deleted is still known as ours.
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

/** Whether an answer is to the challenge that stands, to one that stood before, or to somebody else's. */
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

/** Ends every challenge that a browser was asked for an account, whatever it was to confirm. */
export async function forgetChallenges(tx: Tx, accountId: string, browser: string): Promise<void> {
  await tx
    .deleteFrom("passkey_challenges")
    .where("account_id", "=", accountId)
    .where("browser_hash", "=", tokenHash(browser))
    .execute();
}

/** Notes that a passkey was used. A counter that runs back may mean a copied key; operators find it in the log. */
export async function usePasskey(
  tx: Tx,
  { clock, log }: Dependencies,
  { requestId }: Pick<Caller, "requestId">,
  { id, account_id, counter: before }: Passkey,
  { counter, userVerified }: SignedAnswer,
): Promise<void> {
  if ((before > 0 || counter > 0) && counter <= before)
    log.warn({ event: "passkey-counter-back", accountId: account_id, requestId }, "passkey counter ran back");
  await tx
    .updateTable("passkeys")
    .set({ last_used_at: clock(), counter, user_verified: userVerified ? 1 : 0 })
    .where("id", "=", id)
    .execute();
}
