import type { Method } from "~/contract/factors.server";

/**
 * How a session began, as the audit names it in the `reason` of `signed-in`: by a code or a factor, on a trusted device,
 * with the pass that a password reset gives, or with the account itself.
 */
export type SignInWay = Method | "trusted-device" | "after-reset" | "registration";

/** All ways, in the order of reports. */
export const SIGN_IN_WAYS = [
  "sms",
  "app",
  "passkey",
  "recovery",
  "trusted-device",
  "after-reset",
  "registration",
] as const satisfies readonly SignInWay[];
