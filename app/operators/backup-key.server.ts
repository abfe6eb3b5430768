import { backupMacKeyText, makeBackupKeys } from "~/backend/index.server";
import { writeDurably } from "~/platform/files/durable-files.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  makeOutput,
  type Output,
  report,
  reportInWords,
} from "./kit/command.server";

/** `backup-key`. */
export const addBackupKey: AddCommands = (program, runs) => {
  program
    .command("backup-key")
    .description(
      "make a pair of keys for backups, the private one into a file, the public one printed; or print BACKUP_MAC_KEY",
    )
    .option("--output <file>", "the file for the private key; it must not exist")
    .option("--mac", "print BACKUP_MAC_KEY, for a place that makes backups without DATA_KEYS")
    .option("--json", "print the key as JSON")
    .action(
      runs(
        ({ mac }) => (mac ? ["keys"] : []),
        (output, { output: file, mac, json }) => {
          if ((file === undefined) === (mac === undefined))
            throw new UsageError("expected one of --output and --mac");
          return file === undefined
            ? Promise.resolve(printMacKey(output, json))
            : makePair(output, file, json);
        },
      ),
    );
};

function printMacKey(output: Output, json: true | undefined): ExitCode {
  const key = backupMacKeyText();
  reportInWords(output, json, { key }, [key]);
  return EXIT.done;
}

async function makePair(output: Output, path: string, json: true | undefined): Promise<ExitCode> {
  const { recipient, file } = await makeBackupKeys();
  await makeOutput(path, (draft) => {
    writeDurably(draft, file);
    return Promise.resolve();
  });
  report(output, json, { recipient, file: path }, [
    "Keep two copies of the private key away from the machine that makes backups: without it no backup opens",
  ]);
  return EXIT.done;
}
