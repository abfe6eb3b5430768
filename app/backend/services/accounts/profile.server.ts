import type { CallResponse } from "~/contract/calls.server";
import type { Parts } from "../../parts.server";
import { nameOf } from "./customers.server";
import type { SignedInAs } from "../sign-in/sessions.server";

/** What My Data shows. */
export async function profileOf(parts: Parts, session: SignedInAs): Promise<CallResponse<"profile">> {
  const { read } = parts.store;
  const { accountId, customerId, username } = session;
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
  return {
    name: await nameOf(read, parts.keyring, customerId),
    username,
    documentPassword: documentPassword !== undefined,
    trustedDevices: devices.map((device) => ({
      id: device.id,
      deviceName: device.device_name,
      trustedAt: new Date(device.trusted_at).toISOString(),
      expiresAt: new Date(device.ends_at).toISOString(),
    })),
  };
}
