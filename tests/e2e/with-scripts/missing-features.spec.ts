import { JAN } from "../../demo-customers";
import { LIKE_ANOTHER } from "../../release-run";
import { expect, test } from "../fixtures";
import { Person } from "../person";
import { effectsHaveRun, stopClock } from "../requests-of-a-page";

/** How long the first tab has to answer another one (specification §9), in ms. */
const ANSWER_MS = 100;

/** Ways to remove features that old browsers lack from a new one. */
const FEATURES: readonly (() => void)[] = [
  () => Reflect.deleteProperty(window, "BroadcastChannel"),
  () => Reflect.deleteProperty(HTMLElement.prototype, "inert"),
  () => Reflect.deleteProperty(window, "OTPCredential"),
];

test("without features that old browsers lack, sign-in with a code and sign-out work", async ({
  person,
  page,
}) => {
  for (const remove of FEATURES) await page.addInitScript(remove);
  await person.signInByHand(JAN);
  await expect(person.heading).toHaveText("Moje polisy");
  await person.signOut();
  await expect(person.heading).toHaveText("Wylogowano z portalu");
});

/** Features that the script needs (C-15): without one the browser gets the product without scripts. */
const NEEDED: readonly (readonly [name: string, remove: () => void])[] = [
  [
    "modal dialogs",
    () => {
      Reflect.deleteProperty(HTMLDialogElement.prototype, "showModal");
    },
  ],
  ["dialogs", () => Reflect.deleteProperty(window, "HTMLDialogElement")],
  ["the pressed button in a submit", () => Reflect.deleteProperty(SubmitEvent.prototype, "submitter")],
];

for (const [nth, [name, remove]] of NEEDED.entries())
  test(
    `[C-15] without ${name}: sign-in with a code and sign-out work as without scripts`,
    { tag: nth === 0 ? [] : LIKE_ANOTHER },
    async ({ page, portal }) => {
      await page.addInitScript(remove);
      const person = new Person(page, portal, false);
      await person.signInByHand(JAN);
      await expect(person.heading).toHaveText("Moje polisy");
      await expect(page.locator("html")).not.toHaveAttribute("data-scripts");
      await person.signOut();
      await expect(person.heading).toHaveText("Wylogowano z portalu");
    },
  );

test(
  "without BroadcastChannel and shared storage every tab is the first one",
  { tag: LIKE_ANOTHER },
  async ({ person, page, context }) => {
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
  },
);
