import { CODE_STEPS, start } from "../../account-steps";
import { SCREENS } from "../../screens";
import { customersOf, register } from "../../new-account";
import type { RegisteredCustomer } from "../../demo-customers";
import type { Portal } from "../../portal";
import { Visitor } from "../../visitor";
import { ALIVE } from "../../browsers/guest";
import { startChromiumWithSaved } from "./managers/chromium";
import { startFirefoxWithSaved } from "./managers/firefox";
import { expect, test } from "./managers/fixtures";
import type { ManagedBrowser, SavedSignIn } from "./managers/manager";
import { until } from "../../browsers/until";

const STARTS = { firefox: startFirefoxWithSaved, chromium: startChromiumWithSaved };

/** A screen's address, and a browser that may open it. */
interface Place {
  readonly path: string;
  readonly arrive: () => Promise<Visitor> | Visitor;
}

/** Every screen, each about the customer whose sign-in is saved, since that sign-in is likeliest to be filled in. */
async function placesOf(portal: Portal) {
  const next = customersOf();
  const { account, visitor: signedIn } = await register(portal, next());
  const newcomer = next();
  const visitor = async () => {
    const fresh = new Visitor(portal);
    await fresh.accept();
    return fresh;
  };
  const signedOut = await visitor();
  const started = (path: string, fields: Readonly<Record<string, string>>) => async () => {
    const fresh = await visitor();
    await start(fresh, path, fields);
    return fresh;
  };
  const sendCode = (path: string) => async () => {
    await start(signedIn, path, { intent: "send-code" });
    return signedIn;
  };
  const { username, password } = account;
  const reminding = started("/home/remind-login-init", { policyNo: account.policyNo });
  const policies = (await signedIn.get("/cp")).body;
  const policy = /\/cp\/policy\/[^"]+/.exec(policies)?.[0] ?? "";
  const places: Readonly<Record<string, Place>> = {
    // A screen that is not listed below, as the gallery shows it.
    ...Object.fromEntries(
      SCREENS.map((name) => [name, { path: `/demo/gallery/${name}`, arrive: () => signedOut }]),
    ),
    cookies: { path: "/home/cookies", arrive: () => new Visitor(portal) },
    login: { path: "/home", arrive: () => signedOut },
    register: { path: "/home/register", arrive: () => signedOut },
    "reset-password-init": { path: "/home/reset-password-init", arrive: () => signedOut },
    "remind-login-init": { path: "/home/remind-login-init", arrive: () => signedOut },
    logout: { path: "/home/logout", arrive: () => signedOut },
    service: { path: "/service", arrive: () => signedOut },
    "not-found": { path: "/no-such-screen", arrive: () => signedOut },
    "set-password": {
      path: "/home/set-password",
      arrive: started("/home/register", { policyNo: newcomer.policyNo, pid: newcomer.pid }),
    },
    "reset-password-submit": {
      path: "/home/reset-password-submit",
      arrive: started("/home/reset-password-init", { username }),
    },
    "remind-login-submit": { path: "/home/remind-login-submit", arrive: reminding },
    "remind-login-final": {
      path: "/home/remind-login-final",
      arrive: async () => {
        const reminded = await reminding();
        await start(reminded, "/home/remind-login-submit", {
          authorizationCode: await portal.lastCode(account.phone),
        });
        return reminded;
      },
    },
    mfa: { path: "/home/mfa", arrive: started("/home?index", { username, password }) },
    "switch-account": { path: "/home/switch-account", arrive: () => signedIn },
    "confirm-login": { path: "/home/confirm-login", arrive: () => signedIn },
    "change-login": { path: "/home/change-login", arrive: sendCode("/home/change-login") },
    "change-password": { path: "/home/change-password", arrive: sendCode("/home/change-password") },
    "create-document-password": {
      path: "/home/create-document-password",
      arrive: sendCode("/home/create-document-password"),
    },
    "change-document-password": {
      path: "/home/change-document-password",
      arrive: async () => {
        await start(signedIn, "/home/create-document-password", {
          authorizationCode: await portal.lastCode(account.phone),
          ...CODE_STEPS["create-document-password"].fields(),
        });
        return sendCode("/home/change-document-password")();
      },
    },
    policies: { path: "/cp", arrive: () => signedIn },
    // Only a customer with many has a field there.
    "policies to search": { path: "/demo/gallery/policies/many", arrive: () => signedOut },
    policy: { path: policy, arrive: () => signedIn },
    profile: { path: "/cp/profile", arrive: () => signedIn },
    contact: { path: "/cp/contact", arrive: () => signedIn },
  };
  return { account, places };
}

/** Adds a sign-in form of our own after the screen's fields: once it is filled in, the manager has seen all before it. */
const ADD_CONTROL = `(() => {
  const form = document.body.appendChild(document.createElement("form"));
  form.id = "control";
  form.method = "post";
  for (const [type, autocomplete] of [["text", "username"], ["password", "current-password"]])
    Object.assign(form.appendChild(document.createElement("input")), { type, autocomplete });
})()`;
const CONTROL = 'Array.from(document.forms.control.elements, ({ value }) => value).join(" ")';
/** The screen's fields whose value differs from the page's own, or that the browser marks as filled in. */
const FILLED = `Array.from(document.querySelectorAll("input:not(#control *, [type=checkbox])"))
  .filter((input) => input.value !== input.defaultValue || input.matches(":autofill"))
  .map(({ name, id, value }) => (name || id) + ": " + value)`;

/** Opens a screen, waits until the manager has had its chance, and returns what the manager has filled in. */
async function filledIn(
  browser: ManagedBrowser,
  origin: string,
  { path }: Place,
  { username, password }: SavedSignIn,
) {
  await browser.goto(origin + path);
  await until("the page to come alive", () => browser.evaluate(ALIVE));
  expect(await browser.address()).toBe(origin + path);
  await browser.evaluate(ADD_CONTROL);
  await until("the manager to fill in the form of the test", async () => {
    await browser.press();
    return (await browser.evaluate(CONTROL)) === `${username} ${password}`;
  });
  return browser.evaluate(FILLED);
}

test("[F32, C-30, C-31, C-35, C-37] a password manager fills in the sign-in, and nothing else", async ({
  managerChoice,
  portal,
}) => {
  const { account, places } = await placesOf(portal);
  const browser = await STARTS[managerChoice.kind](managerChoice.path, portal.origin, account);
  const filled: Record<string, unknown> = {};
  for (const [name, place] of Object.entries(places)) {
    await browser.takeOver((await place.arrive()).cookies);
    filled[name] = await filledIn(browser, portal.origin, place, account);
  }
  const password = `password: ${account.password}`;
  expect(filled).toEqual({
    ...Object.fromEntries(Object.keys(places).map((screen) => [screen, []])),
    login: [`username: ${account.username}`, password],
    // Its username comes from the portal.
    "remind-login-final": [password],
  });
  await browser.stop();
});

async function addPasskey(
  browser: ManagedBrowser,
  portal: Portal,
  { phone }: RegisteredCustomer,
  owner: Visitor,
) {
  const path = "/home/add-passkey";
  await start(owner, path, { intent: "send-code" });
  await owner.post(path, { intent: "confirm", authorizationCode: await portal.lastCode(phone) });
  await browser.takeOver(owner.cookies);
  await browser.goto(portal.origin + path);
  await until("the page to come alive", () => browser.evaluate(ALIVE));
  await browser.click("form[data-passkey] button[data-waiting]");
  await until("the passkey to be added", async () =>
    (await browser.address()).endsWith("/home/recovery-code"),
  );
}

for (const [name, field] of [
  ["login", "username"],
  // No browser suggests anything in a field that is read-only, as the username is there. Firefox: nothing at all.
  ["remind-login-final", "password"],
] as const)
  test(`[F32] ${name}: a saved sign-in is filled in without a touch, and a touch suggests a passkey, too`, async ({
    managerChoice,
    portal,
  }) => {
    const { account, places } = await placesOf(portal);
    const browser = await STARTS[managerChoice.kind](managerChoice.path, portal.origin, account);
    if (browser.connectDevice) {
      await browser.connectDevice();
      await addPasskey(browser, portal, account, (await places["policies"]?.arrive()) as Visitor);
    }
    const place = places[name] as Place;
    await browser.takeOver((await place.arrive()).cookies);
    expect(await filledIn(browser, portal.origin, place, account)).toContain(`password: ${account.password}`);
    if (name === "login" || managerChoice.kind === "chromium")
      await browser.suggestPasskey(`main input[name=${field}]`);
    await browser.stop();
  });
