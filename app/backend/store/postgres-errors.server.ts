import type { DatabaseError } from "pg";
import { DatabaseUnavailable } from "./database-unavailable.server";
import { postgresDriver } from "./postgres-driver.server";

/**
 * PostgreSQL refused a statement. The message has only the code, because the server's own message quotes data, and
 * errors are logged (S93).
 */
export class StatementRefused extends Error {
  override readonly name = "StatementRefused";
  /** SQLSTATE (PostgreSQL, Appendix A). */
  readonly code: string;

  constructor({ code = "unknown", table, constraint }: DatabaseError) {
    const where = [table, constraint].filter((part) => part !== undefined).join(", ");
    super(`PostgreSQL refused a statement: ${code}${where === "" ? "" : ` (${where})`}`);
    this.code = code;
  }
}

/** A failed statement, and whether its connection is still usable. */
export interface Failure {
  readonly error: DatabaseUnavailable | StatementRefused;
  readonly isLost: boolean;
}

/**
 * The connection is of no more use:
 * - the server closes it (57P: shutting down; 08: protocol; 25P03: idle for too long)
 * - or doesn't accept it (28: role or password; 3D: no such database; 53300: too many)
 * - or has become read-only (25006)
 * - its prepared statements are useless (0A000: a later version has changed the table; 26000: the statement is gone)
 */
const CONNECTION_LOST = /^(57P..|08...|28...|3D...|25P03|25006|53300|0A000|26000)$/;
/** A statement or a lock took too long, or the system ran out of memory, disk or the like. */
const OUT_OF_RESOURCES = /^(57014|55P03|53...|58...)$/;

/** SQLSTATE: read_only_sql_transaction, disk_full, io_error. */
const TAKES_NO_WRITES: ReadonlySet<string> = new Set(["25006", "53100", "58030"]);
/** SQLSTATE: insufficient_privilege. */
export const NOT_ALLOWED = "42501";

/** Tells a refused statement from an unavailable database. Any error that isn't the server's own means unavailable. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof postgresDriver().DatabaseError))
    return { error: unavailable(codeOf(error)), isLost: true };
  const code = error.code ?? "unknown";
  if (CONNECTION_LOST.test(code)) return { error: unavailable(code), isLost: true };
  if (OUT_OF_RESOURCES.test(code)) return { error: unavailable(code), isLost: false };
  return { error: new StatementRefused(error), isLost: false };
}

function unavailable(code: string): DatabaseUnavailable {
  const takesNoWrites = TAKES_NO_WRITES.has(code);
  return new DatabaseUnavailable(`PostgreSQL cannot be used now: ${WORDS[code] ?? code}`, { takesNoWrites });
}

/** Problems an operator can fix, in words; never with a host, a role or a password. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "its host name could not be resolved",
  EAI_AGAIN: "its host name could not be resolved temporarily",
  ENOENT: "the socket does not exist",
  "28000": "it refuses the role",
  "28P01": "it refuses the role or its password",
  "3D000": "it has no such database",
  "25006": "it takes no writes",
  "53100": "its disk is full",
  "53200": "it is out of memory",
  "53300": "it has no connections left",
  "58030": "its disk fails",
  "0A000": "its tables have changed",
  "57P03": "it is starting or stopping",
  "57014": "a statement took too long",
  "55P03": "a lock took too long",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate cannot be verified (DATABASE_CA_FILE)",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate cannot be verified (DATABASE_CA_FILE)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate cannot be verified (DATABASE_CA_FILE)",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate cannot be verified (DATABASE_CA_FILE)",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  CERT_HAS_EXPIRED: "its certificate has expired",
};

/** Node's error code, or our own words. Neither contains connection settings. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  // Node tries every address of a host and collects the errors.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error.message.includes("timeout")) return "it did not answer in time";
  return error.message.includes("SSL") ? "it offers no TLS (DATABASE_TLS)" : "the connection was closed";
}
