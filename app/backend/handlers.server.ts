import { parseCookie } from "cookie";
import type { CALLS, CallName, CallResponse, ReadRequest } from "~/contract/calls.server";
import type { PdfFile } from "~/contract/pdf-file.server";
import type { Limits } from "~/platform/config/limits";
import { DAY, SECOND, secondsUntil } from "~/platform/time.server";
import { type Outcome, done } from "~/contract/refusal.server";
import type { Caller } from "./audit-event.server";
import type { Dependencies } from "./dependencies.server";
import { activity } from "./services/accounts/activity.server";
import { policies } from "./services/documents/policy.server";
import { confirmDocumentPassword, startDocumentPassword } from "./services/accounts/document-password.server";
import { endListedSession, endOtherSessions, listSessions } from "./services/accounts/open-sessions.server";
import { confirmPasswordReset, startPasswordReset } from "./services/accounts/password-reset.server";
import { keepOldPhone } from "./services/accounts/new-phone.server";
import { profile, userInfo } from "./services/accounts/profile.server";
import { confirmRegistration, startRegistration } from "./services/accounts/registration.server";
import { confirmUsernameChange, startUsernameChange } from "./services/accounts/username-change.server";
import { confirmReminder, startReminder } from "./services/accounts/username-reminder.server";
import { document } from "./services/documents/document.server";
import { confirmApp, prepareApp } from "./services/factors/add-app.server";
import { confirmPasskey, preparePasskey } from "./services/factors/add-passkey.server";
import {
  listFactors,
  removeFactor,
  keptRecoveryCode,
  replaceRecoveryCode,
  startChange,
  switchSms,
} from "./services/factors/change-factors.server";
import { policy } from "./services/documents/policy.server";
import { confirmActivation, startActivation } from "./services/sign-in/activation.server";
import { confirmPasskeySignIn, startPasskeySignIn } from "./services/sign-in/passkey-sign-in.server";
import { signIn, signOut } from "./services/sign-in/sign-in.server";
import {
  DEVICE_COOKIES,
  type SignInTokens,
  forgetAllDevices,
  forgetDevice,
} from "./services/sign-in/trusted-devices.server";
import type { ActiveSession, Session } from "./services/sign-in/sessions.server";

/** The session that a call's handler receives, for each kind of access. */
export interface SessionFor {
  readonly always: undefined;
  readonly "signed-out": undefined;
  readonly open: ActiveSession | undefined;
  readonly session: Session;
  /** The refusal is passed on: the handler answers with it unless the call is a repeat. */
  readonly "session-or-repeat": Outcome<Session>;
  readonly active: ActiveSession;
}

/** The names of the backend's cookies. */
export const COOKIE_NAMES = ["session", "browser", ...DEVICE_COOKIES] as const;
/** The backend's cookies. Each holds a random token and nothing else. */
type CookieName = (typeof COOKIE_NAMES)[number];

/** A cookie for the browser. Without an age (in seconds) it lasts until the browser is closed; 0 deletes it. */
export interface Cookie {
  readonly name: CookieName;
  readonly value: string;
  readonly maxAge?: number;
}

/** The values of a caller's cookies; not checked yet for being tokens. */
export type Tokens = Readonly<Partial<Record<CookieName, string | undefined>>>;

/**
 * Answers one call. The payload has passed the call's schema, and the session its `access` check: a handler of an
 * `active` call runs with an active session or not at all.
 */
export type Handler<Name extends CallName> = (
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<Name>,
  session: SessionFor[(typeof CALLS)[Name]["access"]],
) => Promise<Outcome<Reply<CallResponse<Name>>>>;

/** The service behind each call, and how its result becomes an answer. */
export const HANDLERS: { readonly [Name in CallName]: Handler<Name> } = {
  login: signInCookies(signIn),
  passkeySignInInit: json(startPasskeySignIn),
  passkeySignInConfirm: confirmedCookies(confirmPasskeySignIn),
  userInit: nothing(() => Promise.resolve(done(undefined))),
  userInfo: json(userInfo),
  deleteSession: clearsSession(signOut),
  activateSessionInit: json(startActivation),
  activateSessionConfirm: trustCookies(confirmActivation),
  registerInit: nothing(startRegistration),
  registerConfirm: confirmedCookies(confirmRegistration),
  passwordResetInit: json(startPasswordReset),
  passwordResetConfirm: confirmedCookies(confirmPasswordReset),
  loginChangeInit: json(startUsernameChange),
  loginChangeConfirm: json(confirmUsernameChange),
  loginRemindInit: nothing(startReminder),
  loginRemindConfirm: json(confirmReminder),
  documentPasswordInit: json(startDocumentPassword),
  documentPasswordConfirm: json(confirmDocumentPassword),
  deleteTrustedDevice: noContent(forgetDevice),
  deleteTrustedDevices: noContent(forgetAllDevices),
  policies: json(policies),
  policy: json(policy),
  document: file(document),
  profile: json(profile),
  sessions: json(listSessions),
  endSession: noContent(endListedSession),
  endOtherSessions: noContent(endOtherSessions),
  activity: json(activity),
  stopNewPhone: nothing(keepOldPhone),
  factors: json(listFactors),
  factorsInit: json(startChange),
  appPrepare: json(prepareApp),
  appConfirm: json(confirmApp),
  passkeyPrepare: json(preparePasskey),
  passkeyConfirm: json(confirmPasskey),
  newRecoveryCode: json(replaceRecoveryCode),
  recoveryCodeKept: nothing(keptRecoveryCode),
  smsAtSignIn: nothing(switchSms),
  removeFactor: nothing(removeFactor),
};

