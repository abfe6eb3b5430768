import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";
import type { RegisteredCustomer } from "../demo-customers";
import type { PublicPortal } from "../portal";
import { Visitor } from "../visitor";
import { JourneyVisitor, type Offer, type Place, type SavedFile, type Words } from "./journey-visitor";
import { withAnswer } from "./requests-of-a-page";

/**
 * A visitor in Playwright's browser, with or without scripts. What comes before a test's subject happens by HTTP: the
 * cookie gate, the sign-in and its code. Journeys walk through them, and so do the methods "by hand".
 */
export class Person extends JourneyVisitor {
  readonly page: Page;
  readonly portal: PublicPortal;
  readonly #scripts: boolean;
  #status = 0;

  constructor(page: Page, portal: PublicPortal, scripts: boolean) {
    super();
    this.page = page;
    this.portal = portal;
    this.#scripts = scripts;
    page.on("response", (response) => {
      if (response.request().isNavigationRequest()) this.#status = response.status();
    });
  }

  override secretAfterRefusal(typed: string): string {
    return this.#scripts ? typed : "";
  }

  override async arrive(): Promise<void> {
    await this.#begin((visitor) => visitor.accept());
    await this.open("/home");
  }

  override async reachCode(customer: RegisteredCustomer): Promise<void> {
    await this.#begin((visitor) => visitor.begin(customer));
    await this.open("/home/mfa");
  }

  override async signIn(customer: RegisteredCustomer): Promise<void> {
    await this.#begin((visitor) => visitor.signIn(customer, true));
    await this.open("/cp");
  }

