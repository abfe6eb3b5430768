import { connect, isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import { existsSync } from "node:fs";
import { sql } from "kysely";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { DatabaseSettings } from "~/platform/config/database-settings.server";
import type { Environment } from "~/platform/config/environment.server";
import { withTimeout } from "~/platform/lifecycle/process.server";
import { type Clock, DAY, HOUR, MINUTE, SECOND } from "~/platform/time.server";
import type { Reader } from "~/backend/store/store.server";
import { reasonOf } from "~/backend/start-refusal.server";
import { CALLS } from "~/contract/calls.server";
import { lastSeal, unsealedSeconds } from "~/backend/services/audit/seal-events.server";
import type { Limits } from "~/platform/config/limits";
import { readSmsSettings } from "~/platform/config/sms-variables.server";
import { queueLength } from "~/backend/sms/sms-queue.server";
import { newestBackup } from "../backup/backup-folder.server";

const PORTS: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

/**
 * Whether a server takes connections. With https, `endsAt` (ms; NaN if it cannot be read) and `distrust` are about its
 * certificate.
 */
type Reached =
  | { readonly kind: "reached"; readonly endsAt?: number; readonly distrust?: string | undefined }
  | { readonly kind: "unreached"; readonly reason: string };

/** Connects, with TLS for https, and hangs up without a request. Never throws. */
export function reach(address: string): Promise<Reached> {
  const { protocol, hostname, port } = new URL(address);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const to = { host, port: port === "" ? (PORTS[protocol] ?? 0) : Number(port) };
  return new Promise((resolve) => {
    const isTls = protocol === "https:";
    // Look at an untrusted certificate, too. Nothing is sent over the connection.
    const tls = isTls
      ? connectTls({ ...to, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) })
      : undefined;
    const socket = tls ?? connect(to);
    const end = (reached: Reached) => {
      socket.destroy();
      resolve(reached);
    };
    socket.setTimeout(ANSWER_MS, () => {
      end({ kind: "unreached", reason: "no answer in time" });
    });
    socket.on("error", (error: Error) => {
      end({ kind: "unreached", reason: codeOf(error) });
    });
    socket.on(isTls ? "secureConnect" : "connect", () => {
      end({ kind: "reached", ...(tls && certificateOf(tls)) });
    });
  });
}

function certificateOf(socket: ReturnType<typeof connectTls>) {
  // Node's types say Error, but it is the error code.
  const distrust = socket.authorized ? undefined : String(socket.authorizationError);
  // Without a certificate there is no `valid_to`, although Node's types have it.
  return { endsAt: Date.parse(socket.getPeerCertificate().valid_to), distrust };
}

function codeOf(error: Error): string {
  // Node tries every address of a host and collects the errors.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && "code" in first ? String(first.code) : "the connection was closed";
}

/** How long a check may take. */
const CHECK_MS = 5 * SECOND;
/** How long a check waits for a server: shorter, so that it can still say which one gave no answer. */
export const ANSWER_MS = 4 * SECOND;

/** The result of a check, in one line. Unless all is well, the line also says what to do. */
export interface Finding {
  readonly level: "ok" | "warning" | "problem";
  readonly text: string;
}

interface Installation {
  readonly settings: Environment;
  readonly database: DatabaseSettings;
  readonly clock: Clock;
  /** Opens the database with the serving role's rights, without migrating. @throws StartRefusal */
  readonly db: () => Reader;
}

/** One thing that `portal doctor` looks at. */
export interface Check {
  readonly name: string;
  /** Names of earlier checks. After a problem in one of them, this check is skipped: it would only repeat it. */
  readonly needs: readonly string[];
  /** A failure counts as a problem. */
  readonly run: (installation: Installation) => Promise<Finding>;
}

/** A check's name and its result. */
export interface CheckResult extends Finding {
  readonly name: string;
}

/** All is well. */
export const ok = (text: string): Finding => ({ level: "ok", text });
/** Customers are served, but an operator should act. */
export const warning = (text: string): Finding => ({ level: "warning", text });
/** Customers are not served, or not safely. */
export const problem = (text: string): Finding => ({ level: "problem", text });

/** Runs the checks one after the other. Never throws. */
export async function runChecks(
  checks: readonly Check[],
  installation: Installation,
  checkMs = CHECK_MS,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { name, needs, run } of checks) {
    const isGood = (needed: string) =>
      results.some((result) => result.name === needed && result.level !== "problem");
    if (needs.every(isGood)) results.push({ name, ...(await runOne(run, installation, checkMs)) });
  }
  return results;
}

async function runOne(run: Check["run"], installation: Installation, checkMs: number): Promise<Finding> {
  try {
    const finding = await withTimeout(checkMs, run(installation));
    return finding ?? problem(`no answer within ${checkMs / 1000} s`);
  } catch (error) {
    return problem(reasonOf(error));
  }
}

