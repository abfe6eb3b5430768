import type { CallResponse } from "~/contract/calls.server";
import { type Outcome, done } from "~/contract/refusal.server";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { presentedDevices, trustedDevices } from "../sign-in/trusted-devices.server";
import type { ActiveSession, Session } from "../sign-in/sessions.server";
import { lastSignInBefore } from "./activity.server";
import { nameOf } from "../customers/customers.server";
import { maskedNumber, phonesToShow } from "../customers/phones.server";

/** The customer's data as shown on My Data. */
export async function profile(
  deps: Dependencies,
  caller: Caller,
  _payload: unknown,
  { accountId, customerId, username, startedAt }: ActiveSession,
): Promise<Outcome<CallResponse<"profile">>> {
  const { read } = deps.store;
  const now = deps.clock();
  const documentPassword = await read
    .selectFrom("document_passwords")
    .select("account_id")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const devices = deps.trustsDevices ? await trustedDevices(read, accountId, now) : [];
  const { phone, waiting } = await phonesToShow(read, deps, customerId);
  const lastSignIn = await lastSignInBefore(read, deps, accountId, startedAt);
  const lastSignInHere = await lastSignInBefore(read, deps, accountId, startedAt, caller.browser);
  const presented = await presentedDevices(read, caller, now);
  const thisDevice = presented.find((device) => device.accountId === accountId && !device.isReplayed);
  return done({
    name: await nameOf(read, deps.keyring, customerId),
    username,
    phone: maskedNumber(phone),
    ...(waiting && {
      newPhone: { phone: maskedNumber(waiting.phone), from: new Date(waiting.from).toISOString() },
    }),
    ...(lastSignIn && { lastSignIn }),
    ...(lastSignInHere && { lastSignInHere: { at: lastSignInHere.at } }),
    ...(thisDevice && { thisDevice: thisDevice.id }),
    documentPassword: documentPassword !== undefined,
    trustedDevices: devices.map((device) => ({
      id: device.id,
      deviceName: device.device_name,
      trustedAt: new Date(device.trusted_at).toISOString(),
      expiresAt: new Date(device.ends_at).toISOString(),
    })),
  });
}

/** Says who is signed in; works in a pending session too. */
export async function userInfo(
  { store, keyring }: Dependencies,
  _caller: Caller,
  _payload: unknown,
  { customerId, username }: Session,
): Promise<Outcome<CallResponse<"userInfo">>> {
  return done({ name: await nameOf(store.read, keyring, customerId), username });
}
