import type { Readable } from "node:stream";
import type { Command, OptionValues } from "@commander-js/extra-typings";
import { chooseCustomer as findCustomer } from "~/backend/index.server";
import type { CustomerIds, SupportDependencies } from "~/backend/types";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";

/** How an operator names a customer: by exactly one of these. */
export interface CustomerChoice {
  readonly username?: string | undefined;
  readonly policyNo?: string | undefined;
  readonly account?: string | undefined;
  readonly customer?: string | undefined;
  readonly pid?: string | undefined;
}

const NAMES = ["username", "policyNo", "account", "customer", "pid"] as const;
const MOST_BYTES = 1000;

/**
 * Adds the options that name a customer. A personal identifier must not be on the command line, which other users can
 * read.
 */
export function withCustomer<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option("--username <name>", "the customer with this username")
    .option("--policy-no <number>", "the customer who holds this policy")
    .option("--account <id>", "the account with this id, as the audit and the log name it")
    .option("--customer <id>", "the customer with this id, as `account find` and the audit name them")
    .option(
      "--pid <->",
      "the customer whose identifier is on standard input",
      readDash("--pid", "the identifier"),
    );
}

/**
 * Reads an option whose value is on standard input. If an operator types it anyway, the message must not repeat it.
 * @param what the value in words, like "the identifier"
 */
export function readDash(option: string, what: string): (typed: string) => "-" {
  return (typed) => {
    if (typed !== "-") throw new UsageError(`${option}: expected -, with ${what} on standard input`);
    return typed;
  };
}

/** Finds the customer. @param input standard input, for `--pid -` @throws UsageError if there isn't exactly one */
export async function chooseCustomer(
  database: Pick<SupportDependencies, "store" | "keyring">,
  choice: CustomerChoice,
  input: Readable,
): Promise<CustomerIds> {
  const given = NAMES.filter((name) => choice[name] !== undefined);
  const [by] = given;
  if (by === undefined || given.length > 1)
    throw new UsageError("expected one of --username, --policy-no, --account, --customer and --pid -");
  const value = by === "pid" ? await lineOfInput(input, "--pid", "an identifier") : (choice[by] ?? "");
  return findCustomer(database, by, value);
}

/** The line on standard input. @throws UsageError if it is too long for the `expected` value, like "an identifier" */
export async function lineOfInput(input: Readable, option: string, expected: string): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of input as AsyncIterable<Buffer>) {
    pieces.push(piece);
    if ((bytes += piece.byteLength) > MOST_BYTES) throw new UsageError(`${option}: expected ${expected}`);
  }
  return Buffer.concat(pieces).toString("utf8").trim();
}
