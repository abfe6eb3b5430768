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
    const of = (host: string) => `postgres://portal:p%40ss%3A%2F%3F%23@${host}/polisy`;
    expect(addressOf(of("db.example:6432"))).toEqual({ host: "db.example", port: 6432, ...rest });
    expect(addressOf(of("[::1]"))).toEqual({ host: "::1", port: 5432, ...rest });
    expect(addressOf("postgresql://portal@/polisy?host=/var/run/postgresql")).toEqual({
      host: "/var/run/postgresql",
      port: 5432,
      user: "portal",
      password: "",
      database: "polisy",
    });
  });

  it.each([
    ["nothing of the kind", "kanarek"],
    ["another database's", "mysql://portal:kanarek@db/polisy"],
    ["no role", "postgres://db/kanarek"],
    ["no database", "postgres://portal:kanarek@db/"],
    ["no host", "postgres://portal:kanarek@/polisy"],
    ["a broken escape", "postgres://portal:kanarek%zz@db/polisy"],
    ["[S90] a parameter that could switch TLS off", "postgres://portal:kanarek@db/polisy?sslmode=no-verify"],
    ["[S90] one that promises more than is known", "postgres://portal:kanarek@db/polisy?sslmode=require"],
    ["another host in a parameter", "postgres://portal:kanarek@db/polisy?host=/tmp"],
  ])("refuses %s in one line, and repeats nothing of it", (_, DATABASE_URL) => {
    const reading = readEnvironment({ DATABASE_URL });
    const problems = reading.ok ? [] : reading.problems;
    expect(problems).toEqual([
      expect.stringMatching(/^DATABASE_URL: expected postgres:\/\/role:password@host/),
    ]);
    expect(problems.join("")).not.toContain("kanarek");
  });
});

it.each([
  ["DATABASE_POOL", "0"],
  ["DATABASE_POOL", "many"],
  ["DATABASE_TLS", "prefer"],
  ["DATABASE_CA_FILE", "/dev/null"],
  ["DATABASE_CA_FILE", "package.json"],
  ["MIGRATION_DATABASE_URL", "kanarek"],
])("%s=%s is refused", (name, value) => {
  const reading = readEnvironment({ [name]: value });
  expect(reading.ok ? [] : reading.problems).toEqual([expect.stringContaining(`${name}: expected `)]);
});
