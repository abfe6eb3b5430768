import type { Page } from "@playwright/test";
import { expect, test } from "./gallery";

const ONE_EDGE = ["login", "mfa", "set-password", "policies", "cookies", "service"];
const WIDTHS = [360, 768, 992, 1280, 1920];

test("[F20] logo, heading and footer start at the same edge, from a phone to 1920 px", async ({
  page,
  open,
}) => {
  for (const screen of ONE_EDGE) {
    await open(`/demo/gallery/${screen}`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const edges = await page.evaluate(() =>
        ["header > div > a", "main h1", "footer p"].map((selector) =>
          Math.round(document.querySelector(selector)?.getBoundingClientRect().left ?? -1),
        ),
      );
      expect(new Set(edges).size, `${screen} at ${width} px: ${edges.join()}`).toBe(1);
    }
  }
});

test("[F20, F56, F59] on the sign-in page form and panel are two halves, as tall as each other, from 768 px", async ({
  page,
  open,
}) => {
  await open("/demo/gallery/login");
  const panelOf = () => boxOf(page, "main [data-screen-only]");
  for (const width of [768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const [form, panel, footer] = [
      await boxOf(page, "main form"),
      await panelOf(),
      await boxOf(page, "footer p"),
    ];
    expect(form.x + form.width, `${width} px`).toBeLessThan(panel.x);
    expect(Math.round(panel.x + panel.width), `${width} px`).toBe(Math.round(footer.x + footer.width));
    const half = await boxOf(page, "main .page-grid > :first-child");
    expect(Math.round(panel.height), `${width} px`).toBe(Math.round(half.height));
    expect(await fontSize(page, "main [data-screen-only] h2")).toBeLessThan(await fontSize(page, "main h1"));
  }
  // On a phone the panel is a strip, and the footer is short.
  await page.setViewportSize({ width: 360, height: 800 });
  expect((await panelOf()).height).toBe(120);
  expect((await boxOf(page, "footer")).height).toBeLessThanOrEqual(220);
});

test("[F25] on the sign-in form Tab leads from username to password; links to help come after the button", async ({
  page,
  open,
}) => {
  await open("/demo/gallery/login");
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
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 700 });
  for (const state of ["login/106", "mfa/016"]) {
    await open(`/demo/gallery/${state}`);
    const sheet = await page.getByRole("dialog").boundingBox();
    expect(sheet, state).toMatchObject({ x: 8, width: 344 });
    expect((sheet?.y ?? 0) + (sheet?.height ?? 0), state).toBe(692);
  }
});

test("[F26] in a form with two columns the first boxes start at the same height", async ({ page, open }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const screen of ["set-password", "change-password", "change-login", "create-document-password"]) {
    await open(`/demo/gallery/${screen}`);
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

test("[F27] keeping the username is offered as prominently as changing it", async ({ page, open }) => {
  await open("/demo/gallery/confirm-login");
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

test("[F55] My Data of a customer with one device fits into 1,150 px of a phone", async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open("/demo/gallery/profile/one-session");
  expect((await boxOf(page, "main")).height).toBeLessThanOrEqual(1150);
  await expect(page.locator("main details[open]")).toHaveCount(0);
});

test("[F57] the field of a code is exactly as wide as six digits, hidden or shown", async ({
  page,
  open,
}) => {
  await open("/demo/gallery/mfa");
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

test("[F58] on a phone the conditions of a password are one line that fills; a refused one opens the list", async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open("/demo/gallery/change-password");
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

  await page.setViewportSize({ width: 360, height: 800 });
  const isSeen = async () => (await boxOf(page, "#new-password-rules .conditions")).height > 1;
  // Refused by the server.
  await open("/demo/gallery/change-password/rules-broken");
  expect(await isSeen()).toBe(true);
  // Held back by the page.
  await open("/demo/gallery/change-password");
  expect(await isSeen()).toBe(false);
  // The button waits until all fields are filled in.
  await page.locator("main [name=authorizationCode]").fill("123456");
  for (const name of ["newPassword", "newPasswordRepeat"])
    await page.locator(`main [name=${name}]`).fill("haslo");
  await page.getByRole("button", { name: "Zapisz" }).click();
  await expect(page.locator("#new-password-rules details")).toHaveAttribute("open");
  expect(await isSeen()).toBe(true);
});

test("a small phone shows all of the button that consents, or confirms a code, without scrolling", async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await open("/demo/gallery/cookies");
  await expect(page.getByRole("button", { name: "Akceptuję i przechodzę dalej" })).toBeInViewport({
    ratio: 1,
  });
  await page.setViewportSize({ width: 390, height: 664 });
  for (const state of ["", "/resent", "/sms-beside", "/app", "/recovery", "/passkey"]) {
    await open(`/demo/gallery/mfa${state}`);
    const button = page.locator("main form button[value=confirm]");
    await expect(button, `mfa${state}`).toBeInViewport({ ratio: 1 });
  }
});

test("at 768 px the button that shows a refused code stands beside the box, two further buttons apart", async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 768, height: 900 });
  await open("/demo/gallery/set-password/007");
  const box = await boxOf(page, "main [name=authorizationCode]");
  const show = await boxOf(page, "main [data-field]:has([name=authorizationCode]) [data-show-toggle]");
  expect(show.y).toBeLessThan(box.y + box.height);
  await open("/demo/gallery/recovery-code/shown");
  const [print, copy] = await Promise.all(
    ["Drukuj", "Kopiuj"].map((name) => page.getByRole("button", { name, exact: true }).boundingBox()),
  );
  expect((copy?.x ?? 0) - (print?.x ?? 0) - (print?.width ?? 0)).toBeGreaterThanOrEqual(12);
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
