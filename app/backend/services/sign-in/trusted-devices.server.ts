import { randomUUID } from "node:crypto";
import type { ReadRequest } from "~/contract/calls.server";
import type { Caller } from "../../caller.server";
import { done, type Outcome } from "../../outcome.server";
import type { Dependencies } from "../../dependencies.server";
import { tokenHash } from "../../secrets/keyed-hashes.server";
import type { Reader, Tx } from "../../store/store.server";
import { audit } from "../audit/write-event.server";
import type { DeviceToken } from "./device-tokens.server";
import type { ActiveSession } from "./sessions.server";

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
