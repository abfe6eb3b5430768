import { join } from "node:path";
import type { Announced } from "~/contract/announcements.server";
import { UNAVAILABLE } from "~/contract/refusal.server";
import type { AuditSettings } from "~/platform/config/audit-settings.server";
import type { DatabaseSettings } from "~/platform/config/database-settings.server";
import type { Limits } from "~/platform/config/limits";
import type { Log } from "~/platform/telemetry/log.server";
import { type Clock, SECOND, stopwatch, systemClock } from "~/platform/time.server";
import { endTrust } from "./sign-in/trusted-devices.server";
import { keepAudit, purgeRegularly, runRegularly, watchAnnounced } from "./jobs/upkeep.server";
import { type JobName, showJobs } from "./jobs/job-successes.server";
import type { PdfWork } from "./documents/pdf-work.server";
import { openPdfWork } from "./documents/pdf-workers.server";
import { type CallInProcess, makeCall } from "./calls/answer-call.server";
import type { Dependencies, FactorSettings, SmsTexts } from "./dependencies.server";
import { type Handle, makeHandle, refusalOverHttp } from "./calls/http.server";
import { type Cookies, cookiesAt } from "./calls/cookies.server";
import { KEY_FILE, readOrMakeKeyFile } from "./secrets/key-file.server";
import { watchClock } from "./jobs/portal-clocks.server";
import type { Keyring } from "./secrets/keyring.server";
import { type HashCost, Passwords } from "./secrets/passwords.server";
import { FullWindows, InFlightConfirms } from "./limits/process-memory.server";
import type { ConfirmationTexts } from "./documents/confirmation.server";
import { Downloads } from "./documents/downloads.server";
import type { SmsGateway } from "./messages/gateway.server";
import { type Mailing, type MailQueue, mailSender } from "./messages/mail-channel.server";
import type { NoticeTexts } from "~/contract/notices";
import { type OutboxMessage, outboxQueue, readOutbox } from "./messages/outbox.server";
import type { MessageSender } from "./messages/sender.server";
import { type SmsQueue, smsSender } from "./messages/sms-channel.server";
import { reasonOf, StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { makeFolder } from "./store/data-directory.server";
import { DatabaseUnavailable, type Store } from "./store/store.server";
import { checkKeys, checkMode, hasKeyCheck } from "./store/key-check.server";
import { openDatabase } from "./store/open-database.server";
import { requireNoRestore, TablesNotReady } from "./store/require-tables.server";

/** Settings of a backend. */
export interface BackendOptions {
  readonly mode: "demo" | "production";
  readonly database: DatabaseSettings;
  /** Holds the SQLite file, and a demo's generated keys. */
  readonly dataDir: string;
  /** Determines cookie names and flags. */
  readonly publicOrigin: string | undefined;
  /** The host that codes by SMS are bound to. Default: none. */
  readonly codeHost?: string | undefined;
  readonly limits: Limits;
  readonly log: Log;
  readonly smsTexts: SmsTexts;
  /** The texts of SMS notices. Default: no notices. */
  readonly noticeTexts?: NoticeTexts | undefined;
  /** The mail server and the texts of e-mail notices. Default: no e-mails. */
  readonly mailing?: Mailing | undefined;
  readonly confirmationTexts: ConfirmationTexts;
  readonly factors: FactorSettings;
  /** Whether a trusted device stands in for the second factor. Default: yes (specification §4). */
  readonly trustsDevices?: boolean;
  /** Makes and encrypts documents; closed with the backend. Default: a thread of this process. */
  readonly pdf?: PdfWork;
  /** Where the audit is archived, and when. Default: 24 months stay; archives go to the data directory. */
  readonly audit?: AuditSettings;
  readonly clock?: Clock;
  /** Measures durations, in ms; it never jumps. */
  readonly stopwatch?: Clock;
  /** Default in demo mode: `keys.json` in the data directory, made at the first start. */
  readonly keyring?: Keyring | undefined;
  /** Cost of hashing a password. Default: as recommended (S77); only tests choose another. */
  readonly passwordCost?: HashCost;
  /** Gives a demo its customers, once. */
  readonly seed?: ((deps: Dependencies) => Promise<void>) | undefined;
  /** Sends text messages. Default in demo mode: the outbox. */
  readonly sms?: SmsGateway | undefined;
  /** The second gateway, for messages that the first doesn't take. */
  readonly smsFallback?: SmsGateway | undefined;
  /** Receives the operators' announcements, before the backend is open and every few seconds from then on. */
  readonly onAnnounced?: (announced: Announced) => void;
  /** The portal's name, unique on its database, under which it reports its clock. Default: no report. */
  readonly name?: string | undefined;
  /** The jobs that are set up. A metric counts how many of them have never succeeded. Default: none. */
  readonly jobs?: ReadonlySet<JobName>;
  /** Country prefixes that messages are sent to. Default: Poland. */
  readonly smsPrefixes?: readonly string[];
}

/** The embedded backend: implements the backend contract, with its own database. */
export interface Backend {
  /**
   * Makes a call in this process, and returns the answer with the cookies for the browser. Never throws.
   * @param reads look-ups that all reading calls of one page share
   */
  readonly call: CallInProcess;
  /** Answers a call that came over HTTP. Never throws. */
  readonly handle: Handle;
  /** Reads and writes its cookies. */
  readonly cookies: Cookies;
  /** The demo's text messages, newest first; none in production. */
  outbox(): Promise<readonly OutboxMessage[]>;
  /** For `/readyz`: whether the database answers and takes writes. Never throws. */
  ready(): Promise<boolean>;
  /** Finishes work in progress and closes the database. */
  close(): Promise<void>;
}

/**
 * @throws TablesNotReady if an operator has to finish something first; StartRefusal if the database can't be used for
 *   another reason, or if production lacks keys or an SMS gateway
 */
export async function openBackend(options: BackendOptions): Promise<Backend> {
  requireProductionSettings(options);
  const { database, dataDir, log } = options;
  const store = await openDatabase(
    database,
    dataDir,
    (error) => {
      log.warn({ err: error }, "database connection lost");
    },
    (error) => {
      log.error({ err: error }, "after-commit action failed");
    },
  );
  const toClose = new CloseStack();
  toClose.add(() => store.close());
  try {
    return await openWith(store, options, toClose);
  } catch (error) {
    await toClose.close();
    throw error instanceof DatabaseUnavailable ? new StartRefusal(error.message) : error;
  }
}

async function openWith(store: Store, options: BackendOptions, toClose: CloseStack): Promise<Backend> {
  await requireNoRestore(store.read);
  const keyring = options.keyring ?? (await demoKeyring(options, store));
  const clock = options.clock ?? systemClock;
  const sending = { ...options, store, keyring, clock };
  const sms = options.sms && smsSender({ ...sending, gateway: options.sms, fallback: options.smsFallback });
  const mail = options.mailing && mailSender({ ...sending, ...options.mailing });
  const queues = { sms: sms ?? outboxQueue(keyring), mail };
  const deps = makeDependencies({ ...options, clock }, store, keyring, queues);
  toClose.add(() => deps.pdf.close());
  await checkMode(store, options.mode);
  await checkKeys(store, keyring);
  if (options.mode === "demo") await options.seed?.(deps);
  startSending([sms, mail], toClose);
  await startWork(deps, options, toClose);
  const cookies = cookiesAt(options.publicOrigin);
  return {
    call: makeCall(deps),
    handle: makeHandle(deps, cookies),
    cookies,
    outbox: () => (options.mode === "demo" ? readOutbox(store.read, keyring) : Promise.resolve([])),
    ready: () =>
      store.check().then(
        () => true,
        () => false,
      ),
    close: () => toClose.close(),
  };
}

/** Starts sending messages. All senders are closed at the same time, because each may take some seconds. */
function startSending(
  senders: readonly (Pick<MessageSender<never>, "start" | "close"> | undefined)[],
  toClose: CloseStack,
): void {
  for (const sender of senders) sender?.start();
  toClose.add(() => Promise.all(senders.map((sender) => sender?.close() ?? Promise.resolve())));
}

/**
 * Starts the background work of a backend: reading announcements, purging, comparing its clock, and sealing and
 * archiving the audit.
 */
async function startWork(
  deps: Dependencies,
  { dataDir, audit, onAnnounced, name, jobs }: BackendOptions,
  toClose: CloseStack,
): Promise<void> {
  const { store, limits, clock, log } = deps;
  if (!deps.trustsDevices) await endTrust(deps);
  if (onAnnounced) toClose.add(await watchAnnounced(deps, onAnnounced));
  const stopPurging = purgeRegularly(store, limits, clock, (error) => {
    log.error({ err: error }, "purge failed");
  });
  toClose.add(stopPurging);
  if (name !== undefined) toClose.add(await watchClock(deps, name));
  showJobs(store.read, jobs ?? new Set());
  toClose.add(await keepAudit(deps, { folder: join(dataDir, "audit"), keepMonths: 24, ...audit }));
}

function makeDependencies(
  options: BackendOptions & { readonly clock: Clock },
  store: Store,
  keyring: Keyring,
  queues: { readonly sms: SmsQueue; readonly mail: MailQueue | undefined },
): Dependencies {
  const { clock, limits, log, smsTexts, confirmationTexts, factors } = options;
  const measure = options.stopwatch ?? stopwatch;
  const hashLimits = {
    parallel: limits.HASH_PARALLEL,
    waitMs: limits.HASH_WAIT_MS,
    places: limits.HASH_PLACES,
    holdMs: limits.HASH_HOLD_MS,
  };
  return {
    store,
    clock,
    stopwatch: measure,
    limits,
    log,
    keyring,
    passwords: new Passwords(keyring, hashLimits, measure, options.passwordCost),
    inFlightConfirms: new InFlightConfirms(),
    fullWindows: new FullWindows(),
    ...queues,
    smsTexts,
    noticeTexts: options.noticeTexts,
    confirmationTexts,
    factors,
    trustsDevices: options.trustsDevices ?? true,
    pdf: options.pdf ?? openPdfWork(limits),
    downloads: new Downloads(limits),
    smsPrefixes: options.smsPrefixes ?? ["+48"],
    codeHost: options.codeHost,
  };
}

type Close = () => Promise<unknown>;

/** Closes everything that a start has opened, in reverse order, because later parts use earlier ones. */
class CloseStack {
  readonly #closes: Close[] = [];

  /** @param close runs after everything that is added later has been closed */
  add(close: Close): void {
    this.#closes.push(close);
  }

  /** Closes everything, one after the other. */
  async close(): Promise<void> {
    for (let close = this.#closes.pop(); close; close = this.#closes.pop()) await close();
  }
}

/** Checks, before anything is opened, that production has the settings that have defaults only in a demo. */
function requireProductionSettings({ mode, keyring, sms }: BackendOptions): void {
  if (mode !== "production") return;
  if (!keyring) throw new StartRefusal("production mode needs keys, but none are configured");
  if (!sms) throw new StartRefusal("production mode needs an SMS gateway, but none is configured");
}

async function demoKeyring({ dataDir }: BackendOptions, store: Store): Promise<Keyring> {
  makeFolder(dataDir);
  return readOrMakeKeyFile(join(dataDir, KEY_FILE), await hasKeyCheck(store));
}

const LOOK_AGAIN_MS = 2 * SECOND;

/**
 * Opens the backend. If its tables are not ready, returns a backend that answers every call with 503, and that opens by
 * itself once an operator has run `portal migrate` (S117), or a restore has ended.
 * @param onWaiting called with the reason for waiting, in one line for operators, and again when the reason changes
 * @throws StartRefusal for any other reason
 */
export async function openBackendOrWait(
  options: BackendOptions,
  onWaiting: (reason: string) => void,
): Promise<Backend> {
  try {
    return await openBackend(options);
  } catch (error) {
    if (!(error instanceof TablesNotReady)) throw error;
    return waitingBackend(options, onChange(onWaiting, error));
  }
}

/** Calls back with a reason only if it has changed. */
function onChange(callback: (reason: string) => void, first: unknown): (error: unknown) => void {
  let lastReason: string | undefined;
  const reportIfChanged = (error: unknown) => {
    const reason = reasonOf(error);
    if (reason !== lastReason) callback(reason);
    lastReason = reason;
  };
  reportIfChanged(first);
  return reportIfChanged;
}

function waitingBackend(options: BackendOptions, onError: (error: unknown) => void): Backend {
  let opened: Backend | undefined;
  const stopLooking = runRegularly({
    work: async () => {
      opened = await openBackend(options);
      void stopLooking();
    },
    everyMs: LOOK_AGAIN_MS,
    onError,
  });
  return {
    call: (...call) => opened?.call(...call) ?? Promise.resolve({ answer: UNAVAILABLE, cookies: [] }),
    handle: (call) => opened?.handle(call) ?? Promise.resolve(refusalOverHttp(UNAVAILABLE)),
    cookies: cookiesAt(options.publicOrigin),
    outbox: () => opened?.outbox() ?? Promise.resolve([]),
    ready: () => opened?.ready() ?? Promise.resolve(false),
    close: async () => {
      await stopLooking();
      await opened?.close();
    },
  };
}
