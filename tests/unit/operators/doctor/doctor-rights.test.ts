import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres, makeDatabase, onServer, type TestDatabase } from "../../../database";
import { runCommand } from "../../../operator-command";

describe.skipIf(!hasPostgres)(
  "portal doctor, with one role that serves and another that owns the tables",
  () => {
    const role = `portal_test_${randomBytes(6).toString("hex")}`;
    let database: TestDatabase;
    let env: Record<string, string>;
    beforeAll(async () => {
      database = await makeDatabase();
      await onServer(`create role ${role} login`);
      const served = Object.assign(new URL(database.url), { username: role, password: "" }).href;
      env = { DATABASE_URL: served, MIGRATION_DATABASE_URL: database.url };
      expect((await runCommand(env, ["migrate"])).code).toBe(0);
    });
    afterAll(async () => {
      await database.drop();
      await onServer(`drop role ${role}`);
    });
    const rightsWith = async (variables: Record<string, string>) =>
      /^(\w+) +rights: (.*)$/m.exec((await runCommand(variables, ["doctor"])).stdout)?.slice(1);
    const rights = () => rightsWith(env);
    /** The variables without the owner's URL, which only an operator may know. */
    const served = () => ({ DATABASE_URL: env["DATABASE_URL"] ?? "" });

    it("[S90] is content with what portal migrate grants", async () => {
      expect(await rights()).toEqual([
        "ok",
        "the DATABASE_URL role adds to the audit, and can change neither it nor tables",
      ]);
    });

    it.each([
      [
        "[S95] may change the audit",
        `grant delete on audit_seals to ${role}`,
        `revoke delete on audit_seals from ${role}`,
        "may change the audit",
      ],
      [
        "[S90] may make tables",
        `grant create on schema public to ${role}`,
        `revoke create on schema public from ${role}`,
        "may make tables",
      ],
      [
        "may not add to the audit",
        `revoke insert on audit_events from ${role}`,
        `grant insert on audit_events to ${role}`,
        "may not add to the audit",
      ],
      [
        "may not write to a table",
        `revoke update on sessions from ${role}`,
        `grant update on sessions to ${role}`,
        "may not write to its tables",
      ],
      [
        "may lose what it has committed",
        `alter role ${role} set synchronous_commit to off`,
        `alter role ${role} reset synchronous_commit`,
        "synchronous_commit",
      ],
    ])("finds a role that %s", async (_what, fault, repair, words) => {
      await database.query(fault);
      const found = await rights();
      await database.query(repair);
      expect(found).toEqual(["problem", expect.stringContaining(words)]);
    });

    it("[S95] judges the role by the database, even if the owner's address is not set", async () => {
      expect((await rightsWith(served()))?.[0]).toBe("ok");
      await database.query(`grant delete on audit_seals to ${role}`);
      const found = await rightsWith(served());
      await database.query(`revoke delete on audit_seals from ${role}`);
      expect(found).toEqual(["problem", expect.stringContaining("may change the audit")]);
    });

    it("[S95] warns of a role that owns the tables, whoever else is named as their owner", async () => {
      const owner = { DATABASE_URL: database.url, MIGRATION_DATABASE_URL: env["DATABASE_URL"] ?? "" };
      expect(await rightsWith(owner)).toEqual([
        "warning",
        expect.stringContaining("serves and owns the tables"),
      ]);
    });
  },
);
