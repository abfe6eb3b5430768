import { describe, expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import { FROM_SCRIPT, Visitor } from "../visitor";
import { sharedPortal } from "../shared-portal";

const portal = sharedPortal();

describe("[S37] /home/logout by GET", () => {
  const NOT_THE_VISITORS_OWN: Record<string, string>[] = [
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { Referer: "https://evil.example/" },
  ];

  test.each(NOT_THE_VISITORS_OWN)("with %o signs nobody out and offers a button", async (headers) => {
    const visitor = new Visitor(portal);
    await visitor.signIn(ANNA);
    for (const more of [{}, FROM_SCRIPT]) {
      const answer = await visitor.get("/home/logout", { headers: { ...headers, ...more } });
      expect([more, answer.status]).toEqual([more, 200]);
      expect(answer.body).toContain("Czy chcesz się wylogować?");
    }
    expect((await visitor.get("/home/logout", { headers })).body).toMatch(
      /<form method="post" action="\/home\/logout"/,
    );
    expect((await visitor.get("/cp")).status).toBe(200);

    expect((await visitor.post("/home/logout")).header("Location")).toBe("/home/logout");
    expect((await visitor.get("/cp")).header("Location")).toBe("/home");
  });

  test("signs out when typed, from a bookmark, from the portal, or from a browser that doesn't say", async () => {
    const OWN: Record<string, string>[] = [
      {},
      { "Sec-Fetch-Site": "none" },
      { "Sec-Fetch-Site": "same-origin" },
      { Referer: `${portal.origin}/cp` },
    ];
    for (const headers of OWN) {
      const visitor = new Visitor(portal);
      await visitor.signIn(ANNA);
      const copy = visitor.twin();
      expect((await visitor.get("/home/logout", { headers })).header("Location")).toBe("/home/logout");
      expect((await copy.get("/cp")).header("Location")).toBe("/home");
    }
  });
});

describe("[S56] signing out", () => {
  const CLEARED = '"cache", "storage"';

  test.each([
    ["GET", {}],
    ["GET", FROM_SCRIPT],
    ["POST", {}],
    ["POST", FROM_SCRIPT],
  ] as const)(
    "by %s with %j empties the browser's storage, except for consent and trust",
    async (method, headers) => {
      const visitor = new Visitor(portal);
      await visitor.signIn(ANNA, true);
      const path = "/home/logout";
      const answer = await (method === "GET"
        ? visitor.get(path, { headers })
        : visitor.post(path, {}, { headers }));
      expect(answer.lines("Clear-Site-Data")).toEqual([CLEARED]);
      expect([...visitor.cookies.keys()].sort()).toEqual(["accepted-cookies", "browser", "trusted-device"]);
      expect((await visitor.login(ANNA)).header("Location")).toBe("/cp");
    },
  );

  test("is the only answer that does", async () => {
    const visitor = new Visitor(portal);
    const answers = [await visitor.post("/home/logout"), await visitor.get("/home/logout")];
    await visitor.signIn(ANNA);
    answers.push(await visitor.get("/home/logout", { headers: { "Sec-Fetch-Site": "cross-site" } }));
    for (const path of ["/cp", "/cp/profile", "/home"]) answers.push(await visitor.get(path));
    await visitor.post("/home/logout");
    answers.push(await visitor.get("/home/logout"), await visitor.get("/home"));
    expect(answers.flatMap(({ lines }) => lines("Clear-Site-Data"))).toEqual([]);
  });
});
