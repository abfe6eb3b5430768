import { createHash } from "node:crypto";
import { open, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { environment } from "~/platform/config/environment.server";
import { hashing } from "~/platform/files/hashing.server";
import { linesIn } from "~/platform/files/lines-in.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { systemClock } from "~/platform/time.server";
import { audit, type StaffSource } from "../audit/audit-event.server";
import { openPdfWork } from "../documents/pdf-workers.server";
import { documentsTakenBack } from "../documents/take-back.server";
import { noteSuccess } from "../jobs/job-successes.server";
import type { NoticeDependencies } from "../notices/notices.server";
import type { Keyring } from "../secrets/keyring.server";
import { isPortalServing } from "../store/serving-portals.server";
import type { Reader, Store } from "../store/store.server";
import { importLines, type OnRemark } from "./import-lines.server";
import type { ImportTally } from "./import-tally.server";
import { paceBeside } from "./policyholder-batches.server";

/** The dependencies of an import. */
interface ImportDependencies {
  readonly store: Store;
  readonly keyring: Keyring;
  /** For notices to customers whose phone number changes. */
  readonly notices: NoticeDependencies;
}

/** A file to import. */
export interface ImportFile {
  /** `-` for standard input. */
  readonly file: string;
  readonly input: Readable;
}

/** A run of an import: who started it, and with which options. */
export interface ImportRun {
  /** The origin of the changes, for the audit. */
  readonly source: StaffSource;
  /** Whether the insurer has verified each changed phone number. */
  readonly isPhoneVerified: boolean;
  /** Whether a line with a warning is refused. */
  readonly isStrict: boolean;
  /** The ids of withdrawn documents that are imported again. */
  readonly letIn: ReadonlySet<string>;
  /** Whether each transaction is rolled back, so that the import only says what it would do. */
  readonly isRehearsal: boolean;
  /** Ends the import after the transaction under way. */
  readonly stop: AbortSignal;
}

/**
 * Imports a file of policyholders, policies and documents, and audits the run. Runs slower beside serving portals. An
 * interrupted import keeps the lines written so far; importing the file again does the rest.
 * @param onRemark gets each remark on a line: the reason of a refusal, or a warning
 * @param tally counts what is done, even if this throws
 * @throws UsageError if a document of `letIn` was never taken back
 */
export async function importPolicyholders(
  { store, keyring, notices }: ImportDependencies,
  { file, input }: ImportFile,
  { source, isPhoneVerified, isStrict, letIn, isRehearsal, stop }: ImportRun,
  onRemark: OnRemark,
  tally: ImportTally,
): Promise<void> {
  const { limits, DATA_DIR, SMS_PREFIXES: smsPrefixes } = environment();
  const pdf = openPdfWork(limits);
  try {
    const folder = await realpath(file === "-" ? "." : dirname(file));
    await requireTakenBack(store.read, letIn);
    const content = addAbortSignal(stop, file === "-" ? input : (await open(file)).createReadStream());
    const hash = createHash("sha256");
    const lines = {
      lines: linesIn(hashing(content, hash)),
      rules: { folder, smsPrefixes, isStrict },
      check: (document: Buffer) => pdf.check(document),
      paceNow: paceBeside(() => isPortalServing(store.read, DATA_DIR)),
      stop,
      isRehearsal,
      writing: { limits, source, isPhoneVerified, letIn, notices },
    };
    if (!isRehearsal)
      await store.write((tx) =>
        audit(tx, source, systemClock(), { event: "import-begun", reason: "import" }),
      );
    await importLines(store, keyring, lines, onRemark, tally);
    if (isRehearsal) return;
    const done = stop.aborted ? `${interruptedAfter(tally)}: ${tally.summary}` : tally.summary;
    const isWhole = !stop.aborted && tally.lastLine > 0;
    await auditRun(store, source, { reason: `${done}; sha256 ${hash.digest("hex")}`, isWhole });
  } finally {
    await pdf.close();
  }
}

/** How far an interrupted import got, for the audit and the operator. */
export function interruptedAfter({ lastLine }: ImportTally): string {
  return `interrupted after line ${lastLine}`;
}

/** @throws UsageError if one of these documents was not taken back */
async function requireTakenBack(reader: Reader, letIn: ReadonlySet<string>): Promise<void> {
  for (const id of letIn)
    if (!(await documentsTakenBack(reader).where("id", "=", id).executeTakeFirst()))
      throw new UsageError(
        "--let-in: expected the id of a document that was taken back (portal policy show)",
      );
}

/** Audits a whole run. The event has the same request id as every other event of the run. */
async function auditRun(
  store: Store,
  source: StaffSource,
  { reason, isWhole }: { readonly reason: string; readonly isWhole: boolean },
): Promise<void> {
  const now = systemClock();
  await store.write(async (tx) => {
    await audit(tx, source, now, { event: "policyholders-imported", reason });
    // Refused lines don't fail the job: they are faults in the insurer's data, and an exit code reports them.
    if (isWhole) await noteSuccess(tx, "import", now);
  });
}
