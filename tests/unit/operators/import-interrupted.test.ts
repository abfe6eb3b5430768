import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { interruption } from "~/operators/kit/command.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { until } from "../../browsers/until";
import { onAnyDatabase } from "../../database";
import { runCommand, startCommand } from "../../operator-command";
import { ZOFIA } from "./importing";
import { openTestBackend, type TestBackend } from "../backend/test-backend";
import { variablesOf } from "../backend/test-place";

const KEY = { version: 1, key: randomBytes(32) };
/** Lines of a transaction beside a portal. */
const TOGETHER = 16;
const LINES = Array.from({ length: TOGETHER + 4 }, (_, nth) =>
  JSON.stringify({
    ...ZOFIA,
    kind: "no-id",
    pid: String(92_020_300_000 + nth),
    policies: [{ ...ZOFIA.policies[0], policyNo: `POL-91${nth}` }],
  }),
);
const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const NO_DOCUMENTS = "documents: 0 new, 0 changed, 0 unchanged; lines refused: 0\n";

onAnyDatabase((kind) => {
  describe("an import", () => {
    let way: TestBackend;
    let env: Record<string, string>;
    beforeEach(async () => {
      way = await openTestBackend({ kind, keyring: makeKeyring([KEY]) });
      env = { ...variablesOf(way.place), DATA_KEYS: `1:${KEY.key.toString("base64")}` };
    });
    afterEach(() => way.close());

    it("that is interrupted says what it has done, exits with 1, and can be run again", async () => {
      const running = startCommand(env, ["import", "-"]);
      running.input.write(LINES.map((line) => `${line}\n`).join(""));
      await until("a transaction", async () => {
        const [row] = await way.query("select count(*) as n from policies where policy_no like 'POL-91%'");
        return Number(row?.["n"]) === TOGETHER;
      });
      running.kill("SIGTERM");
      expect(await running.ended).toEqual({
        code: 1,
        stdout: `Policyholders: 16 new, 0 changed, 0 unchanged; ${NO_DOCUMENTS}`,
        stderr: "portal: interrupted after line 16: run it again for the rest\n",
      });
      expect(await runCommand(env, ["import", "-"], LINES.join("\n"))).toEqual({
        code: 0,
        stdout: `Policyholders: 4 new, 0 changed, 16 unchanged; ${NO_DOCUMENTS}`,
        stderr: "",
      });
    });
  });
});

describe("an interrupted command", () => {
  // Other test files share this process, and what they keep alive ends it at a signal.
  const others = new Map<(typeof SIGNALS)[number], NodeJS.SignalsListener[]>();
  beforeEach(() => {
    for (const name of SIGNALS) {
      others.set(name, process.listeners(name));
      process.removeAllListeners(name);
    }
  });
  afterEach(() => {
    for (const [name, listeners] of others) for (const listener of listeners) process.on(name, listener);
  });

  it.each(SIGNALS)("ends at once at the second signal: %s", (name) => {
    const { signal } = interruption();
    process.emit(name);
    expect(signal.aborted).toBe(true);
    // Without a listener, a signal ends the process.
    expect(SIGNALS.map((each) => process.listenerCount(each))).toEqual([0, 0]);
  });
});
