import { describe, expect, it } from "vitest";
import { parsePage, type Element } from "../../forms/dom";
import { fieldNamed, offersOf, type View } from "../../forms/finding";
import {
  formOf,
  Impossible,
  mustBeReachable,
  mustTake,
  NotSent,
  sentBy,
  type Filled,
} from "../../forms/form";

const CLOSED = { target: "", toggled: new Set<Element>() };

function viewOf(html: string, target = ""): View {
  return { page: parsePage(`<main>${html}</main>`), opened: { ...CLOSED, target } };
}

function the(element: Element | undefined): Element {
  if (!element) throw new Error("not there");
  return element;
}

/** Types into the field `it`. */
function type(html: string, text: string, target?: string): void {
  const view = viewOf(html, target);
  mustTake(the(fieldNamed(view, "it")), text, view.page, view.opened);
}

/** Presses the first button, after typing into fields. */
function press(html: string, texts: Readonly<Record<string, string>> = {}) {
  const view = viewOf(html);
  const [button] = offersOf(view, "button", undefined);
  mustBeReachable(the(button), view.page, view.opened);
  const typed = new Map(Object.entries(texts).map(([name, text]) => [the(fieldNamed(view, name)), text]));
  const filled: Filled = { typed, checked: new Map() };
  return sentBy(the(button), the(formOf(the(button), view.page)), view.page, filled);
}

describe("a visitor without a browser types only where a person could", () => {
  it.each([
    ["a disabled field", '<input name="it" disabled>'],
    ["a field of a disabled group", '<fieldset disabled><input name="it"></fieldset>'],
    ["a read-only field", '<input name="it" readonly>'],
    ["a field that is not shown", '<p hidden><input name="it"></p>'],
    ["a field in closed details", '<details><summary>more</summary><input name="it"></details>'],
    ["a field in a closed dialog", '<div id="d"><dialog><input name="it"></dialog></div>'],
    ["a field that takes fewer characters", '<input name="it" maxlength="2">'],
  ])("not into %s", (_what, html) => {
    expect(() => {
      type(html, "abc");
    }).toThrow(Impossible);
  });

  it("finds no hidden field", () => {
    expect(fieldNamed(viewOf('<input type="hidden" name="it">'), "it")).toBeUndefined();
  });

  it("types into open details, and into a dialog that the address opens", () => {
    type('<details open><summary>more</summary><input name="it"></details>', "abc");
    type('<div id="d"><dialog><input name="it"></dialog></div>', "abc", "d");
  });
});

describe("a visitor without a browser sends only what a browser would", () => {
  const SEND = "<button>Send</button>";

  it.each([
    ["an empty field that is required", `<form><input name="a" required>${SEND}</form>`, {}],
    ["a box that must be ticked", `<form><input type="checkbox" name="a" required>${SEND}</form>`, {}],
    ["a value of another pattern", `<form><input name="a" pattern="[0-9]*">${SEND}</form>`, { a: "1b" }],
    ["a value that is too short", `<form><input name="a" minlength="3">${SEND}</form>`, { a: "ab" }],
  ])("not %s", (_what, html, texts) => {
    expect(() => press(html, texts)).toThrow(NotSent);
    expect(press(html.replace("<form", "<form novalidate"), texts).fields).toBeDefined();
    expect(press(html.replace("<button", "<button formnovalidate"), texts).fields).toBeDefined();
  });

  it("not a button that is off", () => {
    expect(() => press('<form><button disabled name="a">Send</button></form>')).toThrow(Impossible);
  });

  it("the form's fields in their order, with the pressed button's name and its own address", () => {
    const sent = press(
      `<form method="post" action="/a"><input type="hidden" name="hidden" value="1">
        <input name="text" value="was"><input type="checkbox" name="off"><input type="checkbox" name="on" checked>
        <button name="intent" value="one" formaction="/b">One</button><button name="intent" value="two">Two</button>
        <input name="off-too" disabled><select name="list"><option value="x">X<option value="y" selected>Y</select>
        <textarea name="lines">a</textarea></form><input name="elsewhere" value="2">`,
      { text: "now" },
    );
    expect(sent).toEqual({
      method: "POST",
      action: "/b",
      fields: [
        ["hidden", "1"],
        ["text", "now"],
        ["on", "on"],
        ["intent", "one"],
        ["list", "y"],
        ["lines", "a"],
      ],
    });
  });
});
