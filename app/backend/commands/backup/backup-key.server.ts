import { writeDurably } from "../../durable-files.server";
import { EXIT, type ExitCode } from "../kit/exit-code.server";
import { makeOutput } from "../kit/new-output.server";
import { report, type Output } from "../kit/output.server";
import type { AddCommands } from "../kit/runs.server";
import { generateX25519Identity, identityToRecipient } from "age-encryption";

/** `backup-key`. */
export const addBackupKey: AddCommands = (program, runs) => {
  program
    .command("backup-key")
    .description("make a pair of keys for backups: the private one into a file, the public one printed")
    .requiredOption("--output <file>", "the file for the private key; it must not exist")
    .option("--json", "print the public key as JSON")
    .action(runs(makePair));
};

interface KeyOptions {
  readonly output: string;
  readonly json?: true;
}

async function makePair(output: Output, options: KeyOptions): Promise<ExitCode> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  await makeOutput(options.output, (draft) => {
    // The format of age-keygen.
    writeDurably(draft, `# public key: ${recipient}\n${identity}\n`);
    return Promise.resolve();
  });
  report(output, options.json, { recipient, file: options.output }, [
    `Public key, for BACKUP_RECIPIENTS: ${recipient}`,
    `The private key is in ${options.output}. Keep two copies away from the machine that makes backups: without it no backup opens`,
  ]);
  return EXIT.done;
}
