import { DatabaseError } from "pg";
import { describe, expect, it } from "vitest";
import { makeLog } from "~/platform/telemetry/log.server";

const CANARY = "kanarek-Haslo-1";

/** The line that a log writes for these facts. */
function written(facts: object): { readonly text: string; readonly line: Record<string, unknown> } {
  const lines: string[] = [];
  makeLog("debug", { write: (line: string) => void lines.push(line) }).debug(facts, "happened");
  expect(lines).toHaveLength(1);
  const text = lines.join("");
  return { text, line: JSON.parse(text) as Record<string, unknown> };
}

function errorQuotingRow(): DatabaseError {
  const error = new DatabaseError(`invalid input syntax for type bigint: "${CANARY}"`, 1, "error");
  return Object.assign(error, {
    code: "23505",
    detail: `Key (username_key)=(${CANARY}) already exists.`,
    where: `unnamed portal parameter $1 = '${CANARY}'`,
    hint: CANARY,
    internalQuery: `select '${CANARY}'`,
    parameters: [CANARY],
    query: { text: "select $1", values: [CANARY] },
    constraint: "accounts_username_key",
    table: "accounts",
    column: CANARY + " and more",
  });
}

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("[S93] whatever the log is given, it writes only what it knows is harmless", () => {
  it("only facts on the list are written", () => {
    const { text, line } = written({
      event: "signed-in",
      status: 200,
      body: { password: CANARY },
      headers: { cookie: CANARY },
      password: CANARY,
      token: CANARY,
      url: `/home?x=${CANARY}`,
      purpose: { toString: () => CANARY },
      msg: CANARY,
    });
    expect(text).not.toContain(CANARY);
    expect(line).toMatchObject({ level: "debug", event: "signed-in", status: 200, msg: "happened" });
  });

  it.each<[string, unknown]>([
    ["an error of PostgreSQL", errorQuotingRow()],
    ["one that caused another", new Error("failed", { cause: errorQuotingRow() })],
    ["text that isn't JSON", thrownBy(() => JSON.parse(`{"password":"${CANARY}"`))],
    ["an invalid address", thrownBy(() => new URL(`http://${CANARY}:x/`))],
    ["an error of several lines", new Error(`it was '${CANARY}\n    at ${CANARY}' there`)],
    ["a thrown value that isn't an error", { password: CANARY }],
    ["a thrown string", CANARY],
  ])("%s", (_, err) => {
    expect(written({ err }).text).not.toContain(CANARY);
  });

  it("an error keeps what happened and where", () => {
    const { line } = written({ err: errorQuotingRow() });
    expect(line["err"]).toMatchObject({
      type: "DatabaseError",
      message: "invalid input syntax for type bigint: …",
      code: "23505",
      constraint: "accounts_username_key",
      table: "accounts",
      stack: expect.stringContaining("log.test.ts") as string,
    });
  });
});

describe("[S94] an entry is one line", () => {
  it.each(["\r\n{}", "\u001b[2J\u001b[31m", "\u2028", '","level":"error', "\0"])("with %j in it", (text) => {
    const { text: line, line: read } = written({ reason: text, err: new Error(text) });
    expect(line.trimEnd()).toMatch(/^[\x20-\x7e\u00a0-\uffff]+$/);
    expect(read).toMatchObject({ level: "debug", reason: text });
  });
});
