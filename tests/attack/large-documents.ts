import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { PIOTR } from "../demo-customers";
import { runCommand } from "../operator-command";
import { pdfWith } from "../pdf-file";
import type { Portal } from "../portal";
import { Visitor } from "../visitor";

/** Almost as long as an imported document may be. */
export const LARGE = pdfWith(randomBytes(4_900_000));

/** PIOTR, signed in, and the ids of his documents. */
export interface Reader {
  readonly visitor: Visitor;
  readonly ids: Readonly<Record<"confirmation" | "letter" | "terms", string>>;
}

/** Imports two large documents for PIOTR, one of them public, while the portal serves; then signs him in. */
export async function readerOf(portal: Portal): Promise<Reader> {
  await importDocuments(portal);
  const visitor = new Visitor(portal);
  await visitor.signIn(PIOTR);
  const id = /\/cp\/policy\/[\w-]+(?="[^>]*>OC\u00a0– Škoda Octavia)/.exec(
    (await visitor.get("/cp")).body,
  )?.[0];
  const { body } = await visitor.get(id ?? "");
  const named = (name: string) => new RegExp(`${name}[^]*?/cp/document/([\\w-]+)`).exec(body)?.[1] ?? "";
  const ids = {
    confirmation: named("Potwierdzenie ubezpieczenia"),
    letter: named("Duże pismo"),
    terms: named("Duże warunki"),
  };
  return { visitor, ids };
}

async function importDocuments(portal: Portal): Promise<void> {
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
  const { code, stderr } = await runCommand({ DATA_DIR: portal.dataDir }, [
    "import",
    join(folder, "import.jsonl"),
  ]);
  rmSync(folder, { recursive: true });
  expect([code, stderr]).toEqual([0, ""]);
}

/** A requested download. */
export interface Asked {
  /** Its answer, unread. */
  readonly answer: Promise<IncomingMessage>;
  /** Makes the client hang up. */
  readonly leave: () => void;
}

/** Asks for a document, at a page or at a call. */
export function askFor({ port }: Portal, { visitor }: Reader, path: string): Asked {
  const cookie = [...visitor.cookies].map((pair) => pair.join("=")).join("; ");
  // A connection of its own: one that has already carried a document takes the next one whole, read or not.
  const sent = request({ port, host: "127.0.0.1", path, headers: { Cookie: cookie }, agent: false });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on("response", resolve).on("error", reject);
  });
  // A client that has hung up needs no answer.
  answer.catch(() => undefined);
  sent.end();
  return { answer, leave: () => sent.destroy() };
}

/** Reads an answer to its end. */
export async function bytesOf(answer: IncomingMessage, meanwhile?: () => Promise<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of answer) {
    pieces.push(piece as Buffer);
    await meanwhile?.();
  }
  return Buffer.concat(pieces);
}
