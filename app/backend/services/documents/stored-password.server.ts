import { counter } from "~/platform/telemetry/metrics.server";
import type { Refusal } from "~/contract/refusal.server";
import type { Caller } from "../../caller.server";
import { done, type Outcome } from "../../outcome.server";
import type { Dependencies } from "../../dependencies.server";
import { openDocumentPassword } from "../../secrets/document-password.server";
import { audit } from "../audit/write-event.server";

/** The customer has to set one first (contract: customer area). */
const PASSWORD_MISSING: Refusal = { kind: "refused", errorCode: "document-password-missing" };
/** The key is gone, or the row was changed. Only a new password helps, and an operator must know. */
const PASSWORD_UNREADABLE: Refusal = { kind: "refused", errorCode: "document-password-unreadable" };

const unreadable = counter(
  {
    name: "portal_document_passwords_unreadable_total",
    help: "Document passwords that no longer open: their key is missing, or they were changed",
  },
  {},
);

/** Decrypts the document password of an account. Audited before it happens. */
export async function storedDocumentPassword(
  { store, keyring, clock, log }: Dependencies,
  caller: Caller,
  accountId: string,
): Promise<Outcome<string>> {
  const row = await store.read
    .selectFrom("document_passwords")
    .select(["key_version", "wrapped_key", "password_sealed"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!row) return PASSWORD_MISSING;
  await store.write((tx) => audit(tx, caller, clock(), { event: "document-password-opened", accountId }));
  try {
    const kept = { keyVersion: row.key_version, wrappedKey: row.wrapped_key, sealed: row.password_sealed };
    return done(openDocumentPassword(keyring, accountId, kept));
  } catch (error) {
    log.error({ err: error, accountId, requestId: caller.requestId }, "document password unreadable");
    unreadable.inc({});
    return PASSWORD_UNREADABLE;
  }
}
