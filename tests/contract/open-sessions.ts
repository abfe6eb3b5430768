import { createHash } from "node:crypto";
import { expect, it, type TestContext } from "vitest";
import { CALLS, type CallResponse } from "~/contract/calls.server";
import { ANNA, PIOTR } from "../demo-customers";
import { Browser, latestCode } from "./browser";
import { CHANGES } from "./changes";
import { leftOut } from "./left-out";
import { NEW_PASSWORD } from "./register";
import type { Way } from "./way";

type Listed = CallResponse<"sessions">["sessions"][number];

const NOBODYS = "00000000-0000-4000-8000-000000000000";
const SESSIONS = "/cp/api/sessions";
const INFO = "/home/api/user/info";

/** The session list, and ending sessions. A backend may leave both out: 404. */
export function openSessionPromises(way: () => Way): void {
  const sessionsOf = async (browser: Browser, context: TestContext): Promise<readonly Listed[]> => {
    const { status, body } = await browser.get(SESSIONS);
    if (status === 404) leftOut(way(), context, "the backend lists no sessions");
    expect(status).toBe(200);
    return CALLS.sessions.response.parse(body).sessions;
  };

  /** Two browsers of the same customer, and the session of the second in the list of the first. */
  const signedInTwice = async (context: TestContext) => {
    const [here, there] = [new Browser(way()), new Browser(way())];
    await here.signIn(ANNA);
    const before = new Set((await sessionsOf(here, context)).map(({ id }) => id));
    await there.signIn(ANNA);
    const added = (await sessionsOf(here, context)).filter(({ id }) => !before.has(id));
    expect(added).toHaveLength(1);
    return { here, there, id: added[0]?.id ?? "" };
  };

  it("[S40] the list has the device, start and last use of each session, and marks this one", async (context) => {
    const { here, there, id } = await signedInTwice(context);
    const [seenHere, seenThere] = [await sessionsOf(here, context), await sessionsOf(there, context)];
    for (const listed of [seenHere, seenThere])
      expect(listed.filter(({ current }) => current)).toHaveLength(1);
    expect(seenThere.find(({ current }) => current)?.id).toBe(id);
    expect(seenHere.find((session) => session.id === id)?.current).toBe(false);
    expect(seenHere.map((session) => session.id).sort()).toEqual(
      seenThere.map((session) => session.id).sort(),
    );
    for (const { startedAt, lastSeenAt, deviceName } of seenHere) {
      expect(Date.parse(startedAt)).toBeLessThanOrEqual(Date.parse(lastSeenAt));
      expect(deviceName.length).toBeLessThanOrEqual(100);
    }
  });

  it("[S35, S40] an id in the list is no token, and no plain hash of one", async (context) => {
    const { here, there } = await signedInTwice(context);
    const listed = JSON.stringify(await sessionsOf(here, context));
    for (const value of [...here.cookies.values(), ...there.cookies.values()]) {
      expect(listed).not.toContain(value);
      for (const form of ["hex", "base64", "base64url"] as const)
        expect(listed).not.toContain(createHash("sha256").update(value).digest(form));
    }
  });

  it("[S40] a session that waits for its code is not in the list", async (context) => {
    const { here } = await signedInTwice(context);
    const before = await sessionsOf(here, context);
    await new Browser(way()).login(ANNA);
    expect(await sessionsOf(here, context)).toHaveLength(before.length);
  });

  it("[S40] a session ended elsewhere is out at its next request, and can't be ended again", async (context) => {
    const { here, there, id } = await signedInTwice(context);
    const ended = await here.delete(`${SESSIONS}/${id}`);
    expect([ended.status, ended.body]).toEqual([204, undefined]);
    const next = await there.get(INFO);
    expect([next.status, next.body]).toEqual([401, {}]);
    expect((await sessionsOf(here, context)).map((session) => session.id)).not.toContain(id);
    const again = await here.delete(`${SESSIONS}/${id}`);
    expect([again.status, again.body]).toEqual([404, {}]);
  });

  it.for(Object.entries(CHANGES))(
    "[S40] a session ended elsewhere can't finish setting %s, even with the right code",
    async ([, [method, path, payload]], context) => {
      const { here, there, id } = await signedInTwice(context);
      expect((await there.send(method, `${path}/init`, {})).status).toBe(200);
      const code = await latestCode(way(), ANNA.phone);
      const before = (await here.get("/cp/api/profile")).body;
      expect((await here.delete(`${SESSIONS}/${id}`)).status).toBe(204);
      const codes = { authToken: code, authorizationCode: code };
      expect((await there.send(method, `${path}/confirm`, { ...payload, ...codes })).status).toBe(401);
      expect((await here.get("/cp/api/profile")).body).toEqual(before);
    },
  );

  it("[S40] an ended session can't finish a password change, although a reset needs no session", async (context) => {
    const { here, there, id } = await signedInTwice(context);
    const path = `/home/api/user/${ANNA.username}/password-reset`;
    expect((await there.post(`${path}/init`)).status).toBe(200);
    const authorizationCode = await latestCode(way(), ANNA.phone);
    expect((await here.delete(`${SESSIONS}/${id}`)).status).toBe(204);
    const payload = { newPassword: NEW_PASSWORD, authorizationCode };
    const answer = await there.post(`${path}/confirm`, payload);
    expect([answer.status, answer.body]).toEqual([400, { errorCode: "010" }]);
    expect((await here.get(INFO)).status).toBe(200);
    await new Browser(way()).signIn(ANNA);
  });

  it("[S40, S48] somebody else's session is answered like one that doesn't exist, and goes on", async (context) => {
    const { there, id } = await signedInTwice(context);
    const stranger = new Browser(way());
    await stranger.signIn(PIOTR);
    for (const each of [id, NOBODYS]) {
      const { status, body } = await stranger.delete(`${SESSIONS}/${each}`);
      expect([status, body]).toEqual([404, {}]);
    }
    expect((await stranger.delete(SESSIONS)).status).toBe(204);
    expect((await there.get(INFO)).status).toBe(200);
    expect((await stranger.get(INFO)).status).toBe(200);
  });

  it("[S40] all other sessions end at once, even those that wait for a code, and this one goes on", async (context) => {
    const { here, there } = await signedInTwice(context);
    const pending = new Browser(way());
    await pending.login(ANNA);
    const ended = await here.delete(SESSIONS);
    expect([ended.status, ended.body]).toEqual([204, undefined]);
    for (const browser of [there, pending]) expect((await browser.get(INFO)).status).toBe(401);
    expect(await sessionsOf(here, context)).toMatchObject([{ current: true }]);
    expect((await here.delete(SESSIONS)).status).toBe(204);
  });

  it("[S40] of fifty requests at once to end a session, one ends it, and the others find nothing", async (context) => {
    const { here, there, id } = await signedInTwice(context);
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await here.twin().delete(`${SESSIONS}/${id}`)).status),
    );
    expect(statuses.sort()).toEqual([204, ...Array.from({ length: 49 }, () => 404)]);
    expect((await there.get(INFO)).status).toBe(401);
    expect((await here.get(INFO)).status).toBe(200);
  });
}
