import { z } from "zod";
import {
  changeBegun,
  confirmationBegun,
  factorList,
  factorName,
  givesRecoveryCode,
  mayGiveRecoveryCode,
  newPasskey,
  passkeyAnswer,
  passkeySignInBegun,
  preparedApp,
  preparedPasskey,
  proof,
  proofMethod,
  signInMethod,
  sixDigits,
} from "./factors.server";
import { activity, policy, policyPage, profile, sessions } from "./customer-area.server";
import { pdfFile } from "./pdf-file.server";
import {
  fitsMethod,
  isCode,
  isNumber,
  isRecoveryCode,
  MAX_TEXT_LENGTH,
  MOST_DEVICE_NAME,
  PASSWORD_LENGTH,
  USERNAME_LENGTH,
  NOT_STORABLE,
  illegalDocumentCharacter,
  unmetConditions,
  brokenUsernameRule,
} from "./rules";

/** Text that any database can store (specification §9). */
const text = z
  .string()
  .max(MAX_TEXT_LENGTH)
  .refine((value) => !NOT_STORABLE.test(value));

const USERNAME = "Trimmed and compared in NFC, regardless of case.";
const NEW_PASSWORD = `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} code points in NFC, with an upper-case letter (Polish ones count), a digit and a special character. Never trimmed, cleaned or truncated.`;
const PASSWORD = `Compared as is. A new one: ${NEW_PASSWORD} A document password may only have the letters \`A–Z a–z\`.`;

/** Required text. White space alone doesn't count, except in passwords, which are never trimmed. */
const required = text.refine((value) => value.trim() !== "");
const password = text.refine((value) => value !== "").describe(PASSWORD);
/** A policy number or a personal identifier. */
const number = text.refine(isNumber);
/** A code for a sign-in or a change: one-time, of an app, or for recovery. `method` says which. */
const anyCode = text
  .refine((value) => isCode(value) || isRecoveryCode(value))
  .describe(
    "The one-time code, or one of an app: six digits; white space is ignored. The recovery code: 24 characters of base32; case, dashes and white space don't count. Anything else is 422 and costs no try.",
  );

/** Whether a field that breaks its rule costs no try: then nothing can be compared. */
export function costsNoTry(name: CallName, field: string): boolean {
  const rules: readonly z.ZodType[] = [
    sixDigits,
    anyCode,
    signInMethod,
    proofMethod,
    passkeyAnswer,
    newPasskey,
  ];
  const shape: Readonly<Record<string, z.ZodType>> = CALLS[name].request.shape;
  return Object.entries(shape).some(
    ([known, rule]) =>
      known === field &&
      rules.some((one) => one === rule || (rule instanceof z.ZodOptional && one === rule.unwrap())),
  );
}

const newPassword = text.refine((value) => unmetConditions(value).length === 0);
const newUsername = text.refine((value) => brokenUsernameRule(value) === undefined);
const documentPassword = newPassword.refine((value) => illegalDocumentCharacter(value) === undefined);

const deviceName = text.max(MOST_DEVICE_NAME).describe("`{browser}, {system}`");
// A field means the same in every call; its description says the rest of its rule.
const nothing = z.object({});
const ofId = z.object({
  id: text.describe(
    "The id from the list: of a trusted device, a session, a policy, a document or a factor.",
  ),
});
const sendCode = z.object({
  resend: z
    .boolean()
    .optional()
    .describe(
      "True if the visitor asked for another code. Without it, a code that was sent a moment ago is not sent again.",
    ),
});
/** Identifies the customer whose username a reminder shows. */
export const ofPolicyNo = {
  policyNo: number.describe("The number of a policy or an application. Trimmed; case is ignored."),
};
/** Identifies the customer who registers. */
export const registrant = {
  ...ofPolicyNo,
  pid: number.describe(
    "A PESEL, the number of an identity document, or a NIP without dashes. Trimmed; case is ignored.",
  ),
};
/** Identifies the account whose password or username is replaced. */
export const ofUsername = { username: text.describe(USERNAME) };
const ofMode = {
  mode: z
    .enum(["create", "change"])
    .describe("Whether there was a document password before. It makes no difference."),
};

/** How something is confirmed in a session. */
const inWay = { method: signInMethod };

/** For a code that doesn't fit its method. Checked even if another field breaks its rule: a missing code costs no try. */
function onCode(field: "authorizationCode" | "authToken") {
  // But not without any fields.
  return { path: [field], when: ({ value }: { readonly value: unknown }) => value !== undefined };
}

/**
 * The access to a call. A backend checks this before anything else.
 * - `always`: anyone at any time
 * - `signed-out`: anyone without an active session, as a sign-in replaces a pending one; else 409
 * - `open`: anyone whose session is not waiting for its code; else 409
 * - `session`: anyone with a session; else 401
 * - `session-or-repeat`: like `session`, but a repeat of a confirm that has just succeeded gets the first answer again,
 *   although the first one replaced the session that both were sent with
 * - `active`: only an active session; else 401 or 409
 */
