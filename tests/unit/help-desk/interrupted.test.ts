import { afterEach, beforeEach, expect, it } from "vitest";
import { ANNA } from "../../demo-customers";
import { type DeskBeside, EWA, JAN, openDeskBeside, type StaffBrowser, wordsOf } from "./staff";

const MINUTE = 60_000;
const TOLD = "Nic nie zostało wyszukane ani zmienione.";
const REASON = "dzwoni w sprawie 1234";

let beside: DeskBeside;
beforeEach(async () => {
  beside = await openDeskBeside("sqlite");
});
afterEach(() => beside.close());

/** Ewa sends the find form, but her session is over. */
async function findsTooLate(reason: string): Promise<StaffBrowser> {
  const browser = await beside.as(EWA);
  beside.advance(16 * MINUTE);
  const sent = await browser.post("/help-desk", { value: ANNA.pid, reason });
  expect([sent.status, sent.location]).toEqual([303, "/help-desk/sign-on?back=%2Fhelp-desk"]);
  return browser;
}

it("a find form sent too late is told once, and keeps the reason, but nothing of a customer", async () => {
  const browser = await findsTooLate(REASON);
  beside.advance(9 * MINUTE);
  await beside.as(EWA, browser);
  const { text } = await browser.get("/help-desk");
  expect([wordsOf(text).includes(TOLD), text.includes(`value="${REASON}"`)]).toEqual([true, true]);
  expect(text).not.toContain(ANNA.pid);
  const next = (await browser.get("/help-desk")).text;
  expect([wordsOf(next).includes(TOLD), next.includes(REASON)]).toEqual([false, false]);
});

it.each([
  ["after 10 minutes", REASON, 11, EWA],
  ["for another person, who drops it", REASON, 0, JAN],
])("keeps no reason %s", async (_what, reason, minutes, staff) => {
  const browser = await findsTooLate(reason);
  beside.advance(minutes * MINUTE);
  for (const next of [staff, EWA]) {
    await beside.as(next, browser);
    expect((await browser.get("/help-desk")).text).not.toContain(reason);
  }
});

it("keeps no reason with a PESEL in it, and still tells what happened", async () => {
  const browser = await findsTooLate(`PESEL ${ANNA.pid}`);
  await beside.as(EWA, browser);
  const { text } = await browser.get("/help-desk");
  expect([wordsOf(text).includes(TOLD), text.includes(ANNA.pid)]).toEqual([true, false]);
});

it.each<[what: string, act: string, minutes: number, sentTo: string]>([
  ["the session is over", "lock-out", 16, "/help-desk/sign-on?back=%2Fhelp-desk%2Fact%2Flock-out"],
  [
    "it asks for a new sign-on",
    "reset-factors",
    10,
    "/help-desk/sign-on?back=%2Fhelp-desk%2Fact%2Freset-factors&fresh=1",
  ],
])("an act's button does nothing when %s, and its page says so", async (_what, act, minutes, sentTo) => {
  const browser = await beside.as(EWA);
  await browser.open(ANNA.username);
  const form = await browser.form(act);
  const before = await beside.acts();
  beside.advance(minutes * MINUTE);
  expect((await browser.post(`/help-desk/act/${act}`, form)).location).toBe(sentTo);
  await beside.as(EWA, browser);
  const page = await browser.get(`/help-desk/act/${act}`);
  expect([page.status, wordsOf(page.text).includes(TOLD)]).toEqual([200, true]);
  expect(await beside.acts()).toEqual(before);
  expect(wordsOf((await browser.get(`/help-desk/act/${act}`)).text)).not.toContain(TOLD);
});
