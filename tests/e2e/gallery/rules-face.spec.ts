import type { Page } from "@playwright/test";
import { expect, open, SCREENS, test } from "./gallery";

const ONE_EDGE = ["login", "mfa", "set-password", "policies", "cookies", "service"];
/** The forms in two columns, and the customer area. */
const WITHOUT_PICTURE = [
  "accessibility",
  "set-password",
  "reset-password-submit",
  "change-login",
  "change-password",
  "create-document-password",
  "change-document-password",
  "policies",
  "policy",
  "payment",
  "proof-of-cover",
  "profile",
  "contact",
];
const WIDTHS = [360, 768, 992, 1280, 1920];

for (const screen of ONE_EDGE) {
  test(`[F20] on ${screen} the logo, the heading and the footer start at the same edge, from a phone to 1920 px`, async ({
    page,
    portal,
    javaScriptEnabled,
  }) => {
    await open(page, portal, `/demo/gallery/${screen}`, javaScriptEnabled);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const edges = await page.evaluate(() =>
        ["header > div > a", "main h1", "footer p"].map((selector) =>
          Math.round(document.querySelector(selector)?.getBoundingClientRect().left ?? -1),
        ),
      );
      expect(new Set(edges).size, `${width} px: ${edges.join()}`).toBe(1);
    }
  });
}

test("[F20] the two halves of the sign-in page stand side by side in the grid, from 768 px", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/login", javaScriptEnabled);
  for (const width of [768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const [form, panel, footer] = await Promise.all(
      ["main form", "main [data-screen-only]", "footer p >> nth=0"].map((part) =>
        page.locator(part).boundingBox(),
      ),
    );
    if (!form || !panel || !footer) throw new Error("The page has lost a part.");
    expect(form.x + form.width, `${width} px`).toBeLessThan(panel.x);
    expect(Math.round(panel.x + panel.width), `${width} px`).toBe(Math.round(footer.x + footer.width));
  }
});

test("[F22] each screen with one column has a picture; none weighs more than 2.5 KB, and none is read out", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  for (const path of ["", ...SCREENS]) {
    await open(page, portal, `/demo/gallery/${path}`, javaScriptEnabled);
    // A QR code isn't a picture: it has a name of its own.
    const pictures = await page.locator("svg:not([role=img])").evaluateAll((found) =>
      found.map((svg) => ({
        bytes: svg.outerHTML.length,
        hidden: svg.getAttribute("aria-hidden"),
        isLarge: svg.getBoundingClientRect().width > 150,
      })),
    );
    expect(
      pictures.filter(({ bytes, hidden }) => bytes > 2560 || hidden !== "true"),
      path,
    ).toEqual([]);
    const isPictured = pictures.some(({ isLarge }) => isLarge);
    expect(isPictured, path).toBe(!WITHOUT_PICTURE.includes(path));
  }
});

test("[F25] on the sign-in form Tab leads from username to password; links to help come after the button", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/login", javaScriptEnabled);
  await page.getByRole("textbox", { name: "Nazwa użytkownika" }).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Hasło", { exact: true })).toBeFocused();
  const reached: string[] = [];
  for (let stop = 0; stop < 4; stop += 1) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement?.textContent ?? ""));
  }
  expect(reached).toEqual(["Pokaż", "Zaloguj się", "Nie pamiętam nazwy użytkownika", "Nie pamiętam hasła"]);
});

test("[F26] on a phone a dialog is a sheet at the lower edge, with a margin around it", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 360, height: 700 });
  for (const state of ["login/106", "mfa/016"]) {
    await open(page, portal, `/demo/gallery/${state}`, javaScriptEnabled);
    const sheet = await page.getByRole("dialog").boundingBox();
    expect(sheet, state).toMatchObject({ x: 8, width: 344 });
    expect((sheet?.y ?? 0) + (sheet?.height ?? 0), state).toBe(692);
  }
});

