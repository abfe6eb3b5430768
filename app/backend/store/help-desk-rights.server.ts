import type { Tables } from "./tables.server";

/** A right on a table, or on some of its columns. */
interface TableRight {
  readonly right: "select" | "insert" | "update" | "delete";
  readonly table: keyof Tables | "kysely_migration";
  readonly columns?: readonly string[];
}

const on = (right: TableRight["right"], tables: readonly TableRight["table"][]): readonly TableRight[] =>
  tables.map((table) => ({ right, table }));

/** What an act deletes whole: access that ends, and what was counted against it. */
const ENDED = [
  "attempts",
  "factor_settings",
  "factors",
  "known_browsers",
  "login_passes",
  "passkey_challenges",
  "passkeys",
  "prepared_factors",
  "sessions",
  "trusted_devices",
  "windows",
] as const;

/**
 * The rights of the help desk's pages on PostgreSQL besides writing to the audit (S90): those of the functions that they
 * call. None of them sets a password or a username, and none is about documents.
 */
export const HELP_DESK_RIGHTS: readonly TableRight[] = [
  ...on("select", [
    ...ENDED,
    "accounts",
    "codes",
    "customers",
    "facts",
    "kysely_migration",
    "mail_queue",
    "messages",
    "policies",
    "sms_queue",
    "staff_requests",
  ]),
  { right: "select", table: "document_passwords", columns: ["account_id", "changed_at"] },
  ...on("delete", [...ENDED, "staff_requests"]),
  ...on("insert", ["messages", "staff_requests", "windows"]),
  ...on("update", ["attempts", "codes", "factor_settings", "messages", "windows"]),
  { right: "update", table: "accounts", columns: ["state", "has_factors"] },
  {
    right: "update",
    table: "customers",
    columns: ["phone_sealed", "new_phone_sealed", "new_phone_from", "phone_index", "new_phone_index"],
  },
];
