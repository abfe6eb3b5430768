import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import { readCode } from "~/contract/rules";
import { done, type Outcome, refused } from "~/contract/refusal.server";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { seal } from "../secrets/keyring.server";
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
import { secretCell } from "./factors.server";
import { newSecret, otpauthUri, stepOfCode } from "./totp.server";

/** Prepares an authenticator app: makes its secret. A second one replaces the first. Refusal: 422 on `kind`. */
export async function prepareApp(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"appPrepare">,
  session: ActiveSession,
): Promise<Outcome<CallResponse<"appPrepare">>> {
  const { accountId, username } = session;
  const responseOf = ({ id, secret }: { readonly id: string; readonly secret: string }) => ({
    id,
    secret,
    uri: otpauthUri(deps.factors.issuer, username, secret),
  });
  return change(deps, caller, session, payload, {
    call: "appPrepare",
    effect: async (tx, { proofOptions: { factors } }) => {
      const atMaximum = refusalAtMaximum(deps, factors, "app");
      if (atMaximum) return atMaximum;
      const secret = newSecret();
      const seconds = deps.limits.FACTOR_PREPARED_SECONDS;
      const id = await keepPrepared(tx, deps, session, { kind: "app", secret, seconds });
      return done(responseOf({ id, secret }));
    },
    repeat: async (tx) => responseOf(await preparedNow(tx, deps, accountId, "app")),
  });
}

/**
 * Adds a prepared app, if it shows the right code. Refusals: 007; 010 if it was replaced, is too old, of another session,
 * or had five wrong codes.
 */
export async function confirmApp(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"appConfirm">,
  session: ActiveSession,
): Promise<Outcome<CallResponse<"appConfirm">>> {
  return deps.store.write(async (tx) => {
    const changing = await findChanging(tx, deps, caller, session);
    if (changing.kind !== "done") return changing;
    const prepared = await findPrepared(tx, session, "app", payload.id);
    if (!prepared) return refused("010");
    const now = deps.clock();
    const secret = preparedSecret(deps.keyring, prepared);
    // The step of the code that confirms it; that code can't be used again.
    const step = stepOfCode(secret, readCode(payload.code), now);
    const { accountId, proofOptions } = changing.value;
    const { factors } = proofOptions;
    if (prepared.used_at !== null) {
      const isRepeat = step !== undefined && isJustAdded(deps, prepared);
      return isRepeat ? done(recoveryOf(deps, caller, factors, prepared)) : refused("010");
    }
    if (!(await countPreparedTry(tx, deps, prepared, deps.limits.CODE_TRIES))) return refused("010");
    if (step === undefined) return refused("007");
    const atMaximum = refusalAtMaximum(deps, factors, "app");
    if (atMaximum) return atMaximum;
    const { id } = prepared;
    await tx
      .insertInto("factors")
      .values({
        id,
        account_id: accountId,
        kind: "app",
        name: payload.name ?? deps.factors.nameOf.app,
        added_at: now,
        last_used_at: null,
        secret_sealed: seal(deps.keyring, secretCell("factors", { accountId, kind: "app", id }), secret),
        last_step: step,
      })
      .execute();
    return done(await noteAdded(tx, deps, caller, changing.value, prepared));
  });
}
