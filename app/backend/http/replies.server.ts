import type { PdfFile } from "~/contract/pdf-file.server";
import type { Limits } from "~/platform/config/limits";
import type { Caller } from "../caller.server";
import { DAY, SECOND, secondsUntil } from "../clock.server";
import { done, type Outcome } from "../outcome.server";
import type { Dependencies } from "../dependencies.server";
import type { SignInTokens } from "../services/sign-in/device-tokens.server";
import type { Cookie } from "./cookies.server";

/** The answer to a successful call: 200 with a body, 204 without one. */
export interface Reply<Body = object> {
  readonly body: Body | undefined;
  readonly cookies?: readonly Cookie[];
  /** The body is a document instead of JSON. */
  readonly isFile?: true;
}

/** Whether a reply is a document. */
export function isFileReply(reply: Reply): reply is Reply<PdfFile> & { readonly body: PdfFile } {
  return reply.isFile === true;
}

type Service<Args extends readonly unknown[], Value> = (...args: Args) => Promise<Outcome<Value>>;
type Empty = Record<string, never>;

/** Answers with what the service returns. */
export function json<Args extends readonly unknown[], Body extends object>(
  service: Service<Args, Body>,
): Service<Args, Reply<Body>> {
  return reply(service, (body) => ({ body }));
}

/** Answers with the document that the service returns. */
export function file<Args extends readonly unknown[]>(
  service: Service<Args, PdfFile>,
): Service<Args, Reply<PdfFile>> {
  return reply(service, (body) => ({ body, isFile: true }));
}

/** Answers `{}`. */
export function nothing<Args extends readonly unknown[]>(
  service: Service<Args, undefined>,
): Service<Args, Reply<Empty>> {
  return reply(service, () => ({ body: {} }));
}

/** Answers 204. */
export function noContent<Args extends readonly unknown[]>(
  service: Service<Args, undefined>,
): Service<Args, Reply<Empty>> {
  return reply<Args, undefined, Empty>(service, () => ({ body: undefined }));
}

/** Answers 204 and deletes the session cookie. */
export function clearsSession<Args extends readonly unknown[]>(
  service: Service<Args, undefined>,
): Service<Args, Reply<Empty>> {
  return reply<Args, undefined, Empty>(service, () => ({
    body: undefined,
    cookies: [{ name: "session", value: "", maxAge: 0 }],
  }));
}

/** Answers `{}` and sets the session cookie, and the trusted device's if there is one. */
export function signInCookies<Args extends readonly [Dependencies, ...(readonly unknown[])]>(
  service: Service<Args, SignInTokens>,
): Service<Args, Reply<Empty>> {
  return reply(service, (tokens, [deps]) => ({ body: {}, cookies: cookiesOf(deps, tokens) }));
}

/**
 * Answers `{}` and sets the session cookie to the token that the confirm returns, if any. Renews the browser's cookie,
 * so that it lives as long as the account knows the browser.
 */
export function confirmedCookies<Args extends readonly [Dependencies, Caller, ...(readonly unknown[])]>(
  service: Service<Args, string | undefined>,
): Service<Args, Reply<Empty>> {
  return reply(service, (value, [{ limits }, caller]) => ({
    body: {},
    cookies: [...(value === undefined ? [] : [session(value)]), browserCookie(limits, caller)],
  }));
}

/** The cookie that tells one browser from another. */
export function browserCookie({ KNOWN_BROWSER_DAYS }: Limits, { browser }: Pick<Caller, "browser">): Cookie {
  return { name: "browser", value: browser, maxAge: (KNOWN_BROWSER_DAYS * DAY) / SECOND };
}

function session(value: string): Cookie {
  return { name: "session", value };
}

/** Like `signInCookies`, and renews the browser's cookie. */
export function trustCookies<Args extends readonly [Dependencies, Caller, ...(readonly unknown[])]>(
  service: Service<Args, SignInTokens>,
): Service<Args, Reply<Empty>> {
  return reply(service, (tokens, [deps, caller]) => ({
    body: {},
    cookies: [...cookiesOf(deps, tokens), browserCookie(deps.limits, caller)],
  }));
}

/** The device's cookie lives as long as the device is trusted. */
function cookiesOf({ clock }: Dependencies, { session: token, trustedDevice }: SignInTokens): Cookie[] {
  if (!trustedDevice) return [session(token)];
  const maxAge = secondsUntil(trustedDevice.endsAt, clock());
  return [session(token), { name: "trusted-device", value: trustedDevice.token, maxAge }];
}

function reply<Args extends readonly unknown[], Value, Body>(
  service: Service<Args, Value>,
  replyTo: (value: Value, args: Args) => Reply<Body>,
): Service<Args, Reply<Body>> {
  return async (...args) => {
    const outcome = await service(...args);
    return outcome.kind === "done" ? done(replyTo(outcome.value, args)) : outcome;
  };
}
