import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PIOTR } from "../demo-customers";
import { runCommand } from "../operator-command";
import { pdfWith } from "../pdf-file";
import { textOf } from "../pdf-tools";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";

const AT_ONCE = 50;
const PASSWORD = "Dokument-2026!";
/** Almost as long as an imported document may be. */
const LARGE = pdfWith(randomBytes(4_900_000));

let portal: Portal;
let piotr: Visitor;
let documents: Readonly<Record<"confirmation" | "letter" | "terms", string>>;
beforeAll(async () => {
  portal = await startPortal();
  importDocuments();
  piotr = new Visitor(portal);
  await piotr.signIn(PIOTR);
  const id = /\/cp\/policy\/[\w-]+(?="[^>]*>OC – Škoda Octavia)/.exec((await piotr.get("/cp")).body)?.[0];
  const { body } = await piotr.get(id ?? "");
  const named = (name: string) => new RegExp(`${name}[^]*?(/cp/document/[\\w-]+)`).exec(body)?.[1] ?? "";
  documents = {
    confirmation: named("Potwierdzenie ubezpieczenia"),
    letter: named("Duże pismo"),
    terms: named("Duże warunki"),
  };
});
afterAll(() => portal.stop());

/** Two large documents for Piotr, one of them public, while the portal serves. */
function importDocuments(): void {
  const folder = mkdtempSync(join(tmpdir(), "portal-import-"));
  writeFileSync(join(folder, "large.pdf"), LARGE);
  const document = { issuedOn: "2026-03-01", file: "large.pdf" };
  const policies = [
    {
      policyNo: PIOTR.policyNo,
      name: "OC – Škoda Octavia",
      validFrom: "2026-01-01",
      validTo: "2099-12-31",
      documents: [
        { ...document, name: "Duże pismo", kind: "letter" },
        { ...document, name: "Duże warunki", kind: "terms" },
      ],
    },
  ];
  const { name, phone, pid } = PIOTR;
  writeFileSync(
    join(folder, "import.jsonl"),
    JSON.stringify({ kind: "individual", name, phone, pid, policies }),
  );
  const { code, stderr } = runCommand({ DATA_DIR: portal.dataDir }, [
    "import-policyholders",
    join(folder, "import.jsonl"),
  ]);
  rmSync(folder, { recursive: true });
  expect([code, stderr]).toEqual([0, ""]);
}

/** The answer to a download, unread. */
function begin(path: string): Promise<IncomingMessage> {
  const cookie = [...piotr.cookies].map((pair) => pair.join("=")).join("; ");
  return new Promise((resolve, reject) => {
    request({ port: portal.port, host: "127.0.0.1", path, headers: { Cookie: cookie } }, resolve)
      .on("error", reject)
      .end();
  });
}

async function bytesOf(answer: IncomingMessage, meanwhile?: () => Promise<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of answer) {
    pieces.push(piece as Buffer);
    await meanwhile?.();
  }
  return Buffer.concat(pieces);
}

test("fifty downloads at once all arrive and open, and the sign-in page is served meanwhile", async () => {
  const downloads = Promise.all(
    Array.from({ length: AT_ONCE }, async () => bytesOf(await begin(documents.confirmation))),
  );
  expect((await new Visitor(portal).get("/home")).status).toBeLessThan(400);
  const files = await downloads;
  for (const file of files) expect(file.subarray(0, 5).toString()).toBe("%PDF-");
  expect(textOf(files.at(-1) ?? Buffer.alloc(0), PASSWORD)).toContain(PIOTR.policyNo);
});

test.each(["letter", "terms"] as const)(
  "a large document arrives whole even if the reader pauses between two pieces: %s",
  async (which) => {
    const answer = await begin(documents[which]);
    expect(answer.statusCode).toBe(200);
    let pieces = 0;
    const bytes = await bytesOf(answer, async () => {
      pieces += 1;
      if (pieces % 10 === 0) await new Visitor(portal).get("/healthz");
    });
    expect(bytes.byteLength).toBe(Number(answer.headers["content-length"]));
    expect(bytes.equals(LARGE)).toBe(which === "terms");
  },
);

test.each(["letter", "terms", "confirmation"] as const)(
  "a reader who goes away in the middle disturbs nobody else: %s",
  async (which) => {
    for (let nth = 0; nth < 5; nth += 1) {
      const answer = await begin(documents[which]);
      answer.destroy();
    }
    expect((await bytesOf(await begin(documents.terms))).equals(LARGE)).toBe(true);
    expect((await piotr.get("/cp")).status).toBe(200);
    expect(portal.log()).not.toMatch(/"level":"(error|fatal)"|"level":[56]0/);
  },
);
