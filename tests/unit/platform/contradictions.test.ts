import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { describe, expect, it } from "vitest";
import { readEnvironment } from "~/platform/config/environment.server";

const problemsOf = (source: Readonly<Record<string, string>>) => {
  const reading = readEnvironment(source);
  return reading.ok ? [] : reading.problems;
};

const DATABASE = "postgres://portal@127.0.0.1/portal";

/** A file with an arbitrary certificate. */
function certificateFile(): string {
  const file = join(mkdtempSync(join(tmpdir(), "certificate-")), "ca.pem");
  writeFileSync(file, rootCertificates[0] ?? "");
  return file;
}

describe("a variable", () => {
  it.each<[Record<string, string>, string]>([
    [
      { BACKEND_URL: "https://backend.example", DATABASE_URL: DATABASE },
      "DATABASE_URL: expected only without BACKEND_URL",
    ],
    [{ MIGRATION_DATABASE_URL: DATABASE }, "MIGRATION_DATABASE_URL: expected only with DATABASE_URL"],
    [{ AUDIT_DATABASE_ROLE: "portal_audit" }, "AUDIT_DATABASE_ROLE: expected only with DATABASE_URL"],
    [
      { DATABASE_URL: DATABASE, DATABASE_TLS: "off", DATABASE_CA_FILE: certificateFile() },
      "DATABASE_CA_FILE: expected only with TLS (DATABASE_TLS)",
    ],
    [
      { LIMIT_LOCK_SECONDS: "900", LIMIT_LOCK_MAX_SECONDS: "60" },
      "LIMIT_LOCK_MAX_SECONDS: expected at least LIMIT_LOCK_SECONDS",
    ],
  ])("[S116, S122] that contradicts another is named: %o", (source, problem) => {
    expect(problemsOf(source)).toEqual([problem]);
  });

  it("of the nginx template may stand beside the portal's", () => {
    expect(problemsOf({ PORTAL_SERVERS: "server 127.0.0.1:3001;" })).toEqual([]);
  });
});
