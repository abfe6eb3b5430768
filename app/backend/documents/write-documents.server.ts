import { randomUUID } from "node:crypto";
import { isSameContent, rewrapContent, sealContent } from "../secrets/data-key.server";
import type { Keyring } from "../secrets/keyring.server";
import type { Reader, Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";

/** A document to keep. Policy, kind, name and day of issue identify it. */
export interface KeptDocument {
  readonly policyNo: string;
  readonly kind: Tables["documents"]["kind"];
  readonly name: string;
  /** `YYYY-MM-DD` */
  readonly issuedOn: string;
  readonly content: Buffer;
}

export type DocumentChange = "new" | "changed" | "unchanged";

/** Whether a document is kept already, with exactly this content. */
export async function isKept(reader: Reader, keyring: Keyring, document: KeptDocument): Promise<boolean> {
  return (await keptContent(reader, keyring, document)) === "same";
}

/** The content under which a document is kept already, compared with this one. */
export async function keptContent(
  reader: Reader,
  keyring: Keyring,
  document: KeptDocument,
): Promise<"none" | "same" | "other"> {
  const kept = await findKept(reader, document);
  if (!kept) return "none";
  return isSameContent(keyring, kept.content_mac, document.content) ? "same" : "other";
}

function findKept(reader: Reader, { policyNo, kind, name, issuedOn }: KeptDocument) {
  return reader
    .selectFrom("documents")
    .select(["id", "content_mac"])
    .where("policy_no", "=", policyNo)
    .where("kind", "=", kind)
    .where("name", "=", name)
    .where("issued_on", "=", issuedOn)
    .executeTakeFirst();
}

/**
 * Stores a document, encrypted. If it is kept already, only its content is replaced; the id stays.
 */
export async function putDocument(tx: Tx, keyring: Keyring, document: KeptDocument): Promise<DocumentChange> {
  const { policyNo, kind, name, issuedOn, content } = document;
  const kept = await findKept(tx, document);
  if (kept && isSameContent(keyring, kept.content_mac, content)) return "unchanged";
  const id = kept?.id ?? randomUUID();
  const { contentMac, keyVersion, wrappedKey, parts } = sealContent(keyring, id, content);
  const values = {
    bytes: content.byteLength,
    content_mac: contentMac,
    key_version: keyVersion,
    wrapped_key: wrappedKey,
  };
  if (kept) {
    await tx.deleteFrom("document_parts").where("document_id", "=", id).execute();
    await tx.updateTable("documents").set(values).where("id", "=", id).execute();
  } else {
    const row = { id, policy_no: policyNo, kind, name, issued_on: issuedOn, ...values };
    await tx.insertInto("documents").values(row).execute();
  }
  for (const [nth, part] of parts.entries())
    await tx.insertInto("document_parts").values({ document_id: id, nth, content_sealed: part }).execute();
  return kept ? "changed" : "new";
}

/** The key of a document, moved to the current root key (S84). */
export function rewrappedKey(
  keyring: Keyring,
  row: Pick<Tables["documents"], "id" | "key_version" | "wrapped_key">,
): Pick<Tables["documents"], "key_version" | "wrapped_key"> {
  const kept = { keyVersion: row.key_version, wrappedKey: row.wrapped_key };
  const { keyVersion, wrappedKey } = rewrapContent(keyring, row.id, kept);
  return { key_version: keyVersion, wrapped_key: wrappedKey };
}
