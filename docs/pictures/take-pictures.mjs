// Run by hand after a change of looks, against a portal in demo mode that is running:
//   node docs/pictures/take-pictures.mjs http://127.0.0.1:3000
// Takes the pictures of the README. They are reduced to a palette by ImageMagick (`convert`).
import { statSync } from "node:fs";
import { chromium } from "@playwright/test";
import { requireChromium } from "../../scripts/prepare/browsers.mjs";
import { run } from "../../scripts/prepare/command.mjs";
import { inProject } from "../../scripts/prepare/project.mjs";
import { runMain, Stop } from "../../scripts/prepare/stop.mjs";

const CUSTOMER = { username: "anna.nowak", password: "Demo-Haslo-2026" };
const DESKTOP = { width: 1280, height: 960 };
const PHONE = { width: 360, height: 780 };
const MAX_BYTES = 80 * 1024;
const COLOURS = 64;

await runMain(async () => {
  const [portal] = process.argv.slice(2);
  if (!portal || !URL.canParse(portal)) throw new Stop("Say where the portal is: http://127.0.0.1:3000");
  const browser = await chromium.launch({
    executablePath: await requireChromium(),
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const page = await browser.newPage({ baseURL: portal, locale: "pl-PL", viewport: DESKTOP });
  await page.goto("/home");
  await page.locator("main form button").click();
  await page.waitForURL("**/home");
  await take(page, "sign-in", DESKTOP);

  await page.locator("[name=username]").fill(CUSTOMER.username);
  await page.locator("[name=password]").fill(CUSTOMER.password);
  await page.locator("main form button[type=submit]").click();
  await page.waitForURL("**/home/mfa");
  await take(page, "code", PHONE);

  const [{ text }] = await (await page.request.get("/demo/sms.json")).json();
  await page.locator("[name=authorizationCode]").fill(/\d{6}/.exec(text)[0]);
  await page.locator("button[value=confirm]").click();
  await page.waitForURL("**/cp");
  await take(page, "policies", PHONE);
  await browser.close();
});

async function take(page, name, viewport) {
  const path = inProject("docs", "pictures", `${name}.png`);
  await page.setViewportSize(viewport);
  // The spinner stays for a moment after the new page has come.
  await page.waitForSelector("main:not([aria-busy])");
  // Nothing has the focus, and the mouse is over nothing.
  await page.evaluate(() => document.activeElement?.blur());
  await page.mouse.move(0, 0);
  await page.screenshot({ path });
  const reduce = ["-strip", "+dither", "-colors", String(COLOURS), "-define", "png:compression-level=9"];
  const { code, output } = await run("convert", [path, ...reduce, `PNG8:${path}`], { capture: true });
  if (code !== 0) throw new Stop(`convert could not reduce ${path}: ${output.trim()}`);
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Stop(`${path} has ${size} bytes, more than ${MAX_BYTES}.`);
  console.log(`✓ ${path}: ${size} bytes`);
}
