import {
  around,
  attributeOf,
  byId,
  type Element,
  elementsIn,
  hasAttribute,
  isShown,
  type Opened,
  type parsePage,
  textOf,
} from "../forms/dom";

/** A page as a visitor without scripts gets it. */
export type Page = ReturnType<typeof parsePage>;

/** A rule, and whether the page breaks it. */
type Fault = readonly [rule: string, broken: boolean];

const AS_IT_OPENS: Opened = { target: "", toggled: new Set() };

const HEADING = /^h[1-6]$/;
/** The helpline's numbers. */
const NUMBER = /22\s100\s20\s30|800\s100\s200/;

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

/** Specification §2: the longest value that a field takes. */
const LONGEST = 4000;

/** The parts that every page must have and this one lacks. */
export function faultsOfPage(page: Page): readonly string[] {
  const elements = [...elementsIn(page)];
  const named = (name: string) => elements.filter(({ tagName }) => tagName === name);
  const headings = elements
    .filter((element) => HEADING.test(element.tagName) && isShown(element, AS_IT_OPENS))
    .filter((heading) => !isInside(heading, "dialog"))
    .map(({ tagName }) => Number(tagName.slice(1)));
  const focusable = elements.filter(
    (element) =>
      ["button", "input", "summary"].includes(element.tagName) ||
      (element.tagName === "a" && hasAttribute(element, "href")),
  );
  const withNumber = elements.filter(
    (element) => element.tagName !== "script" && isInside(element, "body") && NUMBER.test(ownText(element)),
  );
  const canTakeFocus = (element: Element) => attributeOf(element, "tabindex") === "-1";
  return broken([
    ["the language", attributeOf(named("html")[0] ?? fail("html"), "lang") !== "pl"],
    ["one h1 that can take the focus", named("h1").length !== 1 || !named("h1").every(canTakeFocus)],
    ["one header, main and footer", ["header", "main", "footer"].some((name) => named(name).length !== 1)],
    [
      "main that can take the focus",
      !named("main").every((main) => canTakeFocus(main) && attributeOf(main, "id") === "content"),
    ],
    ["the skip link first", attributeOf(focusable[0] ?? fail("control"), "href") !== "#content"],
    ["a name for each nav", !named("nav").every((nav) => hasAttribute(nav, "aria-label"))],
    ["no positive tabindex", elements.some((element) => Number(attributeOf(element, "tabindex")) > 0)],
    ["no skipped heading level", headings.some((level, at) => at > 0 && level > (headings[at - 1] ?? 0) + 1)],
    ["the helpline in the footer", !named("footer").some((footer) => /Infolinia/.test(textOf(footer)))],
    ["ranges that break at no dash", named("body").some((body) => /\d–\d/.test(textOf(body)))],
    ["phone numbers that are links", withNumber.length === 0 || !withNumber.every(dials)],
    [
      "no explanation that only a mouse can find",
      elements.some(
        (element) =>
          hasAttribute(element, "title") &&
          ["main", "header", "footer"].some((place) => isInside(element, place)),
      ),
    ],
  ]);
}

/** The faults of a page's fields and of its error summary: each names the field and what is wrong. */
export function faultsOfFields(page: Page): readonly string[] {
  const inMain = [...elementsIn(page)].filter((element) => isInside(element, "main"));
  const inputs = inMain.filter(
    (element) =>
      element.tagName === "input" &&
      attributeOf(element, "type") !== "hidden" &&
      attributeOf(element, "aria-hidden") !== "true",
  );
  // The alert of a form's only field is its message.
  const summaries = inMain.filter(
    (element) => attributeOf(element, "role") === "alert" && !isInField(element),
  );
  return [
    ...inputs.flatMap((input) => faultsOfInput(input, page)),
    ...summaries.flatMap((summary) => faultsOfSummary(summary, page)),
  ];
}

