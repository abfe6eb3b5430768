/**
 * The portal's script: it makes pages more comfortable, each of which works without it (docs/decisions/enhancements.md).
 * Browsers without modal dialogs or without the pressed button in a submit get the pages as they are (C-15): Chrome
 * before 81, Safari before 15.4, Firefox before 98.
 */
import { startChecklist } from "~/browser/checklist";
import { startCodeField } from "~/browser/code-field";
import { startCapsLock, startCopyAndPrint, startShowToggle, startWaitForFields } from "~/browser/comforts";
import { startDialogs } from "~/browser/dialogs";
import { startFieldErrors } from "~/browser/field-errors";
import { endServiceWorkers, startFreshAfterReturn, startLanguage } from "~/browser/fresh-page";
import { startLostConnection } from "~/browser/lost-connection";
import { startPasskeyOffer } from "~/browser/passkey-offer";
import { startPasskeySignIn } from "~/browser/passkey-sign-in";
import { startPasskeys } from "~/browser/passkeys";
import { alone } from "~/browser/page";
import { startSpinner } from "~/browser/requests";
import { startForms, startSubmitGuard } from "~/browser/send-form";
import { startSessionWarning } from "~/browser/session-begin";
import { startHistory } from "~/browser/show-page";
import { startSingleTab } from "~/browser/single-tab/guard";

const has = (name: "HTMLDialogElement" | "SubmitEvent", member: string) =>
  name in window && member in window[name].prototype;

if (has("HTMLDialogElement", "showModal") && has("SubmitEvent", "submitter")) {
  // In the order in which they handle a submit or a press: handlers that may hold it back come before the sending ones.
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
