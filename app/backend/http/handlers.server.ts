import type { CallName, ReadRequest } from "~/contract/calls.server";
import type { Caller } from "../caller.server";
import type { Said } from "../http/answers.server";
import type { Outcome } from "../outcome.server";
import type { Parts } from "../parts.server";
import {
  loginChangeConfirm,
  loginChangeInit,
  loginRemindConfirm,
  loginRemindInit,
  passwordResetConfirm,
  passwordResetInit,
  registerConfirm,
  registerInit,
} from "./account-flows.server";
import {
  deleteTrustedDevice,
  deleteTrustedDevices,
  documentPasswordConfirm,
  documentPasswordInit,
  policies,
  profile,
} from "./customer-area.server";
import {
  activateSessionConfirm,
  activateSessionInit,
  deleteSession,
  login,
  userInfo,
  userInit,
} from "./sign-in.server";

/** Answers one call: payload in, as its schema read it; what came of it out. */
export type Handler<Name extends CallName> = (
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<Name>,
) => Promise<Outcome<Said>>;

/** Who answers which call. */
export const HANDLERS: { readonly [Name in CallName]: Handler<Name> } = {
  login,
  userInit,
  userInfo,
  deleteSession,
  activateSessionInit,
  activateSessionConfirm,
  registerInit,
  registerConfirm,
  passwordResetInit,
  passwordResetConfirm,
  loginChangeInit,
  loginChangeConfirm,
  loginRemindInit,
  loginRemindConfirm,
  documentPasswordInit,
  documentPasswordConfirm,
  deleteTrustedDevice,
  deleteTrustedDevices,
  policies,
  profile,
};
