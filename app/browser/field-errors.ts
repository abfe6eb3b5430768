// Without it: the server checks a form when it is sent, and says what is wrong.
import { checkFields, type RuleName } from "~/contract/rules/field-rules";
import { ruleText, withLabel, type RuleTexts } from "~/contract/rules/rule-message";
import {
  alertPlace,
  announceAgain,
  errorTextOf,
  makeAlert,
  markTitle,
  showAlert,
  showError,
} from "./error-messages";
import { all, on, onArrival, onValue } from "./page";
import { isSending, lastSent } from "./send-form";

/** Rules without "required on blur" in the specification (§5): their errors appear only once the form is sent. */
const CHECKED_LATE: readonly (string | undefined)[] = ["text", "identifier", "number"];
/** Rules of fields that may be left empty until the form is sent. */
const MAY_BE_EMPTY: readonly (string | undefined)[] = ["newUsername", "repeatedUsername"];

/** Elements that open an explanation, of any field: going there from an empty field shows no error (F46). */
const EXPLANATION = "summary, [data-explains]";

/** A form's refusal by the server, which stands while the values that it refused are in the fields (F4). */
interface Refusal {
  readonly values: ReadonlyMap<HTMLInputElement, string>;
  readonly texts: ReadonlyMap<HTMLInputElement, string | undefined>;
  readonly alert: HTMLElement | undefined;
  stands: boolean;
}

/** The error of a field. `isHeld`: the server refused this value, in a text that names the field. */
interface Fault {
  readonly input: HTMLInputElement;
  readonly text: string;
  readonly isHeld: boolean;
}

const refusals = new WeakMap<HTMLFormElement, Refusal>();
/** Fields that are checked at each keystroke: they have been left, or found wrong. */
const watched = new WeakSet<HTMLInputElement>();

/**
 * Checks fields by the server's own rules: when they are left, then while they are corrected, and all of them before the
 * form is sent. A refusal by the server stays until one of its values changes, and comes back with them.
 */
export function startFieldErrors(): void {
  onArrival((root) => {
    for (const form of all("form[data-texts]", root)) if (form instanceof HTMLFormElement) prepareForm(form);
  });
  onValue(recheck);
  checkWhenLeft();
  on("click", (event, target) => {
    const link = target.closest<HTMLAnchorElement>('[role=alert] a[href^="#"]');
    const field = link && document.getElementById(link.hash.slice(1));
    if (!field) return;
    // The browser would fill the history with each field.
    event.preventDefault();
    field.focus();
    field.closest("[data-field]")?.scrollIntoView({ block: "nearest" });
  });
  on("submit", (event, form) => {
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || !form.dataset["texts"]) return;
    const { submitter } = event;
    if (submitter instanceof HTMLButtonElement && submitter.formNoValidate) return;
    if (holdBack(form)) event.preventDefault();
  });
}

function prepareForm(form: HTMLFormElement): void {
  // Our own checks take over from the browser's, in the language of the page.
  form.noValidate = true;
  const faulty = inputsOf(form).filter((input) => input.getAttribute("aria-invalid") === "true");
  for (const input of faulty) watched.add(input);
  if (form.dataset["refused"] === undefined || faulty.length === 0) return;
  const sent = lastSent();
  refusals.set(form, {
    values: new Map(faulty.map((input) => [input, sent?.get(input.name) ?? input.value])),
    texts: new Map(faulty.map((input) => [input, errorTextOf(input)])),
    alert: alertPlace(form)?.querySelector<HTMLElement>("[role=alert]") ?? undefined,
    stands: true,
  });
  followRefusal(form);
}

function recheck(input: HTMLInputElement): void {
  const { form } = input;
  if (!form?.dataset["texts"]) return;
  followRefusal(form);
  if (input.dataset["check"] === "input" && input.value !== "") watched.add(input);
  for (const field of inputsOf(form))
    if (watched.has(field) && (field === input || field.dataset["repeats"] === input.name))
      check(field, isHalfTyped(field));
}

/** A code of fewer digits is no error while it is being typed. */
function isHalfTyped(field: HTMLInputElement): boolean {
  return /code$/i.test(field.dataset["rule"] ?? "") && /^\s*\d[\d\s]*$/.test(field.value);
}

/** Shows the refusal exactly while the refused values are in the fields. */
function followRefusal(form: HTMLFormElement): void {
  const refusal = refusals.get(form);
  if (!refusal) return;
  const { values, texts, alert } = refusal;
  const stands = [...values].every(([input, value]) => input.value === value);
  if (stands === refusal.stands) return;
  refusal.stands = stands;
  for (const input of values.keys()) {
    if (stands) showError(input, texts.get(input), alert && texts.get(input) === undefined);
    else showError(input, undefined);
  }
  showAlert(form, stands ? alert : undefined);
  markTitle(stands);
  form.dispatchEvent(new CustomEvent("portal:refusal", { bubbles: true }));
}

/** Whether the server's refusal still stands for the values in the fields. */
export function isRefused(form: HTMLFormElement): boolean {
  return refusals.get(form)?.stands === true;
}

