import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleValues } from "~/forms/form-definition";
import { formTexts } from "~/forms/form-texts.server";
import { checkFields } from "~/contract/rules/field-rules";
import { ruleText } from "~/contract/rules/rule-message";
import { textsIn } from "~/i18n/texts.server";
import { ALL_FORMS, FORMS } from "./all-forms";

/** Texts to which rules may object. */
const telling = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "",
    " ",
    "123 456",
    "Aa1!aaaaaaaa",
    "aaaaaaaaaaaa",
    "ŻÓŁĆ1!aaaaaa",
    "anna.nowak",
    "12345",
    "a\0b",
  ),
  fc.constant("a".repeat(4001)),
);

describe.each(ALL_FORMS)("the form %s", (_name, form) => {
  it("sends back everything except passwords, codes and what a passkey says", () => {
    // `last` is the end of a recovery code.
    const kept = form.names.filter((field) => !/password|code|^response$|^last$/i.test(field));
    expect(form.kept.toSorted()).toEqual(kept.toSorted());
  });

  it("requires every field that isn't optional, and no other", () => {
    const empty = Object.fromEntries(form.names.map((field) => [field, ""]));
    const broken = checkFields(form.fields, empty);
    for (const field of form.names) {
      const key = field === "response" ? "passkey.missing" : "required";
      expect(broken[field], field).toEqual(form.fields[field]?.optional ? undefined : { key });
    }
  });

  it("has a sample for each field that no rule objects to", () => {
    expect(checkFields(form.fields, sampleValues(form))).toEqual({});
  });

  it("has a complete text for every error it can have", () => {
    const { rules: words } = formTexts(textsIn(), form);
    fc.assert(
      fc.property(fc.array(telling, { minLength: 3, maxLength: 3 }), (typed) => {
        const values = Object.fromEntries(form.names.map((field, nth) => [field, typed[nth] ?? ""]));
        for (const message of Object.values(checkFields(form.fields, values))) {
          if (!message) continue;
          const said = ruleText(words, message);
          expect(said).toMatch(/^\p{Lu}.*\.?$/su);
          if (message.character === undefined) expect(said).not.toMatch(/[{}]{2}|validation:|undefined/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("an optional field", () => {
  const fields = { note: { rule: "newUsername", optional: true } } as const;

  it("may be empty, and otherwise keeps its rule", () => {
    expect(checkFields(fields, { note: "" })).toEqual({});
    expect(checkFields(fields, { note: "a" })).toEqual({ note: { key: "username.length" } });
  });
});

describe("a repeated field", () => {
  const code = { authorizationCode: "123456" };

  it("must have the same value; the error is at the second field", () => {
    const password = "Demo-Haslo-2026";
    expect(
      checkFields(FORMS.newPassword.fields, {
        ...code,
        newPassword: password,
        newPasswordRepeat: "Demo-Haslo-2027",
      }),
    ).toEqual({ newPasswordRepeat: { key: "password.mismatch" } });
    expect(
      checkFields(FORMS.documentPassword.fields, { ...code, password, passwordRepeat: `${password} ` }),
    ).toEqual({ passwordRepeat: { key: "documentPassword.mismatch" } });
    expect(
      checkFields(FORMS.newUsername.fields, {
        ...code,
        newUsername: "anna.nowak",
        newUsernameRepeat: "Anna.nowak",
      }),
    ).toEqual({ newUsernameRepeat: { key: "username.mismatch" } });
  });

  it("has the same value if two keyboards encode an accent differently", () => {
    const values = {
      ...code,
      newPassword: "Zażółć-Gęślą-1",
      newPasswordRepeat: "Zażółć-Gęślą-1".normalize("NFD"),
    };
    expect(values.newPassword).not.toBe(values.newPasswordRepeat);
    expect(checkFields(FORMS.newPassword.fields, values)).toEqual({});
  });
});
