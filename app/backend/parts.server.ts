import type { Purpose } from "~/contract/purposes";
import type { Limits } from "~/platform/limits";
import type { Log } from "~/platform/log.server";
import type { Clock } from "./clock.server";
import type { Keyring } from "./secrets/keyring.server";
import type { Passwords } from "./secrets/passwords.server";
import type { Twins } from "./services/codes/twins.server";
import type { SmsQueue } from "./sms/sms-queue.server";
import type { Store } from "./store/store.server";

/** The words of each text message, in Polish; `host` is the one that browsers may fill the code in on, if known. */
export type SmsTexts = Readonly<
  Record<Purpose, (facts: { code: string; host: string | undefined }) => string>
>;

/** What the services work with: one set per backend. */
export interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly passwords: Passwords;
  readonly twins: Twins;
  readonly sms: SmsQueue;
  /** Countries whose numbers get messages, as `+48`. */
  readonly smsPrefixes: readonly string[];
  readonly smsTexts: SmsTexts;
  /** Host of the public origin, without a port, for the last line of a text message. */
  readonly host: string | undefined;
}
