import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CALLS } from "~/contract/calls.server";
import { conformance, DEMO_CUSTOMERS, startReference, usualFile } from "../../contract/conformance-command";
import * as customers from "../../demo-customers";
import { startPortal } from "../../portal";

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
    const mayBeMissing = Object.values(CALLS).filter((call) => call.mayBeMissing);
    expect(output.match(/skipped without a session.*the backend doesn't offer this call/g)).toHaveLength(
      mayBeMissing.length,
    );
    expect(code).toBe(0);
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
});
