import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../browsers/until";
import { makeDatabase, onAnyDatabase, type DatabaseKind } from "../database";
import { ANNA } from "../demo-customers";
import { ACT, BY_EWA, runCommand } from "../operator-command";
import { startPortal, type Portal } from "../portal";
import { placeOnPostgres, placeOnSqlite, type Place } from "../unit/backend/test-place";
import { isKept, RETURNING, visitorWith } from "../serving/cached-page";
import { Visitor } from "../visitor";
import { randomDataKeys } from "./seeding";

const POLISH = "Portal zamkniemy w sobotę o 22:00. <b>Szkody</b>: 800 100 200 & 112";
const ENGLISH = "We close the portal on Saturday at 10pm.";
const ESCAPED = '&lt;b&gt;Szkody&lt;/b&gt;: <a href="tel:+48800100200"';
const TEXTS = ["--text", POLISH, "--text-en", ENGLISH];
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const TOMORROW = ["--until", inHours(24)];
const CLOSED = "Trwają prace techniczne";

/** Portals on one database, two if it can have two, and the commands beside them. */
async function start(kind: DatabaseKind) {
  const on = kind === "postgres" ? await makeDatabase() : undefined;
  const env = {
    LIMIT_ANNOUNCEMENT_SECONDS: "1",
    DATA_KEYS: randomDataKeys(),
    SESSION_SECRET: randomBytes(32).toString("base64"),
    ...(on && { DATABASE_URL: on.url }),
  };
  const first = await startPortal({ env });
  const portals: readonly Portal[] = on ? [first, await startPortal({ env })] : [first];
  const place: Place = on ? placeOnPostgres(on, first.dataDir) : placeOnSqlite(first.dataDir);
  const run = (...words: readonly string[]) => runCommand({ ...env, DATA_DIR: first.dataDir }, words);
  return {
    first,
    portals,
    run,
    does: async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await run(...words);
      expect([code, stderr], words.join(" ")).toEqual([0, ""]);
      return stdout;
    },
    events: () =>
      place.query(
        "select event, operator, reason from audit_events where event like 'announcement-%' or event like 'maintenance-%' order by id",
      ),
    stop: async () => {
      for (const portal of portals) await portal.stop();
    },
  };
}

