import {
  CODE_DIGITS,
  MAX_TEXT_LENGTH,
  MOST_DEVICE_NAME,
  PASSWORD_LENGTH,
  USERNAME_LENGTH,
} from "../../app/contract/rules";
import { LIMITS, LONGEST_COOKIE_DAYS } from "../../app/platform/config/limits";

/** The numbers that pages may name: every limit as it ships, and the rules of the contract. */
const FIGURES: Readonly<Record<string, number>> = {
  ...LIMITS,
  LONGEST_COOKIE_DAYS,
  CODE_DIGITS,
  MAX_TEXT_LENGTH,
  MOST_DEVICE_NAME,
  PASSWORD_MIN: PASSWORD_LENGTH.min,
  PASSWORD_MAX: PASSWORD_LENGTH.max,
  USERNAME_MIN: USERNAME_LENGTH.min,
  USERNAME_MAX: USERNAME_LENGTH.max,
};

/** A number and the comment behind it, which readers don't see: `15<!--SESSION_IDLE_SECONDS/60-->`. */
const MARKED = /(\d[\d,]*)<!--([A-Z0-9_]+)(?:\/(\d+))?-->/g;

/**
 * Updates the numbers of a page wherever a comment names their limit.
 * @throws Error if there is no such limit, or it doesn't fit the unit
 */
export function fillFigures(page: string): string {
  return page.replace(MARKED, (marked, written: string, name: string, divisor = "1") => {
    const value = (FIGURES[name] ?? Number.NaN) / Number(divisor);
    if (!Number.isInteger(value)) throw new Error(`${name}/${divisor} is no figure`);
    return marked.replace(written, written.includes(",") ? value.toLocaleString("en") : String(value));
  });
}
