import type { CallName } from "./calls.server";
import type { CatalogueCode } from "./errors";

/** What a reader of the published contract is told of a call, beside its schemas. */
export interface CallDescription {
  readonly tag: "signing in" | "registration" | "password" | "username" | "customer area";
  readonly summary: string;
  readonly description?: string;
  /** The rows of the error catalogue that it refuses with. */
  readonly refusals: readonly CatalogueCode[];
}

const WRONG_CODE = ["007", "010", "016"] as const;
const LOCKS = ["105", "106", "108"] as const;
const SAME_ANSWER =
  "The answer is the same whether or not there is such a customer, in status, headers, body and time.";

/** The calls in words (specification §7). */
export const DESCRIPTIONS: Readonly<Record<CallName, CallDescription>> = {
  login: {
    tag: "signing in",
    summary: "Signs in with username and password",
    description:
      "Begins a pending session, or an active one where the browser carries a valid trusted-device cookie of this user. The states of an account (105, 106, 108) are told only to who gave the right password; a timed lock after five wrong ones is told to anyone, for unknown names alike.",
    refusals: ["101", ...LOCKS],
  },
  userInit: {
    tag: "signing in",
    summary: "Whether the session is active",
    refusals: [],
  },
  userInfo: {
    tag: "signing in",
    summary: "Who is signed in",
    description:
      "Answers while the session is pending, too. The name of a company's account is its representative's.",
    refusals: [],
  },
  deleteSession: {
    tag: "signing in",
    summary: "Signs out",
    description:
      "Ends the session and clears its cookie; without one it does nothing. A portal that gets no answer within a second expires the cookie `session` itself.",
    refusals: [],
  },
  activateSessionInit: {
    tag: "signing in",
    summary: "Sends the code that activates a pending session",
    refusals: LOCKS,
  },
  activateSessionConfirm: {
    tag: "signing in",
    summary: "Activates a pending session by its code",
    description: "With `trustDevice` `Y` the browser gets a trusted-device cookie for 30 days.",
    refusals: [...WRONG_CODE, ...LOCKS],
  },
  registerInit: {
    tag: "registration",
    summary: "Sends the code for a registration",
    description: `${SAME_ANSWER} 014 is for who gave a policy number and the identifier that belongs to it, and has an account.`,
    refusals: ["014"],
  },
  registerConfirm: {
    tag: "registration",
    summary: "Makes an account, and signs in",
    description: "The username is generated (`klient` and eight digits); the session is active.",
    refusals: ["007", "010", "014", "016"],
  },
  passwordResetInit: {
    tag: "password",
    summary: "Sends the code for a new password",
    description: `Without a session it serves the sign-in page, with one the change of a password. ${SAME_ANSWER}`,
    refusals: [],
  },
  passwordResetConfirm: {
    tag: "password",
    summary: "Sets a new password by a code",
    description:
      "Every other session and every trusted device of the user end, a timed lock is lifted, and one login from the same browser within two minutes asks for no second code. 013 (one of the last five passwords) is told only after the code was right.",
    refusals: ["007", "010", "013", "016"],
  },
  loginChangeInit: {
    tag: "username",
    summary: "Sends the code for a change of one's own username",
    description: "015 after three changes in 30 days.",
    refusals: ["015"],
  },
  loginChangeConfirm: {
    tag: "username",
    summary: "Changes one's own username by a code",
    description: "Sessions and trusted devices stay.",
    refusals: ["007", "010", "012", "015", "016"],
  },
  loginRemindInit: {
    tag: "username",
    summary: "Sends the code that reminds of a username",
    description: SAME_ANSWER,
    refusals: [],
  },
  loginRemindConfirm: {
    tag: "username",
    summary: "Gives the username by a code",
    refusals: WRONG_CODE,
  },
  documentPasswordInit: {
    tag: "customer area",
    summary: "Sends the code for a document password",
    refusals: [],
  },
  documentPasswordConfirm: {
    tag: "customer area",
    summary: "Sets the document password by a code",
    description: "Either mode works whether or not there is one. The portal's password is 422 on `password`.",
    refusals: WRONG_CODE,
  },
  deleteTrustedDevice: { tag: "customer area", summary: "Forgets a trusted device", refusals: [] },
  deleteTrustedDevices: { tag: "customer area", summary: "Forgets all trusted devices", refusals: [] },
  policies: { tag: "customer area", summary: "The customer's policies", refusals: [] },
  profile: {
    tag: "customer area",
    summary: "The customer's name, username, document password and trusted devices",
    refusals: [],
  },
};

