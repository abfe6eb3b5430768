import { z } from "zod";
import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import type { FactorKind } from "~/contract/factors.server";
import { MOST_FACTOR_NAME } from "~/contract/rules";
import { done, NOT_FOUND, type Outcome, refused } from "~/contract/refusal.server";
import { SECOND } from "~/platform/time.server";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { newToken, sameHash, seal } from "../secrets/keyring.server";
import type { Tx } from "../store/store.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import {
  countPreparedTry,
  findPrepared,
  isJustAdded,
  keepPrepared,
  noteAdded,
  preparedNow,
  preparedSecret,
  recoveryOf,
  refusalAtMaximum,
} from "./adding.server";
import { change, findChanging } from "./change-factors.server";
import { type Factors, factorsOf } from "./factors.server";
import { descriptorOf, passkeyUser, publicKeyCell, userHandleOf } from "./passkeys.server";
import { type RelyingParty, relyingParty } from "./relying-party.server";
import { ALGORITHMS, checkNewPasskey, type MadePasskey } from "./webauthn.server";

const KIND: FactorKind = "passkey";
/** A challenge is used up even by a wrong answer. */
const ONE_TRY = 1;

/** The stored secret of a prepared passkey: its challenge, and the account's user handle. */
const prepared = z.object({ challenge: z.string(), userHandle: z.string() });

/** Prepares a passkey: says what a device needs to make one. A second one replaces the first. Refusal: 422 on `kind`. */
export async function preparePasskey(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"passkeyPrepare">,
  session: ActiveSession,
): Promise<Outcome<CallResponse<"passkeyPrepare">>> {
  const rp = relyingParty(deps, caller);
  if (!rp) return NOT_FOUND;
  const seconds = deps.limits.PASSKEY_CHALLENGE_SECONDS;
  const responseOf = (id: string, secret: string, factors: Factors) => ({
    id,
    options: creationOptions(deps, session, rp, factors, prepared.parse(JSON.parse(secret))),
  });
  return change(deps, caller, session, payload, {
    call: "passkeyPrepare",
    effect: async (tx, { proofOptions: { factors } }) => {
      const atMaximum = refusalAtMaximum(deps, factors, KIND);
      if (atMaximum) return atMaximum;
      const userHandle = (await userHandleOf(tx, factors)) ?? newToken();
      const secret = JSON.stringify({ challenge: newToken(), userHandle });
      const id = await keepPrepared(tx, deps, session, { kind: KIND, secret, seconds });
      return done(responseOf(id, secret, factors));
    },
    repeat: async (tx) => {
      const { id, secret } = await preparedNow(tx, deps, session.accountId, KIND);
      return responseOf(id, secret, await factorsOf(tx, session.accountId));
    },
  });
}

function creationOptions(
  { factors: { issuer }, limits }: Dependencies,
  { username }: ActiveSession,
  rp: RelyingParty,
  { passkeys }: Factors,
  { challenge, userHandle }: z.output<typeof prepared>,
): CallResponse<"passkeyPrepare">["options"] {
  return {
    challenge,
    rp: { id: rp.id, name: issuer },
    user: passkeyUser(userHandle, username),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: limits.PASSKEY_CHALLENGE_SECONDS * SECOND,
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    attestation: "none",
    // Only now can a browser say whether the passkey will sign in without a username.
    extensions: { credProps: true },
  };
}

/**
 * Adds a prepared passkey, if its device has signed the challenge. Refusals: 007, also if any account has it; 010 if
 * it was replaced, is too old, of another session, or was answered before.
 */
export async function confirmPasskey(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"passkeyConfirm">,
  session: ActiveSession,
): Promise<Outcome<CallResponse<"passkeyConfirm">>> {
  const rp = relyingParty(deps, caller);
  if (!rp) return NOT_FOUND;
  const made = await checkNewPasskey(payload.response, rp);
  return deps.store.write(async (tx) => {
    const changing = await findChanging(tx, deps, caller, session);
    if (changing.kind !== "done") return changing;
    const row = await findPrepared(tx, session, KIND, payload.id);
    if (!row) return refused("010");
    const { challenge, userHandle } = prepared.parse(JSON.parse(preparedSecret(deps.keyring, row)));
    const isRight = made !== undefined && sameHash(made.challenge, challenge);
    const { factors } = changing.value.proofOptions;
    if (row.used_at !== null) {
      const own = factors.passkeys.find(({ id }) => id === row.id);
      const isRepeat = isRight && own?.credential_id === made.credentialId && isJustAdded(deps, row);
      return isRepeat ? done(recoveryOf(deps, caller, factors, row)) : refused("010");
    }
    if (!(await countPreparedTry(tx, deps, row, ONE_TRY))) return refused("010");
    if (!isRight) return refused("007");
    const atMaximum = refusalAtMaximum(deps, factors, KIND);
    if (atMaximum) return atMaximum;
    const name = payload.name ?? nameOf(deps, caller);
    const passkey = { id: row.id, accountId: session.accountId, name, userHandle };
    if (!(await insertPasskey(tx, deps, made, passkey))) return refused("007");
    return done(await noteAdded(tx, deps, caller, changing.value, row));
  });
}

/** The default name of a passkey: the device on which it is added. */
function nameOf({ factors }: Dependencies, { deviceName }: Caller): string {
  const name = [...deviceName.replace(/\p{Cc}/gu, "").trim()].slice(0, MOST_FACTOR_NAME).join("");
  return name === "" ? factors.nameOf.passkey : name;
}

/** @returns false if an account has the passkey already */
async function insertPasskey(
  tx: Tx,
  { clock, keyring }: Dependencies,
  made: MadePasskey,
  { id, accountId, name, userHandle }: Readonly<Record<"id" | "accountId" | "name" | "userHandle", string>>,
): Promise<boolean> {
  const inserted = await tx
    .insertInto("passkeys")
    .values({
      id,
      account_id: accountId,
      name,
      added_at: clock(),
      last_used_at: null,
      credential_id: made.credentialId,
      user_handle: userHandle,
      public_key_sealed: seal(keyring, publicKeyCell({ account_id: accountId, id }), made.publicKey),
      counter: made.counter,
      user_verified: made.userVerified ? 1 : 0,
      transports: made.transports.join(","),
      discoverable: made.discoverable === null ? null : Number(made.discoverable),
      backup_eligible: Number(made.backupEligible),
      backed_up: Number(made.backedUp),
      aaguid: made.aaguid,
    })
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return false;
  await tx
    .updateTable("accounts")
    .set({ passkey_user_handle: userHandle })
    .where("id", "=", accountId)
    .execute();
  return true;
}
