import type { FactorKind } from "~/contract/factors.server";
import type { NoticeTexts } from "~/contract/notices";
import type { Purpose } from "~/contract/purposes";
import type { Limits } from "~/platform/config/limits";
import type { Log } from "~/platform/telemetry/log.server";
import type { Clock } from "~/platform/time.server";
import type { PdfWork } from "./documents/pdf-work.server";
import type { MailQueue } from "./messages/mail-channel.server";
import type { SmsQueue } from "./messages/sms-channel.server";
import type { Keyring } from "./secrets/keyring.server";
import type { Passwords } from "./secrets/passwords.server";
import type { InFlightConfirms } from "./limits/process-memory.server";
import type { FullWindows } from "./limits/process-memory.server";
import type { ConfirmationTexts } from "./documents/confirmation.server";
import type { Downloads } from "./documents/downloads.server";
import type { Store } from "./store/store.server";

/** The Polish text of each message with a code. If it is bound to a `host`, browsers fill the code in only there. */
export type SmsTexts = Readonly<
  Record<Purpose, (facts: { code: string; host: string | undefined }) => string>
>;

/** The factors that a backend offers, and the words that it stores or puts into an app. */
export interface FactorSettings {
  readonly offered: readonly FactorKind[];
  /** Whether passkeys sign in without username and password. */
  readonly passkeysSignIn: boolean;
  /** The public origin, if it is known. Passkeys work there and nowhere else. */
  readonly origin?: string | undefined;
  /** The domain that passkeys belong to. Default: the host of the origin. */
  readonly rpId?: string | undefined;
  /** The brand, as the app shows it. */
  readonly issuer: string;
  /** The name of a factor that the customer has not named. */
  readonly nameOf: Readonly<Record<FactorKind, string>>;
}

/** The dependencies of the services: one set per backend. */
export interface Dependencies {
  readonly store: Store;
  readonly clock: Clock;
  /** The clock of arrivals and of the hash queue; it never jumps. */
  readonly stopwatch: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly passwords: Passwords;
  readonly inFlightConfirms: InFlightConfirms;
  readonly fullWindows: FullWindows;
  readonly sms: SmsQueue;
  /** Country prefixes that messages are sent to, such as `+48`. */
  readonly smsPrefixes: readonly string[];
  readonly smsTexts: SmsTexts;
  /** Undefined if no SMS notices are sent. */
  readonly noticeTexts: NoticeTexts | undefined;
  /** Undefined if no e-mail notices are sent. */
  readonly mail: MailQueue | undefined;
  readonly confirmationTexts: ConfirmationTexts;
  readonly factors: FactorSettings;
  /** Whether a trusted device stands in for the second factor (`TRUSTED_DEVICES`). */
  readonly trustsDevices: boolean;
  readonly pdf: PdfWork;
  readonly downloads: Downloads;
  /** The host in the last line of a text message, which binds the code to it; undefined if none is bound. */
  readonly codeHost: string | undefined;
}
