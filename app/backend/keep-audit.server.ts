import type { AuditSettings } from "~/platform/config/audit-settings.server";
import type { Limits } from "~/platform/config/limits";
import type { Log } from "~/platform/telemetry/log.server";
import { levels } from "~/platform/telemetry/metrics.server";
import { HOUR, SECOND, type Clock } from "./clock.server";
import { runRegularly } from "./run-regularly.server";
import type { Keyring } from "./secrets/keyring.server";
import { archiveMonths } from "./services/audit/archive-months.server";
import { maySeal, sealEvents } from "./services/audit/seal-events.server";
import { unsealedSeconds } from "./services/audit/unsealed-seconds.server";
import type { Store } from "./store/store.server";

/** Describes the database, so every process reports the same, whichever of them seals. */
const auditLevels = levels({
  unsealedSeconds: {
    name: "portal_audit_unsealed_seconds",
    help: "Seconds the oldest event of the audit has waited for its seal; 0 if there is none",
  },
});

interface Dependencies {
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
export async function keepAudit(deps: Dependencies, settings: AuditSettings): Promise<() => Promise<void>> {
  const { store, keyring, clock, log, limits } = deps;
  auditLevels.feed(async () => ({ unsealedSeconds: await unsealedSeconds(store.read, clock) }));
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
    work: () => archiveMonths(store, keyring, { ...settings, now: clock() }),
    everyMs: HOUR,
    onError: (error) => {
      log.error({ err: error, event: "audit-not-archived" }, "audit");
    },
  });
  return async () => {
    await Promise.all([stopSealing(), stopArchiving()]);
  };
}
