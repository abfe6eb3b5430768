import { randomBytes } from "node:crypto";
import { sealDocumentPassword } from "~/backend/secrets/data-key.server";
import { putDocument } from "~/backend/services/documents/write-documents.server";
import { customerNumber, PASSWORD } from "../bench/accounts";
import { pdfWith } from "../../tests/pdf-file";
import type { Stored } from "../../tests/topology/seeding";

/** Almost as long as an imported document may be. */
const LETTER = pdfWith(randomBytes(4_900_000));

/** A customer who can sign in and has a large letter. */
export interface Addressee {
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly phone: string;
  readonly policyNo: string;
  readonly pid: string;
  readonly letterId: string;
}

/** Adds document passwords and letters for the first accounts of the bench. */
export async function seedLetters(stored: Stored, customers: number): Promise<readonly Addressee[]> {
  const store = await stored.openStore();
  const addressees: Addressee[] = [];
  for (let nth = 0; nth < customers; nth += 1) {
    const { policyNo, username, ...others } = customerNumber(nth);
    const letter = {
      policyNo,
      kind: "letter",
      name: "Pismo",
      issuedOn: "2026-03-01",
      content: LETTER,
    } as const;
    const letterId = await store.write(async (tx) => {
      const { id } = await tx
        .selectFrom("accounts")
        .select("id")
        .where("username", "=", username)
        .executeTakeFirstOrThrow();
      const { keyVersion, wrappedKey, sealed } = sealDocumentPassword(stored.keyring, id, "Dokument-2026!");
      const values = {
        key_version: keyVersion,
        wrapped_key: wrappedKey,
        password_sealed: sealed,
        changed_at: 0,
      };
      await tx
        .insertInto("document_passwords")
        .values({ account_id: id, ...values })
        .execute();
      await putDocument(tx, stored.keyring, letter);
      const kept = tx.selectFrom("documents").select("id").where("policy_no", "=", policyNo);
      return (await kept.executeTakeFirstOrThrow()).id;
    });
    addressees.push({ ...others, name: username, username, policyNo, password: PASSWORD, letterId });
  }
  await store.close();
  return addressees;
}
