import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as customers from "../../demo-customers";
import { startPortal } from "../../portal";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const DEMO_CUSTOMERS = join(ROOT, "tests/conformance/demo-customers.json");

/** The customers of our own demo. */
function usualFile(): object {
  const { ANNA, PIOTR, MARIA, TOMASZ, EWA, JAN, KRYSTYNA, OLENA, COMPANY, freshCustomer } = customers;
  const FRESH = Array.from({ length: 30 }, (_, nth) => freshCustomer(nth + 1));
  return { ANNA, PIOTR, MARIA, TOMASZ, EWA, JAN, KRYSTYNA, OLENA, COMPANY, FRESH };
}

/** Runs `npm run conformance -- …` as an insurer would. */
function conformance(...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["scripts/conformance.mjs", ...args], {
      cwd: ROOT,
      env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", NODE_ENV: "development" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("close", (code) => {
      resolve({ code, output });
    });
  });
}

/** Starts the reference backend as an insurer's engineer would. */
async function startReference(): Promise<{ readonly origin: string; readonly stop: () => void }> {
  const child = spawn(process.execPath, ["scripts/reference-backend.mjs", "0", DEMO_CUSTOMERS], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  for await (const text of child.stdout.setEncoding("utf8") as AsyncIterable<string>) {
    output += text;
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
    if (origin !== undefined) return { origin, stop: () => child.kill() };
  }
  throw new Error(`the reference backend didn't start: ${output}`);
}

describe("npm run conformance", () => {
  it("reports that our own portal keeps every promise", async () => {
    const portal = await startPortal();
    const codes = `${portal.origin}/demo/sms.json`;
    const { code, output } = await conformance(
      portal.origin,
      "--customers",
      DEMO_CUSTOMERS,
      "--codes",
      codes,
    );
    await portal.stop();
    expect(output).toMatch(/\n\d{3} promises kept, 0 broken\n/);
    expect(output).toContain(
      "  ok      [S21] the fifth wrong code blocks it, and then the right one is refused too",
    );
    expect(output).toContain("Not part of this suite, because it can't set the clock");
    expect(code).toBe(0);
  });

  it("reports that the reference backend keeps every promise of the calls that each backend offers", async () => {
    const reference = await startReference();
    const { code, output } = await conformance(
      reference.origin,
      "--customers",
      DEMO_CUSTOMERS,
      "--codes",
      `${reference.origin}/sms.json`,
    );
    reference.stop();
    expect(output).toMatch(/\n\d{3} promises kept, 0 broken\n/);
    expect(output.match(/skipped without a session.*the backend doesn't offer this call/g)).toHaveLength(15);
    expect(code).toBe(0);
  });

  it("comes with a reference backend of at most 500 lines, which an engineer reads in one sitting", async () => {
    const folder = join(ROOT, "tests/conformance/reference");
    const files = (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8"));
    const lines = (await Promise.all(files)).join("").split("\n").length - 1;
    expect(lines).toBeGreaterThan(0);
    expect(lines).toBeLessThanOrEqual(500);
  });

  it("asks for one part alone, and says which parts there are", async () => {
    const reference = await startReference();
    const file = ["--customers", DEMO_CUSTOMERS, "--codes", `${reference.origin}/sms.json`];
    const { code, output } = await conformance(reference.origin, ...file, "--only", "signing out");
    const unknown = await conformance(reference.origin, ...file, "--only", "signing");
    reference.stop();
    expect(output).toMatch(/\nsigning out\n[^]*\n[1-9] promises kept, 0 broken\n/);
    expect(output).not.toContain("signing in");
    expect(code).toBe(0);
    expect(unknown.output.trim().split("\n")).toEqual([
      expect.stringMatching(/There is no part "signing"\. The parts: every call, signing in, .*strangers\.$/),
    ]);
    expect(unknown.code).toBe(2);
    const help = await conformance("--help");
    expect(help.output).toContain("  signing out\n");
    expect(help.code).toBe(0);
  });

  it("says what was expected of a server that answers everything with {}, and exits with 1", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, output } = await conformance(
      url,
      "--customers",
      DEMO_CUSTOMERS,
      "--codes",
      `${url}/sms.json`,
    );
    server.closeAllConnections();
    server.close();
    expect(output).toMatch(/ {2}FAILED {2}a body over 16 KB is 413[^\n]*\n +[^\n]*expected 200 to be 413/);
    expect(output).toMatch(/\n\d+ promises kept, \d{2,3} broken\n/);
    expect(code).toBe(1);
  });

  it.each([
    [[], "Usage: npm run conformance"],
    [["http://127.0.0.1:1"], "Usage: npm run conformance"],
    [
      ["http://127.0.0.1:1", "--customers", "nowhere.json", "--codes", "prompt"],
      "No such file: nowhere.json",
    ],
    [["ftp://127.0.0.1", "--customers", DEMO_CUSTOMERS, "--codes", "prompt"], "is not an origin"],
    [["http://127.0.0.1:1/api", "--customers", DEMO_CUSTOMERS, "--codes", "prompt"], "is not an origin"],
    [["http://127.0.0.1:1", "--customers", DEMO_CUSTOMERS, "--codes", "sms"], "--codes takes"],
    [["http://127.0.0.1:1", "--customers", DEMO_CUSTOMERS, "--password", "x"], "Usage: npm run conformance"],
  ])("%j is answered in one line: %s", async (args, line) => {
    const { code, output } = await conformance(...args);
    expect(code).toBe(2);
    expect(output).toContain(line);
    expect(output.trim().split("\n")).toHaveLength(1);
  });

  it.each([
    ["the details of a customer", { ANNA: { name: "Anna" } }, ["ANNA.policyNo: ", "ANNA.username: "]],
    ["the policies of a customer", { COMPANY: customers.freshCustomer(50) }, ["COMPANY.policies: "]],
    [
      "a second policy",
      { ANNA: { ...customers.ANNA, policies: customers.ANNA.policies.slice(0, 1) } },
      ["ANNA.policies: expected all policies of this customer, at least two"],
    ],
    [
      "a policy among its customer's",
      { OLENA: { ...customers.OLENA, policyNo: "POL-X" } },
      ["OLENA: POL-X is not among the policies"],
    ],
    [
      "an owner for each policy",
      { PIOTR: { ...customers.PIOTR, ...customers.ANNA } },
      ["PIOTR: POL-100001 is listed already, for ANNA"],
    ],
    [
      "fresh customers",
      { FRESH: [customers.freshCustomer(1)] },
      ["FRESH: expected 30 customers who are not registered"],
    ],
  ])("a customers file that lacks %s is refused in words, before any promise", async (_, part, lines) => {
    const folder = await mkdtemp(join(tmpdir(), "conformance-"));
    const file = join(folder, "customers.json");
    await writeFile(file, JSON.stringify({ ...usualFile(), ...part }));
    const { code, output } = await conformance(
      "http://127.0.0.1:1",
      "--customers",
      file,
      "--codes",
      "prompt",
    );
    await rm(folder, { recursive: true });
    expect(code).toBe(1);
    for (const line of lines) expect(output).toContain(line);
    expect(output).toContain("0 promises kept, 1 broken");
  });

  it("comes with a customers file for our own demo", async () => {
    expect(JSON.parse(await readFile(DEMO_CUSTOMERS, "utf8"))).toEqual(usualFile());
  });
});
