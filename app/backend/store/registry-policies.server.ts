import type { DocumentKind, Product } from "~/contract/customer-area.server";
import {
  bytes,
  KEY_NUMBER,
  LINK,
  moment,
  nullable,
  number,
  ONE_WAY,
  plain,
  sealed,
  type Registered,
  leftOut,
} from "./registry-entry.server";

/** The beginning of the entry of a customer's rows. */
export const OF_CUSTOMER = {
  of: "customer",
  kept: () => "until the insurer changes or deletes it, or the person's data is erased",
  erasure: "deletes unless insured",
} as const;

/** The part of the registry about policies and documents, and what was taken back of them. */
export const POLICY_TABLES = {
  policies: {
    ...OF_CUSTOMER,
    as: "policies",
    about: "The policies that the portal shows.",
    columns: {
      policy_no: plain("policyNumber"),
      policy_no_compared: leftOut("the number again, without spaces and hyphens"),
      customer_id: LINK,
      name: plain("name"),
      valid_from: plain("validFrom"),
      valid_to: plain("validTo"),
      /** Random, so that the address of the policy's page says nothing about the policy. */
      id: plain("addressOfItsPage"),
      product: plain<Product>("product"),
      /** What the insurer says of its premium, as JSON. */
      premium_sealed: nullable(sealed("premium", "premium")),
      /** The day, in Poland, of the import that last changed the policy or its premium. */
      changed_on: nullable(plain("changedOn")),
    },
  },
  documents: {
    ...OF_CUSTOMER,
    as: "documents",
    about: "The documents of the policies. Each is in the folder documents, as a PDF named by its id.",
    columns: {
      id: plain("id"),
      policy_no: plain("policyNumber"),
      kind: plain<Exclude<DocumentKind, "confirmation">>("kind"),
      name: plain("name"),
      issued_on: plain("issuedOn"),
      /** Length of the content in bytes. */
      bytes: number(plain("bytes")),
      /** Keyed hash of the content. */
      content_mac: leftOut(ONE_WAY),
      key_version: KEY_NUMBER,
      wrapped_key: leftOut("an encryption key"),
    },
  },
  /** The content of documents, in order. */
  document_parts: {
    ...OF_CUSTOMER,
    as: null,
    about: "The content of the documents, which an export has as files.",
    erasure: { goesWith: "documents" } as const,
    columns: {
      document_id: LINK,
      nth: number(leftOut("a place in the order")),
      content_sealed: bytes(leftOut("a file")),
    },
  },
  /**
   * Rows that customers no longer see, and imports must not bring back. A document's row has a kind; a policy's has none.
   */
  taken_back: {
    ...OF_CUSTOMER,
    as: "takenBack",
    about: "Policies and documents that the portal showed and no longer shows.",
    kept: () => "until they are restored, or the person's data is erased",
    remark: () => "so that no import brings them back",
    columns: {
      /** The policy's or document's. */
      id: plain("id"),
      /** Who held the policy then. */
      customer_id: LINK,
      policy_no: plain("policyNumber"),
      policy_no_compared: leftOut("the number again, without spaces and hyphens"),
      taken_back_at: moment("takenBackAt"),
      kind: nullable(plain<Exclude<DocumentKind, "confirmation">>("kind")),
      name: nullable(plain("name")),
      issued_on: nullable(plain("issuedOn")),
      /** Hash of the content under the document's own key; null if that couldn't be read. */
      content_mac: nullable(leftOut(ONE_WAY)),
      key_version: nullable(KEY_NUMBER),
      wrapped_key: nullable(leftOut("an encryption key")),
      /** The policy that took the document along; null if it went alone. */
      with_policy: nullable(LINK),
    },
  },
  /** The rest of a row that was taken back, as long as it can be restored. */
  restorable: {
    ...OF_CUSTOMER,
    as: null,
    about: "What it takes to restore them, which may be about another person.",
    kept: ({ RESTORE_DAYS }) => `${RESTORE_DAYS} days`,
    setBy: ["RESTORE_DAYS"],
    expires: true,
    erasure: { goesWith: "taken_back" } as const,
    columns: {
      id: LINK,
      row_sealed: leftOut("it may be about another person"),
      ends_at: moment("restorableUntil"),
    },
  },
  restorable_parts: {
    ...OF_CUSTOMER,
    as: null,
    about: "The content of documents that were taken back.",
    kept: ({ RESTORE_DAYS }) => `${RESTORE_DAYS} days`,
    setBy: ["RESTORE_DAYS"],
    erasure: { goesWith: "restorable" } as const,
    columns: {
      document_id: LINK,
      nth: number(leftOut("a place in the order")),
      content_sealed: bytes(leftOut("a file that may be about another person")),
    },
  },
} satisfies Readonly<Record<string, Registered>>;
