import type { Page } from "@playwright/test";
import { ANNA, KRYSTYNA } from "../../demo-customers";
import { freePort } from "../../free-port";
import { parsePage } from "../../forms/dom";
import { runHelpDesk } from "../../portal-process";
import { IS_RELEASE } from "../../release-run";
import { faultsOfFields } from "../../serving/screen-faults";
import { faultsByAxe } from "./faults-by-axe";
import { smallTargets } from "./faults-of-look";
import { faultsOfWidth } from "./faults-of-width";
import { expect, test } from "./gallery";

/** Further acts, each a page of its own. At a landing one with a list stands for all. */
const ACTS = IS_RELEASE
  ? [
      "unlock",
      "lock-out",
      "end-sessions",
      "forget-devices",
      "reset-factors",
      "reset-caps",
      "use-new-phone",
      "keep-old-phone",
      "expire",
    ]
  : ["reset-factors"];

/** Looks at the page as it is now, on a phone. */
async function check(page: Page, state: string): Promise<void> {
  await page.setViewportSize({ width: 360, height: 800 });
  expect.soft(faultsOfFields(parsePage(await page.content())), state).toEqual([]);
  expect.soft(await smallTargets(page), state).toEqual([]);
  expect.soft(await faultsByAxe(page), `${state} at 360 px`).toEqual([]);
  expect.soft(await faultsOfWidth(page), state).toEqual([]);
}

/** The page with most parts, on a wide screen in the dark. */
async function checkInDark(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  expect.soft(await faultsByAxe(page), "a customer at 1280 px, dark").toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

async function find(page: Page, value: string, reason: string): Promise<void> {
  await page.goto("/help-desk");
  await page.getByLabel("Dane klienta").fill(value);
  await page.getByLabel("Powód").fill(reason);
  await page.getByRole("button", { name: "Szukaj" }).click();
}

test("the help desk's pages keep the rules for fields, look and width, and axe finds nothing", async ({
  portal,
  browser,
}) => {
  const port = await freePort();
  const helpDesk = runHelpDesk({
    DATA_DIR: portal.dataDir,
    HOST: "127.0.0.1",
    PORT: String(port),
    HELP_DESK_APPROVAL: "on",
  });
  await expect.poll(() => helpDesk.log()).toContain("listening");
  const visit = await browser.newContext({ baseURL: `http://127.0.0.1:${port}` });
  const page = await visit.newPage();
  await page.goto("/help-desk");
  await check(page, "sign-on");
  await page.getByRole("button", { name: "Piotr, może zmieniać" }).click();
  await check(page, "find");
  await find(page, "", "1");
  await check(page, "refused");
  await find(page, "nie-ma-takiej", "call 1");
  await check(page, "nobody found");
  await find(page, KRYSTYNA.pid, "call 1");
  await check(page, "a customer without an account");
  await find(page, ANNA.username, "call 1");
  await check(page, "a customer");
  await checkInDark(page);
  for (const act of ACTS) {
    await page.goto(`/help-desk/act/${act}`);
    await check(page, act);
  }
  await page.goto("/help-desk/act/disable");
  await check(page, "disable");
  await page.getByRole("button", { name: "Wyłącz konto" }).click();
  await check(page, "done");
  await page.goto("/help-desk/waiting");
  await check(page, "nothing waits");
  await page.goto("/help-desk/act/enable");
  await check(page, "enable");
  await page.getByRole("button", { name: "Poproś o zatwierdzenie" }).click();
  await check(page, "asked");
  await page.goto("/help-desk/waiting");
  await check(page, "one's own act waits");
  await page.getByRole("button", { name: /Wycofaj/ }).click();
  await check(page, "declined");
  await visit.close();
  helpDesk.signal("SIGTERM");
  expect(await helpDesk.ended).toEqual({ code: 0, signal: null });
});
