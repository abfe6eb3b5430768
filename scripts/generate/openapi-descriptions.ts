import type { CallName } from "../../app/contract/calls.server";
import { MOST_DEVICE_NAME } from "../../app/contract/rules";
import { LIMITS } from "../../app/platform/config/limits";

/** A call in the words of the published contract, in addition to its schemas. */
interface CallDescription {
  readonly tag: "signing in" | "registration" | "password" | "username" | "customer area" | "second factors";
  readonly summary: string;
  readonly description?: string;
  /** A refusal besides the codes of the error catalogue, whose rows name their calls. */
  readonly refusal?: "document-password-missing";
}

const SAME_ANSWER =
  "The answer is the same, in status, headers, body and timing, whether or not the details match a customer.";

const NOT_OFFERED = "A backend that doesn't offer the call answers 404.";
const NOT_ONES_OWN =
  "Somebody else's is answered 404, like one that doesn't exist, after the same time. A backend that doesn't offer the call answers 404, too.";

const PROOF = `\`authorizationCode\` with \`method\` proves that the customer may; for ${LIMITS.FACTOR_RECOVERY_SECONDS / 60} minutes after a sign-in by a recovery code it may be missing.`;

/** The calls in words (specification §7). */
export const DESCRIPTIONS: Readonly<Record<CallName, CallDescription>> = {
  login: {
    tag: "signing in",
    summary: "Signs in with username and password",
    description: `Starts a pending session, or an active one if the browser has a valid trusted-device cookie of this customer. The account's state (105, 106, 108) is revealed only to callers with the right password. A timed lock is revealed to anyone, for unknown usernames too: of ${LIMITS.PASSWORD_TRIES} wrong passwords in a row the last is itself answered 106 with \`retryAfterSeconds\`. The 101 before the last try may say so with \`triesLeft\` 1. Optional: each sign-in from a trusted device changes its cookie; \`Max-Age\` is what remains of the ${LIMITS.TRUSTED_DEVICE_DAYS} days. The old cookie stays good until the new one has been used, and leads to the same new one; after that it removes the device, and a code is needed.`,
  },
  passkeySignInInit: {
    tag: "signing in",
    summary: "Begins a sign-in by passkey",
    description: `Optional. The options name no passkey (\`allowCredentials\` is empty) and ask for user verification. The challenge is of this browser, is good for ${LIMITS.PASSKEY_CHALLENGE_SECONDS / 60} minutes and for one answer; with a fourth one the oldest ends. ${NOT_OFFERED} The portal then offers no sign-in by passkey.`,
  },
  passkeySignInConfirm: {
    tag: "signing in",
    summary: "Signs in with a passkey",
    description: `Starts an active session, as after password and second factor. 007, with the same words after the same work: an unknown passkey, an answer that doesn't verify, one without user verification. The account's state (105, 106, 108) is told after a right signature only; a timed lock by wrong passwords doesn't matter. ${NOT_OFFERED}`,
  },
  userInit: {
    tag: "signing in",
    summary: "Checks whether the session is active",
  },
  userInfo: {
    tag: "signing in",
    summary: "Returns who is signed in",
    description:
      "Also answers while the session is pending. For a company, the name is its representative's.",
  },
  deleteSession: {
    tag: "signing in",
    summary: "Signs out",
    description:
      "Ends the session and clears its cookie; without a session it does nothing. Codes for changes that an active session asked for expire. If the portal gets no answer within a second, it expires the `session` cookie itself.",
  },
  activateSessionInit: {
    tag: "signing in",
    summary: "Sends the code that activates a pending session",
    description:
      "For an account with second factors (optional) the answer has `methods`, what the account can use now, and the `method` that is taken: the one asked for, or the first. A code is sent only if that is `sms`.",
  },
  activateSessionConfirm: {
    tag: "signing in",
    summary: "Activates a pending session with its code",
    description: `With \`trustDevice\` \`Y\` the browser gets a trusted-device cookie for ${LIMITS.TRUSTED_DEVICE_DAYS} days. With \`method\` \`recovery\` all trusted devices end first, and the answer has a new \`recoveryCode\`.`,
  },
  registerInit: {
    tag: "registration",
    summary: "Sends the code for a registration",
    description: `${SAME_ANSWER} 014 means that the policy number and the identifier belong together and the customer already has an account.`,
  },
  registerConfirm: {
    tag: "registration",
    summary: "Creates an account and signs in",
    description: "The username is generated (`klient` and eight digits); the session is active.",
  },
  passwordResetInit: {
    tag: "password",
    summary: "Sends the code for a new password",
    description: `Serves both the password reset (without a session) and the password change (with one). ${SAME_ANSWER}`,
  },
  passwordResetConfirm: {
    tag: "password",
    summary: "Sets a new password with a code",
    description: `Ends all other sessions of the customer (one that changes its own password goes on under a new id), removes all trusted devices and lifts a timed lock. One sign-in from the same browser within ${LIMITS.LOGIN_PASS_SECONDS / 60} minutes needs no second code. 013 (one of the last ${LIMITS.PASSWORD_HISTORY} passwords) is revealed only after a right code.`,
  },
  loginChangeInit: {
    tag: "username",
    summary: "Sends the code for a username change",
    description: `Only for the customer's own username; a foreign one is 422 on \`username\`. 015 after ${LIMITS.USERNAME_CHANGES} changes in ${LIMITS.USERNAME_CHANGE_DAYS} days.`,
  },
  loginChangeConfirm: {
    tag: "username",
    summary: "Changes the username with a code",
    description: "Sessions and trusted devices stay. A foreign username is 422 on `username`.",
  },
  loginRemindInit: {
    tag: "username",
    summary: "Sends the code for a username reminder",
    description: SAME_ANSWER,
  },
  loginRemindConfirm: {
    tag: "username",
    summary: "Returns the username for a code",
  },
  documentPasswordInit: {
    tag: "customer area",
    summary: "Sends the code for a document password",
  },
  documentPasswordConfirm: {
    tag: "customer area",
    summary: "Sets the document password with a code",
    description:
      "Either mode works whether or not there is a document password. The portal password is refused: 422 on `password`.",
  },
  deleteTrustedDevice: { tag: "customer area", summary: "Removes a trusted device" },
  deleteTrustedDevices: { tag: "customer area", summary: "Removes all trusted devices" },
  policies: {
    tag: "customer area",
    summary: "Lists the customer's policies",
    description:
      "A policy with an `id` has a page: a backend that sends `id` offers the policy and its documents. Addresses use it, never the policy number, so it must be opaque.",
  },
  policy: {
    tag: "customer area",
    summary: "Returns a policy with its documents",
    description: `Optional. ${NOT_ONES_OWN}`,
  },
  document: {
    tag: "customer area",
    summary: "Gives out a document",
    description: `Optional. A PDF of at most 10 MB with the document's name in \`Content-Disposition\`; the first byte within ${LIMITS.BACKEND_MS / 1000} seconds, then at most ${LIMITS.DOCUMENT_PAUSE_MS / 1000} seconds between two pieces. A protected document is encrypted with the customer's document password (AES-256, revision 6 of ISO 32000-2). ${NOT_ONES_OWN}`,
    refusal: "document-password-missing",
  },
  profile: {
    tag: "customer area",
    summary:
      "Returns the customer's name and username, whether there is a document password, and the trusted devices",
    description:
      "Optional: `phone`, the number that codes go to, masked like `••• ••• 001`; `lastSignIn`, the sign-in before the one of this session; `thisDevice`, the id of the trusted device that this browser is.",
  },
  sessions: {
    tag: "customer area",
    summary: "Lists where the customer is signed in",
    description: `Optional. Only active sessions, the one last used first. ${NOT_OFFERED}`,
  },
  endSession: {
    tag: "customer area",
    summary: "Ends one of the customer's sessions",
    description: `Optional. The session is out at its next request. ${NOT_ONES_OWN}`,
  },
  stopNewPhone: {
    tag: "customer area",
    summary: "Stops a new phone number that isn't in use yet",
    description: `Optional. Codes go on to the old number; done, too, if no number waits. ${PROOF} ${NOT_OFFERED}`,
  },
  endOtherSessions: {
    tag: "customer area",
    summary: "Ends all sessions of the customer but this one",
    description: `Optional. ${NOT_OFFERED}`,
  },
  activity: {
    tag: "customer area",
    summary: "Lists what happened to the account",
    description: `Optional. The last ${LIMITS.ACTIVITY_EVENTS} events of the last ${LIMITS.ACTIVITY_DAYS} days, newest first. ${NOT_OFFERED}`,
  },
  factors: {
    tag: "second factors",
    summary: "Lists the customer's second factors, and the kinds that they may add",
    description: `Optional, as all calls about factors. \`sms\`: whether a code by SMS confirms a sign-in. ${NOT_OFFERED} The portal then shows nothing of factors.`,
  },
  factorsInit: {
    tag: "second factors",
    summary: "Begins to confirm a change of factors",
    description: `With \`method\` \`sms\`, or none, it sends a code. A method that the account can't use is 422 on \`method\`. Where nothing can be compared for now, and no SMS would change that: 429. ${NOT_OFFERED}`,
  },
  appPrepare: {
    tag: "second factors",
    summary: "Makes the secret of a new authenticator app",
    description: `The app counts only once \`appConfirm\` has seen a right code of it. A second call replaces the first; it is good for ${LIMITS.FACTOR_PREPARED_SECONDS / 60} minutes in this session. More than ${LIMITS.FACTORS_APPS} apps are 422 on \`kind\`. ${PROOF} ${NOT_OFFERED}`,
  },
  appConfirm: {
    tag: "second factors",
    summary: "Adds an authenticator app",
    description: `\`code\` is one of the app (RFC 6238: SHA-1, six digits, 30 seconds; a step before or after is right, too). 010 if the secret was replaced, is too old, belongs to another session, or has had five wrong codes. The first factor of an account comes with a recovery code. The other trusted devices end. ${NOT_OFFERED}`,
  },
  passkeyPrepare: {
    tag: "second factors",
    summary: "Says what a device needs to make a new passkey",
    description: `\`options\` is for \`PublicKeyCredential.parseCreationOptionsFromJSON()\`. The passkey counts only once \`passkeyConfirm\` has seen what the device made. A second call replaces the first; it is good for ${LIMITS.PASSKEY_CHALLENGE_SECONDS / 60} minutes in this session. More than ${LIMITS.FACTORS_PASSKEYS} passkeys are 422 on \`kind\`. ${PROOF} ${NOT_OFFERED}`,
  },
  passkeyConfirm: {
    tag: "second factors",
    summary: "Adds a passkey",
    description: `\`response\` is \`PublicKeyCredential.toJSON()\` after \`navigator.credentials.create()\` (WebAuthn: ES256, EdDSA or RS256; no attestation). What doesn't verify, or is a passkey of any account, is 007. 010 if it was replaced, is too old, belongs to another session, or was answered before, even wrongly. Without \`name\` it is called after the browser. The first factor of an account comes with a recovery code. The other trusted devices end. ${NOT_OFFERED}`,
  },
  newRecoveryCode: {
    tag: "second factors",
    summary: "Gives a new recovery code; the old one is dead",
    description: `${PROOF} ${NOT_OFFERED}`,
  },
  recoveryCodeKept: {
    tag: "second factors",
    summary: "Notes that the recovery code is written down",
    description: `Called once the customer has typed the end of a new code. Until then \`GET /cp/api/factors\` says \`kept: false\` of it. ${NOT_OFFERED}`,
  },
  smsAtSignIn: {
    tag: "second factors",
    summary: "Says whether a code by SMS confirms a sign-in",
    description: `Off needs a factor and a recovery code, else 422 on \`on\`; it ends the other trusted devices. ${PROOF} ${NOT_OFFERED}`,
  },
  removeFactor: {
    tag: "second factors",
    summary: "Removes a second factor",
    description: `Ends all trusted devices. The last factor takes the recovery code and \`on: false\` with it. An id that isn't the customer's is 422 on \`id\`. ${PROOF} ${NOT_OFFERED}`,
  },
};

