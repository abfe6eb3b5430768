import type { CallName, CallResponse, ReadRequest } from "~/contract/calls.server";
import type { ActivityDetail } from "~/contract/customer-area.server";
import type { PasskeyAnswer, ProofMethod } from "~/contract/factors.server";
import { done, invalid, type Outcome, SIGNED_OUT } from "~/contract/refusal.server";
import { SECOND } from "~/platform/time.server";
import { audit, type Caller, type PlainEventName } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { newToken, tokenHash } from "../secrets/keyring.server";
import type { Tx } from "../store/store.server";
import { lockAccount } from "../customers/customers.server";
import { endOthers } from "../accounts/open-sessions.server";
import type { RightProof } from "../codes/compare.server";
import { confirmAtOnce } from "../codes/confirm.server";
import { type ChangeEvent, notify } from "../notices/notices.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import { presentedDevices } from "../sign-in/trusted-devices.server";
import {
  allFactors,
  deriveRecoveryCode,
  type Factors,
  factorsOf,
  keepRecoveryCode,
  type ProofOptions,
  proofOptionsOf,
} from "./factors.server";
import { makerOf } from "./passkey-makers.server";
import { type Passkey, passkeyUser, userHandleOf } from "./passkeys.server";
import { readProof, startProof } from "./proof.server";
import { offeredKinds, relyingParty } from "./relying-party.server";

/** The customer's factors, and the kinds that they may add. */
export async function listFactors(
  deps: Dependencies,
  caller: Caller,
  _payload: unknown,
  session: ActiveSession,
): Promise<Outcome<CallResponse<"factors">>> {
  const { accountId } = session;
  const factors = await factorsOf(deps.store.read, accountId);
  const { settings } = factors;
  const setAt = settings?.recovery_set_at;
  const freeUntil = withoutProofUntil(deps, session);
  return done({
    offered: [...offeredKinds(deps, caller)],
    factors: allFactors(factors).map((factor) => ({
      id: factor.id,
      kind: factor.kind,
      name: factor.name,
      addedAt: new Date(factor.added_at).toISOString(),
      lastUsedAt: factor.last_used_at === null ? null : new Date(factor.last_used_at).toISOString(),
      ...(factor.kind === "passkey" && aboutPasskey(factor)),
    })),
    recoveryCode:
      typeof setAt === "number"
        ? { setAt: new Date(setAt).toISOString(), kept: settings?.recovery_kept !== 0 }
        : null,
    sms: settings?.sms !== "off",
    passkeys: await passkeySignals(deps, caller, session, factors),
    ...(freeUntil > deps.clock() && { withoutProofUntil: new Date(freeUntil).toISOString() }),
  });
}

/** Facts known only from a passkey's registration. */
function aboutPasskey({ discoverable, aaguid }: Pick<Passkey, "discoverable" | "aaguid">) {
  const maker = makerOf(aaguid);
  return {
    discoverable: discoverable === null ? null : discoverable === 1,
    ...(maker !== undefined && { maker }),
  };
}

/**
 * Data for WebAuthn's signal API (accepted credentials, current user), so that browsers offer no removed passkey and no old
 * username. Undefined if the account never had a passkey.
 */
async function passkeySignals(
  deps: Dependencies,
  caller: Caller,
  { username }: ActiveSession,
  factors: Factors,
): Promise<CallResponse<"factors">["passkeys"]> {
  const rp = relyingParty(deps, caller);
  const userHandle = await userHandleOf(deps.store.read, factors);
  if (!rp || userHandle === undefined) return undefined;
  return {
    rpId: rp.id,
    user: passkeyUser(userHandle, username),
    credentialIds: factors.passkeys.map(({ credential_id }) => credential_id),
  };
}

/** Begins a change of factors. Refusals: as `startProof`. */
export async function startChange(
  deps: Dependencies,
  caller: Caller,
  { method, resend }: ReadRequest<"factorsInit">,
  session: ActiveSession,
): Promise<Outcome<CallResponse<"factorsInit">>> {
  return deps.store.write(async (tx) => {
    const account = await lockAccount(tx, session.accountId);
    return startProof(tx, deps, caller, session, account, { purpose: "factors", method, resend });
  });
}

/** An account that changes its factors. */
export interface Changing {
  readonly subject: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly isKnownBrowser: boolean;
  readonly proofOptions: ProofOptions;
}

