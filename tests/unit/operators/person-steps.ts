import { randomUUID } from "node:crypto";
import { createReadStream, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { importLines } from "~/backend/import/import-lines.server";
import { ImportTally } from "~/backend/import/import-tally.server";
import { ALONE } from "~/backend/import/policyholder-batches.server";
import { linesIn } from "~/platform/files/lines-in.server";
import { KEY_FILE, readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { putMail } from "~/backend/messages/mail-channel.server";
import { putSms, type SmsMessage } from "~/backend/messages/sms-channel.server";
import type { Store, Tx } from "~/backend/store/store.server";
import { isoDayInPoland } from "~/platform/time.server";
import { Browser, latestCode } from "../../contract/browser";
import { register } from "../../contract/register";
import type { RegisteredCustomer } from "../../demo-customers";
import { type AddedApp, appCode, backendTime, bodyOf, prepareApp } from "../../factor-steps";
import { addPasskey } from "../../passkey-device";
import { runCommand } from "../../operator-command";
import { importWriting } from "./importing";
import { SHARED_PDF_WORK } from "../backend/documents/shared-pdf-work";
import { openStoreBeside, variablesOf } from "../backend/test-place";
import type { TestBackend } from "../backend/test-backend";

/** A policyholder whose data occur nowhere else. */
export const KANAREK = {
  kind: "individual",
  name: "Zenobia Kanarkowska",
  phone: "+48511222333",
  email: "zenobia@kanarek.example",
  pid: "92020212341",
  policyNo: "POL-KANAREK-1",
  policyName: "OC Kanarkowóz",
  username: "kanarek.zenobia",
};
/** The premium of her policy. */
export const PREMIUM = {
  amount: "4321.09",
  currency: "EUR",
  dueOn: isoDayInPoland(Date.now()),
  paidUntil: null,
  account: "PL35999000010000000000900001",
  title: "Rata pani Kanarkowskiej",
};
const PASSWORD = "Jeszcze-Inne-Haslo-3";
const DEVICE = "Kanarkofon, Linux";
const ADDRESS = "198.51.100.77";
const APP = "Kanarkotelefon";
export const LETTER = "List do Kanarkowskiej";
/** A letter of hers that is taken back. */
const TAKEN_BACK = "Wycofany list do Kanarkowskiej";
const DOCUMENT_FILE = "1.pdf";

/** The words that must not be readable anywhere once she is erased. */
export const CANARIES: readonly string[] = [
  ...Object.values(KANAREK).slice(1),
  KANAREK.phone.slice(3),
  PREMIUM.amount,
  PREMIUM.account,
  PREMIUM.title,
  APP,
  DEVICE,
  ADDRESS,
  LETTER,
  TAKEN_BACK,
];

/** Imports her, with a document, as insured until this day. Returns the counts. */
export function importKanarek(way: TestBackend, validTo?: string) {
  return importJson(way, [kanarekLine(validTo)]);
}

/** Imports lines as the command does, but without its process. Returns the counts. */
async function importJson(way: TestBackend, lines: readonly object[]) {
  const file = writeImport(join(way.dataDir, "import"), lines);
  const keyring = readOrMakeKeyFile(join(way.dataDir, KEY_FILE), true);
  const source = {
    lines: linesIn(createReadStream(file)),
    rules: { folder: realpathSync(dirname(file)), smsPrefixes: ["+48"] },
    check: (document: Uint8Array) => SHARED_PDF_WORK.check(document),
    paceNow: () => Promise.resolve(ALONE),
    stop: new AbortController().signal,
    writing: importWriting(keyring),
  };
  const refused: string[] = [];
  const tally = new ImportTally();
  await withStore(way, (store) => importLines(store, keyring, source, (line) => refused.push(line), tally));
  expect(refused).toEqual([]);
  return tally.counts;
}

/** Her line of an import, with a document. */
export function kanarekLine(validTo = "2020-12-31", ...more: readonly object[]) {
  const { kind, name, phone, email, pid, policyNo, policyName } = KANAREK;
  const documents = [{ name: LETTER, kind: "letter", issuedOn: "2020-02-01", file: DOCUMENT_FILE }, ...more];
  const policies = [
    { policyNo, name: policyName, validFrom: "2020-01-01", validTo, premium: PREMIUM, documents },
  ];
  return { kind, name, phone, email, pid, policies };
}

/** Imports a document of hers, and takes it back with the command, which leaves nothing of it in SQLite's files. */
async function withdrawDocument(way: TestBackend): Promise<void> {
  const [policy] = await way.query("select valid_to from policies where policy_no = ?", KANAREK.policyNo);
  const validTo = String(policy?.["valid_to"]);
  const document = { name: TAKEN_BACK, kind: "letter", issuedOn: "2020-03-01" };
  const lineWith = (listed: object) => kanarekLine(validTo, { ...document, ...listed });
  await importJson(way, [lineWith({ file: DOCUMENT_FILE })]);
  const withdrawing = writeImport(join(way.dataDir, "import"), [lineWith({ withdrawn: true })]);
  const imported = await runCommand(variablesOf(way.place), ["import", withdrawing]);
  expect([imported.code, imported.stderr]).toEqual([0, ""]);
}

/** Writes an import and her document beside it. Returns the path of the import. */
export function writeImport(folder: string, lines: readonly object[]): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, DOCUMENT_FILE), readFileSync("public/documents/regulamin-portalu.pdf"));
  const file = join(folder, "policyholders.jsonl");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

