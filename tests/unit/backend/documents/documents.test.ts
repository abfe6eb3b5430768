import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CallResponse } from "~/contract/calls.server";
import { readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { putDocument, type KeptDocument } from "~/backend/documents/write-documents.server";
import { defaultLimits } from "~/platform/config/limits";
import { metricsRegistry } from "~/platform/telemetry/metrics.server";
import { Browser, latestCode } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, PIOTR } from "../../../demo-customers";
import { pdfWith } from "../../../pdf-file";
import { textOf } from "../../../pdf-tools";
import { recordStatements } from "../store/recorded-statements";
import { PATIENT_PDF } from "./shared-pdf-work";
import { openStoreBeside } from "../test-place";
import { openTestBackend, type TestBackend } from "../test-backend";

const DEMO_DOCUMENT_PASSWORD = "Dokument-2026!";
const NEVER = "99999999-9999-4999-8999-999999999999";
const LETTER = {
  kind: "letter",
  name: "Zgoda \u201ePani O\u2019Łękowskiej\u201d",
  issuedOn: "2026-03-01",
} as const;

onAnyDatabase((kind) => {
  let way: TestBackend;
  let piotr: Browser;
  const limits = { ...defaultLimits("demo"), ...PATIENT_PDF, DOCUMENTS_PER_HOUR: 3 };
  beforeEach(async () => {
    way = await openTestBackend({ kind, limits });
    piotr = new Browser(way);
    await piotr.signIn(PIOTR);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await way.close();
  });

  const keep = async (document: Partial<KeptDocument> = {}) => {
    const store = await openStoreBeside(way.place);
    const keyring = readOrMakeKeyFile(join(way.dataDir, "keys.json"), true);
    await store.write((tx) =>
      putDocument(tx, keyring, {
        policyNo: PIOTR.policyNo,
        content: pdfWith(Buffer.from("x")),
        ...LETTER,
        ...document,
      }),
    );
    await store.close();
  };
  const policyOf = async (browser: Browser, policyNo: string) => {
    const { policies } = (await browser.get("/cp/api/policies")).body as CallResponse<"policies">;
    const id = policies.find((policy) => policy.policyNo === policyNo)?.id ?? "";
    return (await browser.get(`/cp/api/policies/${id}`)).body as CallResponse<"policy">;
  };
  const documentOf = async (browser: Browser, policyNo: string, name: string) => {
    const { documents } = await policyOf(browser, policyNo);
    const found = documents.find((document) => document.name === name);
    if (!found) throw new Error(`no document ${name}`);
    return found;
  };
  const download = async (browser: Browser, id: string) => {
    const answer = await browser.fetch("GET", `/cp/api/documents/${id}`);
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const confirmation = () => documentOf(piotr, PIOTR.policyNo, "Potwierdzenie ubezpieczenia");
  const audited = async (event: string) =>
    (await way.query("select id from audit_events where event = ?", event)).length;

  it("a confirmation of cover opens with the document password, and says what is insured and for whom", async () => {
    const { id, bytes: announced, issuedOn } = await confirmation();
    const { answer, bytes } = await download(piotr, id);
    expect(answer.headers.get("Content-Disposition")).toBe(
      `attachment; filename="Potwierdzenie ubezpieczenia ${PIOTR.policyNo}.pdf"`,
    );
    expect(answer.headers.get("Content-Length")).toBe(String(bytes.byteLength));
    const text = textOf(bytes, DEMO_DOCUMENT_PASSWORD).replaceAll("\u00A0", " ");
    for (const fact of ["Piotr Wiśniewski", PIOTR.policyNo, "OC – Škoda Octavia", "20 listopada 2026"])
      expect(text).toContain(fact);
    expect(issuedOn).toBe("2026-11-20");
    // The list rounds to whole kilobytes, so it may be a fifth off.
    expect(bytes.byteLength / announced).toBeGreaterThan(0.8);
    expect(bytes.byteLength / announced).toBeLessThan(1.2);
  });

  it("a kept document is given out encrypted, under its own name", async () => {
    await keep({ content: pdfWith(Buffer.from("CANARY-OF-THE-CONTENT")) });
    const { id, protected: isProtected } = await documentOf(piotr, PIOTR.policyNo, LETTER.name);
    expect(isProtected).toBe(true);
    const { answer, bytes } = await download(piotr, id);
    expect(decodeURIComponent(answer.headers.get("Content-Disposition") ?? "")).toContain(
      `filename*=UTF-8''${LETTER.name}.pdf`,
    );
    expect(bytes.includes("CANARY")).toBe(false);
    expect(() => textOf(bytes, "wrong")).toThrow();
    expect(textOf(bytes, DEMO_DOCUMENT_PASSWORD)).toBeDefined();
  });

  it("[S83] each opening of a document password is audited, with its owner", async () => {
    await download(piotr, (await confirmation()).id);
    const [event] = await way.query(
      "select a.username from audit_events e join accounts a on a.id = e.account_id where e.event = ?",
      "document-password-opened",
    );
    expect(event).toEqual({ username: PIOTR.username });
    expect(await audited("document-downloaded")).toBe(1);
  });

  it("a document carries the password that was set when it was downloaded", async () => {
    const { id } = await confirmation();
    const before = await download(piotr, id);
    await piotr.put("/cp/api/doc-pwd/change/init");
    const authToken = await latestCode(way, PIOTR.phone);
    await piotr.put("/cp/api/doc-pwd/change/confirm", { authToken, password: "Dokument-2027!" });
    const after = await download(piotr, id);
    expect(textOf(before.bytes, DEMO_DOCUMENT_PASSWORD)).toContain(PIOTR.policyNo);
    expect(textOf(after.bytes, "Dokument-2027!")).toContain(PIOTR.policyNo);
    expect(() => textOf(after.bytes, DEMO_DOCUMENT_PASSWORD)).toThrow();
  });

  it("a document password that can't be opened any more has its own refusal, a log line and a metric", async () => {
    await way.change("update document_passwords set wrapped_key = ?", "A".repeat(80));
    const { status, body } = await piotr.get(`/cp/api/documents/${(await confirmation()).id}`);
    expect([status, body]).toEqual([400, { errorCode: "document-password-unreadable" }]);
    expect(way.logged.filter((line) => line.includes("document password unreadable"))).toHaveLength(1);
    expect(await metricsRegistry().metrics()).toMatch(/portal_document_passwords_unreadable_total [1-9]/);
  });

  it("somebody else's ids run the same statements as made-up ones, and are answered alike", async () => {
    await keep();
    const { id } = await documentOf(piotr, PIOTR.policyNo, LETTER.name);
    const own = await policyOf(piotr, PIOTR.policyNo);
    const anna = new Browser(way);
    await anna.signIn(ANNA);
    const run = async (path: string) => {
      const statements = recordStatements();
      const { status, body } = await anna.get(`/cp/api/${path}`);
      return { statements: statements(), status, body };
    };
    for (const [foreign, unknown] of [
      [`policies/${own.id}`, `policies/${NEVER}`],
      [`documents/${id}`, `documents/${NEVER}`],
      [`documents/confirmation-${own.id}`, `documents/confirmation-${NEVER}`],
    ] as const) {
      const seen = await run(foreign);
      // The session's statement, and the one for the requested item.
      expect(seen.statements.length).toBeGreaterThan(1);
      expect(await run(unknown)).toEqual(seen);
    }
  });

  it("an account's downloads in an hour are limited, and what doesn't exist isn't counted", async () => {
    await keep({ kind: "terms", name: "Warunki" });
    const { id } = await documentOf(piotr, PIOTR.policyNo, "Warunki");
    for (let nth = 0; nth < 5; nth += 1) await piotr.get(`/cp/api/documents/${NEVER}`);
    for (let nth = 0; nth < 3; nth += 1) expect((await download(piotr, id)).answer.status).toBe(200);
    const refused = await piotr.get(`/cp/api/documents/${id}`);
    expect([refused.status, refused.body]).toMatchObject([429, { errorCode: "rate-limited" }]);
    expect(await audited("document-downloaded")).toBe(3);
    // Terms are public, so his document password was not needed.
    expect(await audited("document-password-opened")).toBe(0);
    way.advance(60 * 60 * 1000);
    await piotr.signIn(PIOTR);
    expect((await download(piotr, id)).answer.status).toBe(200);
  });

  it("a part that was changed in the database is never given out", async () => {
    await keep({ kind: "terms", name: "Warunki" });
    const { id } = await documentOf(piotr, PIOTR.policyNo, "Warunki");
    await way.change("update document_parts set content_sealed = ?", Buffer.alloc(500));
    const answer = await piotr.fetch("GET", `/cp/api/documents/${id}`);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });
});
