import { getFormProps, parse, useForm } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import { useContext, useEffect, useRef, useState, type FormEvent } from "react";
import { MAX_TEXT_LENGTH } from "~/contract/rules";
import { ErrorInTitle } from "./error-in-title";
import { summarizeErrors, type FieldError, type SummaryTexts } from "./summarize-errors";
import type { FormDefinition } from "./form-definition";
import { useNoErrorWhenSkipped } from "./no-error-when-skipped";
import { useRefusalInForm, type HeldError } from "./refusal-in-form";
import type { FormAlert, RefusedForm } from "./refused-form";
import { checkFields, ruleText, type FieldValues, type RuleTexts } from "./rules/rule-message";

/** The texts a form needs in the browser. */
export type ScreenFormTexts = RuleTexts & { readonly summary: SummaryTexts };

interface ScreenFormOptions {
  /** The action's data if the form was refused. */
  readonly refused: RefusedForm | undefined;
  readonly texts: ScreenFormTexts;
  /** Values that the server fills in. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The name of the button that conform uses to check a field. */
const CHECK = "__intent__";

/** The intent of the main submit button; other buttons submit without a check. */
export const MAIN_INTENT = "confirm";

/**
 * A screen's form. Nothing else in the browser uses conform, and the page works without it. Once hydrated, it checks a
 * field when visitors leave it and again while they correct it, keeps the server's errors at their fields until the
 * value changes, ignores a second submit while the first is under way, and moves the focus to the alert after a
 * refusal.
 */
export function useScreenForm<Field extends string>(
  definition: FormDefinition<Field>,
  { refused, texts, values }: ScreenFormOptions,
) {
  const alertRef = useRef<HTMLDivElement>(null);
  const refusal = useRefusalInForm(definition.id, refused);
  const { held } = refusal;
  const [form, controls] = useForm<Record<string, string>>({
    id: definition.id,
    ...(refused && { lastResult: refused.result }),
    ...(values && { defaultValue: values }),
    // Native checks help until hydration; ours then take over, in the language of the page.
    defaultNoValidate: false,
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) =>
      parse(formData, { resolve: () => asErrors(findErrors(definition, texts, formData, held)) }),
  });
  useNoErrorWhenSkipped(definition.id);
  const { alert, setFaults, latest } = useAlert(refused, refusal);
  const { sending, intent, guard } = useSingleSubmit();

  // If a form has a single field, its only error is shown at the field and nowhere else (F24).
  const [onlyField, second] = Object.keys(definition.rules);
  const isOnlyFault = second === undefined && latest?.items.length === 1 && !latest.speaksForFields;
  const faultyId = isOnlyFault ? `${definition.id}-${onlyField ?? ""}` : undefined;

  useEffect(() => {
    if (!latest) return;
    const place = faultyId === undefined ? alertRef.current : document.getElementById(faultyId);
    place?.focus();
    // Select it, as after Tab: typing then replaces the refused value.
    if (place instanceof HTMLInputElement) place.select();
  }, [latest, faultyId]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    form.onSubmit(event);
    if (isFieldCheck(event)) return;
    const faults = event.defaultPrevented
      ? findErrors(definition, texts, new FormData(event.currentTarget), held)
      : [];
    const said = sayAgain(refused, faults) ?? summarizeErrors(texts.summary, faults, event.currentTarget);
    setFaults(faults.length > 0 ? said : undefined);
    if (!event.defaultPrevented) refusal.noteSent(new FormData(event.currentTarget));
  };

  return {
    sending,
    /** Whether a value that the server refused has changed since. */
    isOutdated: refusal.isOutdated,
    /** Which button is submitting the form, if it has several. */
    intent,
    /** Shown above the form: the server's answer, or errors the browser has found since. */
    alert: isOnlyFault ? undefined : alert,
    alertRef,
    form: { ...getFormProps(form), onSubmit: submitIf(guard, submit) },
    /** Checks a field now, for rules that don't wait until visitors leave it. */
    check: (field: Field) => {
      form.validate({ name: field });
    },
    input: (field: Field, type: "text" | "password") => {
      const control = controls[field];
      if (!control) throw new Error(`The form has no field ${field}`);
      const text = refusal.errorAt(field, control.errors?.[0]);
      // conform's `getInputProps` also asks for a dozen constraints, which our forms don't have.
      return {
        id: control.id,
        name: control.name,
        form: control.formId,
        type,
        defaultValue: control.initialValue,
        required: true,
        maxLength: MAX_TEXT_LENGTH,
        error: text === undefined ? undefined : { word: texts.errorWord, text },
      };
    },
  };
}

