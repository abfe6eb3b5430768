import type { Page } from "@playwright/test";
import type { RegisteredCustomer } from "../../demo-customers";
import { openPart } from "../account";
import { addPasskey, expect, test } from "../localhost";
import type { Person } from "../person";
import { VirtualDevice } from "./virtual-device";

const BY_PASSKEY = "Zaloguj się kluczem dostępu";
const QUESTION = "/home/passkey-question";

/** Opens the sign-in page as a new visitor. */
async function toSignInPage(person: Person, page: Page): Promise<void> {
  await person.arrive();
  await expect(page.getByRole("button", { name: BY_PASSKEY })).toBeVisible();
}

interface Questions {
  /** How many the page has asked for. */
  readonly drawn: () => number;
  /** How many its device is asked now, and has been asked at the same time at most. */
  readonly open: () => number;
  readonly most: () => number;
}

/** Counts the questions that the page asks for, and those that its device is asked. */
async function countQuestions(page: Page): Promise<Questions> {
  let [drawn, open, most] = [0, 0, 0];
  page.on("request", (request) => {
    if (request.url().endsWith(QUESTION)) drawn += 1;
  });
  await page.exposeFunction("noteQuestions", (now: number) => {
    open = now;
    most = Math.max(most, now);
  });
  await page.addInitScript(() => {
    const before = navigator.credentials.get.bind(navigator.credentials);
    const { noteQuestions } = window as unknown as { noteQuestions: (now: number) => void };
    let now = 0;
    navigator.credentials.get = async (by) => {
      noteQuestions((now += 1));
      try {
        return await before(by);
      } finally {
        noteQuestions((now -= 1));
      }
    };
  });
  return { drawn: () => drawn, open: () => open, most: () => most };
}

/** Suggestions of a field that are never chosen: only giving up ends them. */
async function suggestForEver(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const before = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = (by) => {
      if ((by as { mediation?: string } | undefined)?.mediation !== "conditional") return before(by);
      return new Promise((_resolve, reject) => {
        by?.signal?.addEventListener("abort", () => {
          reject(new DOMException("given up", "AbortError"));
        });
      });
    };
  });
}