/** Checks a field when it is left, but not before the press that left it has ended: nothing may move under a finger. */
function checkWhenLeft(): void {
  let pressing = false;
  let left: HTMLInputElement[] = [];
  const checkLeft = () => {
    const fields = left;
    left = [];
    for (const field of fields)
      if (field.isConnected && field !== document.activeElement && !isSending()) check(field);
  };
  let explanation: Element | null = null;
  on(
    "mousedown",
    (_event, target) => {
      pressing = true;
      explanation = target.closest(EXPLANATION);
    },
    true,
  );
  const released = () => {
    pressing = false;
    setTimeout(checkLeft);
  };
  for (const name of ["mouseup", "dragend"] as const) document.addEventListener(name, released, true);
  on("focusout", ({ relatedTarget }, input) => {
    if (!(input instanceof HTMLInputElement) || !isCheckedWhenLeft(input)) return;
    // The focus only moves on to the field's own button or explanation (C-08).
    const staysInField =
      relatedTarget instanceof Element && input.closest("[data-field]")?.contains(relatedTarget);
    if (input.value === "" && staysInField) return;
    // Safari doesn't focus a pressed button, so `relatedTarget` is null.
    const opensExplanation =
      relatedTarget instanceof Element ? relatedTarget.closest(EXPLANATION) : explanation;
    if (input.value === "" && opensExplanation) return;
    // The submit checks everything.
    if (relatedTarget instanceof Element && relatedTarget.matches("[type=submit]")) return;
    watched.add(input);
    left.push(input);
    if (!pressing) checkLeft();
  });
}

function isCheckedWhenLeft({ dataset: { rule }, value }: HTMLInputElement): boolean {
  if (rule === undefined || CHECKED_LATE.includes(rule)) return false;
  return value !== "" || !MAY_BE_EMPTY.includes(rule);
}

/** Whether the form must not be sent. Also shows why. */
export function holdBack(form: HTMLFormElement): boolean {
  const refusal = refusals.get(form);
  const faults = faultsOf(form);
  const isUnchanged = form.dataset["unlessUnchanged"] !== undefined && refusal?.stands === true;
  const isSame = faults.length > 0 && faults.every(({ isHeld }) => isHeld) && refusal?.stands === true;
  if (isUnchanged || isSame) {
    announceAgain(refusal.alert ?? [...refusal.values.keys()][0]);
    return true;
  }
  if (faults.length === 0) {
    // A value may have changed without an event.
    for (const input of inputsOf(form)) check(input);
    return false;
  }
  for (const { input, text } of faults) {
    watched.add(input);
    showError(input, text);
  }
  sumUp(form, faults);
  return true;
}

function check(input: HTMLInputElement, isIncomplete = false): void {
  if (!input.form || (isRefused(input.form) && refusals.get(input.form)?.values.has(input))) return;
  showError(
    input,
    isIncomplete ? undefined : faultsOf(input.form).find((fault) => fault.input === input)?.text,
  );
  dropSummary(input.form);
}

/** Removes the summary of a form once no field has an error. An alert without links is about something else. */
function dropSummary(form: HTMLFormElement): void {
  const alert = alertPlace(form)?.firstElementChild;
  if (alert && !alert.querySelector("a")) return;
  if (inputsOf(form).some((input) => input.getAttribute("aria-invalid") === "true")) return;
  showAlert(form, undefined);
  markTitle(false);
}

function faultsOf(form: HTMLFormElement): readonly Fault[] {
  const inputs = inputsOf(form);
  const fields = Object.fromEntries(
    inputs.map(({ name, required, dataset: { rule, repeats } }) => [
      name,
      { rule: rule as RuleName, repeats, optional: !required },
    ]),
  );
  const broken = checkFields(fields, Object.fromEntries(inputs.map(({ name, value }) => [name, value])));
  const refusal = refusals.get(form);
  return inputs.flatMap((input): readonly Fault[] => {
    const text = refusal?.texts.get(input);
    // A field of a refused pair has no text of its own, because it may be right: it may be sent again unchanged.
    if (text !== undefined && refusal?.values.get(input) === input.value)
      return [{ input, text, isHeld: true }];
    const message = broken[input.name];
    return message ? [{ input, text: ruleText(textsOf(form), message), isHeld: false }] : [];
  });
}

/** The summary of a form that wasn't sent, like the server's (C-07). A single field shows its error itself (F24). */
function sumUp(form: HTMLFormElement, faults: readonly Fault[]): void {
  markTitle(true);
  const [only] = faults;
  if (only && inputsOf(form).length === 1) {
    document.getElementById(`${only.input.id}-error`)?.setAttribute("role", "alert");
    only.input.focus();
    only.input.select();
    return;
  }
  const { titles, text } = textsOf(form).summary;
  const items = faults.map(({ input, text: said, isHeld }) => ({
    href: `#${input.id}`,
    text: isHeld ? said : withLabel(input.labels?.[0]?.textContent ?? input.name, said),
  }));
  const alert = makeAlert({ title: titles[items.length - 1] ?? "", text, items });
  showAlert(form, alert);
  alert?.focus();
}

function inputsOf(form: HTMLFormElement): readonly HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>("input[data-rule]")];
}

function textsOf(form: HTMLFormElement) {
  return JSON.parse(form.dataset["texts"] ?? "{}") as RuleTexts & {
    readonly summary: { readonly titles: readonly string[]; readonly text: string };
  };
}
