import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { helpDeskProblems } from "~/platform/config/help-desk-variables.server";
import { freePort } from "../free-port";
import { ask } from "../http-request";
import { runHelpDesk, startHelpDesk } from "../help-desk-process";
import { sharedPortal } from "../shared-portal";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const portal = sharedPortal();

test("a help desk has pages for staff alone, which the portal lacks, and finishes what it has begun", async () => {
  const desk = await startHelpDesk({ DATA_DIR: portal.dataDir, LIMIT_STOP_DIVERT_MS: "2000" });
  const staff = desk.visitor();
  for (const path of [
    "/home",
    "/cp",
    "/cp/profile",
    "/demo/sms",
    "/documents/regulamin-portalu.pdf",
    "/package.json",
  ])
    expect([path, (await staff.get(path)).status]).toEqual([path, 404]);
  for (const path of ["/healthz", "/readyz", "/favicon.svg"])
    expect([path, (await staff.get(path)).status]).toEqual([path, 200]);
  const person = await staff.post("/help-desk/sign-on?back=/help-desk", { person: "piotr" });
  expect(person.header("Location")).toBe("/help-desk");
  const page = await staff.get("/help-desk");
  expect([page.status, page.body.includes("Piotr (może zmieniać)")]).toEqual([200, true]);
  const face = /\/assets\/[\w.-]+\.woff2/.exec(page.body)?.[0] ?? "";
  expect((await staff.get(face)).header("Cache-Control")).toBe("public, max-age=31536000, immutable");

  const cookies = [...staff.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const path of ["/help-desk", "/help-desk/sign-on", "/help-desk/customer"]) {
    const headers = { Cookie: `accepted-cookies=true; ${cookies}` };
    expect([path, (await ask({ port: portal.port, path, headers })).status]).toEqual([path, 404]);
  }

  desk.child.kill("SIGTERM");
  await expect.poll(async () => (await desk.visitor().get("/readyz")).status).toBe(503);
  expect((await desk.visitor().get("/help-desk/sign-on")).status).toBe(200);
  expect(await desk.ended).toBe(0);
});

test("with an attached backend, without a database or without an issuer in production it ends with one line each", async () => {
  const folder = await mkdtemp(join(tmpdir(), "help-desk-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const linesWith = async (variables: Readonly<Record<string, string>>) => {
    const desk = await runHelpDesk({ DATA_DIR: folder, ...variables });
    expect(await desk.ended).toBe(1);
    const lines = desk.log().trimEnd().split("\n");
    return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  };
  const [attached, none, production] = await Promise.all([
    linesWith({ BACKEND_URL: "https://backend.example" }),
    linesWith({}),
    linesWith({ PORTAL_MODE: "production" }),
  ]);
  expect(attached[0]).toMatch(/^BACKEND_URL: .*the accounts are the insurer's own$/);
  expect(none[0]).toMatch(/holds no database$/);
  // The demo's people are nowhere else.
  for (const name of [
    "HELP_DESK_ISSUER",
    "HELP_DESK_CLIENT_SECRET",
    "HELP_DESK_SECRETS",
    "HELP_DESK_ORIGIN",
    "DATA_KEYS",
  ])
    expect(production).toContain(`${name}: expected in production`);
  expect(production.join("\n")).not.toContain("SESSION_SECRET");
});

test("it refuses the portal's own origin, and an issuer without what belongs to it", () => {
  const origin = "http://a.example";
  const PORTAL_MODE = "demo";
  expect(helpDeskProblems({ PORTAL_MODE, PUBLIC_ORIGIN: origin, HELP_DESK_ORIGIN: origin })).toEqual([
    "HELP_DESK_ORIGIN: expected another origin than PUBLIC_ORIGIN",
  ]);
  const missing = ["HELP_DESK_ORIGIN", "HELP_DESK_CLIENT_ID", "HELP_DESK_CLIENT_SECRET"];
  expect(helpDeskProblems({ PORTAL_MODE, HELP_DESK_ISSUER: "https://login.example" })).toEqual(
    missing.map((name) => `${name}: expected with HELP_DESK_ISSUER`),
  );
});

test("a demo runs one beside its portal, at the next free port, which ends with it, however that ends", async () => {
  const beside = await freePort();
  const module = pathToFileURL(join(ROOT, "scripts/prepare/demo-help-desk.mjs")).href;
  const source = `const { demoHelpDesk } = await import(${JSON.stringify(module)});
    const desk = await demoHelpDesk({ host: "127.0.0.1", port: ${beside} });
    console.log(desk.address.port);
    desk.start(() => undefined);
    setInterval(() => undefined, 1000);`;
  const parent = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", DATA_DIR: portal.dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const port = Number(line.toString());
  expect(port).toBeGreaterThan(beside);
  const answers = () =>
    ask({ port, path: "/healthz" }).then(
      ({ status }) => status,
      () => undefined,
    );
  await expect.poll(answers).toBe(200);
  parent.kill("SIGKILL");
  await expect.poll(answers).toBeUndefined();
});
