import { FIRST_PASSWORD } from "../new-account";

/** A form, and the call that sending it makes. */
export interface SentForm {
  readonly path: string;
  readonly call: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The fields that can show errors of the catalogue. */
  readonly at?: readonly string[];
  readonly signedIn?: true;
  readonly hasDocumentPassword?: true;
  /** The form that must be sent first to reach this one. */
  readonly before?: Readonly<{ path: string; fields: Readonly<Record<string, string>> }>;
}

const authorizationCode = "123456";
const newPassword = { newPassword: FIRST_PASSWORD, newPasswordRepeat: FIRST_PASSWORD };
const documentPassword = { password: FIRST_PASSWORD, passwordRepeat: FIRST_PASSWORD };
const newUsername = { newUsername: "nowa.nazwa", newUsernameRepeat: "nowa.nazwa" };
const claim = { policyNo: "POL-100001", pid: "85021400129" };
const register = { path: "/home/register", fields: claim };
const reset = { path: "/home/reset-password-init", fields: { username: "anna.nowak" } };
const remind = { path: "/home/remind-login-init", fields: { policyNo: "POL-100001" } };
const sendCode = { intent: "send-code" };

/** Every form that a backend can refuse, except the sign-in form. */
export const SENT_FORMS: Readonly<Record<string, SentForm>> = {
  register: { ...register, call: "/register/init" },
  "set-password": {
    path: "/home/set-password",
    call: "/register/confirm",
    fields: { authorizationCode, ...newPassword },
    at: ["authorizationCode", "newPassword"],
    before: register,
  },
  "set-password, a new code": {
    path: "/home/set-password",
    call: "/register/init",
    fields: sendCode,
    at: ["authorizationCode", "newPassword"],
    before: register,
  },
  "reset-password-init": { ...reset, call: "/password-reset/init" },
  "reset-password-submit": {
    path: "/home/reset-password-submit",
    call: "/password-reset/confirm",
    fields: { authorizationCode, ...newPassword },
    at: ["authorizationCode", "newPassword"],
    before: reset,
  },
  "remind-login-init": { ...remind, call: "/login-remind/init" },
  "remind-login-submit": {
    path: "/home/remind-login-submit",
    call: "/login-remind/confirm",
    fields: { authorizationCode },
    at: ["authorizationCode"],
    before: remind,
  },
  "confirm-login": {
    path: "/home/confirm-login",
    call: "/login-change/init",
    fields: { intent: "change" },
    signedIn: true,
  },
  "change-login": {
    path: "/home/change-login",
    call: "/login-change/confirm",
    fields: { authorizationCode, ...newUsername },
    at: ["authorizationCode", "newUsername"],
    signedIn: true,
  },
  "change-login, from the profile": {
    path: "/home/change-login",
    call: "/login-change/init",
    fields: sendCode,
    at: ["authorizationCode", "newUsername"],
    signedIn: true,
  },
  "change-password": {
    path: "/home/change-password",
    call: "/password-reset/confirm",
    fields: { authorizationCode, ...newPassword },
    at: ["authorizationCode", "newPassword"],
    signedIn: true,
  },
  "create-document-password": {
    path: "/home/create-document-password",
    call: "/doc-pwd/create/confirm",
    fields: { authorizationCode, ...documentPassword },
    at: ["authorizationCode"],
    signedIn: true,
  },
  "change-document-password": {
    path: "/home/change-document-password",
    call: "/doc-pwd/change/confirm",
    hasDocumentPassword: true,
    fields: { authorizationCode, ...documentPassword },
    at: ["authorizationCode"],
    signedIn: true,
  },
  "the profile's devices": {
    path: "/cp/profile",
    call: "/trusted-devices",
    fields: { intent: "revoke-all" },
    signedIn: true,
  },
};