test("[F26] in a form with two columns the first boxes start at the same height", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const screen of ["set-password", "change-password", "change-login", "create-document-password"]) {
    await open(page, portal, `/demo/gallery/${screen}`, javaScriptEnabled);
    const boxes = await page
      .locator("main form input:not([type=hidden]):not([aria-hidden])")
      .evaluateAll((all) => all.map((box) => box.getBoundingClientRect().toJSON() as DOMRect));
    const columns = new Set(boxes.map(({ left }) => left));
    const tops = [...columns].map((column) =>
      Math.round(boxes.find(({ left }) => left === column)?.top ?? 0),
    );
    expect(tops, screen).toEqual([tops[0], tops[0]]);
  }
});

test("[F27] keeping the username is offered as prominently as changing it", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/confirm-login", javaScriptEnabled);
  const looks = await Promise.all(
    [
      page.getByRole("button", { name: "Zmień nazwę użytkownika" }),
      page.getByRole("link", { name: "Zostaw tę nazwę" }),
    ].map((control) =>
      control.evaluate((element) => {
        const look = getComputedStyle(element);
        return {
          height: look.height,
          font: `${look.fontWeight} ${look.fontSize}`,
          decoration: look.textDecorationLine,
          border: `${look.borderTopWidth} ${look.borderTopStyle}`,
          hasEdge: [look.borderTopColor, look.backgroundColor].some(
            (colour) => colour !== "rgba(0, 0, 0, 0)",
          ),
        };
      }),
    ),
  );
  expect(looks[0]).toEqual(looks[1]);
});

test("[F28] nothing takes longer than 150 ms to change its look", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery", javaScriptEnabled);
  const slow = await page
    .locator("body *")
    .evaluateAll((elements) =>
      elements.flatMap((element) =>
        [undefined, "::before", "::after"]
          .flatMap((part) => getComputedStyle(element, part).transitionDuration.split(","))
          .filter((duration) => parseFloat(duration) > 0.15),
      ),
    );
  expect(slow).toEqual([]);
});

test("[F45] where two devices have the same name, each button has a name of its own, with a date", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/profile/same-devices", javaScriptEnabled);
  for (const summary of await page.locator("main summary").all()) await summary.click();
  const names = await page.locator("main").getByRole("button").allInnerTexts();
  const ofDevices = names.filter((name) => name.includes("Firefox"));
  expect(ofDevices).not.toEqual([]);
  expect(ofDevices.filter((name) => !/\s20\d\d/.test(name))).toEqual([]);
  expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
});

test("[F55] My Data of a customer with one device fits into 1,150 px of a phone", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open(page, portal, "/demo/gallery/profile/one-session", javaScriptEnabled);
  expect((await boxOf(page, "main")).height).toBeLessThanOrEqual(1150);
  await expect(page.locator("main details[open]")).toHaveCount(0);
});

test("[F56] the panel of the sign-in page is as tall as the form, and its claim is smaller than the heading", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/login", javaScriptEnabled);
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const panel = await boxOf(page, "main [data-screen-only]");
    const form = await boxOf(page, "main .page-grid > :first-child");
    expect(Math.round(panel.height), `${width} px`).toBe(Math.round(form.height));
    expect(await fontSize(page, "main [data-screen-only] h2")).toBeLessThan(await fontSize(page, "main h1"));
  }
  await page.setViewportSize({ width: 360, height: 800 });
  expect((await boxOf(page, "main [data-screen-only]")).height).toBe(120);
});

test("[F57] the field of a code is exactly as wide as six digits, hidden or shown", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/mfa", javaScriptEnabled);
  const field = page.locator("main [name=authorizationCode]");
  const hiddenBy = () => field.evaluate((input) => input.scrollWidth - input.clientWidth);
  const before = await boxOf(page, "main [name=authorizationCode]");
  await field.fill("123456");
  expect(await hiddenBy()).toBe(0);
  await page.getByRole("button", { name: /^Pokaż/ }).click();
  expect(await hiddenBy()).toBe(0);
  expect(await boxOf(page, "main [name=authorizationCode]")).toEqual(before);
  await field.fill("1234567");
  expect(await hiddenBy()).toBeGreaterThan(0);
});

