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
import { runCommand } from "../../operator-command";
import { withClient } from "../../postgres-server";
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
    return { database, way, pagesPlace };
  }

  it("[S90] lets the pages find, show and change a customer, do every act, and a second person decide", async () => {
    const { database, way, pagesPlace } = await openWithRoles();
    const variables = {
      HELP_DESK_APPROVAL: "on",
      SMS_NOTICES: "on",
      SMS_GATEWAY: "webhook",
      SMS_WEBHOOK_URL: "https://sms.example",
      SMS_WEBHOOK_TOKEN: "Rk7vQ2mZ9xWc4LpTb6Hs8Ny3",
    };
    const desk = await openDeskOver(way, variables, pagesPlace);
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
    for (const [act, decision] of [
      ["enable", "decline"],
      ["enable", "approve"],
      ["reset-factors", "approve"],
    ] as const) {
      await ewa.does(act);
      await jan.decides(decision);
    }
    await ewa.does("expire");
    expect((await desk.acts()).map(({ event }) => event)).toEqual(
      expect.arrayContaining([
        "act-asked",
        "act-declined",
        "account-enabled",
        "factors-reset",
        "account-expired",
      ]),
    );

    const file = join(way.dataDir, "lines.jsonl");
    const imported = async (phone: string) => {
      writeFileSync(file, JSON.stringify({ ...ZOFIA, phone }));
      expect(
        (
          await runCommand({ DATABASE_URL: database.url, DATA_DIR: way.dataDir, SMS_NOTICES: "on" }, [
            "import",
            file,
            "--operator",
            "jan",
          ])
        ).stderr,
      ).toBe("");
    };
    await imported(ZOFIA.phone);
    await register(way, { ...ZOFIA, policyNo: "POL-900001" });
    for (const [act, phone] of [
      ["use-new-phone", "+48500900555"],
      ["keep-old-phone", "+48500900777"],
    ] as const) {
      await imported(phone);
      await ewa.open("POL-900001");
      const pressed = await ewa.post(`/help-desk/act/${act}`, await ewa.form(act));
      expect([act, pressed.status]).toEqual([act, 303]);
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
    sms_queue: ["recipient_sealed", "text_sealed", "purpose", "request_id", "tries", "sent_at", "ends_at"],
    trusted_devices: ["token_hash", "family_hash", "earlier_hash", "browser_hash"],
  };
  const WHOLE = [
    "attempts",
    "customers",
    "facts",
    "known_browsers",
    "kysely_migration",
    "policies",
    "staff_requests",
    "windows",
  ];
  const UPDATED = [
    "accounts.has_factors",
    "accounts.state",
    "attempts.blocked_until",
    "attempts.level",
    "attempts.run",
    "attempts.tries",
    "codes.ends_at",
    "customers.new_phone_from",
    "customers.new_phone_index",
    "customers.new_phone_sealed",
    "customers.phone_index",
    "customers.phone_sealed",
    "factor_settings.wrong_in_row",
    "windows.count",
    "windows.ends_at",
  ];
  const DELETED = [
    "attempts",
    "factor_settings",
    "factors",
    "known_browsers",
    "login_passes",
    "passkey_challenges",
    "passkeys",
    "prepared_factors",
    "sessions",
    "staff_requests",
    "trusted_devices",
    "windows",
  ];

  it("[S90] has these rights by column and no other, to set a password, say, also after a release that gave more", async () => {
    const { database } = await openWithRoles();
    const role = new URL(database.helpDeskUrl).username;
    for (const right of [
      "select on codes, messages, documents",
      "update on codes, messages",
      "update (username) on accounts",
      "delete on audit_events",
    ])
      await withClient(database.ownerUrl, (client) => client.query(`grant ${right} to ${role}`));
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
    for (const statement of [
      "update accounts set password_hash = ''",
      "insert into sessions select * from sessions",
      "select code_mac from codes",
      "select * from document_parts",
      "delete from audit_events",
      "create table other (id text)",
    ]) {
      const running = withClient(database.helpDeskUrl, (client) => client.query(statement));
      await expect(running, statement).rejects.toThrow(/permission denied/);
    }
  });
});
