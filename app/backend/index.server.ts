import { join } from "node:path";
import type { DatabaseSettings } from "~/platform/database-settings.server";
import type { Limits } from "~/platform/limits";
import type { Log } from "~/platform/log.server";
import { systemClock, type Clock } from "./clock.server";
import { seedDemoCustomers } from "./demo/seeding.server";
import { cookiesAt } from "./http/cookies.server";
import { makeHandle, type Handle } from "./http/handle.server";
import type { Parts, SmsTexts } from "./parts.server";
import { purgeRegularly } from "./purge.server";
import { KEY_FILE, readOrMakeKeyFile } from "./secrets/key-file.server";
import type { Keyring } from "./secrets/keyring.server";
import { Passwords } from "./secrets/passwords.server";
import { Twins } from "./services/codes/twins.server";
import { Courier } from "./sms/courier.server";
import type { SmsGateway } from "./sms/gateway.server";
import { outboxQueue, readOutbox, type OutboxMessage } from "./sms/outbox.server";
import type { SmsQueue } from "./sms/sms-queue.server";
import { StartRefusal } from "./start-refusal.server";
import { makeFolder } from "./store/data-directory.server";
import { DatabaseUnavailable } from "./store/database-unavailable.server";
import { checkKeys, hasKeyCheck } from "./store/key-check.server";
import { openDatabase } from "./store/open-database.server";
import { checkMode } from "./store/mode-check.server";
import type { Store } from "./store/store.server";

export type { Clock } from "./clock.server";
export type { Handle } from "./http/handle.server";
export type { SmsTexts } from "./parts.server";
export { makeKeyring } from "./secrets/keyring.server";
export { smsGateway } from "./sms/choose-gateway.server";
export type { OutboxMessage } from "./sms/outbox.server";
export { StartRefusal } from "./start-refusal.server";

/** What a backend is opened with. */
export interface BackendOptions {
  readonly mode: "demo" | "production";
  readonly database: DatabaseSettings;
  /** SQLite's file is here, and so are the keys of a demo that is told none. */
  readonly dataDir: string;
  /** Decides cookie names and flags, and the host that text messages name. */
  readonly publicOrigin: string | undefined;
  readonly limits: Limits;
  readonly log: Log;
  readonly smsTexts: SmsTexts;
  readonly clock?: Clock;
  /** In demo mode without one: from `keys.json` in the data directory, made at the first start. */
  readonly keyring?: Keyring | undefined;
  /** Who sends text messages. In demo mode without one: the outbox. */
  readonly sms?: SmsGateway | undefined;
  /** Countries whose numbers get messages; without it Poland. */
  readonly smsPrefixes?: readonly string[];
}

/** The embedded backend: the backend contract as one function, over a database of its own. */
export interface Backend {
  /** Answers a request, over HTTP or in process alike. Never throws. */
  readonly handle: Handle;
  /** The demo's text messages, newest first; none in production. */
  outbox(): Promise<readonly OutboxMessage[]>;
  /** Whether its database answers, for `/readyz`. Never throws. */
  ready(): Promise<boolean>;
  /** Finishes what was begun, and lets go of the database. */
  close(): Promise<void>;
}

/** @throws StartRefusal, in one line, when it cannot run on this database, or lacks keys or a gateway */
export async function openBackend(options: BackendOptions): Promise<Backend> {
  refuseWithout(options);
  const { database, dataDir, log } = options;
  const store = await openDatabase(database, dataDir, (error) => {
    log.warn({ err: error }, "database connection lost");
  });
  try {
    return await openOn(store, options);
  } catch (error) {
    await store.close();
    throw error instanceof DatabaseUnavailable ? new StartRefusal(error.message) : error;
  }
}

async function openOn(store: Store, options: BackendOptions): Promise<Backend> {
  const keyring = options.keyring ?? (await keysOf(options, store));
  const clock = options.clock ?? systemClock;
  const courier = options.sms && new Courier({ ...options, store, keyring, clock, gateway: options.sms });
  const parts = makeParts({ ...options, clock }, store, keyring, courier ?? outboxQueue(keyring));
  await checkMode(store, options.mode);
  await checkKeys(store, keyring);
  if (options.mode === "demo") await seedDemoCustomers(parts);
  courier?.start();
  const stopPurging = purgeRegularly(store, parts.limits, parts.clock, (error) => {
    options.log.error({ err: error }, "purge failed");
  });
  return {
    handle: makeHandle(parts, cookiesAt(options.publicOrigin), options.log),
    outbox: () => (options.mode === "demo" ? readOutbox(store.read, keyring) : Promise.resolve([])),
    ready: () =>
      store.check().then(
        () => true,
        () => false,
      ),
    close: async () => {
      await stopPurging();
      await courier?.close();
      await store.close();
    },
  };
}

function makeParts(
  options: BackendOptions & { readonly clock: Clock },
  store: Store,
  keyring: Keyring,
  sms: SmsQueue,
): Parts {
  const { clock, limits, log, smsTexts } = options;
  return {
    store,
    clock,
    limits,
    log,
    keyring,
    passwords: new Passwords(keyring, {
      parallel: limits.HASH_PARALLEL,
      waitMs: limits.HASH_WAIT_MS,
      places: limits.HASH_PLACES,
    }),
    twins: new Twins(),
    sms,
    smsTexts,
    smsPrefixes: options.smsPrefixes ?? ["+48"],
    host: options.publicOrigin === undefined ? undefined : new URL(options.publicOrigin).hostname,
  };
}

/** What a demo makes up for itself, and production must be given; said before anything is opened. */
function refuseWithout({ mode, keyring, sms }: BackendOptions): void {
  if (mode !== "production") return;
  if (!keyring) throw new StartRefusal("production mode needs keys, and none are configured");
  if (!sms) throw new StartRefusal("production mode needs an SMS gateway, and none is configured");
}

async function keysOf({ dataDir }: BackendOptions, store: Store): Promise<Keyring> {
  makeFolder(dataDir);
  return readOrMakeKeyFile(join(dataDir, KEY_FILE), await hasKeyCheck(store));
}