/** Whether this submit is conform checking a field. (In WebKit its button isn't in `form.elements`.) */
export function isFieldCheck({ nativeEvent }: FormEvent<HTMLFormElement>): boolean {
  return nativeEvent instanceof SubmitEvent && nativeEvent.submitter?.getAttribute("name") === CHECK;
}

/**
 * What is announced above the form: the server's refusal, or the summary of a submit that the browser has held back
 * since. The summary stays until the server answers a later submit. An outdated refusal is not announced.
 */
function useAlert(
  refused: RefusedForm | undefined,
  { isOutdated, look }: Pick<ReturnType<typeof useRefusalInForm>, "isOutdated" | "look">,
) {
  const [unsent, setUnsent] = useState<{ refused: RefusedForm | undefined; alert: FormAlert | undefined }>();
  const sayInTitle = useContext(ErrorInTitle);
  const isUnsent = unsent !== undefined && unsent.refused === refused;
  const latest = isUnsent ? unsent.alert : refused?.alert;
  const alert = !isUnsent && isOutdated ? undefined : latest;
  // The refused values are back, so the refusal counts, not what the browser found in between.
  useEffect(() => {
    if (look?.isOutdated === false) setUnsent(undefined);
  }, [look]);
  const fault = isUnsent && alert ? true : isOutdated ? false : undefined;
  useEffect(() => {
    sayInTitle(fault);
    return () => {
      sayInTitle(undefined);
    };
  }, [fault, sayInTitle]);
  return {
    alert,
    /** The same alert, announced or not. */
    latest,
    setFaults: (faults: FormAlert | undefined) => {
      if (faults ?? unsent) setUnsent({ refused, alert: faults });
    },
  };
}

function findErrors<Field extends string>(
  { rules }: FormDefinition<Field>,
  texts: RuleTexts,
  formData: FormData,
  held: { readonly current: Readonly<Record<string, HeldError>> },
): readonly FieldError[] {
  if (formData.has("intent") && formData.get("intent") !== MAIN_INTENT) return [];
  const fields = Object.keys(rules) as Field[];
  const values = Object.fromEntries(
    fields.map((field) => [field, asText(formData.get(field))]),
  ) as FieldValues<Field>;
  const broken = checkFields(rules, values);
  return fields.flatMap((field): FieldError[] => {
    const kept = held.current[field];
    const message = broken[field];
    if (kept && kept.value === values[field]) return [{ field, text: kept.text, isHeld: true }];
    return message ? [{ field, text: ruleText(texts, message), isHeld: false }] : [];
  });
}

/** The server's own alert, as a new object, if everything it refused is still there and nothing else is wrong. */
function sayAgain(refused: RefusedForm | undefined, faults: readonly FieldError[]): FormAlert | undefined {
  const alert = refused?.alert;
  const isSame = alert?.items.length === faults.length && faults.every(({ isHeld }) => isHeld);
  return isSame ? { ...alert } : undefined;
}

function asErrors(faults: readonly FieldError[]): { error?: Record<string, string[]> } {
  return faults.length > 0
    ? { error: Object.fromEntries(faults.map(({ field, text }) => [field, [text]])) }
    : {};
}

function asText(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value : "";
}

function submitIf(guard: () => boolean, submit: (event: FormEvent<HTMLFormElement>) => void) {
  return (event: FormEvent<HTMLFormElement>) => {
    if (!guard()) event.preventDefault();
    else submit(event);
  };
}

/** "Submits are ignored while pending" (specification §4). It reopens when the browser restores the page. */
function useSingleSubmit() {
  const { state, formData } = useNavigation();
  const busy = useRef(false);
  busy.current = state !== "idle";
  useEffect(() => {
    const reopen = () => {
      busy.current = false;
    };
    window.addEventListener("pageshow", reopen);
    return () => {
      window.removeEventListener("pageshow", reopen);
    };
  }, []);
  return { sending: formData !== undefined, intent: formData?.get("intent"), guard: () => !busy.current };
}
