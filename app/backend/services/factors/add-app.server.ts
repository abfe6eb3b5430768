import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import { readCode } from "~/contract/rules";
import { done, NOT_FOUND, type Outcome, refused } from "~/contract/refusal.server";
import { SECOND } from "~/platform/time.server";
import { type Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import { open, seal } from "../../secrets/keyring.server";
import type { Tx } from "../../store/store.server";
import type { Tables } from "../../store/tables.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import {
  deriveRecoveryCode,
  type Factors,
  isTheirRecoveryCode,
  keepRecoveryCode,
  secretCell,
} from "./factors.server";
import { change, type Changing, endOtherDevices, findChanging, invalid, tell } from "./change-factors.server";
import { newSecret, otpauthUri, stepOfCode } from "./totp.server";

/** Prepares an authenticator app: makes its secret. A second one replaces the first. Refusal: 422 on `kind`. */
export async function prepareApp(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"appPrepare">,
  session: ActiveSession,
): Promise<Outcome<CallResponse<"appPrepare">>> {
  if (!deps.factors.offered.includes("app")) return NOT_FOUND;
  const { accountId, username } = session;
  return change(deps, caller, session, payload, {
    call: "appPrepare",
    effect: async (tx, { factors }) => {
      if (hasMost(deps, factors)) return invalid("kind");
      const id = randomUUID();
      const secret = newSecret();
      const values = {
        id,
        session_id: session.sessionId,
        secret_sealed: seal(
          deps.keyring,
          secretCell("prepared_factors", { accountId, kind: "app", id }),
          secret,
        ),
        tries: 0,
        ends_at: deps.clock() + deps.limits.FACTOR_PREPARED_SECONDS * SECOND,
        used_at: null,
      };
      await tx
        .insertInto("prepared_factors")
        .values({ account_id: accountId, kind: "app", ...values })
        .onConflict((conflict) => conflict.columns(["account_id", "kind"]).doUpdateSet(values))
        .execute();
      return done({ id, secret, uri: otpauthUri(deps.factors.issuer, username, secret) });
    },
    repeat: async (tx) => {
      const { id, secret } = await preparedNow(tx, deps, accountId);
      return { id, secret, uri: otpauthUri(deps.factors.issuer, username, secret) };
    },
  });
}

function hasMost({ limits }: Dependencies, { apps }: Factors): boolean {
  return apps.length >= limits.FACTORS_APPS;
}

/** What the first of a doubled submit has prepared. @throws Error if it is gone meanwhile */
async function preparedNow(
  tx: Tx,
  { keyring }: Dependencies,
  accountId: string,
): Promise<{ id: string; secret: string }> {
  const row = await tx
    .selectFrom("prepared_factors")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("kind", "=", "app")
    .executeTakeFirst();
  if (!row) throw new Error("what a repeated confirm has prepared is gone");
  return { id: row.id, secret: preparedSecret(keyring, row) };
}

function preparedSecret(keyring: Dependencies["keyring"], row: Tables["prepared_factors"]): string {
  const cell = secretCell("prepared_factors", { accountId: row.account_id, kind: row.kind, id: row.id });
  return open(keyring, cell, row.secret_sealed);
}

/**
 * Adds a prepared app, if it shows the right code. The first factor of an account comes with a recovery code. The other
 * trusted devices end. Refusals: 007; 010 if it was replaced, is too old, of another session, or had five wrong codes.
 */
export async function confirmApp(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"appConfirm">,
  session: ActiveSession,
): Promise<Outcome<CallResponse<"appConfirm">>> {
  return deps.store.write(async (tx) => {
    const changing = await findChanging(tx, session);
    if (changing.kind !== "done") return changing;
    const prepared = await prepareRow(tx, session, payload.id);
    if (!prepared) return refused("010");
    const now = deps.clock();
    const secret = preparedSecret(deps.keyring, prepared);
    const step = stepOfCode(secret, readCode(payload.code), now);
    if (prepared.used_at !== null) {
      const isRepeat =
        step !== undefined && prepared.used_at > now - deps.limits.CONFIRM_REPEAT_SECONDS * SECOND;
      return isRepeat ? done(recoveryOf(deps, caller, changing.value.factors, prepared.id)) : refused("010");
    }
    if (!(await countPreparedTry(tx, deps, prepared.id))) return refused("010");
    if (step === undefined) return refused("007");
    if (hasMost(deps, changing.value.factors)) return invalid("kind");
    await tx.updateTable("prepared_factors").set({ used_at: now }).where("id", "=", prepared.id).execute();
    return done(await add(tx, deps, caller, changing.value, { prepared, secret, step, name: payload.name }));
  });
}

function prepareRow(tx: Tx, { accountId, sessionId }: ActiveSession, id: string) {
  return tx
    .selectFrom("prepared_factors")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
}

/** Counts a try before it is compared. Returns false if there is none left, or the time is over. */
async function countPreparedTry(tx: Tx, { clock, limits }: Dependencies, id: string): Promise<boolean> {
  const counted = await tx
    .updateTable("prepared_factors")
    .set({ tries: sql<number>`tries + 1` })
    .where("id", "=", id)
    .where("tries", "<", limits.CODE_TRIES)
    .where("ends_at", ">", clock())
    .returning("id")
    .executeTakeFirst();
  return counted !== undefined;
}

/** An app whose code was right. */
interface NewApp {
  readonly prepared: Tables["prepared_factors"];
  readonly secret: string;
  /** The step of the code that confirmed it; that code can't be used again. */
  readonly step: number;
  readonly name: string | undefined;
}

async function add(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, customerId, factors }: Changing,
  { prepared: { id, kind }, secret, step, name }: NewApp,
): Promise<CallResponse<"appConfirm">> {
  const now = deps.clock();
  await tx
    .insertInto("factors")
    .values({
      id,
      account_id: accountId,
      kind,
      name: name ?? deps.factors.nameOf[kind],
      added_at: now,
      last_used_at: null,
      secret_sealed: seal(deps.keyring, secretCell("factors", { accountId, kind, id }), secret),
      last_step: step,
    })
    .execute();
  await tx
    .insertInto("factor_settings")
    .values({ ...NO_SETTINGS, account_id: accountId, last_method: kind })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ last_method: kind }))
    .execute();
  await tx.updateTable("accounts").set({ has_factors: 1 }).where("id", "=", accountId).execute();
  // A pass from a reset before would slip past the factor.
  await tx.deleteFrom("login_passes").where("account_id", "=", accountId).execute();
  await endOtherDevices(tx, deps, caller, accountId);
  await tell(tx, deps, caller, { event: "factor-added", accountId, customerId });
  if (factors.settings?.recovery_sealed) return {};
  const recoveryCode = recoveryFrom(deps, caller, id);
  await keepRecoveryCode(tx, deps, accountId, recoveryCode);
  return { recoveryCode };
}

const NO_SETTINGS = { sms: "on", reset_at: null, recovery_sealed: null, recovery_set_at: null } as const;

function recoveryFrom({ keyring }: Dependencies, caller: Caller, id: string): string {
  return deriveRecoveryCode(keyring, keyring.current, [id, caller.browser]);
}

/** The recovery code that a repeated confirm gives again, if the first gave one. */
function recoveryOf(
  deps: Dependencies,
  caller: Caller,
  factors: Factors,
  preparedId: string,
): CallResponse<"appConfirm"> {
  const recoveryCode = recoveryFrom(deps, caller, preparedId);
  return isTheirRecoveryCode(deps.keyring, factors, recoveryCode) ? { recoveryCode } : {};
}
