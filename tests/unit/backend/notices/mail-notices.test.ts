import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Delivery } from "~/backend/messages/delivery.server";
import { defaultLimits, type Limits } from "~/platform/config/limits";
import { Browser } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, JAN, PIOTR } from "../../../demo-customers";
import { ACT, runCommand } from "../../../operator-command";
import {
  CAUSES,
  codeOf,
  FACTS,
  lock,
  NOTICES,
  noticesTo,
  ok,
  OWN_EVENTS,
  setPassword,
  signIn,
} from "./notice-steps";
import { recordStatements } from "../store/recorded-statements";
import { turnsUntil } from "../messages/sms-sender-harness";
import { NOON, openTestBackend, type TestBackend } from "../test-backend";
import { variablesOf } from "../test-place";
import { WAITING_MAIL } from "../../../waiting";
import { ANNAS_ADDRESS, giveAddress, MAILS, TestMailServer, untilAborted } from "../messages/mail/mail-steps";

const limits = { ...defaultLimits("demo"), MAIL_STOP_MS: 1 };

onAnyDatabase((kind) => {
  describe("[S149] e-mail notices", () => {
    let way: TestBackend;
    let server: TestMailServer;
    async function open(own: Partial<Limits> = {}, noticeTexts?: typeof NOTICES): Promise<void> {
      server = new TestMailServer();
      way = await openTestBackend({
        kind,
        limits: { ...limits, ...own },
        noticeTexts,
        mailing: { server, texts: MAILS },
      });
      await giveAddress(way);
    }
    beforeEach(() => open());
    afterEach(() => way.close());

    const rows = (table: string) => way.query(`select * from ${table}`);
    const allSent = () => turnsUntil(async () => (await rows(WAITING_MAIL)).length === 0);
    const subjects = () => server.offered.map(({ subject }) => subject);

    it.each(OWN_EVENTS)(
      "are sent after %s, once, to the address that the insurer knows, with SMS notices off",
      async (event) => {
        await CAUSES[event](way);
        await allSent();
        const mail = MAILS[event]({ at: NOON, ...FACTS[event] });
        const sent = server.offered.filter(({ subject }) => subject === mail.subject);
        expect(sent).toEqual([{ ...mail, id: sent[0]?.id, to: ANNAS_ADDRESS, sentAt: NOON }]);
        expect(await noticesTo(way)).toEqual([]);
      },
    );

    it("are sent beside SMS notices, once for a confirm from several tabs", async () => {
      await way.close();
      await open({}, NOTICES);
      await setPassword(way, await signIn(way, ANNA), 3);
      await allSent();
      expect(subjects()).toEqual([MAILS["password-changed"]({ at: NOON }).subject]);
      expect(await noticesTo(way)).toHaveLength(1);
    });

    it("are not sent to customers without an address, and don't count towards their caps", async () => {
      await way.change("update customers set email_sealed = null");
      await CAUSES["password-reset"](way);
      await lock(way, PIOTR.username);
      await allSent();
      expect(server.offered).toEqual([]);
      expect(await way.query("select bucket from windows where bucket like 'notices|mail|%'")).toEqual([]);
      // The decoy leaves nothing.
      expect(await way.query("select id from messages where purpose = 'mail-notice'")).toEqual([]);
    });

    it("have no effect without a mail server", async () => {
      await way.close();
      way = await openTestBackend({ kind, limits });
      await CAUSES["password-reset"](way);
      await lock(way, PIOTR.username);
      expect(await rows(WAITING_MAIL)).toEqual([]);
      expect(await way.query("select bucket from windows where bucket like 'notices|%'")).toEqual([]);
    });

    it("fail no request, even if the address can't be decrypted, and wait for the key", async () => {
      await way.change("update customers set email_sealed = '1.AAAA' where email_sealed is not null");
      await CAUSES["password-reset"](way);
      await turnsUntil(() => way.logged.some((line) => line.includes('"event":"mail-server-unusable"')));
      expect(way.logged.join("")).toContain("the address cannot be decrypted");
      expect(await rows(WAITING_MAIL)).toHaveLength(1);
      expect(server.offered).toEqual([]);
    });

    it("are kept with the change or not at all", async () => {
      const browser = await signIn(way, ANNA);
      const path = `/home/api/user/${ANNA.username}/login-change`;
      ok(await browser.post(`${path}/init`));
      const change = { newUsername: "anna.nowa.nazwa", authorizationCode: await codeOf(way) };
      await way.change("alter table messages rename to messages_away");
      const { status } = await browser.post(`${path}/confirm`, change);
      await way.change("alter table messages_away rename to messages");
      expect(status).toBe(500);
      expect(await way.query("select id from accounts where username = ?", change.newUsername)).toEqual([]);
      expect(await way.query("select bucket from windows where bucket like 'notices|mail|%'")).toEqual([]);
    });

    it.each<[string, (typeof server)["does"], boolean]>([
      ["is away", () => later("unreachable", false), true],
      ["greylists", () => later("status 451", false), true],
      ["is unusable", () => later("status 535", true), true],
      ["refuses them", () => Promise.resolve({ kind: "refused", reason: "status 550" }), false],
      ["never answers", untilAborted, true],
    ])(
      "[S150] hold up no sign-in and no change when the server %s, and no log has them",
      async (_what, does, waits) => {
        server.does = does;
        for (const event of ["password-changed", "sign-in-locked"] as const) await CAUSES[event](way);
        await turnsUntil(() => server.offered.length === 2);
        await turnsUntil(async () => (await rows(WAITING_MAIL)).length === (waits ? 2 : 0));
        ok(await new Browser(way).login(PIOTR));
        for (const row of await rows(WAITING_MAIL)) expect(row["ends_at"]).toBe(NOON + 24 * 3_600_000);
        const kept = JSON.stringify([await rows(WAITING_MAIL), await rows("messages")]) + way.logged.join("");
        expect(kept).not.toMatch(/kanarek|To nie Ty|Zmieniono|Tarnea/i);
      },
    );

    it("of changes have a cap for each customer a day, and of locks another one and a budget", async () => {
      await way.close();
      await open({
        MAIL_NOTICES_PER_DAY: 2,
        MAIL_LOCK_NOTICES_PER_DAY: 1,
        MAIL_LOCK_NOTICES_TOTAL_PER_HOUR: 2,
      });
      await giveAddress(way, "piotr@example.pl", PIOTR.username);
      await giveAddress(way, "jan@example.pl", JAN.username);
      for (let nth = 0; nth < 4; nth += 1) await signIn(way, ANNA, "Y");
      await allSent();
      expect(server.offered.map(({ to }) => to)).toEqual([ANNAS_ADDRESS, ANNAS_ADDRESS]);
      server.offered.splice(0);
      await lock(way);
      await allSent();
      way.advance(900_000);
      for (const { username } of [ANNA, PIOTR, JAN]) await lock(way, username);
      await allSent();
      expect(server.offered.map(({ to }) => to)).toEqual([ANNAS_ADDRESS, "piotr@example.pl"]);
      expect(way.logged.join("")).toContain('"budget":"mail-lock"');
    });

    it("are shown to the help desk, and their caps are reset", async () => {
      await way.close();
      // Commands have the clock of the machine.
      way = await openTestBackend({
        kind,
        limits,
        mailing: { server, texts: MAILS },
        clock: () => Date.now(),
      });
      await CAUSES["password-reset"](way);
      await allSent();
      const onAnna = ["--username", ANNA.username, ...ACT];
      const shown = (await runCommand(variablesOf(way.place), ["account", "show", ...onAnna])).stdout;
      expect(shown).toMatch(
        / {2}- purpose: mail-notice\n {4}state: accepted\n(?:.*\n){2} {4}gateway: smtp\n/,
      );
      expect(shown).not.toMatch(/kanarek/i);
      const reset = (await runCommand(variablesOf(way.place), ["account", "reset-caps", ...onAnna])).stdout;
      expect(reset).toContain("  - of: mail-notices-of-changes\n");
      expect(await way.query("select bucket from windows where bucket like 'notices|mail|change|%'")).toEqual(
        [],
      );
    });

    it("[S108] of a lock run the same statements, whether or not an e-mail goes out", async () => {
      await way.close();
      await open({ MAIL_LOCK_NOTICES_PER_DAY: 1, MAIL_PARALLEL: 1 });
      // Without a sender, whose statements would be among these.
      await way.close();
      way = await openTestBackend({ kind, limits, mailing: { server, texts: MAILS } });
      await giveAddress(way);
      const runs = [];
      for (const username of [ANNA.username, "nikt.taki", JAN.username]) runs.push(await lockOf(username));
      way.advance(900_000);
      runs.push(await lockOf(ANNA.username));
      expect(runs[0]?.filter((text) => text.startsWith('insert into "messages"'))).toHaveLength(1);
      for (const run of runs) expect(run).toEqual(runs[0]);
    });

    /** The statements of the wrong password that locks, without the sender's. */
    async function lockOf(username: string): Promise<readonly string[]> {
      const browser = new Browser(way);
      for (let nth = 0; nth < 4; nth += 1)
        await new Browser(way).login({ username, password: "Nie-To-Haslo-1" });
      await allSent();
      const statements = recordStatements();
      await browser.login({ username, password: "Nie-To-Haslo-1" });
      const own = statements().filter((text) => !SENDERS.test(text));
      await allSent();
      return own;
    }
  });
});

/** Statements of the sender, which works at the same time. */
const SENDERS =
  /^(update|delete from) "messages"|^select "id", "purpose" from "messages"|"email_sealed" from/;

function later(reason: string, alarm: boolean): Promise<Delivery> {
  return Promise.resolve({ kind: "later", reason, alarm });
}
