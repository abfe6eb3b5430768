import { describe, expect, it, vi } from "vitest";
import { CATALOGUE_CODES, ERROR_CATALOGUE, rowOnForm, type CatalogueCode } from "~/contract/errors";
import type { FormDefinition } from "~/forms/form-definition";
import type { RefusedForm } from "~/forms/refused-form";
import { showRefusal } from "~/forms/show-refusal.server";
import { textsIn } from "~/i18n/texts.server";
import { FORMS } from "./all-forms";

/** A form that shows a code at its own fields. A dialog needs no such form. */
function formFor(code: CatalogueCode): FormDefinition {
  const row = ERROR_CATALOGUE[code];
  const fields: readonly string[] = row.kind === "modal" ? [] : row.fields;
  const forms: readonly FormDefinition[] = Object.values(FORMS);
  const form = forms.find((each) => fields.every((field) => Object.hasOwn(each.fields, field)));
  if (!form) throw new Error(`no form has the fields of ${code}`);
  return form;
}

const shownFor = (
  errorCode: string,
  form: FormDefinition = FORMS.signIn,
  retryAfterSeconds?: number,
): RefusedForm =>
  showRefusal(textsIn(), form, {
    kind: "refused",
    errorCode,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });

/** The texts at each field. */
const atFields = ({ result }: RefusedForm) => result.error ?? {};

/** All texts that a person reads in a refused form. */
function wordsOf({ result, alert, dialog }: RefusedForm): readonly string[] {
  const ofAlert = alert
    ? [alert.title, alert.text ?? alert.title, ...alert.items.map(({ text }) => text)]
    : [];
  const ofDialog = dialog ? [dialog.header, dialog.message, dialog.confirm.text, dialog.cancel ?? "OK"] : [];
  return [...Object.values(result.error ?? {}).flatMap((texts) => texts ?? []), ...ofAlert, ...ofDialog];
}

/** Expects texts that are ready to read, with no key or gap left in them. */
function expectReadable(words: readonly string[]): void {
  expect(words.length).toBeGreaterThan(0);
  for (const word of words)
    expect(word).not.toMatch(/^$|\{\{|\}\}|\b(errors|validation|common):|undefined| {2}/);
}

describe("the error catalogue (specification §8)", () => {
  it.each(CATALOGUE_CODES)("%s has a text for everything it shows", (errorCode) => {
    const shown = shownFor(errorCode, formFor(errorCode));
    expect(shown.result.status).toBe("error");
    expectReadable(wordsOf(shown));
  });

  it.each([
    ["007", "authorizationCode", "Nieprawidłowy kod autoryzacyjny.", "Ten kod jest nieprawidłowy"],
    ["010", "authorizationCode", "Nieprawidłowy kod autoryzacyjny.", "Ten kod jest nieprawidłowy"],
    ["012", "newUsername", "Ta nazwa użytkownika jest już zajęta.", "Ta nazwa jest już zajęta"],
    ["013", "newPassword", "To hasło było już używane.", "To hasło było już używane"],
  ] as const)(
    "%s is shown at its field, %s; [F19, F43] the title above the form says what happened",
    (errorCode, field, words, title) => {
      const shown = shownFor(errorCode, formFor(errorCode));
      const { alert, dialog } = shown;
      expect(Object.keys(atFields(shown))).toEqual([field]);
      expect(atFields(shown)[field]?.join()).toContain(words);
      expect(alert?.title).toBe(title);
      expect(alert?.items).toEqual([{ field, text: title }]);
      expect(alert?.speaksForFields).toBe(false);
      expect(dialog).toBeUndefined();
    },
  );

  it("101 is a banner for both fields that doesn't say which one is wrong", () => {
    const shown = shownFor("101");
    const { alert, dialog } = shown;
    expect(Object.keys(atFields(shown))).toEqual(["username", "password"]);
    expect(new Set(Object.values(atFields(shown)).flat()).size).toBe(1);
    expect(alert).toMatchObject({
      title: "Nieprawidłowa nazwa użytkownika lub hasło.",
      items: [],
      speaksForFields: true,
    });
    expect(dialog).toBeUndefined();
  });

  it("[F48] 106 speaks of signing out only to someone who is signed in", () => {
    const said = (isSignedIn: boolean) =>
      showRefusal(textsIn(), FORMS.signIn, { kind: "refused", errorCode: "106" }, {}, { isSignedIn }).dialog
        ?.message;
    expect(said(false)).not.toContain("wylogujemy");
    expect(said(true)).toContain("wylogujemy Cię");
  });

  it("[F49] 015 says from which day the username can be changed, if the backend says when", () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-20T12:00:00Z") });
    expect(shownFor("015", FORMS.signIn, 30 * 86_400).dialog?.message).toContain(
      "od 21\u00a0grudnia\u00a02026.",
    );
    expect(shownFor("015").dialog?.message).toContain("później");
    vi.useRealTimers();
  });

  it.each(["007", "010"])("[F13] %s says when the code ended, if it has", (errorCode) => {
    const shown = (codeEndedAt?: string) =>
      showRefusal(textsIn(), FORMS.signInCode, { kind: "refused", errorCode }, {}, { codeEndedAt });
    const ended = shown("8:57");
    expect(atFields(ended)).toEqual({
      authorizationCode: ["Ten kod stracił ważność o\u00a08:57. Zamów nowy."],
    });
    expect(ended).toMatchObject({ errorCode: "code-ended", alert: { title: "Ten kod stracił ważność" } });
    expect(shown().errorCode).toBe(errorCode);
  });

  it("016 says nothing of a code that ended", () => {
    const shown = (codeEndedAt?: string) =>
      showRefusal(textsIn(), FORMS.signInCode, { kind: "refused", errorCode: "016" }, {}, { codeEndedAt });
    expect(shown("8:57")).toEqual(shown());
  });

  it("[F38] 101 offers to recover no username that a reminder has just found", () => {
    for (const triesLeft of [undefined, 1]) {
      const refused = { kind: "refused", errorCode: "101", ...(triesLeft && { triesLeft }) } as const;
      const said = (isUsernameKnown: boolean) =>
        showRefusal(textsIn(), FORMS.signIn, refused, {}, { isUsernameKnown }).alert?.text;
      expect(said(false)).toContain("odzyskać nazwę");
      expect(said(true)).not.toContain("nazwę");
      expect(said(true)).toContain("ustawić nowe hasło");
    }
  });

  it.each(["105", "108"])("%s names both helpline numbers", (errorCode) => {
    const { dialog } = shownFor(errorCode);
    expect(dialog?.message).toContain("22\u00a0100\u00a020\u00a030");
    expect(dialog?.message).toContain("800\u00a0100\u00a0200");
  });

  it("106 says how long a timed lock lasts, and names the helpline if a person set the lock", () => {
    expect(shownFor("106").dialog?.message).toContain("22\u00a0100\u00a020\u00a030");
    expect(shownFor("106", FORMS.signIn, 900).dialog?.message).toContain("za 15\u00a0minut ");
    expect(shownFor("106", FORMS.signIn, 1).dialog?.message).toContain("za 1\u00a0minutę ");
    expect(shownFor("106", FORMS.signIn, 61).dialog?.message).toContain("za 2\u00a0minuty ");
  });
});

