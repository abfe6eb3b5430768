import { statesOf } from "~/gallery/screen-state.server";
import { COOKIES_BLOCKED } from "~/visit/cookies.server";

/** The states of `/home/cookies`. */
export const CONSENT_STATES = statesOf(
  "cookies",
  { path: "/home/cookies", consent: false },
  { blocked: { path: `/home/cookies?${COOKIES_BLOCKED}` } },
);
