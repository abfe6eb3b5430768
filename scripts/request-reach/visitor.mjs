import { URLSearchParams } from "node:url";

/** The headers that a browser sends with each request for a page. */
const BROWSER = {
  "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "Accept-Language": "pl,en-US;q=0.7,en;q=0.3",
  "Accept-Encoding": "identity",
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Site": "same-origin",
  "Sec-Fetch-User": "?1",
};

/** A browser without scripts: keeps cookies, follows no redirects, and throws when redirected elsewhere. */
export class Visitor {
  #cookies = new Map();
  #portal;

  /** @param {import("./portal.mjs").Portal} portal */
  constructor(portal) {
    this.#portal = portal;
  }

  /**
   * Opens a page.
   * @param {string} path
   */
  async get(path) {
    const { status, body } = await this.#send("GET", path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body.slice(0, 300)}`);
  }

  /**
   * Sends a form.
   * @param {string} path
   * @param {Record<string, string>} fields
   * @param {string} location where the answer must redirect to
   */
  async post(path, fields, location) {
    const form = { "Content-Type": "application/x-www-form-urlencoded", Origin: this.#portal.origin };
    const { status, headers, body } = await this.#send(
      "POST",
      path,
      form,
      new URLSearchParams(fields).toString(),
    );
    if (headers.location !== location)
      throw new Error(
        `POST ${path} redirects to ${headers.location}, not to ${location}: ${status} ${body.slice(0, 300)}`,
      );
  }

  async #send(method, path, headers, body) {
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await this.#portal.ask(
      method,
      path,
      { ...BROWSER, ...(cookies !== "" && { Cookie: cookies }), ...headers },
      body,
    );
    for (const line of answer.headers["set-cookie"] ?? []) this.#keep(line);
    return answer;
  }

  #keep(line) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/;\s*max-age=0/i.test(line)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
