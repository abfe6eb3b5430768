import type { Method } from "~/contract/factors.server";

/**
 * The ways a session can begin, as the audit has them in the `reason` of `signed-in`, in the order of reports: by a code
 * or a factor, on a trusted device, with the pass of a password reset, or with the account itself.
 */
export const SIGN_IN_WAYS = [
  "sms",
  "app",
  "passkey",
  "recovery",
  "trusted-device",
  "after-reset",
  "registration",
] as const satisfies readonly (Method | "trusted-device" | "after-reset" | "registration")[];

/** One of them. */
export type SignInWay = (typeof SIGN_IN_WAYS)[number];