describe("a code that the catalogue doesn't list", () => {
  it.each([
    "000",
    "007 ",
    "7",
    "999",
    "toString",
    "constructor",
    "__proto__",
    "hasOwnProperty",
    "<b>",
    "{{code}}",
    "$t(x)",
  ])("%s opens the general dialog, which names the code and leads to the start", (errorCode) => {
    const { dialog } = shownFor(errorCode);
    expect(rowOnForm(errorCode, () => true)).toMatchObject({ kind: "modal", texts: "default" });
    expect(dialog?.confirm.does).toBe("to-start");
    expect(dialog?.message.endsWith(`Kod błędu: ${errorCode}`)).toBe(true);
  });
});

describe("an inline error whose field isn't on the screen", () => {
  it.each([
    ["007", FORMS.signIn],
    ["013", FORMS.documentPassword],
    ["101", FORMS.newPassword],
  ])("%s opens the general dialog, since there is no field to correct", (errorCode, form) => {
    expect(shownFor(errorCode, form).dialog?.confirm.does).toBe("to-start");
  });

  it("so does a broken rule that names none of our fields", () => {
    for (const fields of [[], ["deviceName"], ["toString"], ["__proto__"]]) {
      expect(showRefusal(textsIn(), FORMS.signIn, { kind: "invalid", fields }).dialog?.confirm.does).toBe(
        "to-start",
      );
    }
  });
});

describe("rules that only the backend knows", () => {
  it("are shown at the fields that it names, if they are ours", () => {
    const refused = { kind: "invalid", fields: ["password", "deviceName", "toString"] } as const;
    const { result, alert } = showRefusal(textsIn(), FORMS.signIn, refused);
    expect(result.error).toEqual({ password: ["Użyto niedozwolonego znaku."] });
    expect(alert).toMatchObject({
      word: "Błąd",
      title: "Użyto niedozwolonego znaku.",
      items: [{ field: "password", text: "Użyto niedozwolonego znaku." }],
    });
  });
});

describe("numbers use the right Polish plural", () => {
  it.each([
    [1, "za 1\u00a0minutę."],
    [60, "za 1\u00a0minutę."],
    [61, "za 2\u00a0minuty."],
    [300, "za 5\u00a0minut."],
    [1320, "za 22\u00a0minuty."],
    [7200, "za 120\u00a0minut."],
  ])("429 with %i s: %s", (retryAfterSeconds, words) => {
    const shown = showRefusal(textsIn(), FORMS.signIn, { kind: "rate-limited", retryAfterSeconds });
    expect(shown.alert?.title).toBe(`Zbyt wiele prób. Spróbuj ponownie ${words}`);
    expect(atFields(shown)).toEqual({});
  });

  it.each([
    [1, "za 1\u00a0sekundę."],
    [2, "za 2\u00a0sekundy."],
    [5, "za 5\u00a0sekund."],
  ])("503 with %i s: %s", (retryAfterSeconds, words) => {
    const { alert } = showRefusal(textsIn(), FORMS.signIn, { kind: "busy", retryAfterSeconds });
    expect(alert?.title).toContain(words);
  });
});