/** The answer to a successful call. */
export interface Reply<Body = object> {
  readonly body: Body;
  readonly cookies?: readonly Cookie[];
  /** Over HTTP: 204 instead of `{}`. */
  readonly isEmpty?: true;
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
function file<Args extends readonly unknown[]>(
  service: Service<Args, PdfFile>,
): Service<Args, Reply<PdfFile>> {
  return reply(service, (body) => ({ body, isFile: true }));
}

/** Answers `{}`. */
function nothing<Args extends readonly unknown[]>(
  service: Service<Args, undefined>,
): Service<Args, Reply<Empty>> {
  return reply(service, () => ({ body: {} }));
}

/** Answers 204. */
function noContent<Args extends readonly unknown[]>(
  service: Service<Args, undefined>,
): Service<Args, Reply<Empty>> {
  return reply<Args, undefined, Empty>(service, () => ({ body: {}, isEmpty: true }));
}

/** Answers 204 and deletes the session cookie. */
function clearsSession<Args extends readonly unknown[]>(
  service: Service<Args, undefined>,
): Service<Args, Reply<Empty>> {
  return reply<Args, undefined, Empty>(service, () => ({
    body: {},
    isEmpty: true,
    cookies: [{ name: "session", value: "", maxAge: 0 }],
  }));
}

/** Answers `{}` and sets the session cookie, and those of trusted devices that change. */
function signInCookies<Args extends readonly [Dependencies, ...(readonly unknown[])]>(
  service: Service<Args, SignInTokens>,
): Service<Args, Reply<Empty>> {
  return reply(service, (tokens, [deps]) => ({ body: {}, cookies: cookiesOf(deps, tokens) }));
}

/**
 * Answers with the rest of what the confirm returns, and sets the session cookie to its token, if any. Renews the
 * browser's cookie, so that it lives as long as the account knows the browser.
 */
function confirmedCookies<
  Args extends readonly [Dependencies, Caller, ...(readonly unknown[])],
  Body extends object,
>(
  service: Service<Args, Body & { readonly session: string | undefined }>,
): Service<Args, Reply<Omit<Body, "session">>> {
  return reply(service, ({ session: token, ...body }, [{ limits }, caller]) => ({
    body,
    cookies: [...(token === undefined ? [] : [session(token)]), browserCookie(limits, caller)],
  }));
}

/** The cookie that tells one browser from another. */
export function browserCookie({ KNOWN_BROWSER_DAYS }: Limits, { browser }: Pick<Caller, "browser">): Cookie {
  return { name: "browser", value: browser, maxAge: (KNOWN_BROWSER_DAYS * DAY) / SECOND };
}

function session(value: string): Cookie {
  return { name: "session", value };
}

/** Like `signInCookies`, with the new recovery code if there is one, and renews the browser's cookie. */
function trustCookies<Args extends readonly [Dependencies, Caller, ...(readonly unknown[])]>(
  service: Service<Args, SignInTokens & { readonly recoveryCode?: string }>,
): Service<Args, Reply<{ recoveryCode?: string }>> {
  return reply(service, ({ recoveryCode, ...tokens }, [deps, caller]) => ({
    body: recoveryCode === undefined ? {} : { recoveryCode },
    cookies: [...cookiesOf(deps, tokens), browserCookie(deps.limits, caller)],
  }));
}

/** A device's cookie lives as long as the device is trusted. */
function cookiesOf({ clock }: Dependencies, { session: token, devices }: SignInTokens): Cookie[] {
  const changed = DEVICE_COOKIES.filter((name) => name in devices).map((name) => {
    const { token: value = "", endsAt = 0 } = devices[name] ?? {};
    return { name, value, maxAge: value === "" ? 0 : secondsUntil(endsAt, clock()) };
  });
  return [session(token), ...changed];
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

/** Reads and writes the cookies. With an https origin they are `__Host-` and Secure (S53). */
export interface Cookies {
  /** Reads their values from a `Cookie` header. */
  readonly read: (header: string | undefined) => Tokens;
  /** A `Set-Cookie` line. */
  readonly line: (cookie: Cookie) => string;
}

/** The cookies of a portal at this origin. */
export function cookiesAt(publicOrigin: string | undefined): Cookies {
  const isSecure = publicOrigin?.startsWith("https:") === true;
  const nameOf = (name: Cookie["name"]) => (isSecure ? `__Host-${name}` : name);
  return {
    read(header = "") {
      const sent = parseCookie(header);
      return Object.fromEntries(COOKIE_NAMES.map((name) => [name, sent[nameOf(name)]]));
    },
    line({ name, value, maxAge }) {
      const age = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
      return `${nameOf(name)}=${value}${age}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
    },
  };
}