test.describe("a sign-in by passkey", () => {
  test("needs neither username, password nor code, and opens the customer area", async ({
    person,
    page,
    local,
    signedIn,
  }) => {
    await VirtualDevice.plugIn(page);
    await addPasskey(person, signedIn);
    const messages = await local.messagesTo(signedIn.phone);
    await toSignInPage(person, page);
    await page.getByRole("button", { name: BY_PASSKEY }).click();
    await expect(page).toHaveURL("/cp");
    expect(await local.messagesTo(signedIn.phone)).toBe(messages);
    await expect(page.getByText("Następnym razem zaloguj się odciskiem palca")).toHaveCount(0);
    await person.open("/cp/profile");
    await openPart(page, "Drugi krok logowania");
    await expect(page.locator("#factors")).toContainText("do logowania i potwierdzania");
  });

  test("is suggested in the field, once it is touched and not before", async ({ person, page, signedIn }) => {
    await VirtualDevice.plugIn(page, { suggests: true });
    await addPasskey(person, signedIn);
    const questions = await countQuestions(page);
    await toSignInPage(person, page);
    expect(questions.drawn()).toBe(0);
    await person.field("username").focus();
    await expect(page).toHaveURL("/cp");
    expect(questions.drawn()).toBe(1);
  });

  test("by the button ends the suggestions of the field: one question at a time", async ({
    person,
    page,
    signedIn,
  }) => {
    await suggestForEver(page);
    const questions = await countQuestions(page);
    await VirtualDevice.plugIn(page, { suggests: true });
    await addPasskey(person, signedIn);
    await toSignInPage(person, page);
    const drawn = page.waitForResponse((answer) => answer.url().endsWith(QUESTION));
    await expect(person.field("username")).toHaveAttribute("autocomplete", "username");
    await person.field("username").focus();
    await drawn;
    await expect.poll(questions.open).toBe(1);
    await expect(person.field("username")).toHaveAttribute("autocomplete", "username webauthn");
    await page.getByRole("button", { name: BY_PASSKEY }).click();
    await expect(page).toHaveURL("/cp");
    expect(questions.most()).toBe(1);
    expect(questions.drawn()).toBe(1);
  });

  test("on a device without a passkey says so, keeps the typed username, and the password still signs in", async ({
    person,
    page,
    signedIn,
  }) => {
    await toSignInPage(person, page);
    await page.evaluate(() => {
      navigator.credentials.get = () => Promise.reject(new DOMException("none", "NotAllowedError"));
    });
    await person.field("username").fill(signedIn.username);
    await page.getByRole("button", { name: BY_PASSKEY }).click();
    await expect(person.alert).toContainText("Na tym urządzeniu nie ma klucza");
    await expect(person.field("username")).toHaveValue(signedIn.username);
    await expect(page.getByRole("button", { name: BY_PASSKEY })).toBeVisible();
    await person.login(signedIn);
    await expect(page).toHaveURL("/home/mfa");
  });

  test("by a removed passkey is refused in the same form, and its device is told to offer it no more", async ({
    person,
    page,
    context,
    local,
    signedIn,
  }) => {
    await VirtualDevice.plugIn(page);
    await addPasskey(person, signedIn);
    const forgotten: unknown[] = [];
    await page.exposeFunction("forget", (said: unknown) => forgotten.push(said));
    await page.addInitScript(() => {
      Reflect.set(PublicKeyCredential, "signalUnknownCredential", (said: unknown) => {
        (window as unknown as { forget: (said: unknown) => void }).forget(said);
        return Promise.resolve();
      });
    });
    const list = (await (await context.request.get("/cp/api/factors")).json()) as {
      factors: { id: string }[];
    };
    const begun = await context.request.put("/cp/api/factors/init", {
      data: { method: "sms" },
      headers: { Origin: local.origin },
    });
    expect(begun.status()).toBe(200);
    const removed = await context.request.put("/cp/api/factors/remove", {
      data: { id: list.factors[0]?.id, authorizationCode: await local.lastCode(signedIn.phone) },
      headers: { Origin: local.origin },
    });
    expect(removed.status()).toBe(200);
    await toSignInPage(person, page);
    await page.getByRole("button", { name: BY_PASSKEY }).click();
    await expect(person.alert).toContainText("Nie udało się zalogować tym kluczem");
    await expect(page).toHaveURL("/home");
    await expect
      .poll(() => forgotten)
      .toEqual([{ rpId: "localhost", credentialId: expect.stringMatching(/^[\w-]+$/) as unknown }]);
  });

  test("gets a fresh question after three quarters of its life, but only while the page is in sight", async ({
    person,
    page,
    signedIn,
  }) => {
    await suggestForEver(page);
    const questions = await countQuestions(page);
    await VirtualDevice.plugIn(page, { suggests: true });
    await addPasskey(person, signedIn);
    await page.clock.install();
    await toSignInPage(person, page);
    const renewed = () => page.waitForRequest((request) => request.url().endsWith(QUESTION));
    const first = renewed();
    await person.field("username").focus();
    await first;
    await expect.poll(questions.open).toBe(1);
    const hide = (hidden: boolean) =>
      page.evaluate((is) => {
        Object.defineProperty(document, "hidden", { value: is, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await hide(true);
    await page.clock.fastForward("03:50");
    expect(questions.drawn()).toBe(1);
    const second = renewed();
    await hide(false);
    await second;
    await expect.poll(questions.open).toBe(1);
    expect(questions.drawn()).toBe(2);
  });

  test("whose suggestions fail once is suggested again at the next touch, and never in a loop", async ({
    person,
    page,
    signedIn,
  }) => {
    await VirtualDevice.plugIn(page, { suggests: true });
    await addPasskey(person, signedIn);
    await page.addInitScript(() => {
      const before = navigator.credentials.get.bind(navigator.credentials);
      let failing = 1;
      navigator.credentials.get = (by) =>
        failing-- > 0 ? Promise.reject(new DOMException("app", "UnknownError")) : before(by);
    });
    const questions = await countQuestions(page);
    await toSignInPage(person, page);
    await person.field("username").focus();
    await expect.poll(questions.most).toBe(1);
    await expect.poll(questions.open).toBe(0);
    await person.field("password").focus();
    await expect(page).toHaveURL("/cp");
    expect(questions.drawn()).toBe(1);
  });

  test("isn't offered where browsers have none, and Enter still sends the password", async ({
    person,
    page,
    signedIn,
  }) => {
    await page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
    const questions = await countQuestions(page);
    await person.arrive();
    await expect(page.getByRole("button", { name: BY_PASSKEY })).toHaveCount(0);
    await person.field("username").fill(signedIn.username);
    await person.field("password").fill(signedIn.password);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/home/mfa");
    expect(questions.drawn()).toBe(0);
  });
});

async function signInByPassword(person: Person, customer: RegisteredCustomer): Promise<void> {
  await person.open("/cp");
  await person.signInAgain(customer);
  await person.lands("/home/mfa");
  await person.confirm(await person.portal.lastCode(customer.phone));
  await person.lands("/cp");
}

test.describe("the offer of a passkey after a sign-in by password", () => {
  test("stands on the first page only, and “Nie teraz” puts it away for 30 days", async ({
    person,
    page,
    context,
    signedIn,
  }) => {
    await VirtualDevice.plugIn(page);
    await signInByPassword(person, signedIn);
    const offer = page.getByText("Następnym razem zaloguj się odciskiem palca");
    await expect(offer).toBeVisible();
    await person.offers("link", "Włącz na tym urządzeniu", 1);
    await person.button("Nie teraz").click();
    await expect(page).toHaveURL("/cp");
    await expect(offer).toHaveCount(0);
    const kept = (await context.cookies()).find(({ name }) => name === "passkeys");
    expect(Math.round(((kept?.expires ?? 0) * 1000 - Date.now()) / 86_400_000)).toBe(30);
  });

  test("isn't there on a device that can't keep one", async ({ person, page, signedIn }) => {
    await VirtualDevice.plugIn(page, { asksForPerson: false });
    await signInByPassword(person, signedIn);
    await expect(page.getByText("Następnym razem zaloguj się odciskiem palca")).toHaveCount(0);
  });
});

test("the device is told which passkeys are left after one was removed", async ({
  person,
  page,
  signedIn,
}) => {
  await VirtualDevice.plugIn(page);
  const told: unknown[] = [];
  await page.exposeFunction("told", (how: string, said: unknown) => told.push([how, said]));
  await page.addInitScript(() => {
    const tell = (window as unknown as { told: (how: string, said: unknown) => void }).told;
    for (const how of ["signalAllAcceptedCredentials", "signalCurrentUserDetails"])
      Reflect.set(PublicKeyCredential, how, (said: unknown) => {
        tell(how, said);
        return Promise.resolve();
      });
  });
  await addPasskey(person, signedIn);
  await person.open("/cp/profile");
  await expect
    .poll(() => told)
    .toContainEqual([
      "signalCurrentUserDetails",
      expect.objectContaining({ rpId: "localhost", name: signedIn.username }),
    ]);
  expect(told).toContainEqual([
    "signalAllAcceptedCredentials",
    expect.objectContaining({ allAcceptedCredentialIds: [expect.any(String)] }),
  ]);
});
