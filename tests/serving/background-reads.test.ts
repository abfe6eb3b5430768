import { beforeAll, describe, expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import { IS_RELEASE } from "../release-run";
import { Visitor } from "../visitor";
import { ADDRESSES } from "../attack/addresses";
import { sharedPortal } from "../shared-portal";

const portal = sharedPortal();

/** Requests that browsers send although no visitor opens a page, and HEAD. unit/server's navigation.test.ts has more. */
const BACKGROUND: Readonly<Record<string, { method: string; headers: Record<string, string> }>> = {
  HEAD: { method: "HEAD", headers: {} },
  "an image on a sister host": {
    method: "GET",
    headers: { "Sec-Fetch-Dest": "image", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Site": "same-site" },
  },
  "a prefetch": { method: "GET", headers: { "Sec-Purpose": "prefetch", "Sec-Fetch-Dest": "document" } },
};

const API = ["/home/api/user/info", "/cp/api/profile", "/cp/api/policies"];
const PATHS = [...ADDRESSES.map(({ path }) => path), ...API, "/home/logout?sure"];

/** One kind asks everywhere, the others where a page does something. Before a release all ask everywhere. */
const EVERYWHERE = "an image on a sister host";
const DOING = ["/home/mfa", "/cp", "/home/logout"];

let signedIn: Visitor;
let pending: Visitor;
beforeAll(async () => {
  signedIn = new Visitor(portal);
  await signedIn.signIn(ANNA);
  pending = new Visitor(portal);
  await pending.begin(ANNA);
});

describe.each(Object.entries(BACKGROUND))("[S111] %s", (what, { method, headers }) => {
  test("changes nothing at any address: no cookie, no message, no sign-out", async () => {
    const messages = (await portal.outbox()).length;
    for (const path of IS_RELEASE || what === EVERYWHERE ? PATHS : DOING) {
      for (const visitor of [signedIn, pending]) {
        const answer = await visitor.twin().send(method, path, { headers });
        expect([path, answer.header("Set-Cookie")]).toEqual([path, undefined]);
        expect([path, answer.status < 500]).toEqual([path, true]);
      }
    }
    expect(await portal.outbox()).toHaveLength(messages);
    expect((await signedIn.get("/cp")).status).toBe(200);
    expect((await pending.get("/home/mfa")).status).toBe(200);
  });

  test("shows nothing of the customer", async () => {
    for (const path of ["/cp", "/cp/profile", ...API]) {
      const { body } = await signedIn.twin().send(method, path, { headers });
      expect(body).not.toContain("Nowak");
    }
  });
});

test("[S111] a signed-in customer's own navigation, and our script's fetch, are answered as hers", async () => {
  const reads = [
    { "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "same-origin" },
    { "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin" },
  ];
  for (const headers of reads) expect((await signedIn.get("/cp", { headers })).status).toBe(200);
});
