import type { RequestOptions } from "~/contract/factors.server";
import type { Answer, Browser } from "./contract/browser";

/** A change that a session confirms, besides one of its factors: its calls, and its fields without the proof. */
export interface ProvenChange {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The field of the code. */
  readonly code: "authorizationCode" | "authToken";
  /** The same change to something else. */
  readonly otherwise: Readonly<Record<string, string>>;
}

/** All of them, for the customer with this username. */
export function provenChanges(username: string): Readonly<Record<string, ProvenChange>> {
  const documents = { password: "Dokument-Haslo-1" };
  const otherDocuments = { password: "Dokument-Haslo-2" };
  const [user, put] = [`/home/api/user/${username}`, "PUT"] as const;
  return {
    password: {
      method: "POST",
      path: `${user}/password-reset`,
      fields: { newPassword: "Zmienione-Haslo-1" },
      code: "authorizationCode",
      otherwise: { newPassword: "Zmienione-Haslo-2" },
    },
    "document password, the first": {
      method: put,
      path: "/cp/api/doc-pwd/create",
      fields: documents,
      code: "authToken",
      otherwise: otherDocuments,
    },
    "document password, another": {
      method: put,
      path: "/cp/api/doc-pwd/change",
      fields: otherDocuments,
      code: "authToken",
      otherwise: documents,
    },
    username: {
      method: "POST",
      path: `${user}/login-change`,
      fields: { newUsername: "inna.nazwa" },
      code: "authorizationCode",
      otherwise: { newUsername: "jeszcze.inna" },
    },
  };
}

/** Begins a change, in a way or in the account's first. */
export function begin(browser: Browser, { method, path }: ProvenChange, more: object = {}): Promise<Answer> {
  return browser.send(method, `${path}/init`, more);
}

/** Confirms a change with a code; the way that it comes from is part of `more`. */
export function confirmWith(
  browser: Browser,
  { method, path, fields, code }: ProvenChange,
  typed: string,
  more: object = {},
): Promise<Answer> {
  return browser.send(method, `${path}/confirm`, { ...fields, [code]: typed, ...more });
}

/** Confirms a change by what a passkey says. */
export function confirmByPasskey(
  browser: Browser,
  { method, path, fields }: ProvenChange,
  response: unknown,
  more: object = {},
): Promise<Answer> {
  return browser.send(method, `${path}/confirm`, { ...fields, response, method: "passkey", ...more });
}

/** The question for a passkey, in an answer to an init. */
export function optionsIn({ body }: Answer): RequestOptions {
  const { options } = body as { readonly options?: RequestOptions };
  if (!options) throw new Error(`no question for a passkey: ${JSON.stringify(body)}`);
  return options;
}
