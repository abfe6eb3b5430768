import { type RawBuilder, sql } from "kysely";
import type { Announced } from "~/contract/announcements.server";
import type { Limits } from "~/platform/config/limits";
import { type Clock, DAY, HOUR, LONGEST_TIMER_MS, SECOND } from "~/platform/time.server";
import type { AuditSettings } from "~/platform/config/audit-settings.server";
import type { Log } from "~/platform/telemetry/log.server";
import { levels } from "~/platform/telemetry/metrics.server";
import { GUESSES } from "../factors/guesses.server";
import { idleSince } from "../sign-in/sessions.server";
import type { ExpiringTable } from "../store/registered.server";
import type { Store } from "../store/store.server";
import type { Keyring } from "../secrets/keyring.server";
import { noteSuccess } from "./job-successes.server";
import { readAnnounced } from "../notices/announcements.server";
import { archiveMonths } from "../audit/archive-months.server";
import { maySeal, sealEvents, unsealedSeconds } from "../audit/seal-events.server";
import { mostLifts, mostLooks, stopsNow } from "../accounts/looks.server";

interface RegularWork {
  readonly work: () => Promise<unknown>;
  /** The time from one round to the next, in ms. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Does the work regularly, first after `everyMs`, without keeping the process alive. A round is skipped if the previous
 * one is still running. Returns a function that stops after the current round.
 */
export function runRegularly({ work, everyMs, onError }: RegularWork): () => Promise<void> {
  let round: Promise<unknown> | undefined;
  const start = () => {
    round ??= work()
      .catch(onError)
      .finally(() => {
        round = undefined;
      });
  };
  const timer = setInterval(start, Math.min(everyMs, LONGEST_TIMER_MS));
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}

/** Rows per statement. Small, so that requests hardly wait. */
const BATCH = 200;

interface Expired {
  readonly key: string;
  /** One condition, or several that have an index each. */
  readonly when: RawBuilder<unknown> | readonly RawBuilder<unknown>[];
}

/**
 * Rows that can be deleted now. Codes stay for a day after they expire, because their wrong tries still count. Used
 * codes stay only as long as their confirm may be repeated.
 */
function whatExpired(limits: Limits, now: number): Readonly<Record<ExpiringTable, Expired>> {
  const usedBefore = now - limits.CONFIRM_REPEAT_SECONDS * SECOND;
  const quietSince = now - limits.LOCK_FORGOTTEN_SECONDS * SECOND;
  const unguessedSince = now - limits.FACTOR_STOP_FORGOTTEN_DAYS * DAY;
  return {
    sessions: { key: "id", when: sql`ends_at <= ${now} or last_seen_at <= ${idleSince(limits, now)}` },
    codes: { key: "id", when: sql`ends_at <= ${now - DAY} or used_at <= ${usedBefore}` },
    prepared_factors: { key: "id", when: sql`ends_at <= ${now}` },
    passkey_sign_ins: { key: "id", when: sql`ends_at <= ${now}` },
    passkey_challenges: { key: "id", when: sql`ends_at <= ${now}` },
    trusted_devices: { key: "id", when: sql`ends_at <= ${now}` },
    known_browsers: { key: "id", when: sql`ends_at <= ${now}` },
    login_passes: { key: "id", when: sql`ends_at <= ${now}` },
    windows: { key: "bucket", when: sql`ends_at <= ${now}` },
    attempts: {
      key: "subject",
      when: sql`last_at <= ${Math.min(quietSince, now - DAY)} and blocked_until <= ${now}
        and (last_at <= ${unguessedSince} or subject not like ${`${GUESSES}%`} or (tries = 0 and level = 0))`,
    },
    username_changes: { key: "id", when: sql`changed_at <= ${now - limits.USERNAME_CHANGE_DAYS * DAY}` },
    // Normally the senders drop and log what waited; this covers installations without a sender.
    messages: {
      key: "id",
      when: [
        sql`due_at is not null and ends_at <= ${now - HOUR}`,
        sql`due_at is null and written_at <= ${now - limits.MESSAGE_DAYS * DAY}`,
      ],
    },
    restorable: { key: "id", when: sql`ends_at <= ${now}` },
    outbox: { key: "id", when: sql`sent_at <= ${now - DAY}` },
    staff_requests: { key: "id", when: sql`ends_at <= ${now}` },
    announcements: { key: "kind", when: sql`ends_at <= ${now}` },
    portal_clocks: { key: "portal", when: sql`seen_at <= ${now - DAY}` },
  };
}

/**
 * Deletes expired rows in small batches. Returns their numbers by table.
 * @param onDeleted called after each batch with the table and how many of its rows were deleted so far
 */
export async function purge(
  store: Store,
  limits: Limits,
  now: number,
  onDeleted: (table: string, rows: number) => void = () => undefined,
): Promise<Map<string, number>> {
  const deleted = new Map<string, number>();
  for (const [table, { key, when }] of Object.entries(whatExpired(limits, now))) {
    const [from, id] = [sql.table(table), sql.ref(key)];
    let rows = 0;
    for (const condition of [when].flat()) {
      // It appears twice: a row that is renewed while the statement waits for its lock must stay.
      const batch = sql`delete from ${from} where (${condition})
        and ${id} in (select ${id} from ${from} where ${condition} limit ${sql.lit(BATCH)})`;
      for (let last = BATCH; last === BATCH;) {
        const result = await store.write((tx) => batch.execute(tx));
        last = Number(result.numAffectedRows ?? 0);
        rows += last;
        onDeleted(table, rows);
      }
    }
    deleted.set(table, rows);
  }
  return deleted;
}

/**
 * Purges now and every few minutes, without keeping the process alive. Returns a function that stops after the current
 * round.
 */
export function purgeRegularly(
  store: Store,
  limits: Limits,
  clock: Clock,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const work = () => purge(store, limits, clock());
  const first = work().catch(onError);
  const stop = runRegularly({ work, everyMs: limits.PURGE_SECONDS * SECOND, onError });
  return async () => {
    await Promise.all([first, stop()]);
  };
}

/** Describes the database, so every process reports the same, whichever of them seals. */
const auditLevels = levels({
  unsealedSeconds: {
    name: "portal_audit_unsealed_seconds",
    help: "Seconds the oldest event of the audit has waited for its seal; 0 if there is none",
  },
  stops: {
    name: "portal_help_desk_stops",
    help: "How often within an hour the help desk's pages have refused a member of staff who looked for too many customers",
  },
  mostLifts: {
    name: "portal_factor_stops_lifted",
    help: "How often within a day staff has lifted the stops after guessed codes of one account: the most of any account",
  },
  mostLooks: {
    name: "portal_operator_looks",
    help: "Customers that one operator has looked for or at within an hour: the most of any operator",
  },
});

interface AuditUpkeep {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
}

/**
 * Seals the audit every minute, if this process may. On SQLite it also archives old months; on PostgreSQL only the
 * tables' owner may do that, through `portal purge`. Returns a function that stops both.
 */
export async function keepAudit(deps: AuditUpkeep, settings: AuditSettings): Promise<() => Promise<void>> {
  const { store, keyring, clock, log, limits } = deps;
  auditLevels.feed(async () => ({
    unsealedSeconds: await unsealedSeconds(store.read, clock),
    stops: await stopsNow(store.read, clock()),
    mostLifts: await mostLifts(store.read, clock()),
    mostLooks: await mostLooks(store.read, clock()),
  }));
  if (!(await maySeal(store.read))) {
    log.info({ event: "audit-sealed-elsewhere" }, "audit");
    return () => Promise.resolve();
  }
  const stopSealing = runRegularly({
    work: () => sealEvents(store, keyring, clock),
    everyMs: limits.AUDIT_SEAL_SECONDS * SECOND,
    onError: (error) => {
      log.error({ err: error, event: "audit-not-sealed" }, "audit");
    },
  });
  if (store.read.isPostgres) return stopSealing;
  const stopArchiving = runRegularly({
    work: async () => {
      await archiveMonths(store, keyring, { ...settings, now: clock() });
      await store.write((tx) => noteSuccess(tx, "purge", clock()));
    },
    everyMs: HOUR,
    onError: (error) => {
      log.error({ err: error, event: "audit-not-archived" }, "audit");
    },
  });
  return async () => {
    await Promise.all([stopSealing(), stopArchiving()]);
  };
}

/**
 * Passes on the operators' announcements before the first customer is served, and then every few seconds, so that no
 * page needs a query. If the database doesn't answer, the last ones stay. Returns a function that stops it.
 */
export async function watchAnnounced(
  { store, limits, log }: Pick<AuditUpkeep, "store" | "limits" | "log">,
  tell: (announced: Announced) => void,
): Promise<() => Promise<void>> {
  let isFailing = false;
  const look = async () => {
    tell(await readAnnounced(store.read));
    isFailing = false;
  };
  await look();
  return runRegularly({
    work: look,
    everyMs: limits.ANNOUNCEMENT_SECONDS * SECOND,
    onError: (error) => {
      if (!isFailing) log.warn({ err: error, event: "announcements-not-read" }, "announcements");
      isFailing = true;
    },
  });
}
