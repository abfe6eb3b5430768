import type { Readable } from "node:stream";
import type { Command, OptionValues } from "@commander-js/extra-typings";
import { type ReadNumber, readPolicyNo } from "~/contract/rules";
import type { Keyring } from "~/backend/secrets/keyring.server";
import { hasPolicyNo, meantByNumber } from "~/backend/customers/customers.server";
import type { Reader } from "~/backend/store/store.server";
import type { Tables } from "~/backend/store/tables.server";
import type { Policyholder } from "~/backend/support/account-state.server";
import { rowsNamed } from "~/backend/support/find-customers.server";
import { UsageError } from "./command.server";

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
  reader: Reader,
  keyring: Keyring,
  choice: CustomerChoice,
  input: Readable,
): Promise<Policyholder> {
  const given = NAMES.filter((name) => choice[name] !== undefined);
  const [how] = given;
  if (how === undefined || given.length > 1)
    throw new UsageError("expected one of --username, --policy-no, --account, --customer and --pid -");
  const rows = await customersBy(reader, keyring, how, choice, input);
  const [row] = rows;
  if (!row) throw new UsageError("no such customer");
  if (rows.length > 1)
    throw new UsageError("several customers have this identifier: choose one by --policy-no");
  return { customerId: row.id, accountId: row.account_id ?? undefined };
}

async function customersBy(
  reader: Reader,
  keyring: Keyring,
  how: (typeof NAMES)[number],
  choice: CustomerChoice,
  input: Readable,
) {
  const customers = reader
    .selectFrom("customers")
    .leftJoin("accounts", "accounts.customer_id", "customers.id")
    .select(["customers.id", "accounts.id as account_id"]);
  switch (how) {
    case "username":
      return rowsNamed(reader, keyring, how, choice.username ?? "");
    case "account":
      return customers.where("accounts.id", "=", choice.account ?? "").execute();
    case "customer":
      return customers.where("customers.id", "=", choice.customer ?? "").execute();
    case "policyNo": {
      const policy = await findPolicy(reader, readPolicyNo(choice.policyNo ?? ""));
      return customers.where("customers.id", "=", policy?.customer_id ?? "").execute();
    }
    case "pid":
      return rowsNamed(reader, keyring, how, await lineOfInput(input, "--pid", "an identifier"));
  }
}

/** Finds a policy by its number, in any spelling. @throws UsageError if several have it */
export async function findPolicy(
  reader: Reader,
  number: ReadNumber,
): Promise<Tables["policies"] | undefined> {
  const rows = await reader.selectFrom("policies").selectAll().where(hasPolicyNo(number)).execute();
  const [policy] = meantByNumber(number, rows);
  if (rows.length > 0 && !policy)
    throw new UsageError("several policies differ only in spaces and hyphens: give the exact number");
  return policy;
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
