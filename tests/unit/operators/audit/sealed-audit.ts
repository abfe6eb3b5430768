import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  audit,
  type AuditEvent,
  type AuditSource,
  type StaffSource,
} from "~/backend/audit/audit-event.server";
import { KEY_FILE, readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import { sealEvents } from "~/backend/audit/seal-events.server";
import { verifyAudit, type Verdict } from "~/backend/audit/verify-audit.server";
import type { Store } from "~/backend/store/store.server";
import { metricsRegistry } from "~/platform/telemetry/metrics.server";
import type { DatabaseKind } from "../../../database";
import { NOON, openTestBackend, type TestBackend } from "../../backend/test-backend";
import { openStoreBeside } from "../../backend/test-place";

/** An audit that a test writes, seals and tampers with, beside a portal. */
export interface SealedAudit {
  readonly way: TestBackend;
  readonly store: Store;
  readonly keyring: Keyring;
  /** The folder for archives. */
  readonly folder: string;
  /** Writes events at a moment (ms), each in its own transaction. */
  readonly write: (count: number, facts?: Partial<AuditEvent> & { readonly at?: number }) => Promise<void>;
  /** Seals the new events, and returns how many there were. */
  readonly seal: (keyring?: Keyring) => Promise<number>;
  readonly verify: (keyring?: Keyring) => Promise<Verdict>;
}

/** Opens an audit with this many triples of events, each triple sealed separately. */
export async function openSealedAudit(kind: DatabaseKind, triples = 0): Promise<SealedAudit> {
  const way = await openTestBackend({ kind });
  const store = await openStoreBeside(way.place);
  onTestFinished(async () => {
    await store.close();
    await way.close();
  });
  const keyring = readOrMakeKeyFile(join(way.dataDir, KEY_FILE), true);
  const folder = join(way.dataDir, "audit");
  const sealed: SealedAudit = {
    way,
    store,
    keyring,
    folder,
    write: async (count, { at = NOON, ...facts } = {}) => {
      const source: AuditSource = {
        address: "192.0.2.7",
        requestId: "kanarek-request",
        deviceName: "Firefox",
        audited: [],
      };
      for (let nth = 0; nth < count; nth += 1)
        await store.write((tx) =>
          // Events of staff, too, without the person: what counts here is the event.
          audit(tx, source as StaffSource, at + nth, { event: "signed-in", accountId: "anna", ...facts }),
        );
    },
    seal: (own = keyring) => sealEvents(store, own, () => NOON),
    verify: (own = keyring) => verifyAudit(store, own, folder),
  };
  for (let nth = 0; nth < triples; nth += 1) {
    await sealed.write(3);
    await sealed.seal();
  }
  return sealed;
}

/** How long the oldest event has waited for its seal (s), by the metrics of the portal opened last. */
export async function waitedForSeal(): Promise<number> {
  const text = await metricsRegistry().getSingleMetricAsString("portal_audit_unsealed_seconds");
  return Number(text.split(" ").at(-1));
}
