import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { secretFields } from "~/forms/form-definition";
import { checkFields, ruleText } from "~/forms/rules/rule-message";
import { ALL_FORMS, fieldsOf, textsOf } from "./posted";
import { FORMS } from "./all-forms";

/** Texts that rules may object to. */
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
  it("sends back everything except passwords and codes", () => {
    const secret = fieldsOf(form).filter((field) => /password|code/i.test(field));
    expect(secretFields(form).toSorted()).toEqual(secret.toSorted());
  });

  it("requires every field", () => {
    const empty = Object.fromEntries(fieldsOf(form).map((field) => [field, ""]));
    const broken = checkFields(form.rules, empty);
    for (const field of fieldsOf(form)) expect(broken[field], field).toEqual({ key: "required" });
  });

  it("has a complete text for every error it can have", () => {
    const { rules: words } = textsOf(form);
    fc.assert(
      fc.property(fc.array(telling, { minLength: 3, maxLength: 3 }), (typed) => {
        const values = Object.fromEntries(fieldsOf(form).map((field, nth) => [field, typed[nth] ?? ""]));
        for (const message of Object.values(checkFields(form.rules, values))) {
          if (!message) continue;
          expect(form.texts).toContain(message.key);
          const said = ruleText(words, message);
          expect(said).toMatch(/^\p{Lu}.*\.?$/su);
          if (message.character === undefined) expect(said).not.toMatch(/[{}]{2}|validation:|undefined/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("a repeated field", () => {
  const code = { authorizationCode: "123456" };

  it("must have the same value; the error is at the second field", () => {
    const password = "Demo-Haslo-2026";
    expect(
      checkFields(FORMS.newPassword.rules, {
        ...code,
        newPassword: password,
        newPasswordRepeat: "Demo-Haslo-2027",
      }),
    ).toEqual({ newPasswordRepeat: { key: "password.mismatch" } });
    expect(
      checkFields(FORMS.documentPassword.rules, { ...code, password, passwordRepeat: `${password} ` }),
    ).toEqual({ passwordRepeat: { key: "documentPassword.mismatch" } });
    expect(
      checkFields(FORMS.newUsername.rules, {
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
    expect(checkFields(FORMS.newPassword.rules, values)).toEqual({});
  });
});