test("[F58] on a phone the conditions of a password are one line that fills, and opens the list", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open(page, portal, "/demo/gallery/change-password", javaScriptEnabled);
  const rules = page.locator("#new-password-rules");
  const line = rules.locator("summary");
  expect((await boxOf(page, "#new-password-rules")).height).toBeLessThan(60);
  await page.locator("main [name=newPassword]").fill("Haslo12345");
  await expect(line.locator("[data-state=met]")).toHaveCount(2);
  await line.click();
  await expect(rules.getByText("co najmniej jedną cyfrę")).toBeInViewport();
  await page.setViewportSize({ width: 768, height: 800 });
  await expect(line).toBeHidden();
  await expect(rules.getByText("co najmniej jedną cyfrę")).toBeVisible();
});

test("[F58] on a phone a refused password shows what it lacks, refused by the server or held back by the page", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const isSeen = async () => (await boxOf(page, "#new-password-rules .conditions")).height > 1;
  await open(page, portal, "/demo/gallery/change-password/rules-broken", javaScriptEnabled);
  expect(await isSeen()).toBe(true);
  if (!javaScriptEnabled) return;
  await open(page, portal, "/demo/gallery/change-password", javaScriptEnabled);
  expect(await isSeen()).toBe(false);
  // The button waits until all fields are filled in.
  await page.locator("main [name=authorizationCode]").fill("123456");
  for (const name of ["newPassword", "newPasswordRepeat"])
    await page.locator(`main [name=${name}]`).fill("haslo");
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.locator("#new-password-rules details")).toHaveAttribute("open");
  expect(await isSeen()).toBe(true);
});

test("on a phone's first screen the consent page shows its button", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await open(page, portal, "/demo/gallery/cookies", javaScriptEnabled);
  await expect(page.getByRole("button", { name: "Akceptuję i przechodzę dalej" })).toBeInViewport({
    ratio: 1,
  });
});

test("at 768 px the button that shows a refused code stands beside the box, two further buttons apart", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  // Scripts add these buttons.
  if (!javaScriptEnabled) return;
  await page.setViewportSize({ width: 768, height: 900 });
  await open(page, portal, "/demo/gallery/set-password/007", javaScriptEnabled);
  const box = await boxOf(page, "main [name=authorizationCode]");
  const show = await boxOf(page, "main [data-field]:has([name=authorizationCode]) [data-show-toggle]");
  expect(show.y).toBeLessThan(box.y + box.height);
  await open(page, portal, "/demo/gallery/recovery-code/shown", javaScriptEnabled);
  const [print, copy] = await Promise.all(
    ["Drukuj", "Kopiuj"].map((name) => page.getByRole("button", { name, exact: true }).boundingBox()),
  );
  expect((copy?.x ?? 0) - (print?.x ?? 0) - (print?.width ?? 0)).toBeGreaterThanOrEqual(12);
});

test("[F59] on a phone the footer is at most 220 px tall", async ({ page, portal, javaScriptEnabled }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open(page, portal, "/demo/gallery/login", javaScriptEnabled);
  expect((await boxOf(page, "footer")).height).toBeLessThanOrEqual(220);
});

test("[F60] a barred account and a mistyped address have pictures of their own", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  const pictures = [];
  for (const [state, place] of [
    ["service", "main"],
    ["not-found", "main"],
    ["login/106", "dialog"],
  ] as const) {
    await open(page, portal, `/demo/gallery/${state}`, javaScriptEnabled);
    pictures.push(await page.locator(`${place} svg.picture`).first().innerHTML());
  }
  expect(new Set(pictures).size).toBe(3);
});

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`Nothing is shown at ${selector}.`);
  return box;
}

function fontSize(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
}

for (const state of ["", "/resent", "/sms-beside", "/app", "/recovery", "/passkey"])
  test(`mfa${state}: a small phone shows all of the button that confirms, without scrolling`, async ({
    page,
    portal,
    javaScriptEnabled,
  }) => {
    await page.setViewportSize({ width: 390, height: 664 });
    await open(page, portal, `/demo/gallery/mfa${state}`, javaScriptEnabled);
    await expect(page.locator("main form button[value=confirm]")).toBeInViewport({ ratio: 1 });
  });
