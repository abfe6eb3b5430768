import { describe, expect, test } from "vitest";
import { register } from "../new-account";
import { Visitor } from "../visitor";
import { newCustomer, sharedPortal } from "../shared-portal";

const portal = sharedPortal();

/** A browser in which this account has signed in, and signed out again. */
const ownBrowser = async () => {
  const { account } = await register(portal, newCustomer());
  const owner = new Visitor(portal);
  await owner.signIn(account);
  await owner.get("/home/logout");
  return { account, owner };
};
type Account = Awaited<ReturnType<typeof ownBrowser>>["account"];

/** A stranger who knows the password at last, and has the phone: looks, answers, and leaves. */
const breakIn = async (account: Account) => {
  const stranger = new Visitor(portal);
  await stranger.accept();
  for (let tries = 0; tries < 3; tries += 1)
    await stranger.login({ ...account, password: "Zle-Haslo-2026!" });
  await stranger.signIn(account);
  await stranger.get("/cp");
  await answer(stranger, Date.now());
  await stranger.get("/home/logout");
};

const answer = (visitor: Visitor, newest: number) =>
  visitor.post("/cp/profile", { intent: "news-seen", shownOn: "/cp", newest: String(newest) });
/** The items of the news on a page; none without news. */
const newsOn = async (visitor: Visitor, page: string) => {
  const { body } = await visitor.get(page);
  const news = /Czy to Ty\?(.*?)<\/section>/s.exec(body)?.[1] ?? "";
  return [...news.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = ""]) => item);
};
const newestOn = async (visitor: Visitor) =>
  Number(/name="newest" value="(\d+)"/.exec((await visitor.get("/cp")).body)?.[1]);

// What the owner reads: e2e/journeys/not-me.spec.ts.
describe("[S164, F54] the owner hears of a sign-in by somebody else, whatever they answered", () => {
  test("an answer for one account says nothing of another in the same browser", async () => {
    const { account, owner } = await ownBrowser();
    const { account: second } = await register(portal, newCustomer());
    await owner.signIn(second);
    await owner.get("/home/logout");
    for (const each of [account, second]) await breakIn(each);
    await owner.signIn(account);
    await answer(owner, await newestOn(owner));
    await owner.get("/home/logout");
    await owner.signIn(second);
    expect(await newsOn(owner, "/cp")).toHaveLength(2);
    await owner.get("/home/logout");
    await owner.signIn(account);
    expect(await newsOn(owner, "/cp")).toEqual([]);
  });

  test("an answer that was forged, or made in another browser, puts nothing away", async () => {
    const { account, owner } = await ownBrowser();
    await breakIn(account);
    const other = new Visitor(portal);
    await other.signIn(account);
    await answer(other, Date.now());
    await owner.signIn(account);
    for (const forged of [other.cookies.get("news-seen") ?? "", String(Date.now()), "x".repeat(300)]) {
      owner.cookies.set("news-seen", forged);
      expect(await newsOn(owner, "/cp")).toHaveLength(3);
    }
  });
});
