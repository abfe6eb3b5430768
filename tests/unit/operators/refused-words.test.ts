import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onAnyDatabase } from "../../database";
import { ANNA, KRYSTYNA } from "../../demo-customers";
import { runCommand } from "../../operator-command";
import { textOfTables } from "../backend/store/whole-database";
import { openTestBackend, type TestBackend } from "../backend/test-backend";
import { variablesOf } from "../backend/test-place";

/** Words of a command, between spaces; what is said about them; variables, if they are the fault. */
type Row = readonly [words: string, problem: string, env?: Readonly<Record<string, string>>];

const BY = "--operator ewa.z --reason call";
const WHOM = `--username ${ANNA.username}`;
const CAR = `--policy-no ${ANNA.policyNo}`;
const ONE_OF = "expected one of --username, --policy-no, --account, --customer and --pid -";
const DAY = "2026-11-21";
const JSONL = "--format jsonl";
const CURSOR = "--follow --cursor";
const FILE = "--input package.json";
const NO_KEY = "no private key of age";
const ONE_POLICY = "expected one of --policy-no and --document";

const REFUSED: Readonly<Record<string, readonly Row[]>> = {
  "": [
    ["", "expected a command: --help lists them"],
    ["drop", "unknown command 'drop'"],
    ["help drop", "expected a command: --help lists them"],
    ["drop\nall", "unknown command 'drop all'"],
    ["--json rewrap-keys", "unknown option '--json'"],
  ],
  account: [
    ["", "expected a command"],
    ["drop", "unknown command"],
    [`disable ${WHOM} --reason x`, "--operator: expected a text"],
    [`disable ${WHOM} --operator x`, "required option '--reason <text>' not specified"],
    [`disable ${WHOM} --operator x --reason a\nb`, "--reason: expected a text"],
    [`disable ${BY}`, ONE_OF],
    [`disable ${WHOM} --policy-no 1 ${BY}`, ONE_OF],
    [`disable --username nikt.taki ${BY}`, "no such customer"],
    [`disable ${WHOM} ${BY} --force`, "unknown option"],
    [`disable ${WHOM} ${BY} now`, "too many arguments"],
    [`find --name - --phone - ${BY}`, "expected one of"],
    [`find ${BY}`, "expected one of"],
    [`find --name Anna ${BY}`, "--name: expected -"],
    [`find --name - ${BY}`, "--name: expected"],
  ],
  audit: [
    ["", "--operator"],
    ["--operator ewa", "--reason"],
    [`${BY} --since yesterday`, DAY],
    [`${BY} --last -1`, "whole number"],
    [`${BY} --event nothing`, "Allowed choices"],
    [`${BY} --format xml`, "Allowed choices"],
    [`${BY} --json`, "--format jsonl"],
    [`${BY} --username nikt.nikt`, "no such customer"],
    [`${BY} ${WHOM} --policy-no ${KRYSTYNA.policyNo}`, "expected one of"],
    [`--verify ${WHOM}`, "cannot be used with"],
    [`${BY} --since ${DAY} --until 2026-11-20`, "--until"],
    [`${BY} --follow --until ${DAY}`, "--follow"],
    [`${BY} ${JSONL} --cursor /tmp/cursor`, "--cursor: only with --follow"],
    [`${BY} ${CURSOR} /tmp/cursor`, "--format jsonl"],
    [`${BY} ${JSONL} --last 5 ${CURSOR} /tmp/cursor`, "without --last"],
    [`${BY} ${JSONL} ${CURSOR} /no/such/folder/cursor`, "can be read and written"],
    [`${BY} ${JSONL} ${CURSOR} /etc/hostname`, "/etc/hostname is not a cursor"],
    ["--count month", "Allowed choices"],
    [`--count all ${WHOM}`, "cannot be used with"],
    ["--count all --follow", "cannot be used with"],
  ],
  doctor: [["database", "too many arguments"]],
  erase: [
    [`${CAR} --reason x --yes`, "--operator"],
    [`${CAR} --operator x --yes`, "--reason"],
    [`${BY} --yes`, "expected one of --username"],
    [`--username nikt.taki ${BY} --yes`, "no such customer"],
    [`${CAR} ${BY} --yes now`, "too many arguments"],
  ],
  "export --output /nowhere/export": [
    [`--policy-no POL-0 ${BY}`, "no such customer"],
    [BY, "expected one of --username"],
    [`--policy-no POL-0 --username x ${BY}`, "expected one of --username"],
    [`${CAR} --reason x`, "--operator"],
    [`${CAR} --operator x`, "--reason"],
  ],
  import: [
    ["", "missing required argument 'file'"],
    ["- --max-refused 5", "--max-refused reads the file twice, so that it can't be standard input"],
    ["lines --max-refused 101", "Expected a percentage such as 5%."],
    ["- --let-in none", "--let-in: expected the id of a document that was taken back (portal policy show)"],
  ],
  migrate: [
    ["--check --dry-run", "'--check' cannot be used with option '--dry-run'"],
    ["0005-documents", "too many arguments for 'migrate'"],
    ["", "BACKEND_URL is set", { BACKEND_URL: "https://backend.example" }],
  ],
  policy: [
    [`take-back --policy-no POL-0 ${BY}`, "no such policy"],
    [`show --policy-no POL-0 ${BY}`, "no such policy"],
    [`restore --policy-no POL-0 ${BY}`, "no such policy"],
    [`move --policy-no POL-0 --to-policy-no POL-100001 ${BY}`, "no such policy"],
    [`move ${CAR} ${BY}`, "expected one of --to-policy-no and --to-pid -"],
    [`move ${CAR} --to-policy-no POL-0 ${BY}`, "no such customer"],
    [`move ${CAR} --to-pid 81051512345 ${BY}`, "--to-pid: expected -, with the identifier on standard input"],
    [`take-back --document none ${BY}`, "no such document"],
    [`restore --document none ${BY}`, "no such document"],
    [`take-back ${BY}`, ONE_POLICY],
    [`restore ${CAR} --document none ${BY}`, ONE_POLICY],
    [`take-back ${CAR} --reason x`, "--operator"],
    [`take-back ${CAR} --operator ewa.z`, "--reason"],
  ],
  purge: [["sessions", "too many arguments"]],
  restore: [
    [BY, "expected one of --input and --after-restore"],
    [`${BY} ${FILE} --after-restore`, "expected one of"],
    [`${BY} ${FILE}`, "expected --identity with --input"],
    [`${BY} --after-restore --identity x`, "expected --identity with --input"],
    [`${BY} --input /nowhere/x --identity x`, "is not a file"],
    [`${BY} ${FILE} --identity /nowhere/x`, "can be read"],
    [`${BY} ${FILE} --identity package.json`, NO_KEY],
    [`${BY} ${FILE} --identity /dev/null`, NO_KEY],
    [`${FILE} --reason x`, "--operator"],
    [`${FILE} --operator x`, "--reason"],
  ],
  "rewrap-keys": [
    ["--all", "unknown option '--all'"],
    ["2", "too many arguments for 'rewrap-keys'"],
    ["", "DATA_KEYS: expected", { DATA_KEYS: "x" }],
  ],
};

