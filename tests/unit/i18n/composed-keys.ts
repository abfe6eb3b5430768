import { STATEMENT } from "~/journeys/accessibility/accessibility";
import { AUDIT_EVENTS } from "~/backend/audit/audit-event.server";
import type { SmsReach } from "~/backend/messages/sms-reach.server";
import type { AccountState, CustomerKind } from "~/backend/store/column-values.server";
import { NOTICE_EVENTS } from "~/contract/notices";
import {
  ACTIVITY_DETAILS,
  ACTIVITY_EVENTS,
  DOCUMENT_KINDS,
  SIGN_IN_WAYS,
} from "~/contract/customer-area.server";
import { CATALOGUE_CODES, ERROR_CATALOGUE } from "~/contract/errors";
import { FACTOR_KINDS, METHODS } from "~/contract/factors.server";
import { PURPOSES } from "~/contract/purposes";
import { MAX_TEXT_LENGTH } from "~/contract/rules";
import type { Weakness } from "~/contract/rules/weak-password";
import { MESSAGES, RULES, type RuleName } from "~/contract/rules/field-rules";
import { showRefusal } from "~/forms/show-refusal.server";
import { ACT_NAMES, COUNTED_THINGS } from "~/backend/support/acts.server";
import { DECISIONS } from "~/help-desk/done";
import { COUNTED, textsIn, type Translate } from "~/i18n/texts.server";
import type { HelplineState } from "~/journeys/customer-area/contact";
import type { DocumentPasswordMode } from "~/journeys/kit/addresses";
import type { NewPasswordMode } from "~/journeys/kit/new-password";
import type { CappedMessages } from "~/backend/support/customer-caps.server";
import type { ShownMessage } from "~/backend/support/last-messages.server";
import { PROBLEM_STATUSES } from "~/shell/problem";
import type { Notice } from "~/visit/flow.server";
import { ALL_FORMS } from "../forms/all-forms";

/** Every member of a union, so that the compiler asks for new ones. */
const each = <Name extends string>(names: Readonly<Record<Name, true>>) => Object.keys(names);

const PASSWORD_MODES = each<NewPasswordMode>({ set: true, change: true, reset: true });
const DOCUMENT_MODES = each<DocumentPasswordMode>({ create: true, change: true });
const WEAKNESSES = each<Weakness>({ personal: true, common: true });
/** The words for the removal of an app, and of a passkey. */
const FACTOR_WORDS = ["remove", "removePasskey"];
const NOTICE_KINDS = each<Notice["kind"]>({ success: true, warning: true, info: true });
const HELPLINE = each<HelplineState>({
  openNow: true,
  closedToday: true,
  closedTomorrow: true,
  closedMonday: true,
});
const CUSTOMER_KINDS = each<CustomerKind>({ individual: true, "no-id": true, company: true });
const ACCOUNT_STATES = each<AccountState>({ active: true, locked: true, expired: true, disabled: true });
const SMS_REACHES = each<SmsReach>({ mobile: true, landline: true, country: true, "no-sms": true });
const CAPPED_MESSAGES = each<CappedMessages>({
  "codes-signed-out": true,
  "codes-after-password": true,
  "codes-in-known-browser": true,
  "notices-of-changes": true,
  "notices-of-locks": true,
  "mail-notices-of-changes": true,
  "mail-notices-of-locks": true,
  "codes-after-wrong-codes": true,
});
const MESSAGE_STATES = each<ShownMessage["state"]>({
  waiting: true,
  accepted: true,
  refused: true,
  "given-up": true,
  unknown: true,
});
/** Input that breaks each rule. */
const TYPED = [
  "",
  "a".repeat(MAX_TEXT_LENGTH + 1),
  "aaaaaaaaa\0A1!",
  "not a code",
  "short",
  "aaaaaaaaaaaa",
  "AAAAAAAAAAAA",
  "AAAAAAAAAAA1",
  "Valid-Text-12",
  "Too-Long-1".repeat(6),
  "Żółty-Kot-12",
  "12345",
  "no",
  // The values that a browser sends instead of a passkey's answer.
  "cancelled",
  "failed",
  "known",
  "late",
  "unasked",
  "unsupported",
];

/** The keys of the messages that a rule returns. */
export function returnedKeys(rule: RuleName): readonly string[] {
  const returned = TYPED.flatMap((typed) => TYPED.map((first) => RULES[rule](typed, first)?.key));
  return [...new Set(returned.filter((key) => key !== undefined))];
}

/** The groups of texts of the catalogue's dialogs. */
const DIALOGS = [
  ...Object.values(ERROR_CATALOGUE).flatMap((row) => (row.kind === "modal" ? [row.texts] : [])),
  "default",
];
const RULE_TEXTS = Object.values(MESSAGES).flat();

