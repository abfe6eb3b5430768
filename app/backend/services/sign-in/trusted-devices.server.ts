import { randomUUID } from "node:crypto";
import type { ReadRequest } from "~/contract/calls.server";
import { type Outcome, done } from "~/contract/refusal.server";
import { audit, type Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import { keyedHash, tokenHash } from "../../secrets/keyring.server";
import type { Reader, Tx } from "../../store/store.server";
import { notify } from "../notices/notices.server";
import type { ActiveSession } from "./sessions.server";

// A trusted device's token changes at each sign-in, so that a stolen cookie soon becomes useless (S42). All tokens of a
// device begin with the same characters, its family, so an old one is recognised without being stored.
//
// The replaced token stays good until the new one is used: an answer may get lost, and two tabs may sign in at once.
// The new token is derived from the old one, so both tabs get the same.

/** 126 bits. The other 22 of a token's 43 characters, about 130 bits, are the secret. */
const FAMILY_CHARACTERS = 21;

/** The trusted device that a cookie belongs to. */
export interface PresentedDevice {
  readonly id: string;
  readonly accountId: string;
  /** When it is no longer trusted, in ms. */
  readonly endsAt: number;
  /** The token was replaced, and its successor was used: somebody has a copy. */
  readonly isReplayed: boolean;
}

/** A token for the cookie, and when its device is no longer trusted (ms). */
export interface DeviceToken {
  readonly token: string;
  readonly endsAt: number;
}

/** The tokens of a sign-in: the session's token, and the device's if it is trusted. */
export interface SignInTokens {
  readonly session: string;
  readonly trustedDevice: DeviceToken | undefined;
}

/** The device that the caller's cookie belongs to, whoever owns it. It expires by the backend's clock (S41). */
export async function presentedDevice(
  reader: Reader,
  { trustedDevice: token }: Pick<Caller, "trustedDevice">,
  now: number,
): Promise<PresentedDevice | undefined> {
  if (token === undefined) return undefined;
  const hash = tokenHash(token);
  const row = await reader
    .selectFrom("trusted_devices")
    .select(["id", "account_id", "ends_at", "token_hash", "earlier_hash"])
    .where((eb) => eb.or([eb("token_hash", "=", hash), eb("family_hash", "=", tokenHash(familyOf(token)))]))
    .where("ends_at", ">", now)
    .executeTakeFirst();
  if (!row) return undefined;
  const isGood = [row.token_hash, row.earlier_hash].includes(hash);
  return { id: row.id, accountId: row.account_id, endsAt: row.ends_at, isReplayed: !isGood };
}

/**
 * Uses the caller's token at a sign-in, in a transaction that holds the account's lock. Returns the next token;
 * undefined if the device has been removed in the meantime, or the token is a replay, which ends the device.
 */
export async function useDeviceToken(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { device, customerId }: { readonly device: PresentedDevice; readonly customerId: string },
): Promise<DeviceToken | undefined> {
  const { id, endsAt, accountId } = device;
  const token = caller.trustedDevice ?? "";
  const next = successorOf(deps, token, deps.keyring.current);
  const hash = tokenHash(token);
  const renewed = await tx
    .updateTable("trusted_devices")
    .set({ token_hash: tokenHash(next), earlier_hash: hash, family_hash: tokenHash(familyOf(token)) })
    .where("id", "=", id)
    .where("token_hash", "=", hash)
    .returning("id")
    .executeTakeFirst();
  if (renewed) return { token: next, endsAt };

  const kept = await tx
    .selectFrom("trusted_devices")
    .select(["token_hash", "earlier_hash"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!kept) return undefined;
  if (kept.earlier_hash === hash) {
    const successors = deps.keyring.versions.map((version) => successorOf(deps, token, version));
    // If the key behind the successor is gone, the old token simply stays good.
    return { token: successors.find((known) => tokenHash(known) === kept.token_hash) ?? token, endsAt };
  }
  await tx.deleteFrom("trusted_devices").where("id", "=", id).execute();
  await audit(tx, caller, deps.clock(), { event: "device-replayed", accountId });
  await notify(tx, deps, caller, { event: "device-replayed", customerId });
  return undefined;
}

function successorOf({ keyring }: Dependencies, token: string, version: number): string {
  const own = keyedHash(keyring, "token", version, ["next-device-token", token]);
  return familyOf(token) + own.slice(FAMILY_CHARACTERS);
}

function familyOf(token: string): string {
  return token.slice(0, FAMILY_CHARACTERS);
}

/** A device to trust: the token in its cookie, and a name its owner will recognise. */
interface NewDevice extends DeviceToken {
  readonly accountId: string;
  readonly deviceName: string;
}

/** Trusts a device from now on. */
export async function trustDevice(tx: Tx, now: number, device: NewDevice): Promise<void> {
  const row = {
    id: randomUUID(),
    account_id: device.accountId,
    token_hash: tokenHash(device.token),
    device_name: device.deviceName,
    trusted_at: now,
    ends_at: device.endsAt,
    family_hash: null,
    earlier_hash: null,
  };
  await tx.insertInto("trusted_devices").values(row).execute();
}

/** The devices that an account trusts now, the newest first. */
export function trustedDevices(reader: Reader, accountId: string, now: number) {
  return reader
    .selectFrom("trusted_devices")
    .select(["id", "device_name", "trusted_at", "ends_at"])
    .where("account_id", "=", accountId)
    .where("ends_at", ">", now)
    .orderBy("trusted_at", "desc")
    .orderBy("id")
    .execute();
}

/** Stops trusting one of the customer's devices. An unknown id, or another customer's device, changes nothing. */
export async function forgetDevice(
  deps: Dependencies,
  caller: Caller,
  { id }: ReadRequest<"deleteTrustedDevice">,
  { accountId }: ActiveSession,
): Promise<Outcome<undefined>> {
  await forgetDevices(deps, caller, accountId, id);
  return done(undefined);
}

/** Stops trusting all of the customer's devices. */
export async function forgetAllDevices(
  deps: Dependencies,
  caller: Caller,
  _payload: unknown,
  { accountId }: ActiveSession,
): Promise<Outcome<undefined>> {
  await forgetDevices(deps, caller, accountId);
  return done(undefined);
}

async function forgetDevices(
  deps: Dependencies,
  caller: Caller,
  accountId: string,
  deviceId?: string,
): Promise<void> {
  await deps.store.write(async (tx) => {
    const own = tx.deleteFrom("trusted_devices").where("account_id", "=", accountId);
    const which = deviceId === undefined ? own : own.where("id", "=", deviceId);
    const forgotten = await which.returning("id").execute();
    if (forgotten.length > 0)
      await audit(tx, caller, deps.clock(), { event: "devices-forgotten", accountId });
  });
}
