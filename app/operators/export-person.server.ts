import { exportPerson, withDatabase } from "~/backend/index.server";
import { chooseCustomer, type CustomerChoice, withCustomer } from "./kit/choose-customer.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  makeOutput,
  type Output,
  report,
  withProgress,
} from "./kit/command.server";
import { auditSource, type OperatorAct, withOperatorAct } from "./kit/operator-act.server";

/** `export`. */
export const addExport: AddCommands = (program, runs) => {
  withOperatorAct(withCustomer(program.command("export")))
    .description("write all that is stored about a person to a new folder (GDPR, articles 15 and 20)")
    .requiredOption("--output <folder>", "the folder to make: data.json, and the documents as PDFs")
    .option("--json", "print what was written as JSON")
    .action(runs(["database", "keys"], exportAndReport));
};

interface ExportOptions extends CustomerChoice, OperatorAct {
  readonly output: string;
  readonly json?: true;
}

async function exportAndReport(output: Output, options: ExportOptions): Promise<ExitCode> {
  const source = auditSource(options);
  return withDatabase("portal", async (store, keyring) => {
    const customer = await chooseCustomer({ store, keyring }, options, output.input);
    let documents = 0;
    await withProgress(output.terminal, (onProgress) =>
      makeOutput(options.output, async (folder) => {
        documents = await exportPerson({ store, keyring }, source, { customer, folder, onProgress });
      }),
    );
    report(output, options.json, { folder: options.output, documents }, [
      "It holds whole identifiers: give it to that person alone, then delete it",
    ]);
    return EXIT.done;
  });
}
