import { join } from "node:path";
import { readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { seal } from "~/backend/secrets/keyring.server";
import { NOTICE_EVENTS, type NoticeEvent, type NoticeFacts } from "~/contract/notices";
import { noticeTexts } from "~/i18n/sms-texts.server";
import { Browser, type Answer } from "../../../contract/browser";
import type { Way } from "../../../contract/way";
import { ANNA, type RegisteredCustomer } from "../../../demo-customers";
import { addApp, type AddedApp, appCode, confirmBy, withPassword } from "../../../factor-steps";
import { NOON, type TestBackend } from "../test-backend";

/** The texts of notices that the tests use: the portal's own. */
export const NOTICES = noticeTexts("Tarnea", "800 100 200");

const newPassword = "Nowe-Haslo-2026";

const messages = async (way: Way, phone: string) =>
  (await way.outbox()).filter(({ to }) => to === phone).map(({ text }) => text);

/** Whether a message is a notice, by its words. */
export const isNotice = (text: string) => /To nie Ty\?|Pomoc: /.test(text);

/** The notices to a number, newest first. */
export async function noticesTo(way: Way, phone = ANNA.phone): Promise<string[]> {
  return (await messages(way, phone)).filter(isNotice);
}

/** The messages with codes to a number, newest first. */
export async function codesTo(way: Way, phone = ANNA.phone): Promise<string[]> {
  return (await messages(way, phone)).filter((text) => !isNotice(text));
}

/** The newest code to a number, whatever notices came after it. */
export async function codeOf(way: Way, phone = ANNA.phone): Promise<string> {
  if (way.askForCode) return way.askForCode(phone);
  return /\d{6}/.exec((await codesTo(way, phone))[0] ?? "")?.[0] ?? "";
}

/** Returns the answer, which must be a success. */
export function ok(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`answered ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Signs in from a new browser. */
export async function signIn(
  way: Way,
  customer: RegisteredCustomer,
  trustDevice: "Y" | "N" = "N",
): Promise<Browser> {
  const browser = new Browser(way);
  ok(await browser.login(customer));
  ok(await browser.askForCode());
  ok(await browser.confirm(await codeOf(way, customer.phone), trustDevice));
  return browser;
}

/** Sets Anna's password, and sends the same confirm from as many tabs at once. */
export async function setPassword(way: Way, browser: Browser, tabs = 1): Promise<void> {
  const path = `/home/api/user/${ANNA.username}/password-reset`;
  ok(await browser.post(`${path}/init`));
  const payload = { newPassword, authorizationCode: await codeOf(way) };
  const confirms = Array.from({ length: tabs }, () => browser.twin().post(`${path}/confirm`, payload));
  for (const answer of await Promise.all(confirms)) ok(answer);
}

const DEVICE = "Firefox 128, Windows 10";

/** The same way from Anna's device; without it, its name is unknown. */
function onDevice(way: Way): Way {
  return {
    ...way,
    fetch: (path, init) => {
      const headers = new Headers(init?.headers);
      headers.set("X-Device-Name", encodeURIComponent(DEVICE));
      return way.fetch(path, { ...init, headers });
    },
  };
}

/** What the notices of `CAUSES` say besides the time. */
export const FACTS: Partial<Record<NoticeEvent, Omit<NoticeFacts, "at">>> = {
  "device-trusted": { deviceName: DEVICE },
  "factor-added": { detail: "app" },
  "sms-at-sign-in": { detail: "off" },
};

/** Types five wrong passwords, each in a new browser. */
export async function lock(way: Way, username = ANNA.username): Promise<void> {
  for (let nth = 0; nth < 5; nth += 1) await new Browser(way).login({ username, password: "Nie-To-Haslo-1" });
}

/** What a customer causes without an import or the help desk. */
type OwnEvent = Exclude<
  NoticeEvent,
  "factors-reset" | "account-unlocked" | "details-changed" | "new-phone-used" | "new-phone-stopped"
>;

/** A way to cause each notice to Anna that she can cause herself. */
export const CAUSES: Readonly<Record<OwnEvent, (way: Way) => Promise<void>>> = {
  "password-changed": async (way) => setPassword(way, await signIn(way, ANNA)),
  "password-reset": (way) => setPassword(way, new Browser(way)),
  "username-changed": async (way) => {
    const browser = await signIn(way, ANNA);
    const path = `/home/api/user/${ANNA.username}/login-change`;
    ok(await browser.post(`${path}/init`));
    const change = { newUsername: "anna.nowa.nazwa", authorizationCode: await codeOf(way) };
    ok(await browser.post(`${path}/confirm`, change));
  },
  "document-password-set": async (way) => {
    const browser = await signIn(way, ANNA);
    ok(await browser.put("/cp/api/doc-pwd/create/init"));
    const payload = { authToken: await codeOf(way), password: "Haslo-Do-Dokumentow-7" };
    ok(await browser.put("/cp/api/doc-pwd/create/confirm", payload));
  },
  "device-trusted": async (way) => {
    await signIn(onDevice(way), ANNA, "Y");
  },
  "device-replayed": async (way) => replay(await signIn(onDevice(way), ANNA, "Y")),
  "sign-in-locked": (way) => lock(way),
  "factor-added": async (way) => {
    await addApp(way, await signIn(way, ANNA), ANNA, NOON);
  },
  "factor-removed": async (way) => {
    const browser = await signIn(way, ANNA);
    const app = await addApp(way, browser, ANNA, NOON);
    const proof = { method: "app", authorizationCode: appCode(app, NOON) };
    ok(await browser.put("/cp/api/factors/remove", { ...proof, id: app.id }));
  },
  "recovery-code-used": async (way) => {
    const { recoveryCode = "" } = await addApp(way, await signIn(way, ANNA), ANNA, NOON);
    ok(await confirmBy(await withPassword(way, ANNA), "recovery", recoveryCode));
  },
  "recovery-code-new": async (way) => {
    const browser = await signIn(way, ANNA);
    const app = await addApp(way, browser, ANNA, NOON);
    const proof = { method: "app", authorizationCode: appCode(app, NOON) };
    ok(await browser.put("/cp/api/factors/recovery-code", proof));
  },
  "sms-at-sign-in": async (way) => {
    const browser = await signIn(way, ANNA);
    const app = await addApp(way, browser, ANNA, NOON);
    const proof = { method: "app", authorizationCode: appCode(app, NOON) };
    ok(await browser.put("/cp/api/factors/sms", { ...proof, on: false }));
  },
  "factor-guessed": async (way) => guess(way, await addApp(way, await signIn(way, ANNA), ANNA, NOON), NOON),
};

/** The events of `CAUSES`. */
export const OWN_EVENTS = NOTICE_EVENTS.filter((event): event is OwnEvent => Object.hasOwn(CAUSES, event));

/** Types wrong codes of an app after Anna's password, in as many unknown browsers as it takes. */
export async function guess(way: Way, app: AddedApp, at: number, tries = 15): Promise<void> {
  for (let nth = 0; nth < tries; nth += 5) {
    const stranger = await withPassword(way, ANNA);
    for (let one = nth; one < Math.min(nth + 5, tries); one += 1)
      await confirmBy(stranger, "app", appCode(app, at, 5));
  }
}

/** Uses a copy of a trusted device's cookie after its owner has signed in twice. */
export async function replay(owner: Browser): Promise<void> {
  const copy = owner.twin();
  for (let nth = 0; nth < 2; nth += 1) {
    ok(await owner.delete("/home/api/session"));
    ok(await owner.login(ANNA));
  }
  ok(await copy.login(ANNA));
}

/** Adds fifty customers with Anna's password and number, and returns their usernames. */
export async function fiftyWithAnnasNumber(way: TestBackend): Promise<readonly string[]> {
  const keys = readOrMakeKeyFile(join(way.dataDir, "keys.json"), true);
  const names = Array.from({ length: 50 }, (_, nth) => `krewny.${nth}`);
  for (const name of names) {
    const phone = seal(keys, { table: "customers", column: "phone_sealed", row: name }, ANNA.phone);
    await way.change(
      `insert into customers (id, kind, name_sealed, phone_sealed, pid_sealed, pid_index)
       select '${name}', kind, name_sealed, ?, pid_sealed, '${name}' from customers
       where id = (select customer_id from accounts where username = ?)`,
      phone,
      ANNA.username,
    );
    await way.change(
      `insert into accounts (id, customer_id, username, username_key, password_hash, pepper_version, state, created_at)
       select '${name}', '${name}', '${name}', '${name}', password_hash, pepper_version, state, created_at
       from accounts where username = ?`,
      ANNA.username,
    );
  }
  return names;
}
