import { describe, expect, test } from "vitest";
import { register } from "../new-account";
import { Visitor } from "../visitor";
import { newCustomer, sharedPortal } from "../shared-portal";
import { readPage } from "./account-page";

const portal = sharedPortal();

describe("[S40] /cp/profile: sessions", () => {
  /** A customer with a session in each of two browsers. */
  async function twice(): Promise<{ visitor: Visitor; other: Visitor }> {
    const { account, visitor } = await register(portal, newCustomer());
    const other = new Visitor(portal);
    await other.signIn(account);
    return { visitor, other };
  }
  const others = async (visitor: Visitor) => {
    const { body } = await visitor.call("GET", "/cp/api/sessions");
    const { sessions } = JSON.parse(body) as { sessions: { id: string; current: boolean }[] };
    return sessions.filter(({ current }) => !current).map(({ id }) => id);
  };
  const isSignedIn = async (visitor: Visitor) => (await visitor.get("/cp")).status === 200;

  test("one is ended by two requests at once: one of them says so, the other that it had ended", async () => {
    const { visitor, other } = await twice();
    const [session = ""] = await others(visitor);
    const windows = [visitor.twin(), visitor.twin()];
    const answers = await Promise.all(
      windows.map((window) => window.post("/cp/profile", { intent: "end-session", session })),
    );
    expect(answers.map(({ header }) => header("Location"))).toEqual(["/cp/profile", "/cp/profile"]);
    expect(await isSignedIn(other)).toBe(false);
    const pages = await Promise.all(windows.map(async (window) => (await window.get("/cp/profile")).body));
    for (const notice of ["Urządzenie zostało wylogowane.", "Tamta sesja zakończyła się już"])
      expect(pages.filter((page) => readPage(page).says(notice))).toHaveLength(1);
  });

  test("ending one with any other id ends none: it is refused, or counts as ended already", async () => {
    const { visitor, other } = await twice();
    const end = (session: string) => visitor.post("/cp/profile", { intent: "end-session", session });
    for (const session of ["", ".", "..", "\u0000", "x".repeat(4001)])
      expect([session, (await end(session)).status]).toEqual([session, 400]);
    for (const session of ["../sessions", "a/b", "%2e%2e", "Anna's"])
      expect([session, (await end(session)).header("Location")]).toEqual([session, "/cp/profile"]);
    expect([await isSignedIn(visitor), await isSignedIn(other)]).toEqual([true, true]);
  });
});
