import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { showProgress } from "~/operators/kit/command.server";
import { PIOTR } from "../../demo-customers";
import { ACT, runCommand, runOnTerminal, HAS_TERMINAL } from "../../operator-command";
import { openTestBackend, type TestBackend } from "../backend/test-backend";
import { variablesOf } from "../backend/test-place";

describe("the progress of a command", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("is one line on a terminal, rewritten every second and removed at the end", () => {
    const written: string[] = [];
    let lines = 0;
    const progress = showProgress({ write: (text) => written.push(text) }, () => `${(lines += 1)} lines`);
    vi.advanceTimersByTime(2000);
    progress.clear();
    progress.end();
    vi.advanceTimersByTime(2000);
    const empty = "\r\u001B[2K";
    expect(written).toEqual([`${empty}1 lines`, `${empty}2 lines`, empty, empty]);
  });
});

const PERSON = ["--policy-no", PIOTR.policyNo, ...ACT];
/** Removes a progress line from a terminal: goes back to its beginning, and clears it. */
const TAKEN_AWAY = "\r\u001B[2K";

describe.runIf(HAS_TERMINAL)("a command that may take long", () => {
  let way: TestBackend;
  beforeAll(async () => {
    way = await openTestBackend({ kind: "sqlite" });
    mkdirSync(join(way.dataDir, "out"));
  });
  afterAll(() => way.close());

  it.each<[string, (folder: string) => string[]]>([
    ["audit --verify", () => []],
    ["purge", () => []],
    ["export", (folder) => [...PERSON, "--output", folder]],
  ])("shows its progress to a person, and nothing of it in a log: %s", async (name, words) => {
    const command = (where: string) => [...name.split(" "), ...words(join(way.dataDir, "out", where))];
    const env = variablesOf(way.place);
    const seen = runOnTerminal(env, command("seen"));
    expect(seen.code, seen.stdout).toBe(0);
    expect(seen.stdout).toContain(TAKEN_AWAY);
    expect(await runCommand(env, command("logged"))).toMatchObject({ code: 0, stderr: "" });
  });
});
