import { PIOTR } from "../../demo-customers";
import { wrongCode } from "../../portal";
import { expect, test } from "../fixtures";

/** To a portal of the release before, the header of the page's script means nothing: it redirects. */
const HEADER = "x-portal-form";

test("a page goes on with a portal of the release before, which answers its script like a browser", async ({
  person,
  page,
  portal,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/the server responded with a status of 400/);
  let redirects = 0;
  page.on("response", (response) => {
    if (response.request().resourceType() === "fetch" && response.status() === 303) redirects += 1;
  });
  await page.route("**", async (route) => {
    const headers = await route.request().allHeaders();
    await route.continue({
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== HEADER)),
    });
  });
  await person.arrive();
  await person.login(PIOTR);
  await expect(page).toHaveURL("/home/mfa");
  await person.alive();
  const code = await portal.lastCode(PIOTR.phone);
  await person.confirm(wrongCode(code));
  await expect(person.refusal).toBeVisible();
  await person.confirm(code);
  await expect(page).toHaveURL("/cp");
  await expect(person.alert).toHaveCount(0);
  expect(redirects).toBeGreaterThanOrEqual(3);
});
