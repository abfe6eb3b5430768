// Without it: the conditions are a plain list, and the server says what is missing.
import { PASSWORD_CONDITIONS, unmetConditions, type PasswordCondition } from "~/contract/rules";
import type { Weakness } from "~/contract/rules/weak-password";
import { all, on, onArrival, onValue } from "./page";

/** A pause this long means that typing has stopped (C-13), in ms. */
const ANNOUNCE_MS = 700;

/** The texts of the list (journeys/kit/password-checklist.tsx). */
interface ListWords extends Readonly<Record<Weakness | "met" | "unmet" | "allMet" | "summary", string>> {
  readonly missing: Readonly<Record<PasswordCondition, string>>;
  /** Words that a password shouldn't contain. */
  readonly personalWords: readonly string[];
}

/** A hint from the server, which knows more than the browser, and the password that it judges. */
const advised = new WeakMap<HTMLElement, { readonly password: string; readonly hint: string }>();
let announcement: ReturnType<typeof setTimeout> | undefined;

/** Shows at each keystroke which conditions a new password meets, and whether it is easy to guess (S80). */
export function startChecklist(): void {
  onArrival((root) => {
    for (const list of all("[data-checklist]", root)) {
      const input = inputOf(list);
      const hint = list.querySelector("[data-hint]:not([hidden])")?.textContent;
      if (input && hint) advised.set(list, { password: input.value, hint });
      if (input && input.value !== "") void update(list, input);
    }
  });
  // A form that was held back: what is missing is shown on a phone, too.
  on("submit", (_event, form) => {
    for (const list of all("[data-checklist]", form)) {
      const input = inputOf(list);
      if (input?.ariaInvalid !== "true") continue;
      list.querySelector("details")?.setAttribute("open", "");
      void update(list, input);
    }
  });
  onValue((input) => {
    const list = input.closest("[data-field]")?.querySelector<HTMLElement>("[data-checklist]");
    if (list) void update(list, input);
  });
}

function inputOf(list: HTMLElement): HTMLInputElement | null | undefined {
  return list.closest("[data-field]")?.querySelector<HTMLInputElement>("input[data-rule]");
}

async function update(list: HTMLElement, { value, ariaInvalid }: HTMLInputElement): Promise<void> {
  const words = JSON.parse(list.dataset["checklist"] ?? "{}") as ListWords;
  const unmet = value === "" ? undefined : unmetConditions(value);
  for (const [at, item] of all(".condition", list).entries()) {
    // Each condition is there twice: in the bar of a phone, and in the list.
    const condition = PASSWORD_CONDITIONS[at % PASSWORD_CONDITIONS.length];
    const isMet = condition !== undefined && unmet?.includes(condition) === false;
    item.dataset["state"] = !unmet ? "open" : isMet ? "met" : ariaInvalid === "true" ? "missing" : "unmet";
    const said = item.querySelector("[data-said]");
    if (said) said.textContent = unmet ? ` – ${isMet ? words.met : words.unmet}` : "";
  }
  list.dataset["typed"] = String(performance.now());
  const { typed } = list.dataset;
  // While a password is checked, the last hint stays: otherwise the page would jump at each keystroke.
  const weakness = unmet?.length === 0 ? await weaknessOf(value, words.personalWords) : undefined;
  if (list.dataset["typed"] !== typed) return;
  const advice = advised.get(list);
  const hint = weakness ? words[weakness] : advice?.password === value ? advice.hint : undefined;
  showHint(list, hint);
  announce(list, unmet ? [summary(words, unmet), hint].filter(Boolean).join(" ") : "");
}

/** The word list is loaded for the first password that meets all conditions. Without it there is no advice. */
async function weaknessOf(password: string, personal: readonly string[]): Promise<Weakness | undefined> {
  try {
    const rules = await import("~/contract/rules/weak-password");
    return rules.weaknessOf(password, personal);
  } catch {
    return undefined;
  }
}

function showHint(list: HTMLElement, hint = ""): void {
  const place = list.querySelector<HTMLElement>("[data-hint]");
  const text = place?.querySelector("[data-text]");
  if (!place || !text) return;
  place.hidden = hint === "";
  text.textContent = hint;
}

/** Announces the text to screen readers once it hasn't changed for a moment. */
function announce(list: HTMLElement, text: string): void {
  clearTimeout(announcement);
  announcement = setTimeout(() => {
    const status = list.querySelector("[role=status]");
    if (status) status.textContent = text;
  }, ANNOUNCE_MS);
}

function summary(words: ListWords, unmet: readonly PasswordCondition[]): string {
  if (unmet.length === 0) return words.allMet;
  return words.summary.replace("{{missing}}", unmet.map((condition) => words.missing[condition]).join(", "));
}
