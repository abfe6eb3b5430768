import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { importLines } from "~/backend/import/import-lines.server";
import { ImportTally } from "~/backend/import/import-tally.server";
import { ALONE } from "~/backend/import/policyholder-batches.server";
import { type Pace } from "~/backend/import/policyholder-batches.server";
import { PdfWorkBusy, type PdfVerdict } from "~/backend/documents/pdf-work.server";
import { auditSource } from "~/operators/kit/operator-act.server";
import { defaultLimits } from "~/platform/config/limits";
import { outboxQueue } from "~/backend/messages/outbox.server";
import { log } from "~/platform/telemetry/log.server";
import { systemClock } from "~/platform/time.server";
import { NOTICES } from "../backend/notices/notice-steps";
import { LINE_TOO_LONG, type UnreadableLine } from "~/platform/files/lines-in.server";
import { KEY_FILE, readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import { openPostgresStore } from "~/backend/store/postgres-store.server";
import { openSqliteStore } from "~/backend/store/sqlite-store.server";
import type { Store } from "~/backend/store/store.server";
import { settingsOf, type DatabaseKind } from "../../database";
import { openTestBackend, type TestBackend } from "../backend/test-backend";

const YEAR = { validFrom: "2026-03-01", validTo: "2027-02-28" };

/** The settings and the audit source of imports in tests. Messages go to the demo's outbox. */
export function importWriting(keyring: Keyring, letIn: readonly string[] = []) {
  const limits = defaultLimits("demo");
  const notices = {
    keyring,
    limits,
    clock: systemClock,
    log: log(),
    smsPrefixes: ["+48"],
    noticeTexts: NOTICES,
    sms: outboxQueue(keyring),
    mail: undefined,
  };
  const source = auditSource({ operator: "ewa.z", reason: "import" });
  return { limits, source, notices, isPhoneVerified: false, letIn: new Set(letIn) };
}

/** A policyholder to import. */
export const ZOFIA = {
  kind: "individual",
  name: "Zofia Mazur",
  phone: "+48500900001",
  pid: "92020212341",
  policies: [{ policyNo: "POL-900001", name: "OC – Fiat 500", ...YEAR }],
};

/** Zofia, with these fields of her policy. */
export function zofiaInsured(fields: object) {
  return { ...ZOFIA, policies: [{ ...ZOFIA.policies[0], ...fields }] };
}

/** Zofia, with documents of her policy. */
export const zofiaWith = (...documents: object[]) => zofiaInsured({ documents });

/** A document as a line lists it. */
export const TERMS = { name: "Warunki", kind: "terms", issuedOn: "2026-03-01", file: "terms.pdf" };
/** Another document. */
export const LETTER = { name: "Pismo", kind: "letter", issuedOn: "2026-03-02", file: "letters/1.pdf" };

/** Stands for a PDF of this length in bytes; `judged` below takes it for one. */
export function pdfOf(text: string, bytes = 0): Buffer {
  const start = Buffer.from(`%PDF-1.7 ${text}\n`);
  return Buffer.concat([start, Buffer.alloc(Math.max(0, bytes - start.byteLength), text)]);
}

/** A faster stand-in for the workers' check of a PDF. */
function judged(pdf: Uint8Array): PdfVerdict {
  const text = Buffer.from(pdf.subarray(0, 100)).toString();
  if (text.includes("slow")) throw new PdfWorkBusy("time is up");
  if (text.includes("/Encrypt")) return "encrypted";
  return text.startsWith("%PDF-") ? "fine" : "not-a-pdf";
}

/** A running portal and an import beside it: new for each test, or shared by tests that change nothing. */
export function importing(kind: DatabaseKind, lifetime: "each" | "all" = "each") {
  const [before, after] = lifetime === "each" ? [beforeEach, afterEach] : [beforeAll, afterAll];
  let way: TestBackend;
  let store: Store;
  let keyring: Keyring;
  let folder: string;
  let checks = 0;
  before(async () => {
    way = await openTestBackend({ kind });
    const { on, dataDir } = way.place;
    keyring = readOrMakeKeyFile(join(dataDir, KEY_FILE), true);
    store = on
      ? await openPostgresStore(settingsOf(on.url), () => undefined)
      : await openSqliteStore(join(dataDir, "portal.db"));
    folder = realpathSync(mkdtempSync(join(tmpdir(), "portal-import-")));
    checks = 0;
  });
  after(async () => {
    await store.close();
    await way.close();
    rmSync(folder, { recursive: true });
  });

  function importedInto(target: Store, ...lines: readonly (object | string | undefined)[]) {
    return importedAt(ALONE, target, linesOf(lines));
  }

  async function importedAt(
    pace: Pace,
    target: Store,
    lines: AsyncIterable<string | UnreadableLine>,
    stop = new AbortController().signal,
    { isStrict = false, isRehearsal = false, letIn = [] as readonly string[] } = {},
  ) {
    const complaints: string[] = [];
    const check = (content: Uint8Array) => {
      checks += 1;
      // Throws inside a promise, as a worker does.
      return Promise.resolve(content).then(judged);
    };
    const paceNow = () => Promise.resolve(pace);
    const tally = new ImportTally();
    const source = { lines, rules: { folder, smsPrefixes: ["+48"], isStrict } };
    await importLines(
      target,
      keyring,
      { ...source, ...{ check, paceNow, stop, isRehearsal }, writing: importWriting(keyring, letIn) },
      (line) => complaints.push(line),
      tally,
    );
    const { policyholders: counts, ...others } = tally.counts;
    return { counts, ...others, complaints, lastLine: tally.lastLine, summary: tally.summary };
  }

  return {
    way: () => way,
    store: () => store,
    folder: () => folder,
    checks: () => checks,
    imported: (...lines: (object | string | undefined)[]) => importedInto(store, ...lines),
    /** Imports lines, and lets in these documents that were taken back. */
    importedLettingIn: (letIn: readonly string[], ...lines: object[]) =>
      importedAt(ALONE, store, linesOf(lines), undefined, { letIn }),
    importedInto,
    importedAt,
    /** Imports into its database as `--strict` or `--dry-run` would. */
    importedAs: (how: { isStrict?: boolean; isRehearsal?: boolean }, ...lines: object[]) =>
      importedAt(ALONE, store, linesOf(lines), undefined, how),
    /** Writes a file next to the import file. */
    put: (file: string, content: Buffer) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), content);
    },
    /** All rows that an import writes. */
    rows: async () => [
      ...(await way.query("select * from customers order by id")),
      ...(await way.query("select * from policies order by policy_no")),
      ...(await way.query("select * from documents order by id")),
      // Only lengths and beginnings: a comparison of megabytes that fails takes minutes to print.
      ...(await way.query(
        `select document_id, nth, length(content_sealed) as bytes, substr(content_sealed, 1, 40) as start
        from document_parts order by document_id, nth`,
      )),
    ],
  };
}

/** The lines of a file with these policyholders. A text stands for itself, undefined for a line that is too long. */
export async function* linesOf(
  lines: readonly (object | string | undefined)[],
): AsyncGenerator<string | UnreadableLine> {
  for (const line of lines)
    yield await Promise.resolve(typeof line === "object" ? JSON.stringify(line) : (line ?? LINE_TOO_LONG));
}
