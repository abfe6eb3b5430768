import { expect } from "@playwright/test";
import { JourneyVisitor, type Offer, type Place, type SavedFile, type Words } from "../e2e/journey-visitor";
import type { PublicPortal } from "../portal";
import type { Visitor } from "../visitor";
import {
  attributeOf,
  descriptionOf,
  elementsIn,
  isOpen,
  oneLine,
  parentOf,
  textOf,
  type Element,
} from "./dom";
import { fieldNamed, findPlace, hasWords, isWords, offersOf, summaryOf } from "./finding";
import { formOf, Impossible, isChecked, mustBeReachable, mustTake, sentBy, valueOf } from "./form";
import type { OpenPage, PlainBrowser } from "./plain-browser";

/** A visitor without a browser: reads pages, fills in forms, presses buttons, and can do no more than a person. */
export class FormVisitor extends JourneyVisitor {
  readonly portal: PublicPortal;
  readonly browser: PlainBrowser;

  constructor(browser: PlainBrowser, portal: PublicPortal) {
    super();
    this.browser = browser;
    this.portal = portal;
  }

  get #page(): OpenPage {
    return this.browser.page;
  }

  override async open(path: string): Promise<void> {
    await this.browser.goto(path);
  }

  override async reload(): Promise<void> {
    await this.browser.reload();
  }

  override async lands(path: Words): Promise<void> {
    const now = await this.path();
    if (typeof path === "string") expect(now).toBe(path);
    else expect(now).toMatch(path);
  }

  override path(): Promise<string> {
    return Promise.resolve(this.#page.address.href.slice(this.browser.origin.length));
  }

  override answered(status: number): Promise<void> {
    expect(this.#page.status).toBe(status);
    return Promise.resolve();
  }

  override type(name: string, text: string): Promise<void> {
    const { page, opened, filled } = this.#page;
    const field = this.#field(name);
    mustTake(field, text, page, opened);
    filled.typed.set(field, text);
    return Promise.resolve();
  }

  override async press(words: Words, place?: Place): Promise<void> {
    const { page, opened, filled } = this.#page;
    const button = this.#one("button", words, place);
    mustBeReachable(button, page, opened);
    const form = formOf(button, page);
    if (!form) throw new Impossible(`"${words}" belongs to no form`);
    await this.browser.send(sentBy(button, form, page, filled));
  }

  override async send(words: Words, place?: Place): Promise<void> {
    await this.press(words, place);
  }

  override async follow(words: Words, place?: Place): Promise<void> {
    const saved = await this.browser.follow(await this.linkOf(words, place));
    if (saved) throw new Error(`"${words}" leads to a file, ${saved.name}`);
  }

  override async saves(words: Words, place?: Place): Promise<SavedFile> {
    const named = attributeOf(this.#one("link", words, place), "download") ?? "";
    const saved = await this.browser.follow(await this.linkOf(words, place));
    if (!saved) throw new Error(`"${words}" leads to a page:\n${await this.textOf()}`);
    return { bytes: saved.bytes, name: saved.name || named };
  }

  override turn(words: Words, on: boolean): Promise<void> {
    const { page, opened, filled } = this.#page;
    const control = this.#one("field", words);
    mustBeReachable(control, page, opened);
    filled.checked.set(control, on);
    return Promise.resolve();
  }

  override unfold(words: Words): Promise<void> {
    const summary = summaryOf(this.#page, words);
    const details = summary && parentOf(summary);
    if (!details) throw new Impossible(`Nothing is folded under "${words}"`);
    if (isOpen(details, this.#page.opened)) return Promise.resolve();
    if (!this.#page.toggled.delete(details)) this.#page.toggled.add(details);
    return Promise.resolve();
  }

  override async reads(words: Words, place?: Place): Promise<void> {
    const text = await this.textOf(place);
    if (typeof words === "string") expect(text).toContain(oneLine(words));
    else expect(text).toMatch(words);
  }

  override lacks(words: Words, place?: Place): Promise<void> {
    const at = findPlace(this.#page, place);
    if (!at) return Promise.resolve();
    const text = textOf(at, this.#page.opened);
    expect(hasWords(text, words), `"${words}" in: ${text}`).toBe(false);
    return Promise.resolve();
  }

  override textOf(place?: Place): Promise<string> {
    const at = findPlace(this.#page, place);
    if (!at) throw new Error(`The page has no ${JSON.stringify(place)}`);
    return Promise.resolve(textOf(at, this.#page.opened));
  }

  override titled(title: Words): Promise<void> {
    const element = [...elementsIn(this.#page.page)].find(({ tagName }) => tagName === "title");
    const child = element?.childNodes[0];
    return mustBe(child && "value" in child ? oneLine(child.value) : "", title);
  }

  override headed(words: Words): Promise<void> {
    const heading = [...elementsIn(this.#page.page)].find(({ tagName }) => tagName === "h1");
    return mustBe(heading ? textOf(heading) : "", words);
  }

  override alerted(words: Words): Promise<void> {
    return mustHave(this.#texts(isAlert), words);
  }

  override refused(words: Words): Promise<void> {
    const isAtFault = (element: Element) =>
      isAlert(element) ||
      (attributeOf(element, "data-field") !== undefined &&
        [...elementsIn(element)].some((inside) => attributeOf(inside, "aria-invalid") !== undefined));
    return mustHave(this.#texts(isAtFault), words);
  }

  override offers(kind: Offer, words: Words | undefined, count: number, place?: Place): Promise<void> {
    expect(offersOf(this.#page, kind, words, place), `${kind} ${words ?? ""}`).toHaveLength(count);
    return Promise.resolve();
  }

  override linkOf(words: Words, place?: Place): Promise<string> {
    return Promise.resolve(attributeOf(this.#one("link", words, place), "href") ?? "");
  }

  override holds(name: string, value: Words): Promise<void> {
    const held = valueOf(this.#field(name), this.#page.filled);
    if (typeof value === "string") expect(held).toBe(value);
    else expect(held).toMatch(value);
    return Promise.resolve();
  }

  override has(name: string, attribute: string, value: Words): Promise<void> {
    return mustBe(attributeOf(this.#field(name), attribute) ?? "", value);
  }

  override faulty(name: string, why: Words = /./): Promise<void> {
    const field = this.#field(name);
    expect(attributeOf(field, "aria-invalid"), `${name} is at fault`).toBe("true");
    return mustHave(descriptionOf(field, this.#page.page), why);
  }

  override sound(name: string): Promise<void> {
    expect(attributeOf(this.#field(name), "aria-invalid") ?? "false", `${name} is sound`).toBe("false");
    return Promise.resolve();
  }

  override isTurned(words: Words, on: boolean): Promise<void> {
    expect(isChecked(this.#one("field", words), this.#page.filled), `${words} is on`).toBe(on);
    return Promise.resolve();
  }

  override secretAfterRefusal(): string {
    return "";
  }

  override async cookieNames(): Promise<readonly string[]> {
    return (await this.browser.cookies()).map(({ name }) => name);
  }

  override async forget(names: RegExp): Promise<void> {
    await this.browser.replaceCookies((name) => !names.test(name), new Map());
  }

  override async takeOver({ cookies }: Visitor): Promise<void> {
    await this.browser.replaceCookies(() => true, cookies);
  }

  override async resendCode(phone: string): Promise<void> {
    const before = await this.portal.messagesTo(phone);
    while ((await this.portal.messagesTo(phone)) === before) await this.press("Wyślij kod ponownie");
    await this.reads("Wysłaliśmy nowy SMS o");
    expect(await this.portal.messagesTo(phone)).toBe(before + 1);
  }

  #field(name: string): Element {
    const field = fieldNamed(this.#page, name);
    if (!field) throw new Impossible(`The page has no field ${name}`);
    return field;
  }

  #one(kind: Offer, words: Words, place?: Place): Element {
    const [found] = offersOf(this.#page, kind, words, place);
    if (found) return found;
    const at = findPlace(this.#page, place);
    const text = at ? textOf(at, this.#page.opened) : "(no such place)";
    throw new Impossible(`At ${this.#page.address.pathname} no ${kind} "${words}" in:\n${text}`);
  }

  /** The text of the first element of the main part that is meant. */
  #texts(is: (element: Element) => boolean): string {
    const main = findPlace(this.#page);
    const found = main && [...elementsIn(main)].find(is);
    return found ? textOf(found, this.#page.opened) : "";
  }
}

function isAlert(element: Element): boolean {
  return attributeOf(element, "role") === "alert";
}

function mustBe(text: string, words: Words): Promise<void> {
  if (typeof words === "string") expect(text).toBe(oneLine(words));
  else expect(isWords(text, words), `${words} in: ${text}`).toBe(true);
  return Promise.resolve();
}

function mustHave(text: string, words: Words): Promise<void> {
  expect(hasWords(text, words), `"${words}" in: ${text}`).toBe(true);
  return Promise.resolve();
}
