import { randomUUID } from "node:crypto";
import type { ReadRequest } from "~/contract/calls.server";
import { type Outcome, done } from "~/contract/refusal.server";
import { audit, type Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { keyedHash, tokenHash } from "../secrets/keyring.server";
import type { Reader, Tx } from "../store/store.server";
import { notify } from "../notices/notices.server";
import type { ActiveSession } from "./sessions.server";

// A trusted device's token changes at each sign-in, so that a stolen cookie soon becomes useless (S42). All tokens of a
// device begin with the same characters, its family, so an old one is recognised without being stored.
//
// The replaced token stays good until the new one is used: an answer may get lost, and two tabs may sign in at once.
// The new token is derived from the old one, so both tabs get the same.

/**
 * The cookies of the accounts that trust a browser, the latest trust first. The previous release and an attached backend
 * know only the first cookie.
 */
export const DEVICE_COOKIES = [
  "trusted-device",
  "trusted-device-2",
  "trusted-device-3",
  "trusted-device-4",
] as const;

/** 126 bits. The other 22 of a token's 43 characters, about 130 bits, are the secret. */
const FAMILY_CHARACTERS = 21;

/** The trusted device that a cookie belongs to. */
export interface PresentedDevice extends DeviceToken {
  readonly id: string;
  readonly accountId: string;
  /** The cookie that holds the token. */
  readonly cookie: DeviceCookie;
  /** The token was replaced, and its successor was used: a copy is in use (replay). */
  readonly isReplayed: boolean;
}

type DeviceCookie = (typeof DEVICE_COOKIES)[number];

/** A token for the cookie, and when its device is no longer trusted (ms). */
export interface DeviceToken {
  readonly token: string;
  readonly endsAt: number;
}

/** What some of the device cookies hold from now on; undefined removes one. */
export type DeviceTokens = Readonly<Partial<Record<DeviceCookie, DeviceToken | undefined>>>;

/** The tokens of a sign-in: the session's token, and the changed tokens of devices. */
export interface SignInTokens {
  readonly session: string;
  readonly devices: DeviceTokens;
}

/**
 * The devices that the caller's cookies belong to, of any account: the latest trust first, good tokens before replayed
 * tokens. They expire by the backend's clock (S41).
 */
export async function presentedDevices(
  reader: Reader,
  { deviceTokens }: Pick<Caller, "deviceTokens">,
  now: number,
): Promise<readonly PresentedDevice[]> {
  const presented = DEVICE_COOKIES.flatMap((cookie) => {
    const token = deviceTokens[cookie];
    return token === undefined
      ? []
      : [{ cookie, token, hash: tokenHash(token), family: tokenHash(familyOf(token)) }];
  });
  if (presented.length === 0) return [];
  const hashes = presented.map(({ hash }) => hash);
  const families = presented.map(({ family }) => family);
  const rows = await reader
    .selectFrom("trusted_devices")
    .select(["id", "account_id", "ends_at", "token_hash", "earlier_hash", "family_hash"])
    .where((eb) => eb.or([eb("token_hash", "in", hashes), eb("family_hash", "in", families)]))
    .where("ends_at", ">", now)
    .orderBy("trusted_at", "desc")
    .execute();
  const devices = rows.flatMap((row) =>
    presented
      .filter(({ hash, family }) => hash === row.token_hash || family === row.family_hash)
      .map(({ cookie, token, hash }) => ({
        id: row.id,
        accountId: row.account_id,
        endsAt: row.ends_at,
        cookie,
        token,
        isReplayed: hash !== row.token_hash && hash !== row.earlier_hash,
      })),
  );
  return devices.toSorted((one, other) => Number(one.isReplayed) - Number(other.isReplayed));
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
  const { id, endsAt, accountId, token } = device;
  const next = successorOf(deps, token, deps.keyring.current);
  const hash = tokenHash(token);
  const browser_hash = tokenHash(caller.browser);
  const renewed = await tx
    .updateTable("trusted_devices")
    .set({
      token_hash: tokenHash(next),
      earlier_hash: hash,
      family_hash: tokenHash(familyOf(token)),
      browser_hash,
    })
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

/** Trusts a device from now on, and replaces the account's earlier trust in the same browser. */
export async function trustDevice(tx: Tx, caller: Caller, now: number, device: NewDevice): Promise<void> {
  const ofBrowser = { account_id: device.accountId, browser_hash: tokenHash(caller.browser) };
  await tx
    .deleteFrom("trusted_devices")
    .where((eb) => eb.and(ofBrowser))
    .execute();
  const row = {
    ...ofBrowser,
    id: randomUUID(),
    token_hash: tokenHash(device.token),
    device_name: device.deviceName,
    trusted_at: now,
    ends_at: device.endsAt,
    family_hash: null,
    earlier_hash: null,
  };
  await tx.insertInto("trusted_devices").values(row).execute();
}

/** The cookies after an account has trusted the browser: it comes first, and of five accounts the oldest leaves. */
export async function tokensOfTrust(
  reader: Reader,
  caller: Caller,
  now: number,
  { accountId, ...device }: DeviceToken & { readonly accountId: string },
): Promise<DeviceTokens> {
  const presented = await presentedDevices(reader, caller, now);
  const others = [...new Set(presented.map((other) => other.accountId))].filter((id) => id !== accountId);
  const kept = [device, ...others.map((id) => presented.find((other) => other.accountId === id))];
  const isSet = (cookie: DeviceCookie, nth: number) => kept[nth] ?? caller.deviceTokens[cookie];
  return Object.fromEntries(
    DEVICE_COOKIES.flatMap((cookie, nth) => (isSet(cookie, nth) ? [[cookie, kept[nth]]] : [])),
  );
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

/** Ends the trust in all devices of all accounts: with `TRUSTED_DEVICES=off` a portal does so when it starts. */
export async function endTrust({ store, log }: Pick<Dependencies, "store" | "log">): Promise<void> {
  const { numDeletedRows } = await store.write((tx) =>
    tx.deleteFrom("trusted_devices").executeTakeFirstOrThrow(),
  );
  if (numDeletedRows > 0n) log.warn({ event: "trusted-devices-ended" }, "trusted devices");
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
