import {
  makeKeyring,
  openBackendOrWait,
  smsGateway,
  StartRefusal,
  type Backend,
  type BackendOptions,
} from "~/backend/index.server";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { databaseSettings } from "~/platform/config/database-settings.server";
import { environment } from "~/platform/config/environment.server";
import { readSmsSettings, sendsNotices } from "~/platform/config/sms-variables.server";
import { failStartup, warnAtStartup } from "~/platform/lifecycle/fail-startup.server";
import { keepAlive } from "~/platform/lifecycle/process.server";
import { log } from "~/platform/telemetry/log.server";

/** What the embedded backend writes to customers, in the portal's words. */
type BackendTexts = Required<Pick<BackendOptions, "smsTexts" | "noticeTexts" | "confirmationTexts">>;

let texts: BackendTexts | undefined;

/** Gives the embedded backend its texts, which belong to the portal. Must run before the backend opens. */
export function provideBackendTexts(provided: BackendTexts): void {
  texts = provided;
}

let opened: Promise<Backend> | undefined;

/** The embedded backend of this process. Opened on the first call, closed when the process stops. */
export function embeddedBackend(): Promise<Backend> {
  opened ??= keepAlive("embedded backend", open, async (backend) => {
    opened = undefined;
    await (await backend).close();
  });
  return opened;
}

/**
 * The embedded backend, for code that exposes it (API, outbox). Undefined if `BACKEND_URL` names an attached one: then
 * none is opened here, and `DATA_DIR` has no database.
 */
export function backendForApi(): Promise<Backend> | undefined {
  return environment().BACKEND_URL === undefined ? embeddedBackend() : undefined;
}

/**
 * The demo's embedded backend, whose messages anyone may read; undefined in production and with an attached backend.
 */
export function demoBackend(): Promise<Backend> | undefined {
  return environment().PORTAL_MODE === "demo" ? backendForApi() : undefined;
}

/**
 * Opens the embedded backend, if it is used, when the process starts, so that an unusable data directory is reported
 * right away: in one line, with exit code 1. If tables are outdated, the portal starts but isn't ready.
 */
export async function openBackendAtStart(): Promise<void> {
  try {
    await backendForApi();
  } catch (error) {
    if (!(error instanceof StartRefusal)) throw error;
    failStartup([error.message]);
  }
}

async function open(): Promise<Backend> {
  const settings = environment();
  const { PORTAL_MODE, DATA_DIR, DATA_KEYS, PUBLIC_ORIGIN, SMS_PREFIXES, limits } = settings;
  const sms = readSmsSettings(settings);
  if (!texts) throw new Error("The backend's texts were not provided");
  if (settings.MIGRATION_DATABASE_URL)
    warnAtStartup("MIGRATION_DATABASE_URL: a serving portal has no use for it; set it for commands only");
  const options: BackendOptions = {
    mode: PORTAL_MODE,
    database: databaseSettings(settings),
    dataDir: DATA_DIR,
    audit: auditSettings(settings),
    keyring: DATA_KEYS && makeKeyring(DATA_KEYS),
    publicOrigin: PUBLIC_ORIGIN,
    limits,
    log: log(),
    ...texts,
    noticeTexts: sendsNotices(settings) ? texts.noticeTexts : undefined,
    sms: sms.gateway === "none" ? undefined : smsGateway(sms, limits),
    smsPrefixes: SMS_PREFIXES,
  };
  return openBackendOrWait(options, (reason) => {
    warnAtStartup(`${reason}; this portal is not ready until then`);
  });
}
