import { CODE_STEPS, type CodeStepName } from "../account-steps";
import { expect, takeOver, test } from "./account";

/** Each field in page order, and what it tells password managers it is for. */
const FIELDS: Readonly<Partial<Record<CodeStepName, readonly (readonly [name: string, token: string])[]>>> = {
  "set-password": [
    ["authorizationCode", "one-time-code"],
    ["newPassword", "new-password"],
    ["newPasswordRepeat", "new-password"],
  ],
  "change-password": [
    ["authorizationCode", "one-time-code"],
    ["", "username"],
    ["newPassword", "new-password"],
    ["newPasswordRepeat", "new-password"],
  ],
  "change-login": [
    ["authorizationCode", "one-time-code"],
    ["newUsername", "username"],
    ["newUsernameRepeat", "off"],
  ],
  "create-document-password": [
    ["authorizationCode", "one-time-code"],
    ["", "section-documents username"],
    ["password", "section-documents new-password"],
    ["passwordRepeat", "section-documents new-password"],
  ],
};

for (const [name, fields] of Object.entries(FIELDS))
  test(`[C-32, C-33, C-34, C-36, C-38] ${name}: each field tells password managers what to fill in`, async ({
    person,
    page,
    context,
    portal,
    newcomer,
  }) => {
    const step = CODE_STEPS[name as CodeStepName];
    const { visitor } = await step.arrive(portal, newcomer);
    await takeOver(context, portal, visitor);
    await person.open(step.path);
    const inputs = page.locator("main form input:not([type=hidden])");
    const found = await inputs.evaluateAll((all) =>
      all.map((input) => [input.getAttribute("name") ?? "", input.getAttribute("autocomplete")]),
    );
    expect(found).toEqual(fields);
    for (const input of await page.locator('input[autocomplete$="new-password"]').all()) {
      await expect(input).toHaveAttribute("passwordrules", /^minlength: 12; maxlength: 50; required: upper;/);
      await expect(input).toHaveAttribute("type", "password");
    }
  });

test("[C-30, C-31, C-37] password managers recognise the sign-in form, and don't take the registration form for one", async ({
  person,
}) => {
  await person.arrive();
  await expect(person.field("username")).toHaveAttribute("autocomplete", "username");
  await expect(person.field("username")).toHaveAttribute("autocapitalize", "none");
  await expect(person.field("password")).toHaveAttribute("autocomplete", "current-password");
  await person.open("/home/register");
  for (const name of ["policyNo", "pid"]) {
    await expect(person.field(name)).toHaveAttribute("autocomplete", "off");
    await expect(person.field(name)).toHaveAttribute("data-1p-ignore", "true");
    await expect(person.field(name)).toHaveAttribute("data-lpignore", "true");
  }
});

test("a password manager's link leads to the password change", async ({ person, page, signedIn }) => {
  await person.open("/.well-known/change-password");
  await expect(page).toHaveURL("/home/change-password");
  await expect(page.getByLabel("Nazwa użytkownika")).toHaveValue(signedIn.username);
});
