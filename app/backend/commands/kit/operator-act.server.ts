import { randomUUID } from "node:crypto";
import type { Command, OptionValues } from "@commander-js/extra-typings";
import type { AuditSource } from "../../audit-event.server";
import { Nonsense } from "./exit-code.server";

/** Who runs a command on a customer's account, and why, as typed. */
export interface OperatorAct {
  readonly operator?: string | undefined;
  readonly reason?: string | undefined;
}

const MOST_CHARACTERS = 200;
const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\uFFFD]/u;

/** Adds both options, because every such act is audited with them (S97). */
export function withOperatorAct<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .requiredOption("--operator <name>", "who does this, for the audit")
    .requiredOption("--reason <text>", "why, such as the number of a call, for the audit");
}

/** What the audit records an act under. @throws Nonsense if a text is missing or too long */
export function auditSource({ operator, reason }: OperatorAct): AuditSource {
  return {
    address: "",
    requestId: randomUUID(),
    deviceName: "",
    audited: [],
    act: { operator: readWords("--operator", operator), reason: readWords("--reason", reason) },
  };
}

function readWords(option: string, typed = ""): string {
  const text = typed.normalize("NFC").trim();
  if (text === "" || [...text].length > MOST_CHARACTERS || CONTROL.test(text))
    throw new Nonsense(`${option}: expected a text of at most ${MOST_CHARACTERS} characters on one line`);
  return text;
}
