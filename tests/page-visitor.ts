import type { RegisteredCustomer } from "./demo-customers";
import type { PublicPortal } from "./portal";

/** A visitor who uses pages: the steps that journeys share, whatever drives the browser. */
export abstract class PageVisitor {
  abstract readonly portal: PublicPortal;

  /** Opens an address and waits for the page's script, if scripts are on. */
  abstract open(path: string): Promise<void>;
  /** Waits until the browser is at this path, and for the page's script. */
  abstract lands(path: string): Promise<void>;
  /** Types into the field with this name, replacing its value. */
  abstract type(name: string, text: string): Promise<void>;
  /** Presses the button with these words. */
  abstract press(words: string): Promise<void>;

  /** Visits for the first time and accepts cookies. */
  async arrive(): Promise<void> {
    await this.open("/home");
    await this.lands("/home/cookies");
    await this.press("Akceptuję i przechodzę dalej");
    await this.lands("/home");
  }

  /** Fills in the sign-in form and sends it. */
  async login({ username, password }: Pick<RegisteredCustomer, "username" | "password">): Promise<void> {
    await this.type("username", username);
    await this.type("password", password);
    await this.press("Zaloguj się");
  }

  /** Goes as far as the screen that asks for the code. */
  async reachCode(customer: RegisteredCustomer): Promise<void> {
    await this.arrive();
    await this.login(customer);
    await this.lands("/home/mfa");
  }

  /** Types a code and confirms it. */
  async confirm(code: string): Promise<void> {
    await this.type("authorizationCode", code);
    await this.press("Potwierdź");
  }

  /** Goes as far as the customer area. */
  async signIn(customer: RegisteredCustomer): Promise<void> {
    await this.reachCode(customer);
    await this.confirm(await this.portal.lastCode(customer.phone));
    await this.lands("/cp");
  }
}
