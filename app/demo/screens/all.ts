import { COOKIES_BLOCKED } from "~/visit/browser.server";
import { statesOf, type ScreenState } from "./screen-states";
import { CHANGE_PASSWORD_STATES } from "./change-password";
import { CHANGE_USERNAME_STATES } from "./change-username";
import { CUSTOMER_AREA_STATES } from "./customer-area";
import { DOCUMENT_PASSWORD_STATES } from "./document-password";
import { FACTOR_STATES } from "./factors";
import { REGISTER_STATES } from "./register";
import { REMIND_USERNAME_STATES } from "./remind-username";
import { RESET_PASSWORD_STATES } from "./reset-password";
import { SIGN_IN_STATES } from "./sign-in";

/** Every screen in every state, for the gallery. */
export const SCREEN_STATES: readonly ScreenState[] = [
  ...statesOf(
    "cookies",
    { path: "/home/cookies", consent: false },
    { blocked: { path: `/home/cookies?${COOKIES_BLOCKED}` } },
  ),
  ...SIGN_IN_STATES,
  ...REGISTER_STATES,
  ...RESET_PASSWORD_STATES,
  ...REMIND_USERNAME_STATES,
  ...statesOf("logout", { path: "/home/logout" }),
  ...statesOf("accessibility", { path: "/home/accessibility" }),
  ...statesOf("service", { path: "/service" }),
  ...statesOf("not-found", { path: "/nie-ma-takiej-strony" }),
  ...CHANGE_USERNAME_STATES,
  ...CHANGE_PASSWORD_STATES,
  ...DOCUMENT_PASSWORD_STATES,
  ...FACTOR_STATES,
  ...CUSTOMER_AREA_STATES,
];
