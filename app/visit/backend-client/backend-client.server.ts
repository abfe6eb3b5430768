import { hostname } from "node:os";
import { parseCookie } from "cookie";
import {
  COOKIE_NAMES,
  expectedJobs,
  makeKeyring,
  openBackendOrWait,
  smsGateways,
  smtpServer,
} from "~/backend/index.server";
import type { Backend, BackendOptions, Cookie, PageReads } from "~/backend/types";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { type CallName, type CallRequest, type CallResponse, CALLS } from "~/contract/calls.server";
import { FACTOR_KINDS } from "~/contract/factors.server";
import type { MailTexts } from "~/contract/notices";
import type { Answer } from "~/contract/refusal.server";
import { type RequestContext, setAnnounced } from "~/server/front-door/context.server";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { brand } from "~/platform/config/brand.server";
import { databaseSettings } from "~/platform/config/database-settings.server";
import { environment } from "~/platform/config/environment.server";
import { mailSettings } from "~/platform/config/mail-variables.server";
import { hostOfCodes, readSmsSettings, sendsNotices } from "~/platform/config/sms-variables.server";
import { failStartup, warnAtStartup } from "~/platform/lifecycle/fail-startup.server";
import { keepAlive, withTimeout } from "~/platform/lifecycle/process.server";
import { log } from "~/platform/telemetry/log.server";
import { counter, timer } from "~/platform/telemetry/metrics.server";
import { deviceName, expiredSessionLine, hostPrefixed } from "../browser.server";
import { AttachedClient, attachedBackend, type Send } from "./attached.server";
import type { BackendClient, Visiting } from "./client";

/** The backend, for all loaders and actions of one request. Its calls never throw. */
export interface RequestBackend extends BackendClient {
  /** The name of the visitor's device, sent with every call. */
  readonly deviceName: () => Promise<string>;
  /** Ends the session. The browser's cookie is removed even if the backend fails or takes over a second. */
  readonly signOut: () => Promise<void>;
}

/**
 * The backend, called on behalf of this request's visitor.
 * @param send where calls go instead (the gallery)
 */
export function backendFor(request: Request, context: RequestContext, send?: Send): RequestBackend {
  let name: Promise<string> | undefined;
  const nameOnce = () => (name ??= deviceName(request));
  const cookies = request.headers.get("Cookie") ?? undefined;
  const client = clientFor({ cookies, host: new URL(request.url).host, context, deviceName: nameOnce }, send);
  return {
    call: (...call) => callAndRecord(client, context, ...call),
    hasSession: () => client.hasSession(),
    browser: () => client.browser(),
    deviceName: nameOnce,
    signOut: async () => {
      const ending = callAndRecord(client, context, "deleteSession", {});
      const ended = await withTimeout(environment().limits.SIGN_OUT_MS, ending);
      // If the backend ended the session but left its cookie, the cookie is removed too.
      if (ended?.kind !== "done" || client.hasSession()) context.setCookies.push(expiredSessionLine());
    },
  };
}

/**
 * Asks who makes a request that has no session. Cheap, because it skips the rest of a page's work.
 * @param cookies the visitor's `Cookie` header
 */
export function askWithoutSession(
  cookies: string | undefined,
  context: RequestContext,
): Promise<Answer<CallResponse<"userInfo">>> {
  // Without a session nothing is stored, so the device needs no name.
  const client = clientFor({ cookies, context, deviceName: () => Promise.resolve("") });
  return callAndRecord(client, context, "userInfo", {});
}

let attached: Send | undefined;

/** How calls reach the attached backend; undefined if the backend is in this process. */
export function attachedSend(): Send | undefined {
  const { BACKEND_URL, PUBLIC_ORIGIN, limits } = environment();
  if (BACKEND_URL === undefined) return undefined;
  return (attached ??= attachedBackend({
    url: BACKEND_URL,
    https: PUBLIC_ORIGIN?.startsWith("https:") === true,
    timeoutMs: limits.BACKEND_MS,
    answerBytes: limits.BACKEND_ANSWER_BYTES,
    documentPauseMs: limits.DOCUMENT_PAUSE_MS,
  }));
}

function clientFor(visiting: Visiting, send = attachedSend()): BackendClient {
  return send ? new AttachedClient(visiting, send) : new EmbeddedClient(visiting);
}

/** A document that is late is still being made: the same link works a little later (contract: customer area). */
const LATE = { kind: "unavailable", retryAfterSeconds: 5 } as const;

