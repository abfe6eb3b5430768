import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../free-port";
import { startHelpDesk } from "../help-desk-process";
import { startPortal } from "../portal";
import { startFalseIssuer, withIssuer } from "../unit/help-desk/issuer";
import { Visitor } from "../visitor";
import { HAS_NGINX, startHelpDeskNginx } from "./nginx";

it.runIf(HAS_NGINX)(
  "[S86] a long answer of the issuer passes nginx, and its query reaches no log",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "help-desk-nginx-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [portal, issuer, port] = [await startPortal(), await startFalseIssuer(), await freePort()];
    onTestFinished(async () => {
      await portal.stop();
    });
    const origin = `https://127.0.0.1:${port}`;
    const desk = await startHelpDesk({
      DATA_DIR: portal.dataDir,
      HELP_DESK_ORIGIN: origin,
      TRUSTED_PROXIES: "127.0.0.1",
      LOG_LEVEL: "debug",
      ...withIssuer(issuer.issuer),
    });
    const nginx = await startHelpDeskNginx(folder, port, desk.port);
    onTestFinished(() => nginx.stop());

    const staff = new Visitor({
      origin,
      port,
      secure: true,
      lastCode: () => Promise.reject(new Error("no SMS")),
    });
    const secret = "Zx7".repeat(5000);
    /** Begins a sign-on, and returns the issuer's answer to it. */
    const answered = async (says: Readonly<Record<string, string>>) => {
      issuer.says = says;
      const begun = await staff.get("/help-desk/sign-on");
      const there = await fetch(begun.header("Location") ?? "", { redirect: "manual" });
      return (there.headers.get("Location") ?? "").slice(origin.length);
    };
    const refused = await staff.get(await answered({ error: "server_error", error_description: secret }));
    expect([refused.status, refused.body.includes("Nie udało się zalogować")]).toEqual([400, true]);
    const address = `${await answered({ code: secret })}&session_state=`.padEnd(16_384, "Zx7");
    expect((await staff.get(address)).header("Location")).toBe("/help-desk");
    await expect.poll(desk.log).toContain('"reason":"server_error"');

    desk.child.kill("SIGKILL");
    await desk.ended;
    for (const path of [address, "/help-desk"]) expect((await staff.get(path)).status).toBe(502);
    const [accesses, errors] = await Promise.all([
      readFile(nginx.accessLog, "utf8"),
      readFile(nginx.errorLog, "utf8"),
    ]);
    expect(accesses).toContain('"path":"/help-desk/sign-on/answer","status":502');
    expect(errors).toContain('"GET /help-desk HTTP/1.1"');
    for (const text of [accesses, errors, desk.log()]) expect(text).not.toContain(secret.slice(0, 30));
  },
);
