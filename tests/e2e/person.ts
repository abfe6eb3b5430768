import { expect, type Locator, type Page } from "@playwright/test";
import { PageVisitor } from "../page-visitor";
import type { PublicPortal } from "../portal";
import { withAnswer } from "./requests-of-a-page";

/** A visitor in Playwright's browser, with or without scripts. */
export class Person extends PageVisitor {
  readonly page: Page;
  readonly portal: PublicPortal;
  readonly #scripts: boolean;

  constructor(page: Page, portal: PublicPortal, scripts: boolean) {
    super();
    this.page = page;
    this.portal = portal;
    this.#scripts = scripts;
  }

  /** The value of a secret field after its form was refused: scripts keep the typed text, the server never sends it. */
  secretAfterRefusal(typed: string): string {
    return this.#scripts ? typed : "";
  }

  field(name: string): Locator {
    return this.page.locator(`main [name="${name}"]`);
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
    await this.page.goto(path);
    await this.alive();
  }

  /** Waits until the enhancements have started; the script marks the document then. */
  async alive(): Promise<void> {
    if (this.#scripts)
      await this.page.waitForFunction(() => document.documentElement.dataset["scripts"] === "on");
  }

  override async lands(path: string): Promise<void> {
    await expect(this.page).toHaveURL(path);
    await this.alive();
  }

  override async type(name: string, text: string): Promise<void> {
    await this.field(name).fill(text);
  }

  override async press(words: string): Promise<void> {
    await this.button(words).click();
  }

  /** Sends a form and waits for the answer. */
  async send(click: () => Promise<void>): Promise<void> {
    if (this.#scripts) await withAnswer(this.page, click);
    else await Promise.all([this.page.waitForEvent("load"), click()]);
  }

  /** Sends a form that is refused, and waits for the alert, which gets the focus. */
  async sendRefused(click: () => Promise<void>): Promise<void> {
    await this.send(click);
    await expect(this.#scripts ? this.refusalInFocus : this.refusal).toBeVisible();
  }

  /**
   * Asks for another code until it is sent. The button has no effect for a moment after the last message. It is pressed
   * again only after an answer that sent no message, so exactly one is sent.
   */
  async resendCode(phone: string): Promise<void> {
    const before = await this.portal.messagesTo(phone);
    const button = this.button("Wyślij kod ponownie");
    while ((await this.portal.messagesTo(phone)) === before) {
      // With scripts the button is off for a moment after a click.
      await expect(button).not.toHaveAttribute("aria-disabled", "true");
      await this.send(() => button.click());
    }
    await expect(this.page.getByText("Wysłaliśmy nowy SMS o")).toBeVisible();
    expect(await this.portal.messagesTo(phone)).toBe(before + 1);
    await this.alive();
  }

  /** Signs out with the link in the header and its question. */
  async signOut(): Promise<void> {
    await this.page.getByRole("banner").getByRole("link", { name: "Wyloguj się" }).click();
    const question = this.page.getByRole("dialog", { name: "Czy chcesz się wylogować?" });
    await expect(question).toBeVisible();
    await question.getByRole("button", { name: "Wyloguj się" }).click();
    await this.lands("/home/logout");
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
}