/** Locks the account, and looks up its factors. */
export async function findChanging(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, customerId, isKnownBrowser }: ActiveSession,
): Promise<Outcome<Changing>> {
  const account = await lockAccount(tx, accountId);
  if (!account) return SIGNED_OUT;
  const proofOptions = await proofOptionsOf(tx, deps, caller, account, "factors");
  return done({ subject: accountId, accountId, customerId, isKnownBrowser, proofOptions });
}

/** The proof of a change, as its call has it. */
interface ChangeProof {
  readonly authorizationCode?: string | undefined;
  readonly response?: PasskeyAnswer | undefined;
  readonly method?: ProofMethod | undefined;
}

/** A change of factors. It must refuse before it writes anything; the proof then stays good. */
interface Change<Value> {
  /** Locks what must be locked before the account. */
  readonly lockFirst?: (tx: Tx) => Promise<unknown>;
  /** The same proof with the same fields repeats only the same call. */
  readonly call: CallName;
  readonly effect: (tx: Tx, changing: Changing, proof: RightProof) => Promise<Outcome<Value>>;
  readonly repeat: (tx: Tx, proof: RightProof) => Promise<Value>;
}

/** Makes a change with a proof; shortly after a sign-in by a recovery code without one. */
export async function change<Value>(
  deps: Dependencies,
  caller: Caller,
  session: ActiveSession,
  payload: ChangeProof & Readonly<Record<string, unknown>>,
  { call, lockFirst, effect, repeat }: Change<Value>,
): Promise<Outcome<Value>> {
  const { authorizationCode: code, response, method = "sms" } = payload;
  const findOwner = async (tx: Tx) => {
    await lockFirst?.(tx);
    return findChanging(tx, deps, caller, session);
  };
  if ((method === "passkey" ? response : code) === undefined) {
    if (deps.clock() >= withoutProofUntil(deps, session))
      return invalid(method === "passkey" ? "response" : "authorizationCode");
    return deps.store.write(async (tx) => {
      const changing = await findOwner(tx);
      if (changing.kind !== "done") return changing;
      return effect(tx, changing.value, withoutProof(deps, session));
    });
  }
  return confirmAtOnce<Changing, Value>(deps, caller, {
    purpose: "factors",
    proof: await readProof(deps, caller, session.accountId, { method, code, response }),
    payload: { call, ...payload },
    findOwner,
    effect,
    repeat,
  });
}

/** Until when a session that a recovery code opened needs no proof (ms since 1970); 0 in every other one. */
function withoutProofUntil({ limits }: Dependencies, { recoveredAt }: ActiveSession): number {
  return recoveredAt === undefined ? 0 : recoveredAt + limits.FACTOR_RECOVERY_SECONDS * SECOND;
}

/** Stands for the proof of a change that needs none. */
function withoutProof({ keyring }: Dependencies, { accountId }: ActiveSession): RightProof {
  return { id: newToken(), keyVersion: keyring.current, purpose: "factors", subject: accountId };
}

/** Returns a new recovery code; the old code stops working. Refusal: 422 on `kind` without any factor. */
export async function replaceRecoveryCode(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"newRecoveryCode">,
  session: ActiveSession,
): Promise<Outcome<CallResponse<"newRecoveryCode">>> {
  const hasProof = payload.authorizationCode !== undefined || payload.response !== undefined;
  // Without a proof, a double submit must give the same code twice, so it comes from the session.
  const codeFrom = ({ id, keyVersion }: RightProof) => ({
    recoveryCode: deriveRecoveryCode(deps.keyring, keyVersion, [
      hasProof ? id : session.sessionId,
      caller.browser,
    ]),
  });
  return change(deps, caller, session, payload, {
    call: "newRecoveryCode",
    effect: async (tx, { accountId, customerId, proofOptions: { factors } }, code) => {
      if (factors.settings === null) return invalid("kind");
      const given = codeFrom(code);
      await keepRecoveryCode(tx, deps, accountId, given.recoveryCode);
      await tell(tx, deps, caller, { event: "recovery-code-new", accountId, customerId });
      return done(given);
    },
    repeat: (_tx, code) => Promise.resolve(codeFrom(code)),
  });
}

