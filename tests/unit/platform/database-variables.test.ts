import { describe, expect, it } from "vitest";
import { readEnvironment } from "~/platform/config/environment.server";

const addressOf = (DATABASE_URL: string) => {
  const reading = readEnvironment({ DATABASE_URL });
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  return reading.environment.DATABASE_URL;
};

describe("DATABASE_URL", () => {
  it("says where PostgreSQL is and which role connects", () => {
    const rest = { user: "portal", password: "p@ss:/?#", database: "polisy" };
    const at = (host: string) => `postgres://portal:p%40ss%3A%2F%3F%23@${host}/polisy`;
    expect(addressOf(at("db.example:6432"))).toEqual({ host: "db.example", port: 6432, ...rest });
    expect(addressOf(at("[::1]"))).toEqual({ host: "::1", port: 5432, ...rest });
    expect(addressOf("postgresql://portal@/polisy?host=/var/run/postgresql")).toEqual({
      host: "/var/run/postgresql",
      port: 5432,
      user: "portal",
      password: "",
      database: "polisy",
    });
  });

  it.each([
    ["one that isn't an address", "kanarek"],
    ["one of another database", "mysql://portal:kanarek@db/polisy"],
    ["one without a role", "postgres://db/kanarek"],
    ["one without a database", "postgres://portal:kanarek@db/"],
    ["one without a host", "postgres://portal:kanarek@/polisy"],
    ["one with a broken escape", "postgres://portal:kanarek%zz@db/polisy"],
    ["[S90] one that would weaken TLS", "postgres://portal:kanarek@db/polisy?sslmode=no-verify"],
    ["[S90] one that asks for TLS in its own way", "postgres://portal:kanarek@db/polisy?sslmode=require"],
    ["one with another host in a parameter", "postgres://portal:kanarek@db/polisy?host=/tmp"],
  ])("is refused in one line that repeats nothing of it: %s", (_, DATABASE_URL) => {
    const reading = readEnvironment({ DATABASE_URL });
    const problems = reading.ok ? [] : reading.problems;
    expect(problems).toEqual([
      expect.stringMatching(/^DATABASE_URL: expected postgres:\/\/role:password@host/),
    ]);
    expect(problems.join("")).not.toContain("kanarek");
  });
});
