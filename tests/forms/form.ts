// A form as a browser without scripts fills it in and sends it. It refuses what a person couldn't do.
import type { DefaultTreeAdapterTypes } from "parse5";
import {
  around,
  attributeOf,
  byId,
  elementsIn,
  hasAttribute,
  isShown,
  nameOf,
  textOf,
  type Element,
  type Opened,
} from "./dom";

type Node = DefaultTreeAdapterTypes.Node;

/** A person couldn't have done this in a browser. */
export class Impossible extends Error {}

/** The form would not be sent: the browser asks for something first. */
export class NotSent extends Impossible {}

/** What was typed and chosen since the page came. */
export interface Filled {
  readonly typed: ReadonlyMap<Element, string>;
  readonly checked: ReadonlyMap<Element, boolean>;
}

/** What a form sends. */
export interface Sent {
  readonly method: "GET" | "POST";
  /** As it stands in the page. */
  readonly action: string;
  /** Names and values, in the order of the page. */
  readonly fields: readonly (readonly [string, string])[];
}

const CONTROLS = new Set(["input", "select", "textarea", "button"]);
const CHOSEN = new Set(["checkbox", "radio"]);
const WITHOUT_VALUE = new Set(["button", "submit", "reset", "image", "file"]);

/** The value of a control as it stands now. */
export function valueOf(control: Element, { typed }: Filled): string {
  const now = typed.get(control);
  if (now !== undefined) return now;
  if (control.tagName === "textarea") return textOf(control);
  if (control.tagName !== "select") return attributeOf(control, "value") ?? "";
  const options = [...elementsIn(control)].filter(({ tagName }) => tagName === "option");
  const option = options.find((one) => hasAttribute(one, "selected")) ?? options[0];
  return option ? (attributeOf(option, "value") ?? textOf(option)) : "";
}

/** Whether a checkbox is on. */
export function isChecked(control: Element, { checked }: Filled): boolean {
  return checked.get(control) ?? hasAttribute(control, "checked");
}

/** Whether a control is off, by itself or by a `<fieldset>` around it. */
function isDisabled(control: Element): boolean {
  return [...around(control)].some(
    (at) => hasAttribute(at, "disabled") && (at === control || at.tagName === "fieldset"),
  );
}

/** @throws Impossible if a person couldn't reach the control */
export function mustBeReachable(control: Element, page: Node, opened: Opened): void {
  const name = nameOf(control, page) || attributeOf(control, "name");
  if (typeOf(control) === "hidden" || !isShown(control, opened)) throw new Impossible(`"${name}" is hidden`);
  if (isDisabled(control)) throw new Impossible(`"${name}" is disabled`);
}

/** @throws Impossible if a person couldn't type this there */
export function mustTake(control: Element, text: string, page: Node, opened: Opened): void {
  mustBeReachable(control, page, opened);
  const name = nameOf(control, page);
  if (hasAttribute(control, "readonly")) throw new Impossible(`"${name}" is read-only`);
  const most = Number(attributeOf(control, "maxlength") ?? Infinity);
  if (text.length > most) throw new Impossible(`"${name}" takes ${most} characters, not ${text.length}`);
}

/** The form that a control belongs to. */
export function formOf(control: Element, page: Node): Element | undefined {
  const id = attributeOf(control, "form");
  if (id !== undefined) return byId(page, id);
  return [...around(control)].find(({ tagName }) => tagName === "form");
}

/**
 * What pressing a submit button sends.
 * @throws NotSent if the browser would ask for something first
 */
export function sentBy(button: Element, form: Element, page: Node, filled: Filled): Sent {
  const controls = [...elementsIn(page)].filter(
    (element) => CONTROLS.has(element.tagName) && formOf(element, page) === form && !isDisabled(element),
  );
  if (!hasAttribute(form, "novalidate") && !hasAttribute(button, "formnovalidate"))
    for (const control of controls) mustBeValid(control, page, filled);
  const method = attributeOf(button, "formmethod") ?? attributeOf(form, "method") ?? "get";
  return {
    method: method.toLowerCase() === "post" ? "POST" : "GET",
    action: attributeOf(button, "formaction") ?? attributeOf(form, "action") ?? "",
    fields: controls.flatMap((control) => entryOf(control, button, filled)),
  };
}

function entryOf(control: Element, pressed: Element, filled: Filled): readonly (readonly [string, string])[] {
  const name = attributeOf(control, "name");
  if (name === undefined || name === "") return [];
  const type = typeOf(control);
  const isButton = control.tagName === "button" || WITHOUT_VALUE.has(type);
  if (isButton && control !== pressed) return [];
  if (CHOSEN.has(type)) {
    return isChecked(control, filled) ? [[name, attributeOf(control, "value") ?? "on"]] : [];
  }
  return [[name, valueOf(control, filled).replace(/\r\n|\r|\n/g, "\r\n")]];
}

function mustBeValid(control: Element, page: Node, filled: Filled): void {
  const name = nameOf(control, page);
  const type = typeOf(control);
  const isEmpty = CHOSEN.has(type) ? !isChecked(control, filled) : valueOf(control, filled) === "";
  if (isEmpty) {
    if (hasAttribute(control, "required")) throw new NotSent(`"${name}" is required`);
    return;
  }
  const pattern = attributeOf(control, "pattern");
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, "v").test(valueOf(control, filled)))
    throw new NotSent(`"${name}" has another pattern`);
  const least = Number(attributeOf(control, "minlength") ?? 0);
  if (filled.typed.has(control) && valueOf(control, filled).length < least)
    throw new NotSent(`"${name}" takes at least ${least} characters`);
}

function typeOf(control: Element): string {
  return (attributeOf(control, "type") ?? "").toLowerCase();
}
