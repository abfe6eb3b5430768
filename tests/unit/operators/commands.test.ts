import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeKeyring, type RootKey } from "~/backend/secrets/keyring.server";
import { Browser } from "../../contract/browser";
import { register } from "../../contract/register";
import { commandNames } from "../../command-names";
import { onAnyDatabase } from "../../database";
import { ANNA } from "../../demo-customers";
import { BUILD_ID, runBuiltCommand, runCommand, runProgram } from "../../operator-command";
import { ZOFIA } from "./importing";
import { openTestBackend, type TestBackend } from "../backend/test-backend";
import { variablesOf } from "../backend/test-place";

const FIRST = { version: 1, key: randomBytes(32) };
const SECOND = { version: 2, key: randomBytes(32) };
const listOf = (...keys: RootKey[]) =>
  keys.map(({ version, key }) => `${version}:${Buffer.from(key).toString("base64")}`).join(",");

onAnyDatabase((kind) => {
  describe("a command of the build, next to a running portal", () => {
    let way: TestBackend;
    let env: Record<string, string>;
    beforeEach(async () => {
      way = await openTestBackend({ kind, keyring: makeKeyring([FIRST]) });
      env = { ...variablesOf(way.place), DATA_KEYS: listOf(FIRST) };
    });
    afterEach(() => way.close());

    it("imports policyholders from a file or standard input, and exits with 1 if a line was refused", async () => {
      const file = join(way.dataDir, "policyholders.jsonl");
      writeFileSync(file, `\uFEFF${JSON.stringify(ZOFIA)}\r\n`);
      expect(await runCommand(env, ["import", file])).toEqual({
        code: 0,
        stdout:
          "Policyholders: 1 new, 0 changed, 0 unchanged; documents: 0 new, 0 changed, 0 unchanged; lines refused: 0\n",
        stderr: "",
      });
      expect((await register(way, { ...ZOFIA, policyNo: "POL-900001" })).name).toBe("Zofia Mazur");
      const again = await runCommand(env, ["import", "-"], `${JSON.stringify(ZOFIA)}\nZofia Mazur`);
      expect([again.code, again.stdout]).toEqual([
        1,
        "Policyholders: 0 new, 0 changed, 1 unchanged; documents: 0 new, 0 changed, 0 unchanged; lines refused: 1\n",
      ]);
      expect(again.stderr).toBe("line 2: not JSON\n");
    });

    it.each(["", "\n \n"])(
      "[S123] says that an import file is empty, and exits with 1: %j",
      async (content) => {
        const file = join(way.dataDir, "policyholders.jsonl");
        writeFileSync(file, content);
        const nothing = {
          code: 1,
          stdout:
            "Policyholders: 0 new, 0 changed, 0 unchanged; documents: 0 new, 0 changed, 0 unchanged; lines refused: 0\n",
          stderr: "portal: the file is empty: there was nothing to import\n",
        };
        expect(await runCommand(env, ["import", file])).toEqual(nothing);
        expect(await runCommand(env, ["import", "-"], content)).toEqual(nothing);
      },
    );

    it("imports documents from below the file's folder, and refuses a line whose PDF is damaged", async () => {
      const file = join(way.dataDir, "policyholders.jsonl");
      const [policy] = ZOFIA.policies;
      const document = { name: "Polisa", kind: "policy", issuedOn: "2026-03-01", file: "pdf/1.pdf" };
      const line = { ...ZOFIA, policies: [{ ...policy, documents: [document] }] };
      const damaged = { ...document, name: "Pismo", file: "pdf/2.pdf" };
      const other = {
        ...ZOFIA,
        pid: "92020212357",
        policies: [{ ...policy, policyNo: "POL-9", documents: [damaged] }],
      };
      writeFileSync(file, `${JSON.stringify(line)}\n${JSON.stringify(other)}\n`);
      mkdirSync(join(way.dataDir, "pdf"));
      const pdf = readFileSync("public/documents/regulamin-portalu.pdf");
      writeFileSync(join(way.dataDir, "pdf", "1.pdf"), pdf);
      writeFileSync(join(way.dataDir, "pdf", "2.pdf"), pdf.subarray(0, pdf.byteLength / 2));
      expect(await runCommand(env, ["import", file])).toEqual({
        code: 1,
        stdout:
          "Policyholders: 1 new, 0 changed, 0 unchanged; documents: 1 new, 0 changed, 0 unchanged; lines refused: 1\n",
        stderr: "line 2: policies.0.documents.0.file: expected a PDF that is not damaged\n",
      });
      expect(await way.query("select bytes from documents where policy_no = ?", "POL-900001")).toEqual([
        { bytes: pdf.byteLength },
      ]);
    });

    it("[S84] moves data to a new key, says what is left, and won't run without a key that rows need", async () => {
      const rewrapped = async () => {
        const keys = { ...env, DATA_KEYS: listOf(SECOND, FIRST) };
        const { stdout } = await runCommand(keys, ["rewrap-keys", "--json"]);
        return JSON.parse(stdout) as unknown;
      };
      const total = { customers: 99, documentPasswords: 1, documents: 9, premiums: 7, factors: 0, audit: 0 };
      const facts = {
        current: 2,
        total,
        older: [{ version: 1, left: { "passwords not used since then": 6 } }],
        exactOnly: { equal: { policyholders: 0, policies: 0 } },
      };
      expect(await rewrapped()).toEqual({ ...facts, moved: total });
      const none = { customers: 0, documentPasswords: 0, documents: 0, premiums: 0, factors: 0, audit: 0 };
      expect(await rewrapped()).toEqual({ ...facts, moved: none });
      expect(await runCommand({ ...env, DATA_KEYS: listOf(SECOND) }, ["rewrap-keys"])).toEqual({
        code: 1,
        stdout: "",
        stderr: "portal: the database needs key version 1, which is missing from the keys\n",
      });
      await way.backend.close();
      way = await openTestBackend({ place: way.place, keyring: makeKeyring([SECOND, FIRST]) });
      expect((await new Browser(way).login(ANNA)).status).toBe(200);
    });
  });
});