/** Whether the attached backend answers. Asks it who is signed in, without a cookie. */
export const attachedBackend: Check = {
  name: "backend",
  needs: [],
  run: async ({ settings: { BACKEND_URL = "" } }) => {
    const { method, path } = CALLS.userInfo;
    const signal = AbortSignal.timeout(ANSWER_MS);
    try {
      const { status, body } = await fetch(BACKEND_URL + path, { method, redirect: "manual", signal });
      await body?.cancel();
      return status < 500
        ? ok(`${BACKEND_URL} answers`)
        : problem(`${BACKEND_URL} answers with status ${status}: see its log`);
    } catch {
      return problem(`${BACKEND_URL} does not answer: see whether it runs and is reached from here`);
    }
  },
};

/** Whether the audit is still sealed (S95). */
export const auditSeals: Check = {
  name: "audit seals",
  needs: ["tables"],
  run: async ({ clock, db, settings: { limits } }) => {
    const age = (await unsealedSeconds(db(), clock)) * SECOND;
    if (age === 0) return ok("all events are sealed");
    const since = (await lastSeal(db()))
      ? "the first event since the last seal"
      : "no event is sealed yet, and the first";
    const text = `${since} is ${Math.floor(age / MINUTE)} minutes old`;
    return age <= limits.DOCTOR_SEAL_MINUTES * MINUTE
      ? ok(text)
      : warning(`${text}: see why portal seal-audit does not run`);
  },
};

/** A daily backup may be late, and may fail once. */
const GOOD_MS = 2 * DAY;

/** Whether the last backup is recent. */
export const backups: Check = {
  name: "backups",
  needs: [],
  run: ({ settings: { BACKUP_DIR }, clock }) => {
    if (BACKUP_DIR === undefined) return Promise.resolve(ok("not looked at: BACKUP_DIR is not set"));
    if (!existsSync(BACKUP_DIR)) return Promise.resolve(warning(`${BACKUP_DIR} is not there: mount it`));
    const newest = newestBackup(BACKUP_DIR, clock());
    if (!newest) return Promise.resolve(warning(`${BACKUP_DIR} has no backup: run portal backup every day`));
    const age = clock() - newest.madeAt;
    const text = `the last one is ${Math.floor(age / HOUR)} hours old`;
    return Promise.resolve(
      age <= GOOD_MS ? ok(text) : warning(`${text}: see why portal backup does not run`),
    );
  },
};

/** Whether PUBLIC_ORIGIN can be reached from here, and how long its certificate is valid. */
export const certificate: Check = {
  name: "certificate",
  needs: [],
  run: async ({ settings: { PUBLIC_ORIGIN, limits }, clock }) => {
    if (PUBLIC_ORIGIN === undefined) return ok("none needed: PUBLIC_ORIGIN is not set");
    const reached = await reach(PUBLIC_ORIGIN);
    if (reached.kind === "unreached")
      return problem(`${PUBLIC_ORIGIN} is not reached from here: ${reached.reason}`);
    if (reached.distrust !== undefined)
      return problem(`browsers refuse the certificate of ${PUBLIC_ORIGIN}: ${reached.distrust}`);
    if (reached.endsAt === undefined) return ok(`none needed: ${PUBLIC_ORIGIN} is not https`);
    return judgeDays(Math.floor((reached.endsAt - clock()) / DAY), limits);
  },
};

/** Judges how many days a certificate is still valid; NaN if that cannot be read. */
export function judgeDays(days: number, limits: Limits): Finding {
  if (Number.isNaN(days)) return problem("there is no certificate, or its end cannot be read: replace it");
  const text = `good for ${days} more days`;
  if (days >= limits.DOCTOR_CERTIFICATE_WARNING_DAYS) return ok(text);
  return days < limits.DOCTOR_CERTIFICATE_PROBLEM_DAYS
    ? problem(`${text}: renew it now`)
    : warning(`${text}: renew it`);
}

/** Whether this machine and the database's agree on the time. */
export const databaseClock: Check = {
  name: "clock, beside the database's",
  needs: ["database"],
  run: async ({ database, clock, db, settings: { limits } }) => {
    if (database.kind === "sqlite") return ok("it is the same");
    const before = clock();
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db());
    return judge((rows[0]?.now ?? 0) - (before + clock()) / 2, limits);
  },
};

/** Whether this machine and the one that customers reach agree on the time. */
export const publicClock: Check = {
  name: "clock, beside PUBLIC_ORIGIN's",
  needs: [],
  run: async ({ settings: { PUBLIC_ORIGIN, limits }, clock }) => {
    if (PUBLIC_ORIGIN === undefined) return ok("not compared: PUBLIC_ORIGIN is not set");
    const before = clock();
    const date = await dateOf(PUBLIC_ORIGIN);
    if (Number.isNaN(date)) return ok("not compared: PUBLIC_ORIGIN did not say its time");
    // The header has whole seconds.
    return judge(date + SECOND / 2 - (before + clock()) / 2, limits);
  },
};

