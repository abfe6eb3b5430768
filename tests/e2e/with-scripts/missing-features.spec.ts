import { JAN } from "../../demo-customers";
import { expect, test } from "../fixtures";
import { Person } from "../person";
import { effectsHaveRun, stopClock } from "../requests-of-a-page";

/** How long the first tab has to answer another one (specification §9), in ms. */
const ANSWER_MS = 100;

/** What an old browser lacks, and how to remove it from a new one. */
const FEATURES: readonly (readonly [name: string, remove: () => void])[] = [
  ["BroadcastChannel", () => Reflect.deleteProperty(window, "BroadcastChannel")],
  [
    "modal dialogs",
    () => {
      Reflect.deleteProperty(HTMLDialogElement.prototype, "showModal");
      Reflect.deleteProperty(HTMLDialogElement.prototype, "close");
      Reflect.deleteProperty(window, "HTMLDialogElement");
    },
  ],
  ["inert", () => Reflect.deleteProperty(HTMLElement.prototype, "inert")],
  ["OTPCredential", () => Reflect.deleteProperty(window, "OTPCredential")],
];

for (const [name, remove] of FEATURES)
  test(`without ${name}: sign-in with a code and sign-out work`, async ({ person, page }) => {
    await page.addInitScript(remove);
    await person.signIn(JAN);
    await expect(person.heading).toHaveText("Moje polisy");
    await person.signOut();
    await expect(person.heading).toHaveText("Wylogowano z portalu");
  });

test("without TextEncoderStream: sign-in with a code and sign-out work without hydration", async ({
  page,
  portal,
  expectedOnConsole,
}) => {
  // Remix's own inline script needs it.
  expectedOnConsole.push(/^ReferenceError: TextEncoderStream is not defined/);
  await page.addInitScript(() => Reflect.deleteProperty(window, "TextEncoderStream"));
  const person = new Person(page, portal, false);
  await person.signIn(JAN);
  await expect(person.heading).toHaveText("Moje polisy");
  await person.signOut();
  await expect(person.heading).toHaveText("Wylogowano z portalu");
});

test("without BroadcastChannel and shared storage every tab is the first one", async ({
  person,
  page,
  context,
}) => {
  await context.addInitScript(() => {
    Reflect.deleteProperty(window, "BroadcastChannel");
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    });
  });
  await context.clock.install();
  await person.arrive();
  const second = await context.newPage();
  await second.goto("/home");
  await new Person(second, person.portal, true).alive();
  // By then each tab has asked and waited in vain.
  await stopClock(page);
  await context.clock.runFor(ANSWER_MS);
  for (const tab of [page, second]) {
    await effectsHaveRun(tab);
    await expect(tab.getByRole("alertdialog")).toHaveCount(0);
  }
  await person.login(JAN);
  await expect(page).toHaveURL("/home/mfa");
});