/** Records that the customer has written their recovery code down. */
export async function keptRecoveryCode(
  { store }: Dependencies,
  _caller: Caller,
  _payload: unknown,
  { accountId }: ActiveSession,
): Promise<Outcome<undefined>> {
  await store.write((tx) =>
    tx.updateTable("factor_settings").set({ recovery_kept: 1 }).where("account_id", "=", accountId).execute(),
  );
  return done(undefined);
}

/** Says whether codes by SMS confirm sign-ins and changes. Refusal: 422 on `on` without a factor and a recovery code. */
export async function switchSms(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"smsAtSignIn">,
  session: ActiveSession,
): Promise<Outcome<undefined>> {
  return change(deps, caller, session, payload, {
    call: "smsAtSignIn",
    effect: async (tx, { accountId, customerId, proofOptions: { factors } }) => {
      const { settings } = factors;
      const mayBeOff = allFactors(factors).length > 0 && typeof settings?.recovery_sealed === "string";
      if (!payload.on && !mayBeOff) return invalid("on");
      const sms = payload.on ? "on" : "off";
      if ((settings?.sms ?? "on") === sms) return done(undefined);
      await tx.updateTable("factor_settings").set({ sms }).where("account_id", "=", accountId).execute();
      if (!payload.on) await endElsewhere(tx, deps, caller, session);
      await tell(tx, deps, caller, { event: "sms-at-sign-in", accountId, customerId, detail: sms });
      return done(undefined);
    },
    repeat: () => Promise.resolve(undefined),
  });
}

/** Removes a factor, and ends all trusted devices. Refusal: 422 on `id` if it isn't one of the customer's. */
export async function removeFactor(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"removeFactor">,
  session: ActiveSession,
): Promise<Outcome<undefined>> {
  return change(deps, caller, session, payload, {
    call: "removeFactor",
    effect: async (tx, { accountId, customerId, proofOptions: { factors } }) => {
      const all = allFactors(factors);
      const own = all.find(({ id }) => id === payload.id);
      if (!own) return invalid("id");
      await tx
        .deleteFrom(own.kind === "app" ? "factors" : "passkeys")
        .where("id", "=", own.id)
        .execute();
      if (all.length === 1) await forgetFactors(tx, accountId);
      await tx.deleteFrom("trusted_devices").where("account_id", "=", accountId).execute();
      const passkey = factors.passkeys.find(({ id }) => id === own.id);
      // Its device may offer it on: a sign-in finds it by this.
      const subject = passkey && tokenHash(passkey.credential_id);
      await tell(tx, deps, caller, { event: "factor-removed", accountId, customerId, subject });
      return done(undefined);
    },
    repeat: () => Promise.resolve(undefined),
  });
}

/** Removes all factors, the recovery code and the setting of SMS at sign-in. */
export async function forgetFactors(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom("factors").where("account_id", "=", accountId).execute();
  await tx.deleteFrom("passkeys").where("account_id", "=", accountId).execute();
  await tx.deleteFrom("passkey_challenges").where("account_id", "=", accountId).execute();
  await tx.deleteFrom("prepared_factors").where("account_id", "=", accountId).execute();
  await tx.deleteFrom("factor_settings").where("account_id", "=", accountId).execute();
  await tx.updateTable("accounts").set({ has_factors: 0 }).where("id", "=", accountId).execute();
}

/** Ends every other session, and every trusted device except this browser (S156). */
export async function endElsewhere(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  session: Pick<ActiveSession, "accountId" | "sessionId">,
): Promise<void> {
  const { accountId } = session;
  await endOthers(tx, deps, caller, session);
  const here = await presentedDevices(tx, caller, deps.clock());
  const all = tx.deleteFrom("trusted_devices").where("account_id", "=", accountId);
  await here.reduce((others, { id }) => others.where("id", "<>", id), all).execute();
}

interface FactorChange {
  readonly event: ChangeEvent & PlainEventName;
  readonly accountId: string;
  readonly customerId: string;
  readonly detail?: ActivityDetail;
  readonly subject?: string | undefined;
}

/** Writes the event, and tells the customer by SMS. The audit keeps the detail as the reason. */
export async function tell(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, subject, ...change }: FactorChange,
): Promise<void> {
  const { event, detail } = change;
  await audit(tx, caller, deps.clock(), { event, accountId, subject, reason: detail });
  await notify(tx, deps, caller, change);
}
