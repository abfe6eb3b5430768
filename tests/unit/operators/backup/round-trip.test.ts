import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser, needsNoCode } from "../../../contract/browser";
import { NEW_PASSWORD, register } from "../../../contract/register";
import { onEachDatabase } from "../../../database";
import { ANNA, freshCustomer } from "../../../demo-customers";
import { startCommand } from "../../../operator-command";
import { BACKUPS_MS, archiveAnOldMonth, openBackedUp, type BackedUp } from "./backed-up";
import { AUDITED, goingOn, restoredEvents, trustedAnna } from "./restore-steps";

onEachDatabase((kind) => {
  describe("a backup of a database that is then lost", { timeout: BACKUPS_MS }, () => {
    let portal: BackedUp;
    beforeAll(async () => {
      portal = await openBackedUp(kind);
    });
    afterAll(() => portal.close());

    it("can't be read in the folder, and shows no key", async () => {
      const { username } = await register(portal.way, freshCustomer(3));
      const { stdout } = await portal.run(["backup"]);
      expect(stdout).toContain("It doesn't hold the keys");
      const secret = /AGE-SECRET-KEY-\S+/.exec(readFileSync(portal.identity, "utf8"))?.[0] ?? "missing";
      const files = readdirSync(portal.folder).map((name) => readFileSync(join(portal.folder, name)));
      expect(files.some((content) => content.length > 10_000)).toBe(true);
      const [{ name = "" } = {}] = (await portal.way.query("select name from policies limit 1")) as {
        name?: string;
      }[];
      for (const canary of [username, name, secret, "SQLite format", "PGDMP", "create table"])
        for (const content of [...files, Buffer.from(stdout)])
          expect(content.includes(canary), canary).toBe(false);
    });

    it("[S101] made under load, restores accounts and passwords, but no session, device, code or message", async () => {
      const anna = await trustedAnna(portal.way);
      const { username } = await register(portal.way, freshCustomer(1));
      const { ended } = startCommand(portal.env, ["backup"]);
      let code: number | null | undefined;
      void ended.then((exit) => {
        code = exit.code;
      });
      while (code === undefined) expect((await new Browser(portal.way).login(ANNA)).status).toBe(200);
      expect(code).toBe(0);
      await register(portal.way, freshCustomer(2));

      await portal.reopenAfter(async () => {
        await portal.loseDatabase();
        const name = portal.backups().toSorted().at(-1) ?? "";
        const { code, stdout, stderr } = await portal.restore(join(portal.folder, name));
        expect([code, stderr]).toEqual([0, ""]);
        expect(stdout).toMatch(/^madeAt: .*\nended:\n[^-]* {2}sessions: [1-9]\d*\n {2}trusted_devices: 1\n/);
        expect(stdout).toContain("people who were erased since are back: erase them again");
      });
      expect(new Set(Object.values(await goingOn(portal.way)))).toEqual(new Set([0]));
      expect(await restoredEvents(portal.way)).toEqual(AUDITED);
      const again = new Browser(portal.way);
      for (const [name, value] of anna.cookies) again.cookies.set(name, value);
      expect((await again.get("/cp/api/profile")).status).toBe(401);
      expect(await needsNoCode(again, ANNA)).toBe(false);
      expect((await new Browser(portal.way).login({ username, password: NEW_PASSWORD })).status).toBe(200);
      expect((await register(portal.way, freshCustomer(2))).name).toBe(freshCustomer(2).name);
    });

    it("brings back archived months of the audit, and the audit verifies", async () => {
      const archives = await archiveAnOldMonth(portal);
      const [archive = ""] = readdirSync(archives);
      expect(archive).toMatch(/^audit-2023-05-/);
      const before = readFileSync(join(archives, archive));
      const file = await portal.backUp();
      expect(readFileSync(join(portal.folder, `${archive}.age`)).includes(before)).toBe(false);
      await portal.reopenAfter(async () => {
        await portal.loseDatabase();
        rmSync(archives, { recursive: true });
        const { code, stdout } = await portal.restore(file);
        expect(code).toBe(0);
        expect(stdout).toContain(`\n  restored:\n    - ${archive}\n`);
      });
      expect(readFileSync(join(archives, archive)).equals(before)).toBe(true);
      expect((await portal.run(["seal-audit"])).code).toBe(0);
      expect((await portal.run(["audit", "--verify"])).stdout).toContain("Nothing was changed");
    });
  });
});
