import type { Page } from "@playwright/test";
import type { RegisteredCustomer } from "../../demo-customers";
import { LIKE_ANOTHER } from "../../release-run";
import { openPart } from "../account";
import { addPasskey, expect, MAKE, test, toSecondStep, USE } from "../localhost";
import type { Person } from "../person";
import { VirtualDevice } from "./virtual-device";

async function keepRecoveryCode(person: Person, page: Page): Promise<void> {
  await expect(page).toHaveURL("/home/recovery-code");
  await person.alive();
  const shown = await page.locator("main").innerText();
  const code = /([A-Z2-7]{4}-){5}[A-Z2-7]{4}/.exec(shown)?.[0] ?? "";
  await person.field("last").fill(code.slice(-4));
  await person.button("Mam zapisany kod").click();
  await expect(page).toHaveURL(/factor-save-result=added/);
}

/** Goes from My Data to the step that makes a passkey, and makes it. */
async function addByHand(person: Person, page: Page, { phone }: RegisteredCustomer): Promise<void> {
  await person.open("/cp/profile");
  await openPart(page, "Drugi krok logowania");
  await page.getByRole("link", { name: "Dodaj klucz dostępu" }).click();
  await person.lands("/home/add-passkey");
  await person.send("Wyślij kod autoryzacyjny");
  await person.type("authorizationCode", await person.portal.lastCode(phone));
  await person.send("Potwierdź");
  await person.field("name").fill("Laptop");
  await person.button(MAKE).click();
  await keepRecoveryCode(person, page);
}

