import { wrongCode } from "../portal";
import { expect, test } from "./account";
import type { Person } from "./person";

/** Meets every condition, and is among the first guesses of a guessing program. */
const WEAK = "Warszawa1944!";
const ADVICE = "To hasło łatwo odgadnąć";

async function save(person: Person, code: string, password = WEAK, name = "newPassword") {
  await person.field("authorizationCode").fill(code);
  await person.field(name).fill(password);
  await person.field(`${name}Repeat`).fill(password);
  await person.button("Zapisz").click();
}

/** Saves, and waits for the next screen: the address changes a moment before, and the old screen advises too. */
async function saveAndLeave(person: Person, code: string, password = WEAK, name = "newPassword") {
  await save(person, code, password, name);
  await expect(person.field(name)).toHaveCount(0);
}

test("[S80] a weak first password is saved, and the next screen advises another one, once", async ({
  person,
  page,
  standAt,
}) => {
  await saveAndLeave(person, await standAt("set-password"));
  await expect(page).toHaveURL("/home/confirm-login");
  const notice = page.locator("main").getByText(ADVICE);
  await expect(notice).toContainText("Hasło zostało zapisane.");
  await page.reload();
  await expect(person.heading).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test("[S80] a first password that holds the policy number is advised against", async ({
  person,
  page,
  standAt,
  newcomer,
}) => {
  await saveAndLeave(person, await standAt("set-password"), `Xkq-${newcomer.policyNo}`);
  await expect(page).toHaveURL("/home/confirm-login");
  await expect(page.locator("main")).toContainText("zawiera Twoje dane, na przykład imię");
});

test("[S80] a form refused for its code says beside the checklist that the password was weak", async ({
  person,
  standAt,
  newcomer,
}) => {
  await save(person, wrongCode(await standAt("set-password")), `Xkq-${newcomer.policyNo}`);
  await expect(person.field("authorizationCode")).toHaveAttribute("aria-invalid", "true");
  await expect(person.field("newPassword")).toHaveAccessibleDescription(new RegExp(ADVICE));
});

test("[S80] a weak new password is saved, and the profile says so", async ({
  person,
  page,
  standAt,
  newcomer,
}) => {
  await saveAndLeave(person, await standAt("change-password"), `Xkq-${newcomer.policyNo}`);
  await expect(page).toHaveURL("/cp/profile");
  await expect(page.locator("main").getByText(ADVICE)).toContainText("Hasło zostało zmienione.");
});

// The name is known once the code was right.
for (const [screen, next, field] of [
  ["set-password", "/home/confirm-login", "newPassword"],
  ["reset-password-submit", "/cp", "newPassword"],
  ["change-password", "/cp/profile", "newPassword"],
  ["create-document-password", "/cp/profile?document-password-save-result=create", "password"],
] as const)
  test(`[S80] a password that holds the customer's name is advised against: ${screen}`, async ({
    person,
    page,
    standAt,
    newcomer,
  }) => {
    const named = `Xkq-9-zvw-${newcomer.name.replaceAll(" ", "")}`;
    await saveAndLeave(person, await standAt(screen), named, field);
    await expect(page).toHaveURL(next);
    await expect(page.locator("main")).toContainText("zawiera Twoje dane, na przykład imię");
  });

test("[S80] a weak document password is saved, and the profile says so", async ({
  person,
  page,
  standAt,
}) => {
  await saveAndLeave(person, await standAt("create-document-password"), WEAK, "password");
  await expect(page).toHaveURL("/cp/profile?document-password-save-result=create");
  await expect(page.locator("main").getByText(ADVICE)).toContainText(
    "Hasło do dokumentów zostało utworzone.",
  );
});

test("[S80] after a reset with a weak password, the customer area says so", async ({
  person,
  page,
  standAt,
}) => {
  await saveAndLeave(person, await standAt("reset-password-submit"));
  await expect(page).toHaveURL("/cp");
  await expect(page.locator("main").getByText(ADVICE)).toBeVisible();
});
