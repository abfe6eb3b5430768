import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkFields } from "~/contract/rules/field-rules";
import { ALL_FORMS } from "../forms/all-forms";
import { post } from "../forms/posted";
import { typedText } from "./typed-text";

describe.each(ALL_FORMS)("the form %s", (_, form) => {
  const fields = form.names;
  const values = fc.record(Object.fromEntries(fields.map((field) => [field, typedText])));

  it("is judged the same by server and browser, whatever is typed", async () => {
    await fc.assert(
      fc.asyncProperty(values, async (typed) => {
        const checked = (await post(form, typed)).check();
        const broken = checkFields(form.fields, typed);
        if (checked.ok) expect(broken).toEqual({});
        else expect(checked.refused.broken).toEqual(broken);
      }),
      { numRuns: 200 },
    );
  });

  it("passes on what was typed, code point by code point", async () => {
    await fc.assert(
      fc.asyncProperty(values, async (typed) => {
        const opened = await post(form, typed);
        for (const field of fields) expect(opened.posted(field)).toBe(typed[field]);
        const checked = opened.check();
        if (checked.ok) expect(checked.values).toEqual(typed);
      }),
      { numRuns: 200 },
    );
  });
});
