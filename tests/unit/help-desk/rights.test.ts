import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrateTables } from "../../migrate-tables";
import { makeDatabase } from "../../topology/database";
import { hasPostgres, settingsOf } from "../../database";
import { ANNA } from "../../demo-customers";
import { register } from "../../contract/register";
import { addApp } from "../../factor-steps";
import { signIn } from "../backend/notices/notice-steps";
import { ZOFIA } from "../operators/importing";
import { Browser } from "../../contract/browser";
import { ACT, runCommand } from "../../operator-command";
import { withClient } from "../../postgres-server";
import { COMMANDS } from "../operators/account/help-desk";
import { NOON, openTestBackend } from "../backend/test-backend";
import { newDataDir, type Place } from "../backend/test-place";
import { EWA, JAN, openDeskOver, wordsOf } from "./staff";

describe.skipIf(!hasPostgres)("the help desk's role in deploy/postgresql", () => {
  /** A portal with a customer who is signed in and one who is locked out, and the help desk's role beside it. */
  async function openWithRoles() {
    const database = await makeDatabase();
    const dataDir = newDataDir();
    const place: Place = {
      database: settingsOf(database.url),
      dataDir,
      query: async (text) =>
        (await withClient(database.ownerUrl, (client) => client.query<Record<string, unknown>>(text))).rows,
    };
    const way = await openTestBackend({ place });
    onTestFinished(async () => {
      await way.close();
      await database.stop();
    });
    const pagesPlace = { ...place, database: settingsOf(database.helpDeskUrl) };
    const gateway = {
      SMS_NOTICES: "on",
      SMS_GATEWAY: "webhook",
      SMS_WEBHOOK_URL: "https://sms.example",
      SMS_WEBHOOK_TOKEN: "Rk7vQ2mZ9xWc4LpTb6Hs8Ny3",
    };
    return {
      database,
      way,
      pagesPlace,
      env: { DATABASE_URL: database.helpDeskUrl, DATA_DIR: dataDir, ...gateway },
    };
  }

  /** The commands note the mode and the keys, as the pages' process doesn't. */
  const letNote = (database: Awaited<ReturnType<typeof makeDatabase>>) =>
    withClient(database.ownerUrl, (client) =>
      client.query(`grant insert, update on facts to ${new URL(database.helpDeskUrl).username}`),
    );

  it("[S90] lets the pages find, show and change a customer, and a second person decide", async () => {
    const { way, pagesPlace } = await openWithRoles();
    const desk = await openDeskOver(way, { HELP_DESK_APPROVAL: "on", SMS_NOTICES: "on" }, pagesPlace);
    onTestFinished(() => desk.close());
    await addApp(way, await signIn(way, ANNA, "Y"), ANNA, NOON);
    const [ewa, jan] = [await desk.as(EWA), await desk.as(JAN)];
    expect((await ewa.get("/readyz")).text).toBe("ok\n");
    expect(wordsOf(await ewa.open(ANNA.pid))).toContain("Co można zrobić");
    for (const act of ["unlock", "reset-caps", "end-sessions", "forget-devices", "lock-out", "disable"])
      expect([act, (await ewa.post(`/help-desk/act/${act}`, await ewa.form(act))).status]).toEqual([
        act,
        303,
      ]);
    for (const decision of ["decline", "approve"] as const) {
      await ewa.does("enable");
      await jan.decides(decision);
    }
    expect((await desk.acts()).slice(-4).map(({ event }) => event)).toEqual([
      ...["act-asked", "act-declined", "act-asked", "account-enabled"],
    ]);
  });

  it("[S90] does every act of the help desk", async () => {
    const { database, way, env } = await openWithRoles();
    await letNote(database);
    await addApp(way, await signIn(way, ANNA), ANNA, NOON);
    for (let nth = 0; nth < 5; nth += 1)
      await new Browser(way).login({ username: ANNA.username, password: "Nie-To-Haslo-1" });
    for (const name of COMMANDS) {
      const { code, stderr } = await runCommand(env, ["account", name, "--username", ANNA.username, ...ACT]);
      expect([name, code, stderr]).toEqual([name, 0, ""]);
    }
    const found = await runCommand(env, ["account", "find", "--email", "-", ...ACT], "anna@example.com");
    expect(found.stderr).not.toContain("permission");
  });

  it("[S90] decides on a new phone number that waits, and tells the customer", async () => {
    const { database, way, env } = await openWithRoles();
    await letNote(database);
    const serving = { ...env, DATABASE_URL: database.url };
    const file = join(env.DATA_DIR, "lines.jsonl");
    const imported = async (phone: string) => {
      writeFileSync(file, JSON.stringify({ ...ZOFIA, phone }));
      expect((await runCommand(serving, ["import", file, "--operator", "jan"])).stderr).toBe("");
    };
    const policyNo = "POL-900001";
    await imported(ZOFIA.phone);
    await register(way, { ...ZOFIA, policyNo });
    for (const act of ["use-new-phone", "keep-old-phone"]) {
      await imported(act === "use-new-phone" ? "+48500900555" : "+48500900777");
      const { stderr, stdout } = await runCommand(env, [
        "account",
        act,
        "--policy-no",
        policyNo,
        ...ACT,
        "--json",
      ]);
      expect([act, stderr, stdout]).toEqual([act, "", expect.stringContaining('"changed":true')]);
    }
    expect(await database.count("messages")).toBeGreaterThan(0);
  });

  /** What each table hides: with it and the data keys, an account could be opened. */
  const HIDDEN = {
    accounts: ["password_hash", "pepper_version", "passkey_user_handle"],
    codes: ["browser_hash", "code_mac", "payload_mac"],
    document_passwords: ["key_version", "wrapped_key", "password_sealed"],
    factor_settings: ["recovery_sealed"],
    factors: ["secret_sealed", "last_step"],
    login_passes: ["browser_hash"],
    messages: ["text_sealed"],
    passkey_challenges: ["browser_hash", "challenge"],
    passkeys: ["user_handle", "public_key_sealed"],
    prepared_factors: ["session_id", "secret_sealed"],
    sessions: ["id"],
    mail_queue: ["customer_id", "event", "request_id", "tries", "sent_at", "ends_at"],
    sms_queue: [
      ...["recipient_sealed", "text_sealed", "purpose", "request_id"],
      ...["tries", "sent_at", "ends_at"],
    ],
    trusted_devices: ["token_hash", "family_hash", "earlier_hash", "browser_hash"],
  };
  const WHOLE = [
    ...["attempts", "customers", "facts", "known_browsers", "kysely_migration"],
    ...["policies", "staff_requests", "windows"],
  ];
  const UPDATED = [
    ...["accounts.has_factors", "accounts.state"],
    ...["attempts.blocked_until", "attempts.level", "attempts.run", "attempts.tries", "codes.ends_at"],
    ...["customers.new_phone_from", "customers.new_phone_index", "customers.new_phone_sealed"],
    ...["customers.phone_index", "customers.phone_sealed", "factor_settings.wrong_in_row"],
    ...["windows.count", "windows.ends_at"],
  ];
  const DELETED = [
    ...["attempts", "factor_settings", "factors", "known_browsers", "login_passes", "passkey_challenges"],
    ...["passkeys", "prepared_factors", "sessions", "staff_requests", "trusted_devices", "windows"],
  ];

  it("[S90] has these rights and no other, by column, also after a release that gave more", async () => {
    const { database } = await openWithRoles();
    const role = new URL(database.helpDeskUrl).username;
    for (const right of ["select", "update"])
      await withClient(database.ownerUrl, (client) =>
        client.query(`grant ${right} on codes, messages to ${role}`),
      );
    await migrateTables(database.forOwner);
    const namesOf = async (query: string) =>
      (await withClient(database.helpDeskUrl, (client) => client.query<{ name: string }>(query))).rows
        .map(({ name }) => name)
        .toSorted();
    const columns = (condition: string) =>
      namesOf(`select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and attnum > 0 and not attisdropped
        and ${condition}`);
    const tables = (right: string) =>
      namesOf(`select relname as name from pg_class where relnamespace = current_schema()::regnamespace
        and relkind = 'r' and has_table_privilege(oid, '${right}')`);
    const inserted = await namesOf(`select distinct c.relname as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and has_any_column_privilege(c.oid, 'insert')`);
    const readable = await namesOf(`select c.relname as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and has_any_column_privilege(c.oid, 'select')`);
    expect(readable).toEqual([...Object.keys(HIDDEN), ...WHOLE].toSorted());
    const hidden = await columns(
      "has_any_column_privilege(c.oid, 'select') and not has_column_privilege(c.oid, a.attnum, 'select')",
    );
    expect(hidden).toEqual(
      Object.entries(HIDDEN)
        .flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
        .toSorted(),
    );
    expect(await columns("has_column_privilege(c.oid, a.attnum, 'update')")).toEqual(UPDATED);
    expect(await tables("delete")).toEqual(DELETED);
    expect(inserted).toEqual(["messages", "staff_requests", "windows"]);
  });

  it("[S90] can set no password, change no audit, and read no document, also after a release that let it", async () => {
    const { database } = await openWithRoles();
    const role = new URL(database.helpDeskUrl).username;
    for (const right of ["select on documents", "update (username) on accounts", "delete on audit_events"])
      await withClient(database.ownerUrl, (client) => client.query(`grant ${right} to ${role}`));
    await migrateTables(database.forOwner);
    for (const statement of [
      "update accounts set password_hash = ''",
      "update accounts set username = ''",
      "insert into accounts select * from accounts",
      "update customers set pid_sealed = ''",
      "delete from customers",
      "insert into sessions select * from sessions",
      "insert into codes select * from codes",
      "update codes set code_mac = ''",
      "update messages set state = 'sent'",
      ...Object.entries(HIDDEN).flatMap(([table, names]) =>
        names.map((name) => `select ${name} from ${table}`),
      ),
      "select * from password_history",
      "select * from document_passwords",
      "select * from documents",
      "select * from document_parts",
      "update policies set customer_id = ''",
      "update audit_events set reason = ''",
      "delete from audit_events",
      "select * from audit_seals",
      "create table other (id text)",
    ]) {
      const running = withClient(database.helpDeskUrl, (client) => client.query(statement));
      await expect(running, statement).rejects.toThrow(/permission denied/);
    }
  });
});
