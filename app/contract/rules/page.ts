// A page and its script agree on these: the page writes them, and the script reads them.

/** The words that scripts say on any page, in the body's `data-words`. */
export interface PageWords {
  /** Before the title of a page with a refused form. */
  readonly errorPrefix: string;
  /** While a request is under way, at first and once it takes long. */
  readonly wait: string;
  readonly slow: string;
  /** The button that shows a secret. The longer ones name the field, in place of `LABEL`. */
  readonly show: string;
  readonly hide: string;
  readonly showField: string;
  readonly hideField: string;
  readonly shown: string;
  readonly hidden: string;
  readonly capsLock: string;
}

/** The placeholder for a field's name. */
export const LABEL = "{{label}}";

/** How long a session lasts without a request, and at most; in seconds, as configured on the server. */
export interface SessionLimits {
  readonly idleSeconds: number;
  readonly maxSeconds: number;
}

/** The form that signs in with a passkey, which the script makes. */
export const PASSKEY_SIGN_IN = {
  /** The button's name among the parts for scripts. */
  name: "passkey-sign-in",
  /** The form's button, as the server sees it. */
  intent: "passkey",
  /** The address that issues a challenge. */
  question: "/home/passkey-question",
  /** The answer if no challenge could be fetched (field-rules.ts). */
  unasked: "unasked",
} as const;

/** The warning comes this many minutes before the end of a session. */
export const WARNING_MINUTES = 2;

/** Every attribute by which a page speaks to its script, and its value. A test compares them with what both do. */
export const PAGE_ATTRIBUTES = {
  "data-after-wrong": "the text of the link for another code, once a code was wrong",
  "data-alert-of": "the form's id: the place of its alert",
  "data-busy": "the words while the form of this button is on its way",
  "data-caps-lock": "the place that says that Caps Lock is on",
  "data-check": "input: the field is checked at each key, not only when it is left",
  "data-checklist": "the words of a password's checklist, and words of the customer's own, as JSON",
  "data-closes": "a link that closes its dialog",
  "data-code": "sent or none: the field of a code, and whether one was sent",
  "data-code-status": "the place that shows a code's status",
  "data-described": "ids of what describes a field without its error",
  "data-escape": "the button or link of a dialog that Esc presses",
  "data-explains": "a link that opens an explanation",
  "data-field": "a field with its label, its hint and its error",
  "data-for-scripts": "the name of a part that waits for its enhancement",
  "data-hint": "the place of a checklist's advice",
  "data-html": "such a part, as HTML",
  "data-invalid": "a field with an error",
  "data-known-passkeys": "an account's passkeys and its name, for the device, as JSON",
  "data-needs-code": "a button that waits for a code",
  "data-options": "a challenge for a passkey, as JSON",
  "data-passkey": "get or create: the form asks for a passkey",
  "data-refused": "the code of the form's refusal",
  "data-repeats": "the name of the field that this one repeats",
  "data-resend": "the link for another code",
  "data-rule": "the name of a field's rule",
  "data-said": "the words of an enhancement",
  "data-secret": "the label of a field whose characters are hidden",
  "data-show-toggle": "the button that shows them",
  "data-spinner": "the sign that a request takes long",
  "data-state": "open, met, unmet or missing: a condition of a password",
  "data-text": "the place of a text beside an icon",
  "data-texts": "the messages of a form's rules, as JSON",
  "data-throttle": "how long a link waits before it can be pressed again, in ms",
  "data-unknown-passkey": "a form refused since its passkey was removed: the device offers it no more",
  "data-unless-unchanged": "a form that isn't sent again unless it has changed",
  "data-wait": "the words of a link that waits",
  "data-waiting": "the words of a button while a device is asked",
  "data-waits-for-fields": "a button that waits until every field is filled in",
  "data-words": "the words that scripts say on any page, as JSON",
} as const;
