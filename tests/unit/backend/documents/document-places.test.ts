import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import type { CallResponse } from "~/contract/calls.server";
import { readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { putDocument } from "~/backend/documents/write-documents.server";
import { defaultLimits } from "~/platform/config/limits";
import { Slots } from "~/platform/slots.server";
import { Browser } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, PIOTR } from "../../../demo-customers";
import { pdfWith } from "../../../pdf-file";
import { recordStatements } from "../store/recorded-statements";
import { openStoreBeside } from "../test-place";
import { PATIENT_PDF } from "./shared-pdf-work";
import { openTestBackend, type TestBackend } from "../test-backend";

/** Several parts in the database. */
const CONTENT = pdfWith(Buffer.alloc(600_000));
const PARTS = 3;
const LETTER = { name: "Pismo", issuedOn: "2026-03-01", content: CONTENT } as const;

/** A download without a place is refused after this. */
const SOON_MS = 3000;

onAnyDatabase((kind) => {
  let way: TestBackend;
  let piotr: Browser;
  let anna: Browser;
  /** The addresses of their documents. */
  let letterOfPiotr: string;
  let termsOfPiotr: string;
  let termsOfAnna: string;
  afterEach(async () => {
    vi.restoreAllMocks();
    await way.close();
  });

  const open = async (places: number, PDF_MS = PATIENT_PDF.PDF_MS) => {
    const limits = { ...defaultLimits("demo"), DOCUMENT_PLACES: places, PDF_MS };
    way = await openTestBackend({ kind, limits });
    await keep();
    [piotr, anna] = [new Browser(way), new Browser(way)];
    await piotr.signIn(PIOTR);
    await anna.signIn(ANNA);
    letterOfPiotr = await addressOf(piotr, PIOTR.policyNo, "letter");
    termsOfPiotr = await addressOf(piotr, PIOTR.policyNo, "terms");
    termsOfAnna = await addressOf(anna, ANNA.policyNo, "terms");
  };
  const keep = async () => {
    const store = await openStoreBeside(way.place);
    const keyring = readOrMakeKeyFile(join(way.dataDir, "keys.json"), true);
    await store.write(async (tx) => {
      await putDocument(tx, keyring, { ...LETTER, policyNo: PIOTR.policyNo, kind: "letter" });
      await putDocument(tx, keyring, { ...LETTER, policyNo: PIOTR.policyNo, kind: "terms" });
      await putDocument(tx, keyring, { ...LETTER, policyNo: ANNA.policyNo, kind: "terms" });
    });
    await store.close();
  };
  const addressOf = async (browser: Browser, policyNo: string, sought: string) => {
    const { policies } = (await browser.get("/cp/api/policies")).body as CallResponse<"policies">;
    const policyId = policies.find((policy) => policy.policyNo === policyNo)?.id ?? "";
    const { documents } = (await browser.get(`/cp/api/policies/${policyId}`)).body as CallResponse<"policy">;
    const found = documents.find((each) => each.kind === sought && each.name === LETTER.name);
    return `/cp/api/documents/${found?.id ?? ""}`;
  };
  const ask = (browser: Browser, path: string) => browser.fetch("GET", path);
  const partsRead = (statements: readonly string[]) =>
    statements.filter((text) => text.includes("document_parts")).length;

  it("[S128] without a place nothing of a document is read, and the answer is 503 with a time", async () => {
    await open(1, SOON_MS);
    const first = await ask(anna, termsOfAnna);
    const statements = recordStatements();
    const refused = await ask(piotr, letterOfPiotr);
    expect(partsRead(statements())).toBe(0);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "2"]);
    expect(Buffer.from(await first.arrayBuffer()).equals(CONTENT)).toBe(true);
    // The place is free only once the sender, too, has noticed the end of the answer.
    await expect.poll(async () => (await ask(piotr, letterOfPiotr)).status).toBe(200);
  });

  it("[S128] a download that is refused for lack of a place doesn't count among those of the hour", async () => {
    await open(1, SOON_MS);
    const first = await ask(anna, termsOfAnna);
    const count = async () =>
      (await way.query("select * from windows where bucket like 'documents|%'")).length;
    const before = await count();
    expect((await ask(piotr, letterOfPiotr)).status).toBe(503);
    expect(await count()).toBe(before);
    await first.body?.cancel();
  });

  it.each(["read to its end", "cancelled", "cancelled after a piece"])(
    "[S128] an answer that is %s gives its place to the next",
    async (how) => {
      await open(1);
      const first = await ask(anna, termsOfAnna);
      const next = ask(piotr, letterOfPiotr);
      if (how === "read to its end") await first.arrayBuffer();
      else {
        const reader = first.body?.getReader();
        if (how === "cancelled after a piece") await reader?.read();
        await reader?.cancel();
      }
      expect((await next).status).toBe(200);
    },
  );

  it("[S128] a refusal gives its place back", async () => {
    await open(1);
    await way.change("delete from document_passwords");
    expect((await ask(piotr, letterOfPiotr)).status).toBe(400);
    expect((await ask(anna, termsOfAnna)).status).toBe(200);
  });

  it("[S128] the fourth unfinished download of a customer is told to wait; another customer's is not", async () => {
    await open(12);
    const unread: Response[] = [];
    for (let nth = 0; nth < 3; nth += 1) unread.push(await ask(piotr, termsOfPiotr));
    const fourth = await ask(piotr, letterOfPiotr);
    expect([fourth.status, await fourth.json()]).toMatchObject([429, { errorCode: "rate-limited" }]);
    expect((await ask(anna, termsOfAnna)).status).toBe(200);
    await unread[0]?.arrayBuffer();
    expect((await ask(piotr, letterOfPiotr)).status).toBe(200);
  });

  it.each(["letter", "terms"])("[S128] each part of a document is read in its turn: %s", async (which) => {
    await open(12);
    const statements = recordStatements();
    const turns = vi.spyOn(Slots.prototype, "take");
    await (await ask(piotr, which === "letter" ? letterOfPiotr : termsOfPiotr)).arrayBuffer();
    // One turn is the download's own place.
    expect(turns).toHaveBeenCalledTimes(1 + PARTS);
    if (kind === "postgres") expect(partsRead(statements())).toBe(PARTS);
  });
});
