import { limit } from "./limit";

/** Second factors (contract: factors). */
export const FACTORS = {
  FACTORS_APPS: limit(5, "Authenticator apps that one account may have."),
  FACTORS_PASSKEYS: limit(10, "Passkeys that one account may have."),
  PASSKEY_CHALLENGE_SECONDS: limit(5 * 60, "How long a passkey can answer what it was asked."),
  FACTOR_PREPARED_SECONDS: limit(
    10 * 60,
    "How long an app that a customer has begun to add can be confirmed.",
  ),
  FACTOR_BLOCK_SECONDS: limit(
    15 * 60,
    "How long nothing is compared after `LIMIT_CODE_TRIES` wrong codes where no new code can be sent by SMS.",
  ),
  FACTOR_TRIES: limit(
    15,
    "After this many wrong codes for one account no code of an app and no recovery code is compared for `LIMIT_FACTOR_STOP_SECONDS`. A known browser's tries count for it alone, and passkeys don't count.",
  ),
  FACTOR_STOP_SECONDS: limit(
    60 * 60,
    "How long the first such stop lasts; each further one lasts twice as long, up to `LIMIT_FACTOR_STOP_MAX_SECONDS`.",
  ),
  FACTOR_STOP_MAX_SECONDS: limit(24 * 60 * 60, "The longest such a stop can last."),
  FACTOR_STOP_FORGOTTEN_DAYS: limit(
    30,
    "Wrong codes and stops are forgotten after this many days without a new one, or when a factor was right.",
  ),
  FACTOR_WRONG_IN_ROW: limit(
    100,
    "After this many wrong codes in a row from unknown browsers none of theirs is compared, until a known browser, a passkey or `portal account unlock` has confirmed.",
  ),
  FACTOR_RECOVERY_SECONDS: limit(
    15 * 60,
    "For this long after a sign-in by a recovery code, factors may be changed without another proof.",
  ),
};