  async #begin(by: (visitor: Visitor) => Promise<void>): Promise<void> {
    const visitor = new Visitor(this.portal);
    await by(visitor);
    await this.page.context().clearCookies();
    await this.takeOver(visitor);
  }

  arriveByHand(): Promise<void> {
    return super.arrive();
  }

  async signInByHand(customer: RegisteredCustomer): Promise<void> {
    await this.arriveByHand();
    await this.login(customer);
    await this.lands("/home/mfa");
    await this.confirm(await this.portal.lastCode(customer.phone));
    await this.lands("/cp");
  }

  field(name: string): Locator {
    const main = this.page.locator("main");
    return main.locator(`[name="${name}"]`).or(main.getByLabel(name, { exact: true }));
  }

  button(name: string): Locator {
    return this.page.locator("main").getByRole("button", { name, exact: true });
  }

  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1 });
  }

  get alert(): Locator {
    return this.page.locator("main").getByRole("alert");
  }

  /** The place where a refused form gives the reason: above it, or at its only field (F24). */
  get refusal(): Locator {
    return this.page.locator("main [role=alert], main [data-field]:has([aria-invalid])").first();
  }

  /** The refusal, or the field at fault, once it has the focus. */
  get refusalInFocus(): Locator {
    return this.page.locator("main [role=alert]:focus, main [aria-invalid]:focus");
  }

  /** Opens an address and waits for the page's script, if scripts are on. */
  override async open(path: string): Promise<void> {
    await this.page.goto(new URL(path, this.portal.origin).href);
    await this.alive();
  }

  override async reload(): Promise<void> {
    await this.page.reload();
    await this.alive();
  }

  /** Waits until the enhancements have started; the script marks the document then. */
  async alive(): Promise<void> {
    if (this.#scripts)
      await this.page.waitForFunction(() => document.documentElement.dataset["scripts"] === "on");
  }

  override async lands(path: Words): Promise<void> {
    const matches = (now: string) => (typeof path === "string" ? now === path : path.test(now));
    await expect(this.page).toHaveURL(({ href }) => matches(href.slice(this.portal.origin.length)));
    await this.alive();
  }

  override path(): Promise<string> {
    return Promise.resolve(this.page.url().slice(this.portal.origin.length));
  }

  override async answered(status: number): Promise<void> {
    await expect.poll(() => this.#status).toBe(status);
  }

  override async type(name: string, text: string): Promise<void> {
    await this.field(name).fill(text);
  }

  override async press(words: Words, place?: Place): Promise<void> {
    await this.#offer("button", words, place).first().click();
  }

  override async send(words: Words, place?: Place): Promise<void> {
    await this.alive();
    await this.sending(() => this.press(words, place));
    await this.alive();
  }

  override async follow(words: Words, place?: Place): Promise<void> {
    await this.#offer("link", words, place).first().click();
  }

  override async turn(words: Words, on: boolean): Promise<void> {
    await this.page.getByRole("switch", { name: exactly(words) }).setChecked(on);
  }

  override async unfold(words: Words): Promise<void> {
    const details = this.page.locator("details").filter({
      has: this.page.locator("summary").filter({ hasText: words }),
    });
    if ((await details.first().getAttribute("open")) === null)
      await details.locator("summary").first().click();
  }

  override async saves(words: Words, place?: Place): Promise<SavedFile> {
    // A refusal is a page, and a file is none.
    const refused = this.page.waitForEvent("framenavigated").then(async () => {
      throw new Error(`"${words}" leads to ${await this.path()}:\n${await this.textOf()}`);
    });
    const coming = Promise.race([this.page.waitForEvent("download"), refused]);
    const [download] = await Promise.all([coming, this.follow(words, place)]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }

  override async reads(words: Words, place?: Place): Promise<void> {
    await expect(this.#place(place)).toContainText(withSpaces(words), { useInnerText: true });
  }

  override async lacks(words: Words, place?: Place): Promise<void> {
    await expect(this.#place(place).filter({ hasText: words, visible: true })).toHaveCount(0);
  }

  override async textOf(place?: Place): Promise<string> {
    return (await this.#place(place).innerText()).replace(/\s+/g, " ").trim();
  }

  override async titled(title: Words): Promise<void> {
    await expect(this.page).toHaveTitle(title);
  }

  override async headed(words: Words): Promise<void> {
    await expect(this.heading.first()).toHaveText(words);
  }

  override async alerted(words: Words): Promise<void> {
    await expect(this.alert.first()).toContainText(words);
  }

  override async refused(words: Words): Promise<void> {
    await expect(this.refusal).toContainText(words);
  }

  override async offers(kind: Offer, words: Words | undefined, count: number, place?: Place): Promise<void> {
    await expect(this.#offer(kind, words, place).filter({ visible: true })).toHaveCount(count);
  }

  override async linkOf(words: Words, place?: Place): Promise<string> {
    return (await this.#offer("link", words, place).first().getAttribute("href")) ?? "";
  }

  override async holds(name: string, value: Words): Promise<void> {
    await expect(this.field(name)).toHaveValue(value);
  }

  override async has(name: string, attribute: string, value: Words): Promise<void> {
    await expect(this.field(name)).toHaveAttribute(attribute, value);
  }

  override async faulty(name: string, why: Words = /./): Promise<void> {
    await expect(this.field(name)).toHaveAttribute("aria-invalid", "true");
    const description = typeof why === "string" ? new RegExp(escaped(why)) : why;
    await expect(this.field(name)).toHaveAccessibleDescription(description);
  }

  override async sound(name: string): Promise<void> {
    await expect(this.field(name)).not.toHaveAttribute("aria-invalid", "true");
  }

  override async isTurned(words: Words, on: boolean): Promise<void> {
    await expect(this.page.getByRole("switch", { name: exactly(words) })).toBeChecked({ checked: on });
  }

  override async cookieNames(): Promise<readonly string[]> {
    return (await this.page.context().cookies()).map(({ name }) => name);
  }

  override async forget(names: RegExp): Promise<void> {
    await this.page.context().clearCookies({ name: names });
  }

  override async takeOver({ cookies }: Visitor): Promise<void> {
    const { origin, secure = false } = this.portal;
    await this.page
      .context()
      .addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin, secure })));
  }

  /** Does what sends a form, and waits for the answer. */
  async sending(act: () => Promise<void>): Promise<void> {
    if (this.#scripts) await withAnswer(this.page, act);
    else await Promise.all([this.page.waitForEvent("load"), act()]);
  }

  /** Sends a form that is refused, and waits for the alert, which gets the focus. */
  async sendRefused(click: () => Promise<void>): Promise<void> {
    await this.sending(click);
    await expect(this.#scripts ? this.refusalInFocus : this.refusal).toBeVisible();
  }

  override async resendCode(phone: string): Promise<void> {
    const before = await this.portal.messagesTo(phone);
    const button = this.button("Wyślij kod ponownie");
    // Pressed again only after an answer that sent no message, so exactly one is sent.
    while ((await this.portal.messagesTo(phone)) === before) {
      // With scripts the button is off for a moment after a click.
      await expect(button).not.toHaveAttribute("aria-disabled", "true");
      await this.sending(() => button.click());
    }
    await expect(this.page.getByText("Wysłaliśmy nowy SMS o")).toBeVisible();
    expect(await this.portal.messagesTo(phone)).toBe(before + 1);
    await this.alive();
  }

  /** Counts the forms that are sent while something happens. */
  async countPosts(happens: () => Promise<void>): Promise<number> {
    let posts = 0;
    const count = (request: { method(): string }) => {
      if (request.method() === "POST") posts += 1;
    };
    this.page.on("request", count);
    await happens();
    this.page.off("request", count);
    return posts;
  }

  #place({ landmark, dialog, section, id, item, fact }: Place = {}): Locator {
    const everywhere = dialog !== undefined || id !== undefined;
    let at = this.page.locator(landmark ?? (everywhere ? "body" : "main"));
    if (dialog !== undefined) at = at.getByRole("dialog", { name: exactly(dialog) });
    if (section !== undefined)
      at = at
        .locator("section")
        .filter({ has: this.page.getByRole("heading", { name: exactly(section) }) })
        .first();
    if (id !== undefined) at = at.locator(`#${id}`);
    if (item !== undefined) at = at.getByRole("listitem").filter({ hasText: item }).first();
    if (fact !== undefined)
      at = at
        .locator("dl > div")
        .filter({ has: this.page.locator("dt", { hasText: fact }) })
        .locator("dd")
        .first();
    return at;
  }

  #offer(kind: Offer, words: Words | undefined, place?: Place): Locator {
    const at = this.#place(place);
    if (kind === "item")
      return at.getByRole("listitem").filter(words === undefined ? {} : { hasText: words });
    if (kind === "field") return at.locator("input:not([type=hidden]), select, textarea");
    const role = kind === "picture" ? "img" : kind;
    return at.getByRole(role, words === undefined ? {} : { name: exactly(words) });
  }
}

/** Exactly these words. Playwright puts a space before a hidden half of a name, and so before its colon. */
function exactly(words: Words): RegExp {
  return typeof words === "string" ? new RegExp(`^${spaced(words)}$`) : words;
}

function withSpaces(words: Words): RegExp {
  return typeof words === "string" ? new RegExp(spaced(words)) : words;
}

function spaced(words: string): string {
  return escaped(words)
    .replace(/\s+/g, String.raw`\s+`)
    .replaceAll(":", String.raw`\s?:`);
}

function escaped(words: string): string {
  return words.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
