import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { customersOf } from "../new-account";
import { startPortal, type Portal } from "../portal";
import { CODE_STEPS, type CodeStepName } from "../account-steps";
import { Visitor } from "../visitor";
import { readPage } from "./account-page";

const customer = customersOf();
const EMPTY = "Pole nie może być puste.";
const MISMATCH = "Nowe hasło i powtórzone nowe hasło nie są takie same.";
const NAMES_DIFFER = "Nazwy nie są takie same.";
const LENGTH = "Wpisz od 12 do 50 znaków.";
/** 51 and more (F44). */
const OVER_FIFTY = "Za długie. Wpisz najwyżej 50 znaków.";
const CAPITAL = "Dodaj wielką literę.";
const DIGIT = "Dodaj cyfrę.";
const SPECIAL = "Dodaj znak specjalny:";
const NAME_LENGTH = "Wpisz od 5 do 50 znaków.";
const NAME_CHARACTERS = "Użyj tylko liter, cyfr i znaków @ . - _";
const TOO_LONG = "Wpisz najwyżej 4000 znaków.";

/** A field, the typed value, and the message the page shows at it. */
type Row = readonly [field: string, typed: string, says: string];

const CODE: readonly Row[] = [
  ["authorizationCode", "", EMPTY],
  ["authorizationCode", "12a456", "Wpisz same cyfry."],
];
const PASSWORD = (field: string, repeat: string, mismatch: string): readonly Row[] => [
  [field, "", EMPTY],
  [field, "Aa1!aaaaaaa", LENGTH],
  [field, `Aa1!${"a".repeat(47)}`, OVER_FIFTY],
  [field, "aa1!aaaaaaaa", CAPITAL],
  [field, "Aaa!aaaaaaaa", DIGIT],
  [field, "Aa1aaaaaaaaa", SPECIAL],
  [field, `Aa1!${"a".repeat(4000)}`, TOO_LONG],
  [repeat, "", EMPTY],
  [repeat, "Zupelnie-Inne-Haslo-3", mismatch],
];

const TABLE: Readonly<Partial<Record<CodeStepName, readonly Row[]>>> = {
  "set-password": [...CODE, ...PASSWORD("newPassword", "newPasswordRepeat", MISMATCH)],
  "reset-password-submit": [...CODE, ...PASSWORD("newPassword", "newPasswordRepeat", MISMATCH)],
  "change-password": [...CODE, ...PASSWORD("newPassword", "newPasswordRepeat", MISMATCH)],
  "remind-login-submit": CODE,
  "change-login": [
    ...CODE,
    ["newUsername", "", EMPTY],
    ["newUsername", "anna", NAME_LENGTH],
    ["newUsername", "a".repeat(51), NAME_LENGTH],
    ["newUsername", "anna nowak", NAME_CHARACTERS],
    ["newUsername", "12345", "Dodaj co najmniej jedną literę od a do z."],
    ["newUsername", "żółćż", "Dodaj co najmniej jedną literę od a do z."],
    ["newUsernameRepeat", "", EMPTY],
    ["newUsernameRepeat", "inna.nazwa", NAMES_DIFFER],
  ],
  "create-document-password": [
    ...CODE,
    ...PASSWORD("password", "passwordRepeat", "Hasła nie są takie same."),
    ["password", "Dokumęnt-2026!", "Nieprawidłowy znak: „ę”."],
    ["password", "Dokument 2026!", "Nieprawidłowy znak: „spacja”."],
    ["password", "Dokument-2026👍", "Nieprawidłowy znak: „👍”."],
  ],
  "change-document-password": [
    ...PASSWORD("password", "passwordRepeat", "Hasła nie są takie same."),
    ["password", "Ąokument-2026!", "Nieprawidłowy znak: „Ą”."],
  ],
};

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.stop());

describe.each(Object.entries(TABLE))("§5 on the server, whatever the browser does: %s", (name, rows) => {
  const step = CODE_STEPS[name as CodeStepName];
  let visitor: Visitor;
  let code: string;
  beforeAll(async () => {
    const arrival = await step.arrive(portal, customer());
    visitor = arrival.visitor;
    code = await portal.lastCode(arrival.phone);
  });

  test.each(rows)("%s %j: “%s”", async (field, typed, says) => {
    const form = { authorizationCode: code, ...step.fields(), [field]: typed };
    const answer = await visitor.post(step.path, form);
    const page = readPage(answer.body);
    expect([answer.status, page.title.startsWith("Błąd: ")]).toEqual([400, true]);
    expect(page.errorAt(field)).toContain(says);
    // Beside its field a message begins with a capital, in the summary it follows the field's name (F19).
    const inSummary = `: ${says.charAt(0).toLowerCase()}${says.slice(1)}`;
    // The only field of a form says it alone (F24).
    if (Object.keys(form).length === 1) expect(page.alert).toBe("");
    else expect(page.alert).toContain(inSummary);
    // Usernames are kept, passwords and codes are not.
    for (const [each, value] of Object.entries(form)) {
      const kept = each.startsWith("newUsername") ? value : "";
      expect([each, page.value(each)]).toEqual([each, kept]);
      if (value.length > 5 && kept === "") expect(page.text).not.toContain(value);
    }
  });

  test("with nothing filled in, every field says so", async () => {
    const page = readPage((await visitor.post(step.path, {})).body);
    for (const field of ["authorizationCode", ...Object.keys(step.fields())])
      expect([field, page.errorAt(field)]).toEqual([field, expect.stringContaining(EMPTY)]);
  });
});

describe("§5 the start steps require every field they ask for", () => {
  test.each([
    ["/home/register", { policyNo: "", pid: "PESEL-1" }, "policyNo"],
    ["/home/register", { policyNo: "POL-1", pid: "" }, "pid"],
    ["/home/register", { policyNo: "POL-1", pid: " \t " }, "pid"],
    ["/home/reset-password-init", { username: " " }, "username"],
    ["/home/remind-login-init", { policyNo: "" }, "policyNo"],
  ] as const)("%s with %j: %s", async (path, typed, field) => {
    const visitor = new Visitor(portal);
    await visitor.accept();
    const answer = await visitor.post(path, typed);
    const page = readPage(answer.body);
    expect([answer.status, page.errorAt(field)]).toEqual([400, expect.stringContaining(EMPTY)]);
    for (const [each, value] of Object.entries(typed))
      expect([each, page.value(each)]).toEqual([each, value]);
  });

  test("a form that breaks a rule sends no message", async () => {
    const visitor = new Visitor(portal);
    await visitor.accept();
    const { policyNo, phone } = customer();
    await visitor.post("/home/register", { policyNo, pid: "" });
    expect(await portal.messagesTo(phone)).toBe(0);
  });
});
