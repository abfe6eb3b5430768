import { z } from "zod";
import { illegalDocumentCharacter, unmetConditions, usernameFault } from "./rules";

/**
 * Every call between the portal and a backend: method, path, what goes in and what comes back (specification §7,
 * backend contract). The embedded backend checks requests with these schemas, the portal checks answers with them.
 */
const NOT_STORABLE = /[\0\p{Surrogate}]/u;
const MAX_TEXT = 4000;

/** Any text that a database can keep: no NUL, no lone surrogate, at most 4000 code units (specification §9). */
const text = z
  .string()
  .max(MAX_TEXT)
  .refine((value) => !NOT_STORABLE.test(value));

const newPassword = text.refine((value) => unmetConditions(value).length === 0);
const newUsername = text.refine((value) => usernameFault(value) === undefined);
const documentPassword = newPassword.refine((value) => illegalDocumentCharacter(value) === undefined);

const nothing = z.object({});
const sendCode = z.object({ resend: z.boolean().optional() });
const ofUsername = { username: text };
const ofMode = { mode: z.enum(["create", "change"]) };

/**
 * Who may make a call: anyone at any time (`always`), anyone whose session is not waiting for its code (`open`, else
 * 409), whoever has a session (`session`, else 401), or only an active one (`active`, else 401 or 409).
 */
export type Access = "always" | "open" | "session" | "active";

function call<Request extends z.ZodType, Response extends z.ZodType>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: `/home/api/${string}` | `/cp/api/${string}`,
  access: Access,
  request: Request,
  response: Response,
) {
  return { method, path, access, request, response } as const;
}

/**
 * The calls by name. A reader of §7 finds each row here. What a path names in braces is a field of the request that
 * travels in the path, the rest in the body.
 */
export const CALLS = {
  login: call(
    "POST",
    "/home/api/auth/login",
    "always",
    z.object({ username: text, password: text }),
    nothing,
  ),
  userInit: call("POST", "/home/api/user/init", "active", nothing, nothing),
  userInfo: call(
    "GET",
    "/home/api/user/info",
    "session",
    nothing,
    z.object({ name: z.string(), username: z.string() }),
  ),
  deleteSession: call("DELETE", "/home/api/session", "always", nothing, nothing),
  activateSessionInit: call("POST", "/home/api/user/activate-session/init", "session", sendCode, nothing),
  activateSessionConfirm: call(
    "POST",
    "/home/api/user/activate-session/confirm",
    "session",
    z.object({ authorizationCode: text, deviceName: text.max(100), trustDevice: z.enum(["Y", "N"]) }),
    nothing,
  ),
  registerInit: call(
    "POST",
    "/home/api/user/register/init",
    "open",
    sendCode.extend({ policyNo: text, pid: text }),
    nothing,
  ),
  registerConfirm: call(
    "POST",
    "/home/api/user/register/confirm",
    "open",
    z.object({ authorizationCode: text, password: newPassword, pid: text, policyNo: text }),
    nothing,
  ),
  passwordResetInit: call(
    "POST",
    "/home/api/user/{username}/password-reset/init",
    "open",
    sendCode.extend(ofUsername),
    nothing,
  ),
  passwordResetConfirm: call(
    "POST",
    "/home/api/user/{username}/password-reset/confirm",
    "open",
    z.object({ ...ofUsername, newPassword, authorizationCode: text }),
    nothing,
  ),
  loginChangeInit: call(
    "POST",
    "/home/api/user/{username}/login-change/init",
    "active",
    sendCode.extend(ofUsername),
    nothing,
  ),
  loginChangeConfirm: call(
    "POST",
    "/home/api/user/{username}/login-change/confirm",
    "active",
    z.object({ ...ofUsername, newUsername, authorizationCode: text }),
    nothing,
  ),
  loginRemindInit: call(
    "POST",
    "/home/api/user/login-remind/init",
    "open",
    sendCode.extend({ policyNo: text }),
    nothing,
  ),
  loginRemindConfirm: call(
    "POST",
    "/home/api/user/login-remind/confirm",
    "open",
    z.object({ authorizationCode: text, policyNo: text }),
    z.object({ username: z.string() }),
  ),
  documentPasswordInit: call(
    "PUT",
    "/cp/api/doc-pwd/{mode}/init",
    "active",
    sendCode.extend(ofMode),
    nothing,
  ),
  documentPasswordConfirm: call(
    "PUT",
    "/cp/api/doc-pwd/{mode}/confirm",
    "active",
    z.object({ ...ofMode, authToken: text, password: documentPassword }),
    nothing,
  ),
  deleteTrustedDevice: call(
    "DELETE",
    "/cp/api/trusted-devices/{id}",
    "active",
    z.object({ id: text }),
    nothing,
  ),
  deleteTrustedDevices: call("DELETE", "/cp/api/trusted-devices", "active", nothing, nothing),
  policies: call(
    "GET",
    "/cp/api/policies",
    "active",
    nothing,
    z.object({
      policies: z.array(
        z.object({ policyNo: z.string(), name: z.string(), validFrom: z.iso.date(), validTo: z.iso.date() }),
      ),
    }),
  ),
  profile: call(
    "GET",
    "/cp/api/profile",
    "active",
    nothing,
    z.object({
      name: z.string(),
      username: z.string(),
      documentPassword: z.boolean(),
      trustedDevices: z.array(
        z.object({
          id: z.string(),
          deviceName: z.string(),
          trustedAt: z.iso.datetime(),
          expiresAt: z.iso.datetime(),
        }),
      ),
    }),
  ),
} as const;

/** The name of a call. */
export type CallName = keyof typeof CALLS;
/** What a caller sends. */
export type CallRequest<Name extends CallName> = z.input<(typeof CALLS)[Name]["request"]>;
/** What a backend works with: what was sent, as the schema read it. */
export type ReadRequest<Name extends CallName> = z.output<(typeof CALLS)[Name]["request"]>;
/** What a backend answers when it does what it was asked. */
export type CallResponse<Name extends CallName> = z.output<(typeof CALLS)[Name]["response"]>;
