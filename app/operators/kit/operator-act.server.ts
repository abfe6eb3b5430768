import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { type Command, InvalidArgumentError, type OptionValues } from "@commander-js/extra-typings";
import { holdsPersonalNumber } from "~/backend/index.server";
import type { StaffSource } from "~/backend/types";
import { readPlainLine } from "~/contract/announcements.server";
import { environment } from "~/platform/config/environment.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";

/** The operator of a command on a customer's account, and the reason, as typed. */
export interface OperatorAct {
  readonly operator?: string | undefined;
  readonly reason?: string | undefined;
}

const MOST_CHARACTERS = 200;

/** Adds `--operator` and `--reason` to a command, because every act of an operator is audited with both (S97). */
export function withOperatorAct<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option("--operator <name>", "who does this, for the audit; with sudo it is the person who ran sudo")
    .requiredOption("--reason <text>", "why, such as the number of a call, for the audit");
}

/**
 * The origin of an act, for the audit.
 * @throws UsageError if the operator is refused (`readOperator`), or if the reason is missing, too long or holds a
 * personal number
 */
export function auditSource({ operator, reason }: OperatorAct): StaffSource {
  return {
    address: "",
    requestId: randomUUID(),
    deviceName: "",
    audited: [],
    act: { operator: readOperator(operator), reason: readReason(reason) },
  };
}

function readReason(typed: string | undefined): string {
  const reason = readWords("--reason", typed);
  if (!holdsPersonalNumber(reason)) return reason;
  throw new UsageError("--reason: expected no PESEL and no phone number; the number of a case instead");
}

/**
 * The operator of a command. Under sudo, it is the person who ran sudo, unless root has set
 * `PORTAL_OPERATOR_FROM=option`: then the option is trusted (S141).
 * @param typed the value of `--operator`
 * @throws UsageError if the name is missing or too long, or isn't the person who ran sudo
 */
function readOperator(typed: string | undefined): string {
  const { SUDO_USER: user, PORTAL_OPERATOR_FROM: from } = environment();
  if (user === undefined) return readWords("--operator", typed);
  if (from === "option") {
    if (isSetByRoot("PORTAL_OPERATOR_FROM", from)) return readWords("--operator", typed);
    throw new UsageError(
      "PORTAL_OPERATOR_FROM: expected in a file of --env-file that belongs to root and that only root can read",
    );
  }
  if (typed !== undefined && typed !== user)
    throw new UsageError("--operator: expected the name of the person who ran sudo, or nothing");
  return readWords("SUDO_USER", user);
}

/** The permissions of group and others in a file's mode. */
const GROUP_AND_OTHERS = 0o077;
const ENV_FILE = "--env-file=";

/** Whether a variable is set in a file of `--env-file` that belongs to root and that only root can read. */
function isSetByRoot(name: string, value: string): boolean {
  return process.execArgv.some((option) => {
    if (!option.startsWith(ENV_FILE)) return false;
    const file = option.slice(ENV_FILE.length);
    const { uid, mode } = statSync(file);
    return (
      uid === 0 && (mode & GROUP_AND_OTHERS) === 0 && parseEnv(readFileSync(file, "utf8"))[name] === value
    );
  });
}

/** Reads the text of an option. @throws UsageError if the text is missing, too long, or has more than one line */
export function readWords(option: string, typed = "", most = MOST_CHARACTERS): string {
  const text = readPlainLine(typed, most);
  if (text === undefined)
    throw new UsageError(`${option}: expected a text of at most ${most} characters on one line`);
  return text;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Reads a moment, or a day, which begins at midnight UTC. @returns ms since 1970 */
export function readMoment(text: string): number {
  const moment = DAY.test(text) || MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment) || !isDay(text.slice(0, "YYYY-MM-DD".length)))
    throw new InvalidArgumentError(
      "Expected a day such as 2026-11-21, or a moment such as 2026-11-21T08:30Z.",
    );
  return moment;
}

/** Whether the day exists: 31 February doesn't. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** Reads a whole number, at least 1. */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Expected a whole number, at least 1.");
  return Number(text);
}
