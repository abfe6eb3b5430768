// Run by hand after a change of looks, against a demo that `npm start` runs, at the two addresses that it prints:
//   node docs/pictures/take-pictures.mjs http://127.0.0.1:3000 http://127.0.0.1:3001
// Takes the pictures of the README.
import { writeFileSync } from "node:fs";
import { chromium } from "@playwright/test";
import { requireChromium } from "../../scripts/prepare/browsers.mjs";
import { inProject } from "../../scripts/prepare/project.mjs";
import { runMain, Stop } from "../../scripts/prepare/stop.mjs";
import { palettePng } from "./palette-png.mjs";

/** Has policies in every state, and premiums to pay. */
const CUSTOMER = {
  username: "piotr.wisniewski",
  password: "Demo-Haslo-2026",
  policyNo: "POL-100002",
};
const DESKTOP = { width: 1024, height: 900 };
const OFFICE = { width: 960, height: 640 };
const PHONE = { width: 360, height: 700 };
const MAX_BYTES = 28 * 1024;
const COLOURS = 30;

await runMain(async () => {
  const [portal, helpDesk] = process.argv.slice(2);
  if (!URL.canParse(portal) || !URL.canParse(helpDesk))
    throw new Stop("Say where both are: http://127.0.0.1:3000 http://127.0.0.1:3001");
  const browser = await chromium.launch({
    executablePath: await requireChromium(),
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const context = await browser.newContext({ locale: "pl-PL" });
  const page = await context.newPage();
  await takePortal(page, portal);
  await takeHelpDesk(page, helpDesk);
  await browser.close();
});

async function takePortal(page, portal) {
  await page.goto(`${portal}/home`);
  await page.locator("main form button").click();
  await page.waitForURL("**/home");
  await take(page, "sign-in", DESKTOP);

  await page.locator("[name=username]").fill(CUSTOMER.username);
  await page.locator("[name=password]").fill(CUSTOMER.password);
  await page.locator("main form button[type=submit]").click();
  await page.waitForURL("**/home/mfa");
  await take(page, "code", PHONE);

  const [{ text }] = await (await page.request.get(`${portal}/demo/sms.json`)).json();
  await page.locator("[name=authorizationCode]").fill(/\d{6}/.exec(text)[0]);
  await page.locator("button[value=confirm]").click();
  await page.waitForURL("**/cp");
  await take(page, "policies", PHONE);
}

async function takeHelpDesk(page, helpDesk) {
  await page.goto(`${helpDesk}/help-desk`);
  await page.locator("button[value=piotr]").click();
  await page.locator("[name=value]").fill(CUSTOMER.policyNo);
  await page.locator("[name=reason]").fill("Rozmowa z infolinią 4711");
  await page.locator("main form button[type=submit]").click();
  await page.waitForURL("**/help-desk/customer**");
  await take(page, "help-desk", OFFICE);
}

async function take(page, name, viewport) {
  await page.setViewportSize(viewport);
  // The spinner stays for a moment after the new page has come.
  await page.waitForSelector("main:not([aria-busy])");
  // Nothing has the focus, and the mouse is over nothing.
  await page.evaluate(() => document.activeElement?.blur());
  await page.mouse.move(0, 0);
  const picture = palettePng(await pixelsOf(page, await page.screenshot()), COLOURS);
  const path = inProject("docs", "pictures", `${name}.png`);
  if (picture.length > MAX_BYTES)
    throw new Stop(`${path} would have ${picture.length} bytes, more than ${MAX_BYTES}.`);
  writeFileSync(path, picture);
  console.log(`✓ ${path}: ${picture.length} bytes`);
}

/** The pixels of a screenshot: Chromium unpacks it, on a page without a policy for content. */
async function pixelsOf(page, screenshot) {
  const blank = await page.context().newPage();
  const { width, height, base64 } = await blank.evaluate(unpack, screenshot.toString("base64"));
  await blank.close();
  return { width, height, rgba: Buffer.from(base64, "base64") };
}

/** Runs in the browser. */
async function unpack(screenshot) {
  const picture = document.createElement("img");
  picture.src = `data:image/png;base64,${screenshot}`;
  await picture.decode();
  const { width, height } = picture;
  const canvas = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  const { data } = canvas.getImageData(0, 0, width, height);
  const reader = new globalThis.FileReader();
  const read = new Promise((resolve) => reader.addEventListener("load", resolve));
  reader.readAsDataURL(new Blob([data]));
  await read;
  return { width, height, base64: reader.result.split(",")[1] };
}
