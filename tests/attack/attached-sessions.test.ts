import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CallName } from "~/contract/calls.server";
import { ANNA } from "../demo-customers";
import { type Portal } from "../portal";
import { Visitor } from "../visitor";
import { expectNotRun } from "./decency";
import { json, sharedAttachedPortal, type HostileBackend, type Reply } from "./hostile-backend";

const NOW = "2026-11-20T12:00:00.000Z";
const MARKUP = "<script>alert(1)</script><svg/onload=alert(1)>";
const session = { id: "a", deviceName: "Firefox", startedAt: NOW, lastSeenAt: NOW, current: true };
const event = { at: NOW, event: "signed-in", deviceName: "Firefox" };
const WAIT = { errorCode: "busy", retryAfterSeconds: 30 };
const many = <Row>(row: Row) => Array.from({ length: 5000 }, () => row);

let backend: HostileBackend;
let portal: Portal;
let visitor: Visitor;
beforeAll(async () => {
  ({ backend, portal } = await sharedAttachedPortal());
});
beforeEach(async () => {
  backend.reset();
  visitor = new Visitor(portal);
  await visitor.accept();
  await visitor.login(ANNA);
  await visitor.confirm("123456");
});

const both = (status: number, body: object) => ({
  sessions: json(status, body),
  activity: json(status, body),
});
const myData = async (replies: Partial<Record<CallName, Reply>>) => {
  Object.assign(backend.replies, both(404, {}), { factors: json(404, {}) }, replies);
  const answer = await visitor.get("/cp/profile");
  if (answer.status === 200) expectNotRun(answer);
  return answer;
};
// unit/visit's offered.test.ts has each status.
describe("an attached backend's sessions and activity", () => {
  test.each<[string, Partial<Record<CallName, Reply>>]>([
    ["aren't offered", both(404, {})],
    [
      "have thousands of rows",
      { sessions: json(200, { sessions: many(session) }), activity: json(200, { events: many(event) }) },
    ],
    [
      "name events that the portal doesn't know",
      { activity: json(200, { events: [{ ...event, event: "stolen" }, { ...event, event: 7 }, event] }) },
    ],
    [
      "have markup in every name",
      {
        sessions: json(200, { sessions: [{ ...session, id: MARKUP, deviceName: MARKUP }] }),
        activity: json(200, { events: [{ ...event, deviceName: MARKUP }] }),
      },
    ],
    [
      "name devices at great length",
      {
        sessions: json(200, { sessions: [{ ...session, deviceName: "ż".repeat(100_000) }] }),
        activity: json(200, { events: [{ ...event, deviceName: "😀".repeat(50_000) }] }),
      },
    ],
  ])("that %s are shown as far as they can be", async (_, replies) => {
    expect((await myData(replies)).status).toBe(200);
  });

  test.each<[string, Partial<Record<CallName, Reply>>, number]>([
    ["fail", both(500, {}), 2],
    [
      "have no fields",
      { sessions: json(200, { sessions: [{}] }), activity: json(200, { events: [null] }) },
      2,
    ],
    ["have times that aren't times", { activity: json(200, { events: [{ ...event, at: "yesterday" }] }) }, 1],
    [
      "break off",
      { sessions: (response) => response.destroy(), activity: (response) => response.destroy() },
      2,
    ],
    ["fail in part", { sessions: json(200, { sessions: [session] }), activity: json(500, {}) }, 1],
  ])("that %s are said to be missing, and the rest of the page is there", async (_, replies, missing) => {
    const { status, body } = await myData(replies);
    expect(status).toBe(200);
    expect(body.split("tej chwili nie możemy pokazać tej listy.</p>")).toHaveLength(missing + 1);
    for (const rest of ["Dane do logowania", "Nie masz zaufanych urządzeń."]) expect(body).toContain(rest);
  });

  test("that say that the account is locked lead to the start page", async () => {
    const { status, header } = await myData(both(400, { errorCode: "106" }));
    expect([status, header("Location")]).toEqual([302, "/home"]);
  });
});

describe("an attached backend's profile", () => {
  test.each([
    ["a whole phone number", { phone: "+48500100001" }, "500100001"],
    ["markup for a phone number", { phone: MARKUP }, "alert(1)"],
    ["a last sign-in with markup", { lastSignIn: { at: NOW, deviceName: MARKUP } }, "<svg/onload"],
    ["a device that nobody has", { thisDevice: "someone-elses" }, "someone-elses"],
  ])("with %s shows none of it", async (_, more, hidden) => {
    const profile = { name: ANNA.name, username: ANNA.username, documentPassword: false, trustedDevices: [] };
    const { status, body } = await myData({ profile: json(200, { ...profile, ...more }) });
    expect(status).toBe(200);
    expect(body).not.toContain(hidden);
  });
});

test("after all of this the portal is still up", async () => {
  expect((await visitor.get("/readyz")).status).toBe(200);
});

describe("[F53] “To nie ja” with an attached backend", () => {
  const confirm = () => visitor.post("/cp/not-me", { intent: "confirm" });

  test("that offers no list of sessions ends the trust in devices, and leads on", async () => {
    Object.assign(backend.replies, { endOtherSessions: json(404, {}), deleteTrustedDevices: json(204, {}) });
    expect((await confirm()).header("Location")).toBe("/home/change-password");
  });

  test.each(["endOtherSessions", "deleteTrustedDevices"] as const)(
    "that is busy at %s is said to be, and nobody is signed out",
    async (call) => {
      Object.assign(backend.replies, {
        endOtherSessions: json(204, {}),
        deleteTrustedDevices: json(204, {}),
        [call]: json(503, WAIT),
      });
      const answer = await confirm();
      expect(answer.status).toBe(503);
      expect(answer.header("Retry-After")).toBe("30");
      expect((await visitor.get("/cp/not-me")).status).toBe(200);
    },
  );
});