test.describe("a passkey", () => {
  test("is added on My Data, confirms the next sign-in without an SMS, and is removed by itself", async ({
    person,
    page,
    local,
    signedIn,
  }) => {
    const device = await VirtualDevice.plugIn(page);
    await addByHand(person, page, signedIn);
    await expect(page.locator("#factors")).toContainText("Laptop");
    await expect(page.locator("main")).toContainText("1 klucz dostępu");
    const messages = await local.messagesTo(signedIn.phone);
    await person.reachCode(signedIn);
    await page.getByRole("switch", { name: "Dodaj to urządzenie do zaufanych" }).uncheck();
    await person.button(USE).click();
    await expect(page).toHaveURL("/cp");
    expect(await local.messagesTo(signedIn.phone)).toBe(messages);

    await device.countFromZero();
    await person.reachCode(signedIn);
    await person.button(USE).click();
    await expect(page).toHaveURL("/cp");
    expect(local.log()).toContain("passkey-counter-back");

    await person.open("/cp/profile");
    await openPart(page, "Drugi krok logowania");
    await page.getByRole("link", { name: "Usuń : klucz dostępu Laptop" }).click();
    await expect(page.locator("main")).toContainText("Nie masz innych sposobów");
    await person.alive();
    await person.sending(() => person.button("Dalej").click());
    await person.alive();
    await person.button(USE).click();
    await expect(page).toHaveURL(/factor-save-result=removed/);
    await expect(page.locator("#factors")).not.toContainText("Laptop");
  });

  test("on a page that has stood for minutes gets a new question before the device is asked", async ({
    person,
    page,
    signedIn,
  }) => {
    await VirtualDevice.plugIn(page);
    await addPasskey(person, signedIn);
    await person.reachCode(signedIn);
    await page.evaluate(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 4 * 60_000;
    });
    const renewed = page.waitForRequest(
      (request) => request.method() === "GET" && request.url().includes("/home/mfa?method=passkey"),
    );
    await person.button(USE).click();
    await renewed;
    await expect(page).toHaveURL("/cp");
  });

  test("[S161] confirms a document password, once the typed one keeps the rules", async ({
    person,
    page,
    signedIn,
  }) => {
    await VirtualDevice.plugIn(page);
    await addPasskey(person, signedIn);
    await person.open("/home/create-document-password");
    await expect(page.locator("main")).toContainText("Zmianę potwierdzisz kluczem dostępu");
    await person.alive();
    await person.sending(() => person.button("Dalej").click());
    await person.alive();
    await person.field("password").fill("krótkie");
    await person.field("passwordRepeat").fill("krótkie");
    await person.button("Zapisz").click();
    await expect(page.locator("[aria-invalid=true]").first()).toBeVisible();
    await expect(page).toHaveURL(/create-document-password/);
    for (const field of ["password", "passwordRepeat"]) await person.field(field).fill("Dokument-2026!");
    await person.button("Zapisz").click();
    await expect(page).toHaveURL(/document-password-save-result=create/);
  });

  test(
    "works on a device that can't ask who uses it",
    { tag: LIKE_ANOTHER },
    async ({ person, page, signedIn }) => {
      await VirtualDevice.plugIn(page, { asksForPerson: false });
      await addPasskey(person, signedIn);
      await person.reachCode(signedIn);
      await person.button(USE).click();
      await expect(page).toHaveURL("/cp");
    },
  );

  test(
    "works in browsers that don't read WebAuthn's JSON themselves",
    { tag: LIKE_ANOTHER },
    async ({ person, page, signedIn }) => {
      await page.addInitScript(() => {
        Reflect.deleteProperty(PublicKeyCredential, "parseCreationOptionsFromJSON");
        Reflect.deleteProperty(PublicKeyCredential, "parseRequestOptionsFromJSON");
        Reflect.deleteProperty(PublicKeyCredential.prototype, "toJSON");
      });
      await VirtualDevice.plugIn(page);
      await addPasskey(person, signedIn);
      await person.reachCode(signedIn);
      await person.button(USE).click();
      await expect(page).toHaveURL("/cp");
    },
  );

  /** What password managers answer with, instead of the browser. */
  const MANAGERS: readonly (readonly [what: string, replace: () => void])[] = [
    [
      "whose toJSON throws",
      () => {
        PublicKeyCredential.prototype.toJSON = () => {
          throw new TypeError("Illegal invocation");
        };
      },
    ],
    [
      "without toJSON",
      () => {
        for (const use of ["create", "get"] as const) {
          const ask = navigator.credentials[use].bind(navigator.credentials) as (by: object) => unknown;
          Reflect.set(navigator.credentials, use, async (by: object) => {
            const { id, rawId, type, response } = (await ask(by)) as PublicKeyCredential;
            return { id, rawId, type, response };
          });
        }
      },
    ],
  ];

  for (const [nth, [what, replace]] of MANAGERS.entries())
    test(
      `of a password manager with an answer ${what} is added, and signs in`,
      { tag: nth === 0 ? [] : LIKE_ANOTHER },
      async ({ person, page, signedIn }) => {
        await page.addInitScript(replace);
        await VirtualDevice.plugIn(page);
        await addPasskey(person, signedIn);
        await person.reachCode(signedIn);
        await person.button(USE).click();
        await expect(page).toHaveURL("/cp");
      },
    );

  test("that never answers is given up by Esc, a second press or the time limit, and can be asked again", async ({
    person,
    page,
    signedIn,
  }) => {
    await VirtualDevice.plugIn(page);
    await addPasskey(person, signedIn);
    await page.clock.install();
    await person.reachCode(signedIn);
    await page.evaluate(() => {
      const before = navigator.credentials.get.bind(navigator.credentials);
      let silent = 3;
      navigator.credentials.get = (by) => (silent-- > 0 ? new Promise(() => undefined) : before(by));
    });
    const waiting = person.button("Czekamy na klucz dostępu…");
    await person.button(USE).click();
    await expect(waiting).toBeVisible();
    await page.keyboard.press("Escape");
    await person.button(USE).dblclick();
    await expect(waiting).toBeVisible();
    await page.clock.fastForward(2_000);
    await waiting.click();
    await person.button(USE).click();
    await expect(waiting).toBeVisible();
    await page.clock.fastForward("06:00");
    await expect(person.alert).toContainText("okno zamknięto albo minął czas");
    await person.button(USE).click();
    await expect(page).toHaveURL("/cp");
  });

  test("is asked for by a form that is sent without its button", async ({ person, page, signedIn }) => {
    await VirtualDevice.plugIn(page);
    await addPasskey(person, signedIn);
    await person.reachCode(signedIn);
    await page.locator("form[data-passkey]").evaluate((form) => {
      if (form instanceof HTMLFormElement) form.requestSubmit();
    });
    await expect(page).toHaveURL("/cp");
  });

  test("is asked for as soon as the file that does so has come, although the button was pressed before", async ({
    person,
    page,
    signedIn,
  }) => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    await page.route(/passkey-device/, async (route) => {
      await gate;
      await route.continue();
    });
    await VirtualDevice.plugIn(page);
    await toSecondStep(person, signedIn);
    await person.button(MAKE).click();
    await expect(person.button("Czekamy na klucz dostępu…")).toBeVisible();
    open();
    await keepRecoveryCode(person, page);
  });

  test("can't be made twice on one device, which says so", async ({ person, page, signedIn }) => {
    await VirtualDevice.plugIn(page);
    await addPasskey(person, signedIn);
    await toSecondStepByPasskey(person);
    await person.button(MAKE).click();
    await expect(person.alert).toContainText(/na tym urządzeniu jest już klucz\sdostępu/i);
    await person.alive();
    await person.button("Wstecz").click();
    await expect(page).toHaveURL(/\/cp\/profile/);
  });

  async function toSecondStepByPasskey(person: Person): Promise<void> {
    await person.open("/home/add-passkey");
    await person.sending(() => person.button("Dalej").click());
    await person.alive();
    await person.button(USE).click();
    await expect(person.button(MAKE)).toBeVisible();
    await person.alive();
  }

  test("that the customer cancels adds nothing and signs nobody in; the next press works", async ({
    person,
    page,
    signedIn,
  }) => {
    await VirtualDevice.plugIn(page);
    await toSecondStep(person, signedIn);
    await refuseNext(page, "create");
    await person.sendRefused(() => person.button(MAKE).click());
    await expect(person.alert).toContainText("okno zamknięto albo minął czas");
    await person.button(MAKE).click();
    await keepRecoveryCode(person, page);

    await person.reachCode(signedIn);
    await refuseNext(page, "get");
    await person.sendRefused(() => person.button(USE).click());
    await expect(person.alert).toContainText("okno zamknięto albo minął czas");
    await person.button(USE).click();
    await expect(page).toHaveURL("/cp");
  });

  /** Makes the next use fail as a browser does if people cancel, or don't answer in time. */
  async function refuseNext(page: Page, use: "create" | "get"): Promise<void> {
    await page.evaluate((name) => {
      const before = navigator.credentials[name].bind(navigator.credentials);
      navigator.credentials[name] = () => {
        navigator.credentials[name] = before;
        return Promise.reject(new DOMException("cancelled", "NotAllowedError"));
      };
    }, use);
  }

  test("in a browser that has none: the page says so, and offers an app", async ({
    person,
    page,
    signedIn,
  }) => {
    await page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
    await toSecondStep(person, signedIn);
    await person.sendRefused(() => person.button(MAKE).click());
    await expect(person.alert).toContainText(/ta przeglądarka nie obsługuje kluczy\sdostępu/i);
    await page.getByRole("link", { name: "Dodaj aplikację z kodami" }).click();
    await expect(page).toHaveURL("/home/add-app");
  });

  test("a reload and another tab ask the same; what is used in one is over in the other", async ({
    person,
    page,
    context,
    local,
    signedIn,
  }) => {
    await VirtualDevice.plugIn(page);
    await addPasskey(person, signedIn);
    await person.reachCode(signedIn);
    const asked = () => page.locator("[data-passkey]").getAttribute("data-options");
    const first = await asked();
    await page.reload();
    expect(await asked()).toBe(first);
    await person.open("/home/mfa?method=passkey");
    expect(await asked()).toBe(first);
    // Another tab has started over since.
    const begun = await context.request.post("/home/api/user/activate-session/init", {
      data: { method: "passkey" },
      headers: { Origin: local.origin },
    });
    expect(begun.status()).toBe(200);
    await person.alive();
    await person.sendRefused(() => person.button(USE).click());
    await expect(person.alert).toContainText("Minęło za dużo czasu");
    await person.button(USE).click();
    await expect(page).toHaveURL("/cp");
  });
});