onAnyDatabase((kind) => {
  describe("words that make no sense", () => {
    let way: TestBackend;
    beforeAll(async () => {
      way = await openTestBackend({ kind });
    });
    afterAll(() => way.close());

    it.each(Object.entries(REFUSED))(
      "[S97] get one line and exit code 2, and nothing is changed: portal %s",
      async (name, rows) => {
        const before = await textOfTables(way);
        for (const [words, problem, env] of rows) {
          const given = `${name} ${words}`.split(" ").filter((word) => word !== "");
          const answer = await runCommand({ ...variablesOf(way.place), ...env }, given);
          expect([answer.code, answer.stdout], words).toEqual([2, ""]);
          expect(answer.stderr, words).toMatch(/^portal: [^\n]+\n$/);
          expect(answer.stderr, words).toContain(problem);
        }
        expect(await textOfTables(way)).toEqual(before);
      },
    );

    it("that are empty are no operator, no reason and no path", async () => {
      const env = variablesOf(way.place);
      for (const [words, problem] of [
        [["disable", "--username", ANNA.username, "--operator", " ", "--reason", "x"], "--operator"],
        [["show", "--username", ANNA.username, "--operator", "x", "--reason", " "], "--reason"],
      ] as const)
        expect(await runCommand(env, ["account", ...words])).toMatchObject({
          code: 2,
          stderr: expect.stringContaining(`portal: ${problem}: expected a text`) as string,
        });
      const words = ["export", ...CAR.split(" "), ...BY.split(" "), "--output", ""];
      expect((await runCommand(env, words)).stderr).toBe("portal: --output: expected a path\n");
    });
  });
});
