import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { DatabaseUnavailable } from "~/backend/store/store.server";
import type { StaffScreen } from "~/help-desk/screen";
import { choose } from "~/help-desk/session.server";
import { serveHelpDesk } from "./help-desk-server";
import { withIssuer } from "./issuer";

const SCREENS: readonly StaffScreen[] = [
  {
    path: "/help-desk",
    role: "look",
    get: ({ chosen, t }) =>
      Promise.resolve({
        title: t("helpDesk:find.title"),
        body: createElement("h1", undefined, chosen?.customerId ?? "nobody chosen"),
      }),
    post: async (visit, form) => ({
      title: "Chosen",
      body: createElement("h1", undefined, "Chosen"),
      headers: {
        "Set-Cookie": await choose(visit, { customerId: form.get("customer") ?? "", reason: "a call" }),
      },
    }),
  },
  {
    path: "/help-desk/waiting",
    role: "act",
    get: () => Promise.resolve({ title: "Waiting", body: createElement("h1", undefined, "Waiting") }),
  },
];

/** A demo, which has no issuer. */
async function asPiotr(variables: Readonly<Record<string, string>> = {}, screens = SCREENS) {
  const desk = await serveHelpDesk(variables, { screens });
  const staff = desk.visitor();
  const answer = await staff.post("/help-desk/sign-on?back=/help-desk", { person: "piotr" });
  return { desk, staff, answer };
}

describe("the demo's sign-on", () => {
  it("lets one person look and the other act, in both languages", async () => {
    const desk = await serveHelpDesk({}, { screens: SCREENS });
    const staff = desk.visitor();
    expect((await staff.get("/help-desk/sign-on")).body).toContain("Ola, może oglądać");
    await staff.get("/help-desk/language/en?back=/help-desk/sign-on");
    expect((await staff.get("/help-desk/sign-on")).body).toContain("Piotr, may act");
    await staff.post("/help-desk/sign-on?back=/help-desk", { person: "ola" });
    expect((await staff.get("/help-desk")).body).toContain("Ola (may look)");
    expect((await staff.get("/help-desk/waiting")).status).toBe(403);
    await staff.post("/help-desk/sign-on", { person: "piotr" });
    expect((await staff.get("/help-desk/waiting")).status).toBe(200);
  });

  it("is not there with an issuer, and takes nobody else", async () => {
    const { staff } = await asPiotr(withIssuer("http://127.0.0.1:9"));
    expect(staff.cookies.size).toBe(0);
    const desk = await serveHelpDesk({}, { screens: SCREENS });
    const other = desk.visitor();
    for (const person of ["anna", "", "constructor"]) await other.post("/help-desk/sign-on", { person });
    expect(other.cookies.size).toBe(0);
  });

  it("leads back to a page of the help desk only", async () => {
    const desk = await serveHelpDesk({}, { screens: SCREENS });
    for (const back of [
      "//evil.example",
      "https://evil.example/help-desk",
      "/help-desk/sign-out",
      "/home",
      "/help-deskx",
      `/help-desk/${"x".repeat(200)}`,
    ]) {
      const query = new URLSearchParams({ back });
      const answer = await desk.visitor().post(`/help-desk/sign-on?${query}`, { person: "ola" });
      expect([back, answer.header("Location")]).toEqual([back, "/help-desk"]);
      const language = await desk.visitor().get(`/help-desk/language/en?${query}`);
      expect([back, language.header("Location")?.startsWith("/help-desk")]).toEqual([back, true]);
    }
  });
});

it("begins at its bare address, too", async () => {
  const { staff } = await asPiotr();
  expect((await staff.get("/")).header("Location")).toBe("/help-desk");
});

describe("every answer", () => {
  it("is a page with strict headers, also when it refuses, and is never stored", async () => {
    const { staff } = await asPiotr();
    const refused = [
      await staff.post("/help-desk", {}, { headers: { Origin: "https://evil.example" } }),
      await staff.send("DELETE", "/help-desk"),
      await staff.post("/help-desk/waiting"),
      await staff.get("/help-desk/none"),
      await staff.get("/help-desk/%E0%A4%A"),
      await staff.get("/home"),
      await staff.get("/cp/profile"),
      await staff.postBody("/help-desk", "x".repeat(70_000)),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 405, 405, 404, 400, 404, 404, 413]);
    for (const { header, body } of [await staff.get("/help-desk"), ...refused]) {
      expect(header("Cache-Control")).toBe("no-store");
      expect(header("X-Frame-Options")).toBe("DENY");
      expect(header("Content-Security-Policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(header("Set-Cookie") ?? "").not.toContain("language");
      expect(body).toContain("Obsługa klientów");
    }
    expect((await staff.call("GET", "/home/api/user/info")).status).toBe(404);
  });

  it("on https has cookies that only this host gets, and names the issuer as the forms' other target", async () => {
    const origin = "https://help-desk.example";
    const { staff, answer } = await asPiotr({ HELP_DESK_ORIGIN: origin });
    expect(answer.lines("Set-Cookie")).toEqual([
      expect.stringMatching(/^__Host-help-desk-session=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^__Host-help-desk-sign-on=;/),
    ]);
    const page = await staff.get("/help-desk");
    expect(page.header("Strict-Transport-Security")).toMatch(/^max-age=63072000/);
    const desk = await serveHelpDesk({ ...withIssuer("http://127.0.0.1:9"), HELP_DESK_ORIGIN: origin });
    const signedOut = await desk.visitor().get("/help-desk/signed-out");
    expect(signedOut.header("Content-Security-Policy")).toContain("form-action 'self' http://127.0.0.1:9;");
  });
});

it("opens a chosen customer for the person who chose them, and for nobody else", async () => {
  const { desk, staff } = await asPiotr();
  expect((await staff.get("/help-desk")).body).toContain("nobody chosen");
  await staff.post("/help-desk", { customer: "c-1" });
  expect((await staff.get("/help-desk")).body).toContain("c-1");
  const cookie = staff.cookies.get("help-desk-chosen") ?? "";
  expect(Buffer.from(cookie, "base64url").toString("latin1")).not.toContain("c-1");
  const other = desk.visitor();
  await other.post("/help-desk/sign-on", { person: "ola" });
  other.cookies.set("help-desk-chosen", cookie);
  expect((await other.get("/help-desk")).body).toContain("nobody chosen");
});

it("shows a page when the database can't be used, and when a screen fails", async () => {
  const failing = (path: string, error: Error): StaffScreen => ({
    path,
    role: "look",
    get: () => Promise.reject(error),
  });
  const { staff } = await asPiotr({}, [
    failing("/help-desk", new DatabaseUnavailable("PostgreSQL cannot be used now")),
    failing("/help-desk/waiting", new Error("a bug")),
  ]);
  for (const [path, status] of [
    ["/help-desk", 503],
    ["/help-desk/waiting", 500],
  ] as const) {
    const answer = await staff.get(path);
    expect([answer.status, answer.body.includes("Numer błędu")]).toEqual([status, true]);
  }
});