const MS_IN_SECOND = 1000;
/** Metric labels of the outcomes; dashboards rely on them. */
const RESULTS = {
  done: "done",
  refused: "refused",
  invalid: "invalid",
  "rate-limited": "wait",
  busy: "wait",
  unavailable: "wait",
  "signed-out": "unauthenticated",
  "not-activated": "not-activated",
  "not-found": "refused",
  failed: "failed",
} as const satisfies Record<Answer<unknown>["kind"], string>;
/** Up to ten seconds: most calls take milliseconds, a sign-in under load seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const calls = counter(
  { name: "portal_backend_calls_total", help: "Calls of the portal to its backend, by result" },
  { result: [...new Set(Object.values(RESULTS)), "unreachable"] },
);
const callSeconds = timer(
  {
    name: "portal_backend_call_duration_seconds",
    help: "Duration of the portal's calls to its backend",
    buckets: SECONDS,
  },
  {},
);

/** Makes a call, records it in the metrics, and logs a failure. Never throws. */
async function callAndRecord<Name extends CallName>(
  client: BackendClient,
  { requestId }: RequestContext,
  name: Name,
  payload: CallRequest<Name>,
  left?: () => AbortSignal,
): Promise<Answer<CallResponse<Name>>> {
  const report = (err?: unknown) => {
    log().error({ requestId, call: name, err }, "backend call failed");
  };
  const startedAt = performance.now();
  try {
    const answered = await client.call(name, payload, left);
    // Only some calls may answer that something doesn't exist.
    const answer =
      answered.kind === "not-found" && !CALLS[name].mayBeMissing ? ({ kind: "failed" } as const) : answered;
    // Without a stack: it would only show this line, and the embedded backend has logged its own.
    if (answer.kind === "failed") report();
    calls.inc({ result: RESULTS[answer.kind] });
    return answer;
  } catch (error) {
    // If the visitor has left, the document was aborted, and the backend did nothing wrong.
    if (left?.().aborted !== true) report(error);
    calls.inc({ result: "unreachable" });
    return name === "document" && isTimeout(error) ? LATE : { kind: "failed" };
  } finally {
    callSeconds.observe({}, (performance.now() - startedAt) / MS_IN_SECOND);
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

/** The embedded backend, for one request of a visitor: calls are function calls. */
class EmbeddedClient implements BackendClient {
  readonly #visiting: Visiting;
  readonly #open: () => Promise<Backend>;
  readonly #tokens: Partial<Record<Cookie["name"], string>> = {};
  readonly #relayed = new Set<string>();
  /** The backend's reads for this page so far. */
  #reads: PageReads = {};

  constructor(visiting: Visiting, open = embeddedBackend) {
    this.#visiting = visiting;
    this.#open = open;
    const sent = parseCookie(visiting.cookies ?? "");
    for (const name of COOKIE_NAMES) {
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
    // After a write, the session may be a different one.
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

/** The portal's texts, in which the embedded backend writes to customers. */
interface BackendTexts extends Required<
  Pick<BackendOptions, "smsTexts" | "noticeTexts" | "confirmationTexts">
> {
  readonly mailTexts: MailTexts;
  readonly factorWords: Pick<BackendOptions["factors"], "issuer" | "nameOf">;
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
    jobs: expectedJobs(settings),
    keyring: DATA_KEYS && makeKeyring(DATA_KEYS),
    publicOrigin: PUBLIC_ORIGIN,
    codeHost: hostOfCodes(settings),
    limits,
    log: log(),
    ...ownTexts,
    factors: {
      ...factorWords,
      offered: FACTOR_KINDS.filter((kind) => settings.FACTORS.includes(kind)),
      passkeysSignIn: settings.PASSKEY_SIGN_IN === "on",
      origin: PUBLIC_ORIGIN,
      rpId: settings.PASSKEY_RP_ID,
    },
    trustsDevices: settings.TRUSTED_DEVICES === "on",
    noticeTexts: sendsNotices(settings) ? ownTexts.noticeTexts : undefined,
    sms: gateways.first,
    smsFallback: gateways.fallback,
    smsPrefixes: SMS_PREFIXES,
    mailing: mail && {
      server: smtpServer(mail, { name: brand().name, timeoutMs: limits.MAIL_SEND_MS }),
      texts: mailTexts,
    },
    onAnnounced: setAnnounced,
    name: `${hostname()}:${settings.PORT}`,
    seed: PORTAL_MODE === "demo" ? (await import("~/demo/seeding.server")).seedDemoCustomers : undefined,
  };
  return openBackendOrWait(options, (reason) => {
    warnAtStartup(`${reason}; this portal is not ready until then`);
  });
}