/** Her account, and the browsers that she is signed in with. */
interface Life {
  readonly account: RegisteredCustomer;
  readonly accountId: string;
  /** Signed in, on a trusted device. */
  readonly device: Browser;
  /** In the middle of a change of her username. */
  readonly changing: Browser;
  readonly app: AddedApp;
  /** The secret of an app that she has begun to add. */
  readonly preparedSecret: string;
}

/** Lets her use everything, so that each table has rows of hers. */
export async function liveAsKanarek(way: TestBackend): Promise<Life> {
  const known = { ...KANAREK, password: PASSWORD };
  await new Browser(way, ADDRESS).login(known);
  const { browser, username } = await register(way, KANAREK);
  await changeUsername(way, browser, username);
  await resetPassword(way);
  const device = new Browser(way, ADDRESS);
  await device.signIn(known);
  await trust(way, device, known);
  await setDocumentPassword(way, device);
  const factors = await addApps(way, device, known);
  for (let tries = 0; tries < 3; tries += 1)
    await new Browser(way, ADDRESS).login({ ...known, password: "Niedobre-1" });
  await withdrawDocument(way);
  const [row] = await way.query("select id from accounts where username = ?", KANAREK.username);
  const changing = device.twin();
  way.advance(60_000);
  await changing.post(`/home/api/user/${KANAREK.username}/login-change/init`);
  await leaveMessages(way);
  return { account: known, accountId: String(row?.["id"]), device, changing, ...factors };
}

/** Adds an app and a passkey, and begins to add another app. */
async function addApps(way: TestBackend, browser: Browser, account: RegisteredCustomer) {
  const passes = await way.query("select * from login_passes");
  const prepared = await prepareApp(way, browser, account);
  const now = await backendTime(browser);
  const payload = { id: prepared.id, code: appCode(prepared, now), name: APP };
  const { recoveryCode } = bodyOf(await browser.put("/cp/api/factors/app/confirm", payload));
  const proof = { authorizationCode: appCode(prepared, now, 1), method: "app" };
  const { secret } = bodyOf(await browser.put("/cp/api/factors/app/prepare", proof));
  const { local } = await addPasskey(way, browser, account, APP);
  bodyOf(await local.put("/cp/api/factors/init", { method: "passkey" }));
  // An account with a factor has no sign-in pass, but every table is to have a row of hers.
  for (const pass of passes) await putBack(way, pass);
  return { app: { ...prepared, recoveryCode }, preparedSecret: secret };
}

async function putBack(way: TestBackend, pass: Readonly<Record<string, unknown>>) {
  const columns = Object.keys(pass);
  const values = columns.map(() => "?").join(", ");
  await way.change(
    `insert into login_passes (${columns.join(", ")}) values (${values})`,
    ...Object.values(pass),
  );
}

async function changeUsername(way: TestBackend, browser: Browser, username: string) {
  await browser.post(`/home/api/user/${username}/login-change/init`);
  const authorizationCode = await latestCode(way, KANAREK.phone);
  const payload = { newUsername: KANAREK.username, authorizationCode };
  await browser.post(`/home/api/user/${username}/login-change/confirm`, payload);
}

/** Resets her password while signed out, which leaves an unused sign-in pass. */
async function resetPassword(way: TestBackend) {
  const browser = new Browser(way);
  const reset = `/home/api/user/${KANAREK.username}/password-reset`;
  await browser.post(`${reset}/init`);
  const authorizationCode = await latestCode(way, KANAREK.phone);
  await browser.post(`${reset}/confirm`, { newPassword: PASSWORD, authorizationCode });
}

async function trust(way: TestBackend, device: Browser, account: RegisteredCustomer) {
  await device.login(account);
  await device.askForCode();
  await device.post("/home/api/user/activate-session/confirm", {
    authorizationCode: await latestCode(way, account.phone),
    deviceName: DEVICE,
    trustDevice: "Y",
  });
}

async function setDocumentPassword(way: TestBackend, browser: Browser) {
  await browser.put("/cp/api/doc-pwd/create/init");
  const authToken = await latestCode(way, KANAREK.phone);
  await browser.put("/cp/api/doc-pwd/create/confirm", { authToken, password: "Dokument-Kanarka-4" });
}

/** Leaves a text message and an e-mail to her, as if neither gateway nor mail server could be reached. */
async function leaveMessages(way: TestBackend): Promise<void> {
  const keyring = readOrMakeKeyFile(join(way.dataDir, KEY_FILE), true);
  const [policy] = await way.query("select customer_id from policies where policy_no = ?", KANAREK.policyNo);
  const facts = { customerId: String(policy?.["customer_id"]), requestId: "r", sentAt: 1, endsAt: 2 };
  const sms = { ...facts, purpose: "notice", to: KANAREK.phone, text: "Kod" } as const;
  await withStore(way, (store) =>
    store.write(async (tx) => {
      await putSms(tx, keyring, sms);
      await putMail(tx, { ...facts, event: "device-trusted" });
      await putStaffRequest(tx, sms);
    }),
  );
}

/** Asks a second person to enable the account. */
async function putStaffRequest(tx: Tx, { customerId = "", endsAt: ends_at }: SmsMessage): Promise<void> {
  const staff = { act: "enable", asker: "u-17", operator: "ewa.z (u-17)", reason: "call 1234" } as const;
  await tx
    .insertInto("staff_requests")
    .values({ ...staff, id: randomUUID(), customer_id: customerId, seen: "", ends_at })
    .execute();
}

/** Opens the store beside a test backend, and closes it. */
export async function withStore<Value>(
  way: TestBackend,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  const store = await openStoreBeside(way.place);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
