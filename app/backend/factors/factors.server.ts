import { createHash } from "node:crypto";
import { type FactorKind, METHODS, type Method } from "~/contract/factors.server";
import type { Purpose } from "~/contract/purposes";
import { readRecoveryCode, RECOVERY_CHARACTERS } from "~/contract/rules";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { toBase32 } from "../secrets/base32.server";
import { type Cell, keyedHash, type Keyring, open, sameHash, seal } from "../secrets/keyring.server";
import type { Reader, Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import type { LockedAccount } from "../customers/customers.server";
import { type RelyingParty, relyingParty } from "./relying-party.server";

/** The second factors of an account, and how its sign-ins are confirmed. */
export interface Factors {
  readonly accountId: string;
  readonly apps: readonly Tables["factors"][];
  readonly passkeys: readonly Tables["passkeys"][];
  /** Null without any factor. */
  readonly settings: Tables["factor_settings"] | null;
}

/** Looks up the factors of an account. */
export async function factorsOf(reader: Reader, accountId: string): Promise<Factors> {
  const settings = await reader
    .selectFrom("factor_settings")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!settings) return noFactors(accountId);
  const apps = await reader
    .selectFrom("factors")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("added_at")
    .orderBy("id")
    .execute();
  const passkeys = await reader
    .selectFrom("passkeys")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("added_at")
    .orderBy("id")
    .execute();
  return { accountId, apps, passkeys, settings };
}

