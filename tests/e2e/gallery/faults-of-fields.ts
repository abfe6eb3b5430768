import type { Page } from "@playwright/test";

/** The purpose of each field, as the page tells it to browsers and assistive technology (WCAG 1.3.5). */
const PURPOSES: Readonly<Record<string, readonly string[]>> = {
  username: ["username"],
  newUsername: ["username"],
  newUsernameRepeat: ["off"],
  authorizationCode: ["one-time-code"],
  newPassword: ["new-password"],
  newPasswordRepeat: ["new-password"],
  // To sign in, or for documents.
  password: ["current-password", "section-documents new-password"],
  passwordRepeat: ["section-documents new-password"],
};

/** The recovery code's field has the name of the others, but its code isn't sent in a message. */
const NOT_SENT = "Kod odzyskiwania";

/** Fields that may stay empty, and say so. */
const OPTIONAL: readonly string[] = ["name"];

/** The faults of a page's fields and of its error summary: each names the field and what is wrong. */
export function faultsOfFields(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    ({ purposes, optional, notSent }) => {
      const described = (input: Element) =>
        (input.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
      const textOf = (id: string) => document.getElementById(id)?.textContent ?? "";

      const ofInput = (input: HTMLInputElement): readonly string[] => {
        const label = input.labels?.[0];
        const ids = described(input);
        const rank = (id: string) =>
          id === `${input.id}-error` ? 0 : id === "errors" ? 1 : id === `${input.id}-hint` ? 2 : 3;
        const errors = ids.filter((id) => rank(id) < 2);
        const purpose = input.getAttribute("autocomplete") ?? "";
        const invalid = input.getAttribute("aria-invalid");
        // An empty search shows everything.
        const typed = !["checkbox", "search"].includes(input.type) && !input.readOnly && !input.disabled;
        const faults: readonly (readonly [string, boolean])[] = [
          [
            "no visible label",
            !label || label.getClientRects().length === 0 || label.innerText.trim() === "",
          ],
          ["a placeholder", input.hasAttribute("placeholder")],
          ["described by a missing element", ids.some((id) => textOf(id) === "")],
          [
            "not described in the order error, hint, more",
            ids.some((id, at) => at > 0 && rank(id) < rank(ids[at - 1] ?? "")),
          ],
          ["invalid without an error, or the other way round", (invalid === "true") !== errors.length > 0],
          ["aria-invalid while nothing is wrong", invalid !== null && invalid !== "true"],
          ["an error by colour alone", ids.some((id) => rank(id) === 0 && !/^Błąd: ./.test(textOf(id)))],
          ["not required", typed && !optional.includes(input.name) && !input.required],
          ["required twice", input.hasAttribute("aria-required")],
          ["pasting is intercepted", input.hasAttribute("onpaste")],
          [
            "its purpose is not said",
            !(label?.innerText === notSent ? ["off"] : (purposes[input.name] ?? [purpose])).includes(purpose),
          ],
          ["no keyboard with digits", purpose === "one-time-code" && input.inputMode !== "numeric"],
          [
            "no rules for generated passwords",
            input.matches("[autocomplete$=new-password]:not([passwordrules])"),
          ],
        ];
        return faults.flatMap(([fault, broken]) => (broken ? [`${input.name || input.id}: ${fault}`] : []));
      };

      const ofSummary = (summary: HTMLElement): readonly string[] => {
        const links = [...summary.querySelectorAll("a")];
        const title = summary.getAttribute("aria-labelledby") ?? "";
        // A title without a number is about one error (F19).
        const said = /\d+/.exec(textOf(title))?.[0] ?? "1";
        const faults: readonly (readonly [string, boolean])[] = [
          ["it can't take the focus", summary.tabIndex !== -1 || !summary.hasAttribute("tabindex")],
          ["not named by a heading", document.getElementById(title)?.tagName !== "H2"],
          [
            "a link that leads to no field",
            links.some((link) => document.getElementById(link.hash.slice(1))?.tagName !== "INPUT"),
          ],
          ["a wrong number of errors", links.length > 0 && said !== String(links.length)],
        ];
        return faults.flatMap(([fault, broken]) => (broken ? [`summary: ${fault}`] : []));
      };

      return [
        ...[
          ...document.querySelectorAll<HTMLInputElement>(
            "main input:not([type=hidden]):not([aria-hidden=true])",
          ),
        ].flatMap(ofInput),
        // The alert of a form's only field is its message.
        ...[...document.querySelectorAll<HTMLElement>("main [role=alert]:not([data-field] *)")].flatMap(
          ofSummary,
        ),
      ];
    },
    { purposes: PURPOSES, optional: OPTIONAL, notSent: NOT_SENT },
  );
}
