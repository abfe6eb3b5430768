import type { CALLS, CallName, CallResponse, ReadRequest } from "~/contract/calls.server";
import type { Caller } from "../caller.server";
import { done, type Outcome } from "../outcome.server";
import type { Dependencies } from "../dependencies.server";
import { activity } from "../services/accounts/activity.server";
import { policies } from "../services/accounts/customers.server";
import {
  confirmDocumentPassword,
  startDocumentPassword,
} from "../services/accounts/document-password.server";
import { endListedSession, endOtherSessions, listSessions } from "../services/accounts/open-sessions.server";
import { confirmPasswordReset, startPasswordReset } from "../services/accounts/password-reset.server";
import { profile, userInfo } from "../services/accounts/profile.server";
import { confirmRegistration, startRegistration } from "../services/accounts/registration.server";
import { confirmUsernameChange, startUsernameChange } from "../services/accounts/username-change.server";
import { confirmReminder, startReminder } from "../services/accounts/username-reminder.server";
import { document } from "../services/documents/document.server";
import { policy } from "../services/documents/policy.server";
import { confirmActivation, startActivation } from "../services/sign-in/activation.server";
import { signIn } from "../services/sign-in/sign-in.server";
import { signOut } from "../services/sign-in/sign-out.server";
import { forgetAllDevices, forgetDevice } from "../services/sign-in/trusted-devices.server";
import type { SessionFor } from "./access.server";
import {
  clearsSession,
  confirmedCookies,
  file,
  json,
  noContent,
  nothing,
  signInCookies,
  trustCookies,
  type Reply,
} from "./replies.server";

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
  loginChangeConfirm: nothing(confirmUsernameChange),
  loginRemindInit: nothing(startReminder),
  loginRemindConfirm: json(confirmReminder),
  documentPasswordInit: json(startDocumentPassword),
  documentPasswordConfirm: nothing(confirmDocumentPassword),
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
};