const UNREACHABLE = {
  DATABASE_URL: "postgres://portal@127.0.0.1:9/portal",
  DATA_KEYS: listOf(FIRST),
};

it("each bad variable of its work is a line, and the exit code is 2", async () => {
  const wrong = { DATA_KEYS: "x", DATABASE_POOL: "many", AUDIT_KEEP_MONTH: "3", PORT: "web", SMS_SEND: "on" };
  const { code, stdout, stderr } = await runCommand(wrong, ["rewrap-keys"]);
  expect([code, stdout]).toEqual([2, ""]);
  const names = [...stderr.matchAll(/^portal: ([A-Z_]+): /gm)].map(([, name]) => name);
  expect(names).toEqual(["DATA_KEYS", "DATABASE_POOL", "AUDIT_KEEP_MONTH"]);
});

it.each<[string, Record<string, string>, string]>([
  ["no database", { DATA_DIR: "/nowhere" }, "/nowhere holds no database"],
  ["an unreachable server", UNREACHABLE, "PostgreSQL cannot be used now: connection refused"],
])(
  "a command that can't do its work says why in one line, and exits with 1: %s",
  async (_what, env, problem) => {
    expect(await runCommand(env, ["rewrap-keys"])).toEqual({
      code: 1,
      stdout: "",
      stderr: `portal: ${problem}\n`,
    });
  },
);

it("--version says which release and which build the commands belong to, whatever the variables are", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const { code, stdout, stderr } = runBuiltCommand({ PORT: "web" }, ["--version"]);
  const [, said, build] = /^(\S+) \(build (\S+), \d{4}-\d{2}-\d{2}\)\n$/.exec(stdout) ?? [];
  expect([code, said, build, stderr]).toEqual([0, version, expect.stringMatching(BUILD_ID), ""]);
});

it("--help says how to use the program and each command, on standard output", async () => {
  const { code, stdout, stderr } = await runCommand({ PORT: "web" }, ["--help"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^Usage: portal [^]*\n {2}rewrap-keys /);
  expect((await runCommand({ PORT: "web" }, ["import", "--help"])).stdout).toMatch(/^Usage: portal import/);
});

it("every command explains itself, and the build, in a process of its own, lists them all", async () => {
  const listed = runBuiltCommand({}, ["--help"]);
  expect(listed).toEqual(await runCommand({}, ["--help"]));
  const names = await commandNames();
  expect(names).toContain("import");
  for (const name of names) {
    expect(listed.stdout, name).toContain(`\n  ${name} `);
    expect(await runCommand({}, [name, "--help"]), name).toMatchObject({ code: 0, stderr: "" });
  }
});

it("npm run portal builds first if the sources have changed, and runs a command", () => {
  const words = ["run", "--silent", "portal", "--", "rewrap-keys", "--help"];
  const { code, stdout } = runProgram("npm", words, {});
  expect([code, stdout]).toEqual([0, expect.stringMatching(/Usage: portal rewrap-keys/)]);
});
