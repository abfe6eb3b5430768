/** The words that labels of metrics may have, and the only ones. */

/** What a one-time code is for; the same words as the backend contract's. */
export const PURPOSES = [
  "login",
  "register",
  "password",
  "usernameChange",
  "usernameRemind",
  "documentPassword",
] as const;

/** What came of a sign-in. `code-needed`: the password was right; `signed-in` follows with the code. */
export const SIGN_IN_RESULTS = [
  "signed-in",
  "code-needed",
  "wrong",
  "blocked",
  "refused-by-state",
  "rate-limited",
] as const;
/** What came of a sign-in, as it is counted. */
export type SignInResult = (typeof SIGN_IN_RESULTS)[number];

/** What came of a code that was typed. `blocked`: the wrong one that was the last try. */
export const CODE_RESULTS = ["right", "wrong", "blocked"] as const;
/** What came of a code, as it is counted. */
export type CodeResult = (typeof CODE_RESULTS)[number];

/** Every way to send an SMS; the demo's outbox sends none. */
export const GATEWAYS = ["smsapi", "webhook"] as const;

/** What messages are limited for; `policy`: for a holder's policies, or for what a stranger typed. */
export const SMS_CAPS = ["number", "policy", "address", "overall"] as const;
/** A cap on messages, as it is counted. */
export type SmsCap = (typeof SMS_CAPS)[number];

/** Methods of requests. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "other"] as const;
/** The method of a request, as it is counted. */
export type HttpMethod = (typeof METHODS)[number];

/** Classes of statuses; `gone`: the visitor went away before the answer. */
export const STATUSES = ["2xx", "3xx", "4xx", "5xx", "gone"] as const;
/** What became of a request, as it is counted. */
export type HttpStatus = (typeof STATUSES)[number];
