import { Browser } from "../../tests/contract/browser";
import type { Way } from "../../tests/contract/way";
import { customerNumber, PASSWORD } from "./accounts";
import type { KeepAliveClient } from "./keep-alive";
import { addressNumber } from "./sign-in-load";

/** One of the bench's customers, who signs in by API. Each step throws at another status than the expected one. */
export class ApiCustomer {
  readonly phone: string;
  readonly #username: string;
  readonly #browser: Browser;

  constructor(client: KeepAliveClient, nth: number) {
    const { username, phone } = customerNumber(nth);
    this.phone = phone;
    this.#username = username;
    this.#browser = new Browser(transportOver(client), addressNumber(nth));
  }

  /** Sends the password; afterwards the session waits for its code. */
  async login(): Promise<void> {
    await expectStatus(200, this.#browser.login({ username: this.#username, password: PASSWORD }));
  }

  /** Asks who the customer is and for the session's state, then for the code. */
  async askForCode(): Promise<void> {
    await expectStatus(200, this.#browser.get("/home/api/user/info"));
    await expectStatus(409, this.#browser.post("/home/api/user/init"));
    await expectStatus(200, this.#browser.askForCode());
  }

  /** Sends the code; afterwards the customer is signed in. */
  async confirm(authorizationCode: string): Promise<void> {
    await expectStatus(200, this.#browser.confirm(authorizationCode));
  }
}

async function expectStatus(expected: number, answer: Promise<{ readonly status: number }>): Promise<void> {
  const { status } = await answer;
  if (status !== expected) throw new Error(`a step of a sign-in: ${status} instead of ${expected}`);
}

/** The client reads only status and cookies, so the answers have no body. */
function transportOver(client: KeepAliveClient): Way {
  return {
    fetch: async (path, { method = "GET", headers, body } = {}) => {
      const { status, setCookies } = await client.send({
        method,
        path,
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === "string" && { body }),
      });
      return new Response(null, { status, headers: setCookies.map((line) => ["Set-Cookie", line]) });
    },
    outbox: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
}