const PASSWORD =
  "12 to 50 code points in NFC, with an upper-case letter (Polish ones count), a digit and one of the special characters. Never trimmed, cleaned or cut.";

/** The fields in words: what a schema can't say of them. A field means the same in every call. */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  authorizationCode:
    "The one-time code: six digits; white space in it is ignored. What is none is a wrong code (007).",
  authToken:
    "The one-time code: six digits; white space in it is ignored. What is none is a wrong code (007).",
  deviceName: "`{browser}, {system}`",
  newPassword: PASSWORD,
  newUsername:
    "5 to 50 of: letters `A–Z a–z` and Polish ones, digits, `@ . - _`; with at least one ASCII letter. Trimmed; unique without regard to case.",
  password: `Compared as it is. A new one: ${PASSWORD} A document password takes the letters \`A–Z a–z\` only.`,
  pid: "A PESEL, the number of an identity document, or a NIP without dashes. Trimmed, compared without regard to case.",
  policyNo: "The number of a policy or an application. Trimmed, compared without regard to case.",
  resend:
    "True when a person asked for another code: without it, an unexpired code under 30 seconds old is found, not sent again.",
  username: "Trimmed, compared without regard to case, after NFC.",
  id: "As the profile lists it.",
  mode: "Whether there was a document password before; it changes nothing.",
};

/** What holds for every call, as Markdown. */
export const RULES = `The calls between a policyholder portal and a backend. The portal brings an embedded backend that keeps this
contract; an insurer's own server takes its place by the portal's variable \`BACKEND_URL\`. \`npm run conformance\` tests it.

- JSON in and out, UTF-8. A call that needs no field also takes an empty body. Fields beyond those of an answer's schema are ignored.
- The portal waits three seconds for an answer, reads one megabyte of it, and follows no redirect. An answer that is not of this
  contract signs the visitor out.
- The backend owns its cookies: \`Path=/\`, no \`Domain\`, \`HttpOnly\`, \`SameSite=Lax\`, and \`Secure\` with the prefix
  \`__Host-\` where its origin is https. Their values are opaque to the portal. It takes over name, value and lifetime, and sends
  each cookie back under both names, with the prefix and without. No cookie may be called \`flow\`, \`language\` or \`accepted-cookies\`.
- Sessions: none → \`pending\` (the password was right, the device is not known) → \`active\`. The value of the session cookie changes
  with every change of state, and the old one is dead at once. 15 minutes idle end a session, and 8 hours at most.
- A browser is known by an opaque random cookie, which the backend sets on any answer to a request without it.
- One-time codes: six digits, valid for 10 minutes, for one browser, account and purpose. The fifth wrong try blocks the code (016), also
  when fifty arrive at once; tries are counted before comparing. A refusal that is not about the code (012, 013, 015, 422) keeps it; five
  of those block it too. A confirm that the same browser repeats with the same payload within 10 seconds of its success is answered like
  the first: one effect, one session. Codes go to the phone number on the policy; no request carries one.
- \`X-Forwarded-For\` has the visitor's address and \`X-Request-Id\` the number that people read out on the telephone. Believe them
  from the portal's address only.
- Cross-site writes are 403: an \`Origin\`, if there is one, must be the public one. (The portal sends none.)
- An unknown path is 404, a known one with another method 405 with \`Allow\`.`;
