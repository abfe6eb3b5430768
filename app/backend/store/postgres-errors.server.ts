import { DatabaseError } from "pg";
import { DatabaseUnavailable } from "./database-unavailable.server";

/**
 * PostgreSQL refused a statement. It is named by its code alone: the server's own words quote what was written, and
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
 * The server ends the connection (class 57P: shutting down; 08: protocol; 25P03: idle for too long), never lets it in
 * (28: role or password; 3D: no such database; 53300: too many), or has become one that only reads (25006). Or what the
 * connection keeps prepared is of no use (0A000: a later version has changed the table under it; 26000: it is gone).
 */
const CONNECTION_LOST = /^(57P..|08...|28...|3D...|25P03|25006|53300|0A000|26000)$/;
/** Too slow (a statement, a lock), or out of memory, disk or something else of the system. */
const OUT_OF_RESOURCES = /^(57014|55P03|53...|58...)$/;

/** Tells a refused statement from a database that can't be reached. Whatever isn't the server's own word is the latter. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof DatabaseError)) return { error: unavailable(codeOf(error)), isLost: true };
  const code = error.code ?? "unknown";
  if (CONNECTION_LOST.test(code)) return { error: unavailable(code), isLost: true };
  if (OUT_OF_RESOURCES.test(code)) return { error: unavailable(code), isLost: false };
  return { error: new StatementRefused(error), isLost: false };
}

function unavailable(code: string): DatabaseUnavailable {
  return new DatabaseUnavailable(`PostgreSQL cannot be used now: ${WORDS[code] ?? code}`);
}

/** What an operator can do something about, in words; never with a host, a role or a password. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "its host name could not be resolved",
  EAI_AGAIN: "its host name could not be resolved for now",
  ENOENT: "the socket does not exist",
  "28000": "it refuses the role",
  "28P01": "it refuses the role or its password",
  "3D000": "it has no such database",
  "53300": "it has no connection left",
  "0A000": "its tables have changed",
  "57P03": "it is starting or stopping",
  "57014": "a statement took too long",
  "55P03": "a lock took too long",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate cannot be verified (DATABASE_CA_FILE)",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate cannot be verified (DATABASE_CA_FILE)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate cannot be verified (DATABASE_CA_FILE)",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate cannot be verified (DATABASE_CA_FILE)",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is another host's",
  CERT_HAS_EXPIRED: "its certificate has expired",
};

/** Node's code, or the driver's own sentence: none of its sentences has anything of a connection's settings in it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  // One for each address of a host that has several.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error.message.includes("timeout")) return "it does not answer in time";
  return error.message.includes("SSL") ? "it offers no TLS (DATABASE_TLS)" : "the connection ended";
}