onAnyDatabase((kind) => {
  let site: Awaited<ReturnType<typeof start>>;
  let anna: Visitor;
  beforeAll(async () => {
    site = await start(kind);
    anna = new Visitor(site.first);
    await anna.signIn(ANNA);
  });
  afterAll(() => site.stop());

  const home = (portal: Portal, language = "pl") =>
    visitorWith(portal, { ...RETURNING, language }).get("/home");
  type Page = Awaited<ReturnType<typeof home>>;

  /** Waits until the start page of every portal is like this. */
  const everywhere = async (isSo: (page: Page) => boolean, language = "pl") => {
    for (const portal of site.portals)
      await until("the portals to follow", async () => isSo(await home(portal, language)));
  };
  const closed = () => everywhere(({ status }) => status === 503);

  describe("an announcement", () => {
    it("[S138] stands on every page of every portal, as text, in the page's language, until it is taken back", async () => {
      expect(await site.does("announce", ...TEXTS, ...TOMORROW, ...ACT)).toContain(`  text: ${POLISH}\n`);
      // The memory must not go on with the page from before.
      await everywhere((page) => page.body.includes(ESCAPED) && isKept(page));
      await everywhere((page) => page.body.includes(ENGLISH) && isKept(page), "en");
      const stranger = visitorWith(site.first, RETURNING);
      const pages = [
        await anna.get("/cp"),
        await anna.get("/cp/profile"),
        await new Visitor(site.first).get("/home/cookies"),
        await stranger.get("/nie-ma"),
        await stranger.get(`/${"a/".repeat(40)}`),
        await stranger.post("/home", { username: "", password: "" }),
      ];
      for (const { body } of pages) {
        expect(body.split(ESCAPED)).toHaveLength(2);
        expect(body).toMatch(/<\/header><section aria-label="Komunikat"/);
        expect(body).not.toContain(ENGLISH);
      }
      await site.does("announce", "off", ...ACT);
      await everywhere(({ body }) => !body.includes(ESCAPED));
    });
  });

  describe("maintenance", () => {
    it("[S139] answers every page and every call 503 until it is over; files and addresses for machines go on", async () => {
      const [, file = ""] = /"(\/assets\/[^"]+\.js)"/.exec((await home(site.first)).body) ?? [];
      await site.does("maintenance", "on", "--until", inHours(1), ...ACT);
      await closed();
      for (const portal of site.portals) {
        const stranger = visitorWith(portal, RETURNING);
        for (const path of ["/home", "/home/cookies", "/", "/nie-ma", "/service", "/demo/sms.json"]) {
          const page = await stranger.get(path);
          expect([path, page.status]).toEqual([path, 503]);
          expect(Number(page.header("Retry-After"))).toBeGreaterThan(3000);
          expect(page.body).toContain(CLOSED);
          expect(page.body).toMatch(/Infolinia: <a href="tel:\+48221002030"/);
          expect(page.body).not.toContain("Nie zapisaliśmy");
        }
        const call = await stranger.call("POST", "/home/api/auth/login", {
          username: ANNA.username,
          password: ANNA.password,
        });
        const retryAfterSeconds = Number(call.header("Retry-After"));
        expect([call.status, JSON.parse(call.body)]).toEqual([503, { errorCode: "busy", retryAfterSeconds }]);
        for (const path of ["/healthz", "/readyz", "/favicon.svg", file, "/.well-known/security.txt"])
          expect([path, (await stranger.get(path)).status]).toEqual([path, 200]);
        expect((await stranger.get("/.well-known/change-password")).status).toBe(302);
        expect((await stranger.get("/language/en?back=/home")).status).toBe(303);
        expect((await stranger.get("/home")).body).toContain("We are working on the portal");
      }
      expect((await anna.get("/cp")).status).toBe(503);
      const form = await anna.post("/home/logout", { intent: "sign-out" });
      expect([form.status, form.lines("Set-Cookie")]).toEqual([503, []]);
      expect(form.body).toContain("Nie zapisaliśmy danych z\u00a0wysłanego formularza");

      await site.does("maintenance", "off", ...ACT);
      await everywhere(({ status }) => status === 200);
      expect((await anna.get("/cp")).status).toBe(200);
    });
  });

  describe("the commands", () => {
    it("show what there is, change nothing twice, and leave one event for each change", async () => {
      const before = (await site.events()).length;
      const end = inHours(2);
      const facts = { announcement: { text: POLISH, textEn: ENGLISH, until: end }, maintenance: null };
      const says = async (...words: readonly string[]) =>
        JSON.parse(await site.does(...words, "--json")) as unknown;
      expect(await says("announce", ...TEXTS, "--until", end, ...ACT)).toEqual({ changed: true, ...facts });
      expect(await says("announce", ...TEXTS, "--until", end, ...ACT)).toEqual({ changed: false, ...facts });
      expect(await says("maintenance")).toEqual(facts);
      expect(await says("announce", "off", ...ACT)).toMatchObject({ changed: true, announcement: null });
      expect(await says("announce", "off", ...ACT)).toMatchObject({ changed: false });
      expect(await says("maintenance", "on", "--until", end, ...ACT)).toMatchObject({
        maintenance: { until: end },
      });
      expect(await says("maintenance", "off", ...ACT)).toMatchObject({ changed: true, maintenance: null });
      expect((await site.events()).slice(before)).toEqual(
        ["announcement-made", "announcement-ended", "maintenance-begun", "maintenance-ended"].map(
          (event) => ({
            event,
            ...BY_EWA,
          }),
        ),
      );
    });

    it.each([
      [
        "a text that is too long",
        ["announce", "--text", "ą".repeat(301), "--text-en", "x", ...TOMORROW, ...ACT],
      ],
      ["a text on two lines", ["announce", "--text", "a\nb", "--text-en", "x", ...TOMORROW, ...ACT]],
      ["no English text", ["announce", "--text", POLISH, ...TOMORROW, ...ACT]],
      ["no end", ["announce", ...TEXTS, ...ACT]],
      ["an end that has passed", ["announce", ...TEXTS, "--until", inHours(-1), ...ACT]],
      ["an end in a year", ["announce", ...TEXTS, "--until", inHours(24 * 365), ...ACT]],
      ["an end without any text", ["announce", ...TOMORROW, ...ACT]],
      ["no operator", ["announce", ...TEXTS, ...TOMORROW, "--reason", "x"]],
      ["a text to take back", ["announce", "off", ...TEXTS, ...ACT]],
      ["maintenance for two weeks", ["maintenance", "on", "--until", inHours(24 * 14), ...ACT]],
    ])("refuse %s in one line with exit code 2, and change nothing", async (_name, words) => {
      const before = await site.events();
      const { code, stdout, stderr } = await site.run(...words);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^portal: [^\n]+\n$/);
      expect(await site.does("announce")).toBe("announcement: none\nmaintenance: none\n");
      expect(await site.events()).toEqual(before);
    });
  });
});