/** Each template from which the code builds a key, and every value its gap can have. */
export const COMPOSED: Readonly<Record<string, readonly (string | number)[]>> = {
  "password:${mode}.header": PASSWORD_MODES,
  "password:${mode}.lead": PASSWORD_MODES,
  "documentPassword:${mode}.title": DOCUMENT_MODES,
  "documentPassword:${mode}.header": DOCUMENT_MODES,
  "documentPassword:${mode}.lead": DOCUMENT_MODES,
  "cp:result.${result}": DOCUMENT_MODES,
  "cp:result.${mode}": DOCUMENT_MODES,
  "cp:policy.kind.${kind}": DOCUMENT_KINDS,
  "cp:calendar.${kind}": ["end", "due"],
  "cp:renewal.${end}": ["ending", "ended"],
  "cp:renewal.${end}Call": ["ending", "ended"],
  "cp:renewal.${end}Link": ["ending", "ended"],
  "cp:profile.event.${event}": ACTIVITY_EVENTS,
  "cp:profile.eventOf.${detail}": ACTIVITY_DETAILS,
  "cp:profile.signedIn.${way}": SIGN_IN_WAYS,
  "password:weak.${weakness}": WEAKNESSES,
  "factors:proof.${method}": ["app", "passkey", "recovery"],
  "factors:result.${result}Effect": ["added", "removed"],
  "factors:result.${said}": ["added", "removed", "recovery", "sms", "smsOff"],
  "factors:sms.${to}Header": ["on", "off"],
  "factors:sms.${to}Reason": ["on", "off"],
  "factors:sms.${to}Submit": ["on", "off"],
  "factors:ways.${method}": METHODS,
  "factors:${of}.title": FACTOR_WORDS,
  "factors:${of}.header": FACTOR_WORDS,
  "factors:${of}.reason": FACTOR_WORDS,
  "factors:${of}.last": FACTOR_WORDS,
  "factors:${of}.submit": FACTOR_WORDS,
  "helpDesk:acts.${act}.name": ACT_NAMES,
  "helpDesk:acts.${name}.name": ACT_NAMES,
  "helpDesk:acts.${act}.does": ACT_NAMES,
  "helpDesk:acts.${act}.done": ACT_NAMES,
  "helpDesk:counted.${thing}": COUNTED_THINGS,
  "helpDesk:outcome.${outcome}": ["nothing", "already", "asked"],
  "helpDesk:waiting.decision.${decision}": DECISIONS,
  "helpDesk:find.fault.${fault}": ["value", "valueLong", "reasonLength", "reasonPersonal"],
  "helpDesk:event.${known}": AUDIT_EVENTS,
  "helpDesk:kind.${customerKind}": CUSTOMER_KINDS,
  "helpDesk:state.${state}": ACCOUNT_STATES,
  "helpDesk:factor.${kind}": FACTOR_KINDS,
  "helpDesk:reach.${shown.reach}": SMS_REACHES,
  "helpDesk:where.${where}": ["unknown-browsers", "known-browser", "trusted-device"],
  "helpDesk:cap.${of}": CAPPED_MESSAGES,
  "helpDesk:message.${message.purpose}": [...PURPOSES, "notice", "mail-notice"],
  "helpDesk:messageState.${state}": MESSAGE_STATES,
  "helpDesk:facts.${name}": ["tries", "guesses", "sessions", "trustedDevices", "usedUpCaps", "factors"],
  "staff:signOn.${fault}Header": ["unreachable", "unusable"],
  "staff:signOn.${fault}Text": ["unreachable", "unusable"],
  "common:a11y.${kind}": NOTICE_KINDS,
  "accessibility:missing.${name}": [...STATEMENT.unchecked, ...STATEMENT.deviations],
  "common:helpline.${helplineState(new Date(), hours)}": HELPLINE,
  "errors:page.${status}.header": PROBLEM_STATUSES,
  "errors:page.${status}.text": PROBLEM_STATUSES,
  "sms:${purpose}": PURPOSES,
  "sms:notice.${event}": NOTICE_EVENTS,
  "sms:which.${detail}": ACTIVITY_DETAILS,
  "mail:which.${detail}.title": ACTIVITY_DETAILS,
  "mail:which.${detail}.text": ACTIVITY_DETAILS,
  "mail:notice.${event}.title": NOTICE_EVENTS,
  "mail:notice.${event}.text": NOTICE_EVENTS,
  // The keys that a form's rules return, and the word for the invisible space.
  "validation:${key}": [...RULE_TEXTS, "space"],
  "errors:modal.${row.texts}.header": DIALOGS,
  "errors:modal.${row.texts}.message": DIALOGS,
  "errors:modal.${row.texts}.confirm": DIALOGS,
  "errors:modal.${row.texts}.cancel": ["016"],
};

/** Every key that the code builds. */
export function composedKeys(): string[] {
  const filled = Object.entries(COMPOSED).flatMap(([template, values]) =>
    values.map((value) => template.replace(/\$\{.*\}/, String(value))),
  );
  const counted = COUNTED.map((noun) => `common:count.${noun}`);
  return [...new Set([...filled, ...counted, ...keysOfRefusals()])];
}

/** The keys used when every form meets every catalogue code, and one code that isn't in the catalogue. */
function keysOfRefusals(): string[] {
  const asked: string[] = [];
  const ask = (key: string) => {
    asked.push(key);
    return key;
  };
  const t = Object.assign(ask, { language: textsIn().language }) as unknown as Translate;
  for (const [, form] of ALL_FORMS)
    for (const errorCode of [...CATALOGUE_CODES, "999"])
      for (const wait of [{}, { retryAfterSeconds: 60 }])
        for (const circumstance of [false, true])
          for (const triesLeft of [1, 2])
            showRefusal(
              t,
              form,
              { kind: "refused", errorCode, triesLeft, ...wait },
              {},
              { isSignedIn: circumstance, isUsernameKnown: circumstance },
            );
  return asked;
}
