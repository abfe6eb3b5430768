/** The only entry point to the embedded backend. */
export type { SmsTexts } from "./dependencies.server";
export type { ConfirmationFacts, ConfirmationTexts } from "./documents/confirmation.server";
export type { Origin, PageReads } from "./calls/answer-call.server";
export { COOKIE_NAMES, type Cookie, type Tokens } from "./calls/cookies.server";
export { DEVICE_COOKIES } from "./sign-in/trusted-devices.server";
export { openBackend, type Backend, type BackendOptions } from "./open-backend.server";
export { openBackendOrWait } from "./open-backend.server";
export { expectedJobs } from "./jobs/job-successes.server";
export { makeKeyring } from "./secrets/keyring.server";
export { smtpServer } from "./messages/smtp.server";
export { smsGateways } from "./messages/choose-gateway.server";
export { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
