import { erasePerson, planErasure, withDatabase } from "~/backend/index.server";
import { chooseCustomer, type CustomerChoice, withCustomer } from "./kit/choose-customer.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  type Output,
  report,
  withProgress,
} from "./kit/command.server";
import { auditSource, type OperatorAct, withOperatorAct } from "./kit/operator-act.server";

/** `erase`. */
export const addErase: AddCommands = (program, runs) => {
  withOperatorAct(withCustomer(program.command("erase")))
    .description("erase a person's data (GDPR, article 17); without --yes, say what that would erase")
    .option("--yes", "erase it: there is no way back")
    .option("--json", "print the counts as JSON")
    .action(runs(["database", "keys"], eraseAndReport));
};

interface EraseOptions extends CustomerChoice, OperatorAct {
  readonly yes?: true;
  readonly json?: true;
}

async function eraseAndReport(output: Output, options: EraseOptions): Promise<ExitCode> {
  const source = auditSource(options);
  return withDatabase("owner", async (store, keyring) => {
    const database = { store, keyring };
    const customer = await chooseCustomer(database, options, output.input);
    if (!options.yes) {
      const plan = await withProgress(output.terminal, (say) => planErasure(database, customer, say));
      report(output, options.json, { done: false, ...plan }, ["Nothing was changed: add --yes to erase it"]);
      return EXIT.done;
    }
    const erased = await withProgress(output.terminal, (say) => erasePerson(database, source, customer, say));
    report(output, options.json, { done: true, ...erased }, [
      ...(erased.isScrubbed ? [] : ["The database's log still holds it until the portal is restarted"]),
      "Backups from before still hold all of it: delete them after 35 days at the latest (docs/operations/retention.md)",
    ]);
    return EXIT.done;
  });
}
