import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { freshCustomer } from "../demo-customers";
import { Browser, latestCode, messagesTo } from "./browser";
import { NEW_PASSWORD, register } from "./register";
import type { Way } from "./way";

const WRONG = "Nie-To-Haslo-1";
const ELSEWHERE = "Inne-Haslo-2026";
/** More than any cap on the codes of one number, 25 times production's. */
const MOST_CODES = 150;

const resetInit = (username: string) => `/home/api/user/${username}/password-reset/init`;

/** Customers are safe from strangers, who can neither lock them out nor learn about them: known browsers, caps. */
export function strangerPromises(way: () => Way): void {
  const lock = async (username: string, browser = () => new Browser(way())) => {
    for (let nth = 0; nth < 5; nth += 1) await browser().login({ username, password: WRONG });
  };
  const outcomeOf = async (browser: Browser, username: string, password = NEW_PASSWORD) => {
    const { body } = await browser.login({ username, password });
    return (body as { errorCode?: string }).errorCode ?? "let in";
  };

  it("[S107] a browser known from a code lets its owner in while strangers have locked the username", async () => {
    const { browser, username } = await register(way(), freshCustomer(41));
    await browser.delete("/home/api/session");
    await lock(username);
    expect(await outcomeOf(new Browser(way()), username)).toBe("106");
    expect(await outcomeOf(browser, username)).toBe("let in");
  });

  it("[S107] five wrong passwords in a known browser lock it alone", async () => {
    const { browser, username } = await register(way(), freshCustomer(42));
    await browser.delete("/home/api/session");
    await lock(username, () => browser);
    expect(await outcomeOf(browser, username)).toBe("106");
    expect(await outcomeOf(new Browser(way()), username)).toBe("let in");
  });

  it("[S107] a password reset in another browser makes a known browser like any other", async () => {
    const customer = freshCustomer(43);
    const { browser, username } = await register(way(), customer);
    await browser.delete("/home/api/session");
    const other = new Browser(way());
    await other.post(resetInit(username));
    const authorizationCode = await latestCode(way(), customer.phone);
    const confirmed = await other.post(resetInit(username).replace(/init$/, "confirm"), {
      newPassword: ELSEWHERE,
      authorizationCode,
    });
    expect(confirmed.status).toBe(200);
    await lock(username);
    expect(await outcomeOf(browser, username, ELSEWHERE)).toBe("106");
  });

  it("[S7, S106] strangers meet the same cap at any username, and use up no code behind a password", async ({
    skip,
  }) => {
    skip(way().askForCode !== undefined, "would send a hundred messages to a real phone");
    const customer = freshCustomer(44);
    const { browser, username } = await register(way(), customer);
    await browser.delete("/home/api/session");
    const askAs = async (name: string) => (await new Browser(way()).post(resetInit(name))).status;
    // A new name for each run, since a cap may last a day.
    const nobody = `nikt.${randomUUID().slice(0, 8)}`;
    const answers: (readonly [number, number])[] = [];
    do answers.push([await askAs(username), await askAs(nobody)]);
    while (answers.at(-1)?.[0] === 200 && answers.length < MOST_CODES);
    expect(answers.at(-1), "both meet a cap, after as many codes").toEqual([429, 429]);
    expect(answers.filter(([known, unknown]) => known !== unknown)).toEqual([]);

    const before = await messagesTo(way(), customer.phone);
    const elsewhere = new Browser(way());
    await elsewhere.login({ username, password: NEW_PASSWORD });
    expect((await elsewhere.askForCode()).status).toBe(200);
    expect(await messagesTo(way(), customer.phone)).toBe(before + 1);
  });
}
