import { afterAll, beforeAll, expect, test } from "vitest";
import { CODE_STEPS } from "../../account-steps";
import { makeDatabase, onAnyDatabase } from "../../database";
import { customersOf } from "../../new-account";
import { ACT, runCommand } from "../../operator-command";
import { startPortal, type Portal } from "../../portal";

onAnyDatabase((kind) => {
  const customer = customersOf();
  let portal: Portal;
  let env: Record<string, string>;
  beforeAll(async () => {
    env = kind === "postgres" ? { DATABASE_URL: (await makeDatabase()).url } : {};
    portal = await startPortal({ env });
  });
  afterAll(() => portal.stop());

  test.each(Object.keys(CODE_STEPS) as (keyof typeof CODE_STEPS)[])(
    "[S91] a person who is erased in the middle of %s gets pages of ours, is signed out, and changes nothing",
    async (name) => {
      const { path, arrive, fields } = CODE_STEPS[name];
      const who = customer();
      const { visitor } = await arrive(portal, who);
      const authorizationCode = await portal.lastCode(who.phone);
      const erased = await runCommand({ ...env, DATA_DIR: portal.dataDir }, [
        "erase",
        "--policy-no",
        who.policyNo,
        ...ACT,
        "--yes",
      ]);
      expect([erased.code, erased.stderr]).toEqual([0, ""]);

      const answers = [
        await visitor.post(path, { intent: "confirm", authorizationCode, ...fields() }),
        await visitor.get(path),
        await visitor.get("/cp"),
        await visitor.get("/cp/profile"),
      ];
      for (const { status, body } of answers) {
        expect(status).toBeLessThan(500);
        if (status === 200) expect(body).toContain("<html");
      }
      expect(answers.slice(2).map(({ status }) => status)).not.toContain(200);
    },
  );
});
