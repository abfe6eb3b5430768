import type { Access } from "~/contract/calls.server";

/** The forms of the portal: docs/screens.md. */
export interface Form {
  readonly path: string;
  readonly query: string;
  readonly fields: readonly string[];
  readonly intents: readonly string[];
  /** The addresses it leads to if it isn't refused; any other means that the visitor didn't belong there. */
  readonly leadsTo: readonly string[];
}

function form(
  path: string,
  fields: readonly string[],
  leadsTo: readonly string[],
  intents: readonly string[] = [],
): Form {
  return { path, fields, leadsTo, intents, query: path === "/home" ? "?index" : "" };
}

/** A form that takes a code: resend leads to its own page. */
function codeForm(path: string, fields: readonly string[], next: string, back: string): Form {
  return form(path, ["authorizationCode", ...fields], [next, path, back], ["confirm", "send-code", "back"]);
}

const NEW_PASSWORD = ["newPassword", "newPasswordRepeat"];
const DOCUMENT_PASSWORD = ["password", "passwordRepeat"];
const SAVED = "/cp/profile?document-password-save-result=";
const FACTORS = "/cp/profile#factors";

/** Every form, by the last part of its address. */
export const FORMS = {
  home: form("/home", ["username", "password"], ["/home/mfa", "/cp"]),
  mfa: codeForm("/home/mfa", ["trustDevice", "method"], "/cp", "/home"),
  register: form("/home/register", ["policyNo", "pid"], ["/home/set-password"]),
  "set-password": codeForm("/home/set-password", NEW_PASSWORD, "/home/confirm-login", "/home/register"),
  "reset-password-init": form("/home/reset-password-init", ["username"], ["/home/reset-password-submit"]),
  "reset-password-submit": codeForm(
    "/home/reset-password-submit",
    NEW_PASSWORD,
    "/cp",
    "/home/reset-password-init",
  ),
  "remind-login-init": form("/home/remind-login-init", ["policyNo"], ["/home/remind-login-submit"]),
  "remind-login-submit": codeForm(
    "/home/remind-login-submit",
    [],
    "/home/remind-login-final",
    "/home/remind-login-init",
  ),
  "remind-login-final": form("/home/remind-login-final", ["username", "password"], ["/home/mfa", "/cp"]),
  "confirm-login": form("/home/confirm-login", [], ["/home/change-login"], ["change"]),
  "change-login": codeForm("/home/change-login", ["newUsername", "newUsernameRepeat"], "/cp", "/cp/profile"),
  "change-password": codeForm("/home/change-password", NEW_PASSWORD, "/cp/profile", "/cp/profile"),
  "create-document-password": codeForm(
    "/home/create-document-password",
    DOCUMENT_PASSWORD,
    `${SAVED}create`,
    "/cp/profile",
  ),
  "change-document-password": codeForm(
    "/home/change-document-password",
    DOCUMENT_PASSWORD,
    `${SAVED}change`,
    "/cp/profile",
  ),
  "add-app": codeForm("/home/add-app", ["method"], "/home/add-app", FACTORS),
  "recovery-code": codeForm("/home/recovery-code", ["method"], "/home/recovery-code", FACTORS),
  profile: form(
    "/cp/profile",
    ["device", "session"],
    ["/cp/profile"],
    ["revoke", "revoke-all", "end-session", "end-other-sessions"],
  ),
  cookies: form("/home/cookies", [], ["/home"], ["accept"]),
  logout: form("/home/logout", [], ["/home/logout", "/home"], ["sign-out", "to-login"]),
} as const satisfies Record<string, Form>;

/** The name of a form. */
export type FormName = keyof typeof FORMS;
/** The names of all forms. */
export const FORM_NAMES = Object.keys(FORMS) as readonly FormName[];

/** One right form on the way to a state: a form, and its button if it isn't the main one. */
export interface Way {
  readonly form: FormName;
  readonly intent?: string;
}

/** A place where a visitor can be: the right forms that lead there, and the form that belongs there. */
export interface State {
  readonly name: string;
  readonly way: readonly Way[];
  readonly own: FormName;
  /** The access of the calls that belong there. */
  readonly calls: readonly Access[];
}

const ACCEPT: readonly Way[] = [{ form: "cookies" }];
const PENDING: readonly Way[] = [...ACCEPT, { form: "home" }];
const SIGNED_IN: readonly Way[] = [...PENDING, { form: "mfa" }];

function signedOut(own: FormName, ...way: readonly Way[]): State {
  return { name: `at ${own}`, way: [...ACCEPT, ...way], own, calls: ["always", "open", "signed-out"] };
}

function signedIn(own: FormName, ...way: readonly Way[]): State {
  return { name: `at ${own}`, way: [...SIGNED_IN, ...way], own, calls: ["active", "session", "open"] };
}

/** Every state a visitor can be in: signed out, in the middle of each journey, pending, signed in. */
export const STATES: readonly State[] = [
  { name: "without consent", way: [], own: "cookies", calls: ["always", "open", "signed-out"] },
  signedOut("home"),
  { name: "pending", way: PENDING, own: "mfa", calls: ["session", "session-or-repeat"] },
  signedOut("register"),
  signedOut("set-password", { form: "register" }),
  signedOut("reset-password-init"),
  signedOut("reset-password-submit", { form: "reset-password-init" }),
  signedOut("remind-login-init"),
  signedOut("remind-login-submit", { form: "remind-login-init" }),
  signedOut("remind-login-final", { form: "remind-login-init" }, { form: "remind-login-submit" }),
  signedIn("confirm-login"),
  signedIn("change-login", { form: "confirm-login", intent: "change" }),
  signedIn("change-password", { form: "change-password", intent: "send-code" }),
  signedIn("create-document-password", { form: "create-document-password", intent: "send-code" }),
  signedIn(
    "change-document-password",
    { form: "create-document-password", intent: "send-code" },
    { form: "create-document-password" },
    { form: "change-document-password", intent: "send-code" },
  ),
  signedIn("add-app", { form: "add-app", intent: "send-code" }),
  signedIn("recovery-code", { form: "recovery-code", intent: "send-code" }),
  signedIn("profile"),
  signedIn("logout"),
];
