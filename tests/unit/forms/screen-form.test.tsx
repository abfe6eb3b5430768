import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { FormDefinition } from "~/forms/form-definition";
import type { RefusedForm } from "~/forms/refused-form";
import { useScreenForm } from "~/forms/screen-form";
import { textsIn } from "~/i18n/texts.server";
import { TextField } from "~/ui/text-field";
import { attributeOf } from "../ui/markup";
import { ALL_FORMS, FORMS } from "./all-forms";
import { post } from "./posted";

interface Shown {
  readonly form: FormDefinition;
  readonly refused?: RefusedForm;
}

function Fields({ form, refused }: Shown) {
  const { input, form: element } = useScreenForm(form, { refused });
  return (
    <form {...element}>
      {form.names.map((field) => (
        <div key={field}>
          <TextField {...input(field)} label={field} />
        </div>
      ))}
    </form>
  );
}

const markupOf = (shown: Shown) => renderToStaticMarkup(<Fields {...shown} />);

/** Such a form as its page shows it again. */
async function refusedWith(form: FormDefinition, values: Readonly<Record<string, string>>) {
  const opened = await post(form, values);
  const checked = opened.check();
  if (checked.ok) throw new Error("it breaks no rule");
  return opened.refuse(textsIn(), checked.refused).data;
}

const WITH_FIELDS = ALL_FORMS.filter(([, form]) => form.names.length > 0);

describe("the fields of a form", () => {
  it.each(WITH_FIELDS)(
    "%s: are marked, and described by their messages, once they are refused",
    async (_, form) => {
      const refused = await refusedWith(form, {});
      const markup = markupOf({ form, refused });
      for (const [field] of Object.entries(refused.result.error ?? {})) {
        const id = `${form.id}-${field}`;
        const [tag = ""] = new RegExp(`<input[^>]* id="${id}"[^>]*>`).exec(markup) ?? [];
        expect(attributeOf(tag, "input", "aria-invalid"), field).toBe("true");
        expect(attributeOf(tag, "input", "aria-describedby"), field).toBe(`${id}-error`);
      }
    },
  );

  it.each(WITH_FIELDS)("%s: have no error before", (_, form) => {
    expect(markupOf({ form })).not.toMatch(/aria-invalid|aria-describedby/);
  });

  it("show what was typed, and must be filled in", async () => {
    const refused = await refusedWith(FORMS.signIn, { username: "anna.nowak", password: "" });
    const markup = markupOf({ form: FORMS.signIn, refused });
    expect(attributeOf(markup, "input", "value")).toBe("anna.nowak");
    expect(attributeOf(markup, "input", "maxLength")).toBe("4000");
    expect(markup.match(/ required=""/g)).toHaveLength(2);
  });
});
