import { TO_DROP } from "./previous-release.server";
import { REGISTRY } from "./registry.server";
import type { Tables } from "./tables.server";

/** A right on a table, or on some of its columns. */
interface TableRight {
  readonly right: "select" | "insert" | "update" | "delete";
  readonly table: keyof Tables | "kysely_migration" | (typeof TO_DROP)[number];
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
 * What no page of the help desk needs: hashes that are compared with what opens an account, secrets and keys of second
 * factors, and the codes in messages.
 */
const UNREADABLE: { readonly [Table in keyof Tables]?: readonly (keyof Tables[Table])[] } = {
  accounts: ["password_hash", "pepper_version", "passkey_user_handle"],
  codes: ["browser_hash", "code_mac", "payload_mac"],
  document_passwords: ["key_version", "wrapped_key", "password_sealed"],
  factor_settings: ["recovery_sealed"],
  factors: ["secret_sealed", "last_step"],
  login_passes: ["browser_hash"],
  messages: ["text_sealed"],
  passkey_challenges: ["browser_hash", "challenge"],
  passkeys: ["public_key_sealed", "user_handle"],
  prepared_factors: ["secret_sealed", "session_id"],
  sessions: ["id"],
  trusted_devices: ["token_hash", "family_hash", "earlier_hash", "browser_hash"],
};

const READ = [
  ...ENDED,
  "accounts",
  "codes",
  "customers",
  "document_passwords",
  "facts",
  "messages",
  "policies",
  "staff_requests",
] as const;

/** The right to read a table without what no page needs. */
function readable(table: keyof Tables): TableRight {
  const hidden: readonly string[] = UNREADABLE[table] ?? [];
  const columns = Object.keys(REGISTRY[table].columns).filter((column) => !hidden.includes(column));
  return { right: "select", table, columns };
}

/**
 * The rights of the help desk's pages on PostgreSQL besides writing to the audit (S90): what the functions
 * that they call need. None of them sets a password or a username, and none is about documents.
 */
export const HELP_DESK_RIGHTS: readonly TableRight[] = [
  ...READ.map(readable),
  ...on("select", ["kysely_migration"]),
  ...TO_DROP.map((table) => ({ right: "select", table, columns: ["id", "due_at"] }) as const),
  ...on("delete", [...ENDED, "staff_requests"]),
  ...on("insert", ["messages", "staff_requests", "windows"]),
  { right: "update", table: "attempts", columns: ["tries", "level", "blocked_until", "run"] },
  { right: "update", table: "windows", columns: ["count", "ends_at"] },
  { right: "update", table: "codes", columns: ["ends_at"] },
  { right: "update", table: "factor_settings", columns: ["wrong_in_row"] },
  { right: "update", table: "accounts", columns: ["state", "has_factors"] },
  {
    right: "update",
    table: "customers",
    columns: ["phone_sealed", "new_phone_sealed", "new_phone_from", "phone_index", "new_phone_index"],
  },
];
