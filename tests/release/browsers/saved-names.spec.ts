import { CODE_STEPS, start, type CodeStep } from "../../account-steps";
import { customersOf, register } from "../../new-account";
import { Visitor } from "../../visitor";
import { Guest } from "../../browsers/guest";
import { expect, test } from "./managers/fixtures";
import { startFirefoxThatSaves } from "./managers/firefox";

test("[F32, C-33, C-38] a password manager saves each new password under its name", async ({
  managerChoice,
  portal,
}) => {
  const { account, visitor } = await register(portal, customersOf()());
  const { username, phone } = account;
  const { browser, takeOver, offer } = await startFirefoxThatSaves(managerChoice.path, portal.origin);
  const guest = new Guest(browser, portal, true);
  const save = async (step: CodeStep, { cookies }: Visitor, nth = 0) => {
    await takeOver(cookies);
    await guest.open(step.path);
    await guest.type("authorizationCode", await portal.lastCode(phone));
    for (const [name, value] of Object.entries(step.fields(nth))) await guest.type(name, value);
    await guest.press("Zapisz");
    const { username: name } = await offer();
    await guest.lands(step.next);
    return name;
  };

  await start(visitor, "/home/create-document-password", { intent: "send-code" });
  expect(await save(CODE_STEPS["create-document-password"], visitor)).toBe(
    `Hasło do dokumentów (${username})`,
  );

  await start(visitor, "/home/change-password", { intent: "send-code" });
  expect(await save(CODE_STEPS["change-password"], visitor)).toBe(username);

  const forgetful = new Visitor(portal);
  await forgetful.accept();
  await start(forgetful, "/home/reset-password-init", { username });
  expect(await save(CODE_STEPS["reset-password-submit"], forgetful, 1)).toBe(username);

  await browser.close();
});
