import type { CallName } from "~/contract/calls.server";
import { FIRST_PASSWORD } from "../new-account";

/** A form, and the call that sending it makes. */
export interface SentForm {
  readonly path: string;
  readonly call: CallName;
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
  register: { ...register, call: "registerInit" },
  "set-password": {
    path: "/home/set-password",
    call: "registerConfirm",
    fields: { authorizationCode, ...newPassword },
    at: ["authorizationCode", "newPassword"],
    before: register,
  },
  "set-password, a new code": {
    path: "/home/set-password",
    call: "registerInit",
    fields: sendCode,
    at: ["authorizationCode", "newPassword"],
    before: register,
  },
  "reset-password-init": { ...reset, call: "passwordResetInit" },
  "reset-password-submit": {
    path: "/home/reset-password-submit",
    call: "passwordResetConfirm",
    fields: { authorizationCode, ...newPassword },
    at: ["authorizationCode", "newPassword"],
    before: reset,
  },
  "remind-login-init": { ...remind, call: "loginRemindInit" },
  "remind-login-submit": {
    path: "/home/remind-login-submit",
    call: "loginRemindConfirm",
    fields: { authorizationCode },
    at: ["authorizationCode"],
    before: remind,
  },
  "confirm-login": {
    path: "/home/confirm-login",
    call: "loginChangeInit",
    fields: { intent: "change" },
    signedIn: true,
  },
  "change-login": {
    path: "/home/change-login",
    call: "loginChangeConfirm",
    fields: { authorizationCode, ...newUsername },
    at: ["authorizationCode", "newUsername"],
    signedIn: true,
  },
  "change-login, from the profile": {
    path: "/home/change-login",
    call: "loginChangeInit",
    fields: sendCode,
    at: ["authorizationCode", "newUsername"],
    signedIn: true,
  },
  "change-password": {
    path: "/home/change-password",
    call: "passwordResetConfirm",
    fields: { authorizationCode, ...newPassword },
    at: ["authorizationCode", "newPassword"],
    signedIn: true,
  },
  "create-document-password": {
    path: "/home/create-document-password",
    call: "documentPasswordConfirm",
    fields: { authorizationCode, ...documentPassword },
    at: ["authorizationCode"],
    signedIn: true,
  },
  "change-document-password": {
    path: "/home/change-document-password",
    call: "documentPasswordConfirm",
    hasDocumentPassword: true,
    fields: { authorizationCode, ...documentPassword },
    at: ["authorizationCode"],
    signedIn: true,
  },
  "the profile's devices": {
    path: "/cp/profile",
    call: "deleteTrustedDevices",
    fields: { intent: "revoke-all" },
    signedIn: true,
  },
};
