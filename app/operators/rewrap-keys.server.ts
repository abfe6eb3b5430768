import { rewrapKeys, withDatabase } from "~/backend/index.server";
import { type AddCommands, EXIT, type ExitCode, type Output, report } from "./kit/command.server";

/** `rewrap-keys`. */
export const addRewrapKeys: AddCommands = (program, runs) => {
  program
    .command("rewrap-keys")
    .description(
      "move data to the newest key, and say which older keys are still needed (docs/decisions/keys.md)",
    )
    .option("--json", "print the counts as JSON")
    .action(runs(["database", "keys"], rewrapAndReport));
};

async function rewrapAndReport(output: Output, { json }: { readonly json?: true }): Promise<ExitCode> {
  const counts = await withDatabase("owner", rewrapKeys);
  const { current, older, left, exactOnly, total, ...moved } = counts;
  const olderKeys = older.map((version) => ({ version, left: Object.fromEntries(left.get(version) ?? []) }));
  report(output, json, { current, moved, total, older: olderKeys, exactOnly });
  return EXIT.done;
}
