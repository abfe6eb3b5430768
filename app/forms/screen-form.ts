import { getFormProps, getInputProps, useForm } from "@conform-to/react";
import { MAX_TEXT_LENGTH } from "~/contract/rules";
import type { FormDefinition } from "./form-definition";
import type { RefusedForm } from "./refused-form";
import { useTexts } from "~/i18n/use-texts";
import { formTexts } from "./form-texts.server";

interface ScreenFormOptions {
  /** The action's data if the form was refused. */
  readonly refused: RefusedForm | undefined;
  /** Values that the server fills in. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The intent of the main submit button; other buttons submit without a check. */
export const MAIN_INTENT = "confirm";

/**
 * A screen's form, with the typed values and the refusal. It names its rules and texts in attributes, so that the
 * browser checks the same rules (browser/field-errors.ts).
 */
export function useScreenForm<Field extends string>(
  definition: FormDefinition<Field>,
  { refused, values }: ScreenFormOptions,
) {
  const texts = formTexts(useTexts(), definition);
  const { id, fields } = definition;
  const [form, controls] = useForm<Record<string, string>>({
    id,
    ...(refused && { lastResult: refused.result }),
    ...(values && { defaultValue: values }),
    constraint: Object.fromEntries(
      definition.names.map((field) => [
        field,
        { required: !fields[field].optional, maxLength: MAX_TEXT_LENGTH },
      ]),
    ),
    // Without scripts the browser's own checks help.
    defaultNoValidate: false,
  });
  // If a form has a single field, its only error is shown at the field, as an alert, and nowhere else (F24).
  const alert = refused?.alert;
  const hasOneField = definition.names.length === 1;
  const isOnlyFault = hasOneField && alert?.items.length === 1 && !alert.speaksForFields;
  return {
    id,
    alert: isOnlyFault ? undefined : alert,
    /** For the form's element. */
    form: {
      ...getFormProps(form),
      "data-texts": JSON.stringify(texts.rules),
      "data-refused": refused?.errorCode,
    },
    /** For a field's input. */
    input: (field: Field) => {
      const control = controls[field];
      if (!control) throw new Error(`The form has no field ${field}`);
      const text = control.errors?.[0];
      const { rule, repeats } = fields[field];
      return {
        ...getInputProps(control, { type: "text" }),
        label: texts.labels[field],
        "data-rule": rule,
        "data-repeats": repeats,
        error: text === undefined ? undefined : { id: control.errorId, text, isAlert: isOnlyFault },
      };
    },
  };
}
