import type { CallResponse } from "~/contract/calls.server";
import type { Caller } from "../../caller.server";
import { done, type Outcome } from "../../outcome.server";
import type { Parts } from "../../parts.server";
import { nameOf } from "./customers.server";
import type { ActiveSession, Session } from "../sign-in/sessions.server";

/** Says who is signed in, also while the session is pending. */
export async function userInfo(
  { store, keyring }: Parts,
  _caller: Caller,
  _payload: unknown,
  { customerId, username }: Session,
): Promise<Outcome<CallResponse<"userInfo">>> {
  return done({ name: await nameOf(store.read, keyring, customerId), username });
}

/** What My Data shows. */
export async function profile(
  parts: Parts,
  _caller: Caller,
  _payload: unknown,
  { accountId, customerId, username }: ActiveSession,
): Promise<Outcome<CallResponse<"profile">>> {
  const { read } = parts.store;
  const documentPassword = await read
    .selectFrom("document_passwords")
    .select("account_id")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const devices = await read
    .selectFrom("trusted_devices")
    .select(["id", "device_name", "trusted_at", "ends_at"])
    .where("account_id", "=", accountId)
    .where("ends_at", ">", parts.clock())
    .orderBy("trusted_at", "desc")
    .orderBy("id")
    .execute();
  return done({
    name: await nameOf(read, parts.keyring, customerId),
    username,
    documentPassword: documentPassword !== undefined,
    trustedDevices: devices.map((device) => ({
      id: device.id,
      deviceName: device.device_name,
      trustedAt: new Date(device.trusted_at).toISOString(),
      expiresAt: new Date(device.ends_at).toISOString(),
    })),
  });
}
