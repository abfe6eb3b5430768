import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../browsers/until";
import { onAnyDatabase } from "../../database";
import { ANNA } from "../../demo-customers";
import { startPortal, type Portal } from "../../portal";
import { type Behaviour, type SmsapiServer, startSmsapiServer } from "../../smsapi-server";
import { emptyPlace, type Place, variablesOf } from "../../unit/backend/test-place";
import { CONSENT, visitorWith } from "../../serving/cached-page";
import { WAITING_SMS } from "../../waiting";

/** Longer than a test: only the kill ends an attempt. */
const HANGS = { LIMIT_SMS_SEND_MS: "600000" };
const SOON = { LIMIT_SMS_SEND_MS: "700", LIMIT_SMS_FALLBACK_SECONDS: "1", LIMIT_SMS_RETRY_SECONDS: "1" };

onAnyDatabase((kind) => {
  describe("a portal with two SMS gateways", () => {
    let place: Place;
    let first: SmsapiServer;
    let second: SmsapiServer;
    let portal: Portal | undefined;
    let logs = "";
    beforeAll(async () => {
      place = await emptyPlace(kind);
      [first, second] = [await startSmsapiServer(), await startSmsapiServer()];
    });
    afterAll(async () => {
      await portal?.stop();
      await first.close();
      await second.close();
    });

    /** Starts a process; the one before it is killed. */
    const start = async (limits: Readonly<Record<string, string>>) => {
      await end();
      const gateways = {
        ...{ SMS_GATEWAY: "smsapi", SMS_SMSAPI_URL: first.url, SMS_SMSAPI_TOKEN: first.token },
        ...{ SMS_SENDER: "Tarnea", SMS_FALLBACK_GATEWAY: "smsapi", SMS_FALLBACK_SENDER: "Tarnea" },
        ...{ SMS_FALLBACK_SMSAPI_URL: second.url, SMS_FALLBACK_SMSAPI_TOKEN: second.token },
      };
      const { dataDir } = place;
      portal = await startPortal({ dataDir, env: { ...variablesOf(place), ...gateways, ...limits } });
      return portal;
    };
    const end = async () => {
      await portal?.stop("SIGKILL");
      logs += portal?.log() ?? "";
      portal = undefined;
    };
    const behave = (ofFirst: Behaviour, ofSecond: Behaviour) => {
      first.behave(ofFirst);
      second.behave(ofSecond);
    };
    const askForCode = async (visited: Portal) => {
      const { username, password } = ANNA;
      const answer = await visitorWith(visited, CONSENT).post("/home", { username, password });
      expect(answer.header("Location")).toBe("/home/mfa");
    };
    const allSent = () =>
      until("an empty queue", async () => (await place.query(`select id from ${WAITING_SMS}`)).length === 0);

    it.each<[string, Behaviour, Behaviour, [number, number]]>([
      ["while the first hangs", "silent", "documented", [0, 1]],
      ["after the first took it and before it said so", "late", "documented", [1, 1]],
      ["while the second hangs", { error: 103 }, "silent", [0, 1]],
      ["after the second took it and before it said so", { error: 103 }, "late", [0, 1]],
    ])("[S152] killed %s, loses no code", async (_step, ofFirst, ofSecond, [byFirst, bySecond]) => {
      const [before, other] = [first.sent.length, second.sent.length];
      behave(ofFirst, ofSecond);
      const visited = await start(HANGS);
      const asked = [first, second].map((server) => server.requests());
      const hanging = typeof ofFirst === "object" ? second : first;
      const had = asked[hanging === first ? 0 : 1];
      await askForCode(visited);
      await until("the gateway that hangs to be asked", () => Promise.resolve(hanging.requests() !== had));
      await end();

      behave({ error: 103 }, "documented");
      // The claim of the killed process is over.
      await place.query("update messages set due_at = 0 where due_at is not null");
      await start(SOON);
      await allSent();
      expect([first.sent.length - before, second.sent.length - other]).toEqual([byFirst, bySecond]);
      // The code is the same, even if it has arrived twice.
      const last = [...first.sent.slice(before), ...second.sent.slice(other)];
      expect(new Set(last.map(({ message, idx }) => message + idx)).size).toBe(1);
    });

    it("[S152] sends codes through the second while the first hangs, lies or refuses, and goes back by itself", async () => {
      const visited = await start(SOON);
      for (const trouble of ["silent", "nonsense", "broken-off", { error: 101 }] as const) {
        behave(trouble, "documented");
        const had = second.sent.length;
        await askForCode(visited);
        await allSent();
        expect(second.sent.length).toBe(had + 1);
      }
      behave("documented", "documented");
      const had = first.sent.length;
      await until("the first to be asked again", async () => {
        await askForCode(visited);
        await allSent();
        return first.sent.length > had;
      });
      await end();
    });

    it("[S93] has logged neither a code nor a number", () => {
      expect(logs).toContain('"gateway":"smsapi-fallback"');
      const codes = second.sent.map(({ message }) => /\d{6}/.exec(message)?.[0] ?? "none");
      expect(codes.length).toBeGreaterThan(5);
      for (const secret of [...codes, ANNA.phone.slice(3)]) expect(logs).not.toContain(secret);
    });
  });
});
