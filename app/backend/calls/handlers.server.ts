import type { CALLS, CallName, CallResponse, ReadRequest } from "~/contract/calls.server";
import type { PdfFile } from "~/contract/pdf-file.server";
import { type Outcome, done } from "~/contract/refusal.server";
import type { Caller } from "../audit/audit-event.server";
import {
  type Cookie,
  type Issued,
  type SetsCookies,
  confirmedCookies,
  issuedCookies,
  signedOutCookies,
} from "./cookies.server";
import type { Dependencies } from "../dependencies.server";
import { activity } from "../accounts/activity.server";
import { policies, policy } from "../documents/policy.server";
import { confirmDocumentPassword, startDocumentPassword } from "../accounts/document-password.server";
import { endListedSession, endOtherSessions, listSessions } from "../accounts/open-sessions.server";
import { confirmPasswordReset, startPasswordReset } from "../accounts/password-reset.server";
import { keepOldPhone } from "../accounts/new-phone.server";
import { profile, userInfo } from "../accounts/profile.server";
import { confirmRegistration, startRegistration } from "../accounts/registration.server";
import { confirmUsernameChange, startUsernameChange } from "../accounts/username-change.server";
import { confirmReminder, startReminder } from "../accounts/username-reminder.server";
import { document } from "../documents/document.server";
import { confirmApp, prepareApp } from "../factors/add-app.server";
import { confirmPasskey, preparePasskey } from "../factors/add-passkey.server";
import {
  listFactors,
  removeFactor,
  keptRecoveryCode,
  replaceRecoveryCode,
  startChange,
  switchSms,
} from "../factors/change-factors.server";
import { offeredKinds, passkeysSignIn } from "../factors/relying-party.server";
import { confirmActivation, startActivation } from "../sign-in/activation.server";
import { confirmPasskeySignIn, startPasskeySignIn } from "../sign-in/passkey-sign-in.server";
import { signIn, signOut } from "../sign-in/sign-in.server";
import { forgetAllDevices, forgetDevice } from "../sign-in/trusted-devices.server";
import type { ActiveSession, Session } from "../sign-in/sessions.server";

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

type Empty = Record<string, never>;

/** A service that answers one call. */
type Service<Name extends CallName, Value> = (
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<Name>,
  session: SessionFor[(typeof CALLS)[Name]["access"]],
) => Promise<Outcome<Value>>;

/** How a service's value becomes an answer. */
interface Answering {
  /** Whether the call exists for this caller; left out: it does. */
  readonly isOffered?: (deps: Dependencies, caller: Caller) => boolean;
  /** Over HTTP: 204 instead of `{}`. */
  readonly isEmpty?: boolean;
  /** The body is a document instead of JSON. */
  readonly isFile?: boolean;
}

/**
 * How one call is answered: with what its service returns, or `{}` for nothing; without the tokens, if it sets cookies.
 * The payload has passed the call's schema, and the session its `access` check: the service of an `active` call runs with
 * an active session or not at all.
 */
export type Handler<Name extends CallName, Body = CallResponse<Name>> = Answering &
  (
    | { readonly run: Service<Name, Body extends Empty ? undefined : Body> }
    | {
        readonly run: Service<Name, Body extends Empty ? Issued : Body & Issued>;
        readonly cookies: SetsCookies;
      }
    | { readonly run: Service<Name, undefined>; readonly cookies: SetsCookies; readonly isEmpty: true }
  );

/** The service behind each call, and how its result becomes an answer. */
export const HANDLERS: { readonly [Name in CallName]: Handler<Name> } = {
  login: { run: signIn, cookies: issuedCookies },
  passkeySignInInit: { run: startPasskeySignIn, isOffered: passkeysSignIn },
  passkeySignInConfirm: { run: confirmPasskeySignIn, cookies: confirmedCookies, isOffered: passkeysSignIn },
  userInit: { run: () => Promise.resolve(done(undefined)) },
  userInfo: { run: userInfo },
  deleteSession: { run: signOut, cookies: signedOutCookies, isEmpty: true },
  activateSessionInit: { run: startActivation },
  activateSessionConfirm: { run: confirmActivation, cookies: confirmedCookies },
  registerInit: { run: startRegistration },
  registerConfirm: { run: confirmRegistration, cookies: confirmedCookies },
  passwordResetInit: { run: startPasswordReset },
  passwordResetConfirm: { run: confirmPasswordReset, cookies: confirmedCookies },
  loginChangeInit: { run: startUsernameChange },
  loginChangeConfirm: { run: confirmUsernameChange },
  loginRemindInit: { run: startReminder },
  loginRemindConfirm: { run: confirmReminder },
  documentPasswordInit: { run: startDocumentPassword },
  documentPasswordConfirm: { run: confirmDocumentPassword },
  deleteTrustedDevice: { run: forgetDevice, isEmpty: true },
  deleteTrustedDevices: { run: forgetAllDevices, isEmpty: true },
  policies: { run: policies },
  policy: { run: policy },
  document: { run: document, isFile: true },
  profile: { run: profile },
  sessions: { run: listSessions },
  endSession: { run: endListedSession, isEmpty: true },
  endOtherSessions: { run: endOtherSessions, isEmpty: true },
  activity: { run: activity },
  stopNewPhone: { run: keepOldPhone },
  factors: { run: listFactors },
  factorsInit: { run: startChange },
  appPrepare: { run: prepareApp, isOffered: addsApp },
  appConfirm: { run: confirmApp, isOffered: addsApp },
  passkeyPrepare: { run: preparePasskey, isOffered: addsPasskey },
  passkeyConfirm: { run: confirmPasskey, isOffered: addsPasskey },
  newRecoveryCode: { run: replaceRecoveryCode },
  recoveryCodeKept: { run: keptRecoveryCode },
  smsAtSignIn: { run: switchSms },
  removeFactor: { run: removeFactor },
};

function addsApp(deps: Dependencies, caller: Caller): boolean {
  return offeredKinds(deps, caller).includes("app");
}

function addsPasskey(deps: Dependencies, caller: Caller): boolean {
  return offeredKinds(deps, caller).includes("passkey");
}

/** The answer to a successful call. */
export interface Reply {
  readonly body: object;
  readonly cookies: readonly Cookie[];
  readonly isEmpty: boolean;
  readonly isFile: boolean;
}

/** Whether a reply is a document. */
export function isFileReply(reply: Reply): reply is Reply & { readonly body: PdfFile } {
  return reply.isFile;
}

/** A handler of any call. */
interface AnyHandler extends Answering {
  readonly run: (
    ...args: [deps: Dependencies, caller: Caller, payload: unknown, session: unknown]
  ) => Promise<Outcome<Partial<Issued> | undefined>>;
  readonly cookies?: SetsCookies;
}

/** Runs the service behind a call. The payload has passed its schema, and the session its access check. */
export async function handle(
  name: CallName,
  deps: Dependencies,
  caller: Caller,
  payload: unknown,
  admitted: unknown,
): Promise<Outcome<Reply>> {
  const { run, cookies, isEmpty = false, isFile = false } = HANDLERS[name] as AnyHandler;
  const outcome = await run(deps, caller, payload, admitted);
  if (outcome.kind !== "done") return outcome;
  if (!cookies) return done({ body: outcome.value ?? {}, cookies: [], isEmpty, isFile });
  const { session, devices = {}, ...body } = outcome.value ?? {};
  return done({ body, cookies: cookies(deps, caller, { session, devices }), isEmpty, isFile });
}