function faultsOfInput(input: Element, page: Page): readonly string[] {
  const [name, id] = [attributeOf(input, "name") ?? "", attributeOf(input, "id") ?? ""];
  const type = attributeOf(input, "type") ?? "text";
  const label = labelOf(input, page);
  const words = label ? textOf(label) : "";
  const ids = (attributeOf(input, "aria-describedby") ?? "").split(" ").filter(Boolean);
  const rank = (described: string) => {
    const order = [`${id}-error`, "errors", `${id}-hint`].indexOf(described);
    return order === -1 ? 3 : order;
  };
  const errors = ids.filter((described) => rank(described) < 2);
  const purpose = attributeOf(input, "autocomplete") ?? "";
  const purposes = words === NOT_SENT ? ["off"] : (PURPOSES[name] ?? [purpose]);
  const invalid = attributeOf(input, "aria-invalid");
  const isText = ["text", "password"].includes(type);
  const limit = Number(attributeOf(input, "maxlength") ?? NaN);
  // An empty search shows everything.
  const isTyped =
    !["checkbox", "search"].includes(type) &&
    !hasAttribute(input, "readonly") &&
    !hasAttribute(input, "disabled");
  return broken([
    ["no visible label", !label || !isShown(label, AS_IT_OPENS) || words === ""],
    ["a placeholder", hasAttribute(input, "placeholder")],
    ["described by a missing element", ids.some((described) => textById(page, described) === "")],
    [
      "not described in the order error, hint, more",
      ids.some((described, at) => at > 0 && rank(described) < rank(ids[at - 1] ?? "")),
    ],
    ["invalid without an error, or the other way round", (invalid === "true") !== errors.length > 0],
    ["aria-invalid while nothing is wrong", invalid !== undefined && invalid !== "true"],
    [
      "an error by colour alone",
      ids.some((described) => rank(described) === 0 && !/^Błąd: ./.test(textById(page, described))),
    ],
    ["not required", isTyped && !OPTIONAL.includes(name) && !hasAttribute(input, "required")],
    ["required twice", hasAttribute(input, "aria-required")],
    ["pasting is intercepted", hasAttribute(input, "onpaste")],
    ["its purpose is not said", !purposes.includes(purpose)],
    ["no keyboard with digits", purpose === "one-time-code" && attributeOf(input, "inputmode") !== "numeric"],
    [
      "no rules for generated passwords",
      purpose.endsWith("new-password") && !hasAttribute(input, "passwordrules"),
    ],
    ["no limit to its length", isText && isTyped && !(limit > 0 && limit <= LONGEST)],
  ]).map((fault) => `${name || id}: ${fault}`);
}

function faultsOfSummary(summary: Element, page: Page): readonly string[] {
  const links = [...elementsIn(summary)].filter(({ tagName }) => tagName === "a");
  const title = attributeOf(summary, "aria-labelledby") ?? "";
  // A title without a number is about one error (F19).
  const said = /\d+/.exec(textById(page, title))?.[0] ?? "1";
  return broken([
    ["it can't take the focus", attributeOf(summary, "tabindex") !== "-1"],
    ["not named by a heading", byId(page, title)?.tagName !== "h2"],
    [
      "a link that leads to no field",
      links.some((link) => byId(page, (attributeOf(link, "href") ?? "").slice(1))?.tagName !== "input"),
    ],
    ["a wrong number of errors", links.length > 0 && said !== String(links.length)],
  ]).map((fault) => `summary: ${fault}`);
}

function broken(faults: readonly Fault[]): readonly string[] {
  return faults.flatMap(([rule, isBroken]) => (isBroken ? [rule] : []));
}

function fail(what: string): never {
  throw new Error(`The page has no ${what}.`);
}

function isInside(element: Element, name: string): boolean {
  for (const at of around(element)) if (at !== element && at.tagName === name) return true;
  return false;
}

function isInField(element: Element): boolean {
  for (const at of around(element)) if (at !== element && hasAttribute(at, "data-field")) return true;
  return false;
}

function ownText(element: Element): string {
  return element.childNodes
    .map((node) => (node.nodeName === "#text" && "value" in node ? node.value : ""))
    .join("\n");
}

/** Whether a link dials the number that it shows. */
function dials(element: Element): boolean {
  return attributeOf(element, "href") === `tel:+48${textOf(element).replace(/\D/g, "")}`;
}

function textById(page: Page, id: string): string {
  const element = byId(page, id);
  return element ? textOf(element) : "";
}

function labelOf(input: Element, page: Page): Element | undefined {
  const id = attributeOf(input, "id");
  return [...elementsIn(page)].find(
    (element) =>
      element.tagName === "label" &&
      ((id !== undefined && attributeOf(element, "for") === id) || [...elementsIn(element)].includes(input)),
  );
}
