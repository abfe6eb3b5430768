import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { judge, readAudit, type Verdict } from "../../../scripts/advisories/judge.mjs";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const TODAY = "2026-11-27";
const folder = mkdtempSync(join(tmpdir(), "advisories-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What npm 11 prints: a fault stands at its own package, and the packages that contain that one name it by a string. */
function reportOf(...faults: readonly { readonly id: string; readonly package: string }[]): string {
  const own = faults.map(({ package: name }) => {
    const via = faults
      .filter((fault) => fault.package === name)
      .map(({ id }) => ({
        name,
        title: `Fault ${id}`,
        url: `https://github.com/advisories/${id}`,
        severity: "high",
      }));
    return [name, { name, severity: "high", isDirect: false, via, effects: ["@remix-run/react"] }] as const;
  });
  const containing = { name: "@remix-run/react", severity: "high", via: faults.map((one) => one.package) };
  const vulnerabilities = { ...Object.fromEntries(own), "@remix-run/react": containing };
  return JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: {} });
}

const NEW = { id: "GHSA-aaaa-bbbb-cccc", package: "express" };
const KNOWN = {
  id: "GHSA-xxxx-yyyy-zzzz",
  package: "turbo-stream",
  reason: "Not reached.",
  until: "2026-12-31",
};

function judged(output: string, verdicts: readonly Verdict[], today = TODAY) {
  const audit = readAudit(output);
  if (audit.kind === "no answer") throw new Error(audit.reason);
  return judge(audit.advisories, verdicts, today);
}

describe("[S159] a published fault of a package that runs", () => {
  test("with a verdict is listed with its reason and its last day", () => {
    expect(judged(reportOf(KNOWN), [KNOWN])).toEqual({
      lines: [
        "GHSA-xxxx-yyyy-zzzz  turbo-stream, high: Fault GHSA-xxxx-yyyy-zzzz",
        "  accepted until 2026-12-31: Not reached.",
      ],
      complaints: [],
    });
  });

  test("without a verdict asks for one, whatever else is known about", () => {
    const { complaints } = judged(reportOf(KNOWN, NEW), [KNOWN]);
    expect(complaints).toEqual([
      "GHSA-aaaa-bbbb-cccc on express is new: read https://github.com/advisories/GHSA-aaaa-bbbb-cccc",
    ]);
  });

  test("in another package than the verdict's is new", () => {
    const { complaints } = judged(reportOf({ ...KNOWN, package: "react-router" }), [KNOWN]);
    expect(complaints).toEqual([
      expect.stringMatching(/^GHSA-xxxx-yyyy-zzzz on react-router is new/),
      expect.stringMatching(/^GHSA-xxxx-yyyy-zzzz on turbo-stream is not reported any more/),
    ]);
  });

  test("is read again when its verdict has ended, not on its last day", () => {
    expect(judged(reportOf(KNOWN), [KNOWN], "2026-12-31").complaints).toEqual([]);
    expect(judged(reportOf(KNOWN), [KNOWN], "2027-01-01").complaints).toEqual([
      "GHSA-xxxx-yyyy-zzzz: the verdict ended on 2026-12-31; read the advisory again",
    ]);
  });

  test("that is reported no more takes its verdict with it; so an empty answer is no all-clear", () => {
    expect(judged(reportOf(), [KNOWN]).complaints).toEqual([
      "GHSA-xxxx-yyyy-zzzz on turbo-stream is not reported any more: remove its verdict",
    ]);
  });

  test("needs no address to be counted", () => {
    const fault = { source: 42, name: "express", title: "t", severity: "low" };
    const report = { auditReportVersion: 2, vulnerabilities: { express: { via: [fault, fault, "qs"] } } };
    expect(judged(JSON.stringify(report), []).complaints).toEqual([
      "npm:42 on express is new: read the advisory",
    ]);
  });
});

/** Runs the command with a program called npm that prints this. */
function advisories(printed: string, exitCode: number) {
  writeFileSync(join(folder, "answer.json"), printed);
  writeFileSync(
    join(folder, "npm"),
    `#!/bin/sh\necho "$@" > ${folder}/words\ncat ${folder}/answer.json\nexit ${exitCode}\n`,
  );
  chmodSync(join(folder, "npm"), 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` };
  return spawnSync(process.execPath, [join(ROOT, "scripts/advisories.mjs")], { env, encoding: "utf8" });
}

describe("[S159] npm run advisories", () => {
  test("asks about what runs alone, and fails on a new fault", () => {
    const { status, stdout, stderr } = advisories(reportOf(NEW), 1);
    expect(readFileSync(join(folder, "words"), "utf8")).toBe("audit --omit=dev --json --loglevel=silent\n");
    expect(stdout).toContain("GHSA-aaaa-bbbb-cccc  express, high: Fault GHSA-aaaa-bbbb-cccc\n  no verdict\n");
    expect(stderr).toContain("✗ GHSA-aaaa-bbbb-cccc on express is new");
    expect(status).toBe(1);
  });

  test.each([
    [
      "a registry that takes no audits",
      JSON.stringify({ message: "405 Method Not Allowed", statusCode: 405 }),
      1,
    ],
    ["a page in place of an answer", "<!doctype html>", 0],
    ["an empty object", "{}", 0],
    ["npm without a word", "", 1],
  ])("says that nothing is known after %s: exit code 3", (_, printed, exitCode) => {
    const { status, stdout, stderr } = advisories(printed, exitCode);
    expect(stderr).toMatch(/The registry gave no answer about advisories \(.+\)\. Nothing was compared/);
    expect(stdout).toBe("");
    expect(status).toBe(3);
  });
});
