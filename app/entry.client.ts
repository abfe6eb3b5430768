/**
 * The portal's script: it makes pages more comfortable, each of which works without it (docs/decisions/enhancements.md).
 * Browsers without modal dialogs or without the pressed button in a submit get the pages as they are (C-15): Chrome
 * before 81, Safari before 15.4, Firefox before 98.
 */
import { startChecklist } from "./enhancements/checklist";
import { startCodeField } from "./enhancements/code-field";
import {
  startCapsLock,
  startCopyAndPrint,
  startShowToggle,
  startWaitForFields,
} from "./enhancements/comforts";
import { startDialogs } from "./enhancements/dialogs";
import { startFieldErrors } from "./enhancements/field-errors";
import { endServiceWorkers, startFreshAfterReturn, startLanguage } from "./enhancements/fresh-page";
import { startLostConnection } from "./enhancements/lost-connection";
import { startPasskeyOffer } from "./enhancements/passkey-offer";
import { startPasskeySignIn } from "./enhancements/passkey-sign-in";
import { startPasskeys } from "./enhancements/passkeys";
import { alone } from "./enhancements/page";
import { startSpinner } from "./enhancements/requests";
import { startForms, startSubmitGuard } from "./enhancements/send-form";
import { startSessionWarning } from "./enhancements/session-begin";
import { startHistory } from "./enhancements/show-page";
import { startSingleTab } from "./enhancements/single-tab/guard";

const has = (name: "HTMLDialogElement" | "SubmitEvent", member: string) =>
  name in window && member in window[name].prototype;

if (has("HTMLDialogElement", "showModal") && has("SubmitEvent", "submitter")) {
  // In the order in which they handle a submit or a press: first those that hold it back, then those that send it.
  const enhancements = [
    startSubmitGuard,
    startPasskeys,
    startPasskeySignIn,
    startPasskeyOffer,
    startShowToggle,
    startCapsLock,
    startFieldErrors,
    startCodeField,
    startChecklist,
    startWaitForFields,
    startCopyAndPrint,
    startDialogs,
    startLostConnection,
    startLanguage,
    startForms,
    startSpinner,
    startHistory,
    startFreshAfterReturn,
    startSessionWarning,
    startSingleTab,
  ];
  for (const start of enhancements) alone(start);
  document.documentElement.dataset["scripts"] = "on";
}
alone(endServiceWorkers);