export type Access = "always" | "signed-out" | "open" | "session" | "session-or-repeat" | "active";

function call<Allowed extends Access, Request extends z.ZodType, Response extends z.ZodType>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: `/home/api/${string}` | `/cp/api/${string}`,
  access: Allowed,
  request: Request,
  response: Response,
) {
  const onlyAsks: boolean = method === "GET";
  return { method, path, access, request, response, onlyAsks, mayBeMissing: false } as const;
}

/** A call that may be answered 404: for another customer's id, or by a backend that doesn't offer it. */
function optional<Request extends z.ZodType, Response extends z.ZodType>(
  method: "GET" | "PUT" | "DELETE",
  path: `/cp/api/${string}`,
  request: Request,
  response: Response,
) {
  return { ...call(method, path, "active", request, response), mayBeMissing: true } as const;
}

/**
 * Every call between the portal and a backend: method, path, request and response (specification §7, backend contract).
 * The embedded backend checks requests with these schemas, and the portal checks answers with them. A field named in
 * braces travels in the path; the others travel in the body.
 */
export const CALLS = {
  login: call(
    "POST",
    "/home/api/auth/login",
    "always",
    z.object({ username: required.describe(USERNAME), password }),
    nothing,
  ),
  passkeySignInInit: {
    ...call("POST", "/home/api/auth/passkey/init", "signed-out", nothing, passkeySignInBegun),
    mayBeMissing: true,
  },
  passkeySignInConfirm: {
    ...call(
      "POST",
      "/home/api/auth/passkey/confirm",
      "signed-out",
      z.object({ response: passkeyAnswer, deviceName: deviceName.optional() }),
      nothing,
    ),
    mayBeMissing: true,
  },
  // It changes nothing, although the specification makes it a POST.
  userInit: { ...call("POST", "/home/api/user/init", "active", nothing, nothing), onlyAsks: true },
  userInfo: call(
    "GET",
    "/home/api/user/info",
    "session",
    nothing,
    z.object({ name: z.string(), username: z.string() }),
  ),
  deleteSession: call("DELETE", "/home/api/session", "always", nothing, nothing),
  activateSessionInit: call(
    "POST",
    "/home/api/user/activate-session/init",
    "session",
    sendCode.extend(inWay),
    confirmationBegun,
  ),
  activateSessionConfirm: call(
    "POST",
    "/home/api/user/activate-session/confirm",
    "session-or-repeat",
    z
      .object({
        authorizationCode: anyCode.optional(),
        response: passkeyAnswer.optional(),
        deviceName,
        trustDevice: z.enum(["Y", "N"]),
        ...inWay,
      })
      .refine(fitsMethod, onCode("authorizationCode")),
    mayGiveRecoveryCode,
  ),
  registerInit: call("POST", "/home/api/user/register/init", "open", sendCode.extend(registrant), nothing),
  registerConfirm: call(
    "POST",
    "/home/api/user/register/confirm",
    "open",
    z.object({ authorizationCode: sixDigits, password: newPassword.describe(PASSWORD), ...registrant }),
    nothing,
  ),
  passwordResetInit: call(
    "POST",
    "/home/api/user/{username}/password-reset/init",
    "open",
    sendCode.extend({ ...ofUsername, ...inWay }),
    confirmationBegun,
  ),
  passwordResetConfirm: call(
    "POST",
    "/home/api/user/{username}/password-reset/confirm",
    "open",
    z
      .object({
        ...ofUsername,
        newPassword: newPassword.describe(NEW_PASSWORD),
        authorizationCode: anyCode.optional(),
        response: passkeyAnswer.optional(),
        ...inWay,
      })
      .refine(fitsMethod, onCode("authorizationCode")),
    mayGiveRecoveryCode,
  ),
  loginChangeInit: call(
    "POST",
    "/home/api/user/{username}/login-change/init",
    "active",
    sendCode.extend({ ...ofUsername, ...inWay }),
    confirmationBegun,
  ),
  loginChangeConfirm: call(
    "POST",
    "/home/api/user/{username}/login-change/confirm",
    "active",
    z
      .object({
        ...ofUsername,
        newUsername: newUsername.describe(
          `${USERNAME_LENGTH.min} to ${USERNAME_LENGTH.max} characters: letters \`A–Z a–z\` and Polish ones, digits, \`@ . - _\`; at least one ASCII letter. Trimmed; unique regardless of case.`,
        ),
        authorizationCode: anyCode.optional(),
        response: passkeyAnswer.optional(),
        ...inWay,
      })
      .refine(fitsMethod, onCode("authorizationCode")),
    mayGiveRecoveryCode,
  ),
  loginRemindInit: call(
    "POST",
    "/home/api/user/login-remind/init",
    "open",
    sendCode.extend(ofPolicyNo),
    nothing,
  ),
  loginRemindConfirm: call(
    "POST",
    "/home/api/user/login-remind/confirm",
    "open",
    z.object({ authorizationCode: sixDigits, ...ofPolicyNo }),
    z.object({ username: z.string() }),
  ),
  documentPasswordInit: call(
    "PUT",
    "/cp/api/doc-pwd/{mode}/init",
    "active",
    sendCode.extend({ ...ofMode, ...inWay }),
    confirmationBegun,
  ),
  documentPasswordConfirm: call(
    "PUT",
    "/cp/api/doc-pwd/{mode}/confirm",
    "active",
    z
      .object({
        ...ofMode,
        authToken: anyCode.optional(),
        password: documentPassword.describe(PASSWORD),
        response: passkeyAnswer.optional(),
        ...inWay,
      })
      .refine(
        ({ method, authToken }) => fitsMethod({ method, authorizationCode: authToken }),
        onCode("authToken"),
      ),
    mayGiveRecoveryCode,
  ),
  deleteTrustedDevice: call("DELETE", "/cp/api/trusted-devices/{id}", "active", ofId, nothing),
  deleteTrustedDevices: call("DELETE", "/cp/api/trusted-devices", "active", nothing, nothing),
  policies: call("GET", "/cp/api/policies", "active", nothing, z.object({ policies: z.array(policy) })),
  policy: optional("GET", "/cp/api/policies/{id}", ofId, policyPage),
  document: optional("GET", "/cp/api/documents/{id}", ofId, pdfFile),
  profile: call("GET", "/cp/api/profile", "active", nothing, profile),
  sessions: optional("GET", "/cp/api/sessions", nothing, sessions),
  endSession: optional("DELETE", "/cp/api/sessions/{id}", ofId, nothing),
  endOtherSessions: optional("DELETE", "/cp/api/sessions", nothing, nothing),
  activity: optional("GET", "/cp/api/activity", nothing, activity),
  stopNewPhone: optional("PUT", "/cp/api/new-phone/stop", z.object(proof), nothing),
  factors: optional("GET", "/cp/api/factors", nothing, factorList),
  factorsInit: optional("PUT", "/cp/api/factors/init", sendCode.extend({ method: proofMethod }), changeBegun),
  appPrepare: optional("PUT", "/cp/api/factors/app/prepare", z.object(proof), preparedApp),
  appConfirm: optional(
    "PUT",
    "/cp/api/factors/app/confirm",
    z.object({ ...ofId.shape, code: sixDigits, name: factorName }),
    mayGiveRecoveryCode,
  ),
  passkeyPrepare: optional("PUT", "/cp/api/factors/passkey/prepare", z.object(proof), preparedPasskey),
  passkeyConfirm: optional(
    "PUT",
    "/cp/api/factors/passkey/confirm",
    z.object({ ...ofId.shape, response: newPasskey, name: factorName }),
    mayGiveRecoveryCode,
  ),
  newRecoveryCode: optional("PUT", "/cp/api/factors/recovery-code", z.object(proof), givesRecoveryCode),
  recoveryCodeKept: optional("PUT", "/cp/api/factors/recovery-code/kept", nothing, nothing),
  smsAtSignIn: optional("PUT", "/cp/api/factors/sms", z.object({ ...proof, on: z.boolean() }), nothing),
  removeFactor: optional("PUT", "/cp/api/factors/remove", z.object({ ...proof, ...ofId.shape }), nothing),
} as const;

/** The name of a call in `CALLS`. */
export type CallName = keyof typeof CALLS;

/** The calls that may be missing, or that a backend has to offer. */
export type CallMayBeMissing<May extends boolean> = {
  [Name in CallName]: (typeof CALLS)[Name]["mayBeMissing"] extends May ? Name : never;
}[CallName];
/** The calls that may be answered 404, for a thing with this id. */
export type CallById = {
  [Name in CallMayBeMissing<true>]: { id: string } extends CallRequest<Name> ? Name : never;
}[CallMayBeMissing<true>];
/** The calls that every backend offers and that take no fields. */
export type CallForAll = {
  [Name in CallMayBeMissing<false>]: CallRequest<Name> extends Record<string, never> ? Name : never;
}[CallMayBeMissing<false>];

/** The fields a caller sends. */
export type CallRequest<Name extends CallName> = z.input<(typeof CALLS)[Name]["request"]>;
/** A request as its schema has parsed it, for the backend to work with. */
export type ReadRequest<Name extends CallName> = z.output<(typeof CALLS)[Name]["request"]>;
/** The body of a successful answer. */
export type CallResponse<Name extends CallName> = z.output<(typeof CALLS)[Name]["response"]>;
