import type { Command } from "@commander-js/extra-typings";
import { systemClock } from "~/platform/time.server";
import { FINDABLE, findCustomers, MOST_FOUND, withDatabase } from "~/backend/index.server";
import type { Findable, Found } from "~/backend/types";
import { lineOfInput, readDash } from "./kit/choose-customer.server";
import { EXIT, report, type Runs } from "./kit/command.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { auditSource, withOperatorAct } from "./kit/operator-act.server";

const VALUES: Readonly<Record<Findable, string>> = {
  name: "the whole name",
  phone: "the whole phone number",
  email: "the whole e-mail address",
};

/** `account find`. The value is on standard input, because other users can read a command line. */
export function addFind(group: Command, runs: Runs): void {
  const describe = (by: Findable) => `by ${VALUES[by]}, on standard input`;
  withOperatorAct(group.command("find").description("find a customer by a whole name, phone or e-mail"))
    .option("--name <->", describe("name"), readDash("--name", VALUES.name))
    .option("--phone <->", describe("phone"), readDash("--phone", VALUES.phone))
    .option("--email <->", describe("email"), readDash("--email", VALUES.email))
    .option("--json", "print the result as JSON")
    .action(
      runs(["database", "keys"], async (output, options) => {
        const [by, ...others] = FINDABLE.filter((one) => options[one] !== undefined);
        if (by === undefined || others.length > 0)
          throw new UsageError("expected one of --name -, --phone - and --email -");
        const source = auditSource(options);
        const value = await lineOfInput(output.input, `--${by}`, VALUES[by]);
        return withDatabase("portal", async (store, keyring) => {
          const found = await findCustomers({ store, keyring, clock: systemClock }, source, { by, value });
          if (found.kind === "no-value") throw new UsageError(`--${by}: expected ${VALUES[by]}`);
          report(output, options.json, found, notesOn(found));
          return EXIT.done;
        });
      }),
    );
}

function notesOn(found: Found): readonly string[] {
  if (found.kind === "too-many")
    return [`More than ${MOST_FOUND} customers: ask for the phone number, the e-mail or a policy number`];
  return found.kind === "found" && found.customers.length === 0
    ? ["A part of a value finds no customer: ask how it is spelled"]
    : [];
}