/** The rules for every call, as Markdown. */
export const RULES = `The calls between a policyholder portal and a backend. The portal ships with an embedded backend that keeps this
contract. To attach an insurer's own server instead, set the portal's variable \`BACKEND_URL\`; \`npm run conformance\` tests it.

- JSON in and out, UTF-8. A call without required fields also accepts an empty body. Unknown fields in an answer are ignored.
- The portal waits three seconds for an answer, reads up to one megabyte of it, and follows no redirects. An answer that breaks
  this contract signs the visitor out.
- Every answer carries \`Cache-Control: no-store\`, refusals and 204 too.
- The backend owns its cookies: \`Path=/\`, no \`Domain\`, \`HttpOnly\`, \`SameSite=Lax\`, and \`Secure\` with the prefix
  \`__Host-\` if its origin is https. Their values are opaque to the portal. The portal copies name, value and lifetime, and sends
  each cookie back under both names, with and without the prefix. No cookie may be called \`flow\`, \`language\`, \`news-seen\`, \`passkeys\` or \`accepted-cookies\`.
- Sessions: none → \`pending\` (right password, device not trusted) → \`active\`. The value of the session cookie changes with every
  change of state, and the old value stops working at once. A session ends after ${LIMITS.SESSION_IDLE_SECONDS / 60} minutes idle, and after ${LIMITS.SESSION_MAX_SECONDS / 3600} hours at the latest.
- A browser is identified by an opaque random cookie. The backend sets it on any answer to a request without it.
- One-time codes: six digits, valid for ${LIMITS.CODE_LIFETIME_SECONDS / 60} minutes, for one browser, account and purpose. The fifth wrong try blocks the code and is itself answered
  016, even if fifty arrive at once; tries are counted before comparing. A refusal that is not about the code (012, 013, 015, 422) keeps the
  code, but five of those block it too. If the same browser repeats a confirm with the same payload within ${LIMITS.CONFIRM_REPEAT_SECONDS} seconds of its success,
  the answer is the same as the first, new cookies included, even if the repeat carries a session id that is dead by now: one
  effect, one session. Codes go to the phone number on the policy; no request carries one.
- The init of a code behind a right password or in a session may say where the code went: \`sentTo\`, a masked number such as
  \`••• ••• 001\`. The open ones (register, reset, remind) never say it; a reset init does only for the session's own username.
- \`X-Forwarded-For\` carries the visitor's address, and \`X-Request-Id\` the reference that customers read out on the phone. Trust
  both only from the portal's address, and \`X-Device-Name\` likewise: what the visitor's device is called, as
  \`{browser}, {system}\`, percent-encoded, at most ${MOST_DEVICE_NAME} characters. Sessions and activity show it.
- Cross-site writes are 403: an \`Origin\` header, if present, must be the public origin. (The portal sends none.)
- An unknown path is 404, and so is an optional call that isn't offered, in a session and without one; a known path with
  another method is 405 with \`Allow\`.`;
