import { describe, expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import { IS_RELEASE } from "../release-run";
import { Visitor } from "../visitor";
import { ADDRESSES, dataPath } from "../attack/addresses";
import { sharedPortal } from "../shared-portal";

const portal = sharedPortal();

/** Requests that browsers send although no visitor opens a page, and HEAD. */
const BACKGROUND: Readonly<Record<string, { method: string; headers: Record<string, string> }>> = {
  HEAD: { method: "HEAD", headers: {} },
  "an image on a sister host": {
    method: "GET",
    headers: { "Sec-Fetch-Dest": "image", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Site": "same-site" },
  },
  "a frame": {
    method: "GET",
    headers: { "Sec-Fetch-Dest": "iframe", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "same-origin" },
  },
  "a script of a sister host": {
    method: "GET",
    headers: { "Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Site": "same-site" },
  },
  "a prefetch": { method: "GET", headers: { "Sec-Purpose": "prefetch", "Sec-Fetch-Dest": "document" } },
  "a prerendering": {
    method: "GET",
    headers: { "Sec-Purpose": "prefetch;prerender", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none" },
  },
};

const API = ["/home/api/user/info", "/cp/api/profile", "/cp/api/policies"];
const PATHS = [
  ...ADDRESSES.map(({ path }) => path),
  ...ADDRESSES.filter(({ noPage }) => !noPage).map(({ path }) => dataPath(path)),
  ...API,
  "/home/logout?sure",
];

/** Two kinds ask everywhere, the others where a page does something. Before a release all ask everywhere. */
const EVERYWHERE: readonly string[] = ["HEAD", "an image on a sister host"];
const DOING = ["/home/mfa", "/cp", "/home/logout"];

describe.each(Object.entries(BACKGROUND))("[S111] %s", (what, { method, headers }) => {
  const paths = IS_RELEASE || EVERYWHERE.includes(what) ? PATHS : DOING;

  test("changes nothing at any address: no cookie, no message, no sign-out", async () => {
    const signedIn = new Visitor(portal);
    await signedIn.signIn(ANNA);
    const pending = new Visitor(portal);
    await pending.begin(ANNA);
    const messages = (await portal.outbox()).length;
    for (const path of paths) {
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
    const signedIn = new Visitor(portal);
    await signedIn.signIn(ANNA);
    for (const path of ["/cp", "/cp/profile", dataPath("/cp"), ...API]) {
      const { body } = await signedIn.send(method, path, { headers });
      expect(body).not.toContain("Nowak");
    }
  });
});

test("[S111] a signed-in customer's own navigation, and our script's fetch, are answered as hers", async () => {
  const visitor = new Visitor(portal);
  await visitor.signIn(ANNA);
  const reads = [
    { "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "same-origin" },
    { "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin" },
  ];
  for (const headers of reads) expect((await visitor.get("/cp", { headers })).status).toBe(200);
});