/** The time in an answer's `Date` header (ms), or NaN. The check of the certificate says why there is no answer. */
async function dateOf(origin: string): Promise<number> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { headers, body } = await fetch(`${origin}/healthz`, { redirect: "manual", signal });
    await body?.cancel();
    return Date.parse(headers.get("Date") ?? "");
  } catch {
    return Number.NaN;
  }
}

/** @param ms how far the other clock is ahead */
function judge(ms: number, limits: Limits): Finding {
  const off = Math.abs(ms);
  const seconds = `${(off / SECOND).toFixed(1)} s`;
  if (off < limits.DOCTOR_CLOCK_WARNING_MS) return ok(`they differ by ${seconds}`);
  const text = `they differ by ${seconds}: synchronise both (NTP), since codes and sessions depend on the time`;
  return off < limits.DOCTOR_CLOCK_PROBLEM_MS ? warning(text) : problem(text);
}

const MB = 1_000_000;

/** Whether DATA_DIR has room; with PostgreSQL the portal keeps nothing there. */
export const disk: Check = {
  name: "disk",
  needs: [],
  run: async ({ settings: { DATA_DIR, limits }, database }) => {
    if (database.kind === "postgres" && !existsSync(DATA_DIR)) return ok("nothing is kept in DATA_DIR");
    const { bavail, blocks, bsize } = await statfs(existing(resolve(DATA_DIR)));
    return judgeDisk(bavail * bsize, blocks * bsize, limits);
  },
};

/** The folder itself, or the closest parent that exists. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

/** Judges the free space of a disk (bytes). */
export function judgeDisk(free: number, whole: number, limits: Limits): Finding {
  const { DOCTOR_DISK_WARNING_MB, DOCTOR_DISK_WARNING_PERCENT, DOCTOR_DISK_PROBLEM_MB } = limits;
  const text = `${Math.floor(free / MB).toLocaleString("en-US")} MB free where DATA_DIR is`;
  if (free < DOCTOR_DISK_PROBLEM_MB * MB)
    return problem(`${text}: make room, or all sign-ins fail once it is full`);
  const isScarce = free < DOCTOR_DISK_WARNING_MB * MB || free < (whole * DOCTOR_DISK_WARNING_PERCENT) / 100;
  return isScarce ? warning(`${text}: make room`) : ok(text);
}

/** Whether production knows the proxy in front of it, without which all customers share one address (S125). */
export const proxies: Check = {
  name: "proxies",
  needs: [],
  run: ({ settings: { PORTAL_MODE, TRUSTED_PROXIES } }) =>
    Promise.resolve(
      PORTAL_MODE === "production" && TRUSTED_PROXIES.length === 0
        ? problem(
            "the portal speaks http and PUBLIC_ORIGIN is https, so a proxy is in front: name it in TRUSTED_PROXIES, or all customers count as one and are locked out together",
          )
        : ok(TRUSTED_PROXIES.length === 0 ? "none, as in a demo" : `trusted: ${TRUSTED_PROXIES.join(", ")}`),
    ),
};

/** Whether the gateway takes connections. No message is sent. */
export const smsGatewayReached: Check = {
  name: "SMS gateway",
  needs: [],
  run: async ({ settings }) => {
    const sms = readSmsSettings(settings);
    if (sms.gateway === "none") return problem(sms.problems.join("; "));
    if (sms.gateway === "outbox") return ok("none: messages go to the demo's outbox");
    const { host } = new URL(sms.url);
    const reached = await reach(sms.url);
    if (reached.kind === "unreached")
      return problem(`${host} is not reached: ${reached.reason}; customers get no codes`);
    return reached.distrust === undefined
      ? ok(`${host} is reached`)
      : problem(`the certificate of ${host} is refused: ${reached.distrust}; customers get no codes`);
  },
};

/** How long codes wait, as the metric says that the alarm SmsWait watches. */
export const smsQueue: Check = {
  name: "SMS queue",
  needs: ["tables"],
  run: async ({ clock, db, settings: { limits } }) => {
    const { oldest } = await queueLength(db());
    if (oldest === undefined) return ok("no code waits");
    const waits = clock() - oldest;
    const text = `the oldest code has waited for ${Math.round(waits / SECOND)} s`;
    if (waits < limits.DOCTOR_SMS_WARNING_SECONDS * SECOND) return ok(text);
    const advice = `${text}: see whether a portal runs and the gateway accepts messages`;
    return waits < limits.DOCTOR_SMS_PROBLEM_SECONDS * SECOND ? warning(advice) : problem(advice);
  },
};
