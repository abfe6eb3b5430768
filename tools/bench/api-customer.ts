import { customerNumber, PASSWORD } from "./accounts";
import type { KeepAliveClient } from "./keep-alive";
import { addressNumber } from "./sign-in-load";

const JSON_TYPE = { "Content-Type": "application/json" };

/** One of the bench's customers, who signs in by API. */
export class ApiCustomer {
  readonly phone: string;
  readonly #username: string;
  readonly #address: string;
  readonly #client: KeepAliveClient;
  readonly #cookies = new Map<string, string>();

  constructor(client: KeepAliveClient, nth: number) {
    const { username, phone } = customerNumber(nth);
    this.phone = phone;
    this.#username = username;
    this.#address = addressNumber(nth);
    this.#client = client;
  }

  /** Sends the password; afterwards the session waits for its code. */
  async login(): Promise<void> {
    await this.#call("POST", "/home/api/auth/login", 200, { username: this.#username, password: PASSWORD });
  }

  /** Asks who the customer is and for the session's state, then for the code. */
  async askForCode(): Promise<void> {
    await this.#call("GET", "/home/api/user/info", 200);
    await this.#call("POST", "/home/api/user/init", 409, {});
    await this.#call("POST", "/home/api/user/activate-session/init", 200, {});
  }

  /** Sends the code; afterwards the customer is signed in. */
  async confirm(authorizationCode: string): Promise<void> {
    await this.#call("POST", "/home/api/user/activate-session/confirm", 200, {
      authorizationCode,
      deviceName: "bench",
      trustDevice: "N",
    });
  }

  async #call(method: string, path: string, expected: number, payload?: object): Promise<void> {
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const { status, setCookies } = await this.#client.send({
      method,
      path,
      headers: {
        "X-Forwarded-For": this.#address,
        ...(cookies !== "" && { Cookie: cookies }),
        ...(payload && JSON_TYPE),
      },
      ...(payload && { body: JSON.stringify(payload) }),
    });
    if (status !== expected) throw new Error(`${method} ${path}: ${status} instead of ${expected}`);
    for (const line of setCookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
  }
}
