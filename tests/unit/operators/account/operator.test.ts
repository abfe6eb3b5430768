import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { runCommand, runProgram } from "../../../operator-command";
import { openTestBackend, type TestBackend } from "../../backend/test-backend";
import { variablesOf } from "../../backend/test-place";

const SHOW = ["account", "show", "--username", ANNA.username, "--reason", "call 1234"];
const ELSE = "portal: --operator: expected the name of the person who ran sudo, or nothing\n";
const NOT_ROOTS =
  "portal: PORTAL_OPERATOR_FROM: expected in a file of --env-file that belongs to root and that only root can read\n";
/** Only root can make a file that belongs to root. */
const IS_ROOT = process.getuid?.() === 0;

onAnyDatabase((kind) => {
  describe("[S141] the operator whom the audit names", () => {
    let way: TestBackend;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
    });
    afterEach(() => way.close());

    const operators = async () =>
      (await way.query("select operator from audit_events where operator is not null order by seq")).map(
        ({ operator }) => operator,
      );
    /** Runs `account show` by sudo, in a process, with node reading a file of variables. */
    const byEwa = (words: readonly string[], file: string) => {
      const { code, stderr } = runProgram(
        "node",
        [`--env-file=${file}`, join("build", "portal"), ...SHOW, ...words],
        { ...variablesOf(way.place), SUDO_USER: "ewa" },
      );
      return { code, stderr };
    };
    const trusting = (mode: number) => {
      const file = join(way.dataDir, "operators.env");
      writeFileSync(file, "PORTAL_OPERATOR_FROM=option\n");
      chmodSync(file, mode);
      return file;
    };

    const bySudo = (words: readonly string[], variables: Record<string, string> = {}) =>
      runCommand({ ...variablesOf(way.place), SUDO_USER: "ewa", ...variables }, [...SHOW, ...words]);

    it("is the person who ran sudo, with or without --operator", async () => {
      for (const words of [[], ["--operator", "ewa"]])
        expect(await bySudo(words)).toMatchObject({ code: 0, stderr: "" });
      for (const other of ["jan", "", "Ewa", "root"])
        expect(await bySudo(["--operator", other])).toMatchObject({ code: 2, stderr: ELSE });
      expect(await operators()).toEqual(["ewa", "ewa"]);
    });

    it("may be another by a wrapper's option only if a file for root alone says so", async () => {
      const asked = await bySudo(["--operator", "jan"], { PORTAL_OPERATOR_FROM: "option" });
      expect(asked).toMatchObject({ code: 2, stderr: NOT_ROOTS });
      const open = trusting(0o640);
      expect(byEwa(["--operator", "jan"], open)).toEqual({ code: 2, stderr: NOT_ROOTS });
      expect(await operators()).toEqual([]);
    });

    it.runIf(IS_ROOT)(
      "is the option's, if a file for root alone trusts it; then it must be given",
      async () => {
        const file = trusting(0o600);
        expect(byEwa(["--operator", "jan"], file)).toEqual({ code: 0, stderr: "" });
        expect(byEwa([], file).code).toBe(2);
        chownSync(file, 65_534, 65_534);
        expect(byEwa(["--operator", "jan"], file)).toEqual({ code: 2, stderr: NOT_ROOTS });
        expect(await operators()).toEqual(["jan"]);
      },
    );
  });
});
