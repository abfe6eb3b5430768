import {
  type Entry,
  KEY_NUMBER,
  LINK,
  moment,
  ONE_WAY,
  plain,
  under,
  without,
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
      policy_no_compared: without("the number again, without spaces and hyphens"),
      customer_id: LINK,
      name: plain("name"),
      valid_from: plain("validFrom"),
      valid_to: plain("validTo"),
      id: plain("addressOfItsPage"),
      product: plain("product"),
    },
  },
  documents: {
    ...OF_CUSTOMER,
    as: "documents",
    about: "The documents of the policies. Each is in the folder documents, as a PDF named by its id.",
    columns: {
      id: plain("id"),
      policy_no: plain("policyNumber"),
      kind: plain("kind"),
      name: plain("name"),
      issued_on: plain("issuedOn"),
      bytes: plain("bytes"),
      content_mac: under("rewritten", ONE_WAY),
      key_version: KEY_NUMBER,
      wrapped_key: under("row", "an encryption key"),
    },
  },
  document_parts: {
    ...OF_CUSTOMER,
    as: null,
    about: "The content of the documents, which an export has as files.",
    erasure: { goesWith: "documents" },
    columns: {
      document_id: LINK,
      nth: without("a place in the order"),
      content_sealed: under("row", "a file"),
    },
  },
  taken_back: {
    ...OF_CUSTOMER,
    as: "takenBack",
    about: "Policies and documents that the portal showed and no longer shows.",
    kept: () => "until they are restored, or the person's data is erased",
    remark: () => "so that no import brings them back",
    columns: {
      id: plain("id"),
      customer_id: LINK,
      policy_no: plain("policyNumber"),
      policy_no_compared: without("the number again, without spaces and hyphens"),
      taken_back_at: moment("takenBackAt"),
      kind: plain("kind"),
      name: plain("name"),
      issued_on: plain("issuedOn"),
      content_mac: under("row", ONE_WAY),
      key_version: KEY_NUMBER,
      wrapped_key: under("row", "an encryption key"),
      with_policy: LINK,
    },
  },
  restorable: {
    ...OF_CUSTOMER,
    as: null,
    about: "What it takes to restore them, which may be about another person.",
    kept: ({ RESTORE_DAYS }) => `${RESTORE_DAYS} days`,
    setBy: ["RESTORE_DAYS"],
    expires: true,
    erasure: { goesWith: "taken_back" },
    columns: {
      id: LINK,
      row_sealed: under("prefix", "it may be about another person"),
      ends_at: moment("restorableUntil"),
    },
  },
  restorable_parts: {
    ...OF_CUSTOMER,
    as: null,
    about: "The content of documents that were taken back.",
    kept: ({ RESTORE_DAYS }) => `${RESTORE_DAYS} days`,
    setBy: ["RESTORE_DAYS"],
    erasure: { goesWith: "restorable" },
    columns: {
      document_id: LINK,
      nth: without("a place in the order"),
      content_sealed: under("row", "a file that may be about another person"),
    },
  },
} satisfies {
  readonly [Table in
    | "policies"
    | "documents"
    | "document_parts"
    | "taken_back"
    | "restorable"
    | "restorable_parts"]: Entry<Table>;
};