/** The factors for staff, without secrets, keys and recovery code: the help desk's database role can't read these. */
export async function shownFactorsOf(reader: Reader, accountId: string) {
  const settings = await reader
    .selectFrom("factor_settings")
    .select(["sms", "recovery_set_at"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const apps = await reader
    .selectFrom("factors")
    .select(["kind", "added_at", "last_used_at"])
    .where("account_id", "=", accountId)
    .orderBy("added_at")
    .orderBy("id")
    .execute();
  const passkeys = await reader
    .selectFrom("passkeys")
    .select(["added_at", "last_used_at", "discoverable", "backed_up", "aaguid"])
    .where("account_id", "=", accountId)
    .orderBy("added_at")
    .orderBy("id")
    .execute();
  return { apps, passkeys, settings };
}

/** The factors of an account without any. */
function noFactors(accountId: string): Factors {
  return { accountId, apps: [], passkeys: [], settings: null };
}

/** All factors of an account, in the order in which they were added. */
export function allFactors<App extends { added_at: number }, Passkey extends { added_at: number }>({
  apps,
  passkeys,
}: {
  readonly apps: readonly App[];
  readonly passkeys: readonly Passkey[];
}) {
  const all = [...apps, ...passkeys.map((passkey) => ({ ...passkey, kind: "passkey" as const }))];
  return all.toSorted((one, other) => one.added_at - other.added_at);
}

/** An account's factors, and its methods of proof. Without any factor nothing but an SMS confirms. */
export interface ProofOptions {
  readonly factors: Factors;
  readonly methods: readonly Method[];
}

/** The only method without a session. */
export const SMS_ONLY: ProofOptions = { factors: noFactors(""), methods: ["sms"] };

/** The methods with which an account can confirm something now. Its row is locked. */
export async function proofOptionsOf(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, hasFactors }: Pick<LockedAccount, "accountId" | "hasFactors">,
  purpose: Purpose,
): Promise<ProofOptions> {
  const factors = hasFactors ? await factorsOf(tx, accountId) : noFactors(accountId);
  const rp = relyingParty(deps, caller);
  return {
    factors,
    methods: purpose === "factors" ? changeMethods(factors, rp) : signInMethods(factors, rp),
  };
}

/**
 * The methods to confirm a sign-in of this account, the last used method first (contract: factors). After a password
 * reset SMS is excluded until another method has confirmed a sign-in: otherwise a phone alone would open the account.
 * @param rp undefined where browsers allow no passkeys
 */
function signInMethods(
  { apps, passkeys, settings }: Factors,
  rp: RelyingParty | undefined,
): readonly Method[] {
  if (settings === null) return ["sms"];
  const usable: Record<Method, boolean> = {
    app: apps.length > 0,
    passkey: passkeys.length > 0 && rp !== undefined,
    recovery: settings.recovery_sealed !== null,
    sms: settings.sms === "on" && settings.reset_at === null,
  };
  const last = settings.last_method;
  return METHODS.toSorted((one, other) => Number(other === last) - Number(one === last)).filter(
    (method) => usable[method],
  );
}

/** The methods to confirm a change of factors. @param rp undefined where browsers allow no passkeys */
function changeMethods(
  { apps, passkeys, settings }: Factors,
  rp: RelyingParty | undefined,
): readonly Method[] {
  if (settings === null) return ["sms"];
  return [
    ...(apps.length > 0 ? (["app"] as const) : []),
    ...(passkeys.length > 0 && rp ? (["passkey"] as const) : []),
    ...(settings.sms === "on" ? (["sms"] as const) : []),
  ];
}

/** Where a factor's secret is stored: moved to another account, kind or row, it doesn't open. */
export function secretCell(
  table: "factors" | "prepared_factors",
  { accountId, kind, id }: { readonly accountId: string; readonly kind: FactorKind; readonly id: string },
): Cell {
  return { table, column: "secret_sealed", row: `${accountId}|${kind}|${id}` };
}

/** The secret of an app. */
export function secretOf(keyring: Keyring, app: Tables["factors"]): string {
  const cell = secretCell("factors", { accountId: app.account_id, kind: app.kind, id: app.id });
  return open(keyring, cell, app.secret_sealed);
}

/** The secret of an app under the current key (S84). */
export function rewrapSecret(keyring: Keyring, app: Tables["factors"]): string {
  const cell = secretCell("factors", { accountId: app.account_id, kind: app.kind, id: app.id });
  return seal(keyring, cell, open(keyring, cell, app.secret_sealed));
}

/** The hash of a recovery code under the current key (S84). */
export function rewrapRecovery(keyring: Keyring, accountId: string, kept: string): string {
  return seal(keyring, recoveryCell(accountId), open(keyring, recoveryCell(accountId), kept));
}

/** Where the hash of an account's recovery code is stored. */
function recoveryCell(accountId: string): Cell {
  return { table: "factor_settings", column: "recovery_sealed", row: accountId };
}

/** The random bytes of a recovery code: 120 bits. */
const RECOVERY_BYTES = 15;

/**
 * A recovery code, in groups of four. It is derived, so that a repeated confirm gives the same one although only its
 * hash is stored.
 * @param from values that occur once: the id of a code or of a prepared factor, and the browser
 */
export function deriveRecoveryCode(keyring: Keyring, version: number, from: readonly string[]): string {
  const hash = keyedHash(keyring, "token", version, ["recovery-code", ...from]);
  const code = toBase32(Buffer.from(hash, "base64url").subarray(0, RECOVERY_BYTES));
  return (code.slice(0, RECOVERY_CHARACTERS).match(/.{4}/g) ?? []).join("-");
}

/** The code is random, so a plain hash is enough; sealing it lets it move to another key. */
function hashOf(code: string): string {
  return createHash("sha256").update(readRecoveryCode(code)).digest("base64url");
}

/** Stores the hash of an account's new recovery code, as not yet saved by the customer. The old code stops working. */
export async function keepRecoveryCode(
  tx: Tx,
  { keyring, clock }: Dependencies,
  accountId: string,
  code: string,
): Promise<void> {
  await tx
    .updateTable("factor_settings")
    .set({
      recovery_sealed: seal(keyring, recoveryCell(accountId), hashOf(code)),
      recovery_set_at: clock(),
      recovery_kept: 0,
    })
    .where("account_id", "=", accountId)
    .execute();
}

/** Whether this is the account's recovery code. */
export function isTheirRecoveryCode(
  keyring: Keyring,
  { accountId, settings }: Factors,
  typed: string,
): boolean {
  const sealed = settings?.recovery_sealed;
  return (
    typeof sealed === "string" && sameHash(open(keyring, recoveryCell(accountId), sealed), hashOf(typed))
  );
}

/** Remembers the method that confirmed a sign-in. Any method but SMS ends the restriction after a password reset. */
export async function noteSignIn(tx: Tx, accountId: string, method: Method): Promise<void> {
  await tx
    .updateTable("factor_settings")
    .set({
      ...(method !== "recovery" && { last_method: method }),
      ...(method !== "sms" && { reset_at: null }),
    })
    .where("account_id", "=", accountId)
    .execute();
}

/** Remembers that the password was reset without a session. */
export async function noteReset(tx: Tx, accountId: string, now: number): Promise<void> {
  await tx
    .updateTable("factor_settings")
    .set({ reset_at: now })
    .where("account_id", "=", accountId)
    .execute();
}
