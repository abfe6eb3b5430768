import { parseCookie } from "cookie";
import type { Answer } from "~/contract/refusal.server";
import { FACTOR_KINDS } from "~/contract/factors.server";
import { CALLS, type CallName, type CallRequest, type CallResponse } from "~/contract/calls.server";
import {
  makeKeyring,
  openBackendOrWait,
  smsGateways,
  smtpServer,
  StartRefusal,
  type Backend,
  type BackendOptions,
  type Cookie,
  type MailTexts,
  type PageReads,
} from "~/backend/index.server";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { brand } from "~/platform/config/brand.server";
import { databaseSettings } from "~/platform/config/database-settings.server";
import { environment } from "~/platform/config/environment.server";
import { mailSettings } from "~/platform/config/mail-variables.server";
import { readSmsSettings, sendsNotices } from "~/platform/config/sms-variables.server";
import { keepAlive } from "~/platform/lifecycle/process.server";
import { failStartup, warnAtStartup } from "~/platform/lifecycle/fail-startup.server";
import { log } from "~/platform/telemetry/log.server";
import { setAnnounced } from "~/front-door/context.server";
import { hostPrefixed } from "../browser.server";
import type { BackendClient, Visiting } from "./client";

/** What the embedded backend writes to customers, in the portal's words. */
interface BackendTexts
  extends Required<Pick<BackendOptions, "smsTexts" | "noticeTexts" | "confirmationTexts">> {
  readonly mailTexts: MailTexts;
  readonly factorWords: Omit<BackendOptions["factors"], "offered" | "origin" | "rpId">;
}

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
  const gateways = sms.gateway === "none" ? {} : smsGateways(sms, limits);
  if (!texts) throw new Error("The backend's texts were not provided");
  const { factorWords, mailTexts, ...ownTexts } = texts;
  const mail = mailSettings(settings);
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
    ...ownTexts,
    factors: {
      ...factorWords,
      offered: FACTOR_KINDS.filter((kind) => settings.FACTORS.includes(kind)),
      origin: PUBLIC_ORIGIN,
      rpId: settings.PASSKEY_RP_ID,
    },
    noticeTexts: sendsNotices(settings) ? ownTexts.noticeTexts : undefined,
    sms: gateways.first,
    smsFallback: gateways.fallback,
    smsPrefixes: SMS_PREFIXES,
    mailing: mail && {
      server: smtpServer(mail, { name: brand().name, timeoutMs: limits.MAIL_SEND_MS }),
      texts: mailTexts,
    },
    onAnnounced: setAnnounced,
    seed: PORTAL_MODE === "demo" ? (await import("~/demo/seeding.server")).seedDemoCustomers : undefined,
  };
  return openBackendOrWait(options, (reason) => {
    warnAtStartup(`${reason}; this portal is not ready until then`);
  });
}

/** The embedded backend, for one request of a visitor: a call is a call. */
export class EmbeddedClient implements BackendClient {
  readonly #visiting: Visiting;
  readonly #open: () => Promise<Backend>;
  readonly #tokens: Partial<Record<Cookie["name"], string>> = {};
  readonly #relayed = new Set<string>();
  /** What this page has read. */
  #reads: PageReads = {};

  constructor(visiting: Visiting, open = embeddedBackend) {
    this.#visiting = visiting;
    this.#open = open;
    const sent = parseCookie(visiting.cookies ?? "");
    for (const name of ["session", "browser", "trusted-device"] as const) {
      // For a second after Max-Age=0 has removed a cookie, w3m still sends it, empty.
      const value = sent[hostPrefixed(name)];
      if (value) this.#tokens[name] = value;
    }
  }

  async call<Name extends CallName>(
    name: Name,
    payload: CallRequest<Name>,
    left?: () => AbortSignal,
  ): Promise<Answer<CallResponse<Name>>> {
    const { context, deviceName, host } = this.#visiting;
    const { clientAddress: address, requestId, receivedAt } = context;
    const tokens = { ...this.#tokens };
    const origin = { address, requestId, host, receivedAt, tokens, deviceName: await deviceName(), left };
    // After a write, the session may be another one.
    const { onlyAsks } = CALLS[name];
    if (!onlyAsks) this.#reads = {};
    const backend = await this.#open();
    const answered = await backend.call(name, payload, origin, onlyAsks ? this.#reads : undefined);
    for (const cookie of answered.cookies) this.#keep(cookie, backend.cookies.line(cookie));
    return answered.answer;
  }

  hasSession(): boolean {
    return this.#tokens.session !== undefined;
  }

  browser(): string {
    return this.#tokens.browser ?? "";
  }

  #keep({ name, value, maxAge }: Cookie, line: string): void {
    if (maxAge === 0) Reflect.deleteProperty(this.#tokens, name);
    else this.#tokens[name] = value;
    if (this.#relayed.has(line)) return;
    this.#relayed.add(line);
    this.#visiting.context.setCookies.push(line);
  }
}
